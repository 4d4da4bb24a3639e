#include "stdlib/native/numpy/dtypes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/text/number_text.h"
#include "runtime/ops/create.h"
#include "src/array/typed_arguments.h"
#include "src/builtins/stands_for.h"
#include "src/numbers/number.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

bool is_scalar(const Value& value) {
  return value.is<Str>() || value.is<Bytes>() || is_number(value) || as_generic(value);
}

namespace {

bool names_dtype(const Value& value) {
  return value.is<Type>() || value.is<DTypeObject>() || value.is<Str>();
}

// A type, or a value that has one, as an operand of promotion.
rt::Operand type_operand(Interpreter& vm, const Value& value) {
  if (names_dtype(value)) {
    return rt::Scalar::of(to_dtype(vm, value), int64_t{0});
  }
  return to_operand(vm, value, kNumpy);
}

Value result_type(Interpreter& vm, std::span<const Value> arrays_and_dtypes) {
  std::vector<rt::Operand> operands;
  for (const Value& item : arrays_and_dtypes) operands.push_back(type_operand(vm, item));
  if (operands.empty()) vm.raise_value_error("at least one array or dtype is required");
  return wrap_dtype(vm, rt::result_type(operands));
}

Value promote_types(Interpreter& vm, rt::DType a, rt::DType b) {
  return wrap_dtype(vm, rt::promote(a, b));
}

Value can_cast(Interpreter& vm, const Value& from, const Value& to, const Value& casting) {
  if (is_number(from)) {
    vm.raise_type_error(
        "can_cast() does not support Python ints, floats, and complex because the result used to "
        "depend "
        "on the value.\nThis change was part of adopting NEP 50, we may explicitly allow them "
        "again in "
        "the future.");
  }
  const rt::DType source =
      names_dtype(from) ? to_dtype(vm, from) : to_operand(vm, from, kNumpy).dtype();
  const rt::Casting rule = to_casting(vm, casting, rt::Casting::kSafe);
  return Value::boolean(rt::can_cast(source, to_dtype(vm, to), rule));
}

// The scalar type that an argument of issubdtype stands for.
Type* scalar_type(Interpreter& vm, const Value& value) {
  Arrays& state = arrays(vm);
  if (const Type* type = value.try_as<Type>()) {
    if (type->is_subclass_of(state.generic)) return value.as<Type>();
  }
  return state.scalars[to_dtype(vm, value).index()];
}

Value issubdtype(Interpreter& vm, const Value& below, const Value& above) {
  Type* type = scalar_type(vm, below);
  return Value::boolean(type->is_subclass_of(scalar_type(vm, above)));
}

bool is_subtype_of_any(Interpreter& vm, Type* type, std::string_view kind) {
  Arrays& state = arrays(vm);
  auto is = [&](std::string_view name) {
    for (Type* abstract : state.abstract_scalars) {
      if (abstract->name == name) return type->is_subclass_of(abstract);
    }
    return false;
  };
  if (kind == "bool") return type == state.scalars[0];
  if (kind == "signed integer") return is("signedinteger");
  if (kind == "unsigned integer") return is("unsignedinteger");
  if (kind == "integral") return is("integer");
  if (kind == "real floating") return is("floating");
  if (kind == "complex floating") return is("complexfloating");
  if (kind == "numeric") return is("number");
  vm.raise_value_error("unrecognized data type kind: '{}'", kind);
}

Value isdtype(Interpreter& vm, const Value& dtype, const Value& kind) {
  Type* type = scalar_type(vm, dtype);
  auto matches = [&](const Value& each) {
    if (each.is<Str>()) return is_subtype_of_any(vm, type, each.as<Str>()->view());
    return scalar_type(vm, each) == type;
  };
  if (!kind.is<Tuple>()) return Value::boolean(matches(kind));
  for (const Value& each : kind.as<Tuple>()->items()) {
    if (matches(each)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

Value isscalar(Interpreter& vm, const Value& element) {
  const bool is_kinds =
      element.is_object() && stands_for(vm, vm.type_of(element), arrays(vm).generic);
  return Value::boolean(is_scalar(element) || is_kinds);
}

bool is_complex_value(Interpreter& vm, const Value& value) {
  if (value.is<Type>() || value.is<DTypeObject>()) return rt::is_complex(to_dtype(vm, value));
  return rt::is_complex(to_operand(vm, value, kGp).dtype());
}

Value iscomplexobj(Interpreter& vm, const Value& x) {
  return Value::boolean(is_complex_value(vm, x));
}

Value isrealobj(Interpreter& vm, const Value& x) {
  return Value::boolean(!is_complex_value(vm, x));
}

// A number of a dtype, also as an array without axes, as the Python number that it is.
rt::Operand as_python_number(Interpreter& vm, const rt::Operand& operand) {
  if (operand.is_array() && operand.array().rank() > 0) return operand;
  const rt::Scalar number =
      operand.is_array() ? rt::item(session(vm), operand.array()) : operand.scalar();
  const rt::DType type = number.dtype();
  if (number.weakness() != rt::Weak::kNo || type == rt::DType::kBool) return number;
  if (rt::is_complex(type)) return rt::Scalar::weak(number.as_complex());
  if (rt::is_float(type)) return rt::Scalar::weak(number.as_double());
  return rt::kind(type) == rt::DTypeKind::kUnsigned
             ? rt::Scalar::weak_unsigned(number.as_unsigned())
             : rt::Scalar::weak(number.as_int());
}

// The smallest type that holds a number.
Value min_scalar_type(Interpreter& vm, const Value& value) {
  const rt::Operand operand = as_python_number(vm, to_operand(vm, value, kNumpy));
  if (operand.is_array() || operand.weakness() != rt::Weak::kInt) {
    if (operand.weakness() == rt::Weak::kFloat) {
      const double size = std::fabs(operand.scalar().as_double());
      if (size <= 65504 || !std::isfinite(size)) return wrap_dtype(vm, rt::DType::kFloat16);
      const bool single = size <= std::numeric_limits<float>::max();
      return wrap_dtype(vm, single ? rt::DType::kFloat32 : rt::DType::kFloat64);
    }
    return wrap_dtype(
        vm, operand.weakness() == rt::Weak::kComplex ? rt::DType::kComplex64 : operand.dtype());
  }
  const rt::Scalar& number = operand.scalar();
  const bool negative = number.dtype() == rt::DType::kInt64 && number.as_int() < 0;
  const uint64_t size = negative ? ~number.as_unsigned() : number.as_unsigned();
  const int spare = negative ? 1 : 0;
  for (int i = 0; i < 3; ++i) {
    if (size >> ((8 << i) - spare) == 0) {
      static constexpr rt::DType kUnsigned[] = {rt::DType::kUInt8, rt::DType::kUInt16,
                                                rt::DType::kUInt32};
      static constexpr rt::DType kSigned[] = {rt::DType::kInt8, rt::DType::kInt16,
                                              rt::DType::kInt32};
      return wrap_dtype(vm, negative ? kSigned[i] : kUnsigned[i]);
    }
  }
  return wrap_dtype(vm, negative ? rt::DType::kInt64 : rt::DType::kUInt64);
}

Value common_type(Interpreter& vm, std::span<const Value> arrays) {
  rt::DType type = rt::DType::kFloat16;
  for (const Value& item : arrays) {
    const rt::DType own = to_operand(vm, item, kGp).dtype();
    type = rt::promote(type, rt::is_inexact(own) ? own : rt::DType::kFloat64);
  }
  return vm.get_attribute(wrap_dtype(vm, type), "type");
}

// --- numbers as text -----------------------------------------------------------------------------

std::string repeated(Interpreter& vm, const char* digit, int64_t count) {
  const Value text = vm.binary(BinaryOp::multiply, vm.str(digit), Value::integer(count));
  return std::string(vm.to_text(text, "digits"));
}

// The two's complement of a number below 0, from the digits of its amount: a sign, then all digits
// before the last 1 turned round. -2 ** n needs no further digit for the sign.
std::string complement(std::string digits) {
  const size_t last = digits.rfind('1');
  if (last == 0) return digits;
  for (size_t i = 0; i < last; ++i) digits[i] = digits[i] == '0' ? '1' : '0';
  digits.insert(digits.begin(), '1');
  return digits;
}

std::string widened(Interpreter& vm, const std::string& digits, int64_t width, const char* with) {
  const auto needed = static_cast<int64_t>(digits.size());
  if (width < needed) {
    vm.raise_value_error("Insufficient bit width={} provided for binwidth={}", width, needed);
  }
  return repeated(vm, with, width - needed) + digits;
}

Value binary_repr(Interpreter& vm, const Value& number, const Value& width) {
  const std::string digits = int_to_text(vm.to_index_value(number), 2);
  if (!is_given(width)) return vm.str(digits);
  const int64_t count = vm.to_index(width);
  if (digits == "0") return vm.str(repeated(vm, "0", count == 0 ? 1 : count));
  if (digits[0] != '-') return vm.str(widened(vm, digits, count, "0"));
  return vm.str(widened(vm, complement(digits.substr(1)), count, "1"));
}

// The digits of a number of any size, the last one first.
std::string digits_of(Interpreter& vm, Value number, int64_t base) {
  std::string digits;
  while (vm.truth(number)) {
    vm.poll();
    const int64_t digit = vm.to_index(vm.binary(BinaryOp::remainder, number, Value::integer(base)));
    digits += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit];
    number = vm.binary(BinaryOp::floor_divide, number, Value::integer(base));
  }
  return digits;
}

Value base_repr(Interpreter& vm, const Value& value, int64_t base, const Value& padding) {
  if (base < 2 || base > 36) {
    vm.raise_value_error("Bases {} than {} not handled in base_repr.",
                         base < 2 ? "less" : "greater", base < 2 ? 2 : 36);
  }
  const int64_t zeros = vm.to_index(padding);
  Value number = vm.to_index_value(value);
  const bool negative = vm.less(number, Value::integer(0));
  if (negative) number = vm.binary(BinaryOp::subtract, Value::integer(0), number);
  std::string text = digits_of(vm, number, base);
  if (text.empty() && zeros == 0) text += '0';
  text += repeated(vm, "0", zeros);
  if (negative) text += '-';
  std::ranges::reverse(text);
  return vm.str(text);
}

const Native kFunctions[] = {
    {"result_type", "(*arrays_and_dtypes)", typed<result_type>,
     "The type that operands are brought to."},
    {"promote_types", "(type1, type2)", typed<promote_types>, "The type that holds two types."},
    {"can_cast", "(from_, to, casting='safe')", typed<can_cast>,
     "Whether a type can be cast to another."},
    {"issubdtype", "(arg1, arg2)", typed<issubdtype>,
     "Whether a type lies below another in the tree of types."},
    {"isdtype", "(dtype, kind)", typed<isdtype>,
     "Whether a type is of a kind: 'bool', 'integral', ..."},
    {"isscalar", "(element)", typed<isscalar>, "Whether a value is a number or text alone."},
    {"iscomplexobj", "(x)", typed<iscomplexobj>, "Whether the type is complex."},
    {"isrealobj", "(x)", typed<isrealobj>, "Whether the type is not complex."},
    {"min_scalar_type", "(a, /)", typed<min_scalar_type>, "The smallest type that holds a number."},
    {"common_type", "(*arrays)", typed<common_type>, "The float type that arrays have in common."},
    {"binary_repr", "(num, width=None)", typed<binary_repr>, "An int in binary digits."},
    {"base_repr", "(number, base=2, padding=0)", typed<base_repr>, "An int in digits of a base."},
};

}  // namespace

Family dtype_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
