// Running sums and products.
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

template <const char* kName>
Value scan(Interpreter& vm, const rt::Array& array, Axis axis, std::optional<rt::DType> dtype,
           const Value& out) {
  const Ndarray* target = to_out(vm, out);
  rt::Array result =
      rt::accumulate(session(vm), kName, array, axis, dtype, target ? &target->array : nullptr);
  return target ? out : wrap_array(vm, std::move(result));
}

// As scan, with nan taken for `kFill`.
template <const char* kName, int kFill>
Value nan_scan(Interpreter& vm, rt::Array array, Axis axis, std::optional<rt::DType> dtype,
               const Value& out) {
  if (rt::is_inexact(array.dtype())) {
    array = ops::where(vm, ops::isnan(vm, array), rt::Scalar::weak(int64_t{kFill}), array);
  }
  return scan<kName>(vm, array, axis, dtype, out);
}

constexpr char kAdd[] = "add";
constexpr char kMultiply[] = "multiply";
constexpr const char* kSignature = "(a, axis=None, dtype=None, out=None)";
constexpr const char* kMethodSignature = "(self, axis=None, dtype=None, out=None)";

const Native kFunctions[] = {
    {"cumsum", kSignature, typed<scan<kAdd>>, "Running sums along an axis."},
    {"cumprod", kSignature, typed<scan<kMultiply>>, "Running products along an axis."},
    {"nancumsum", kSignature, typed<nan_scan<kAdd, 0>>, "Running sums, nan taken as 0."},
    {"nancumprod", kSignature, typed<nan_scan<kMultiply, 1>>, "Running products, nan taken as 1."},
};
const Native kMethods[] = {
    {"cumsum", kMethodSignature, typed<scan<kAdd>>, "Running sums along an axis."},
    {"cumprod", kMethodSignature, typed<scan<kMultiply>>, "Running products along an axis."},
};

}  // namespace

Family scan_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
