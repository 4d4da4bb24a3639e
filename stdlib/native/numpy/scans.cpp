// Running sums and products.
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

template <rt::Fold kFold>
Value scan(Interpreter& vm, const rt::Array& array, Axis axis, std::optional<rt::DType> dtype,
           const Value& out) {
  const Ndarray* target = to_out(vm, out);
  rt::Array result =
      rt::accumulate(session(vm), kFold, array, axis, dtype, target ? &target->array : nullptr);
  return target ? out : wrap_array(vm, std::move(result));
}

// Like scan, with nan replaced by `kFill`.
template <rt::Fold kFold, int kFill>
Value nan_scan(Interpreter& vm, rt::Array array, Axis axis, std::optional<rt::DType> dtype,
               const Value& out) {
  if (rt::is_inexact(array.dtype())) {
    array = ops::where(vm, ops::isnan(vm, array), rt::Scalar::weak(int64_t{kFill}), array);
  }
  return scan<kFold>(vm, array, axis, dtype, out);
}

constexpr const char* kSignature = "(a, axis=None, dtype=None, out=None)";
constexpr const char* kMethodSignature = "(self, axis=None, dtype=None, out=None)";

const Native kFunctions[] = {
    {"cumsum", kSignature, typed<scan<rt::Fold::add>>, "Running sums along an axis."},
    {"cumprod", kSignature, typed<scan<rt::Fold::multiply>>, "Running products along an axis."},
    {"nancumsum", kSignature, typed<nan_scan<rt::Fold::add, 0>>, "Running sums, nan taken as 0."},
    {"nancumprod", kSignature, typed<nan_scan<rt::Fold::multiply, 1>>,
     "Running products, nan taken as 1."},
};
const Native kMethods[] = {
    {"cumsum", kMethodSignature, typed<scan<rt::Fold::add>>, "Running sums along an axis."},
    {"cumprod", kMethodSignature, typed<scan<rt::Fold::multiply>>,
     "Running products along an axis."},
};

}  // namespace

Family scan_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
