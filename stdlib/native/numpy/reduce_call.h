#pragma once
// The arguments that all reductions share, read and run.

#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

struct ReduceCall {
  rt::Array array;
  rt::ReduceOptions options = {};
  Value out = {};
  std::optional<rt::Operand> where = {};

  void read_axes(Interpreter& vm, const Value& axis) { options.axes = to_axes(vm, axis); }
  void read_dtype(Interpreter& vm, const Value& dtype) { options.dtype = to_optional_dtype(vm, dtype); }
  void read_initial(Interpreter& vm, const Value& initial);
  void read_where(Interpreter& vm, const Value& mask, const Namespace& names);

  // A row of the table of reductions.
  Value run(Interpreter& vm, std::string_view reduction);
  // Of a ufunc that has no row: one element after another, along one axis.
  Value fold(Interpreter& vm, const rt::Ufunc& ufunc);

  const rt::ReduceOptions& prepared();
};

}  // namespace gpy::lib
