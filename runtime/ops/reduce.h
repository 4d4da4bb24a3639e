#pragma once

// Checked reductions and scans.

#include <bitset>
#include <optional>
#include <span>
#include <vector>

#include "runtime/session.h"

namespace gpy::rt {

struct Reduction;

struct ReduceOptions {
  std::optional<std::vector<int64_t>> axes;  // none: all
  bool keepdims = false;
  std::optional<DType> dtype;  // what is accumulated and given
  const Array* out = nullptr;
  std::optional<Scalar> initial;
  const Operand* where = nullptr;
};

// The set of reduced axes. Throws kAxis for one beyond `rank`, kValue for one given twice.
std::bitset<kMaxRank> reduced_axes(const std::optional<std::vector<int64_t>>& axes, int rank);

// The dtype of a reduction's result, where elements have `dtype` and `wanted` is asked for.
DType reduced_type(const Reduction& reduction, DType dtype, std::optional<DType> wanted);

// A mask may stretch over the elements, but must not multiply them: kValue.
void check_mask(const Array& array, const Operand& where);

// Reduces by a row of the table. Sums and products of bool and small ints accumulate in int64 or
// uint64, as NumPy's do. Throws kValue for nothing to reduce without an identity, kAxis for wrong
// axes.
Array reduce(Session& session, const Reduction& reduction, const Array& array,
             const ReduceOptions& options);
inline Array reduce(Session& session, Fold fold, const Array& array, const ReduceOptions& options) {
  return reduce(session, reduction(fold), array, options);
}

// Reduces all elements of a small array that is ready on the host; nullopt for others, and where
// there is something to refuse.
std::optional<Scalar> try_reduce_all(Session& session, const Reduction& reduction,
                                     const Array& array);
// The mean of such an array of float64, int64 or bool.
std::optional<Scalar> try_mean_all(Session& session, const Array& array);

// argmax, argmin over one axis, or over all elements in C order.
Array arg_reduce(Session& session, const Reduction& reduction, const Array& array,
                 std::optional<int64_t> axis, bool keepdims);
inline Array arg_reduce(Session& session, Fold fold, const Array& array,
                        std::optional<int64_t> axis, bool keepdims) {
  return arg_reduce(session, reduction(fold), array, axis, keepdims);
}

// Built from sums: float64 for ints and bools, as NumPy's. `ddof` is the divisor's correction; a
// mean that is known already has axes of length 1 where it was reduced.
Array mean(Session& session, const Array& array, const ReduceOptions& options);
Array variance(Session& session, const Array& array, const ReduceOptions& options, double ddof,
               bool root, const Array* known_mean = nullptr);

// cumsum ("add"), cumprod ("multiply") and the other ufuncs' accumulate. No axis: flattened.
Array accumulate(Session& session, const Reduction& reduction, const Array& array,
                 std::optional<int64_t> axis, std::optional<DType> dtype, const Array* out);
inline Array accumulate(Session& session, Fold fold, const Array& array,
                        std::optional<int64_t> axis, std::optional<DType> dtype, const Array* out) {
  return accumulate(session, reduction(fold), array, axis, dtype, out);
}

}  // namespace gpy::rt
