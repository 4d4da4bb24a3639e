// Builtin functions of numbers.
#include <cmath>

#include "src/builtins/rows.h"
#include "src/numbers/number.h"
#include "src/state.h"
#include "src/typed_native.h"

namespace gpy {

// A method that the value's type has; a type's own methods are for its objects.
static Value own_method(Interpreter& vm, const Value& v, const char* name) {
  return v.is<Type>() ? Value() : vm.try_get_attribute(v, vm.intern(name));
}

static Value abs_of(Interpreter& vm, const Value& v) {
  if (v.is_real()) return Value::real(std::fabs(v.as_real()));
  if (is_int(v)) {
    bool negative = vm.less(v, Value::integer(0));
    return number_unary(vm, negative ? UnaryOp::negative : UnaryOp::positive, v);
  }
  const Type* type = vm.type_of(v);
  if (!type->is_class && type->slots.absolute) return type->slots.absolute(vm, v);
  Value method = own_method(vm, v, "__abs__");
  if (method.is_defined()) return vm.call(method);
  vm.raise_type_error("bad operand type for abs(): '{}'", vm.type_name(v));
}

static Value round_of(Interpreter& vm, const Value& number, const Value& digits) {
  Value method = own_method(vm, number, "__round__");
  if (method.is_undefined()) {
    vm.raise_type_error("type {} doesn't define __round__ method", vm.type_name(number));
  }
  return digits.is_none() ? vm.call(method) : vm.call(method, {digits});
}

static Value divmod_of(Interpreter& vm, const Value& x, const Value& y) {
  return vm.binary(BinaryOp::divmod, x, y);
}

[[noreturn]] static void refuse_modulo(Interpreter& vm, const Value& base, const Value& exponent,
                                       const Value& modulus) {
  bool complex = false, numbers = true;
  for (const Value* v : {&base, &exponent, &modulus}) {
    complex = complex || v->is<Complex>();
    numbers = numbers && is_number(*v);
  }
  if (numbers && complex) vm.raise_value_error("complex modulo");
  if (numbers) {
    vm.raise_type_error("pow() 3rd argument not allowed unless all arguments are integers");
  }
  vm.raise_type_error("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
                      vm.type_name(base), vm.type_name(exponent), vm.type_name(modulus));
}

// The result of a class's own __pow__ for three operands.
static Value pow_of_class(Interpreter& vm, const Value& base, const Value& exponent,
                          const Value& modulus) {
  Type* type = vm.type_of(base);
  const Value* own = type->is_class ? type->lookup(vm.intern("__pow__")) : nullptr;
  if (!own || !own->is<Function>()) return Value::not_implemented();
  return vm.call_method(base, "__pow__", {exponent, modulus});
}

static Value pow_of(Interpreter& vm, const Value& base, const Value& exponent,
                    const Value& modulus) {
  if (modulus.is_none()) return vm.binary(BinaryOp::power, base, exponent);
  if (is_int(base) && is_int(exponent) && is_int(modulus)) {
    return power_modulo(vm, base, exponent, modulus);
  }
  Value result = pow_of_class(vm, base, exponent, modulus);
  if (result.is_not_implemented()) refuse_modulo(vm, base, exponent, modulus);
  return result;
}

template <int base, char letter> static Value in_base(Interpreter& vm, const Value& number) {
  std::string text = int_to_text(vm.to_index_value(number), base);
  text.insert(text[0] == '-' ? 1 : 0, std::string{'0', letter});
  return vm.str(text);
}

static const Native kRows[] = {
    {"abs", "(x, /)", typed<abs_of>, "The absolute value."},
    {"bin", "(number, /)", typed<in_base<2, 'b'>>, "The number in base 2, as text."},
    {"divmod", "(x, y, /)", typed<divmod_of>, "(x // y, x % y)"},
    {"hex", "(number, /)", typed<in_base<16, 'x'>>, "The number in base 16, as text."},
    {"oct", "(number, /)", typed<in_base<8, 'o'>>, "The number in base 8, as text."},
    {"pow", "(base, exp, mod=None)", typed<pow_of>, "base ** exp, or base ** exp % mod."},
    {"round", "(number, ndigits=None)", typed<round_of>,
     "Rounded, half to even, to some digits behind the point."},
};

std::span<const Native> number_rows() { return kRows; }

}  // namespace gpy
