#include "src/suggest.h"

#include <algorithm>
#include <cctype>
#include <climits>

namespace gpy {

// Weights as CPython has them: an edit costs 2, a change of case 1.
static constexpr int kMove = 2;
static constexpr int kCase = 1;

static int substitution(char a, char b) {
  if (a == b) return 0;
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? kCase : kMove;
}

static int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j) * kMove;
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) * kMove;
    for (size_t j = 1; j <= b.size(); ++j) {
      int replaced = diagonal + substitution(a[i - 1], b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + kMove, row[j - 1] + kMove});
    }
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view wrong, const std::vector<std::string_view>& words) {
  if (wrong.size() > 40) return "";
  int best = INT_MAX;
  std::string_view nearest;
  for (std::string_view word : words) {
    if (word == wrong || word.size() > 40) continue;
    int limit = std::min(best - 1, static_cast<int>(wrong.size() + word.size() + 3) * kMove / 6);
    int distance = edit_distance(wrong, word);
    if (distance > limit) continue;
    best = distance;
    nearest = word;
  }
  return std::string(nearest);
}

}  // namespace gpy
