// json.loads: text to values, with CPython's rules, messages and places.
//
// No library reads quite this language: RapidJSON's reader refuses ints of more than 308 digits and
// floats beyond the range (Python: inf), takes "Inf", refuses lone surrogates, and counts the
// places of errors in its own way.
#include <unordered_map>

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "stdlib/native/json/json.h"

namespace gpy::lib {

namespace {

struct Reader {
  Interpreter& vm;
  Value source;  // keeps the text alive while hooks run
  std::string_view text;
  size_t at;
  bool strict;
  // These are None where the reader makes the value itself.
  Value object_hook, object_pairs_hook, parse_int, parse_float, parse_constant;
  Value error;  // error(message, text, position) makes the exception
  int64_t depth = 0;
  std::unordered_map<std::string_view, Value> keys = {};  // each key once

  bool more() const { return at < text.size(); }
  char peek() const { return more() ? text[at] : '\0'; }
  void skip_space() {
    while (more() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at;
  }
  bool take(std::string_view word) {
    if (text.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
  }
  int64_t characters_before(size_t position) const {
    int64_t count = 0;
    for (char c : text.substr(0, position)) count += (c & 0xC0) != 0x80;
    return count;
  }
  [[noreturn]] void fail(std::string_view message, size_t position) {
    vm.raise(
        vm.call(error, {vm.str(message), source, Value::integer(characters_before(position))}));
  }

  Value value();
  Value array();
  Value object();
  Value string();
  Value key();
  Value number();
  Value constant(std::string_view name, double meaning);
  char32_t escaped_unit();
  void escape(std::string& into, size_t start);
};

// Counts a level of nesting while it is being read.
struct Level {
  Level(Reader& reader, const char* what) : reader(reader) {
    reader.vm.check_stack();
    if (++reader.depth > reader.vm.recursion_limit) {
      --reader.depth;
      reader.vm.raise(reader.vm.types.recursion_error,
                      fmt::format("maximum recursion depth exceeded while decoding a JSON {} from "
                                  "a unicode string",
                                  what));
    }
  }
  ~Level() { --reader.depth; }
  Reader& reader;
};

}  // namespace

// --- strings -------------------------------------------------------------------------------------

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads the four digits after \u, which another character must follow.
char32_t Reader::escaped_unit() {
  size_t start = at - 1;
  char32_t unit = 0;
  for (int i = 0; i < 4; ++i, ++at) {
    int digit = hex_digit(peek());
    if (digit < 0) fail("Invalid \\uXXXX escape", start);
    unit = unit << 4 | static_cast<char32_t>(digit);
  }
  if (!more()) fail("Invalid \\uXXXX escape", start);
  return unit;
}

static bool is_high(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
static bool is_low(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Reads an escape: `at` is the character after the backslash, `start` the string's quote.
void Reader::escape(std::string& into, size_t start) {
  static constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (!more()) fail("Unterminated string starting at", start);
  char name = text[at++];
  if (name != 'u') {
    size_t known = kNames.find(name);
    if (known == kNames.npos) fail("Invalid \\escape", at - 2);
    append_byte(vm, into, kMeanings[known]);
    return;
  }
  char32_t unit = escaped_unit();
  if (is_high(unit) && text.substr(at, 2) == "\\u") {
    size_t before = at;
    at += 2;
    char32_t low = escaped_unit();
    if (is_low(low)) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at = before;
    }
  }
  make_room(vm, into, 4);  // a code point's bytes at most
  append_utf8(into, unit);
}

Value Reader::string() {
  size_t start = at++, from = at;
  std::string decoded;
  InterruptPoll poll(vm);
  for (;;) {
    poll.step();
    if (!more()) fail("Unterminated string starting at", start);
    char c = text[at];
    if (c == '"') break;
    if (c == '\\') {
      append_bytes(vm, decoded, text.substr(from, at++ - from));
      escape(decoded, start);
      from = at;
      continue;
    }
    if (strict && static_cast<unsigned char>(c) < 0x20) fail("Invalid control character at", at);
    ++at;
  }
  std::string_view rest = text.substr(from, at++ - from);
  if (decoded.empty()) return vm.str(rest);
  append_bytes(vm, decoded, rest);
  return vm.str(decoded);
}

Value Reader::key() {
  Value made = string();
  auto [known, added] = keys.try_emplace(made.as<Str>()->view(), made);
  return known->second;
}

// --- numbers and constants -----------------------------------------------------------------------

Value Reader::constant(std::string_view name, double meaning) {
  if (parse_constant.is_none()) return Value::real(meaning);
  return vm.call(parse_constant, {vm.str(name)});
}

static size_t digits_from(std::string_view text, size_t at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at;
}

// The end of the number that starts at `at`; 0 if none does.
static size_t number_end(std::string_view text, size_t at, bool& integral) {
  size_t first = at + (text[at] == '-');
  size_t end = digits_from(text, first);
  if (end == first) return 0;
  if (text[first] == '0') end = first + 1;
  integral = true;
  if (end < text.size() && text[end] == '.') {
    size_t fraction = digits_from(text, end + 1);
    integral = fraction == end + 1;
    if (!integral) end = fraction;
  }
  if (end >= text.size() || (text[end] | 0x20) != 'e') return end;
  size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  size_t exponent_end = digits_from(text, exponent);
  if (exponent_end == exponent) return end;
  integral = false;
  return exponent_end;
}

Value Reader::number() {
  bool integral = true;
  size_t end = number_end(text, at, integral);
  if (end == 0) fail("Expecting value", at);
  std::string_view digits = text.substr(at, end - at);
  at = end;
  const Value& hook = integral ? parse_int : parse_float;
  if (!hook.is_none()) return vm.call(hook, {vm.str(digits)});
  if (integral) return *int_from_text(vm, digits, 10);
  return Value::real(*real_from_text(digits));
}

// --- values --------------------------------------------------------------------------------------

Value Reader::value() {
  vm.poll();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (peek()) {
    case '"': return string();
    case '{': return object();
    case '[': return array();
    case 'n':
      if (take("null")) return Value::none();
      break;
    case 't':
      if (take("true")) return Value::boolean(true);
      break;
    case 'f':
      if (take("false")) return Value::boolean(false);
      break;
    case 'N':
      if (take("NaN")) return constant("NaN", std::numeric_limits<double>::quiet_NaN());
      break;
    case 'I':
      if (take("Infinity")) return constant("Infinity", kInfinity);
      break;
    case '-':
      if (take("-Infinity")) return constant("-Infinity", -kInfinity);
      return number();
    default:
      if (peek() >= '0' && peek() <= '9') return number();
  }
  fail("Expecting value", at);
}

Value Reader::array() {
  Level level(*this, "array");
  ++at;
  std::vector<Value> items;
  skip_space();
  if (peek() == ']') {
    ++at;
    return vm.list();
  }
  for (;;) {
    append_item(vm, items, value());
    skip_space();
    if (peek() == ']') break;
    if (peek() != ',') fail("Expecting ',' delimiter", at);
    ++at;
    skip_space();
  }
  ++at;
  return vm.list(std::move(items));
}

Value Reader::object() {
  Level level(*this, "object");
  ++at;
  Ref<Dict> dict = vm.dict();
  std::vector<Value> pairs;
  const bool as_pairs = !object_pairs_hook.is_none();
  skip_space();
  for (bool first = true; !(first && peek() == '}'); first = false) {
    if (peek() != '"') fail("Expecting property name enclosed in double quotes", at);
    Value name = key();
    skip_space();
    if (peek() != ':') fail("Expecting ':' delimiter", at);
    ++at;
    skip_space();
    Value item = value();
    if (as_pairs) {
      append_item(vm, pairs, vm.tuple({name, item}));
    } else {
      dict->set(name.as<Str>(), std::move(item));
    }
    skip_space();
    if (peek() == '}') break;
    if (peek() != ',') fail("Expecting ',' delimiter", at);
    ++at;
    skip_space();
  }
  ++at;
  if (as_pairs) return vm.call(object_pairs_hook, {vm.list(std::move(pairs))});
  return object_hook.is_none() ? Value(dict) : vm.call(object_hook, {dict});
}

static Value scan(Interpreter& vm, const Value& source, const Value& start, const Value& error,
                  const Value& strict, const Value& object_hook, const Value& object_pairs_hook,
                  const Value& parse_int, const Value& parse_float, const Value& parse_constant) {
  std::string_view text = vm.to_text(source, "the JSON object");
  auto position = static_cast<size_t>(std::max<int64_t>(vm.to_index(start), 0));
  const Str& characters = *source.as<Str>();
  Reader reader{.vm = vm,
                .source = source,
                .text = text,
                .at = characters.offset_of(std::min(position, characters.length)),
                .strict = vm.truth(strict),
                .object_hook = object_hook,
                .object_pairs_hook = object_pairs_hook,
                .parse_int = parse_int,
                .parse_float = parse_float,
                .parse_constant = parse_constant,
                .error = error};
  Value found = reader.value();
  size_t end = reader.at;
  reader.skip_space();
  return vm.tuple({found, Value::integer(reader.characters_before(end)),
                   Value::integer(reader.characters_before(reader.at))});
}

constinit const NativeBody json_scan = typed<scan>;

}  // namespace gpy::lib
