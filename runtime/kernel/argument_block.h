#pragma once

// What a generated kernel is called with.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/scalar.h"

namespace gpy::rt {

// The struct of arguments that a generated kernel takes by value, built field by field as bytes
// and, for a kernel not compiled yet, as text. Every field is aligned to 8 bytes.
class ArgumentBlock {
 public:
  explicit ArgumentBlock(bool with_text) : with_text_(with_text) {}

  // A field's name is `prefix` and `name`; pointers are to const elements where these are not
  // written.
  void add_int(std::string_view prefix, int64_t value, std::string_view name = {});
  void add_pointer(std::string_view prefix, std::string_view type, const void* pointer,
                   std::string_view name = {}, bool written = true);
  void add_number(std::string_view prefix, std::string_view type, const Scalar& value, DType dtype,
                  std::string_view name);
  void add_ints(std::string_view prefix, std::span<const int64_t> values,
                std::string_view name = {});

  const std::string& fields() const { return fields_; }
  std::span<const std::byte> bytes() const {
    return many_.empty() ? std::span(few_).first(size_) : std::span(many_);
  }

 private:
  void append(const void* data, size_t size);

  static constexpr size_t kUsualBytes = 256;

  bool with_text_;
  std::string fields_;
  size_t size_ = 0;
  alignas(8) std::array<std::byte, kUsualBytes> few_;  // all bytes, as long as they fit
  std::vector<std::byte> many_;                        // else these are all
};

}  // namespace gpy::rt
