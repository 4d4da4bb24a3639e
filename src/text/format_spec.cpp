#include "src/text/format_spec.h"

#include "src/interpreter.h"
#include "src/memory/pieces.h"

namespace gpy {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char take_any(std::string_view of) {
    if (at_end() || of.find(text_[at_]) == of.npos) return 0;
    return text_[at_++];
  }
  std::string_view next_character() const {
    if (at_end()) return {};
    size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    return text_.substr(at_, end - at_);
  }
  void skip(size_t bytes) { at_ += bytes; }
  char32_t take_code_point() {
    const char* at = text_.data() + at_;
    char32_t c = decode_utf8(at, text_.data() + text_.size());
    at_ = static_cast<size_t>(at - text_.data());
    return c;
  }
  // The number at this place; -1 when there is no digit, -2 when it is too large.
  int64_t take_number() {
    if (peek() < '0' || peek() > '9') return -1;
    int64_t number = 0;
    while (peek() >= '0' && peek() <= '9') {
      int digit = text_[at_++] - '0';
      if (number < 0 || __builtin_mul_overflow(number, 10, &number) ||
          __builtin_add_overflow(number, digit, &number)) {
        number = -2;
      }
    }
    return number;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static void read_fill_and_align(Reader& in, std::string_view text, FormatSpec& spec) {
  std::string_view first = in.next_character();
  if (first.size() < text.size() && is_align(text[first.size()])) {
    spec.fill = first;
    spec.fill_given = true;
    in.skip(first.size());
    spec.align = in.take_any("<>=^");
  } else {
    spec.align = in.take_any("<>=^");
  }
}

static int64_t read_number(Interpreter& vm, Reader& in) {
  int64_t number = in.take_number();
  if (number == -2) vm.raise_value_error("Too many decimal digits in format string");
  return number;
}

void claim_room(Interpreter& vm, int64_t characters) {
  constexpr size_t kCopies = 3;
  if (characters > 0) vm.claim(static_cast<size_t>(characters), kCopies);
}

static void read_grouping(Interpreter& vm, Reader& in, FormatSpec& spec) {
  spec.grouping = in.take_any(",_");
  char second = spec.grouping ? in.take_any(",_") : 0;
  if (second && second != spec.grouping) vm.raise_value_error("Cannot specify both ',' and '_'.");
  if (second) vm.raise_value_error("Cannot specify '{}' with '{}'.", second, second);
}

static void check_grouping(Interpreter& vm, const FormatSpec& spec, char32_t usual_type) {
  const char32_t type = spec.type ? spec.type : usual_type;
  if (!spec.grouping || type == 0) return;
  constexpr std::u32string_view kDecimal = U"deEfFgG%";
  if (kDecimal.find(type) != kDecimal.npos) return;
  constexpr std::u32string_view kBinary = U"boxX";
  if (spec.grouping == '_' && kBinary.find(type) != kBinary.npos) return;
  std::string code;
  append_utf8(code, type);
  vm.raise_value_error("Cannot specify '{}' with '{}'.", spec.grouping, code);
}

FormatSpec FormatSpec::parse(Interpreter& vm, std::string_view text, std::string_view type_name) {
  FormatSpec spec(vm);
  Reader in(text);
  read_fill_and_align(in, text, spec);
  spec.sign = in.take_any("+- ");
  spec.no_negative_zero = in.take('z');
  spec.alternate = in.take('#');
  if (!spec.fill_given && in.peek() == '0') {
    spec.fill = "0";
    if (!spec.align && type_name != "str") spec.align = '=';
    in.take('0');
  }
  spec.width = read_number(vm, in);
  read_grouping(vm, in, spec);
  if (in.take('.')) {
    spec.precision = read_number(vm, in);
    if (spec.precision < 0) vm.raise_value_error("Format specifier missing precision");
  }
  if (!in.at_end()) spec.type = in.take_code_point();
  if (!in.at_end()) {
    vm.raise_value_error("Invalid format specifier '{}' for object of type '{}'", text, type_name);
  }
  check_grouping(vm, spec, type_name == "str" ? U's' : 0);
  claim_room(vm, spec.width);
  if (spec.precision <= INT32_MAX) claim_room(vm, spec.precision);  // beyond: numbers refuse it
  return spec;
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (char c : text) count += (c & 0xC0) != 0x80;
  return count;
}

static void append_repeated(const FormatSpec& spec, std::string& text, size_t times) {
  if (spec.fill.size() == 1) return append_fill(*spec.vm, text, times, spec.fill[0]);
  InterruptPoll poll(*spec.vm);
  for (size_t i = 0; i < times; ++i) {
    poll.step();
    text += spec.fill;
  }
}

std::string pad(const FormatSpec& spec, std::string text, char align) {
  auto width = static_cast<size_t>(std::max<int64_t>(spec.width, 0));
  size_t length = count_characters(text);
  if (length >= width) return text;
  size_t missing = width - length;
  if (spec.align) align = spec.align;
  size_t left = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string padded;
  padded.reserve(text.size() + missing * spec.fill.size());
  append_repeated(spec, padded, left);
  append_bytes(*spec.vm, padded, text);
  append_repeated(spec, padded, missing - left);
  return padded;
}

std::string sign_text(const FormatSpec& spec, bool negative) {
  if (negative) return "-";
  return spec.sign == '+' || spec.sign == ' ' ? std::string(1, spec.sign) : std::string();
}

static std::string group(std::string_view digits, char separator, size_t size) {
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % size == 0) grouped.push_back(separator);
    grouped.push_back(digits[i]);
  }
  return grouped;
}

// The number of digits that make `width` characters once they are grouped.
static size_t digits_for_width(size_t width, size_t size) {
  size_t digits = width / (size + 1) * size + width % (size + 1);
  return width % (size + 1) == 0 && width > 0 ? digits + 1 : digits;
}

std::string lay_out_number(const FormatSpec& spec, NumberText number) {
  bool binary = spec.type == U'b' || spec.type == U'o' || spec.type == U'x' || spec.type == U'X';
  size_t size = binary ? 4 : 3;
  bool zeros = spec.align == '=' && spec.fill == "0";
  size_t around = number.sign.size() + number.prefix.size() + number.rest.size();
  auto width = static_cast<size_t>(std::max<int64_t>(spec.width, 0));
  bool all_digits = number.digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (spec.grouping && all_digits) {
    size_t wanted = zeros && width > around ? digits_for_width(width - around, size) : 0;
    if (number.digits.size() < wanted) number.digits.insert(0, wanted - number.digits.size(), '0');
    number.digits = group(number.digits, spec.grouping, size);
  }
  std::string body = number.digits + number.rest;
  std::string head = number.sign + number.prefix;
  if (spec.align != '=') return pad(spec, head + body, '>');
  size_t length = count_characters(head) + count_characters(body);
  append_repeated(spec, head, width > length ? width - length : 0);
  return head + body;
}

void raise_unknown_code(Interpreter& vm, char32_t code, std::string_view type_name) {
  std::string shown;
  if (code > 32 && code < 128) {
    shown = static_cast<char>(code);
  } else {
    shown = fmt::format("\\x{:x}", static_cast<uint32_t>(code));
  }
  vm.raise_value_error("Unknown format code '{}' for object of type '{}'", shown, type_name);
}

std::string format_str(Interpreter& vm, std::string_view text, const FormatSpec& spec) {
  if (spec.type && spec.type != U's') raise_unknown_code(vm, spec.type, "str");
  if (spec.sign) {
    vm.raise_value_error("{} not allowed in string format specifier",
                         spec.sign == ' ' ? "Space" : "Sign");
  }
  if (spec.no_negative_zero) {
    vm.raise_value_error("Negative zero coercion (z) not allowed in string format specifier");
  }
  if (spec.alternate) {
    vm.raise_value_error("Alternate form (#) not allowed in string format specifier");
  }
  if (spec.align == '=') {
    vm.raise_value_error("'=' alignment not allowed in string format specifier");
  }
  size_t end = text.size(), kept = 0;
  for (size_t i = 0; spec.precision >= 0 && i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80 && kept++ == static_cast<size_t>(spec.precision))
      end = std::min(end, i);
  }
  return pad(spec, copy_text(vm, text.substr(0, end)), '<');
}

}  // namespace gpy
