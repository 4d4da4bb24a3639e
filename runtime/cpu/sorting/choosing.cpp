#include "runtime/cpu/sorting/choosing.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/loops.h"

namespace gpy::rt {
namespace {

constexpr int64_t kPiece = 1 << 16;

int64_t piece_count(int64_t count) { return (count + kPiece - 1) / kPiece; }

// Calls work(begin, end, before, chosen) for pieces of the flags: `before` is the number of set
// flags before the piece, `chosen` the number inside it.
template <class Work>
void for_each_piece(ThreadPool& threads, const uint8_t* flags, int64_t count, Work&& work) {
  const int64_t pieces = piece_count(count);
  if (pieces <= 1) return work(0, count, 0, sorting_loops().count_set(flags, count));
  std::vector<int64_t> before(pieces + 1, 0);
  threads.run(pieces, 1, [&](int64_t piece, int64_t last) {
    for (; piece < last; ++piece) {
      const int64_t begin = piece * kPiece, length = std::min(kPiece, count - begin);
      before[piece + 1] = sorting_loops().count_set(flags + begin, length);
    }
  });
  for (int64_t piece = 0; piece < pieces; ++piece) before[piece + 1] += before[piece];
  threads.run(pieces, 1, [&](int64_t piece, int64_t last) {
    for (; piece < last; ++piece) {
      poll_interrupt();
      const int64_t begin = piece * kPiece;
      work(begin, std::min(begin + kPiece, count), before[piece],
           before[piece + 1] - before[piece]);
    }
  });
}

// Writes every element and advances past the chosen ones only: no branch to predict. The last one
// ends the loop, so that nothing is written behind the chosen.
template <class T>
void compact(const uint8_t* flags, int64_t count, int64_t, const void* elements, void* to) {
  const T* from = static_cast<const T*>(elements);
  T* next = static_cast<T*>(to);
  while (count > 0 && !flags[count - 1]) --count;
  for (int64_t i = 0; i < count; ++i) {
    *next = from[i];
    next += flags[i] != 0;
  }
}

struct Sixteen {
  uint64_t low, high;
};

void copy_chosen(const uint8_t* flags, int64_t count, int64_t size, const std::byte* from,
                 std::byte* to) {
  for (int64_t i = 0; i < count; ++i) {
    if (!flags[i]) continue;
    std::memcpy(to, from + i * size, size);
    to += size;
  }
}

using Choose = void (*)(const uint8_t*, int64_t, int64_t, const void*, void*);

Choose choose_of(int64_t size) {
  switch (size) {
    case 1: return compact<uint8_t>;
    case 2: return compact<uint16_t>;
    case 4: return sorting_loops().select_set4;
    case 8: return sorting_loops().select_set8;
    case 16: return compact<Sixteen>;
    default: return nullptr;
  }
}

}  // namespace

int64_t count_flags(ThreadPool&, const uint8_t* flags, int64_t count) {
  int64_t total = 0;
  for (int64_t from = 0; from < count; from += kPiece) {
    poll_interrupt();
    total += sorting_loops().count_set(flags + from, std::min(count - from, kPiece));
  }
  return total;
}

void write_positions(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t,
                     int64_t* to) {
  for_each_piece(
      threads, flags, count, [&](int64_t begin, int64_t end, int64_t before, int64_t chosen) {
        sorting_loops().positions_set(flags + begin, end - begin, chosen, begin, to + before);
      });
}

void write_chosen(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t,
                  const void* elements, int64_t size, void* to) {
  const auto* from = static_cast<const std::byte*>(elements);
  auto* const result = static_cast<std::byte*>(to);
  const Choose choose = choose_of(size);
  for_each_piece(threads, flags, count,
                 [&](int64_t begin, int64_t end, int64_t before, int64_t chosen) {
                   const std::byte* first = from + begin * size;
                   std::byte* next = result + before * size;
                   if (choose) choose(flags + begin, end - begin, chosen, first, next);
                   else copy_chosen(flags + begin, end - begin, size, first, next);
                 });
}

void write_run_numbers(ThreadPool& threads, const uint8_t* firsts, const int64_t* order,
                       int64_t count, int64_t* numbers) {
  for_each_piece(threads, firsts, count, [&](int64_t begin, int64_t end, int64_t number, int64_t) {
    for (int64_t i = begin; i < end; ++i) {
      number += firsts[i] != 0;
      numbers[order[i]] = number - 1;
    }
  });
}

}  // namespace gpy::rt
