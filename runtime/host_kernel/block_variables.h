#pragma once

// The variables of a kernel that stand beside its barriers, and what each is where the block's
// threads run in loops: one of the block, since all threads give it the same values; computed anew
// by each thread, from its position; or kept for each thread.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/host_kernel/cpp_functions.h"
#include "runtime/host_kernel/cpp_statements.h"

namespace gpy::rt {

// `x = y`, `x += y`, `++x`; a first value, which may stand in braces.
struct Assignment {
  int variable;
  int at;            // the token of the variable's name
  TokenRange whole;  // of those that are no first value
  TokenRange value;  // of a first value with the mark before it; empty where there is none
  bool first = false;
  bool in_structure = false;  // it may be made more than once, or never
  bool in_head = false;
};

struct BlockVariable {
  enum class Kind : uint8_t { kOfBlock, kComputed, kOfThread };
  std::string name, type, extents;  // "const float*"; "[4]"
  bool parameter = false;
  bool is_builtin = false;       // no constructor makes its first value
  bool exposed_address = false;  // somebody may keep a pointer to it
  bool changed = false;          // by what is not an assignment beside the barriers
  int declared = 0;              // token
  std::vector<int> uses;         // tokens
  std::vector<Assignment> assignments;
  Kind kind = Kind::kOfBlock;
};

class BlockVariables {
 public:
  // `structured`: whether a statement is control flow around barriers.
  BlockVariables(const CppTokens& tokens, const CppFunctions& functions)
      : tokens_(tokens), functions_(functions) {}

  // False where something is of a form that is not understood.
  bool read(const CppFunction& function, const std::vector<Statement>& body,
            const std::function<bool(const Statement&)>& structured);

  const std::vector<BlockVariable>& all() const { return variables_; }
  // The variable that a token names; -1: none.
  int of_token(int token) const;
  bool same_for_all(TokenRange range) const;
  // The first values that a statement gives; nullptr for one that declares nothing.
  const std::vector<Assignment>* declared_by(const Statement& statement) const;
  // The assignments that a statement consists of; nullptr where it is another one.
  const std::vector<Assignment>* assigned_by(const Statement& statement) const;
  // The same of a loop's head: its first part, and its last.
  const std::vector<Assignment>* head_first(const Statement& loop) const;
  const std::vector<Assignment>* head_last(const Statement& loop) const;
  TokenRange head_condition(const Statement& loop) const;
  // Declarations that hold for all threads alike: of shared memory, of types.
  bool is_of_all(const Statement& statement) const;

 private:
  using Scope = std::map<std::string_view, int>;
  bool read_parameters(const CppFunction& function);
  bool read_list(const std::vector<Statement>& list, int depth);
  bool read_one(const Statement& statement, int depth);
  bool read_of_all(const Statement& statement);
  bool read_structure(const Statement& statement, int depth);
  bool read_head_of_for(const Statement& statement, int depth);
  std::optional<std::vector<Assignment>> read_declaration(TokenRange range);
  std::optional<std::vector<Assignment>> read_assignments(TokenRange range);
  int declare(int name, TokenRange base, TokenRange stars, TokenRange extents);
  bool may_declare(const Statement& statement) const;
  bool defines_type(const Statement& statement) const;
  bool use(TokenRange range);
  void note_use(int token);
  int resolve(std::string_view name) const;
  bool takes_address(int token) const;
  int end_of_parts(const BlockVariable& variable, int token, int* extents) const;
  int list_around(int token) const;
  int name_of_template(int end) const;
  std::string_view given_to(int open) const;
  void note_given(BlockVariable& variable, std::string_view function, bool in_call);
  void note_method(BlockVariable& variable, int token, int end);
  bool is_known(TokenRange type) const;
  void note(std::vector<Assignment>& all, int depth, bool in_head);
  void classify();
  bool gives_same(const BlockVariable& variable) const;
  bool is_computed(const BlockVariable& variable) const;
  bool is_position(TokenRange range, const Assignment& by) const;
  bool is_empty(const Assignment& each) const;
  bool is_steady(const BlockVariable& variable, const Assignment& user) const;
  std::string text(TokenRange range) const;

  const CppTokens& tokens_;
  const CppFunctions& functions_;
  std::function<bool(const Statement&)> structured_;
  std::vector<BlockVariable> variables_;
  std::vector<Scope> scopes_;
  std::set<std::string_view> own_names_;  // of types and constants of the function's own
  std::map<int, int> of_token_;
  std::map<int, std::vector<Assignment>> declared_, assigned_, head_first_, head_last_;
};

}  // namespace gpy::rt
