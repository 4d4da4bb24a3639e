#include "src/types/text_codec.h"

#include "src/exceptions/fields.h"
#include "src/text/format.h"
#include "src/memory/pieces.h"
#include "src/types/codecs.h"
#include "src/types/str.h"

namespace gpy {

static const Codec& codec_named(Interpreter& vm, std::string_view name) {
  if (const Codec* codec = find_codec(name)) return *codec;
  vm.raise(vm.types.lookup_error, fmt::format("unknown encoding: {}", name));
}

[[noreturn]] static void raise_unknown_handler(Interpreter& vm, std::string_view errors) {
  vm.raise(vm.types.lookup_error, fmt::format("unknown error handler name '{}'", errors));
}

static bool is_utf8(const Codec& codec) { return codec.is_unicode && codec.unit == 1; }

static bool is_utf8(Interpreter& vm, std::string_view bytes) {
  bool valid = true;
  size_t begin = 0;
  while (valid && begin < bytes.size()) {
    size_t end = std::min(begin + kPieceBytes, bytes.size());
    // A character may have three more bytes.
    for (int i = 0; i < 3 && end < bytes.size() && (bytes[end] & 0xC0) == 0x80; ++i) ++end;
    valid = is_valid_utf8(bytes.substr(begin, end - begin));
    begin = end;
    poll_interrupt(vm);
  }
  return valid;
}

// The most bytes that a character, or its replacement, becomes.
static constexpr size_t kMostBytes = 16;

// --- encoding ------------------------------------------------------------------------------------

namespace {

struct Encoding {
  Interpreter& vm;
  const Codec& codec;
  std::string_view text, errors;
  std::string bytes;
};

}  // namespace

static void put_ascii(Encoding& to, std::string_view text) {
  for (char c : text) to.codec.put(to.bytes, static_cast<char32_t>(c));
}

// `at`: the character's position, `offset`: that of its first byte.
[[noreturn]] static void raise_misfit(Encoding& to, size_t at, size_t offset) {
  size_t end = at;
  std::string unused;
  const char *next = to.text.data() + offset, *stop = to.text.data() + to.text.size();
  do {
    decode_utf8(next, stop);
    ++end;
    const char* ahead = next;
    if (to.codec.unit != 1 || next == stop) break;
    if (to.codec.put(unused, decode_utf8(ahead, stop))) break;
  } while (true);
  raise_unicode_error(to.vm, to.vm.types.unicode_encode_error, to.codec.name, to.vm.str(to.text),
                      at, end, to.codec.misfit);
}

// Writes a character that does not fit as the error handler says; false: it is an error.
static bool put_misfit(Encoding& to, char32_t c) {
  if (to.errors == "ignore") return true;
  if (to.errors == "replace") return put_ascii(to, "?"), true;
  if (to.errors == "backslashreplace") return put_ascii(to, escaped(c)), true;
  if (to.errors == "xmlcharrefreplace") {
    return put_ascii(to, fmt::format("&#{};", static_cast<uint32_t>(c))), true;
  }
  if (to.errors == "surrogateescape") {
    if (c < 0xDC80 || c > 0xDCFF || to.codec.unit != 1) return false;
    to.bytes.push_back(static_cast<char>(c & 0xFF));
    return true;
  }
  if (to.errors == "surrogatepass") {
    if (!is_surrogate(c) || !to.codec.is_unicode) return false;
    if (is_utf8(to.codec)) return append_utf8(to.bytes, c), true;
    // A code unit of its own: the bytes of a character of the same width, with its bits put in.
    std::string unit;
    to.codec.put(unit, 0x1234);
    for (char& byte : unit) {
      if (byte == 0x34) byte = static_cast<char>(c & 0xFF);
      if (byte == 0x12) byte = static_cast<char>(c >> 8);
    }
    to.bytes += unit;
    return true;
  }
  if (to.errors != "strict") raise_unknown_handler(to.vm, to.errors);
  return false;
}

static std::string append_text(Interpreter& vm, std::string head, std::string_view text) {
  append_bytes(vm, head, text);
  return head;
}

std::string encode_text(Interpreter& vm, std::string_view text, std::string_view encoding,
                        std::string_view errors) {
  const Codec& codec = codec_named(vm, encoding);
  Encoding to{vm, codec, text, errors, std::string(codec.mark)};
  if (is_utf8(codec) && is_utf8(vm, text)) {
    return append_text(vm, std::move(to.bytes), text);
  }
  size_t at = 0;
  each_code_point(vm, text, [&](char32_t c, std::string_view character) {
    make_room(vm, to.bytes, kMostBytes);
    if (!codec.put(to.bytes, c) && !put_misfit(to, c)) {
      raise_misfit(to, at, static_cast<size_t>(character.data() - text.data()));
    }
    ++at;
  });
  return std::move(to.bytes);
}

void check_writable(Interpreter& vm, std::string_view text) {
  if (!is_utf8(vm, text)) encode_text(vm, text, "utf-8", "strict");
}

// --- decoding ------------------------------------------------------------------------------------

namespace {

struct Decoding {
  Interpreter& vm;
  const Codec& codec;
  std::string_view bytes, errors;
  std::string text;
};

}  // namespace

// A surrogate that stands alone; 0 for any other input.
static char32_t lone_surrogate(const Decoding& from, size_t at, size_t& used) {
  std::string_view rest = from.bytes.substr(at);
  auto byte = [&](size_t i) { return static_cast<unsigned char>(rest[i]); };
  std::string unit;
  from.codec.put(unit, 0x1234);
  if (unit.size() != 3) {
    if (rest.size() < unit.size()) return 0;
    char32_t c = 0;
    for (size_t i = 0; i < unit.size(); ++i) {
      if (unit[i] == 0x34) c |= byte(i);
      if (unit[i] == 0x12) c |= static_cast<char32_t>(byte(i)) << 8;
      if (unit[i] == 0 && byte(i) != 0) return 0;
    }
    used = unit.size();
    return is_surrogate(c) ? c : 0;
  }
  bool encoded = rest.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
                 (byte(2) & 0xC0) == 0x80;
  const char* data = rest.data();
  used = 3;
  return encoded ? decode_utf8(data, data + 3) : 0;
}

// Handles bytes that are no character; returns how many it took, 0: it is an error.
static size_t take_misfit(Decoding& from, size_t at, size_t used) {
  if (from.errors == "strict") return 0;
  if (from.errors == "ignore") return used;
  if (from.errors == "replace") return append_utf8(from.text, 0xFFFD), used;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(from.bytes[at + i]); };
  if (from.errors == "backslashreplace") {
    for (size_t i = 0; i < used; ++i) from.text += fmt::format("\\x{:02x}", byte(i));
    return used;
  }
  if (from.errors == "surrogateescape") {
    size_t taken = 0;
    for (; taken < used && byte(taken) >= 128; ++taken)
      append_utf8(from.text, 0xDC00 + byte(taken));
    return taken;
  }
  if (from.errors == "surrogatepass") {
    size_t taken = 0;
    char32_t c = from.codec.is_unicode ? lone_surrogate(from, at, taken) : 0;
    if (c) append_utf8(from.text, c);
    return c ? taken : 0;
  }
  if (from.errors == "xmlcharrefreplace") {
    from.vm.raise_type_error("don't know how to handle UnicodeDecodeError in error callback");
  }
  raise_unknown_handler(from.vm, from.errors);
}

std::string decode_text(Interpreter& vm, std::string_view bytes, std::string_view encoding,
                        std::string_view errors) {
  Reading reading = codec_for_reading(codec_named(vm, encoding), bytes);
  const Codec& codec = reading.codec;
  size_t at = reading.mark;
  if (is_utf8(codec) && is_utf8(vm, bytes.substr(at))) {
    return append_text(vm, "", bytes.substr(at));
  }
  Decoding from{vm, codec, bytes, errors, ""};
  InterruptPoll poll(vm);
  while (at < bytes.size()) {
    poll.step();
    make_room(vm, from.text, kMostBytes);
    Decoded step = codec.take(bytes, at);
    size_t used = step.problem ? take_misfit(from, at, step.used) : step.used;
    if (used == 0) {
      raise_unicode_error(vm, vm.types.unicode_decode_error, codec.decode_name,
                          vm.bytes(std::string(bytes)), at, at + step.used, step.problem);
    }
    if (!step.problem) append_utf8(from.text, step.character);
    at += used;
  }
  return std::move(from.text);
}

}  // namespace gpy
