// Which functions of a text may keep, or tell, where a variable is: a part of CppFunctions.

#include <algorithm>

#include "runtime/host_kernel/cpp_functions.h"
#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {

bool CppFunctions::is_unary(int i) const {
  const std::string_view before = tokens_.at(i - 1);
  if (before == ")") {
    const int open = tokens_[i - 1].match;
    const std::string_view head = tokens_.at(open - 1);
    if (head == "if" || head == "while" || head == "for" || head == "switch") return true;
    if (head == "sizeof" || (tokens_.is_name(open - 1) && !is_cpp_keyword(head))) return false;
    if (tokens_.at(i - 2) == "*" || open == i - 3) return true;  // `(T*)`, `(T)`; or `(x)`
    for (int k = open + 1; k < i - 1; ++k) {
      if (tokens_.is_name(k) && !is_type(tokens_.at(k)) && tokens_.at(k) != "const") return false;
    }
    return true;
  }
  if (before == "*") {  // `int** p`, but not `n * *p`
    int first = i - 1;
    while (tokens_.at(first - 1) == "*") --first;
    return !is_type(tokens_.at(first - 1)) && tokens_.at(first - 1) != "const";
  }
  if (tokens_.is_name(i - 1)) return is_cpp_keyword(before) && before != "const";
  return before != "]" && (before.empty() || before[0] < '0' || before[0] > '9');
}

bool CppFunctions::takes_address(int begin, int end) const {
  for (int i = begin; i < end; ++i) {
    if (tokens_.at(i) == "&" && is_unary(i)) return true;
  }
  return false;
}

void CppFunctions::find_addresses() {
  has_mutable_ = has(0, tokens_.count(), "mutable") || has(0, tokens_.count(), "const_cast");
  for (const CppFunction& each : all_) {
    bool tells = has(each.begin, each.open, "*") || has(each.begin, each.name_at, "auto") ||
                 takes_address(each.body, each.end);
    for (int i = each.body; i < each.end; ++i) {
      tells |= tokens_.at(i) == "this" && tokens_.at(i - 1) != "*" && tokens_.at(i + 1) != "->";
    }
    if (tells && is_method(each)) tellers_.insert(each.name);
  }
  for (size_t before = 1; before != keepers_.size();) {
    before = keepers_.size();
    for (const CppFunction& each : all_) {
      const bool by_reference = has(each.open, each.close, "&") || has(each.open, each.close, "&&");
      bool keeps = has(each.begin, each.name_at, "*") || has(each.begin, each.name_at, "&") ||
                   has(each.begin, each.name_at, "auto") || takes_address(each.close, each.end);
      for (int i = each.close; i < each.end && by_reference; ++i)
        keeps |= may_keep_address(tokens_.at(i));
      if (by_reference && keeps) keepers_.insert(each.name);
    }
    if (before == keepers_.size()) break;
  }
}

bool CppFunctions::may_keep_address(std::string_view name) const {
  return name == "addressof" || name == "ref" || keepers_.contains(name);
}

bool CppFunctions::may_tell_place(std::string_view name) const { return tellers_.contains(name); }

bool CppFunctions::is_const_method(std::string_view name) const {
  return !has_mutable_ && std::ranges::all_of(all_, [&](const CppFunction& each) {
    return each.name != name || !is_method(each) || tokens_.at(each.close + 1) == "const";
  });
}

int CppFunctions::extents_of_array(std::string_view name) const {
  const auto found = array_extents_.find(name);
  return found == array_extents_.end() ? 0 : found->second;
}

}  // namespace gpy::rt
