// text % arguments, like C's printf with Python's types.
#include "src/text/format.h"
#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/numbers/number.h"

namespace gpy {

namespace {

constexpr int64_t kMostWidth = int64_t{1} << 36;  // beyond: MemoryError

struct Conversion {
  bool left = false, plus = false, space = false, alternate = false, zero = false;
  int64_t width = -1, precision = -1;
  char32_t code = 0;
  size_t index = 0;  // the position of the code, for messages
};

class Percent {
 public:
  enum Of { text, bytes };
  Percent(Interpreter& vm, Of of, std::string_view text, const Value& arguments);
  std::string expand();

 private:
  void read_flags(Conversion& c);
  int64_t read_number(int64_t most, const char* what);
  void skip_length();
  void read_key();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  Value next_argument();
  std::string convert();
  std::string show(const Conversion& c, const Value& value);
  std::string show_int(const Conversion& c, const Value& value);
  std::string show_character(const Value& value);
  std::string show_byte(const Value& value);
  std::string show_bytes(const Value& value);
  std::string show_real(const Conversion& c, const Value& value);
  [[noreturn]] void refuse_code(const Conversion& c);
  Value int_argument(const Conversion& c, const Value& value);
  bool takes_mapping() const;
  [[noreturn]] void incomplete() { vm_.raise_value_error("incomplete format"); }

  Interpreter& vm_;
  Of of_;
  std::string_view text_;
  const Value& arguments_;
  Tuple* tuple_;  // null: a single argument
  size_t used_ = 0;
  Value keyed_;          // of %(key)
  bool by_key_ = false;  // this conversion has one
  size_t at_ = 0;
};

}  // namespace

Percent::Percent(Interpreter& vm, Of of, std::string_view text, const Value& arguments)
    : vm_(vm), of_(of), text_(text), arguments_(arguments), tuple_(arguments.try_as<Tuple>()) {}

bool Percent::takes_mapping() const {
  const Value& given = arguments_;
  bool is_text = of_ == text ? given.is<Str>() : given.is<Bytes>();
  return !tuple_ && !is_text && !given.is<Type>() && vm_.type_of(given)->slots.getitem;
}

std::string Percent::expand() {
  std::string result;
  while (at_ < text_.size()) {
    size_t percent = std::min(text_.find('%', at_), text_.size());
    append_bytes(vm_, result, text_.substr(at_, percent - at_));
    at_ = percent;
    if (at_ == text_.size()) break;
    ++at_;
    append_bytes(vm_, result, convert());
  }
  size_t given = tuple_ ? tuple_->size : 1;
  if (used_ < given && !takes_mapping()) {
    vm_.raise_type_error("not all arguments converted during {} formatting",
                         of_ == text ? "string" : "bytes");
  }
  return result;
}

Value Percent::next_argument() {
  if (keyed_.is_defined()) return std::exchange(keyed_, Value());
  size_t given = tuple_ ? tuple_->size : 1;
  if (used_ >= given || by_key_) vm_.raise_type_error("not enough arguments for format string");
  ++used_;
  return tuple_ ? (*tuple_)[used_ - 1] : arguments_;
}

void Percent::read_key() {
  by_key_ = peek() == '(';
  if (!by_key_) return;
  if (!takes_mapping()) vm_.raise_type_error("format requires a mapping");
  size_t begin = ++at_;
  for (int open = 1; at_ < text_.size(); ++at_) {
    open += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
    if (open == 0) break;
  }
  if (at_ == text_.size()) vm_.raise_value_error("incomplete format key");
  std::string_view key = text_.substr(begin, at_ - begin);
  keyed_ = vm_.get_item(arguments_, of_ == text ? vm_.str(key) : vm_.bytes(std::string(key)));
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

int64_t Percent::read_number(int64_t most, const char* what) {
  if (peek() == '*') {
    ++at_;
    Value value = next_argument();
    if (!value.is_integer() && !value.is_boolean()) vm_.raise_type_error("* wants int");
    return value.as_integer();
  }
  int64_t number = -1;
  for (; peek() >= '0' && peek() <= '9'; ++at_) {
    number = std::max<int64_t>(number, 0);
    if (number > (most - (peek() - '0')) / 10) vm_.raise_value_error("{} too big", what);
    number = number * 10 + (peek() - '0');
  }
  return number;
}

void Percent::skip_length() {
  if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
}

std::string Percent::convert() {
  if (peek() == '%') {
    ++at_;
    return "%";
  }
  Conversion c;
  read_key();
  read_flags(c);
  c.width = read_number(INT64_MAX, "width");
  if (c.width < -1) {
    c.left = true;
    c.width = -c.width;
  }
  if (peek() == '.') {
    ++at_;
    c.precision = std::max<int64_t>(read_number(INT32_MAX, "precision"), 0);
  }
  if (c.width > kMostWidth) vm_.raise(vm_.types.memory_error, "");
  if (std::max(c.width, c.precision) > 0) claim_room(vm_, std::max(c.width, c.precision));
  skip_length();
  if (at_ == text_.size()) incomplete();
  c.index = of_ == text ? count_characters(text_.substr(0, at_)) : at_;
  const char* code = text_.data() + at_;
  c.code = of_ == text ? decode_utf8(code, text_.data() + text_.size())
                       : static_cast<unsigned char>(*code++);
  at_ = static_cast<size_t>(code - text_.data());
  if (c.code == U'%' && of_ == bytes) return "%";
  return show(c, next_argument());
}

static FormatSpec spec_of(Interpreter& vm, const Conversion& c) {
  FormatSpec spec(vm);
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

// The text cut to the precision and padded to the width.
static std::string show_text(Interpreter& vm, const Conversion& c, std::string text) {
  FormatSpec spec(vm);
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
  const char shown = of_ == bytes && decimal ? 'd' : static_cast<char>(c.code);
  vm_.raise_type_error("%{} format: {} is required, not {}", shown,
                       decimal ? "a real number" : "an integer", vm_.type_name(value));
}

std::string Percent::show_int(const Conversion& c, const Value& value) {
  Value number = int_argument(c, value);
  FormatSpec spec = spec_of(vm_, c);
  bool decimal = c.code == U'd' || c.code == U'i' || c.code == U'u';
  spec.type = decimal ? U'd' : c.code;
  if (c.precision < 0) return format_int(vm_, number, spec, "int");
  // The precision is the least number of digits.
  FormatSpec bare(vm_);
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

static std::string show_data(const Conversion& c, std::string data) {
  if (c.precision >= 0) data.resize(std::min(data.size(), static_cast<size_t>(c.precision)));
  auto width = static_cast<size_t>(std::max<int64_t>(c.width, 0));
  if (data.size() >= width) return data;
  data.insert(c.left ? data.size() : 0, width - data.size(), ' ');
  return data;
}

std::string Percent::show_bytes(const Value& value) {
  if (value.is<Bytes>()) return value.as<Bytes>()->data;
  Value convert = vm_.try_get_attribute(value, vm_.intern("__bytes__"));
  Value data = convert.is_defined() ? vm_.call(convert) : Value();
  if (data.is<Bytes>()) return data.as<Bytes>()->data;
  vm_.raise_type_error(
      "%b requires a bytes-like object, or an object that implements __bytes__, not '{}'",
      vm_.type_name(value));
}

std::string Percent::show_byte(const Value& value) {
  if (value.is<Bytes>() && value.as<Bytes>()->data.size() == 1) return value.as<Bytes>()->data;
  if (value.is<Bytes>() || !vm_.has_index(value)) {
    vm_.raise_type_error("%c requires an integer in range(256) or a single byte");
  }
  Value code = vm_.to_index_value(value);
  bool in_range = code.is_integer() && code.as_integer() >= 0 && code.as_integer() < 256;
  if (!in_range) vm_.raise_overflow_error("%c arg not in range(256)");
  return std::string(1, static_cast<char>(code.as_integer()));
}

std::string Percent::show_real(const Conversion& c, const Value& value) {
  FormatSpec spec = spec_of(vm_, c);
  spec.precision = c.precision;
  spec.type = c.code;
  const Slots& slots = vm_.type_of(value)->slots;
  if (of_ == bytes && !is_number(value) && !slots.to_float && !slots.index) {
    vm_.raise_type_error("float argument required, not {}", vm_.type_name(value));
  }
  return format_real(vm_, vm_.to_real(value), spec, "float");
}

void Percent::refuse_code(const Conversion& c) {
  char shown = c.code >= 31 && c.code <= 126 ? static_cast<char>(c.code) : '?';
  vm_.raise_value_error("unsupported format character '{}' (0x{:x}) at index {}", shown,
                        static_cast<uint32_t>(c.code), c.index);
}

std::string Percent::show(const Conversion& c, const Value& value) {
  Conversion bare = c;
  bare.precision = -1;
  switch (c.code) {
    case U'b':
      if (of_ == text) refuse_code(c);
      return show_data(c, show_bytes(value));
    case U's':
      return of_ == bytes ? show_data(c, show_bytes(value)) : show_text(vm_, c, vm_.to_str(value));
    case U'r':
      return show_text(vm_, c, of_ == bytes ? ascii_only(vm_, vm_.repr(value)) : vm_.repr(value));
    case U'a': return show_text(vm_, c, ascii_only(vm_, vm_.repr(value)));
    case U'c':
      return of_ == bytes ? show_data(bare, show_byte(value))
                          : show_text(vm_, bare, show_character(value));
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
    case U'G': return show_real(c, value);
    default: refuse_code(c);
  }
}

std::string format_percent(Interpreter& vm, std::string_view text, const Value& arguments) {
  return Percent(vm, Percent::text, text, arguments).expand();
}

std::string format_percent_bytes(Interpreter& vm, std::string_view data, const Value& arguments) {
  return Percent(vm, Percent::bytes, data, arguments).expand();
}

}  // namespace gpy
