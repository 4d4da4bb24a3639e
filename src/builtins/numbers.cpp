// Functions of numbers.
#include <cmath>

#include "src/builtins/rows.h"
#include "src/numbers/number.h"
#include "src/state.h"

namespace gpy {

// A method that the value's type has; a type's own methods are for its objects.
static Value own_method(Interpreter& vm, const Value& v, const char* name) {
  return v.is<Type>() ? Value() : vm.try_get_attribute(v, vm.intern(name));
}

static Value abs_of(Interpreter& vm, Args args) {
  const Value& v = args[0];
  if (v.is_real()) return Value::real(std::fabs(v.as_real()));
  if (is_int(v)) {
    bool negative = vm.less(v, Value::integer(0));
    return number_unary(vm, negative ? UnaryOp::negative : UnaryOp::positive, v);
  }
  // Of a native type the method is called without one bound to the number.
  Type* type = vm.type_of(v);
  const Value* native = type->is_class ? nullptr : type->lookup(vm.state().names.__abs__);
  if (native && native->is<NativeFunction>()) return vm.call(Value(*native), {v});
  Value method = own_method(vm, v, "__abs__");
  if (method.is_defined()) return vm.call(method);
  vm.raise_type_error("bad operand type for abs(): '{}'", vm.type_name(v));
}

static Value round_of(Interpreter& vm, Args args) {
  Value method = own_method(vm, args[0], "__round__");
  if (method.is_undefined()) {
    vm.raise_type_error("type {} doesn't define __round__ method", vm.type_name(args[0]));
  }
  return args[1].is_none() ? vm.call(method) : vm.call(method, {args[1]});
}

static Value divmod_of(Interpreter& vm, Args args) {
  return vm.binary(BinaryOp::divmod, args[0], args[1]);
}

[[noreturn]] static void refuse_modulo(Interpreter& vm, Args args) {
  bool complex = false, numbers = true;
  for (const Value& v : args) {
    complex = complex || v.is<Complex>();
    numbers = numbers && is_number(v);
  }
  if (numbers && complex) vm.raise_value_error("complex modulo");
  if (numbers) {
    vm.raise_type_error("pow() 3rd argument not allowed unless all arguments are integers");
  }
  vm.raise_type_error("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
                      vm.type_name(args[0]), vm.type_name(args[1]), vm.type_name(args[2]));
}

// What a class's own __pow__ gives for three operands.
static Value pow_of_class(Interpreter& vm, Args args) {
  Type* type = vm.type_of(args[0]);
  const Value* own = type->is_class ? type->lookup(vm.intern("__pow__")) : nullptr;
  if (!own || !own->is<Function>()) return Value::not_implemented();
  return vm.call_method(args[0], "__pow__", {args[1], args[2]});
}

static Value pow_of(Interpreter& vm, Args args) {
  if (args[2].is_none()) return vm.binary(BinaryOp::power, args[0], args[1]);
  if (is_int(args[0]) && is_int(args[1]) && is_int(args[2])) {
    return power_modulo(vm, args[0], args[1], args[2]);
  }
  Value result = pow_of_class(vm, args);
  if (result.is_not_implemented()) refuse_modulo(vm, args);
  return result;
}

template <int base, char letter> static Value in_base(Interpreter& vm, Args args) {
  std::string text = int_to_text(vm.to_index_value(args[0]), base);
  text.insert(text[0] == '-' ? 1 : 0, std::string{'0', letter});
  return vm.str(text);
}

static const Native kRows[] = {
    {"abs", "(x, /)", abs_of, "The absolute value."},
    {"bin", "(number, /)", in_base<2, 'b'>, "The number in base 2, as text."},
    {"divmod", "(x, y, /)", divmod_of, "(x // y, x % y)"},
    {"hex", "(number, /)", in_base<16, 'x'>, "The number in base 16, as text."},
    {"oct", "(number, /)", in_base<8, 'o'>, "The number in base 8, as text."},
    {"pow", "(base, exp, mod=None)", pow_of, "base ** exp, or base ** exp % mod."},
    {"round", "(number, ndigits=None)", round_of,
     "Rounded, half to even, to some digits behind the point."},
};

std::span<const Native> number_rows() { return kRows; }

}  // namespace gpy
