#pragma once

// Where the threads that run a function meet: its barriers, and its calls of functions with some
// that have a form of loops. Anything else by which threads differ keeps it from such a form.

#include <map>
#include <set>
#include <string>

#include "runtime/host_kernel/block_variables.h"
#include "runtime/host_kernel/cpp_functions.h"
#include "runtime/host_kernel/cpp_statements.h"

namespace gpy::rt {

class ThreadMeetings {
 public:
  // `looped`: ThreadLoops::functions, as far as they are known.
  ThreadMeetings(const CppTokens& tokens, const CppFunctions& functions,
                 const std::map<std::string, bool>& looped)
      : tokens_(tokens), functions_(functions), looped_(looped) {}

  void note(const Statement& statement);
  bool is_call(const Statement& statement) const;
  // Whether it is control flow around meetings, or leaves such.
  bool is_structured(const Statement& statement) const;
  // Whether the function names what depends on a thread only where threads meet, or as positions.
  bool are_all(const CppFunction& function, const BlockVariables& variables) const;

 private:
  bool holds_call(const Statement& statement) const;
  bool keeps_meaning(std::string_view position, const BlockVariables& variables) const;

  const CppTokens& tokens_;
  const CppFunctions& functions_;
  const std::map<std::string, bool>& looped_;
  std::set<int> places_;
};

}  // namespace gpy::rt
