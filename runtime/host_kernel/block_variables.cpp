#include "runtime/host_kernel/block_variables.h"

#include <algorithm>

#include "runtime/host_kernel/cpp_words.h"

namespace gpy::rt {
namespace {

using Kind = Statement::Kind;

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

// `struct S { ... };`: no variable is declared with it.
bool BlockVariables::defines_type(const Statement& statement) const {
  const std::string_view first = tokens_.at(statement.begin);
  const bool of_type = first == "struct" || first == "class" || first == "union" || first == "enum";
  if (!of_type || tokens_.at(statement.end - 2) != "}") return false;
  const int name = tokens_[statement.end - 2].match - 1;
  return name <= statement.begin + 1 || tokens_.at(name - 1) == ")";
}

bool BlockVariables::is_of_all(const Statement& statement) const {
  const std::string_view first = tokens_.at(statement.begin);
  if (first == "using" || first == "typedef" || first == "constexpr" || first == "static_assert")
    return true;
  if (defines_type(statement)) return true;
  for (int i = statement.begin; i < statement.end; ++i) {
    if (tokens_.at(i) == "__shared__") return true;
  }
  return first == "_gpy_many";  // what the launch asks for
}

// It is written as it is, where variables of the block have other names.
bool BlockVariables::read_of_all(const Statement& statement) {
  const std::string_view first = tokens_.at(statement.begin);
  if (first == "using") own_names_.insert(tokens_.at(statement.begin + 1));
  if (first == "typedef") own_names_.insert(tokens_.at(statement.end - 2));
  const int body = defines_type(statement) ? tokens_[statement.end - 2].match : statement.begin;
  for (int i = statement.begin; i < statement.end; ++i) {
    if (!tokens_.is_name(i) || tokens_.is_member(i)) continue;
    if (resolve(tokens_.at(i)) >= 0 || functions_.is_threads(tokens_.at(i))) return false;
    const std::string_view next = tokens_.at(i + 1);
    const bool has_value = next == "=" || next == "{" || next == "(" || next == "[";
    const bool is_enumerator =
        first == "enum" && i > body && (next == "=" || next == "," || next == "}");
    if (i + 1 == body || is_enumerator || (first == "constexpr" && has_value))
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
    if (may_declare(statement)) return false;
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

// Notes the variables that a text names, and those that it changes. False where macros hide that,
// or where it asks for a variable's type.
bool BlockVariables::use(TokenRange range) {
  for (int i = range.begin; i < range.end; ++i) {
    if (!tokens_.is_name(i) || tokens_.is_member(i)) continue;
    const std::string_view word = tokens_.at(i);
    // Names stand for references and constants where the loops are.
    if (word == "decltype" || word == "typeof" || word == "__typeof__") return false;
    if (functions_.macro(word) && !functions_.is_plain_macro(word)) return false;
    for (std::string_view each : functions_.names_of_macro(word)) {
      if (resolve(each) >= 0) return false;
    }
    note_use(i);
  }
  return true;
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
