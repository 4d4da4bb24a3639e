#include "runtime/cpu/algorithms/select.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

constexpr int64_t kPiece = 1 << 18;

// Writes every element and steps on past those that are set: no branch to guess. The last set one
// ends the walk, so that nothing is written behind the end of `out`.
template <class T, class ElementAt>
void compact(const uint8_t* flags, int64_t count, T* out, ElementAt element_at) {
  while (count > 0 && !flags[count - 1]) --count;
  for (int64_t from = 0; from < count; from += kPiece) {
    poll_interrupt();
    for (int64_t i = from, to = std::min(count, from + kPiece); i < to; ++i) {
      *out = element_at(i);
      out += flags[i] != 0;
    }
  }
}

template <class T>
void compact_elements(const uint8_t* flags, int64_t count, const void* elements, void* out) {
  const T* from = static_cast<const T*>(elements);
  compact(flags, count, static_cast<T*>(out), [from](int64_t i) { return from[i]; });
}

struct Sixteen {
  uint64_t low, high;
};

}  // namespace

// The lowest bit of each byte: set if the byte is not 0.
static uint64_t set_bytes(uint64_t eight) {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7full, kOnes = 0x0101010101010101ull;
  return (((eight & kLow) + kLow) | eight) >> 7 & kOnes;
}

static int64_t count_piece(const uint8_t* flags, int64_t count) {
  int64_t total = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, flags + i, 8);
    total += static_cast<int64_t>((set_bytes(eight) * 0x0101010101010101ull) >> 56);
  }
  for (; i < count; ++i) total += flags[i] != 0;
  return total;
}

int64_t count_set(const uint8_t* flags, int64_t count) {
  int64_t total = 0;
  for (int64_t from = 0; from < count; from += kPiece) {
    poll_interrupt();
    total += count_piece(flags + from, std::min(count - from, kPiece));
  }
  return total;
}

void positions_set(const uint8_t* flags, int64_t count, int64_t* out) {
  compact(flags, count, out, [](int64_t i) { return i; });
}

void select_set(const uint8_t* flags, int64_t count, const void* elements, int64_t size,
                void* out) {
  switch (size) {
    case 1: return compact_elements<uint8_t>(flags, count, elements, out);
    case 2: return compact_elements<uint16_t>(flags, count, elements, out);
    case 4: return compact_elements<uint32_t>(flags, count, elements, out);
    case 8: return compact_elements<uint64_t>(flags, count, elements, out);
    case 16: return compact_elements<Sixteen>(flags, count, elements, out);
    default: break;
  }
  const std::byte* from = static_cast<const std::byte*>(elements);
  std::byte* to = static_cast<std::byte*>(out);
  for_each_polled(count, [&](int64_t i) {
    if (!flags[i]) return;
    std::memcpy(to, from + i * size, size);
    to += size;
  });
}

}  // namespace gpy::rt
