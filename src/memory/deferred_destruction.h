#pragma once
// Where objects end. A chain of them ends one after the other, not by recursion. What is long ends
// in parts: when an interrupt comes in between, the rest waits, so that the interrupt is answered
// at once, and later polls end it bit by bit. Nothing here takes memory: objects end because there
// is none, too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "src/value.h"

namespace gpy {

// What is left of something long.
class Remains {
 public:
  static constexpr size_t kPart = 4096;  // items, about
  virtual ~Remains() = default;
  // Ends a part of it. True: nothing is left.
  virtual bool end_part() noexcept = 0;

 private:
  friend class DeferredDestruction;
  Remains *above_ = nullptr, *below_ = nullptr;  // in the pile of what waits
};

class DeferredDestruction {
 public:
  explicit DeferredDestruction(Interpreter& vm) : vm_(vm) {}
  void destroy(Object* object) noexcept;
  void destroy(Remains* remains) noexcept;  // and deletes them
  // Ends all that waits. False: an interrupt came first, or it is called from what ends there.
  bool end_rest() noexcept;
  // Ends some of it. True: nothing waits.
  bool end_some() noexcept;
  // What ends from here on, as an interrupt unwinds, waits too, but for a millisecond's worth of
  // it.
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
  size_t left_over_ = 0;     // of those; the others wait for the end of what is being ended
  Remains* top_ = nullptr;
  unsigned depth_ = 0;
  uint64_t allowance_ = UINT64_MAX;  // objects and items to be ended before it rests
};

// The items of a long row, which end from the first to the last.
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

// Likewise, from the last to the first.
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

// Ends in parts what R is made of. False: there is no memory for that, so nothing was done.
template <class R, class... A> bool bury_parts(Interpreter& vm, A&&... parts) noexcept {
  Remains* remains = new (std::nothrow) R(std::forward<A>(parts)...);
  if (remains) destroy_in_parts(vm, remains);
  return remains != nullptr;
}

template <class T> void let_go(Interpreter& vm, std::vector<T>& row) noexcept {
  if (row.size() > Remains::kPart) bury_parts<RestOfRow<T>>(vm, std::move(row));
  row.clear();
}
// As a list does: the last item first.
inline void let_go_backwards(Interpreter& vm, std::vector<Value>& row) noexcept {
  if (row.size() > Remains::kPart) bury_parts<BeginOfRow>(vm, std::move(row));
  while (!row.empty()) row.pop_back();
}

}  // namespace gpy
