// Padding text to a width.
#include "src/typed_native.h"
#include "src/types/str.h"

namespace gpy {

static std::string_view fill_of(Interpreter& vm, const Value& v) {
  if (!v.is<Str>()) {
    vm.raise_type_error("The fill character must be a unicode character, not {}", vm.type_name(v));
  }
  if (str_of(v)->length != 1) {
    vm.raise_type_error("The fill character must be exactly one character long");
  }
  return text_of(v);
}

static Value padded(Interpreter& vm, std::string_view text, int64_t left, int64_t right,
                    std::string_view fill) {
  vm.claim(static_cast<size_t>(std::max(left, right)), 2 * fill.size());
  std::string result;
  InterruptPoll poll(vm);
  auto pad = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      poll.step();
      result += fill;
    }
  };
  pad(left);
  result += text;
  pad(right);
  return vm.str(result);
}

static int64_t missing(const Value& text, int64_t width) {
  return width - static_cast<int64_t>(str_of(text)->length);
}

static Value str_ljust(Interpreter& vm, const Value& self, int64_t width, const Value& fillchar) {
  int64_t pad = missing(self, width);
  std::string_view fill = fill_of(vm, fillchar);
  return pad <= 0 ? unchanged(vm, self) : padded(vm, text_of(self), 0, pad, fill);
}

static Value str_rjust(Interpreter& vm, const Value& self, int64_t width, const Value& fillchar) {
  int64_t pad = missing(self, width);
  std::string_view fill = fill_of(vm, fillchar);
  return pad <= 0 ? unchanged(vm, self) : padded(vm, text_of(self), pad, 0, fill);
}

static Value str_center(Interpreter& vm, const Value& self, const Value& width,
                        const Value& fillchar) {
  int64_t pad = missing(self, vm.to_index(width));
  std::string_view fill = fill_of(vm, fillchar);
  if (pad <= 0) return unchanged(vm, self);
  int64_t left = pad / 2 + (pad & vm.to_index(width) & 1);
  return padded(vm, text_of(self), left, pad - left, fill);
}

static Value str_zfill(Interpreter& vm, const Value& self, int64_t width) {
  std::string_view text = text_of(self);
  int64_t pad = missing(self, width);
  if (pad <= 0) return unchanged(vm, self);
  bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  vm.claim(static_cast<size_t>(pad), 3);
  std::string result(text.substr(0, sign));
  result.reserve(text.size() + static_cast<size_t>(pad));
  append_fill(vm, result, static_cast<size_t>(pad), '0');
  append_bytes(vm, result, text.substr(sign));
  return vm.str(result);
}

static Value str_expandtabs(Interpreter& vm, Str& self, int64_t tabsize) {
  int64_t column = 0;
  std::string result;
  each_code_point(vm, self.view(), [&](char32_t c, std::string_view bytes) {
    if (c == U'\t') {
      int64_t spaces = tabsize > 0 ? tabsize - column % tabsize : 0;
      append_fill(vm, result, static_cast<size_t>(spaces), ' ');
      column += spaces;
      return;
    }
    append_bytes(vm, result, bytes);
    column = c == U'\n' || c == U'\r' ? 0 : column + 1;
  });
  return vm.str(result);
}

static const Native kMethods[] = {
    {"center", "(self, width, fillchar=' ', /)", typed<str_center>, "Padded on both sides."},
    {"expandtabs", "(self, /, tabsize=8)", typed<str_expandtabs>, "With spaces for tabs."},
    {"ljust", "(self, width, fillchar=' ', /)", typed<str_ljust>, "Padded at the end."},
    {"rjust", "(self, width, fillchar=' ', /)", typed<str_rjust>, "Padded at the start."},
    {"zfill", "(self, width, /)", typed<str_zfill>, "Padded with zeros behind the sign."},
};

std::span<const Native> str_layout_methods() { return kMethods; }

}  // namespace gpy
