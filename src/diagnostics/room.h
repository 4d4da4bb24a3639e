#pragma once
// How much a report shows. It is copied several times, and nobody reads more.

#include <cstddef>
#include <string>
#include <string_view>

namespace gpy {

// The begin of a text, of at most so many bytes and whole characters, and how many are missing.
std::string cut_to_show(std::string text, size_t most);

// Bytes that the texts of a report have together.
class Room {
 public:
  static constexpr size_t kMost = 1 << 20;
  // What fits, but some of it in any case.
  std::string cut(std::string text);
  // All of it where it fits, nothing otherwise.
  std::string whole(std::string_view text);
  bool is_spent() const { return left_ == 0; }

 private:
  size_t left_ = kMost;
};

}  // namespace gpy
