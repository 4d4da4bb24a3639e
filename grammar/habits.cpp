// Habits of other languages and of older Pythons: recognises them in the text around a failure,
// and says what to write instead.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "grammar/failure.h"
#include "grammar/hints.h"
#include "grammar/scan.h"

namespace gpy::syntax {
namespace {

using std::operator""sv;

struct Replacement {
  std::string_view habit;
  std::string_view hint;
};

// Longer entries first. An entry applies where it ends at the failing token or covers its start.
constexpr Replacement kOperators[] = {
    {"===", "write '=='"},
    {"!==", "write '!='"},
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"<>", "write '!='"},
    {"=>", "a function without a name is 'lambda NAMES: VALUE'"},
    {"->", "a function without a name is 'lambda NAMES: VALUE'"},
    {"??", "write 'a if a is not None else b'"},
    {"::", "write '.'"},
    {"/*", "a comment begins with '#'"},
    {"`", "a string stands in ' or \""},
    {"$", "names are made of letters, digits and '_'"},
    {"!", "write 'not'"},
};

// Words that begin a statement in other languages.
constexpr Replacement kWords[] = {
    {"elseif", "write 'elif'"},
    {"elsif", "write 'elif'"},
    {"function", "write 'def'"},
    {"func", "write 'def'"},
    {"fn", "write 'def'"},
    {"fun", "write 'def'"},
    {"sub", "write 'def'"},
    {"foreach", "write 'for NAME in VALUES:'"},
    {"catch", "write 'except'"},
    {"throw", "write 'raise'"},
    {"struct", "write 'class'"},
    {"unless", "write 'if not'"},
    {"until", "write 'while not'"},
    {"switch", "write 'if', 'elif' and 'else'"},
    {"do", "write 'while True:' and leave it with 'break'"},
    {"using", "write 'import'"},
    {"include", "write 'import'"},
    {"require", "write 'import'"},
};

constexpr auto kDeclarations = std::to_array<std::string_view>(
    {"let", "var", "const", "auto", "int", "long", "float", "double", "bool", "char", "string",
     "unsigned", "local", "my"});

constexpr auto kBlockWords = std::to_array<std::string_view>(
    {"if", "elif", "else", "for", "while", "def", "class", "try", "except", "finally", "with"});

template <class Range> bool contains(const Range& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t;") - first + 1);
}

// The place where `habit` covers the beginning of the failing token, or ends just before it.
std::optional<Span> find_around(const Scene& scene, std::string_view habit) {
  std::string_view text = scene.source.text();
  size_t length = habit.size(), at = scene.token.begin;
  for (size_t back = length; back-- > 0;) {
    if (back > at || text.substr(at - back, length) != habit) continue;
    auto begin = static_cast<uint32_t>(at - back);
    return Span{begin, begin + static_cast<uint32_t>(length)};
  }
  return std::nullopt;
}

bool is_in_lambda(const Scene& scene) {
  uint32_t line = scene.source.line_start(scene.source.line_of(scene.token.begin));
  return scene.text({line, scene.token.begin}).find("lambda ") != std::string_view::npos;
}

// `!ls`, as in IPython.
std::optional<Advice> find_shell_command(const Scene& scene) {
  if (scene.text(scene.token) != "!" || !scene.is_first()) return std::nullopt;
  return Advice{"gpy runs no commands of the shell", {}};
}

std::optional<Advice> find_operator(const Scene& scene) {
  for (const Replacement& each : kOperators) {
    if (each.habit == "->" && is_in_lambda(scene)) continue;
    if (each.habit == "::" && scene.is_bracketed) continue;  // may be part of a slice
    if (auto place = find_around(scene, each.habit)) return Advice{std::string(each.hint), place};
  }
  return std::nullopt;
}

// `i++`, `i--`: the signs are read as the beginning of an operand that does not come.
std::optional<Advice> find_increment(const Scene& scene) {
  std::string_view text = scene.source.text().substr(0, scene.before.end);
  if (!text.ends_with("++") && !text.ends_with("--")) return std::nullopt;
  uint32_t begin = scene.before.end - 2;
  uint32_t line = scene.source.line_start(scene.source.line_of(begin));
  auto target = trimmed(scene.text({line, begin}));
  bool is_simple = !target.empty() && target.find_first_of(" =(,") == target.npos;
  return Advice{fmt::format("write '{} {}= 1'", is_simple ? target : "NAME", text.back()),
                Span{begin, scene.before.end}};
}

// `a ? b : c`, and `a?` as at the prompt.
std::optional<Advice> find_ternary(const Scene& scene) {
  bool has_value = scene.value.begin < scene.value.end;
  if (scene.text(scene.token) != "?" || !has_value) return std::nullopt;
  auto rest = scene.rest_of_line(scene.token.begin + 1);
  if (rest.find_first_not_of(" \t\r\n?;") == rest.npos) {
    return Advice{fmt::format("write 'help({})': NAME? is for the prompt", scene.text(scene.value)),
                  {}};
  }
  size_t colon = rest.find(':');
  bool is_plain = colon != rest.npos && rest.find_first_of("()[]{}?'\":#,", colon + 1) == rest.npos;
  if (!is_plain) {
    return Advice{"write 'VALUE if CONDITION else OTHER'", {}};
  }
  return Advice{fmt::format("write '{} if {} else {}'", trimmed(rest.substr(0, colon)),
                            scene.text(scene.value), trimmed(rest.substr(colon + 1))),
                {}};
}

// `x := 1` as a statement.
std::optional<Advice> find_walrus(const Scene& scene) {
  bool is_statement = scene.text(scene.token) == ":=" && !scene.is_bracketed &&
                      scene.value.begin == scene.first.begin;
  if (!is_statement) return std::nullopt;
  return Advice{fmt::format("a statement assigns with '=': {} = ...", scene.text(scene.value)), {}};
}

// `// text` at the beginning of a line or after a statement.
std::optional<Advice> find_comment(const Scene& scene) {
  uint32_t line = scene.source.line_start(scene.source.line_of(scene.token.begin));
  auto until = scene.text({line, scene.token.end});
  size_t slashes = until.find("//");
  if (slashes == until.npos) return std::nullopt;
  uint32_t begin = line + static_cast<uint32_t>(slashes);
  bool is_start = begin == scene.token.begin;
  bool has_words = scene.value.end > begin && is_ascii_letter(until.back());
  if (!is_start && !has_words) return std::nullopt;
  return Advice{"a comment begins with '#'", Span{begin, begin + 2}};
}

// `if (x) {`, `} else {`.
std::optional<Advice> find_braces(const Scene& scene) {
  bool begins_block =
      contains(kBlockWords, scene.text(scene.first)) ||
      std::any_of(std::begin(kWords), std::end(kWords),
                  [&](const Replacement& each) { return each.habit == scene.text(scene.first); });
  if (scene.text(scene.token) != "{" || !begins_block) return std::nullopt;
  if (!trimmed(scene.rest_of_line(scene.token.end)).empty()) return std::nullopt;
  return Advice{"a block begins with ':' and is indented; it has no braces", {}};
}

// `switch x:`, `function f(x):`.
std::optional<Advice> find_word(const Scene& scene) {
  auto rest = trimmed(scene.rest_of_line(scene.first.end));
  bool is_statement = rest.empty() || rest[0] == '(' || rest[0] == ':' || rest[0] == '{' ||
                      rest[0] == '"' || rest[0] == '<' || rest[0] == '-' ||
                      skip_identifier(rest.data(), rest.data() + rest.size()) != rest.data();
  if (!is_statement) return std::nullopt;
  for (const Replacement& each : kWords) {
    if (each.habit == scene.text(scene.first)) return Advice{std::string(each.hint), scene.first};
  }
  return std::nullopt;
}

// `int x = 3;`, `let x = 3`.
std::optional<Advice> find_declaration(const Scene& scene) {
  bool is_declared = contains(kDeclarations, scene.text(scene.first)) &&
                     scene.before.begin == scene.first.begin &&
                     is_ascii_letter(scene.text(scene.token)[0]);
  if (!is_declared) return std::nullopt;
  auto rest = trimmed(scene.rest_of_line(scene.token.begin));
  return Advice{fmt::format("names are not declared: write '{}'", rest), scene.first};
}

std::optional<Advice> find_then(const Scene& scene) {
  auto word = scene.text(scene.token);
  bool is_then = word == "then" || word == "do";
  if (!is_then || !contains(kBlockWords, scene.text(scene.first))) return std::nullopt;
  return Advice{fmt::format("write ':' for '{}'", word), {}};
}

std::optional<Advice> find_new(const Scene& scene) {
  if (scene.text(scene.before) != "new" || scene.text(scene.value) != "new") return std::nullopt;
  return Advice{"write the call without 'new'", scene.before};
}

// `raise E, "text"` of Python 2.
std::optional<Advice> find_old_raise(const Scene& scene) {
  if (scene.text(scene.first) != "raise" || scene.text(scene.token) != ",") return std::nullopt;
  auto kind = trimmed(scene.text({scene.first.end, scene.token.begin}));
  auto rest = trimmed(scene.rest_of_line(scene.token.end));
  return Advice{fmt::format("write 'raise {}({})'", kind, rest), {}};
}

// `for (int i = 0; i < n; i++)`.
std::optional<Advice> find_counting_loop(const Scene& scene) {
  if (scene.text(scene.first) != "for") return std::nullopt;
  auto rest = trimmed(scene.rest_of_line(scene.first.end));
  if (!rest.starts_with('(') || rest.find(';') == rest.npos) return std::nullopt;
  return Advice{"a loop that counts is 'for i in range(n):'", scene.first};
}

}  // namespace

std::optional<Advice> find_habit(const Scene& scene) {
  if (scene.token.begin == scene.token.end) {
    auto advice = find_increment(scene);
    return advice ? advice : find_word(scene);
  }
  for (auto find : {find_counting_loop, find_ternary, find_walrus, find_then, find_new,
                    find_old_raise, find_braces, find_word, find_declaration, find_comment,
                    find_shell_command, find_operator, find_increment}) {
    if (auto advice = find(scene)) return advice;
  }
  return std::nullopt;
}

}  // namespace gpy::syntax
