#include "src/text/format.h"

#include "src/text/format_spec.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/text/unicode.h"

namespace gpy {

std::string format_value(Interpreter& vm, const Value& value, std::string_view spec) {
  Type* type = vm.type_of(value);
  const bool is_plain = !type->slots.format || is_number(value) || value.is<Str>();
  if (spec.empty() && is_plain && !type->is_class) return vm.to_str(value);
  if (type->slots.format) return type->slots.format(vm, value, spec);
  if (spec.empty()) return vm.to_str(value);
  vm.raise_type_error("unsupported format string passed to {}.__format__", type->name);
}

std::string escaped(char32_t c) {
  auto code = static_cast<uint32_t>(c);
  return c < 0x100     ? fmt::format("\\x{:02x}", code)
         : c < 0x10000 ? fmt::format("\\u{:04x}", code)
                       : fmt::format("\\U{:08x}", code);
}

// The most bytes of an escape of one character.
static constexpr size_t kMostEscaped = 16;

static void append_escape(std::string& text, char32_t c) {
  switch (c) {
    case '\n': text += "\\n"; return;
    case '\r': text += "\\r"; return;
    case '\t': text += "\\t"; return;
    default: break;
  }
  text += escaped(c);
}

std::string quoted(Interpreter& vm, std::string_view text) {
  bool single = text.find('\'') != text.npos, both = single && text.find('"') != text.npos;
  char quote = single && !both ? '"' : '\'';
  std::string result(1, quote);
  make_room(vm, result, text.size() + 1);
  InterruptPoll poll(vm);
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    poll.step();
    const char* begin = at;
    char32_t c = decode_utf8(at, end);
    if (c == static_cast<char32_t>(quote) || c == '\\') {
      result.push_back('\\');
      result.push_back(static_cast<char>(c));
    } else if (c >= ' ' && (c < 127 || is_class(c, kPrintable))) {
      result.append(begin, at);
    } else {
      make_room(vm, result, kMostEscaped);
      append_escape(result, c);
    }
  }
  result.push_back(quote);
  return result;
}

std::string ascii_only(Interpreter& vm, std::string_view text) {
  std::string result;
  InterruptPoll poll(vm);
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    poll.step();
    make_room(vm, result, kMostEscaped);
    char32_t c = decode_utf8(at, end);
    if (c < 128) {
      result.push_back(static_cast<char>(c));
    } else {
      append_escape(result, c);
    }
  }
  return result;
}

}  // namespace gpy
