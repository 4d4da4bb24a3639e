#pragma once

// The table of elementwise operations. A row of ufuncs.def makes the CPU loops, the CUDA text, the
// type rules, the binding, the help text and the tests of one operation.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Runs one op over `count` contiguous elements. `out` may be one of the inputs.
using TileLoop = void (*)(const void* const* in, void* out, int64_t count);

struct UfuncLoop {
  std::array<DType, 3> in;
  DType out;
  TileLoop tile;
};

struct Ufunc {
  std::string_view name;
  int arity;                    // 1, 2 or 3
  std::string_view expression;  // C++ over x, y, z with T the input type, R the result type
  std::string_view doc;
  std::span<const UfuncLoop> loops;  // in NumPy's search order
  uint16_t id;                  // index into ufuncs()
};

std::span<const Ufunc> ufuncs();
const Ufunc* find_ufunc(std::string_view name);

// The tile loop that casts elements of `from` to `to`.
TileLoop cast_loop(DType from, DType to);

}  // namespace gpy::rt
