#include "runtime/cpu/sorting/repeating.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

// Numbers are written in blocks of 32 bytes; the next element overwrites the excess.
template <class T> struct Numbers {
  static constexpr int64_t kBlock = 32 / sizeof(T);
  const T* from;
  T* to;

  void write(int64_t i, int64_t times, int64_t at) const {
    T block[kBlock];
    std::fill_n(block, kBlock, from[i]);
    for (int64_t j = 0; j < times; j += kBlock) std::memcpy(to + at + j, block, sizeof(block));
  }
  void write_exactly(int64_t i, int64_t times, int64_t at) const {
    std::fill_n(to + at, times, from[i]);
  }
};

struct Blocks {
  static constexpr int64_t kBlock = 0;
  const std::byte* from;
  std::byte* to;
  int64_t size;

  void write(int64_t i, int64_t times, int64_t at) const {
    for (int64_t j = at; j < at + times; ++j) std::memcpy(to + j * size, from + i * size, size);
  }
  void write_exactly(int64_t i, int64_t times, int64_t at) const { write(i, times, at); }
};

constexpr int64_t kPolled = 1 << 14;  // copies between two polls of the interrupt flag

template <class Elements>
void write_long(const Elements& elements, int64_t i, int64_t times, int64_t at) {
  for (int64_t done = 0; done < times; done += kPolled) {
    poll_interrupt();
    elements.write_exactly(i, std::min(kPolled, times - done), at + done);
  }
}

// Writes elements [begin, end), whose first copy is number `at`, and nothing behind their last one.
template <class Elements, class Times>
void write_piece(const Elements& elements, int64_t begin, int64_t end, int64_t at, Times times_of) {
  int64_t exact_from = end, room = 0;
  while (exact_from > begin && room < Elements::kBlock) room += times_of(--exact_from);
  int64_t unpolled = 0;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t times = times_of(i);
    if (unpolled += times; unpolled >= kPolled) {
      poll_interrupt();
      unpolled = 0;
    }
    if (times >= kPolled) write_long(elements, i, times, at);
    else if (i < exact_from) elements.write(i, times, at);
    else elements.write_exactly(i, times, at);
    at += times;
  }
}

template <class Elements>
void write_all(ThreadPool& threads, const Elements& elements, int64_t count,
               std::span<const int64_t> times) {
  constexpr int64_t kPiece = 1 << 14;
  if (times.size() == 1) {
    const int64_t same = times[0];
    threads.run(count, kPiece, [&](int64_t begin, int64_t end) {
      write_piece(elements, begin, end, begin * same, [same](int64_t) { return same; });
    });
    return;
  }
  const int64_t pieces = (count + kPiece - 1) / kPiece;
  std::vector<int64_t> firsts(pieces, 0);
  for (int64_t piece = 1; piece < pieces; ++piece) {
    const int64_t* const before = times.data() + (piece - 1) * kPiece;
    firsts[piece] = std::accumulate(before, before + kPiece, firsts[piece - 1]);
  }
  threads.run(pieces, 1, [&](int64_t piece, int64_t last) {
    for (; piece < last; ++piece) {
      const int64_t begin = piece * kPiece;
      write_piece(elements, begin, std::min(begin + kPiece, count), firsts[piece],
                  [&](int64_t i) { return times[i]; });
    }
  });
}

struct Sixteen {
  uint64_t low, high;
};

}  // namespace

void write_repeated(ThreadPool& threads, const void* elements, int64_t count, int64_t size,
                    std::span<const int64_t> times, void* to) {
  const auto as_numbers = [&]<class T>(T) {
    const Numbers<T> numbers{static_cast<const T*>(elements), static_cast<T*>(to)};
    write_all(threads, numbers, count, times);
  };
  switch (size) {
    case 1: return as_numbers(uint8_t());
    case 2: return as_numbers(uint16_t());
    case 4: return as_numbers(uint32_t());
    case 8: return as_numbers(uint64_t());
    case 16: return as_numbers(Sixteen());
    default: break;
  }
  const auto* from = static_cast<const std::byte*>(elements);
  write_all(threads, Blocks{from, static_cast<std::byte*>(to), size}, count, times);
}

}  // namespace gpy::rt
