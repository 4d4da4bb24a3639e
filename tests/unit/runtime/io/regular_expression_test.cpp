#include "runtime/io/regular_expression.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io_cases.h"

namespace gpy::rt {
namespace {

using io_test::error_of;

std::vector<std::string> matches(std::string_view pattern, std::string_view text) {
  std::vector<std::string> all;
  RegularExpression(pattern).for_each_match(text, [&](std::span<const std::string_view> found) {
    std::string one;
    for (const std::string_view each : found) one.append(each).append("|");
    all.push_back(one);
  });
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("regular expression: matches from left to right, with their groups") {
  CHECK(matches(R"((\d+)(x)?)", "12 7x") == Texts{"12|12||", "7x|7|x|"});
  CHECK(matches("é+", "aéé") == Texts{"éé|"});
  CHECK(matches("a", "").empty());
}

TEST_CASE(
    "regular expression: an empty match is followed by what is not empty there, if anything") {
  CHECK(matches("x*", "xax") == Texts{"x|", "|", "x|", "|"});
  CHECK(matches("", "é") == Texts{"|", "|"});
  CHECK(matches("(?<=a)|b", "ab") == Texts{"|", "b|"});
}

TEST_CASE("regular expression: a match that a \\K moves back ends the search") {
  CHECK(matches(R"((?(DEFINE)(?<s>ab\K))(?=(?&s)))", "abab").size() <= 2);
}

TEST_CASE("regular expression: bytes are no characters") {
  std::vector<std::string> found;
  RegularExpression(R"(\S+)", RegularExpression::Units::kBytes)
      .for_each_match("\xe9\xa0 b", [&](std::span<const std::string_view> texts) {
        found.emplace_back(texts[0]);
      });
  CHECK(found == Texts{"\xe9\xa0", "b"});
}

TEST_CASE("regular expression: what is none, and what takes too long, is told") {
  CHECK(error_of([] { RegularExpression("a(b"); }) ==
        "no regular expression: missing closing parenthesis at position 3");
  CHECK(error_of([] {
          matches("(a+)+[cd]", std::string(60, 'a') + "b");
        }).find("match limit exceeded") != std::string::npos);
  CHECK(error_of([] { matches("a", "\xff"); }).find("UTF-8") != std::string::npos);
}

}  // namespace gpy::rt
