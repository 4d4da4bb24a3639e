#include "runtime/host_kernel/nan_bits.h"

#include <cstdint>
#include <cstring>

namespace gpy::rt {
namespace {

// `infinity`: the bits of the positive one. What is greater, without its sign, is a NaN.
template <class Bits> bool any_above(const std::byte* at, size_t bytes, Bits infinity) {
  const Bits magnitude = static_cast<Bits>(~Bits{0}) >> 1;
  for (size_t i = 0; i + sizeof(Bits) <= bytes; i += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, at + i, sizeof(bits));
    if ((bits & magnitude) > infinity) return true;
  }
  return false;
}

}  // namespace

bool holds_nan(DType dtype, const std::byte* at, size_t bytes) {
  if (!is_inexact(dtype)) return false;
  const DType part = is_complex(dtype) ? real_type(dtype) : dtype;
  if (part == DType::kFloat16) return any_above<uint16_t>(at, bytes, 0x7c00);
  if (part == DType::kBFloat16) return any_above<uint16_t>(at, bytes, 0x7f80);
  if (part == DType::kFloat32) return any_above<uint32_t>(at, bytes, 0x7f800000);
  return any_above<uint64_t>(at, bytes, 0x7ff0000000000000);
}

}  // namespace gpy::rt
