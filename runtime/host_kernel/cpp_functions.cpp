#include "runtime/host_kernel/cpp_functions.h"

#include <algorithm>

#include "runtime/host_kernel/cpp_words.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

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
  const auto ends = [](std::string_view mark) { return mark == ";" || mark == "{" || mark == "}"; };
  while (at > 0 && !ends(tokens.at(at - 1))) --at;
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

// Where parameters, members or enumerators that begin here end; -1 where none do.
int end_of_names(const CppTokens& tokens, int at) {
  const std::string_view text = tokens.at(at);
  if (text == "(") return tokens[at].match;
  if (text == "template" && tokens.at(at + 1) == "<")
    return tokens.after_template(at + 1, tokens.count()) - 1;
  const bool has_members = text == "{" && (opens_class(tokens, at) || tokens.at(at - 2) == "enum");
  return has_members ? tokens[at].match : -1;
}

}  // namespace

CppFunctions::CppFunctions(const CppTokens& tokens) : tokens_(tokens) {
  find_functions();
  find_macros();
  find_threads();
  find_outside();
  find_effects();
  find_addresses();
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
      if (waits_in_loop(each)) threads_.insert(each.name);
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

// `while (atomicCAS(x, 0, 1) != 0);`
bool CppFunctions::waits_in_loop(const CppFunction& function) const {
  for (int i = function.body; i < function.end; ++i) {
    if (tokens_.at(i) != "while" || tokens_.at(i + 1) != "(") continue;
    const int close = tokens_[i + 1].match;
    const bool is_empty = tokens_.at(close + 1) == ";" ||
                          (tokens_.at(close + 1) == "{" && tokens_.at(close + 2) == "}");
    const int body = tokens_.at(i - 1) == "}" ? tokens_[i - 1].match : i;  // of `do { } while`
    const bool ends_do = tokens_.at(body - 1) == "do" && body + 2 < i;
    for (int k = i + 2; k < close && is_empty && !ends_do; ++k) {
      if (tokens_.at(k).starts_with("atomic")) return true;
    }
  }
  return false;
}

// Whether what is named at `at`, outside of functions, is a part of a value.
bool CppFunctions::gives_value(int at) const {
  const std::string_view before = tokens_.at(at - 1);
  return before == "{" || before == "(" || before == "," ||
         has(declaration_begin(tokens_, at), at, "=");
}

bool CppFunctions::has(int begin, int end, std::string_view word) const {
  for (int i = begin; i < end; ++i) {
    if (tokens_.at(i) == word) return true;
  }
  return false;
}

// Types, constants and variables.
void CppFunctions::find_outside() {
  outside_depends_ = is_threads("operator");
  Names pointers;
  size_t next = 0;
  int within = -1;  // the end of what declares no variables
  for (int i = 0; i < tokens_.count(); ++i) {
    if (next < all_.size() && i == all_[next].body) {
      i = all_[next++].end;
      continue;
    }
    const std::string_view text = tokens_.at(i), after = tokens_.at(i + 1);
    within = std::max(within, end_of_names(tokens_, i));
    if (i > within && tokens_.is_name(i) &&
        (after == ";" || after == "[" || after == "=" || after == ","))
      variables_.insert(text);
    if (after == "[" && tokens_.is_name(i - 1)) array_members_.insert(text);
    for (int k = i + 1, count = 1; tokens_.is_name(i) && tokens_.at(k) == "["; ++count) {
      array_extents_[text] = std::max(array_extents_[text], count);
      k = tokens_[k].match + 1;
    }
    if (tokens_.at(i - 1) == "*") pointers.insert(text);
    const bool defines = next < all_.size() && i == all_[next].name_at;
    outside_depends_ |= tokens_.is_name(i) && (text == "threadIdx" || text.starts_with("__sync"));
    const bool acts = is_threads(text) || text.starts_with("atomic");
    outside_depends_ |= tokens_.is_name(i) && !defines && acts && gives_value(i);
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
  for (const std::string_view each : pointers) array_members_.erase(each);
}

const std::vector<std::string_view>* CppFunctions::macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> CppFunctions::names_of_macro(std::string_view name) const {
  std::vector<std::string_view> out;
  std::string_view before;
  for (std::string_view word : macro(name) ? *macro(name) : out) {
    if (before != "." && is_name_char(word[0])) out.push_back(word);
    before = word;
  }
  return out;
}

bool CppFunctions::is_type(std::string_view name) const {
  return is_builtin_type(name) || types_.contains(name);
}

bool CppFunctions::takes_values(std::string_view name) const {
  const auto takes = [&](const CppFunction& each) {
    bool is_const = false;
    for (int i = each.open; i < each.close; ++i) {
      const std::string_view text = tokens_.at(i);
      is_const = text != "," && (is_const || text == "const");
      if ((text == "&" && !is_const) || text == "&&") return false;
    }
    return true;
  };
  return defined_.contains(name) && std::ranges::all_of(all_, [&](const CppFunction& each) {
           return each.name != name || takes(each);
         });
}

}  // namespace gpy::rt
