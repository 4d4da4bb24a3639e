// The type float.
#include <charconv>
#include <cmath>

#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "src/typed_native.h"
#include "src/types/float_hex.h"
#include "src/types/number_types.h"

namespace gpy {

// A float is stored in the Value; no object of this type is ever made.
struct NoObject : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
};

// --- float(...) ----------------------------------------------------------------------------------

static Value parse(Interpreter& vm, std::string_view text, const Value& shown) {
  if (auto number = real_from_text(ascii_digits(text))) return Value::real(*number);
  vm.raise_value_error("could not convert string to float: {}", vm.repr(shown));
}

static Value make_float(Interpreter& vm, const Value&, const Value& x) {
  if (x.is_real()) return x;
  if (is_int(x)) return Value::real(int_to_real(vm, x));
  if (const Str* text = x.try_as<Str>()) return parse(vm, text->view(), x);
  if (const Bytes* text = x.try_as<Bytes>()) return parse(vm, text->data, x);
  const Slots& slots = vm.type_of(x)->slots;
  if (slots.to_float || slots.index) return Value::real(vm.to_real(x));
  vm.raise_type_error("float() argument must be a string or a real number, not '{}'",
                      vm.type_name(x));
}

// --- methods -------------------------------------------------------------------------------------

static Value float_is_integer(Interpreter&, double x) {
  return Value::boolean(std::isfinite(x) && x == std::floor(x));
}

static Value float_as_integer_ratio(Interpreter& vm, double x) {
  if (std::isnan(x)) vm.raise_value_error("cannot convert NaN to integer ratio");
  if (std::isinf(x)) vm.raise_overflow_error("cannot convert Infinity to integer ratio");
  int exponent;
  double mantissa = std::frexp(x, &exponent);
  while (mantissa != std::floor(mantissa)) {
    mantissa *= 2;
    --exponent;
  }
  BigInt numerator(mantissa), denominator(1);
  (exponent > 0 ? numerator : denominator) <<= static_cast<unsigned>(std::abs(exponent));
  return vm.tuple({from_big(vm, numerator), from_big(vm, denominator)});
}

static Value float_itself(Interpreter&, double x) { return Value::real(x); }
static Value float_ceil(Interpreter& vm, double x) { return int_from_real(vm, std::ceil(x)); }
static Value float_floor(Interpreter& vm, double x) { return int_from_real(vm, std::floor(x)); }
static Value float_trunc(Interpreter& vm, double x) { return int_from_real(vm, std::trunc(x)); }

static double read_back(const char* begin, const char* end) {
  double number = 0;
  bool negative = begin < end && *begin == '-';
  auto result = std::from_chars(begin + (negative ? 1 : 0), end, number);
  if (result.ec == std::errc::result_out_of_range) number = HUGE_VAL;
  return negative ? -number : number;
}

static double round_behind_point(double x, int digits) {
  constexpr size_t kLongest = 660;
  char buffer[kLongest];
  auto end = std::to_chars(buffer, buffer + kLongest, x, std::chars_format::fixed, digits).ptr;
  return read_back(buffer, end);
}

// Rounds so that `places` > 0 digits before the point become zeros.
static double round_before_point(double x, int places) {
  char buffer[400];
  if (x == 0) return x;
  auto exponent = static_cast<int>(std::floor(std::log10(std::fabs(x))));
  if (exponent - places < -1) return std::copysign(0.0, x);
  double unit = std::pow(10.0, places);
  if (std::fabs(x) < unit)
    return std::fabs(x) > unit / 2 ? std::copysign(unit, x) : std::copysign(0.0, x);
  if (std::fabs(x) >= std::pow(10.0, exponent + 1)) ++exponent;
  if (std::fabs(x) < std::pow(10.0, exponent)) --exponent;
  auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific,
                           std::max(exponent - places, 0))
                 .ptr;
  return read_back(buffer, end);
}

static Value float_round(Interpreter& vm, double x, const Value& ndigits) {
  if (ndigits.is_none()) return int_from_real(vm, std::nearbyint(x));
  Value wanted = vm.to_index_value(ndigits);
  int64_t digits = wanted.is_integer()                  ? wanted.as_integer()
                   : vm.less(wanted, Value::integer(0)) ? INT64_MIN
                                                        : INT64_MAX;
  constexpr int kMost = 323, kLeast = -308;  // beyond them the float is unchanged, or zero
  if (!std::isfinite(x) || digits > kMost) return Value::real(x);
  if (digits < kLeast) return Value::real(0.0 * x);
  double result = digits >= 0 ? round_behind_point(x, static_cast<int>(digits))
                              : round_before_point(x, static_cast<int>(-digits));
  if (std::isinf(result)) vm.raise_overflow_error("rounded value too large to represent");
  return Value::real(result);
}

static Value float_abs(Interpreter&, double x) { return Value::real(std::fabs(x)); }

static const Native kMethods[] = {
    {"as_integer_ratio", "(self, /)", typed<float_as_integer_ratio>,
     "Two ints whose quotient it is."},
    {"conjugate", "(self, /)", typed<float_itself>, "The number itself."},
    {"fromhex", "(cls, string, /)", typed<float_from_hex>,
     "The float that a hexadecimal text writes.", Native::class_method},
    {"hex", "(self, /)", typed<float_hex>, "The exact value in hexadecimal."},
    {"is_integer", "(self, /)", typed<float_is_integer>, "Whether nothing is behind the point."},
    {"__abs__", "(self, /)", typed<float_abs>, ""},
    {"__ceil__", "(self, /)", typed<float_ceil>, ""},
    {"__floor__", "(self, /)", typed<float_floor>, ""},
    {"__round__", "(self, ndigits=None, /)", typed<float_round>, ""},
    {"__trunc__", "(self, /)", typed<float_trunc>, ""},
};

static Value float_real(Interpreter&, const Value& self) { return self; }
static Value float_imag(Interpreter&, const Value&) { return Value::real(0); }

static const NativeGetter kGetters[] = {
    {"real", float_real},
    {"imag", float_imag},
};

static const Native kConstructor = {"float", "(cls, x=0.0, /)", typed<make_float>,
                                    "A floating-point number, from a number or text."};

static std::string float_repr(Interpreter&, const Value& self) {
  return real_to_text(self.as_real());
}
static int64_t float_hash(Interpreter&, const Value& self) { return hash_real(self.as_real()); }
static bool float_truth(Interpreter&, const Value& self) { return self.as_real() != 0; }
static Value float_value(Interpreter&, const Value& self) { return self; }
static Value float_to_int(Interpreter& vm, const Value& self) {
  return int_from_real(vm, self.as_real());
}

static std::string float_format(Interpreter& vm, const Value& self, std::string_view spec) {
  if (spec.empty()) return vm.to_str(self);
  return format_real(vm, self.as_real(), FormatSpec::parse(vm, spec, "float"), "float");
}

void setup_float(Interpreter& vm) {
  vm.types.real = vm.make_type<NoObject>({.name = "float",
                                          .doc = "A floating-point number of 64 bits.",
                                          .slots = {.repr = float_repr,
                                                    .hash = float_hash,
                                                    .compare = number_compare,
                                                    .truth = float_truth,
                                                    .unary = number_unary,
                                                    .binary = number_binary,
                                                    .to_int = float_to_int,
                                                    .to_float = float_value,
                                                    .format = float_format},
                                          .methods = kMethods,
                                          .getters = kGetters,
                                          .constructor = &kConstructor});
}

}  // namespace gpy
