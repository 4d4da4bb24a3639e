#include "src/types/text_codec.h"

#include "src/interpreter.h"
#include "src/types/str.h"

namespace gpy {

namespace {
enum class Codec { utf8, ascii, latin1 };
}

static Codec find_codec(Interpreter& vm, std::string_view name) {
  std::string key;
  for (char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    key.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  }
  if (key == "utf8" || key == "u8" || key == "utf8sig" || key == "utf") return Codec::utf8;
  if (key == "ascii" || key == "usascii" || key == "646") return Codec::ascii;
  if (key == "latin1" || key == "iso88591" || key == "l1" || key == "latin") return Codec::latin1;
  vm.raise(vm.types.lookup_error, fmt::format("unknown encoding: {}", name));
}

static const char* name_of(Codec codec) {
  return codec == Codec::utf8 ? "utf-8" : codec == Codec::ascii ? "ascii" : "latin-1";
}

static std::string escaped(char32_t c) {
  auto code = static_cast<uint32_t>(c);
  return c < 0x100     ? fmt::format("\\x{:02x}", code)
         : c < 0x10000 ? fmt::format("\\u{:04x}", code)
                       : fmt::format("\\U{:08x}", code);
}

static bool fits(Codec codec, char32_t c) {
  if (codec == Codec::utf8) return c < 0xD800 || c > 0xDFFF;
  return c < (codec == Codec::ascii ? 128 : 256);
}

// `rest` begins with what does not fit; all of it that stands together is told.
[[noreturn]] static void raise_encode_error(Interpreter& vm, Codec codec, std::string_view rest,
                                            size_t at) {
  size_t end = at;
  for (const char *c = rest.data(), *stop = c + rest.size(); c < stop; ++end) {
    if (fits(codec, decode_utf8(c))) break;
  }
  const char* first = rest.data();
  const std::string what =
      end - at == 1 ? fmt::format("character '{}' in position {}", escaped(decode_utf8(first)), at)
                    : fmt::format("characters in position {}-{}", at, end - 1);
  const char* why = codec == Codec::utf8    ? "surrogates not allowed"
                    : codec == Codec::ascii ? "ordinal not in range(128)"
                                            : "ordinal not in range(256)";
  vm.raise(vm.types.unicode_encode_error,
           fmt::format("'{}' codec can't encode {}: {}", name_of(codec), what, why));
}

static std::string replacement(char32_t c, std::string_view errors) {
  if (errors == "ignore") return "";
  return errors == "replace" ? "?" : escaped(c);
}

// In UTF-8 they begin with this byte, as the Hangul before them does.
static bool may_have_surrogates(std::string_view text) { return text.find('\xED') != text.npos; }

std::string encode_text(Interpreter& vm, std::string_view text, std::string_view encoding,
                        std::string_view errors) {
  const Codec codec = find_codec(vm, encoding);
  if (codec == Codec::utf8 && !may_have_surrogates(text)) return std::string(text);
  const bool strict = errors != "ignore" && errors != "replace" && errors != "backslashreplace";
  std::string bytes;
  size_t at = 0;
  each_code_point(text, [&](char32_t c, std::string_view character) {
    if (fits(codec, c)) {
      codec == Codec::utf8 ? bytes += character : bytes += static_cast<char>(c);
    } else if (strict) {
      raise_encode_error(vm, codec,
                         text.substr(static_cast<size_t>(character.data() - text.data())), at);
    } else {
      bytes += replacement(c, errors);
    }
    ++at;
  });
  return bytes;
}

void check_writable(Interpreter& vm, std::string_view text) {
  if (may_have_surrogates(text)) encode_text(vm, text, "utf-8", "strict");
}

static void decode_misfit(Interpreter& vm, std::string& text, Codec codec, unsigned char byte,
                          size_t at, std::string_view errors) {
  if (errors == "ignore") return;
  if (errors == "replace") {
    append_utf8(text, 0xFFFD);
  } else if (errors == "backslashreplace") {
    text += fmt::format("\\x{:02x}", byte);
  } else {
    const char* why = codec == Codec::ascii        ? "ordinal not in range(128)"
                      : byte < 0xC2 || byte > 0xF4 ? "invalid start byte"
                                                   : "invalid continuation byte";
    vm.raise(vm.types.unicode_decode_error,
             fmt::format("'{}' codec can't decode byte 0x{:02x} in position {}: {}", name_of(codec),
                         byte, at, why));
  }
}

static std::string decode_utf8_text(Interpreter& vm, std::string_view bytes,
                                    std::string_view errors) {
  if (is_valid_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    size_t length = 1;
    while (length <= 4 && at + length <= bytes.size() && !is_valid_utf8(bytes.substr(at, length)))
      ++length;
    if (length <= 4 && at + length <= bytes.size()) {
      text += bytes.substr(at, length);
      at += length;
    } else {
      decode_misfit(vm, text, Codec::utf8, static_cast<unsigned char>(bytes[at]), at, errors);
      ++at;
    }
  }
  return text;
}

std::string decode_text(Interpreter& vm, std::string_view bytes, std::string_view encoding,
                        std::string_view errors) {
  Codec codec = find_codec(vm, encoding);
  if (codec == Codec::utf8) return decode_utf8_text(vm, bytes, errors);
  std::string text;
  for (size_t at = 0; at < bytes.size(); ++at) {
    auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte < 128 || codec == Codec::latin1) {
      append_utf8(text, byte);
    } else {
      decode_misfit(vm, text, codec, byte, at, errors);
    }
  }
  return text;
}

}  // namespace gpy
