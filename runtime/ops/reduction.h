#pragma once

// The table of reductions and scans: identity, combine, finish, a row of reductions.def each.

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/core/scalar.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

// The rows of reductions.def by their C++ names.
enum class Fold : uint16_t {
#define REDUCTION(name, ...) name,
#include "runtime/ops/reductions.def"
};

struct ReductionLoop {
  DType in;  // what the reduced register must be
  DType out;
};

struct Reduction {
  std::string_view
      name;  // "add", "maximum", "argmax", "any", ...: a ufunc's name where it is one's reduce
  bool has_identity;  // else reducing nothing is a ValueError
  bool scans;         // has an accumulate
  bool widens;        // small integers and bools accumulate in the machine's int
  bool is_arg;        // the output is an index among the reduced elements, in C order
  std::span<const ReductionLoop> loops;
  uint16_t id;         // index into reductions()
  const Ufunc* ufunc;  // whose reduce it is; null of argmax and kin

  // The row's C++, read by the host compiler and by NVRTC, over support.h with T the type of the
  // reduced register and R the result's. A is the accumulator's type, at most 32 bytes and trivial.
  std::string_view accumulator;  // A, as "T", "i64" or "Indexed<T>"
  std::string_view identity;     // an A that changes nothing; also where `has_identity` is false
  std::string_view lift;         // x (a T), i (an i64, which of the reduced elements it is) -> A
  std::string_view combine;      // a, b (both A, a's elements first) -> A
  std::string_view finish;       // a -> R
};

std::span<const Reduction> reductions();
inline const Reduction& reduction(Fold fold) { return reductions()[static_cast<size_t>(fold)]; }
// A ufunc's reduce; null where it has no row.
const Reduction* reduction_of(const Ufunc& ufunc);

// The result of a loop's reduction of nothing, of its `out` type. Its row must have an identity.
Scalar identity_of(const Reduction& reduction, int loop);

}  // namespace gpy::rt
