#pragma once
// The arguments that all reductions share, read and run.

#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

// A `dtype=` argument that chooses a ufunc's loop. TypeError for one of the other byte order.
void check_loop_dtype(std::optional<rt::DType> dtype);
std::optional<rt::DType> to_loop_dtype(Interpreter& vm, const Value& dtype);

rt::ReduceOptions reduce_options(const Axes& axis, std::optional<rt::DType> dtype,
                                 KeepDims keepdims);

struct ReduceCall {
  rt::Array array;
  rt::ReduceOptions options = {};
  Value out = {};
  std::optional<rt::Operand> where = {};
  Value initial = {};  // as it was given; its conversion depends on the dtype

  void read_axes(Interpreter& vm, const Value& axis) { options.axes = to_axes(vm, axis); }
  void read_dtype(Interpreter& vm, const Value& dtype) { options.dtype = to_loop_dtype(vm, dtype); }
  void read_where(Interpreter& vm, const Value& mask, const Namespace& names);

  // Runs a row of the table of reductions.
  Value run(Interpreter& vm, const rt::Reduction& reduction);
  Value run(Interpreter& vm, rt::Fold fold) { return run(vm, rt::reduction(fold)); }
  Value mean(Interpreter& vm);
  Value spread(Interpreter& vm, double ddof, bool root, const rt::Array* known_mean = nullptr);
  // Folds with a ufunc that has no row, one element after another.
  Value fold(Interpreter& vm, const rt::Ufunc& ufunc);
  rt::DType fold_type(Interpreter& vm, const rt::Ufunc& ufunc);
  rt::Array folded(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& from, int axis);

  // Folds into `total` the elements of `from` that `where` takes.
  rt::Array folded_where(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& from, int axis,
                         rt::Array total);

  const rt::ReduceOptions& prepared();
  // Warns where complex elements lose their imaginary parts on the way to `dtype` or `out`.
  void warn_of_lost_parts(Interpreter& vm, rt::DType result) const;

 private:
  // `initial` must be a number that `dtype` holds.
  void read_initial(Interpreter& vm, rt::DType dtype);
};

// Raises where a ufunc's result cannot be its next argument.
void require_foldable(Interpreter& vm, const rt::Ufunc& ufunc, rt::DType dtype);

// The ufunc applied to each slice along an axis and the result of all before it.
std::vector<rt::Array> running(Interpreter& vm, const rt::Ufunc& ufunc, const rt::Array& array,
                               int axis);

}  // namespace gpy::lib
