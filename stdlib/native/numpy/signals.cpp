// Convolution in one dimension, and interpolation.
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "stdlib/native/numpy/modes.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

rt::ConvolveMode to_convolve_mode(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "mode");
  if (text == "full") return rt::ConvolveMode::kFull;
  if (text == "same") return rt::ConvolveMode::kSame;
  if (text == "valid") return rt::ConvolveMode::kValid;
  vm.raise_value_error("mode must be one of 'valid', 'same', or 'full' (got '{}')", text);
}

namespace {

rt::Array vector_argument(Interpreter& vm, const Args& args, size_t i, const char* name) {
  rt::Array array = array_argument(vm, args, i);
  const int64_t first[] = {0};
  if (array.rank() == 0) array = rt::expand_dims(array, first);
  if (array.rank() > 1) vm.raise_value_error("object too deep for desired array");
  if (array.size() == 0) vm.raise_value_error("{} cannot be empty", name);
  return array;
}

Value convolve(Interpreter& vm, Args args) {
  const rt::Array a = vector_argument(vm, args, 0, "a");
  const rt::Array v = vector_argument(vm, args, 1, "v");
  return wrap_array(vm, rt::convolve(session(vm), a, v, to_convolve_mode(vm, args[2])));
}

Value correlate(Interpreter& vm, Args args) {
  const rt::Array a = vector_argument(vm, args, 0, "a");
  rt::Array v = vector_argument(vm, args, 1, "v");
  const int64_t axes[] = {0};
  v = rt::flip(v, axes);
  if (rt::is_complex(v.dtype())) v = apply(vm, "conjugate", {v});
  return wrap_array(vm, rt::convolve(session(vm), a, v, to_convolve_mode(vm, args[2])));
}

rt::Array picked(Interpreter& vm, const rt::Array& row, const rt::Array& at) {
  return rt::get_items(session(vm), row, std::vector<rt::IndexItem>{at});
}

rt::Array end_of(Interpreter& vm, const rt::Array& row, int64_t at) {
  return rt::get_items(session(vm), row, std::vector<rt::IndexItem>{at});
}

// (x, xp, fp, left, right): linear between points whose xp increase.
Value interp(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  const Namespace& names = namespace_or_numpy(args);
  const rt::Array x = rt::astype(state, array_argument(vm, args, 0), rt::DType::kFloat64, rt::Casting::kUnsafe, false);
  const rt::Array xp = rt::astype(state, array_argument(vm, args, 1), rt::DType::kFloat64, rt::Casting::kUnsafe, false);
  const rt::Array fp = rt::astype(state, array_argument(vm, args, 2), rt::DType::kFloat64, rt::Casting::kUnsafe, false);
  if (xp.size() == 0) vm.raise_value_error("array of sample points is empty");
  if (xp.size() != fp.size()) vm.raise_value_error("fp and xp are not of the same length.");
  const rt::Operand left = is_given(args[3]) ? to_operand(vm, args[3], names) : rt::Operand(end_of(vm, fp, 0));
  const rt::Operand right = is_given(args[4]) ? to_operand(vm, args[4], names) : rt::Operand(end_of(vm, fp, -1));
  const rt::Array at = rt::searchsorted(state, xp, x, true);
  const rt::Scalar last = rt::Scalar::weak(std::max<int64_t>(xp.size() - 2, 0));
  const rt::Array low = apply(vm, "clip", {apply(vm, "subtract", {at, rt::Scalar::weak(int64_t{1})}), rt::Scalar::weak(int64_t{0}), last});
  const rt::Scalar step = rt::Scalar::weak(int64_t{xp.size() > 1 ? 1 : 0});
  const rt::Array high = apply(vm, "add", {low, step});
  const rt::Array x0 = picked(vm, xp, low), f0 = picked(vm, fp, low);
  const rt::Array rise = apply(vm, "subtract", {picked(vm, fp, high), f0});
  const rt::Array run = apply(vm, "subtract", {picked(vm, xp, high), x0});
  const rt::Array slope = apply(vm, "divide", {rise, run});
  rt::Array result = apply(vm, "add", {apply(vm, "multiply", {slope, apply(vm, "subtract", {x, x0})}), f0});
  result = apply(vm, "where", {apply(vm, "equal", {x, end_of(vm, xp, -1)}), end_of(vm, fp, -1), result});
  result = apply(vm, "where", {apply(vm, "less", {x, end_of(vm, xp, 0)}), left, result});
  result = apply(vm, "where", {apply(vm, "greater", {x, end_of(vm, xp, -1)}), right, result});
  return wrap_result(vm, result);
}

const Native kFunctions[] = {
    {"convolve", "(a, v, mode='full')", convolve, "The convolution of two vectors."},
    {"correlate", "(a, v, mode='valid')", correlate, "The cross-correlation of two vectors."},
    {"interp", "(x, xp, fp, left=None, right=None)", interp, "Values between points, linearly."},
};

}  // namespace

Family signal_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
