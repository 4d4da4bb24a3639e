#include "runtime/host_kernel/block_variables.h"

#include <algorithm>

#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {
namespace {

using Kind = Statement::Kind;

// `&x`, but not `a & x`.
bool takes_address(const CppTokens& tokens, int at) {
  if (tokens.at(at - 1) != "&") return false;
  const std::string_view before = tokens.at(at - 2);
  const bool operand = (tokens.is_name(at - 2) && before != "return") || before == "]" ||
                       (!before.empty() && before[0] >= '0' && before[0] <= '9');
  return !operand;
}

}  // namespace

int BlockVariables::resolve(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  }
  return -1;
}

int BlockVariables::of_token(int token) const {
  const auto found = of_token_.find(token);
  return found == of_token_.end() ? -1 : found->second;
}

bool BlockVariables::read(const CppFunction& function, const std::vector<Statement>& body,
                          const std::function<bool(const Statement&)>& structured) {
  structured_ = structured;
  scopes_.emplace_back();
  if (!read_parameters(function) || !read_list(body, 0)) return false;
  classify();
  return true;
}

bool BlockVariables::read_list(const std::vector<Statement>& list, int depth) {
  scopes_.emplace_back();
  const bool good =
      std::ranges::all_of(list, [&](const Statement& each) { return read_one(each, depth); });
  scopes_.pop_back();
  return good;
}

bool BlockVariables::is_of_all(const Statement& statement) const {
  const std::string_view first = tokens_.at(statement.begin);
  if (first == "using" || first == "typedef" || first == "constexpr" || first == "static_assert")
    return true;
  if (first == "struct") return tokens_.at(statement.end - 2) == "}";  // a type, and no variable
  for (int i = statement.begin; i < statement.end; ++i) {
    if (tokens_.at(i) == "__shared__") return true;
  }
  return first == "_gpy_many";  // what the launch asks for
}

// It is written as it is, where variables of the block have other names.
bool BlockVariables::read_of_all(const Statement& statement) {
  const std::string_view first = tokens_.at(statement.begin);
  if (first == "using" || first == "struct") own_names_.insert(tokens_.at(statement.begin + 1));
  if (first == "typedef") own_names_.insert(tokens_.at(statement.end - 2));
  for (int i = statement.begin; i < statement.end; ++i) {
    if (!tokens_.is_name(i) || tokens_.is_member(i)) continue;
    if (resolve(tokens_.at(i)) >= 0) return false;
    const std::string_view next = tokens_.at(i + 1);
    if (first == "constexpr" && (next == "=" || next == "{" || next == "(" || next == "["))
      own_names_.insert(tokens_.at(i));
  }
  return use({statement.begin, statement.end - 1});
}

void BlockVariables::note(std::vector<Assignment>& all, int depth, bool in_head) {
  for (Assignment& each : all) {
    each.in_structure = depth > 0;
    each.in_head = in_head;
    BlockVariable& variable = variables_[static_cast<size_t>(each.variable)];
    variable.assignments.push_back(each);
    variable.uses.push_back(each.at);
    of_token_[each.at] = each.variable;
  }
}

bool BlockVariables::read_one(const Statement& statement, int depth) {
  if (statement.kind == Kind::kBarrier) return true;
  if (structured_(statement)) return read_structure(statement, depth);
  const TokenRange range{statement.begin, statement.end - 1};
  if (statement.kind == Kind::kSimple) {
    if (is_of_all(statement)) return read_of_all(statement);
    if (auto declared = read_declaration(range)) {
      if (declared->empty()) return false;
      note(*declared, depth, false);
      declared_[statement.begin] = std::move(*declared);
      return true;
    }
    if (auto assigned = read_assignments(range)) {
      note(*assigned, depth, false);
      assigned_[statement.begin] = std::move(*assigned);
      return true;
    }
  }
  return use({statement.begin, statement.end});
}

bool BlockVariables::read_structure(const Statement& statement, int depth) {
  scopes_.emplace_back();
  bool good = statement.kind == Kind::kFor ? read_head_of_for(statement, depth)
                                           : use({statement.head, statement.head_end});
  if (statement.kind == Kind::kBlock) good = good && read_list(statement.parts, depth);
  else {
    for (const Statement& each : statement.parts) good = good && read_list({each}, depth + 1);
  }
  scopes_.pop_back();
  return good;
}

TokenRange BlockVariables::head_condition(const Statement& loop) const {
  const int first = tokens_.find_outside_brackets({loop.head, loop.head_end}, ";");
  return {first + 1, tokens_.find_outside_brackets({first + 1, loop.head_end}, ";")};
}

bool BlockVariables::read_head_of_for(const Statement& statement, int depth) {
  const TokenRange condition = head_condition(statement);
  if (condition.end >= statement.head_end) return false;  // over a range
  const TokenRange first{statement.head, condition.begin - 1};
  const TokenRange last{condition.end + 1, statement.head_end};
  auto begins = first.empty() ? std::vector<Assignment>{} : read_declaration(first);
  if (begins && begins->empty() && !first.empty()) return false;
  if (!begins) {
    begins = read_assignments(first);
    if (!begins) return false;
  }
  auto ends = read_assignments(last);
  if (!ends || !use(condition)) return false;
  note(*begins, depth, true);
  note(*ends, depth + 1, true);
  head_first_[statement.begin] = std::move(*begins);
  head_last_[statement.begin] = std::move(*ends);
  return true;
}

// Notes the variables that a text names, and those that it changes. False where macros hide that.
bool BlockVariables::use(TokenRange range) {
  for (int i = range.begin; i < range.end; ++i) {
    if (!tokens_.is_name(i) || tokens_.is_member(i)) continue;
    if (const auto* words = functions_.macro(tokens_.at(i))) {
      if (!functions_.is_plain_macro(tokens_.at(i))) return false;
      std::string_view before;
      for (std::string_view word : *words) {
        if (before != "." && resolve(word) >= 0) return false;
        before = word;
      }
    }
    note_use(i);
  }
  return true;
}

void BlockVariables::note_use(int token) {
  const int number = resolve(tokens_.at(token));
  if (number < 0) return;
  of_token_[token] = number;
  BlockVariable& variable = variables_[static_cast<size_t>(number)];
  variable.uses.push_back(token);
  if (!variable.extents.empty()) variable.exposed_address |= tokens_.at(token + 1) != "[";
  if (takes_address(tokens_, token)) variable.exposed_address = variable.changed = true;
  variable.changed |= is_changed(token);
}

// By an assignment to it or to a part of it, or perhaps by a function that is given it.
bool BlockVariables::is_changed(int token) const {
  if (is_step(tokens_.at(token - 1)) || is_step(tokens_.at(token + 1))) return true;
  if (is_assignment(tokens_.at(token + 1))) return true;
  int i = token + 1;
  while (tokens_.at(i) == "." && tokens_.is_name(i + 1)) {
    i += 2;
    while (tokens_.at(i) == "[") i = tokens_[i].match + 1;
  }
  if (i > token + 1 && (is_assignment(tokens_.at(i)) || is_step(tokens_.at(i)))) return true;
  const std::string_view before = tokens_.at(token - 1), after = tokens_.at(token + 1);
  if ((before != "(" && before != ",") || (after != ")" && after != ",")) return false;
  int open = token - 1;
  while (open > 0 && !(tokens_.at(open) == "(" && tokens_[open].match > token)) {
    if (tokens_.at(open) == ";" || tokens_.at(open) == "{") return false;
    --open;
  }
  int name = open - 1;
  if (tokens_.at(name) == ">") {
    int depth = 0;
    do {
      depth += (tokens_.at(name) == ">") - (tokens_.at(name) == "<");
      --name;
    } while (depth > 0 && name > 0);
  }
  const std::string_view word = tokens_.at(name);
  return tokens_.is_name(name) && !is_cpp_keyword(word) && !functions_.is_pure(word) &&
         !functions_.is_pure_macro(word) && !functions_.takes_values(word);
}

namespace {
const std::vector<Assignment>* found(const std::map<int, std::vector<Assignment>>& all, int at) {
  const auto each = all.find(at);
  return each == all.end() ? nullptr : &each->second;
}
}  // namespace

const std::vector<Assignment>* BlockVariables::declared_by(const Statement& statement) const {
  return found(declared_, statement.begin);
}
const std::vector<Assignment>* BlockVariables::assigned_by(const Statement& statement) const {
  return found(assigned_, statement.begin);
}
const std::vector<Assignment>* BlockVariables::head_first(const Statement& loop) const {
  return found(head_first_, loop.begin);
}
const std::vector<Assignment>* BlockVariables::head_last(const Statement& loop) const {
  return found(head_last_, loop.begin);
}

}  // namespace gpy::rt
