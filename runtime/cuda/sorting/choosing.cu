#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

struct IsSet {
  __host__ __device__ bool operator()(uint8_t flag) const { return flag != 0; }
};
struct OneIfSet {
  __host__ __device__ int64_t operator()(uint8_t flag) const { return flag != 0; }
};

template <class From, class To>
void write_flagged(const DeviceWork& work, const uint8_t* flags, int64_t count, From from, To to) {
  int64_t* const written = work.room<int64_t>(1);
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceSelect::Flagged(room, bytes, from,
                                      thrust::make_transform_iterator(flags, IsSet()), to, written,
                                      count, work.stream());
  });
}

// Elements of several words: word i is one of element i / words.
template <class Word> struct CopyWords {
  const Word* elements;
  int64_t words;
  const int64_t* positions;
  Word* to;
  __device__ void operator()(int64_t i) const {
    to[i] = elements[positions[i / words] * words + i % words];
  }
};

// The quotient of numbers that are not negative; a GPU divides 32 bits several times as fast as 64.
__device__ int64_t quotient(int64_t a, int64_t b) {
  if ((a | b) >> 32 == 0) return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
  return a / b;
}

// Word i belongs to copy i / words, whose element is the last one that begins at or before it.
template <class Word> struct RepeatWords {
  const Word* elements;
  int64_t words, count;
  const int64_t* ends;  // of each element's copies; null: `times` copies of each
  int64_t times;
  Word* to;
  __device__ int64_t element_of(int64_t copy) const {
    if (!ends) return quotient(copy, times);
    int64_t low = 0, high = count;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (ends[middle] <= copy) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  __device__ void operator()(int64_t i) const {
    const int64_t copy = words == 1 ? i : i / words;
    to[i] = elements[element_of(copy) * words + (i - copy * words)];
  }
};

// Calls f with the widest word that divides elements of `size` bytes and both addresses.
template <class F> void with_word(int64_t size, const void* from, const void* to, F&& f) {
  const uintptr_t all = static_cast<uintptr_t>(size) | reinterpret_cast<uintptr_t>(from) |
                        reinterpret_cast<uintptr_t>(to);
  if (all % 16 == 0) f(uint4());
  else if (all % 8 == 0) f(uint64_t());
  else if (all % 4 == 0) f(uint32_t());
  else if (all % 2 == 0) f(uint16_t());
  else f(uint8_t());
}

}  // namespace

void count_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t* chosen) {
  work.run([&](void* room, size_t& bytes) {
    return cub::DeviceReduce::Sum(room, bytes, thrust::make_transform_iterator(flags, OneIfSet()),
                                  chosen, count, work.stream());
  });
}

void positions_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t* to) {
  if (count == 0) return;
  write_flagged(work, flags, count, thrust::counting_iterator<int64_t>(0), to);
}

void select_set(const DeviceWork& work, const uint8_t* flags, int64_t count, int64_t chosen,
                const void* elements, int64_t size, void* to) {
  if (chosen == 0 || size == 0) return;
  with_word(size, elements, to, [&](auto word) {
    using Word = decltype(word);
    const Word* const from = static_cast<const Word*>(elements);
    const int64_t words = size / static_cast<int64_t>(sizeof(Word));
    if (words == 1) return write_flagged(work, flags, count, from, static_cast<Word*>(to));
    int64_t* const positions = work.room<int64_t>(chosen);
    positions_set(work, flags, count, positions);
    work.for_each(chosen * words, CopyWords<Word>{from, words, positions, static_cast<Word*>(to)});
  });
}

void repeat(const DeviceWork& work, const void* elements, int64_t count, int64_t size,
            const int64_t* times, bool same_times, int64_t total, void* to) {
  if (total == 0 || size == 0) return;
  int64_t* ends = nullptr;
  if (!same_times) {
    ends = work.room<int64_t>(count);
    work.run([&](void* room, size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, times, ends, count, work.stream());
    });
  }
  with_word(size, elements, to, [&](auto word) {
    using Word = decltype(word);
    const int64_t words = size / static_cast<int64_t>(sizeof(Word));
    work.for_each(total * words,
                  RepeatWords<Word>{static_cast<const Word*>(elements), words, count, ends,
                                    same_times ? total / count : 0, static_cast<Word*>(to)});
  });
}

}  // namespace gpy::rt::cuda
