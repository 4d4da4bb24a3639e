// Functions that give text.
#include "src/builtins/rows.h"
#include "src/text/format.h"

namespace gpy {

static Value repr(Interpreter& vm, Args args) { return vm.str(vm.repr(args[0])); }
static Value ascii(Interpreter& vm, Args args) { return vm.str(ascii_only(vm, vm.repr(args[0]))); }

static Value format(Interpreter& vm, Args args) {
  return vm.str(format_value(vm, args[0], vm.to_text(args[1], "format() argument 2")));
}

static Value chr(Interpreter& vm, Args args) {
  Value exact = vm.to_index_value(args[0]);
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

static Value ord(Interpreter& vm, Args args) {
  if (const Bytes* bytes = args[0].try_as<Bytes>()) {
    if (bytes->data.size() != 1) raise_length(vm, bytes->data.size());
    return Value::integer(static_cast<unsigned char>(bytes->data[0]));
  }
  const Str* text = args[0].try_as<Str>();
  if (!text) {
    vm.raise_type_error("ord() expected string of length 1, but {} found", vm.type_name(args[0]));
  }
  if (text->length != 1) raise_length(vm, text->length);
  const char* at = text->data();
  return Value::integer(static_cast<int64_t>(decode_utf8(at, at + text->bytes)));
}

static const Native kRows[] = {
    {"ascii", "(obj, /)", ascii, "repr with everything beyond ASCII escaped."},
    {"chr", "(i, /)", chr, "The character of a code point."},
    {"format", "(value, format_spec='', /)", format, "A value as text, as a format spec says."},
    {"ord", "(c, /)", ord, "The code point of a character."},
    {"repr", "(obj, /)", repr, "A value as text, as source would write it where it can."},
};

std::span<const Native> text_rows() { return kRows; }

}  // namespace gpy
