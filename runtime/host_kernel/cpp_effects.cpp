// What calls of a text's functions may change, and what they compute their values from: the second
// half of CppFunctions, after all of them have been found.

#include <algorithm>
#include <cctype>

#include "runtime/host_kernel/cpp_functions.h"
#include "runtime/host_kernel/cpp_words.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

// All are taken to be harmless that call only such ones.
void CppFunctions::find_effects() {
  for (const auto& [name, words] : macros_) plain_macros_.insert(name);
  while (std::erase_if(plain_macros_, [&](auto name) { return !macro_is_plain(name); })) {
  }
  const auto stay = [&](Names& functions, auto is_function, Names& macros, auto is_macro) {
    const size_t before = functions.size() + macros.size();
    for (const CppFunction& each : all_) {
      if (functions.contains(each.name) && !(this->*is_function)(each)) functions.erase(each.name);
    }
    std::erase_if(macros, [&](std::string_view name) { return !(this->*is_macro)(name); });
    return functions.size() + macros.size() == before;
  };
  pure_ = defined_;
  pure_macros_ = plain_macros_;
  while (!stay(pure_, &CppFunctions::body_is_pure, pure_macros_, &CppFunctions::macro_is_pure)) {
  }
  arithmetic_ = pure_;
  arithmetic_macros_ = pure_macros_;
  while (!stay(arithmetic_, &CppFunctions::body_is_arithmetic, arithmetic_macros_,
               &CppFunctions::macro_is_arithmetic)) {
  }
}

bool CppFunctions::macro_is_plain(std::string_view name) const {
  if (is_threads(name)) return false;
  char before = ' ';
  for (std::string_view word : macros_.at(name)) {
    if (word == ";" || word == "{" || word == "}" || word == "#" || is_cpp_keyword(word))
      return false;
    const bool compares = before == '=' || before == '<' || before == '>' || before == '!';
    if (word == "=" && !compares) return false;
    if ((word == "+" || word == "-") && before == word[0]) return false;
    before = word[0];
    if (macro(word) && !is_plain_macro(word)) return false;
  }
  return true;
}

bool CppFunctions::macro_is_pure(std::string_view name) const {
  std::string_view before, called;  // what is called where a bracket follows
  for (std::string_view word : macros_.at(name)) {
    if (word == "(" && !called.empty() && !is_pure(called)) return false;
    if (macro(word) && !is_pure_macro(word)) return false;
    const bool is_name =
        is_name_char(word[0]) && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
    called = is_name && before != "." && !macro(word) && !is_constant(word) ? word : "";
    before = word;
  }
  return called.empty() || is_pure(called);
}

bool CppFunctions::is_pure(std::string_view name) const {
  if (defined_.contains(name)) return pure_.contains(name);
  return is_pure_function(name) || is_type(name);
}

bool CppFunctions::is_arithmetic(std::string_view name) const {
  return defined_.contains(name) ? arithmetic_.contains(name) : is_pure(name);
}

namespace {
// One past what `++` or `--` at `i` changes: a name with its members and subscripts.
int end_of_stepped(const CppTokens& tokens, int i) {
  if (!tokens.is_name(i + 1)) return i;
  int end = i + 2;
  while (tokens.at(end) == "[" || tokens.at(end) == "." || tokens.at(end) == "->")
    end = tokens.at(end) == "[" ? tokens[end].match + 1 : end + 2;
  return end;
}
}  // namespace

// Whether what is assigned at `at` is a variable of the function itself, or a part of one.
bool CppFunctions::changes_local(const CppFunction& function, int at) const {
  int i = at - 1;
  bool element = false;
  while (i > function.body) {
    const bool is_member = tokens_.is_name(i) && tokens_.at(i - 1) == ".";
    if (!is_member && tokens_.at(i) != "]") break;
    if (is_member && element && !array_members_.contains(tokens_.at(i))) return false;
    element = !is_member;
    i = is_member ? i - 2 : tokens_[i].match - 1;
  }
  if (!tokens_.is_name(i) || is_dereference(i - 1)) return false;
  const bool of_new = is_constructor(function) && !variables_.contains(tokens_.at(i)) &&
                      (!element || array_members_.contains(tokens_.at(i)));
  if (tokens_.is_member(i))
    return of_new && tokens_.at(i - 1) == "->" && tokens_.at(i - 2) == "this";
  for (int k = function.open; k <= i; ++k) {
    if (tokens_.at(k) != tokens_.at(i)) continue;
    const bool declared = tokens_.is_name(k - 1) || tokens_.at(k - 1) == ">";
    const bool whole = i == at - 1, is_array = k > function.body && tokens_.at(k + 1) == "[";
    if (element && !is_array) return false;  // it may be a pointer
    if (tokens_.at(k - 1) == "}" && tokens_.at(k + 1) == ";")
      return true;  // of a type without a name
    const std::string_view before = tokens_.at(k - 3);
    const bool begins = k < function.close || before == ";" || before == "{" || before == "}" ||
                        before == "const" || (before == "(" && tokens_.at(k - 4) == "for");
    return (declared && !is_cpp_keyword(tokens_.at(k - 1))) ||
           (whole && tokens_.at(k - 1) == "*" && tokens_.is_name(k - 2) && begins) ||
           (whole && tokens_.at(k - 1) == "," && k < function.close) || of_new;
  }
  return false;
}

bool CppFunctions::is_method(const CppFunction& function) const {
  return function.in_class || tokens_.at(function.name_at - 1) == "::";
}

bool CppFunctions::is_constructor(const CppFunction& function) const {
  return is_method(function) && types_.contains(function.name) &&
         tokens_.at(function.name_at - 1) != "~";
}

bool CppFunctions::objects_act() const {
  return std::ranges::any_of(all_, [&](const CppFunction& each) {
    const bool is_destructor = tokens_.at(each.name_at - 1) == "~";
    return is_destructor || (is_constructor(each) && !is_pure(each.name));
  });
}

// `: member(value), other(value)`
bool CppFunctions::names_member(const CppFunction& function, int at) const {
  if (at <= function.close || at >= function.body) return false;
  const std::string_view before = tokens_.at(at - 1);
  if (before == ":") return !has(function.close, at - 1, ":");
  const int open = before == "," ? tokens_[at - 2].match : -1;
  return open > function.close && names_member(function, open - 1);
}

bool CppFunctions::body_is_pure(const CppFunction& function) const {
  if (is_threads(function.name)) return false;
  for (int i = function.open; i < function.end; ++i) {
    const std::string_view text = tokens_.at(i);
    if (text == "static" || text == "throw" || text == "new" || text == "delete") return false;
    if (i <= function.close) continue;
    if (is_assignment(text) && !changes_local(function, i)) return false;
    if (is_step(text) && !changes_local(function, end_of_stepped(tokens_, i))) return false;
    if (text == "&" && !tokens_.is_name(i - 1) && tokens_.at(i - 1) != ")" &&
        tokens_.at(i - 1) != "]")
      return false;
  }
  return calls_are_pure(function);
}

// Those of the values of its parameters and of a constructor's members among them.
bool CppFunctions::calls_are_pure(const CppFunction& function) const {
  for (int i = function.open; i < function.end; ++i) {
    const std::string_view text = tokens_.at(i);
    if (!tokens_.is_name(i) || is_cpp_keyword(text) || names_member(function, i)) continue;
    int after = i + 1;
    if (tokens_.at(after) == "<") after = tokens_.after_template(after, function.end);
    const bool declares = tokens_.is_name(i - 1) && !is_cpp_keyword(tokens_.at(i - 1));
    if (tokens_.at(after) == "(" && !declares && !is_pure(text) && !macro(text)) return false;
    if (macro(text) && !is_pure_macro(text)) return false;
  }
  return true;
}

bool CppFunctions::macro_is_arithmetic(std::string_view name) const {
  std::string_view before = "(";
  for (std::string_view word : macros_.at(name)) {
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
    if (!tokens_.is_name(i)) continue;
    if (macro(text) && !is_arithmetic_macro(text)) return false;
    if (variables_.contains(text) && !is_constant(text) && !is_type(text)) return false;
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
