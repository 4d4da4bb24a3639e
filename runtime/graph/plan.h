#pragma once

// A plan is what a backend runs: one loop nest as pure data. It names no device, owns no memory
// and is the same for both backends; `describe` gives the text that golden tests compare.
//
// Values in a plan are registers, numbered: inputs first, then scalars, then the results of ops.
// Extents and strides are in elements, outermost dimension first, after collapsing.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/ops/reduction.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

using Register = uint16_t;
inline constexpr Register kNoRegister = 0xffff;

struct PlanInput {
  enum class Kind : uint8_t {
    kBuffer,  // element at data + sum(index * stride)
    kIota,    // the int64 number sum(index * stride): no memory
    kGather,  // memory read by ops of kind kGather, never loaded by itself
  };
  Kind kind = Kind::kBuffer;
  DType dtype = DType::kFloat64;
  Dims strides;  // one per extent; 0 broadcasts
};

struct PlanOp {
  enum class Kind : uint8_t {
    kUfunc,   // ufuncs()[ufunc].loops[loop] on args
    kCast,    // args[0], as C casts except where NumPy documents otherwise
    kGather,  // inputs[input] at data + sum(index * stride) + args[0] (int64, in elements)
  };
  Kind kind = Kind::kUfunc;
  uint16_t ufunc = 0;
  uint16_t loop = 0;
  uint16_t input = 0;            // kGather
  DType from = DType::kFloat64;  // kCast
  DType dtype = DType::kFloat64;
  std::array<Register, 3> args = {kNoRegister, kNoRegister, kNoRegister};
};

struct PlanOutput {
  Register value = 0;
  DType dtype = DType::kFloat64;
  Dims strides;                  // one per extent
  Register index = kNoRegister;  // scatter: int64 elements added to the address
};

// The loop nest's last `extents.size() - kept` dimensions are reduced into one output.
//
// The tree depends on shape and dtype alone, never on layout, fusion, cores or launch. On the CPU
// it is NumPy's order for C-ordered data: the reduced elements, in C order, form runs of `run`
// elements; a run is summed pairwise (NumPy's 8 accumulators, blocks of 128), the runs are added
// one after another.
struct PlanReduction {
  uint16_t reduction = 0;  // reductions()[reduction].loops[loop]
  uint16_t loop = 0;
  int kept = 0;
  int64_t run = 1;
  bool scan = false;  // accumulate: kept = extents.size() - 1, and one output an element
  Register value = 0;
  DType dtype = DType::kFloat64;  // of the output
  Dims strides;                   // of the output: `kept` of them, or one per extent for a scan
};

struct Plan {
  Dims extents;
  std::vector<PlanInput> inputs;
  std::vector<DType> scalars;
  std::vector<PlanOp> ops;
  std::vector<PlanOutput> outputs;
  std::optional<PlanReduction> reduction;

  int64_t count() const;  // elements of the loop nest
  DType dtype_of(Register value) const;
  std::string describe() const;
};

// The memory of a plan's data for one run. Pointers are to element 0 of each input or output, in
// the backend's memory; the reduction's output comes last. Scalars are stored as their dtype.
struct Bindings {
  std::vector<const void*> inputs;
  std::vector<std::array<std::byte, 16>> scalars;
  std::vector<void*> outputs;
};

// Floating-point flags an op raised (FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INVALID), one
// entry per op of the plan, the reduction's last. Backends without flags leave it empty.
struct RunReport {
  std::vector<int> flags;
};

}  // namespace gpy::rt
