// Running sums and products.
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// (a, axis, dtype, out)
template <const char* kName>
Value scanned(Interpreter& vm, const Args& args, const rt::Array& array) {
  const Ndarray* out = to_out(vm, args[3]);
  rt::Array result = rt::accumulate(session(vm), kName, array, to_axis(vm, args[1]),
                                    to_optional_dtype(vm, args[2]), out ? &out->array : nullptr);
  return out ? args[3] : wrap_array(vm, std::move(result));
}

template <const char* kName> Value scan(Interpreter& vm, Args args) {
  return scanned<kName>(vm, args, array_argument(vm, args));
}

// As scan, with nan taken for `kFill`.
template <const char* kName, int kFill> Value nan_scan(Interpreter& vm, Args args) {
  rt::Array array = array_argument(vm, args);
  if (rt::is_inexact(array.dtype())) {
    array = ops::where(vm, ops::isnan(vm, array), rt::Scalar::weak(int64_t{kFill}), array);
  }
  return scanned<kName>(vm, args, array);
}

constexpr char kAdd[] = "add";
constexpr char kMultiply[] = "multiply";
constexpr const char* kSignature = "(a, axis=None, dtype=None, out=None)";
constexpr const char* kMethodSignature = "(self, axis=None, dtype=None, out=None)";

const Native kFunctions[] = {
    {"cumsum", kSignature, scan<kAdd>, "Running sums along an axis."},
    {"cumprod", kSignature, scan<kMultiply>, "Running products along an axis."},
    {"nancumsum", kSignature, nan_scan<kAdd, 0>, "Running sums, nan taken as 0."},
    {"nancumprod", kSignature, nan_scan<kMultiply, 1>, "Running products, nan taken as 1."},
};
const Native kMethods[] = {
    {"cumsum", kMethodSignature, scan<kAdd>, "Running sums along an axis."},
    {"cumprod", kMethodSignature, scan<kMultiply>, "Running products along an axis."},
};

}  // namespace

Family scan_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
