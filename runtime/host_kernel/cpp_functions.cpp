#include "runtime/host_kernel/cpp_functions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

// Functions of C++ and CUDA that compute a value.
constexpr std::string_view kPure[] = {"min",
                                      "max",
                                      "abs",
                                      "fabs",
                                      "fabsf",
                                      "sqrt",
                                      "sqrtf",
                                      "floor",
                                      "floorf",
                                      "ceil",
                                      "ceilf",
                                      "log2",
                                      "log2f",
                                      "exp2",
                                      "exp2f",
                                      "pow",
                                      "powf",
                                      "exp",
                                      "expf",
                                      "log",
                                      "logf",
                                      "sin",
                                      "sinf",
                                      "cos",
                                      "cosf",
                                      "fma",
                                      "fmaf",
                                      "fmin",
                                      "fmax",
                                      "fminf",
                                      "fmaxf",
                                      "__clz",
                                      "__ffs",
                                      "__popc",
                                      "make_float2",
                                      "make_float3",
                                      "make_float4",
                                      "make_int2",
                                      "make_int3",
                                      "make_int4",
                                      "_gpy_dynamic_shared"};

constexpr std::string_view kTypes[] = {"void",    "bool",     "char",     "short",   "int",
                                       "long",    "unsigned", "signed",   "float",   "double",
                                       "size_t",  "int8_t",   "int16_t",  "int32_t", "int64_t",
                                       "uint8_t", "uint16_t", "uint32_t", "uint64_t"};

// Beside the kinds of types: what no expression calls, though a bracket follows.
constexpr std::string_view kKeywords[] = {"if",
                                          "else",
                                          "for",
                                          "while",
                                          "do",
                                          "switch",
                                          "case",
                                          "default",
                                          "return",
                                          "break",
                                          "continue",
                                          "sizeof",
                                          "alignof",
                                          "alignas",
                                          "decltype",
                                          "static_cast",
                                          "const",
                                          "constexpr",
                                          "volatile",
                                          "typename",
                                          "template",
                                          "struct",
                                          "class",
                                          "union",
                                          "enum",
                                          "using",
                                          "namespace",
                                          "typedef",
                                          "static",
                                          "inline",
                                          "extern",
                                          "operator",
                                          "new",
                                          "delete",
                                          "throw",
                                          "try",
                                          "catch",
                                          "noexcept",
                                          "static_assert",
                                          "__attribute__",
                                          "__launch_bounds__",
                                          "goto",
                                          "true",
                                          "false",
                                          "nullptr",
                                          "this",
                                          "reinterpret_cast",
                                          "const_cast"};

// What waits for other threads, or tells one from another.
constexpr std::string_view kMeetings[] = {
    "__sync",     "__shfl",   "__ballot",  "__any",        "__all",
    "__uni_sync", "__match_", "__reduce_", "__activemask", "cooperative_groups"};
constexpr std::string_view kOwn[] = {"_gpy_dynamic_shared", "_gpy_many", "_gpy_dynamic"};

template <class List> bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

bool depends_by_itself(std::string_view word) {
  if (word == "threadIdx" || word == "asm" || word == "__asm__" || word == "__nanosleep" ||
      word == "thread_rank" || word == "this_thread_block")
    return true;
  if (word.starts_with("_gpy_"))
    return !contains(kOwn, word) && !word.starts_with("_gpy_kernel_") && word != "_gpy_words";
  return std::ranges::any_of(kMeetings,
                             [&](std::string_view each) { return word.starts_with(each); });
}

// One past what may stand between a function's parentheses and its body; -1 where none follows.
int body_after(const CppTokens& tokens, int close) {
  int i = close + 1;
  while (tokens.at(i) == "const" || tokens.at(i) == "noexcept" || tokens.at(i) == "override") ++i;
  if (tokens.at(i) == "->") {
    while (i < tokens.count() && tokens.at(i) != "{" && tokens.at(i) != ";")
      i = tokens.at(i) == "(" ? tokens[i].match + 1 : i + 1;
  }
  while (tokens.at(i) == ":" || (tokens.at(i) == "," && i > close + 1)) {
    for (++i; i < tokens.count() && tokens.at(i) != "(" && tokens.at(i) != "{";) {
      if (tokens.at(i) == ";" || tokens.at(i) == "}") return -1;
      ++i;
    }
    if (i >= tokens.count()) return -1;
    i = tokens[i].match + 1;
    if (tokens.at(i) == "...") ++i;
  }
  return tokens.at(i) == "{" ? i : -1;
}

int declaration_begin(const CppTokens& tokens, int at) {
  while (at > 0 && !contains(std::array<std::string_view, 3>{";", "{", "}"}, tokens.at(at - 1)))
    --at;
  return at;
}

// The parenthesis behind a function's name, if `at` may be one; `operator` has signs behind it.
int parameters_of(const CppTokens& tokens, int at) {
  if (tokens.at(at) != "operator") {
    const bool is_call = tokens.is_name(at) && tokens.at(at + 1) == "(";
    return is_call && !is_cpp_keyword(tokens.at(at)) ? at + 1 : -1;
  }
  int open = at + (tokens.at(at + 1) == "(" ? 3 : 1);
  while (open < at + 5 && tokens.at(open) != "(") ++open;
  return tokens.at(open) == "(" ? open : -1;
}

bool opens_class(const CppTokens& tokens, int brace) {
  for (int i = declaration_begin(tokens, brace); i < brace; ++i) {
    const std::string_view text = tokens.at(i);
    if (text == "template" && tokens.at(i + 1) == "<") {
      i = tokens.after_template(i + 1, brace) - 1;
    } else if (text == "struct" || text == "class" || text == "union") {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_cpp_keyword(std::string_view word) { return contains(kKeywords, word); }

bool is_position_word(std::string_view word) {
  return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

CppFunctions::CppFunctions(const CppTokens& tokens) : tokens_(tokens) {
  for (std::string_view each : kTypes) types_.insert(each);
  find_functions();
  find_macros();
  find_threads();
  find_outside();
  find_pure();
}

void CppFunctions::find_functions() {
  std::vector<int> classes;  // where those that are open end
  for (int i = 0; i < tokens_.count(); ++i) {
    while (!classes.empty() && i > classes.back()) classes.pop_back();
    if (tokens_.at(i) == "{" && opens_class(tokens_, i)) classes.push_back(tokens_[i].match);
    const int open = parameters_of(tokens_, i);
    if (open < 0) continue;
    const int close = tokens_[open].match, body = body_after(tokens_, close);
    if (body < 0) continue;
    const std::string_view name = tokens_.at(i);
    all_.push_back({name, declaration_begin(tokens_, i), i, open, close, body, tokens_[body].match,
                    !classes.empty()});
    defined_.insert(name);
    i = tokens_[body].match;
  }
}

void CppFunctions::find_macros() {
  for (const Directive& each : tokens_.directives()) {
    if (!each.text.starts_with("define")) continue;
    const std::string_view rest = trimmed(each.text.substr(6));
    size_t end = 0;
    while (end < rest.size() && is_name_char(rest[end])) ++end;
    std::vector<std::string_view>& words = macros_[rest.substr(0, end)];
    for (size_t at = end; at < rest.size();) {
      const size_t start = at;
      while (at < rest.size() && is_name_char(rest[at])) ++at;
      if (at == start) ++at;
      if (!is_blank(rest[start])) words.push_back(rest.substr(start, at - start));
    }
  }
}

bool CppFunctions::depends(std::string_view word) const {
  return depends_by_itself(word) || threads_.contains(word);
}

void CppFunctions::find_threads() {
  for (size_t before = 1; before != threads_.size();) {
    before = threads_.size();
    for (const CppFunction& each : all_) {
      for (int i = each.begin; i <= each.end; ++i) {
        if (tokens_.is_name(i) && i != each.name_at && depends(tokens_.at(i)))
          threads_.insert(each.name);
      }
    }
    for (const auto& [name, words] : macros_) {
      if (std::ranges::any_of(words, [&](std::string_view word) { return depends(word); }))
        threads_.insert(name);
    }
    if (before == threads_.size()) break;
  }
  for (const CppFunction& each : all_) {
    for (int i = each.body; i < each.end; ++i) {
      if (tokens_.is_name(i) && depends_by_itself(tokens_.at(i))) threads_.insert(tokens_.at(i));
    }
  }
}

// Types, constants and variables.
void CppFunctions::find_outside() {
  outside_depends_ = is_threads("operator");
  size_t next = 0;
  for (int i = 0; i < tokens_.count(); ++i) {
    if (next < all_.size() && i == all_[next].body) {
      i = all_[next++].end;
      continue;
    }
    const std::string_view text = tokens_.at(i), after = tokens_.at(i + 1);
    if (tokens_.is_name(i) && (after == ";" || after == "[" || after == "=" || after == ","))
      variables_.insert(text);
    outside_depends_ |= tokens_.is_name(i) && (text == "threadIdx" || text.starts_with("__sync"));
    if (text == "struct" || text == "class" || text == "using" || text == "enum" ||
        text == "typename")
      types_.insert(tokens_.at(i + 1));
    if (text == "typedef") {
      int end = i;
      while (end < tokens_.count() && tokens_.at(end) != ";")
        end = tokens_[end].match > end ? tokens_[end].match : end + 1;
      types_.insert(tokens_.at(end - 1));
    }
    if (text == "=" && tokens_.is_name(i - 1)) {
      const int begin = declaration_begin(tokens_, i);
      for (int k = begin; k < i; ++k) {
        if (tokens_.at(k) == "const" || tokens_.at(k) == "constexpr")
          constants_.insert(tokens_.at(i - 1));
      }
    }
  }
}

const std::vector<std::string_view>* CppFunctions::macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool CppFunctions::is_plain_macro(std::string_view name) const {
  const auto* words = macro(name);
  if (!words || is_threads(name)) return false;
  char before = ' ';
  for (std::string_view word : *words) {
    if (word == ";" || word == "{" || word == "}" || word == "#" || is_cpp_keyword(word))
      return false;
    const bool compares = before == '=' || before == '<' || before == '>' || before == '!';
    if (word == "=" && !compares) return false;
    if ((word == "+" || word == "-") && before == word[0]) return false;
    before = word[0];
    if (is_name_char(word[0]) && macro(word) && word != name && !is_plain_macro(word)) return false;
  }
  return true;
}

bool CppFunctions::is_builtin_type(std::string_view name) { return contains(kTypes, name); }

bool CppFunctions::is_pure(std::string_view name) const {
  if (defined_.contains(name)) return pure_.contains(name);
  return contains(kPure, name) || types_.contains(name);
}

void CppFunctions::find_pure() {
  pure_ = defined_;
  for (bool changed = true; changed;) {
    changed = false;
    for (const CppFunction& each : all_) {
      if (pure_.contains(each.name) && !body_is_pure(each)) changed = pure_.erase(each.name) > 0;
    }
  }
}

// Whether what is assigned at `at` is a variable of the function itself, or a part of one.
bool CppFunctions::changes_local(const CppFunction& function, int at) const {
  int i = at - 1;
  bool element = false;
  while (i > function.body) {
    element |= tokens_.at(i) == "]";
    if (tokens_.at(i) == "]") i = tokens_[i].match - 1;
    else if (tokens_.is_name(i) && tokens_.at(i - 1) == ".") i -= 2;
    else break;
  }
  if (!tokens_.is_name(i) || is_dereference(i - 1)) return false;
  for (int k = function.open; k <= i; ++k) {
    if (tokens_.at(k) != tokens_.at(i)) continue;
    const bool declared = tokens_.is_name(k - 1) || tokens_.at(k - 1) == ">";
    const bool whole = i == at - 1, is_array = k > function.body && tokens_.at(k + 1) == "[";
    if (element && !is_array) return false;  // it may be a pointer
    return (declared && !is_cpp_keyword(tokens_.at(k - 1))) ||
           (whole && tokens_.at(k - 1) == "*" && tokens_.is_name(k - 2)) ||
           (whole && tokens_.at(k - 1) == "," && k < function.close);
  }
  return false;
}

bool CppFunctions::body_is_pure(const CppFunction& function) const {
  if (is_threads(function.name)) return false;
  for (int i = function.open; i < function.end; ++i) {
    const std::string_view text = tokens_.at(i);
    const bool in_body = i > function.body;
    const bool steps = is_step(text);
    if (in_body && is_assignment(text) && !changes_local(function, i)) return false;
    if (in_body && steps) {
      const int name = tokens_.is_name(i + 1) ? i + 1 : i - 1;
      if (!changes_local(function, name + 1)) return false;
    }
    if (text == "&" && in_body && !tokens_.is_name(i - 1) && tokens_.at(i - 1) != ")" &&
        tokens_.at(i - 1) != "]")
      return false;
    if (text == "static" || text == "throw" || text == "new" || text == "delete") return false;
    if (!in_body || !tokens_.is_name(i) || is_cpp_keyword(text)) continue;
    int after = i + 1;
    if (tokens_.at(after) == "<") after = tokens_.after_template(after, function.end);
    const bool declares = tokens_.is_name(i - 1) && !is_cpp_keyword(tokens_.at(i - 1));
    if (tokens_.at(after) == "(" && !declares && !is_pure(text) && !macro(text)) return false;
    if (macro(text) && !is_plain_macro(text)) return false;
  }
  return true;
}

bool CppFunctions::is_dereference(int i) const {
  if (tokens_.at(i) != "*") return false;
  const std::string_view before = tokens_.at(i - 1);
  if (before == ")") {
    const int open = tokens_[i - 1].match;
    bool is_cast = !tokens_.is_name(open - 1) && tokens_.at(open - 1) != ">";
    for (int k = open + 1; k < i - 1; ++k) is_cast &= !tokens_.is_name(k) || is_type(tokens_.at(k));
    return is_cast;
  }
  if (before == "*") return is_dereference(i - 1);
  if (tokens_.is_name(i - 1)) return is_cpp_keyword(before);
  return before != "]" && (before.empty() || before[0] < '0' || before[0] > '9');
}

bool CppFunctions::takes_values(std::string_view name) const {
  return std::ranges::all_of(all_,
                             [&](const CppFunction& each) {
                               if (each.name != name) return true;
                               for (int i = each.open; i < each.close; ++i) {
                                 if (tokens_.at(i) == "&" || tokens_.at(i) == "&&") return false;
                               }
                               return true;
                             }) &&
         defined_.contains(name);
}

bool CppFunctions::is_arithmetic(std::string_view name) const {
  if (!is_pure(name)) return false;
  return std::ranges::all_of(
      all_, [&](const CppFunction& each) { return each.name != name || body_is_arithmetic(each); });
}

bool CppFunctions::is_arithmetic_macro(std::string_view name) const {
  if (!is_plain_macro(name)) return false;
  std::string_view before = "(";
  for (std::string_view word : *macro(name)) {
    const bool is_operand = before == ")" || is_name_char(before[0]);
    const bool is_other = word != name && before != ".";
    if (word == "[" || word == "&" || (word == "*" && !is_operand) ||
        (word == ">" && before == "-"))
      return false;
    if (is_other && variables_.contains(word)) return false;
    if (is_other && macro(word) && !is_arithmetic_macro(word)) return false;
    if (defined_.contains(word) && !is_arithmetic(word)) return false;
    before = word;
  }
  return true;
}

bool CppFunctions::body_is_arithmetic(const CppFunction& function) const {
  for (int i = function.body; i < function.end; ++i) {
    const std::string_view text = tokens_.at(i);
    if (text == "[" || text == "->" || is_dereference(i)) return false;
    if (!tokens_.is_name(i) || text == function.name) continue;
    if (macro(text) && !is_arithmetic_macro(text)) return false;
    if (variables_.contains(text) && !constants_.contains(text)) return false;
    if (defined_.contains(text) && !is_arithmetic(text)) return false;
  }
  return true;
}

bool CppFunctions::is_position_call(int i) const {
  return tokens_.is_name(i) && !tokens_.is_member(i) && tokens_.at(i + 1) == "(" &&
         tokens_.at(i + 2) == ")" && position_expression(tokens_.at(i)).second != 0;
}

std::pair<int, int> CppFunctions::position_expression(std::string_view name) const {
  std::pair<int, int> found{0, 0};
  if (!is_threads(name)) return found;
  for (const CppFunction& each : all_) {
    if (each.name != name) continue;
    const int begin = each.body + 2, end = each.end - 1;
    const bool single = tokens_.at(each.body + 1) == "return" && tokens_.at(end) == ";";
    if (found.second != 0 || each.close != each.open + 1 || !single) return {0, 0};
    for (int i = begin; i < end; ++i) {
      const std::string_view text = tokens_.at(i);
      const bool known = tokens_.is_member(i) || is_position_word(text) || is_type(text) ||
                         is_constant(text) || is_arithmetic_macro(text) || is_arithmetic(text);
      if (text == ";" || text == "{" || text == "[" || text == "->" || text == "::" ||
          is_dereference(i) || is_assignment(text) || is_step(text) ||
          (tokens_.is_name(i) && !known))
        return {0, 0};
    }
    found = {begin, end};
  }
  return found;
}

}  // namespace gpy::rt
