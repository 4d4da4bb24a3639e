#include "runtime/host_kernel/thread_meetings.h"

#include <algorithm>

namespace gpy::rt {

using Kind = Statement::Kind;

void ThreadMeetings::note(const Statement& statement) {
  if (statement.kind == Kind::kBarrier || is_call(statement)) places_.insert(statement.begin);
  for (const Statement& each : statement.parts) note(each);
}

bool ThreadMeetings::is_call(const Statement& statement) const {
  const int at = statement.begin;
  return statement.kind == Kind::kSimple && tokens_.at(at + 1) == "(" &&
         tokens_[at + 1].match + 2 == statement.end &&
         looped_.contains(std::string(tokens_.at(at)));
}

bool ThreadMeetings::holds_call(const Statement& statement) const {
  return is_call(statement) || std::ranges::any_of(statement.parts, [&](const Statement& each) {
           return holds_call(each);
         });
}

bool ThreadMeetings::is_structured(const Statement& statement) const {
  if (statement.kind == Kind::kReturn || holds(statement, Kind::kBreak) ||
      holds(statement, Kind::kContinue) || holds(statement, Kind::kBarrier))
    return true;
  return statement.kind != Kind::kSimple && holds_call(statement);
}

bool ThreadMeetings::are_all(const CppFunction& function, const BlockVariables& variables) const {
  for (int i = function.body; i < function.end; ++i) {
    const std::string_view word = tokens_.at(i);
    if (!tokens_.is_name(i) || !functions_.is_threads(word) || word == "threadIdx") continue;
    const bool position = functions_.is_position_call(i) && keeps_meaning(word, variables);
    if (!position && !places_.contains(i)) return false;
  }
  return true;
}

// Whether the expression that a function returns means the same where it is called.
bool ThreadMeetings::keeps_meaning(std::string_view position,
                                   const BlockVariables& variables) const {
  const auto [first, end] = functions_.position_expression(position);
  for (int i = first; i < end; ++i) {
    const bool is_other = std::ranges::any_of(variables.all(), [&](const BlockVariable& each) {
      return each.name == tokens_.at(i) && !tokens_.is_member(i);
    });
    if (is_other) return false;
  }
  return true;
}

}  // namespace gpy::rt
