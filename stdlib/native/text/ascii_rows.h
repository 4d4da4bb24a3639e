#pragma once
// Rows of text (row_loop.h) from ASCII that C++ writes, and rows as UTF-8 for C++ to read.

#include "src/objects/utf8.h"
#include "stdlib/native/text/row_loop.h"

namespace gpy::lib {

template <class Unit, class Write>
void write_ascii_rows(Interpreter& vm, Unit* out, int64_t count, size_t width, Write&& write) {
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < count; ++i) {
    poll.step();
    const std::string_view text = write(i);
    const size_t size = std::min(text.size(), width);
    std::fill(std::copy_n(text.data(), size, out), out + width, Unit{0});
    out += width;
  }
}

// Rows of a width, of code points or bytes; write(i) gives the i-th text as a std::string_view.
template <class Write>
Value ascii_rows(Interpreter& vm, rt::Dims shape, int64_t width, bool of_bytes, Write&& write) {
  const int64_t count = rt::element_count(shape);
  shape.push_back(checked_width(vm, width));
  auto fill = [&](std::byte* memory) {
    const auto units = static_cast<size_t>(width);
    if (of_bytes) {
      return write_ascii_rows(vm, reinterpret_cast<char*>(memory), count, units, write);
    }
    write_ascii_rows(vm, reinterpret_cast<char32_t*>(memory), count, units, write);
  };
  const rt::DType dtype = of_bytes ? rt::DType::kUInt8 : rt::DType::kUInt32;
  return wrap_array(vm, rt::make_filled(session(vm), dtype, shape, rt::Space::host(), fill));
}

inline std::string_view as_utf8(TextView<char> text, std::string&) { return text; }
inline std::string_view as_utf8(TextView<char32_t> text, std::string& buffer) {
  buffer.clear();
  for (char32_t c : text) {
    if (c < 128) {
      buffer.push_back(static_cast<char>(c));
    } else {
      append_utf8(buffer, c);
    }
  }
  return buffer;
}

}  // namespace gpy::lib
