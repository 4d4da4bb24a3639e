// The type complex.
#include <cmath>

#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "src/types/number_types.h"

namespace gpy {

struct Parts {
  double real, imag;
};

// --- complex("1+2j") -----------------------------------------------------------------------------

static bool ends_number(std::string_view text, size_t at) {
  bool sign = text[at] == '+' || text[at] == '-';
  return sign && at > 0 && (text[at - 1] | 0x20) != 'e';
}

static std::optional<double> unit_or_number(std::string_view text) {
  if (text.empty() || text == "+") return 1.0;
  if (text == "-") return -1.0;
  return real_from_text(text);
}

// Underscores stand between digits only.
static bool has_stray_underscore(std::string_view text) {
  auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (size_t i = text.find('_'); i != text.npos; i = text.find('_', i + 1)) {
    if (i == 0 || !digit(i - 1) || !digit(i + 1)) return true;
  }
  return false;
}

static std::optional<Parts> parse_parts(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  auto strip = [&] {
    size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
    text.remove_prefix(begin);
    text.remove_suffix(text.size() - (text.find_last_not_of(kSpace) + 1));
  };
  strip();
  if (text.size() > 1 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    strip();
  }
  if (text.empty() || text.find_first_of(kSpace) != text.npos) return std::nullopt;
  if ((text.back() | 0x20) != 'j') {
    auto real = real_from_text(text);
    return real ? std::optional<Parts>({*real, 0}) : std::nullopt;
  }
  text.remove_suffix(1);
  size_t split = text.size();
  while (split > 0 && !ends_number(text, split - 1)) --split;
  split = split > 0 ? split - 1 : 0;
  auto real = split > 0 ? real_from_text(text.substr(0, split)) : std::optional<double>(0.0);
  auto imag = unit_or_number(text.substr(split));
  return real && imag ? std::optional<Parts>({*real, *imag}) : std::nullopt;
}

// --- complex(...) --------------------------------------------------------------------------------

static Parts convert(Interpreter& vm, const Value& x, const char* which) {
  if (const Complex* z = x.try_as<Complex>()) return {z->real, z->imag};
  const Slots& slots = vm.type_of(x)->slots;
  if (slots.to_complex) return convert(vm, slots.to_complex(vm, x), which);
  if (!slots.to_float && !slots.index) {
    vm.raise_type_error("complex() {} argument must be a {}number, not '{}'", which,
                        *which == 'f' ? "string or a " : "", vm.type_name(x));
  }
  return {vm.to_real(x), 0};
}

static Value from_text(Interpreter& vm, const Value& source, const Value& imag) {
  if (imag.is_defined()) {
    vm.raise_type_error("complex() can't take second arg if first is a string");
  }
  std::string_view text = source.as<Str>()->view();
  auto parts = parse_parts(text);
  if (!parts && has_stray_underscore(text)) {
    vm.raise_value_error("could not convert string to complex: {}", vm.repr(source));
  }
  if (!parts) vm.raise_value_error("complex() arg is a malformed string");
  return vm.complex(parts->real, parts->imag);
}

static Value make_complex(Interpreter& vm, const Value&, const Value& first, const Value& second) {
  if (first.is<Str>()) return from_text(vm, first, second);
  if (second.is<Str>()) vm.raise_type_error("complex() second arg can't be a string");
  Parts a = first.is_defined() ? convert(vm, first, "first") : Parts{0, 0};
  if (second.is_undefined()) return vm.complex(a.real, a.imag);
  Parts b = convert(vm, second, "second");
  // Zeros keep their signs where there is nothing to add.
  double real = second.is<Complex>() ? a.real - b.imag : a.real;
  return vm.complex(real, first.is<Complex>() ? a.imag + b.real : b.real);
}

static const Native kConstructor = {"complex", "(cls, real=<0>, imag=<0>)", typed<make_complex>,
                                    "A complex number, from its parts or text."};

// --- methods -------------------------------------------------------------------------------------

static Value complex_conjugate(Interpreter& vm, const Complex& z) {
  return vm.complex(z.real, -z.imag);
}

static Value complex_abs(Interpreter& vm, const Complex& z) {
  double length = std::hypot(z.real, z.imag);
  if (std::isinf(length) && std::isfinite(z.real) && std::isfinite(z.imag)) {
    vm.raise_overflow_error("absolute value too large");
  }
  return Value::real(length);
}

static Value complex_itself(Interpreter& vm, const Complex& z) {
  return vm.complex(z.real, z.imag);
}

static const Native kMethods[] = {
    {"__abs__", "(self, /)", typed<complex_abs>, ""},
    {"__complex__", "(self, /)", typed<complex_itself>, ""},
    {"conjugate", "(self, /)", typed<complex_conjugate>,
     "The same real part, the imaginary one negated."},
};

static Value complex_real(Interpreter&, const Value& self) {
  return Value::real(self.as<Complex>()->real);
}
static Value complex_imag(Interpreter&, const Value& self) {
  return Value::real(self.as<Complex>()->imag);
}

static const NativeGetter kGetters[] = {
    {"real", complex_real},
    {"imag", complex_imag},
};

static std::string complex_repr(Interpreter& vm, const Value& self) {
  const auto* z = self.as<Complex>();
  return format_complex(vm, z->real, z->imag, FormatSpec(vm));
}

static int64_t complex_hash(Interpreter&, const Value& self) { return hash_number(self); }

static bool complex_truth(Interpreter&, const Value& self) {
  const auto* z = self.as<Complex>();
  return z->real != 0 || z->imag != 0;
}

static Value complex_value(Interpreter&, const Value& self) { return self; }

static std::string complex_format(Interpreter& vm, const Value& self, std::string_view spec) {
  if (spec.empty()) return vm.to_str(self);
  const auto* z = self.as<Complex>();
  return format_complex(vm, z->real, z->imag, FormatSpec::parse(vm, spec, "complex"));
}

void setup_complex(Interpreter& vm) {
  vm.types.complex = vm.make_type<Complex>({.name = "complex",
                                            .doc = "A number with a real and an imaginary part.",
                                            .slots = {.repr = complex_repr,
                                                      .hash = complex_hash,
                                                      .compare = number_compare,
                                                      .truth = complex_truth,
                                                      .unary = number_unary,
                                                      .binary = number_binary,
                                                      .to_complex = complex_value,
                                                      .format = complex_format},
                                            .methods = kMethods,
                                            .getters = kGetters,
                                            .constructor = &kConstructor});
}

}  // namespace gpy
