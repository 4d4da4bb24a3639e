#include <charconv>

#include "grammar/literals.h"

namespace gpy::syntax {
namespace {

// Resolves the escapes of one string, left to right.
class EscapeDecoder {
 public:
  EscapeDecoder(std::string_view text, bool is_bytes)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), is_bytes_(is_bytes) {}

  std::string decode() {
    while (at_ < end_) {
      bool is_last = at_ + 1 == end_;  // a backslash before a field of a formatted string
      if (*at_ != '\\' || is_last) {
        out_ += *at_++;
      } else {
        escape_ = at_;
        at_ += 2;
        decode_escape(at_[-1]);
      }
    }
    return std::move(out_);
  }

 private:
  void decode_escape(char letter) {
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kValues = "\\'\"\a\b\f\n\r\t\v";
    if (letter == '\n') return;
    if (size_t known = kLetters.find(letter); known != kLetters.npos) {
      out_ += kValues[known];
    } else if (letter >= '0' && letter <= '7') {
      decode_octal();
    } else if (!decode_hexadecimal(letter)) {
      out_ += '\\';
      out_ += letter;
    }
  }

  void decode_octal() {
    --at_;
    const char* last = std::min(at_ + 3, end_);
    unsigned value = 0;
    for (; at_ < last && *at_ >= '0' && *at_ <= '7'; ++at_) value = value * 8 + (*at_ - '0');
    append(is_bytes_ ? value & 0xFF : value);
  }

  bool decode_hexadecimal(char letter) {
    switch (letter) {
      case 'x': append(read_hex(2, "\\xXX")); return true;
      case 'u': return !is_bytes_ && (append(read_hex(4, "\\uXXXX")), true);
      case 'U': return !is_bytes_ && (append(read_hex(8, "\\UXXXXXXXX")), true);
      case 'N': return !is_bytes_ && (fail_name(), true);
      default: return false;
    }
  }

  unsigned read_hex(int digits, const char* form) {
    unsigned value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      if (at_ == end_ || !is_hex_digit(*at_)) fail_truncated(form);
      value = value * 16 + (is_digit(*at_) ? *at_ - '0' : (*at_ | 32) - 'a' + 10);
    }
    if (value > 0x10FFFF) fail_unicode("illegal Unicode character");
    return value;
  }

  void append(unsigned value) {
    if (is_bytes_) {
      out_ += static_cast<char>(value);
    } else {
      append_utf8(out_, value);
    }
  }

  [[noreturn]] void fail_truncated(const char* form) {
    if (is_bytes_) {
      throw LiteralError{escape_, "(value error) invalid \\x escape at position " +
                                      std::to_string(escape_ - begin_)};
    }
    fail_unicode(std::string("truncated ") + form + " escape");
  }

  [[noreturn]] void fail_unicode(const std::string& what) {
    throw LiteralError{
        escape_, "(unicode error) 'unicodeescape' codec can't decode bytes in position " +
                     std::to_string(escape_ - begin_) + "-" + std::to_string(at_ - begin_ - 1) +
                     ": " + what};
  }

  [[noreturn]] void fail_name() {
    throw LiteralError{escape_, "gpy has no \\N{...} escapes", "write the character or \\uXXXX"};
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* escape_ = nullptr;
  bool is_bytes_;
  std::string out_;
};

}  // namespace

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned char kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | code >> (6 * more));
  while (more-- > 0) out += static_cast<char>(0x80 | ((code >> (6 * more)) & 0x3F));
}

std::string_view decode_escapes(std::string_view text, bool is_bytes, Arena& arena) {
  if (text.find('\\') == text.npos) return text;
  return arena.copy(std::string_view(EscapeDecoder(text, is_bytes).decode()));
}

}  // namespace gpy::syntax
