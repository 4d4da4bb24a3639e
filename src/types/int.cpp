// The types int and bool.
#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/numbers/big_arithmetic.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "src/typed_native.h"
#include "src/types/int_bytes.h"
#include "src/types/number_types.h"

namespace gpy {

// The plain number of a bool or of an object of a class over int.
static Value plain(Interpreter& vm, const Value& self) {
  if (self.is_boolean()) return Value::integer(self.as_integer());
  return vm.type_of(self)->is_class ? from_big(vm, self.as<Int>()->value) : self;
}

// --- int(...) ------------------------------------------------------------------------------------

static Value parse(Interpreter& vm, std::string_view text, const Value& shown, int base) {
  std::optional<Value> number = int_from_text(vm, ascii_digits(text), base);
  if (number) return *number;
  constexpr size_t kMost = 200;  // characters shown
  Value quoted = vm.str(vm.repr(shown));
  vm.raise_value_error("invalid literal for int() with base {}: {}", base,
                       quoted.as<Str>()->slice(0, std::min(kMost, quoted.as<Str>()->length)));
}

static Value parse_in_base(Interpreter& vm, const Value& text, const Value& base) {
  Value exact = vm.to_index_value(base);
  int64_t b = exact.is_integer() ? exact.as_integer() : -1;
  if (b != 0 && (b < 2 || b > 36)) vm.raise_value_error("int() base must be >= 2 and <= 36, or 0");
  if (const Str* s = text.try_as<Str>()) return parse(vm, s->view(), text, static_cast<int>(b));
  if (const Bytes* s = text.try_as<Bytes>()) return parse(vm, s->data, text, static_cast<int>(b));
  vm.raise_type_error("int() can't convert non-string with explicit base");
}

static Value convert(Interpreter& vm, const Value& x) {
  constexpr int kDecimal = 10;
  if (is_int(x)) return plain(vm, x);
  if (x.is_real()) return int_from_real(vm, x.as_real());
  if (const Str* text = x.try_as<Str>()) return parse(vm, text->view(), x, kDecimal);
  if (const Bytes* text = x.try_as<Bytes>()) return parse(vm, text->data, x, kDecimal);
  const Slots& slots = vm.type_of(x)->slots;
  if (slots.to_int) return slots.to_int(vm, x);
  if (slots.index) return slots.index(vm, x);
  bool is_type = x.is<Type>();  // its __trunc__ belongs to its objects
  Value trunc = is_type ? Value() : vm.try_get_attribute(x, vm.intern("__trunc__"));
  if (trunc.is_defined()) return vm.call(trunc);
  vm.raise_type_error(
      "int() argument must be a string, a bytes-like object or a real number, not '{}'",
      vm.type_name(x));
}

static Value make_int(Interpreter& vm, const Value&, const Value& x, const Value& base) {
  if (base.is_defined()) {
    if (x.is_undefined()) vm.raise_type_error("int() missing string argument");
    return parse_in_base(vm, x, base);
  }
  return x.is_defined() ? convert(vm, x) : Value::integer(0);
}

// --- methods -------------------------------------------------------------------------------------

static Value int_bit_length(Interpreter&, const Value& self) {
  return Value::integer(bit_length(self));
}

static Value int_bit_count(Interpreter&, const Value& self) {
  return Value::integer(bit_count(to_big(self)));
}

static Value int_abs(Interpreter& vm, const Value& self) {
  bool negative = vm.less(self, Value::integer(0));
  return number_unary(vm, negative ? UnaryOp::negative : UnaryOp::positive, self);
}

static Value int_as_integer_ratio(Interpreter& vm, const Value& self) {
  return vm.tuple({plain(vm, self), Value::integer(1)});
}

// Rounds half to even at the given digit.
static Value int_round(Interpreter& vm, const Value& self, const Value& ndigits) {
  if (ndigits.is_none()) return plain(vm, self);
  Value digits = vm.to_index_value(ndigits);
  if (!vm.less(digits, Value::integer(0))) return plain(vm, self);
  if (-vm.to_index(digits) > bit_length(self)) return Value::integer(0);
  BigInt unit = pow(BigInt(10), static_cast<unsigned>(-vm.to_index(digits)));
  BigInt number = to_big(self), quotient, rest;
  divide_qr(BigInt(abs(number)), unit, quotient, rest);
  BigInt twice = rest * 2;
  if (twice > unit || (twice == unit && bit_test(quotient, 0))) ++quotient;
  quotient *= unit;
  return from_big(vm, number.sign() < 0 ? BigInt(-quotient) : quotient);
}

static const Native kMethods[] = {
    {"as_integer_ratio", "(self, /)", typed<int_as_integer_ratio>, "The pair (self, 1)."},
    {"bit_count", "(self, /)", typed<int_bit_count>,
     "The number of ones in the binary form of abs(self)."},
    {"bit_length", "(self, /)", typed<int_bit_length>,
     "The number of bits that the magnitude needs."},
    {"conjugate", "(self, /)", typed<plain>, "The number itself."},
    {"from_bytes", "(cls, /, bytes, byteorder='big', *, signed=False)", typed<int_from_bytes>,
     "The int that the bytes write.", Native::class_method},
    {"to_bytes", "(self, /, length=1, byteorder='big', *, signed=False)", typed<int_to_bytes>,
     "The int written in so many bytes."},
    {"__abs__", "(self, /)", typed<int_abs>, ""},
    {"__ceil__", "(self, /)", typed<plain>, ""},
    {"__floor__", "(self, /)", typed<plain>, ""},
    {"__round__", "(self, ndigits=None, /)", typed<int_round>, ""},
    {"__trunc__", "(self, /)", typed<plain>, ""},
};

static Value int_real(Interpreter& vm, const Value& self) { return plain(vm, self); }
static Value int_zero(Interpreter&, const Value&) { return Value::integer(0); }
static Value int_one(Interpreter&, const Value&) { return Value::integer(1); }

static const NativeGetter kGetters[] = {
    {"real", int_real},
    {"imag", int_zero},
    {"numerator", int_real},
    {"denominator", int_one},
};

// The quick version of int(x).
static Value quick_int(Interpreter& vm, std::span<const Value> arguments) {
  return arguments.size() == 2 ? convert(vm, arguments[1]) : Value();
}

static const Native kConstructor = {"int",
                                    "(cls, x=<0>, /, base=<10>)",
                                    typed<make_int>,
                                    "A whole number of any size, from a number or text.",
                                    Native::instance,
                                    quick_int};

static std::string int_repr(Interpreter&, const Value& self) { return int_to_text(self); }
static int64_t int_hash(Interpreter&, const Value& self) { return hash_number(self); }
static Value int_value(Interpreter& vm, const Value& self) { return plain(vm, self); }

static bool int_truth(Interpreter&, const Value& self) {
  return self.is_object() ? self.as<Int>()->value != 0 : self.as_integer() != 0;
}

static Value int_to_float(Interpreter& vm, const Value& self) {
  return Value::real(int_to_real(vm, self));
}

static std::string int_format(Interpreter& vm, const Value& self, std::string_view spec) {
  if (spec.empty()) return vm.to_str(self);
  const std::string_view name = vm.type_of(self)->name;
  return format_int(vm, self, FormatSpec::parse(vm, spec, name), name);
}

void setup_int(Interpreter& vm) {
  vm.types.integer = vm.make_type<Int>({.name = "int",
                                        .doc = "A whole number of any size.",
                                        .slots = {.repr = int_repr,
                                                  .hash = int_hash,
                                                  .compare = number_compare,
                                                  .truth = int_truth,
                                                  .unary = number_unary,
                                                  .binary = number_binary,
                                                  .index = int_value,
                                                  .to_int = int_value,
                                                  .to_float = int_to_float,
                                                  .format = int_format},
                                        .methods = kMethods,
                                        .getters = kGetters,
                                        .constructor = &kConstructor,
                                        .is_final = false});
}

// --- bool ----------------------------------------------------------------------------------------

static Value make_bool(Interpreter&, const Value&, bool x) { return Value::boolean(x); }

static const Native kBoolConstructor = {"bool", "(cls, x=False, /)", typed<make_bool>,
                                        "Whether a value counts as true."};

static std::string bool_repr(Interpreter&, const Value& self) {
  return self.as_boolean() ? "True" : "False";
}

void setup_bool(Interpreter& vm) {
  vm.types.boolean = vm.make_type<Int>({.name = "bool",
                                        .doc = "True or False.",
                                        .base = vm.types.integer,
                                        .slots = {.repr = bool_repr},
                                        .constructor = &kBoolConstructor});
}

}  // namespace gpy
