#include "runtime/cpu/algorithms/select.h"

#include <cstddef>
#include <cstring>

namespace gpy::rt {
namespace {

// Writes every element and steps on past those that are set: no branch to guess. The last set one
// ends the walk, so that nothing is written behind the end of `out`.
template <class T, class ElementAt>
void compact(const bool* flags, int64_t count, T* out, ElementAt element_at) {
  while (count > 0 && !flags[count - 1]) --count;
  for (int64_t i = 0; i < count; ++i) {
    *out = element_at(i);
    out += flags[i];
  }
}

template <class T>
void compact_elements(const bool* flags, int64_t count, const void* elements, void* out) {
  const T* from = static_cast<const T*>(elements);
  compact(flags, count, static_cast<T*>(out), [from](int64_t i) { return from[i]; });
}

struct Sixteen {
  uint64_t low, high;
};

}  // namespace

int64_t count_set(const bool* flags, int64_t count) {
  int64_t total = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, flags + i, 8);
    total += static_cast<int64_t>((eight * 0x0101010101010101ull) >> 56);
  }
  for (; i < count; ++i) total += flags[i];
  return total;
}

void positions_set(const bool* flags, int64_t count, int64_t* out) {
  compact(flags, count, out, [](int64_t i) { return i; });
}

void select_set(const bool* flags, int64_t count, const void* elements, int64_t size, void* out) {
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
  for (int64_t i = 0; i < count; ++i) {
    if (!flags[i]) continue;
    std::memcpy(to, from + i * size, size);
    to += size;
  }
}

}  // namespace gpy::rt
