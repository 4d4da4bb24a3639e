#pragma once

// What calls of LAPACK have in common. Fortran passes everything by address.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "runtime/core/dtype.h"
#include "runtime/core/error.h"

namespace gpy::rt {

inline int checked_int(int64_t value) {
  if (value > std::numeric_limits<int>::max()) {
    fail(ErrorKind::kValue, "linalg: an extent of {} is more than the library takes", value);
  }
  return static_cast<int>(value);
}

inline std::byte* at(void* data, int64_t elements, DType dtype) {
  return static_cast<std::byte*>(data) + elements * item_size(dtype);
}
inline const std::byte* at(const void* data, int64_t elements, DType dtype) {
  return static_cast<const std::byte*>(data) + elements * item_size(dtype);
}

// A number of any of the four types, as the libraries read it.
struct LapackNumber {
  alignas(16) std::byte bytes[16] = {};
  LapackNumber(DType dtype, double value) {
    const float narrow = static_cast<float>(value);
    if (real_type(dtype) == DType::kFloat32) {
      std::memcpy(bytes, &narrow, sizeof(narrow));
    } else {
      std::memcpy(bytes, &value, sizeof(value));
    }
  }
};

// The size that a workspace query answered with.
inline int workspace_size(DType dtype, const LapackNumber& answer) {
  double size;
  float narrow;
  std::memcpy(&size, answer.bytes, sizeof(size));
  std::memcpy(&narrow, answer.bytes, sizeof(narrow));
  if (real_type(dtype) == DType::kFloat32) size = narrow;
  return std::max(1, static_cast<int>(size));
}

// Checks routines that fail only by a wrong argument, which would be our bug.
inline void need_done(const char* routine, int info) {
  if (info != 0) fail(ErrorKind::kRuntime, "LAPACK: {} gave info {}", routine, info);
}

}  // namespace gpy::rt
