#include "stdlib/native/numpy/int64_argument.h"

#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/errors.h"
#include "src/array/nested.h"

namespace gpy::lib {

rt::Array cast_to_int64(Interpreter& vm, const rt::Array& array, rt::Casting casting) {
  if (!rt::can_cast(array.dtype(), rt::DType::kInt64, casting)) {
    vm.raise_type_error(
        "Cannot cast {} from dtype('{}') to dtype('int64') according to the rule '{}'",
        array.rank() == 0 ? "scalar" : "array data", rt::name(array.dtype()), rt::name(casting));
  }
  return rt::astype(session(vm), array, rt::DType::kInt64, rt::Casting::kUnsafe, false);
}

rt::Array int64_argument(Interpreter& vm, const Value& value, rt::Space space,
                         rt::Casting casting) {
  const Ndarray* given = as_ndarray(value);
  if (!given) return array_from_nested(vm, value, rt::DType::kInt64, space);
  const rt::Array array = cast_to_int64(vm, given->array, casting);
  if (space.is_host() && array.space().is_device()) raise_implicit_conversion(vm);
  return array.space().is_host() ? rt::to_space(session(vm), array, space) : array;
}

}  // namespace gpy::lib
