#pragma once

// Sorting of a row of keys by all threads.

#include <algorithm>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/sorting/loops.h"

namespace gpy::rt {

// Rows at least this long are shared by the threads.
inline constexpr int64_t kSharedRow = 1 << 16;

template <class Key> struct KeyPart {
  Key* keys;
  int64_t count;
};

// Splits each part that is longer than `most` into the parts that are left to sort.
template <class Key>
std::vector<KeyPart<Key>> split_parts(const std::vector<KeyPart<Key>>& parts, int64_t most,
                                      ThreadPool& threads) {
  std::vector<KeyPart<Key>> halves(2 * parts.size());
  threads.run(std::ssize(parts), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const KeyPart<Key>& part = parts[i];
      halves[2 * i] = part;
      if (part.count <= most) continue;
      const Split split = key_loops<Key>().split(part.keys, part.count);
      halves[2 * i].count = split.left;
      halves[2 * i + 1] = {part.keys + split.right, part.count - split.right};
    }
  });
  std::erase_if(halves, [](const KeyPart<Key>& part) { return part.count == 0; });
  return halves;
}

template <class Key> bool is_ascending(const Key* keys, int64_t count) {
  constexpr int64_t kPolled = 1 << 16;
  for (int64_t i = 0; i + 1 < count; i += kPolled) {
    if (i > 0) poll_interrupt();
    if (!std::is_sorted(keys + i, keys + std::min(i + kPolled + 1, count))) return false;
  }
  return true;
}

// `threads`: null where this thread alone is to do it.
template <class Key> void sort_keys(Key* keys, int64_t count, ThreadPool* threads) {
  constexpr int64_t kQuick = 256;  // sorted sooner than checked
  if (count > kQuick && is_ascending(keys, count)) return;
  if (!threads || threads->threads() == 1 || count < kSharedRow) {
    return key_loops<Key>().sort(keys, count);
  }
  const int64_t most = std::max(count / (4 * threads->threads()), kSharedRow / 8);
  std::vector<KeyPart<Key>> parts{{keys, count}};
  const auto long_part = [&](const KeyPart<Key>& part) { return part.count > most; };
  // Parts of a row of few different keys stay long: the number of rounds is limited.
  for (int round = 0; round < 16 && std::ranges::any_of(parts, long_part); ++round) {
    parts = split_parts(parts, most, *threads);
  }
  threads->run(std::ssize(parts), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) key_loops<Key>().sort(parts[i].keys, parts[i].count);
  });
}

}  // namespace gpy::rt
