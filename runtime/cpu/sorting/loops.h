#pragma once

// The inner loops of sorting and choosing, which exist once per instruction set (loops/).

#include <cstdint>
#include <tuple>

#include "runtime/cpu/sorting/keys.h"

namespace gpy::rt {

// What is left to sort of a range of keys: [0, left) and [right, count).
struct Split {
  int64_t left, right;
};

// What equal keys stand for is the same bits, so the result is the same whatever way it is found.
// They throw kInterrupt as poll_interrupt() does.
template <class Key> struct KeyLoops {
  void (*sort)(Key* keys, int64_t count);
  // Brings keys to that side of a middle one where they belong.
  Split (*split)(Key* keys, int64_t count);
  // The key at `kth` becomes what it is when all are sorted; none before it is greater, none behind
  // it less.
  void (*select)(Key* keys, int64_t count, int64_t kth);
};

struct KeyRange {
  int64_t least, greatest, nans;
};

// At least one element.
template <class T> struct ElementLoops {
  KeyRange (*to_keys)(const T* from, int64_t count, KeyOf<T>* keys);
  // `to` may be where the keys are.
  void (*from_keys)(const KeyOf<T>* keys, int64_t count, T* to);
  KeyRange (*to_order_keys)(const T* from, int64_t count, int64_t* keys);
  void (*mark_runs)(const T* sorted, int64_t count, uint8_t* firsts);  // but the first
};
using AllElementLoops =
    std::tuple<ElementLoops<Truth>, ElementLoops<int8_t>, ElementLoops<uint8_t>,
               ElementLoops<int16_t>, ElementLoops<uint16_t>, ElementLoops<int32_t>,
               ElementLoops<uint32_t>, ElementLoops<int64_t>, ElementLoops<uint64_t>,
               ElementLoops<HalfBits>, ElementLoops<BFloatBits>, ElementLoops<float>,
               ElementLoops<double>>;

// An order key, less the least and without its lowest bits, above the number of its element: as
// many bits as that takes.
struct Packing {
  int64_t least;
  int dropped, number_bits;
};

struct SortingLoops {
  KeyLoops<int32_t> keys32;
  KeyLoops<int64_t> keys64;
  AllElementLoops elements;
  // In place; the first is element `number`.
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

// For this machine.
const SortingLoops& sorting_loops();

template <class Key> const KeyLoops<Key>& key_loops() {
  if constexpr (sizeof(Key) == 4) return sorting_loops().keys32;
  else return sorting_loops().keys64;
}
template <class T> const ElementLoops<T>& element_loops() {
  return std::get<ElementLoops<T>>(sorting_loops().elements);
}

// By comparing, in n log n and n steps whatever the keys are.
void sort_by_comparing(int32_t* keys, int64_t count);
void sort_by_comparing(int64_t* keys, int64_t count);
void select_by_comparing(int32_t* keys, int64_t count, int64_t kth);
void select_by_comparing(int64_t* keys, int64_t count, int64_t kth);

}  // namespace gpy::rt
