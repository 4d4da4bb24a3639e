// The methods decode, hex, fromhex, translate.
#include <algorithm>

#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytearray.h"
#include "src/types/bytes.h"
#include "src/types/text_codec.h"

namespace gpy {

static Value bytes_decode(Interpreter& vm, const Bytes& self, const Value& encoding,
                          const Value& errors) {
  std::string_view codec = vm.to_text(encoding, "decode() argument 'encoding'");
  std::string_view handling = vm.to_text(errors, "decode() argument 'errors'");
  if (self.data.empty()) return vm.str("");
  return Str::make_part(vm, decode_text(vm, self.data, codec, handling));
}

// --- hexadecimal ---------------------------------------------------------------------------------

static char separator_of(Interpreter& vm, const Value& v) {
  if (vm.length(v) != 1) vm.raise_value_error("sep must be length 1.");
  bool is_text = v.is<Str>();
  if (!is_text && !v.is<Bytes>()) vm.raise_type_error("sep must be str or bytes.");
  char separator = is_text ? v.as<Str>()->view()[0] : bytes_of(v)[0];
  if (static_cast<unsigned char>(separator) > 127) vm.raise_value_error("sep must be ASCII.");
  return separator;
}

static Value bytes_hex(Interpreter& vm, const Bytes& self, const Value& sep,
                       const Value& bytes_per_sep) {
  char separator = sep.is_defined() ? separator_of(vm, sep) : '\0';
  int64_t group = sep.is_defined() ? vm.to_index(bytes_per_sep) : 0;
  std::string_view data = self.data;
  std::string text;
  InterruptPoll poll(vm);
  for (size_t i = 0; i < data.size(); ++i) {
    poll.step();
    make_room(vm, text, 3);
    // Groups are counted from the right; a negative size counts from the left.
    auto from_end = static_cast<int64_t>(group > 0 ? data.size() - i : i);
    if (group != 0 && i > 0 && from_end % group == 0) text.push_back(separator);
    constexpr char kDigits[] = "0123456789abcdef";
    auto byte = static_cast<unsigned char>(data[i]);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return vm.str(text);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static Value bytes_fromhex(Interpreter& vm, const Value& cls, const Value& string) {
  std::string_view text = vm.to_text(string, "fromhex() argument");
  auto foreign = std::find_if(text.begin(), text.end(), [](char c) { return c & 0x80; });
  if (foreign != text.end()) {
    vm.raise_value_error("non-hexadecimal number found in fromhex() arg at position {}",
                         foreign - text.begin());
  }
  std::string data;
  InterruptPoll poll(vm);
  for (size_t i = 0; i < text.size(); ++i) {
    poll.step();
    if (is_space_byte(text[i])) continue;
    int high = hex_digit(text[i]), low = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
    if (high < 0 || low < 0) {
      vm.raise_value_error("non-hexadecimal number found in fromhex() arg at position {}",
                           high < 0 ? i : i + 1);
    }
    append_byte(vm, data, static_cast<char>(high * 16 + low));
    ++i;
  }
  if (cls.as<Type>() == vm.types.bytes) return vm.bytes(std::move(data));
  return vm.call(cls, {vm.bytes(std::move(data))});
}

// --- translate -----------------------------------------------------------------------------------

static Value bytes_maketrans(Interpreter& vm, const Value& frm, const Value& into) {
  std::string_view from = bytes_argument(vm, frm), to = bytes_argument(vm, into);
  if (from.size() != to.size()) vm.raise_value_error("maketrans arguments must have same length");
  std::string table(256, '\0');
  for (size_t i = 0; i < 256; ++i) table[i] = static_cast<char>(i);
  for (size_t i = 0; i < from.size(); ++i) table[static_cast<unsigned char>(from[i])] = to[i];
  return vm.bytes(std::move(table));
}

static Value bytes_translate(Interpreter& vm, const Value& self, const Value& table,
                             const Value& left_out) {
  bool mapped = !table.is_none();
  std::string_view map = mapped ? bytes_argument(vm, table) : std::string_view();
  if (mapped && map.size() != 256) {
    vm.raise_value_error("translation table must be 256 characters long");
  }
  std::string_view dropped;
  if (left_out.is_defined()) dropped = bytes_argument(vm, left_out);
  std::string data;
  InterruptPoll poll(vm);
  for (char c : bytes_of(self)) {
    poll.step();
    if (dropped.find(c) != dropped.npos) continue;
    append_byte(vm, data, mapped ? map[static_cast<unsigned char>(c)] : c);
  }
  return bytes_like(vm, self, std::move(data));
}

static const Native kMethods[] = {
    {"decode", "(self, /, encoding='utf-8', errors='strict')", typed<bytes_decode>, "As text."},
    {"fromhex", "(cls, string, /)", typed<bytes_fromhex>,
     "The bytes that hexadecimal digits write.", Native::class_method},
    {"hex", "(self, /, sep=<omitted>, bytes_per_sep=1)", typed<bytes_hex>,
     "In hexadecimal digits."},
    {"maketrans", "(frm, to, /)", typed<bytes_maketrans>, "A table for translate.",
     Native::static_method},
    {"translate", "(self, table, /, delete=<b''>)", typed<bytes_translate>,
     "With each byte replaced as a table says, and some left out."},
};

std::span<const Native> bytes_convert_methods() { return kMethods; }

}  // namespace gpy
