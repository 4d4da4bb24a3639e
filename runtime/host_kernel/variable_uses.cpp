// What a kernel's text does with the variables that it names: which it changes, and to which it may
// keep a pointer. A part of BlockVariables.

#include <algorithm>

#include "runtime/host_kernel/block_variables.h"
#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {

// `&x` and `&(x)`, but not `a & x`.
bool BlockVariables::takes_address(int token) const {
  int i = token - 1;
  while (tokens_.at(i) == "(" && !tokens_.is_name(i - 1)) --i;
  return tokens_.at(i) == "&" && functions_.is_unary(i);
}

// One past a variable with its subscripts and its members, as far as they are parts of its own.
// `extents`: of the array that they are.
int BlockVariables::end_of_parts(const BlockVariable& variable, int token, int* extents) const {
  int i = token + 1;
  *extents = static_cast<int>(std::ranges::count(variable.extents, '['));
  const bool is_pointer = *extents == 0 && variable.is_builtin;
  while (true) {
    for (; tokens_.at(i) == "[" && !is_pointer; i = tokens_[i].match + 1) --*extents;
    if (tokens_.at(i) != "." || !tokens_.is_name(i + 1) || tokens_.at(i + 2) == "(") return i;
    *extents = functions_.extents_of_array(tokens_.at(i + 1));
    i += 2;
  }
}

// The bracket around a variable that stands in a list as a whole; -1: it does not.
int BlockVariables::list_around(int token) const {
  const std::string_view before = tokens_.at(token - 1), after = tokens_.at(token + 1);
  const bool begins = before == "(" || before == "{" || before == ",";
  if (!begins || (after != ")" && after != "}" && after != ",")) return -1;
  int open = token - 1;
  while (open > 0 && tokens_[open].match < token && tokens_.at(open) != ";") --open;
  return tokens_[open].match > token ? open : -1;
}

// The name of the template whose arguments end before `end`; `end - 1` where none do.
int BlockVariables::name_of_template(int end) const {
  if (tokens_.at(end - 1) != ">") return end - 1;
  for (int i = end - 2; i > 0 && tokens_.at(i) != ";" && tokens_.at(i) != "{"; --i) {
    if (tokens_.at(i) == "<" && tokens_.after_template(i, end) == end) return i - 1;
  }
  return end - 1;
}

// The function, or the type of the variable, that the list behind it is given to.
std::string_view BlockVariables::given_to(int open) const {
  int name = name_of_template(open);
  const int type = name_of_template(name);
  const bool declares = tokens_.is_name(type) && !is_cpp_keyword(tokens_.at(type));
  if (declares && tokens_.is_name(name)) name = type;
  return tokens_.is_name(name) && !is_cpp_keyword(tokens_.at(name)) ? tokens_.at(name) : "";
}

void BlockVariables::note_use(int token) {
  const int number = resolve(tokens_.at(token));
  if (number < 0) return;
  of_token_[token] = number;
  BlockVariable& variable = variables_[static_cast<size_t>(number)];
  variable.uses.push_back(token);
  int extents = 0;
  const int end = end_of_parts(variable, token, &extents);
  const int list = list_around(token);
  const bool addressed = takes_address(token);
  variable.exposed_address |= addressed || extents > 0;
  variable.changed |= addressed || is_step(tokens_.at(token - 1)) || is_step(tokens_.at(end)) ||
                      is_assignment(tokens_.at(end));
  if (list >= 0) note_given(variable, given_to(list), tokens_.at(list) == "(");
  if (variable.is_builtin) return;
  // It may be converted to a pointer.
  variable.exposed_address |= functions_.may_tell_place("operator");
  note_method(variable, token, end);
}

void BlockVariables::note_given(BlockVariable& variable, std::string_view function, bool in_call) {
  const bool by_value =
      functions_.is_defined(function)
          ? functions_.takes_values(function)
          : function.empty() || functions_.is_pure(function) || functions_.is_pure_macro(function);
  variable.exposed_address |= functions_.may_keep_address(function);
  variable.changed |= in_call && !by_value;
}

// `x.f()`, and `x[i]` and `x()` of a class.
void BlockVariables::note_method(BlockVariable& variable, int token, int end) {
  const bool is_array = !variable.extents.empty();
  std::string_view method = tokens_.at(end) == "." ? tokens_.at(end + 1) : "";
  if (tokens_.at(token + 1) == "(" || (tokens_.at(token + 1) == "[" && !is_array))
    method = "operator";
  if (method.empty()) return;
  variable.exposed_address |= functions_.may_tell_place(method);
  variable.changed |= !functions_.is_const_method(method);
}

}  // namespace gpy::rt
