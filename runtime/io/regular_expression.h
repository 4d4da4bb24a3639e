#pragma once

// Regular expressions by the system's PCRE2 (BSD-3-Clause), which reads what Python's `re` reads
// but for rare forms. It is opened when it is first needed, and an error says so where there is
// none.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

struct pcre2_real_code_8;

namespace gpy::rt {

class RegularExpression {
 public:
  // What pattern and texts are made of: characters of UTF-8, or bytes of which ASCII's have a kind.
  enum class Units : uint8_t { kCharacters, kBytes };
  // ValueError, with the place, for a pattern that is none.
  explicit RegularExpression(std::string_view pattern, Units units = Units::kCharacters);
  RegularExpression(const RegularExpression&) = delete;
  RegularExpression& operator=(const RegularExpression&) = delete;
  ~RegularExpression();

  // Calls found(texts) for each match in a text, from left to right, none over another:
  // the whole match first, then its groups; a group that took no part is empty. ValueError where
  // a match takes too many steps.
  using Found = std::function<void(std::span<const std::string_view>)>;
  void for_each_match(std::string_view text, const Found& found) const;

 private:
  pcre2_real_code_8* code_ = nullptr;
};

}  // namespace gpy::rt
