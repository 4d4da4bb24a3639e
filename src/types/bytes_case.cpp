// Case of the letters within bytes, which are those of ASCII.
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"

namespace gpy {

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }

static char to_upper(char c) { return static_cast<char>(is_lower(c) ? c ^ 0x20 : c); }
static char to_lower(char c) { return static_cast<char>(is_upper(c) ? c ^ 0x20 : c); }
static char swapped_case(char c) { return static_cast<char>(is_alpha(c) ? c ^ 0x20 : c); }

template <char (*map)(char)> static Value mapped(Interpreter& vm, const Value& self) {
  std::string data = copy_text(vm, bytes_of(self));
  auto turn = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) data[i] = map(data[i]);
  };
  in_pieces(vm, data.size(), turn, kPieceBytes);
  return bytes_like(vm, self, std::move(data));
}

static Value bytes_capitalize(Interpreter& vm, const Value& self) {
  std::string data = copy_text(vm, bytes_of(self));
  InterruptPoll poll(vm);
  for (char& c : data) {
    poll.step();
    c = &c == data.data() ? to_upper(c) : to_lower(c);
  }
  return bytes_like(vm, self, std::move(data));
}

static Value bytes_title(Interpreter& vm, const Value& self) {
  std::string data = copy_text(vm, bytes_of(self));
  bool inside = false;
  InterruptPoll poll(vm);
  for (char& c : data) {
    poll.step();
    c = inside ? to_lower(c) : to_upper(c);
    inside = is_alpha(c);
  }
  return bytes_like(vm, self, std::move(data));
}

// --- tests ---------------------------------------------------------------------------------------

template <bool (*test)(char)> static Value all_are(Interpreter& vm, const Bytes& self) {
  InterruptPoll poll(vm);
  for (char c : self.data) {
    poll.step();
    if (!test(c)) return Value::boolean(false);
  }
  return Value::boolean(!self.data.empty());
}

template <bool (*wanted)(char), bool (*refused)(char)>
static Value cased_as(Interpreter& vm, const Bytes& self) {
  bool some = false;
  InterruptPoll poll(vm);
  for (char c : self.data) {
    poll.step();
    if (refused(c)) return Value::boolean(false);
    some = some || wanted(c);
  }
  return Value::boolean(some);
}

static Value bytes_isascii(Interpreter& vm, const Bytes& self) {
  InterruptPoll poll(vm);
  for (char c : self.data) {
    poll.step();
    if (static_cast<unsigned char>(c) > 127) return Value::boolean(false);
  }
  return Value::boolean(true);
}

static Value bytes_istitle(Interpreter& vm, const Bytes& self) {
  bool some = false, inside = false;
  InterruptPoll poll(vm);
  for (char c : self.data) {
    poll.step();
    if ((is_upper(c) && inside) || (is_lower(c) && !inside)) return Value::boolean(false);
    inside = is_alpha(c);
    some = some || inside;
  }
  return Value::boolean(some);
}

static const Native kMethods[] = {
    {"capitalize", "(self, /)", typed<bytes_capitalize>,
     "First letter in upper case, the rest in lower."},
    {"isalnum", "(self, /)", typed<all_are<is_alnum>>, "ASCII letters and digits only."},
    {"isalpha", "(self, /)", typed<all_are<is_alpha>>, "ASCII letters only."},
    {"isascii", "(self, /)", typed<bytes_isascii>, "ASCII only."},
    {"isdigit", "(self, /)", typed<all_are<is_digit>>, "ASCII digits only."},
    {"islower", "(self, /)", typed<cased_as<is_lower, is_upper>>,
     "All ASCII letters in lower case."},
    {"isspace", "(self, /)", typed<all_are<is_space_byte>>, "ASCII white space only."},
    {"istitle", "(self, /)", typed<bytes_istitle>, "Each word with a capital."},
    {"isupper", "(self, /)", typed<cased_as<is_upper, is_lower>>,
     "All ASCII letters in upper case."},
    {"lower", "(self, /)", typed<mapped<to_lower>>, "ASCII letters in lower case."},
    {"swapcase", "(self, /)", typed<mapped<swapped_case>>,
     "Upper case for lower and the other way round."},
    {"title", "(self, /)", typed<bytes_title>, "Each word with a capital."},
    {"upper", "(self, /)", typed<mapped<to_upper>>, "ASCII letters in upper case."},
};

std::span<const Native> bytes_case_methods() { return kMethods; }

}  // namespace gpy
