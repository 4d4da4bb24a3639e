#include "src/array/convert.h"

#include <cmath>
#include <limits>

#include "runtime/ops/create.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/array/object_arrays.h"
#include "src/array/sequence_objects.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"

namespace gpy {

bool is_beyond_64_bits(const Int& number) {
  return number.value < std::numeric_limits<int64_t>::min() ||
         number.value > std::numeric_limits<uint64_t>::max();
}

// An int beyond int64, or one of a class over int, which is no weak number but an element of the
// widest type, whatever its size.
static rt::Scalar big_number(Interpreter& vm, const Value& value) {
  const Int& number = *value.as<Int>();
  const bool is_plain = number.type == vm.types.integer;
  if (!is_plain && number.value >= std::numeric_limits<int64_t>::min() &&
      number.value <= std::numeric_limits<int64_t>::max()) {
    return rt::Scalar::strong(static_cast<int64_t>(number.value));
  }
  if (!is_beyond_64_bits(number)) {
    const auto value64 = static_cast<uint64_t>(number.value);
    return is_plain ? rt::Scalar::weak_unsigned(value64)
                    : rt::Scalar::weak_unsigned(value64).cast(rt::DType::kUInt64);
  }
  vm.raise_overflow_error("Python int too large to convert to C long");
}

std::optional<rt::Scalar> try_number(Interpreter& vm, const Value& value) {
  switch (value.tag()) {
    case Tag::boolean: return rt::Scalar(value.as_boolean());
    case Tag::integer: return rt::Scalar::weak(value.as_integer());
    case Tag::real: return rt::Scalar::weak(value.as_real());
    case Tag::object: break;
    default: return std::nullopt;
  }
  if (Generic* scalar = as_generic(value)) return scalar->number(session(vm));
  if (const Complex* z = value.try_as<Complex>()) {
    return rt::Scalar::weak(std::complex<double>(z->real, z->imag));
  }
  if (value.is<Int>()) return big_number(vm, value);
  return std::nullopt;
}

std::optional<rt::Scalar> try_number_for(Interpreter& vm, const Value& value, rt::DType dtype) {
  const Int* big = value.try_as<Int>();
  if (!big || !is_beyond_64_bits(*big) || rt::is_integer(dtype)) return try_number(vm, value);
  if (dtype == rt::DType::kBool) return rt::Scalar(true);
  return rt::Scalar::weak(int_to_real(vm, value));
}

Value number_for(Interpreter& vm, const Value& object, rt::DType dtype) {
  if (dtype == rt::DType::kBool) return Value::boolean(vm.truth(object));
  if (rt::is_integer(dtype)) return vm.call(Value(vm.types.integer), {object});
  if (rt::is_float(dtype)) return vm.call(Value(vm.types.real), {object});
  if (object.is<Str>() || vm.type_of(object)->slots.to_complex) {
    return vm.call(Value(vm.types.complex), {object});
  }
  return Value::real(vm.to_real(object));
}

Value plain_element(Interpreter& vm, const Value& item, rt::DType dtype) {
  Generic* scalar = as_generic(item);
  if (!scalar || rt::kind(dtype) != rt::DTypeKind::kSigned || rt::is_complex(scalar->dtype())) {
    return item;
  }
  return scalar->pending() ? item : python_number(vm, scalar->number(session(vm)));
}

std::optional<rt::Operand> try_operand(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) return rt::Operand(array->array);
  if (const Generic* scalar = as_generic(value)) return scalar->operand();
  if (auto number = try_number(vm, value)) return rt::Operand(*number);
  return std::nullopt;
}

static bool is_sequence(const Value& value) {
  if (!value.is_object()) return false;
  const ObjectLayout layout = value.as_object()->layout;
  return layout == ObjectLayout::list || layout == ObjectLayout::tuple ||
         layout == ObjectLayout::range;
}

std::optional<rt::Operand> try_operand_or_sequence(Interpreter& vm, const Value& value,
                                                   rt::Space space) {
  if (is_sequence(value)) return rt::Operand(array_from_nested(vm, value, std::nullopt, space));
  if (auto operand = try_operand(vm, value)) return operand;
  if (!is_operand_object(vm, value)) return std::nullopt;
  const Value plain = plain_sequences(vm, value);
  if (plain.same(value)) return std::nullopt;
  return rt::Operand(array_from_nested(vm, plain, std::nullopt, space));
}

rt::Operand to_operand(Interpreter& vm, const Value& value, const Namespace& names) {
  if (names.is_cupy()) {
    const Ndarray* array = as_ndarray(value);
    if (array && array->array.space().is_host()) raise_unsupported_type(vm, value);
  }
  if (auto operand = try_operand(vm, value)) return *operand;
  const Value own = value.is_object() ? array_given_by(vm, value).array : Value();
  const Ndarray* given = own.is_defined() ? as_ndarray(own) : nullptr;
  if (given && given->array.space() == names.space(session(vm))) return rt::Operand(given->array);
  if (own.is_defined()) return to_operand(vm, own, names);
  return rt::Operand(array_from_nested(vm, value, std::nullopt, names.space(session(vm))));
}

rt::Array as_array(Interpreter& vm, const rt::Operand& operand, rt::Space space) {
  if (operand.is_array()) return operand.array().as_array();
  const rt::Scalar& number = operand.scalar();
  return rt::full(session(vm), {}, number, number.dtype(), space);
}

bool is_beyond_64_bits(const Value& value) {
  const Int* number = value.try_as<Int>();
  return number && is_beyond_64_bits(*number);
}

rt::Array to_array(Interpreter& vm, const Value& value, const Namespace& names) {
  if (is_beyond_64_bits(value) && !names.is_cupy()) leave_to_other_kinds(vm);
  return as_array(vm, to_operand(vm, value, names), names.space(session(vm)));
}

rt::Array array_argument(Interpreter& vm, const Args& args, size_t i) {
  return to_array(vm, args[i], namespace_or_numpy(args));
}

rt::Space fallback_space(Interpreter& vm, const Args& args) {
  const Namespace* names = namespace_of(args);
  if (names) return names->space(session(vm));
  const Ndarray* self = args.size() ? as_ndarray(args[0]) : nullptr;
  return self ? self->array.space() : rt::Space::host();
}

std::optional<rt::DType> dtype_of_value(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) return array->array.dtype();
  if (const Generic* scalar = as_generic(value)) return scalar->dtype();
  if (auto number = try_number(vm, value)) return number->dtype();
  return std::nullopt;
}

static void check_integer(Interpreter& vm, const rt::Scalar& number, rt::DType dtype) {
  const int bits = static_cast<int>(rt::item_size(dtype)) * 8;
  const bool is_unsigned = rt::kind(dtype) == rt::DTypeKind::kUnsigned;
  const uint64_t high = ~uint64_t{0} >> (is_unsigned ? 64 - bits : 65 - bits);
  const int64_t low = is_unsigned ? 0 : -static_cast<int64_t>(high) - 1;
  const bool huge = number.dtype() == rt::DType::kUInt64;
  const bool fits =
      huge ? number.as_unsigned() <= high
           : number.as_int() >= low &&
                 (number.as_int() < 0 || static_cast<uint64_t>(number.as_int()) <= high);
  if (fits) return;
  vm.raise_overflow_error(
      "Python integer {} out of bounds for {}",
      huge ? std::to_string(number.as_unsigned()) : std::to_string(number.as_int()),
      rt::name(dtype.native()));
}

rt::Scalar checked_cast(Interpreter& vm, const Value& value, const rt::Scalar& number,
                        rt::DType dtype) {
  const bool integer = rt::is_integer(dtype);
  if (rt::is_complex(number.dtype()) && !rt::is_complex(dtype) && dtype != rt::DType::kBool) {
    if (value.is<Complex>()) {
      vm.raise_type_error("{} must be a string{} or a real number, not 'complex'",
                          integer ? "int() argument" : "float() argument",
                          integer ? ", a bytes-like object" : "");
    }
  }
  if (integer && number.weakness() == rt::Weak::kInt) check_integer(vm, number, dtype);
  if (integer && number.weakness() == rt::Weak::kFloat) {
    const double real = number.as_double();
    if (std::isnan(real)) vm.raise_value_error("cannot convert float NaN to integer");
    if (std::isinf(real)) vm.raise_overflow_error("cannot convert float infinity to integer");
    if (real < -0x1p63 || real >= 0x1p64) {
      vm.raise_overflow_error("Python int too large to convert to C long");
    }
    const rt::Scalar whole = real < 0x1p63 ? rt::Scalar::weak(static_cast<int64_t>(real))
                                           : rt::Scalar::weak_unsigned(static_cast<uint64_t>(real));
    check_integer(vm, whole, dtype);
  }
  tell_overflowing_cast(arrays(vm), number, dtype);
  return number.cast(dtype);
}

}  // namespace gpy
