// Builtin functions that return text.
#include "src/builtins/rows.h"
#include "src/text/format.h"
#include "src/typed_native.h"

namespace gpy {

static Value repr(Interpreter& vm, const Value& object) { return vm.str(vm.repr(object)); }

static Value ascii(Interpreter& vm, const Value& object) {
  return vm.str(ascii_only(vm, vm.repr(object)));
}

static Value format(Interpreter& vm, const Value& value, const Value& spec) {
  return vm.str(format_value(vm, value, vm.to_text(spec, "format() argument 2")));
}

static Value chr(Interpreter& vm, const Value& code_point) {
  Value exact = vm.to_index_value(code_point);
  int64_t code = exact.is_integer() ? exact.as_integer() : INT64_MAX;
  if (code < INT32_MIN || code > INT32_MAX) {
    vm.raise_overflow_error("Python int too large to convert to C int");
  }
  if (code < 0 || code > 0x10FFFF) vm.raise_value_error("chr() arg not in range(0x110000)");
  std::string text;
  append_utf8(text, static_cast<char32_t>(code));
  return vm.str(text);
}

[[noreturn]] static void raise_length(Interpreter& vm, size_t length) {
  vm.raise_type_error("ord() expected a character, but string of length {} found", length);
}

static Value ord(Interpreter& vm, const Value& character) {
  if (const Bytes* bytes = character.try_as<Bytes>()) {
    if (bytes->data.size() != 1) raise_length(vm, bytes->data.size());
    return Value::integer(static_cast<unsigned char>(bytes->data[0]));
  }
  const Str* text = character.try_as<Str>();
  if (!text) {
    vm.raise_type_error("ord() expected string of length 1, but {} found", vm.type_name(character));
  }
  if (text->length != 1) raise_length(vm, text->length);
  const char* at = text->data();
  return Value::integer(static_cast<int64_t>(decode_utf8(at, at + text->bytes)));
}

static const Native kRows[] = {
    {"ascii", "(obj, /)", typed<ascii>, "repr with everything beyond ASCII escaped."},
    {"chr", "(i, /)", typed<chr>, "The character of a code point."},
    {"format", "(value, format_spec='', /)", typed<format>,
     "A value as text, as a format spec says."},
    {"ord", "(c, /)", typed<ord>, "The code point of a character."},
    {"repr", "(obj, /)", typed<repr>, "A value as text, as source would write it where it can."},
};

std::span<const Native> text_rows() { return kRows; }

}  // namespace gpy
