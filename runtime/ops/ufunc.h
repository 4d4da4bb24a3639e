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

// The rows of ufuncs.def by their C++ names.
enum class Row : uint16_t {
#define ROW(name, ...) name,
#include "runtime/ops/ufuncs.def"
};

// Runs one op over `count` contiguous elements. `out` may be one of the inputs.
using TileLoop = void (*)(const void* const* in, void* out, int64_t count);

struct UfuncLoop {
  std::array<DType, 3> in;
  DType out;
  TileLoop tile;
  TileLoop number;  // for one element that is a number by itself; see number_loops.h
};

struct Ufunc {
  std::string_view name;
  int arity;                    // 1, 2 or 3
  std::string_view expression;  // C++ over x, y, z with T the last one's type, R the result's
  std::string_view doc;
  std::span<const UfuncLoop> loops;  // in NumPy's search order
  uint16_t id;                       // index into ufuncs()
  bool quiet;                        // its floating-point flags mean nothing
  bool refuses_bool;                 // bools alone find no loop, though they would cast to one
  bool narrow_natively;              // on narrow floats it is not float32's result rounded
  bool compares;                     // a comparison of two elements: equal, less and kin

  bool is(Row row) const { return id == static_cast<uint16_t>(row); }
};

std::span<const Ufunc> ufuncs();
inline const Ufunc& ufunc(Row row) { return ufuncs()[static_cast<size_t>(row)]; }
// Null where no row has the name. For names that a script gave; C++ names a row.
const Ufunc* find_ufunc(std::string_view name);

// The first loop that all inputs cast to safely; null where NumPy has none. One type an input.
const UfuncLoop* resolve(const Ufunc& ufunc, std::span<const DType> inputs);

// The tile loop that casts elements of `from` to `to`.
TileLoop cast_loop(DType from, DType to);

}  // namespace gpy::rt
