#pragma once

// Walks a range of a loop nest row by row, and copies between strided memory and tiles.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/tiles/tiles.h"

namespace gpy::rt {

// Calls row(offset, done, count) for each piece of [at, at + length) that lies in one row: `offset`
// in elements of the strided operand, `done` elements of the range before it.
template <class Row>
void for_rows(std::span<const int64_t> extents, const int64_t* strides, const Coordinates& at,
              int64_t length, Row&& row) {
  const int last = static_cast<int>(extents.size()) - 1;
  int64_t index[kMaxRank];
  int64_t outer = 0;
  for (int axis = 0; axis < last; ++axis) {
    index[axis] = at.index[axis];
    outer += index[axis] * strides[axis];
  }
  int64_t column = at.index[last];
  for (int64_t done = 0; done < length; column = 0) {
    const int64_t count = std::min(extents[last] - column, length - done);
    row(outer + column * strides[last], done, count);
    done += count;
    for (int axis = last - 1; axis >= 0 && done < length; --axis) {
      outer += strides[axis];
      if (++index[axis] < extents[axis]) break;
      outer -= strides[axis] * extents[axis];
      index[axis] = 0;
    }
  }
}

struct Word16 {
  uint64_t a, b;
};

// Calls f with a value of an unsigned type of `size` bytes.
template <class F> void with_word(int size, F&& f) {
  switch (size) {
    case 1: return f(uint8_t{});
    case 2: return f(uint16_t{});
    case 4: return f(uint32_t{});
    case 8: return f(uint64_t{});
    default: return f(Word16{});
  }
}

// Writes `count` copies of a word. Their number doubles at each step.
template <class Word> void repeat_row(Word* to, Word word, int64_t count) {
  constexpr int64_t kByOne = 16;
  int64_t done = std::min(count, kByOne);
  for (int64_t i = 0; i < done; ++i) to[i] = word;
  while (done < count) {
    const int64_t more = std::min(done, count - done);
    std::memcpy(to + done, to, more * sizeof(Word));
    done += more;
  }
}

// Rows of strides -1 and 2, a vector at a time.
template <int64_t stride, class Word> void load_every(Word* to, const Word* from, int64_t count) {
  int64_t i = 0;
  if constexpr (sizeof(Word) <= 8) {
    constexpr int64_t kLanes = 16 / sizeof(Word);
    typedef Word Vector __attribute__((vector_size(16), aligned(sizeof(Word)), may_alias));
    const auto at = [from](int64_t k) { return reinterpret_cast<const Vector*>(from + k); };
    const auto load = [&]<size_t... lane>(std::index_sequence<lane...>) {
      for (; i + kLanes < count; i += kLanes) {  // a pair of vectors ends behind its last element
        Vector& made = *reinterpret_cast<Vector*>(to + i);
        if constexpr (stride == -1) {
          const Vector v = *at(1 - i - kLanes);
          made = __builtin_shufflevector(v, v, (kLanes - 1 - lane)...);
        } else {
          const Vector v = *at(2 * i), w = *at(2 * i + kLanes);
          made = __builtin_shufflevector(v, w, (2 * lane)...);
        }
      }
    };
    load(std::make_index_sequence<kLanes>());
  }
  for (; i < count; ++i) to[i] = from[i * stride];
}

template <class Word> void load_row(Word* to, const Word* from, int64_t stride, int64_t count) {
  if (stride == 1) {
    if (count >= 16) {
      std::memcpy(to, from, count * sizeof(Word));
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i];
    }
  } else if (stride == 0) {
    repeat_row(to, *from, count);
  } else if (stride == -1) {
    load_every<-1>(to, from, count);
  } else if (stride == 2) {
    load_every<2>(to, from, count);
  } else {
    int64_t i = 0;
    for (; i + 4 <= count; i += 4, from += 4 * stride) {
      const Word a = from[0], b = from[stride], c = from[2 * stride], d = from[3 * stride];
      to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
    }
    for (; i < count; ++i, from += stride) to[i] = *from;
  }
}

// Copies `columns` columns of `rows` elements each to rows that are `width` elements apart; a
// column's elements are `step` apart, usually next to each other, and columns `stride`.
template <int kMost, class Word>
void load_panel(Word* to, int64_t width, const Word* from, int64_t stride, int64_t step,
                int64_t rows, int64_t columns) {
  const auto load = [&](int64_t rows, int64_t step) __attribute__((always_inline)) {
    // Lines of different pages, which no processor guesses: those of this panel, then of the next.
    constexpr int64_t kAhead = 24;
    const Word* ahead = from + std::min(kAhead, columns) * stride;
    for (int64_t column = 0; column < columns; ++column, from += stride, ahead += stride) {
      if (column + kAhead == columns) ahead += rows * step - columns * stride;
      __builtin_prefetch(ahead);
#pragma GCC unroll 8
      for (int64_t row = 0; row < rows; ++row) to[row * width + column] = from[row * step];
    }
  };
  if (rows == kMost && step == 1) load(kMost, 1);
  else if (rows == kMost && step == -1) load(kMost, -1);
  else load(rows, step);
}

template <class Word> void store_row(Word* to, int64_t stride, const Word* from, int64_t count) {
  if (stride == 1) {
    std::memcpy(to, from, count * sizeof(Word));
  } else {
    int64_t i = 0;
    for (; i + 4 <= count; i += 4, to += 4 * stride) {
      const Word a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
      to[0] = a, to[stride] = b, to[2 * stride] = c, to[3 * stride] = d;
    }
    for (; i < count; ++i, to += stride) *to = from[i];
  }
}

}  // namespace gpy::rt
