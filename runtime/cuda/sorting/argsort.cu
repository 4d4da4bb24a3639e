#include "runtime/cuda/sorting/keys.cuh"
#include "runtime/cuda/sorting/sort_pairs.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

template <class Number> struct PositionsInRow {
  int64_t length;
  Number* numbers;
  __device__ void operator()(int64_t i) const { numbers[i] = static_cast<Number>(i % length); }
};

template <class T> struct KeysOf {
  const T* from;
  KeyOf<T>* keys;
  __device__ void operator()(int64_t i) const { keys[i] = key_of(from[i]); }
};

template <class F> struct PartsOfKeys {
  const ComplexParts<F>* from;
  KeyOf<F>*firsts, *seconds;
  __device__ void operator()(int64_t i) const {
    const PairKey<KeyOf<F>> key = key_of(from[i]);
    firsts[i] = key.first;
    seconds[i] = key.second;
  }
};

template <class Key, class Number> struct KeysInOrder {
  int64_t length;
  const Key* keys;
  const Number* order;
  Key* to;
  __device__ void operator()(int64_t i) const { to[i] = keys[i - i % length + order[i]]; }
};

template <class Number> struct Widened {
  const Number* numbers;
  int64_t* to;
  __device__ void operator()(int64_t i) const { to[i] = static_cast<int64_t>(numbers[i]); }
};

// The order of `keys` where those of `numbers` are equal. `keys` is written over.
template <class Key, class Number>
const Number* sorted_numbers(const DeviceWork& work, const Rows& rows, Key* keys,
                             const Number* numbers) {
  const int64_t count = rows.count * rows.length;
  Key* const sorted = work.room<Key>(count);
  Number* const order = work.room<Number>(count);
  sort_pairs(work, rows, keys, sorted, numbers, order);
  return order;
}

template <class Number, class T>
const Number* order_of(const DeviceWork& work, const Rows& rows, const T* from,
                       const Number* numbers) {
  auto* const keys = work.room<KeyOf<T>>(rows.count * rows.length);
  work.for_each(rows.count * rows.length, KeysOf<T>{from, keys});
  return sorted_numbers(work, rows, keys, numbers);
}

// Sorts by the second part, then by the first.
template <class Number, class F>
const Number* order_of(const DeviceWork& work, const Rows& rows, const ComplexParts<F>* from,
                       const Number* numbers) {
  using Key = KeyOf<F>;
  const int64_t count = rows.count * rows.length;
  Key *const firsts = work.room<Key>(count), *const seconds = work.room<Key>(count);
  work.for_each(count, PartsOfKeys<F>{from, firsts, seconds});
  const Number* const order = sorted_numbers(work, rows, seconds, numbers);
  work.for_each(count, KeysInOrder<Key, Number>{rows.length, firsts, order, seconds});
  return sorted_numbers(work, rows, seconds, order);
}

template <class Number>
void write_order(const DeviceWork& work, const Rows& rows, const void* from, int64_t* to) {
  const int64_t count = rows.count * rows.length;
  Number* const numbers = work.room<Number>(count);
  work.for_each(count, PositionsInRow<Number>{rows.length, numbers});
  with_element_type(rows.dtype, [&](auto element) {
    using T = decltype(element);
    const Number* const order = order_of(work, rows, static_cast<const T*>(from), numbers);
    work.for_each(count, Widened<Number>{order, to});
  });
}

}  // namespace

template <class Key>
const Key* order_of_keys(const DeviceWork& work, int64_t count, int bits, const Key* keys,
                         Key* sorted_keys) {
  Key *const numbers = work.room<Key>(count), *const order = work.room<Key>(count);
  work.for_each(count, PositionsInRow<Key>{count, numbers});
  sort_pairs(work, {DType::kInt64, 1, count}, keys, sorted_keys, numbers, order, bits);
  return order;
}
template const uint32_t* order_of_keys(const DeviceWork&, int64_t, int, const uint32_t*, uint32_t*);
template const uint64_t* order_of_keys(const DeviceWork&, int64_t, int, const uint64_t*, uint64_t*);

void argsort(const DeviceWork& work, const Rows& rows, const void* from, int64_t* order) {
  if (rows.count == 0 || rows.length == 0) return;
  if (rows.length <= INT64_C(0xffffffff)) write_order<uint32_t>(work, rows, from, order);
  else write_order<uint64_t>(work, rows, from, order);
}

}  // namespace gpy::rt::cuda
