#pragma once
// The limit of a report's size. A report is copied several times, and nobody reads more.

#include <cstddef>
#include <string>
#include <string_view>

namespace gpy {

// The beginning of a text, at most so many bytes of whole characters, and how many are missing.
std::string cut_to_show(std::string text, size_t most);

// The bytes that all texts of a report share.
class Room {
 public:
  static constexpr size_t kMost = 1 << 20;
  // The part of a text that fits, but some of it in any case.
  std::string cut(std::string text);
  // The whole text where it fits, nothing otherwise.
  std::string whole(std::string_view text);
  bool is_spent() const { return left_ == 0; }

 private:
  size_t left_ = kMost;
};

}  // namespace gpy
