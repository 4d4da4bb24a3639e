#pragma once
// Destroys objects. A chain of them is destroyed one after the other, not by recursion. Long work
// is done in parts: when an interrupt comes in between, the rest waits, so that the interrupt is
// answered at once, and later polls do it bit by bit. Nothing here allocates memory: objects are
// also destroyed because there is none.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "src/value.h"

namespace gpy {

// The rest of something long to destroy.
class Remains {
 public:
  static constexpr size_t kPart = 4096;  // items, approximately
  virtual ~Remains() = default;
  // Destroys a part of it. True: nothing is left.
  virtual bool end_part() noexcept = 0;

 private:
  friend class DeferredDestruction;
  Remains *above_ = nullptr, *below_ = nullptr;  // in the stack of those that wait
};

class DeferredDestruction {
 public:
  explicit DeferredDestruction(Interpreter& vm) : vm_(vm) {}
  void destroy(Object* object) noexcept;
  void destroy(Remains* remains) noexcept;  // and deletes them
  // Destroys all that waits. False: an interrupt came first, or a destructor here has called it.
  bool end_rest() noexcept;
  // Destroys some of it. True: nothing waits.
  bool end_some() noexcept;
  // While an interrupt unwinds: destroys at most a millisecond's worth from here on, and lets the
  // rest wait.
  void hurry() noexcept;

 private:
  bool resting() const;
  void end(Object* object) noexcept;
  void wait(Object* object) noexcept;
  Object* take_last() noexcept;
  void drain(size_t down_to) noexcept;
  void end_remains(Remains* remains) noexcept;
  void remove(Remains* remains) noexcept;
  bool end_within(uint64_t allowance) noexcept;

  struct Waiting;
  Interpreter& vm_;
  Waiting* last_ = nullptr;  // of the objects that wait
  size_t waiting_ = 0;       // how many they are
  size_t left_over_ = 0;     // of those; the others wait for the destructor that runs
  Remains* top_ = nullptr;
  unsigned depth_ = 0;
  uint64_t allowance_ = UINT64_MAX;  // objects and items to destroy before it pauses
};

// The items of a long vector, destroyed from the first to the last.
template <class T> class RestOfRow : public Remains {
 public:
  explicit RestOfRow(std::vector<T> items) : items_(std::move(items)) {}
  bool end_part() noexcept override {
    const size_t end = std::min(items_.size(), ended_ + kPart);
    for (; ended_ < end; ++ended_) T gone = std::move(items_[ended_]);
    return ended_ == items_.size();
  }

 private:
  std::vector<T> items_;
  size_t ended_ = 0;
};

// The same, from the last to the first.
class BeginOfRow : public Remains {
 public:
  explicit BeginOfRow(std::vector<Value> items) : items_(std::move(items)) {}
  bool end_part() noexcept override {
    const size_t end = items_.size() - std::min(items_.size(), kPart);
    while (items_.size() > end) items_.pop_back();
    return end == 0;
  }

 private:
  std::vector<Value> items_;
};

void destroy_in_parts(Interpreter& vm, Remains* remains) noexcept;

// Destroys an R made of `parts` bit by bit. False: there is no memory for that; nothing was done.
template <class R, class... A> bool try_destroy_in_parts(Interpreter& vm, A&&... parts) noexcept {
  Remains* remains = new (std::nothrow) R(std::forward<A>(parts)...);
  if (remains) destroy_in_parts(vm, remains);
  return remains != nullptr;
}

template <class T> void destroy_items(Interpreter& vm, std::vector<T>& row) noexcept {
  if (row.size() > Remains::kPart) try_destroy_in_parts<RestOfRow<T>>(vm, std::move(row));
  row.clear();
}
// Empties a row as a list does: the last item first.
inline void destroy_items_backwards(Interpreter& vm, std::vector<Value>& row) noexcept {
  if (row.size() > Remains::kPart) try_destroy_in_parts<BeginOfRow>(vm, std::move(row));
  while (!row.empty()) row.pop_back();
}

}  // namespace gpy
