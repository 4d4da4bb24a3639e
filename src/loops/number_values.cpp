#include "src/loops/number_values.h"

#include "src/array/convert.h"
#include "src/kernel/typed_arguments.h"

namespace gpy {

using rt::DType;
using rt::Weak;

namespace {

bool is_computed(DType dtype) { return dtype.is_native() && !rt::is_narrow_float(dtype); }

}  // namespace

std::optional<TypedType> type_of_value(Interpreter& vm, const Value& value) {
  if (value.is_boolean()) return kPythonBool;
  if (value.is_integer()) return kPythonInt;
  if (value.is_real()) return kPythonFloat;
  if (value.is_undefined() || !value.is_object()) return std::nullopt;
  if (vm.is_exactly(vm.types.complex, value)) return kPythonComplex;
  if (const Generic* number = as_generic(value)) {
    if (number->pending() || !is_computed(number->dtype())) return std::nullopt;
    return TypedType::number(number->dtype());
  }
  const Ndarray* array = as_ndarray(value);
  if (!array || !vm.is_exactly(arrays(vm).numpy_array, value)) return std::nullopt;
  if (!array->array.space().is_host() || !is_computed(array->array.dtype())) return std::nullopt;
  if (array->array.rank() == 0) return std::nullopt;
  return try_typed_argument(vm, Dialect::kLanguage, value)->type;
}

rt::Scalar number_of_value(const Value& value) {
  if (value.is_boolean()) return rt::Scalar(value.as_boolean());
  if (value.is_integer()) return rt::Scalar::weak(value.as_integer());
  if (value.is_real()) return rt::Scalar::weak(value.as_real());
  if (const Complex* number = value.try_as<Complex>())
    return rt::Scalar::weak(std::complex<double>(number->real, number->imag));
  return as_generic(value)->ready_number();
}

Value number_value(Interpreter& vm, const TypedType& type, const rt::Scalar& number,
                   bool is_numpys) {
  const bool python = type.either ? !is_numpys : type.weak != Weak::kNo;
  if (!python) return wrap_scalar(vm, number.cast(type.dtype));
  if (type.dtype == DType::kBool) return Value::boolean(number.truth());
  if (type.dtype == DType::kInt64) return Value::integer(number.as_int());
  if (type.dtype == DType::kFloat64) return Value::real(number.as_double());
  return vm.complex(number.as_complex().real(), number.as_complex().imag());
}

}  // namespace gpy
