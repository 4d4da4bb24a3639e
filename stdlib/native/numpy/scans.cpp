// Running sums and products.
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

template <rt::Fold kFold>
Value scan(Interpreter& vm, const rt::Array& array, Axis axis, std::optional<rt::DType> dtype,
           const Value& out) {
  if (dtype) warn_of_lost_parts(vm, array.dtype(), *dtype);
  const Ndarray* target = to_out(vm, out);
  rt::Array result =
      rt::accumulate(session(vm), kFold, array, axis, dtype, target ? &target->array : nullptr);
  return target ? out : wrap_array(vm, std::move(result));
}

constexpr const char* kSignature = "(a, axis=None, dtype=None, out=None)";
constexpr const char* kMethodSignature = "(self, axis=None, dtype=None, out=None)";

const Native kFunctions[] = {
    {"cumsum", kSignature, typed<scan<rt::Fold::add>>, "Running sums along an axis."},
    {"cumprod", kSignature, typed<scan<rt::Fold::multiply>>, "Running products along an axis."},
};
const Native kMethods[] = {
    {"cumsum", kMethodSignature, typed<scan<rt::Fold::add>>, "Running sums along an axis."},
    {"cumprod", kMethodSignature, typed<scan<rt::Fold::multiply>>,
     "Running products along an axis."},
};

}  // namespace

Family scan_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
