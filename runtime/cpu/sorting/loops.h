#pragma once

// The inner loops of sorting and choosing, which exist once per instruction set (loops/).

#include <cstdint>
#include <tuple>

#include "runtime/cpu/sorting/keys.h"

namespace gpy::rt {

// The parts of a range of keys that are left to sort: [0, left) and [right, count).
struct Split {
  int64_t left, right;
};

// Equal keys stand for equal bits, so any algorithm gives the same result. All throw kInterrupt as
// poll_interrupt() does.
template <class Key> struct KeyLoops {
  void (*sort)(Key* keys, int64_t count);
  // Moves the keys to their sides of a pivot near the middle.
  Split (*split)(Key* keys, int64_t count);
  // Puts the key that sorting would put at `kth` there; none before it is greater, none behind it
  // less.
  void (*select)(Key* keys, int64_t count, int64_t kth);
};

struct KeyRange {
  int64_t least, greatest, nans;
};

// All take at least one element.
template <class T> struct ElementLoops {
  KeyRange (*to_keys)(const T* from, int64_t count, KeyOf<T>* keys);
  // `to` may be the memory of the keys.
  void (*from_keys)(const KeyOf<T>* keys, int64_t count, T* to);
  KeyRange (*to_order_keys)(const T* from, int64_t count, int64_t* keys);
  void (*mark_runs)(const T* sorted, int64_t count, uint8_t* firsts);  // all but the first
};
using AllElementLoops =
    std::tuple<ElementLoops<Truth>, ElementLoops<int8_t>, ElementLoops<uint8_t>,
               ElementLoops<int16_t>, ElementLoops<uint16_t>, ElementLoops<int32_t>,
               ElementLoops<uint32_t>, ElementLoops<int64_t>, ElementLoops<uint64_t>,
               ElementLoops<HalfBits>, ElementLoops<BFloatBits>, ElementLoops<float>,
               ElementLoops<double>>;

// A packed key: the order key, less the least one and without its `dropped` lowest bits, above the
// number of its element in `number_bits` bits.
struct Packing {
  int64_t least;
  int dropped, number_bits;
};

struct SortingLoops {
  KeyLoops<int32_t> keys32;
  KeyLoops<int64_t> keys64;
  AllElementLoops elements;
  // Packs in place; the first key is of element `number`.
  void (*pack)(int64_t* keys, int64_t count, const Packing& packing, int64_t number);
  void (*unpack)(int64_t* packed, int64_t count, int number_bits);

  void (*extremes)(const int64_t* values, int64_t count, int64_t* least, int64_t* greatest);

  int64_t (*count_set)(const uint8_t* flags, int64_t count);
  // `to` has room for `chosen`, the number of set flags; the first flag is at position `first`.
  void (*positions_set)(const uint8_t* flags, int64_t count, int64_t chosen, int64_t first,
                        int64_t* to);
  void (*select_set4)(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                      void* to);
  void (*select_set8)(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                      void* to);
};

// The loops for this machine.
const SortingLoops& sorting_loops();

template <class Key> const KeyLoops<Key>& key_loops() {
  if constexpr (sizeof(Key) == 4) return sorting_loops().keys32;
  else return sorting_loops().keys64;
}
template <class T> const ElementLoops<T>& element_loops() {
  return std::get<ElementLoops<T>>(sorting_loops().elements);
}

// Comparison sorts and selections, in n log n and n steps whatever the keys are.
void sort_by_comparing(int32_t* keys, int64_t count);
void sort_by_comparing(int64_t* keys, int64_t count);
void select_by_comparing(int32_t* keys, int64_t count, int64_t kth);
void select_by_comparing(int64_t* keys, int64_t count, int64_t kth);

}  // namespace gpy::rt
