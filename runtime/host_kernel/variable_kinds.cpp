// What the variables beside a kernel's barriers are where its threads run in loops: the second half
// of BlockVariables, after all of them have been read.

#include <algorithm>

#include "runtime/host_kernel/block_variables.h"
#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {

// Evaluated once, it gives what each thread would have got: they are all at this place, and
// whatever they wrote is written.
bool BlockVariables::same_for_all(TokenRange range) const {
  for (int i = range.begin; i < range.end; ++i) {
    const std::string_view word = tokens_.at(i);
    if (is_step(word) || word == "throw" || word == "new") return false;
    if (is_assignment(word) && i > range.begin) return false;
    if (word == "[" && !tokens_.is_name(i - 1) && tokens_.at(i - 1) != "]" &&
        tokens_.at(i - 1) != ")")
      return false;  // a function object
    if (!tokens_.is_name(i)) continue;
    const int number = of_token(i);
    if (number >= 0) {
      const BlockVariable& variable = variables_[static_cast<size_t>(number)];
      if (variable.kind != BlockVariable::Kind::kOfBlock) return false;
      if (tokens_.at(i + 1) == "(" && !functions_.is_pure("operator")) return false;
      continue;
    }
    if (functions_.is_threads(word)) return false;
    int after = i + 1;
    if (tokens_.at(after) == "<") after = tokens_.after_template(after, range.end);
    const bool call = tokens_.at(after) == "(" && !is_cpp_keyword(word);
    if (functions_.macro(word) ? !functions_.is_pure_macro(word)
                               : call && !functions_.is_pure(word))
      return false;
  }
  return true;
}

bool BlockVariables::gives_same(const BlockVariable& variable) const {
  if (variable.changed || !variable.extents.empty()) return false;
  return std::ranges::all_of(variable.assignments, [&](const Assignment& each) {
    return each.value.empty() || same_for_all(each.value);
  });
}

// `T x;` and `T x = {};`
bool BlockVariables::is_empty(const Assignment& each) const {
  const bool braces =
      tokens_.at(each.value.end - 1) == "}" && tokens_.at(each.value.end - 2) == "{";
  return each.first && (each.value.empty() || braces);
}

// Whether its value where it is used is the one that it has here.
bool BlockVariables::is_steady(const BlockVariable& variable, const Assignment& user) const {
  int others = 0;
  bool declared_in_head = false;
  for (const Assignment& each : variable.assignments) {
    if (each.in_head) declared_in_head |= each.first;
    else if (!is_empty(each)) ++others;
    if (!each.first && !each.in_head && (each.in_structure || each.at > user.at)) return false;
    if (each.in_head && !declared_in_head) return false;
  }
  if (declared_in_head) return others == 0 && user.first;
  return others <= (variable.parameter ? 0 : 1);
}

// Computed from the thread's position and from what stays, but from no memory.
bool BlockVariables::is_position(TokenRange range, const Assignment& by) const {
  for (int i = range.begin; i < range.end; ++i) {
    const std::string_view word = tokens_.at(i);
    if (word == "[" || word == "->" || word == "::" || word == "{" || is_step(word)) return false;
    if (i == range.begin && is_assignment(word)) continue;
    if (is_assignment(word) || functions_.is_dereference(i)) return false;
    if (!tokens_.is_name(i)) continue;
    const bool call = tokens_.at(i + 1) == "(";
    if (tokens_.is_member(i)) {
      if (call && !functions_.is_arithmetic(word)) return false;
      continue;
    }
    const int number = of_token(i);
    if (number >= 0) {
      const BlockVariable& variable = variables_[static_cast<size_t>(number)];
      const bool computed = variable.kind == BlockVariable::Kind::kComputed;
      const bool steady = variable.kind == BlockVariable::Kind::kOfBlock && is_steady(variable, by);
      if (call || (!computed && !steady)) return false;
      continue;
    }
    const bool known = is_position_word(word) || functions_.is_position_call(i) ||
                       functions_.is_arithmetic_macro(word) || functions_.is_type(word) ||
                       functions_.is_arithmetic(word) || functions_.is_constant(word);
    if (!known) return false;
  }
  return true;
}

bool BlockVariables::is_computed(const BlockVariable& variable) const {
  if (variable.changed || !variable.extents.empty() || variable.parameter) return false;
  const Assignment* value = nullptr;
  for (const Assignment& each : variable.assignments) {
    if (is_empty(each)) continue;
    if (value || each.value.empty() || each.in_head) return false;
    value = &each;
  }
  if (!value || (!value->first && value->in_structure)) return false;
  if (!value->first && tokens_.at(value->at + 1) != "=") return false;
  const bool used_before = std::ranges::any_of(
      variable.uses, [&](int use) { return use < value->at && use != variable.declared; });
  return !used_before && is_position(value->value, *value);
}

void BlockVariables::classify() {
  using Of = BlockVariable::Kind;
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockVariable& each : variables_) {
      if (each.kind != Of::kOfBlock || gives_same(each)) continue;
      each.kind = Of::kOfThread;
      changed = true;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockVariable& each : variables_) {
      if (each.kind != Of::kOfThread || !is_computed(each)) continue;
      each.kind = Of::kComputed;
      changed = true;
    }
  }
}

}  // namespace gpy::rt
