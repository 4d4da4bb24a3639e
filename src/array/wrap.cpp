// The runtime's arrays as values of the language.
#include <cstring>

#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "src/array/convert.h"

namespace gpy {

void Generic::settle(rt::Session& session) {
  number_ = rt::item(session, *pending_).cast(pending_->dtype());
  pending_.reset();
}

rt::Operand Generic::operand() const {
  return pending_ ? rt::Operand(*pending_) : rt::Operand(number_);
}

rt::Array Generic::array(rt::Session& session) const {
  if (pending_) return pending_->as_array();
  return rt::full(session, {}, number_, number_.dtype(), rt::Space::host());
}

Value wrap_array(Interpreter& vm, rt::Array array) {
  Type* type = arrays(vm).array_type(array.space());
  return vm.make<Ndarray>(type, array.is_scalar() ? array.as_array() : std::move(array));
}

Value wrap_view(Interpreter& vm, rt::Array array, const Value& owner) {
  Type* type = arrays(vm).array_type(array.space());
  const Ndarray* from = as_ndarray(owner);
  const bool shares = from && from->array.storage_ref() == array.storage_ref();
  if (!shares) return vm.make<Ndarray>(type, std::move(array));
  return vm.make<Ndarray>(type, std::move(array), from->owner.is_none() ? owner : from->owner);
}

Value wrap_result(Interpreter& vm, rt::Array array) {
  if (array.rank() != 0 || !array.space().is_host()) return wrap_array(vm, std::move(array));
  Arrays& state = arrays(vm);
  if (!array.value()->pending()) return wrap_scalar(vm, rt::item(state, array).cast(array.dtype()));
  Type* type = state.scalars[array.dtype().index()];
  return vm.make<Generic>(type, array.as_scalar());
}

Value wrap_boolean(Interpreter& vm, bool truth) {
  return Value(static_cast<Object*>(arrays(vm).booleans[truth]));
}

Value wrap_float64(Interpreter& vm, double number) {
  return vm.make<Generic>(arrays(vm).scalars[rt::DType::kFloat64.index()],
                          rt::Scalar::strong(number));
}

Value wrap_int64(Interpreter& vm, int64_t number) {
  return vm.make<Generic>(arrays(vm).scalars[rt::DType::kInt64.index()],
                          rt::Scalar::strong(number));
}

Value wrap_scalar(Interpreter& vm, const rt::Scalar& number) {
  if (number.dtype() == rt::DType::kBool) return wrap_boolean(vm, number.truth());
  return vm.make<Generic>(arrays(vm).scalars[number.dtype().index()], number.cast(number.dtype()));
}

template <class T> static T read_as(const std::byte* element) {
  T number;
  std::memcpy(&number, element, sizeof number);
  return number;
}

Value wrap_element(Interpreter& vm, rt::DType dtype, const std::byte* element) {
  if (dtype == rt::DType::kFloat64) return wrap_float64(vm, read_as<double>(element));
  if (dtype == rt::DType::kInt64) return wrap_int64(vm, read_as<int64_t>(element));
  return wrap_scalar(vm, rt::Scalar::load(dtype, element));
}

Value wrap_dtype(Interpreter& vm, rt::DType dtype) {
  const Arrays& state = arrays(vm);
  if (dtype.is_native()) return Value(static_cast<Object*>(state.dtypes[dtype.index()]));
  return vm.make<DTypeObject>(state.dtype_types[dtype.index()], dtype);
}

Value python_number(Interpreter& vm, const rt::Scalar& number) {
  switch (rt::kind(number.dtype())) {
    case rt::DTypeKind::kBool: return Value::boolean(number.truth());
    case rt::DTypeKind::kSigned: return Value::integer(number.as_int());
    case rt::DTypeKind::kUnsigned: return vm.unsigned_integer(number.as_unsigned());
    case rt::DTypeKind::kFloat: return Value::real(number.as_double());
    case rt::DTypeKind::kComplex: break;
  }
  const std::complex<double> z = number.as_complex();
  return vm.complex(z.real(), z.imag());
}

}  // namespace gpy
