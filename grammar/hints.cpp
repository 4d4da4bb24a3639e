#include "grammar/hints.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grammar/failure.h"
#include "grammar/scan.h"

namespace gpy::syntax {
namespace {

constexpr std::string_view kOperatorCharacters = "+-*/%@&|^~<>=!:";

// The token that ends at `end`.
Span token_before(const SourceFile& source, uint32_t end) {
  std::string_view text = source.text().substr(0, end);
  if (text.empty()) return {};
  size_t begin = text.size();
  auto is_word = [](char c) {
    return is_ascii_letter(c) || is_digit(c) || c == '_' || static_cast<signed char>(c) < 0;
  };
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  if (begin == text.size()) {
    while (begin > 0 && kOperatorCharacters.find(text[begin - 1]) != text.npos) --begin;
  }
  if (begin == text.size()) --begin;
  return {static_cast<uint32_t>(begin), end};
}

Span first_word(const SourceFile& source, uint32_t offset) {
  int line = source.line_of(offset);
  std::string_view text = source.line(line);
  size_t indent = std::min(text.find_first_not_of(" \t\f"), text.size());
  uint32_t begin = source.line_start(line) + static_cast<uint32_t>(indent);
  const char* at = text.data() + indent;
  auto length = skip_identifier(at, text.data() + text.size()) - at;
  return {begin, begin + static_cast<uint32_t>(length)};
}

template <size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr auto kBeforeNames = std::to_array<std::string_view>(
    {"def", "class", "as", "import", "from", "global", "nonlocal", ".", "lambda"});
constexpr auto kValueWords =
    std::to_array<std::string_view>({"None", "True", "False", "not", "lambda", "yield", "await"});
// Words that a value must follow.
constexpr auto kBeforeValues = std::to_array<std::string_view>(
    {"and", "or", "not", "in", "is", "if", "elif", "while", "assert", "del", "else", "with"});

Advice keyword_as_name(const Scene& scene, Span word) {
  return {fmt::format("'{}' is a keyword; choose another name, such as '{}_'", scene.text(word),
                      scene.text(word)),
          word};
}

bool assigns(std::string_view rest) {
  size_t at = rest.find_first_not_of(" \t");
  return at != rest.npos && rest[at] == '=' && rest.substr(at, 2) != "==";
}

// `class = 1`, `def class():`, `f(class=1)`, `x.class`.
std::optional<Advice> find_keyword_as_name(const Scene& scene) {
  auto word = scene.text(scene.token), before = scene.text(scene.before);
  if (word == "=" && is_keyword(before) && !among(before, kValueWords)) {
    return keyword_as_name(scene, scene.before);
  }
  if (!is_keyword(word)) return std::nullopt;
  bool names = among(before, kBeforeNames) || assigns(scene.rest_of_line(scene.token.end)) ||
               (scene.text(scene.first) == "def" && (before == "(" || before == ","));
  return names ? std::optional(keyword_as_name(scene, scene.token)) : std::nullopt;
}

// `else` and other clauses without an open statement that they belong to.
std::optional<Advice> find_lone_clause(const Scene& scene) {
  constexpr std::pair<std::string_view, std::string_view> kClauses[] = {
      {"elif", "'if'"},
      {"else", "'if', 'for', 'while' or 'try'"},
      {"except", "'try'"},
      {"finally", "'try'"}};
  if (!scene.is_first()) return std::nullopt;
  for (auto [word, heads] : kClauses) {
    if (scene.text(scene.token) != word) continue;
    return Advice{fmt::format("'{}' must stand as deep as the {} it belongs to", word, heads), {}};
  }
  return std::nullopt;
}

// Syntax of Python that gpy does not have: `*args: *Ts`, `import a . b`.
std::optional<Advice> find_left_out(const Scene& scene) {
  auto token = scene.text(scene.token), first = scene.text(scene.first);
  if (first == "def" && token == "*" && scene.text(scene.before) == ":") {
    return Advice{"gpy has no unpacking in annotations; leave the annotation out", {}};
  }
  bool is_import = first == "import" || first == "from";
  if (is_import && token == "." && is_ascii_letter(scene.text(scene.before)[0])) {
    return Advice{"the name of a module has no blanks around its dots", {}};
  }
  return std::nullopt;
}

// `global x = 1`.
std::optional<Advice> find_declared_value(const Scene& scene) {
  auto first = scene.text(scene.first);
  bool is_declaration = first == "global" || first == "nonlocal";
  if (!is_declaration || scene.text(scene.token) != "=") return std::nullopt;
  return Advice{"assign on a line of its own", {}};
}

std::optional<Advice> find_else_if(const Scene& scene) {
  if (scene.text(scene.before) != "else" || scene.text(scene.token) != "if") return std::nullopt;
  return Advice{"write 'elif'", {}};
}

// `import a from b`.
std::optional<Advice> find_turned_import(const Scene& scene) {
  bool is_turned = scene.text(scene.first) == "import" && scene.text(scene.token) == "from";
  if (!is_turned) return std::nullopt;
  return Advice{"write 'from MODULE import NAME'", {}};
}

// `a not b`.
std::optional<Advice> find_lone_not(const Scene& scene) {
  if (scene.text(scene.token) != "not" || scene.value.begin == scene.value.end) return std::nullopt;
  return Advice{"write 'not in', 'is not' or '!='", {}};
}

bool ends_value(char c) { return c == '\n' || is_closer(c) || c == ',' || c == ':'; }

// Finds a missing value: after an operator, `=` or a comma.
std::optional<Advice> find_missing_value(const Scene& scene) {
  bool at_end = scene.token.begin == scene.token.end;
  char next = at_end ? '\n' : scene.text(scene.token)[0];
  auto before = scene.text(scene.before);
  bool is_operator = !before.empty() && kOperatorCharacters.find(before[0]) != before.npos;
  if (before.empty() || !(is_operator || among(before, kBeforeValues))) return std::nullopt;
  bool is_clause = before == "else" && scene.before.begin == scene.first.begin;
  if (before == ":" || is_clause || is_keyword(scene.text(scene.token))) return std::nullopt;
  if (ends_value(next)) return Advice{fmt::format("a value is missing after '{}'", before), {}};
  if (!is_operator || kOperatorCharacters.find(next) == before.npos) return std::nullopt;
  return Advice{
      fmt::format("a value is missing between '{}' and '{}'", before, scene.text(scene.token)), {}};
}

// `from a import`, `import a as`.
std::optional<Advice> find_missing_name(const Scene& scene) {
  auto before = scene.text(scene.before);
  bool wants_name = among(before, kBeforeNames) && before != "lambda";
  if (!wants_name || is_keyword(scene.text(scene.token))) return std::nullopt;
  return Advice{fmt::format("a name is missing after '{}'", before), {}};
}

// `ur"..."`.
std::optional<Advice> find_prefix(const Scene& scene) {
  auto token = scene.text(scene.token);
  bool is_string = !token.empty() && (token[0] == '"' || token[0] == '\'');
  bool is_prefixed = is_string && scene.before.end == scene.token.begin &&
                     scene.before.begin == scene.value.begin && scene.value.end > scene.value.begin;
  if (!is_prefixed || !is_ascii_letter(scene.text(scene.before)[0])) return std::nullopt;
  return Advice{fmt::format("the prefixes of strings are r, b, f, u, rb and rf, not {}",
                            scene.text(scene.before)),
                scene.before};
}

std::optional<Advice> find_empty_place(const Scene& scene) {
  auto token = scene.text(scene.token), before = scene.text(scene.before);
  if (token == ";" && (before == ";" || scene.is_first())) {
    return Advice{"a statement is missing before ';'", {}};
  }
  bool is_open = before == "," || (!before.empty() && is_opener(before[0]));
  if (token != "," || !is_open) return std::nullopt;
  return Advice{"a value is missing before ','", {}};
}

std::optional<Advice> find_first_for(const Scene& scene) {
  auto before = scene.text(scene.before);
  bool is_first = !before.empty() && is_opener(before[0]);
  if (scene.text(scene.token) != "for" || !is_first) return std::nullopt;
  return Advice{"a comprehension begins with its value: VALUE for NAME in VALUES", {}};
}

// ---- characters that look like others ----

struct LookAlike {
  char32_t code;
  const char* write;
};

constexpr LookAlike kLookAlikes[] = {
    {0x00D7, "*"},   {0x00F7, "/"},   {0x2010, "-"},  {0x2011, "-"},      {0x2012, "-"},
    {0x2013, "-"},   {0x2014, "-"},   {0x2018, "'"},  {0x2019, "'"},      {0x201A, "'"},
    {0x201B, "'"},   {0x201C, "\""},  {0x201D, "\""}, {0x201E, "\""},     {0x201F, "\""},
    {0x00AB, "\""},  {0x00BB, "\""},  {0x00B4, "'"},  {0x2032, "'"},      {0x2033, "\""},
    {0x2044, "/"},   {0x2212, "-"},   {0x2215, "/"},  {0x2217, "*"},      {0x22C5, "*"},
    {0x00B7, "*"},   {0x2260, "!="},  {0x2264, "<="}, {0x2265, ">="},     {0x2026, "..."},
    {0x2192, "->"},  {0x00AC, "not"}, {0x2208, "in"}, {0x2209, "not in"}, {0x2227, "and"},
    {0x2228, "or"},  {0x3001, ","},   {0x3002, "."},  {0x2236, ":"},      {0x00B2, "**2"},
    {0x00B3, "**3"}, {0x221A, "sqrt"}};

bool is_blank_look_alike(char32_t code) {
  return code == 0xA0 || (code >= 0x2000 && code <= 0x200A) || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

// ---- misspelt words ----

// The number of letters to insert, delete, change or exchange with a neighbour; more than 1 is 2.
int distance(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return 2;
  size_t same = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  auto rest = [same](std::string_view word, size_t skip) {
    return word.substr(std::min(same + skip, word.size()));
  };
  if (a.size() < b.size()) return rest(a, 0) == rest(b, 1) ? 1 : 2;
  if (same == a.size()) return 0;
  if (rest(a, 1) == rest(b, 1)) return 1;
  bool is_exchanged = same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same];
  return is_exchanged && rest(a, 2) == rest(b, 2) ? 1 : 2;
}

// Words of two letters are close to too many others, so they must have the same letters.
bool is_near(std::string_view word, std::string_view keyword, int far) {
  if (distance(word, keyword) != far) return false;
  if (keyword.size() > 2 && word.size() > 1) return true;
  return word.size() == keyword.size() && (word == keyword || word[0] == keyword[1]);
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

constexpr auto kMisspelt = std::to_array<std::string_view>(
    {"and",       "as",     "assert",  "break",   "class",    "continue", "def",    "del",
     "elif",      "else",   "except",  "finally", "for",      "from",     "global", "if",
     "import",    "in",     "is",      "lambda",  "nonlocal", "not",      "or",     "pass",
     "raise",     "return", "try",     "while",   "with",     "yield",    "kernel", "elementwise",
     "reduction", "scan",   "stencil", "raw"});

}  // namespace

bool is_misspelling(std::string_view word, std::string_view meant) {
  return is_near(word, meant, 1);
}

std::string_view Scene::rest_of_line(uint32_t offset) const {
  std::string_view rest = source.text().substr(offset);
  return rest.substr(0, rest.find('\n'));
}

Scene make_scene(const SourceFile& source, uint32_t offset, uint32_t token_end) {
  Span token = token_at(source, offset);
  Span before = token_before(source, std::min(token_end, token.begin));
  return {source, token, before, first_word(source, token.begin), {}, false};
}

std::optional<Advice> find_slip(const Scene& scene) {
  for (auto find : {find_else_if, find_left_out, find_declared_value, find_lone_clause,
                    find_turned_import, find_keyword_as_name, find_lone_not, find_empty_place,
                    find_first_for, find_prefix, find_missing_name, find_missing_value}) {
    if (auto advice = find(scene)) return advice;
  }
  return std::nullopt;
}

std::string look_alike_hint(char32_t code) {
  auto found = std::find_if(std::begin(kLookAlikes), std::end(kLookAlikes),
                            [code](const LookAlike& each) { return each.code == code; });
  if (found != std::end(kLookAlikes)) return fmt::format("write {}", found->write);
  if (code >= 0xFF01 && code <= 0xFF5E) {
    return fmt::format("write {}", static_cast<char>(code - 0xFF01 + '!'));
  }
  if (is_blank_look_alike(code)) return "it looks like a blank: write a plain one";
  return is_printable(code) ? "" : "delete it: it cannot be seen";
}

std::vector<std::string_view> near_keywords(std::string_view word) {
  std::vector<std::string_view> near;
  std::string plain = lower(word);
  for (int far = 0; far <= 1; ++far) {
    for (std::string_view keyword : kMisspelt) {
      if (near.size() < 3 && keyword != word && is_near(plain, keyword, far))
        near.push_back(keyword);
    }
  }
  return near;
}

bool ends_with_colon(const SourceFile& source, int line) {
  auto text = source.line(line);
  text = text.substr(0, text.find('#'));
  size_t last = text.find_last_not_of(" \t\f");
  return last != text.npos && text[last] == ':';
}

bool is_match_statement(const Scene& scene) {
  if (scene.text(scene.first) != "match") return false;
  int line = scene.source.line_of(scene.token.begin);
  if (!ends_with_colon(scene.source, line) || line == scene.source.line_count()) return false;
  auto next = scene.source.line(line + 1);
  size_t indent = next.find_first_not_of(" \t\f");
  return indent != next.npos && next.substr(indent).starts_with("case");
}

}  // namespace gpy::syntax
