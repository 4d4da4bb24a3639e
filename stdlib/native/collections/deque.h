#pragma once
// A queue with two ends: a ring of values whose size is a power of two.

#include <algorithm>
#include <vector>

#include "src/interpreter.h"

namespace gpy::lib {

struct Deque : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  explicit Deque(Type* type) : Object(type), noted_(type->vm->heap) {}
  ~Deque() {
    std::vector<Value> gone = take_all();
    destroy_items(*type->vm, gone);
  }

  int64_t most = -1;     // maxlen; -1: none
  uint32_t changes = 0;  // an iterator raises RuntimeError when this changes

  size_t size() const { return size_; }
  Value& at(size_t i) { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  void push_back(Value item) {
    if (most == 0) return;
    if (static_cast<int64_t>(size_) == most) pop_front();
    if (size_ == ring_.size()) grow();
    ++size_;
    ++changes;
    at(size_ - 1) = std::move(item);
  }
  void push_front(Value item) {
    if (most == 0) return;
    if (static_cast<int64_t>(size_) == most) pop_back();
    if (size_ == ring_.size()) grow();
    first_ = (first_ - 1) & (ring_.size() - 1);
    ++size_;
    ++changes;
    at(0) = std::move(item);
  }
  Value pop_back() {
    ++changes;
    return std::exchange(at(--size_), Value());
  }
  Value pop_front() {
    ++changes;
    Value item = std::exchange(at(0), Value());
    first_ = (first_ + 1) & (ring_.size() - 1);
    --size_;
    return item;
  }
  void insert(size_t position, Value item) {
    push_back(std::move(item));
    for (size_t i = size_ - 1; i > position; --i) at(i).swap(at(i - 1));
  }
  Value erase(size_t position) {
    for (size_t i = position; i + 1 < size_; ++i) at(i).swap(at(i + 1));
    return pop_back();
  }
  // The fewest steps, to the right or (negative) to the left, with the result of `steps`.
  int64_t shortest_turn(int64_t steps) const {
    const auto count = static_cast<int64_t>(size_);
    if (count < 2) return 0;
    steps %= count;
    if (steps > count / 2) return steps - count;
    return steps < -count / 2 ? steps + count : steps;
  }
  void rotate(int64_t steps) {
    steps = shortest_turn(steps);
    int64_t bound = std::exchange(most, -1);
    for (; steps > 0; --steps) push_front(pop_back());
    for (; steps < 0; ++steps) push_back(pop_front());
    most = bound;
  }
  // The result begins with the items, in their order.
  std::vector<Value> take_all() {
    std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(first_), ring_.end());
    ++changes;
    size_ = first_ = 0;
    noted_.set(0);
    return std::exchange(ring_, {});
  }
  std::vector<Value> copy() {
    std::vector<Value> items;
    items.reserve(size_);
    for (size_t i = 0; i < size_; ++i) items.push_back(at(i));
    return items;
  }
  template <class F> void each_field(F&& f) { f(ring_); }

 private:
  void grow() {
    const size_t room = ring_.empty() ? 8 : ring_.size() * 2;
    type->vm->claim(room, sizeof(Value));
    std::vector<Value> larger(room);
    for (size_t i = 0; i < size_; ++i) larger[i] = std::move(at(i));
    ring_ = std::move(larger);
    noted_.set(room * sizeof(Value));
    first_ = 0;
  }

  std::vector<Value> ring_;
  NotedBytes noted_;
  size_t first_ = 0, size_ = 0;
};

struct DequeIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  DequeIterator(Type* type, Ref<Deque> deque, bool backward)
      : Object(type), deque(std::move(deque)), backward(backward), changes(this->deque->changes) {}
  Ref<Deque> deque;
  bool backward;
  uint32_t changes;
  size_t given = 0;
  template <class F> void each_field(F&& f) { f(deque); }
};

// Whether the value is a deque, or an object of a class over it.
bool is_deque(const Value& v);

}  // namespace gpy::lib
