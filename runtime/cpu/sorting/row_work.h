#pragma once

// The common parts of the sorts of rows: threads, scratch memory, and the loop over rows.

#include <algorithm>
#include <mutex>

#include "runtime/backend.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/sorting/sort_keys.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt {

struct Workplace {
  Backend& memory;
  ThreadPool& threads;
};

// Temporary memory, charged to the account of this thread.
template <class T> class Scratch {
 public:
  Scratch(Workplace& at, int64_t count) : buffer_(at.memory.allocate(count * sizeof(T))) {}
  T* data() { return static_cast<T*>(buffer_->data()); }

 private:
  Ref<Buffer> buffer_;
};

// Calls work(row, threads) for each row: the threads share many rows, or work together on each of a
// few long ones.
template <class Work> void for_each_row(Workplace& at, const Rows& rows, Work&& work) {
  if (rows.length == 0) return;
  if (rows.length >= kSharedRow && rows.count < 4 * at.threads.threads()) {
    for (int64_t row = 0; row < rows.count; ++row) work(row, &at.threads);
    return;
  }
  const int64_t grain = std::max<int64_t>((1 << 14) / rows.length, 1);
  at.threads.run(rows.count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) work(row, nullptr);
  });
}

// Calls work(begin, end) for pieces of a row, on all threads or, if `threads` is null, on this one.
template <class Work> void in_pieces(ThreadPool* threads, int64_t count, Work&& work) {
  constexpr int64_t kPiece = 1 << 16;
  const auto polled = [&](int64_t begin, int64_t end) {
    for (; begin < end; begin += kPiece) {
      poll_interrupt();
      work(begin, std::min(begin + kPiece, end));
    }
  };
  if (threads && count > 2 * kPiece) threads->run(count, 2 * kPiece, polled);
  else polled(0, count);
}

// Makes the keys of a whole row; `loop` makes those of a part of it.
template <class T, class Key>
KeyRange make_keys(KeyRange (*loop)(const T*, int64_t, Key*), const T* from, int64_t count,
                   Key* keys, ThreadPool* threads) {
  if (!threads) return loop(from, count, keys);
  KeyRange range{INT64_MAX, INT64_MIN, 0};
  std::mutex mutex;
  in_pieces(threads, count, [&](int64_t begin, int64_t end) {
    const KeyRange part = loop(from + begin, end - begin, keys + begin);
    const std::lock_guard lock(mutex);
    range.least = std::min(range.least, part.least);
    range.greatest = std::max(range.greatest, part.greatest);
    range.nans += part.nans;
  });
  return range;
}

// The number of different keys that there may be; 0 for more than 64 bits count.
inline uint64_t possible_keys(const KeyRange& range) {
  return static_cast<uint64_t>(range.greatest) - static_cast<uint64_t>(range.least) + 1;
}

// True where the keys are so few that counting each is quickest.
inline bool is_countable(const KeyRange& range, int64_t count) {
  return possible_keys(range) - 1 < std::min<uint64_t>(1 << 16, count / 2);
}

void sort_rows(Workplace& at, const Rows& rows, const void* from, void* to);
void argsort_rows(Workplace& at, const Rows& rows, const void* from, int64_t* order);
void partition_rows(Workplace& at, const Rows& rows, const void* from, void* to,
                    std::span<const int64_t> kths);
void argpartition_rows(Workplace& at, const Rows& rows, const void* from, int64_t* order,
                       std::span<const int64_t> kths);

}  // namespace gpy::rt
