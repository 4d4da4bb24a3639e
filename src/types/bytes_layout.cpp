// Padding bytes to a width.
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"

namespace gpy {

static char fill_of(Interpreter& vm, const Value& v, const char* method) {
  if (v.is_undefined()) return ' ';
  if (v.is<Bytes>() && bytes_of(v).size() == 1) return bytes_of(v)[0];
  vm.raise_type_error("{}() argument 2 must be a byte string of length 1, not {}", method,
                      vm.type_name(v));
}

static int64_t missing(Interpreter& vm, const Value& self, int64_t width) {
  int64_t pad = width - static_cast<int64_t>(bytes_of(self).size());
  if (pad <= 0) return 0;
  vm.claim(static_cast<size_t>(pad), 2);
  return pad;
}

static Value padded(Interpreter& vm, const Value& self, int64_t left, int64_t right, char fill) {
  if (left + right == 0) return bytes_unless_same(vm, self, bytes_of(self));
  std::string data;
  data.reserve(bytes_of(self).size() + static_cast<size_t>(left + right));
  append_fill(vm, data, static_cast<size_t>(left), fill);
  append_bytes(vm, data, bytes_of(self));
  append_fill(vm, data, static_cast<size_t>(right), fill);
  return bytes_like(vm, self, std::move(data));
}

static Value bytes_ljust(Interpreter& vm, const Value& self, int64_t width, const Value& fill) {
  int64_t pad = missing(vm, self, width);
  return padded(vm, self, 0, pad, fill_of(vm, fill, "ljust"));
}

static Value bytes_rjust(Interpreter& vm, const Value& self, int64_t width, const Value& fill) {
  int64_t pad = missing(vm, self, width);
  return padded(vm, self, pad, 0, fill_of(vm, fill, "rjust"));
}

static Value bytes_center(Interpreter& vm, const Value& self, int64_t width, const Value& fill) {
  int64_t pad = missing(vm, self, width);
  int64_t left = pad / 2 + (pad & width & 1);
  return padded(vm, self, left, pad - left, fill_of(vm, fill, "center"));
}

static Value bytes_zfill(Interpreter& vm, const Value& self, int64_t width) {
  int64_t pad = missing(vm, self, width);
  std::string_view given = bytes_of(self);
  bool sign = !given.empty() && (given[0] == '+' || given[0] == '-');
  std::string data(given.substr(0, sign));
  data.reserve(given.size() + static_cast<size_t>(pad));
  append_fill(vm, data, static_cast<size_t>(pad), '0');
  append_bytes(vm, data, given.substr(sign));
  return bytes_like(vm, self, std::move(data));
}

static Value bytes_expandtabs(Interpreter& vm, const Value& self, int64_t size) {
  if (size > INT32_MAX) vm.raise_overflow_error("Python int too large to convert to C int");
  std::string data;
  int64_t column = 0;
  InterruptPoll poll(vm);
  for (char c : bytes_of(self)) {
    poll.step();
    if (c == '\t') {
      int64_t spaces = size > 0 ? size - column % size : 0;
      append_fill(vm, data, static_cast<size_t>(spaces), ' ');
      column += spaces;
      continue;
    }
    append_byte(vm, data, c);
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  }
  return bytes_like(vm, self, std::move(data));
}

static const Native kMethods[] = {
    {"center", "(self, width, fillchar=<b' '>, /)", typed<bytes_center>, "Padded on both sides."},
    {"expandtabs", "(self, /, tabsize=8)", typed<bytes_expandtabs>, "With spaces for tabs."},
    {"ljust", "(self, width, fillchar=<b' '>, /)", typed<bytes_ljust>, "Padded at the end."},
    {"rjust", "(self, width, fillchar=<b' '>, /)", typed<bytes_rjust>, "Padded at the start."},
    {"zfill", "(self, width, /)", typed<bytes_zfill>, "Padded with zeros behind the sign."},
};

std::span<const Native> bytes_layout_methods() { return kMethods; }

}  // namespace gpy
