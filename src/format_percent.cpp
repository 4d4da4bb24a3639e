// text % arguments, as C's printf with Python's types.
#include "src/format.h"
#include "src/format_spec.h"
#include "src/interpreter.h"
#include "src/number.h"

namespace gpy {

namespace {

struct Conversion {
  bool left = false, plus = false, space = false, alternate = false, zero = false;
  int64_t width = -1, precision = -1;
  char32_t code = 0;
  size_t index = 0;  // where the code is, for messages
};

class Percent {
 public:
  Percent(Interpreter& vm, std::string_view text, const Value& arguments);
  std::string expand();

 private:
  void read_flags(Conversion& c);
  int64_t read_number();
  void skip_length();
  void read_key();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  Value next_argument();
  std::string convert();
  std::string show(const Conversion& c, const Value& value);
  std::string show_int(const Conversion& c, const Value& value);
  std::string show_character(const Value& value);
  Value int_argument(const Conversion& c, const Value& value);
  bool takes_mapping() const;
  [[noreturn]] void incomplete() { vm_.raise_value_error("incomplete format"); }

  Interpreter& vm_;
  std::string_view text_;
  const Value& arguments_;
  Tuple* tuple_;  // null: a single argument
  size_t used_ = 0;
  Value keyed_;  // of %(key)
  size_t at_ = 0;
};

}  // namespace

Percent::Percent(Interpreter& vm, std::string_view text, const Value& arguments)
    : vm_(vm), text_(text), arguments_(arguments), tuple_(arguments.try_as<Tuple>()) {}

bool Percent::takes_mapping() const {
  return !tuple_ && !arguments_.is<Str>() && vm_.type_of(arguments_)->slots.getitem;
}

std::string Percent::expand() {
  std::string result;
  while (at_ < text_.size()) {
    size_t percent = std::min(text_.find('%', at_), text_.size());
    result += text_.substr(at_, percent - at_);
    at_ = percent;
    if (at_ == text_.size()) break;
    ++at_;
    result += convert();
  }
  size_t given = tuple_ ? tuple_->size : 1;
  if (used_ < given && !takes_mapping()) {
    vm_.raise_type_error("not all arguments converted during string formatting");
  }
  return result;
}

Value Percent::next_argument() {
  if (keyed_.is_defined()) return std::exchange(keyed_, Value());
  size_t given = tuple_ ? tuple_->size : 1;
  if (used_ >= given) vm_.raise_type_error("not enough arguments for format string");
  ++used_;
  return tuple_ ? (*tuple_)[used_ - 1] : arguments_;
}

void Percent::read_key() {
  if (peek() != '(') return;
  if (!takes_mapping()) vm_.raise_type_error("format requires a mapping");
  size_t begin = ++at_;
  for (int open = 1; at_ < text_.size(); ++at_) {
    open += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
    if (open == 0) break;
  }
  if (at_ == text_.size()) vm_.raise_value_error("incomplete format key");
  keyed_ = vm_.get_item(arguments_, vm_.str(text_.substr(begin, at_ - begin)));
  ++at_;
}

void Percent::read_flags(Conversion& c) {
  for (;; ++at_) {
    switch (peek()) {
      case '-': c.left = true; break;
      case '+': c.plus = true; break;
      case ' ': c.space = true; break;
      case '#': c.alternate = true; break;
      case '0': c.zero = true; break;
      default: return;
    }
  }
}

int64_t Percent::read_number() {
  if (peek() == '*') {
    ++at_;
    Value value = next_argument();
    if (!value.is_integer()) vm_.raise_type_error("* wants int");
    return value.as_integer();
  }
  int64_t number = -1;
  for (; peek() >= '0' && peek() <= '9'; ++at_) {
    number = std::max<int64_t>(number, 0) * 10 + (peek() - '0');
    if (number > INT32_MAX) vm_.raise_value_error("width too big");
  }
  return number;
}

void Percent::skip_length() {
  if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
}

std::string Percent::convert() {
  Conversion c;
  read_key();
  read_flags(c);
  c.width = read_number();
  if (c.width < -1) {
    c.left = true;
    c.width = -c.width;
  }
  if (peek() == '.') {
    ++at_;
    c.precision = std::max<int64_t>(read_number(), 0);
  }
  skip_length();
  if (at_ == text_.size()) incomplete();
  c.index = count_characters(text_.substr(0, at_));
  const char* code = text_.data() + at_;
  c.code = decode_utf8(code);
  at_ = static_cast<size_t>(code - text_.data());
  if (c.code == U'%') return "%";
  return show(c, next_argument());
}

static FormatSpec spec_of(const Conversion& c) {
  FormatSpec spec;
  spec.width = c.width;
  spec.sign = c.plus ? '+' : c.space ? ' ' : 0;
  spec.alternate = c.alternate;
  spec.align = c.left ? '<' : '>';
  if (c.zero && !c.left) {
    spec.fill = "0";
    spec.align = '=';
  }
  return spec;
}

static std::string show_text(const Conversion& c, std::string text) {
  FormatSpec spec;
  spec.width = c.width;
  spec.align = c.left ? '<' : '>';
  size_t end = 0;
  for (int64_t kept = 0; end < text.size() && (c.precision < 0 || kept < c.precision); ++kept) {
    do ++end;
    while (end < text.size() && (text[end] & 0xC0) == 0x80);
  }
  text.resize(end);
  return pad(spec, std::move(text), '>');
}

Value Percent::int_argument(const Conversion& c, const Value& value) {
  bool decimal = c.code == U'd' || c.code == U'i' || c.code == U'u';
  if (is_int(value)) return value.is_boolean() ? Value::integer(value.as_integer()) : value;
  if (decimal && value.is_real()) return int_from_real(vm_, value.as_real());
  const Slots& slots = vm_.type_of(value)->slots;
  try {
    if (slots.index && !(decimal && slots.to_int)) return slots.index(vm_, value);
    if (decimal && slots.to_int) return slots.to_int(vm_, value);
  } catch (const Raised& raised) {
    if (!vm_.is_instance(raised.exception, vm_.types.type_error)) throw;
  }
  vm_.raise_type_error("%{} format: {} is required, not {}", static_cast<char>(c.code),
                       decimal ? "a real number" : "an integer", vm_.type_of(value)->full_name());
}

std::string Percent::show_int(const Conversion& c, const Value& value) {
  Value number = int_argument(c, value);
  FormatSpec spec = spec_of(c);
  bool decimal = c.code == U'd' || c.code == U'i' || c.code == U'u';
  spec.type = decimal ? U'd' : c.code;
  if (c.precision < 0) return format_int(vm_, number, spec, "int");
  // The precision is the least number of digits.
  FormatSpec bare;
  bare.type = spec.type;
  NumberText text;
  text.digits = format_int(vm_, number, bare, "int");
  bool negative = text.digits[0] == '-';
  if (negative) text.digits.erase(0, 1);
  auto least = static_cast<size_t>(c.precision);
  if (text.digits.size() < least) text.digits.insert(0, least - text.digits.size(), '0');
  text.sign = sign_text(spec, negative);
  if (spec.alternate && !decimal) text.prefix = {'0', static_cast<char>(c.code)};
  return lay_out_number(spec, std::move(text));
}

std::string Percent::show_character(const Value& value) {
  if (const Str* text = value.try_as<Str>()) {
    if (text->length == 1) return std::string(text->view());
    vm_.raise_type_error("%c requires int or char");
  }
  if (!vm_.has_index(value)) vm_.raise_type_error("%c requires int or char");
  Value code = vm_.to_index_value(value);
  bool in_range = code.is_integer() && code.as_integer() >= 0 && code.as_integer() < 0x110000;
  if (!in_range) vm_.raise_overflow_error("%c arg not in range(0x110000)");
  std::string text;
  append_utf8(text, static_cast<char32_t>(code.as_integer()));
  return text;
}

std::string Percent::show(const Conversion& c, const Value& value) {
  Conversion bare = c;
  bare.precision = -1;
  switch (c.code) {
    case U's': return show_text(c, vm_.to_str(value));
    case U'r': return show_text(c, vm_.repr(value));
    case U'a': return show_text(c, ascii_only(vm_.repr(value)));
    case U'c': return show_text(bare, show_character(value));
    case U'd':
    case U'i':
    case U'u':
    case U'o':
    case U'x':
    case U'X': return show_int(c, value);
    case U'e':
    case U'E':
    case U'f':
    case U'F':
    case U'g':
    case U'G': break;
    default: {
      std::string code;
      append_utf8(code, c.code);
      vm_.raise_value_error("unsupported format character '{}' (0x{:x}) at index {}", code,
                            static_cast<uint32_t>(c.code), c.index);
    }
  }
  FormatSpec spec = spec_of(c);
  spec.precision = c.precision;
  spec.type = c.code;
  return format_real(vm_, vm_.to_real(value), spec, "float");
}

std::string format_percent(Interpreter& vm, std::string_view text, const Value& arguments) {
  return Percent(vm, text, arguments).expand();
}

}  // namespace gpy
