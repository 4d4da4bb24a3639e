#include "src/text/suggest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <utility>

namespace gpy {

// CPython's weights: an edit costs 2, a change of case 1.
static constexpr int kMove = 2;
static constexpr int kCase = 1;

static int substitution(char a, char b) {
  if (a == b) return 0;
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? kCase : kMove;
}

static int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before, above, row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j) * kMove;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = static_cast<int>(i) * kMove;
    for (size_t j = 1; j <= b.size(); ++j) {
      int replaced = above[j - 1] + substitution(a[i - 1], b[j - 1]);
      row[j] = std::min({replaced, above[j] + kMove, row[j - 1] + kMove});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + kMove);
    }
  }
  return row[b.size()];
}

// The underscores around a special name do not count for its distance to others.
static std::string_view core(std::string_view word) {
  while (word.starts_with('_')) word.remove_prefix(1);
  while (word.ends_with('_')) word.remove_suffix(1);
  return word;
}

static int farthest(std::string_view a, std::string_view b) {
  return static_cast<int>(core(a).size() + core(b).size() + 3) * kMove / 6;
}

static std::string sorted_letters(std::string_view word) {
  std::string letters(word);
  for (char& c : letters) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::sort(letters.begin(), letters.end());
  return letters;
}

std::string nearest_word(std::string_view wrong, const std::vector<std::string_view>& words) {
  if (wrong.size() > 40) return "";
  int best = INT_MAX;
  std::string_view nearest;
  for (std::string_view word : words) {
    if (word == wrong || word.size() > 40) continue;
    int limit = std::min(best - 1, farthest(wrong, word));
    int distance = edit_distance(wrong, word);
    if (distance > limit) continue;
    best = distance;
    nearest = word;
  }
  return std::string(nearest);
}

std::string nearest_member(std::string_view wrong, const std::vector<std::string_view>& members) {
  constexpr size_t kShort = 3;
  if (wrong.size() > kShort) return nearest_word(wrong, members);
  std::vector<std::string_view> alike;
  for (std::string_view each : members) {
    if (sorted_letters(each) == sorted_letters(wrong)) alike.push_back(each);
  }
  return nearest_word(wrong, alike);
}

std::string did_you_mean(std::string_view word) {
  return word.empty() ? "" : fmt::format("Did you mean: '{}'?", word);
}

}  // namespace gpy
