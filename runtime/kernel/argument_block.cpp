#include "runtime/kernel/argument_block.h"

#include <fmt/format.h>

#include <cstring>

namespace gpy::rt {

void ArgumentBlock::append(const void* data, size_t size) {
  const size_t at = size_;
  size_ += (size + 7) / 8 * 8;
  if (size_ > few_.size()) {
    if (many_.empty()) many_.assign(few_.begin(), few_.begin() + at);
    many_.resize(size_);
  }
  std::byte* const to = (many_.empty() ? few_.data() : many_.data()) + at;
  std::memcpy(to, data, size);
  std::memset(to + size, 0, size_ - at - size);
}

void ArgumentBlock::add_int(std::string_view prefix, int64_t value, std::string_view name) {
  if (with_text_) fields_ += fmt::format("  alignas(8) long long {}{};\n", prefix, name);
  append(&value, sizeof(value));
}

void ArgumentBlock::add_pointer(std::string_view prefix, std::string_view type, const void* pointer,
                                std::string_view name, bool written) {
  if (with_text_) {
    fields_ +=
        fmt::format("  alignas(8) {}{}* {}{};\n", written ? "" : "const ", type, prefix, name);
  }
  append(&pointer, sizeof(pointer));
}

void ArgumentBlock::add_number(std::string_view prefix, std::string_view type, const Scalar& value,
                               DType dtype, std::string_view name) {
  if (with_text_) fields_ += fmt::format("  alignas(8) {} {}{};\n", type, prefix, name);
  std::byte bytes[16] = {};
  value.store(dtype, bytes);
  append(bytes, item_size(dtype));
}

void ArgumentBlock::add_ints(std::string_view prefix, std::span<const int64_t> values,
                             std::string_view name) {
  if (values.empty()) return;
  if (with_text_) {
    fields_ += fmt::format("  alignas(8) long long {}{}[{}];\n", prefix, name, values.size());
  }
  append(values.data(), values.size_bytes());
}

}  // namespace gpy::rt
