#pragma once

// Elements as keys and back; runs of equal elements.

#include "runtime/cpu/sorting/loops.h"

namespace gpy::rt {
namespace {

template <class Key> void widen(KeyRange& range, const Key* keys, int64_t count) {
  Key least = keys[0], greatest = least;
  for (int64_t i = 1; i < count; ++i) {
    least = keys[i] < least ? keys[i] : least;
    greatest = keys[i] > greatest ? keys[i] : greatest;
  }
  if (least < range.least) range.least = least;
  if (greatest > range.greatest) range.greatest = greatest;
}

// Writes key(element) for each element, in pieces that stay in the nearest cache: the compiler does
// not vectorize one loop that makes keys and compares them.
template <class T, class Key, class KeyFunction>
KeyRange write_keys(const T* from, int64_t count, Key* keys, KeyFunction key) {
  constexpr int64_t kPiece = 1 << 11;
  KeyRange range{INT64_MAX, INT64_MIN, 0};
  for (int64_t begin = 0; begin < count; begin += kPiece) {
    const int64_t end = begin + kPiece < count ? begin + kPiece : count;
    Key nans = 0;
    for (int64_t i = begin; i < end; ++i) {
      keys[i] = key(from[i]);
      if constexpr (kHasNan<T>) nans += keys[i] == kNanKey<T>;
    }
    range.nans += nans;
    widen(range, keys + begin, end - begin);
  }
  return range;
}

template <class T> KeyRange to_keys(const T* from, int64_t count, KeyOf<T>* keys) {
  return write_keys(from, count, keys, [](T x) { return key_of(x); });
}

template <class T> KeyRange to_order_keys(const T* from, int64_t count, int64_t* keys) {
  return write_keys(from, count, keys, [](T x) { return order_key(x); });
}

template <class T> void from_keys(const KeyOf<T>* keys, int64_t count, T* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = element_of<T>(keys[i]);
}

template <class T> void mark_runs(const T* sorted, int64_t count, uint8_t* firsts) {
  for (int64_t i = 1; i < count; ++i) firsts[i] = order_key(sorted[i]) != order_key(sorted[i - 1]);
}

template <class T>
constexpr ElementLoops<T> kElementLoops{to_keys<T>, from_keys<T>, to_order_keys<T>, mark_runs<T>};

void pack(int64_t* keys, int64_t count, const Packing& packing, int64_t number) {
  const uint64_t least = static_cast<uint64_t>(packing.least);
  const int dropped = packing.dropped, bits = packing.number_bits;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t above = (static_cast<uint64_t>(keys[i]) - least) >> dropped;
    keys[i] = static_cast<int64_t>(above << bits | static_cast<uint64_t>(number + i));
  }
}

void extremes(const int64_t* values, int64_t count, int64_t* least, int64_t* greatest) {
  KeyRange range{INT64_MAX, INT64_MIN, 0};
  widen(range, values, count);
  *least = range.least;
  *greatest = range.greatest;
}

void unpack(int64_t* packed, int64_t count, int number_bits) {
  const int64_t mask = (int64_t{1} << number_bits) - 1;
  for (int64_t i = 0; i < count; ++i) packed[i] &= mask;
}

}  // namespace
}  // namespace gpy::rt
