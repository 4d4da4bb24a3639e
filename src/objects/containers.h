#pragma once
// Lists, tuples, slices, ranges, and the two iterators that the run loop knows.

#include <span>
#include <vector>

#include "src/value.h"

namespace gpy {

struct List : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::list;
  explicit List(Type* type, std::vector<Value> items = {})
      : Object(type), items(std::move(items)) {}
  ~List();
  std::vector<Value> items;
};

// Items lie behind the header.
struct Tuple : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::tuple;
  size_t size;

  Value* data() { return reinterpret_cast<Value*>(this + 1); }
  std::span<Value> items() { return {data(), size}; }
  Value& operator[](size_t i) { return data()[i]; }

  static Ref<Tuple> make(Interpreter& vm, std::span<const Value> items);
  // A tuple of `size` undefined items to be filled in before it is visible. `tracked`: for the
  // collector to see, unless none of the items can be part of a cycle.
  static Ref<Tuple> make_uninitialised(Interpreter& vm, size_t size, bool tracked = true);
  static void destroy(Object* self);

 private:
  class Rest;
  static void make_items(Interpreter& vm, Ref<Tuple>& tuple);
  static void free(Interpreter& vm, Tuple* tuple, size_t size) noexcept;
  static size_t block_bytes(size_t size) { return sizeof(Tuple) + size * sizeof(Value); }
  Tuple(Type* type, size_t size) : Object(type), size(size) {}
};

struct Slice : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::slice;
  Slice(Type* type, Value start, Value stop, Value step)
      : Object(type), start(std::move(start)), stop(std::move(stop)), step(std::move(step)) {}
  Value start, stop, step;  // None where left out

  struct Indices {
    int64_t start, stop, step, length;
  };
  // Clips to a sequence of `length` items. ValueError for step 0, TypeError for a non-index.
  Indices indices(Interpreter& vm, int64_t length) const;
};

struct Range : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::range;
  Range(Type* type, int64_t start, int64_t stop, int64_t step);
  int64_t start, stop, step;
  int64_t length;
  int64_t at(int64_t i) const { return start + i * step; }
};

struct RangeIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::range_iterator;
  RangeIterator(Type* type, int64_t next, int64_t step, int64_t remaining)
      : Object(type), next(next), step(step), remaining(remaining) {}
  int64_t take() {  // unless none remains
    --remaining;
    const int64_t taken = next;
    next = static_cast<int64_t>(static_cast<uint64_t>(next) + static_cast<uint64_t>(step));
    return taken;
  }
  int64_t next, step, remaining;
};

// An iterator over a List or a Tuple; its sequence is undefined when exhausted.
struct SequenceIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::sequence_iterator;
  SequenceIterator(Type* type, Value sequence) : Object(type), sequence(std::move(sequence)) {}
  Value sequence;
  size_t index = 0;
};

// Exact ints beyond 64 bits are in src/objects/int.h, whose library is heavy to include.
struct Complex : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::complex;
  Complex(Type* type, double real, double imag) : Object(type), real(real), imag(imag) {}
  double real, imag;
};

}  // namespace gpy
