#pragma once
// The variable that each name denotes. A scope is a module, a function, a class body, or a
// comprehension; list, set and dict comprehensions run in the frame of the function around them,
// with variables of their own. Names bound in a class body are the class's attributes: functions in
// it do not see them, only the class itself as __class__.

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/ast.h"
#include "src/lower/doubts.h"

namespace gpy {

struct Scope;

struct Symbol {
  bool is_bound = false;
  bool is_parameter = false;
  bool is_global = false;    // declared
  bool is_nonlocal = false;  // declared
  bool is_captured = false;  // lives in a cell
  int32_t index = -1;        // its register, once given
};

struct Scope {
  enum Kind { module, function, class_body, comprehension };
  Scope(Kind kind, Scope* parent, std::set<std::string>& spellings)
      : kind(kind), parent(parent), spellings(spellings) {
    if (parent) class_name = parent->class_name;
  }

  Kind kind;
  Scope* parent;
  std::unordered_map<std::string_view, Symbol> symbols;
  std::vector<std::string_view> order;     // symbols as they were first seen
  std::vector<std::string_view> captured;  // of a function: names it takes from outside
  std::vector<Scope*> comprehensions;      // of a frame: those that run in it
  bool has_walrus = false;                 // of a frame: an expression may rebind a local
  std::string_view class_name;             // of the innermost class around
  std::string_view name;                   // of a comprehension: "<listcomp>"
  std::set<std::string>& spellings;        // of the table: names made up here

  bool has_frame() const { return kind != comprehension; }
  Scope* frame() { return has_frame() ? this : parent->frame(); }
  Symbol& symbol(std::string_view name);
  Symbol* find(std::string_view name);
  // In a class, __name stands for _Class__name.
  std::string_view spelled(std::string_view name) const;
};

// A SyntaxError found after parsing.
struct LoweringError {
  std::string message;
  syntax::Span span;
};

class ScopeTable {
 public:
  // Throws LoweringError.
  explicit ScopeTable(const syntax::Tree& tree, bool annotations_are_text = false);
  ScopeTable(const ScopeTable&) = delete;

  // `from __future__ import annotations`: they are kept as text.
  bool annotations_are_text = false;
  bool annotates_module = false;
  Doubts doubts;  // in the order of the source

  // The scope that a FunctionDef, Lambda, comprehension or Module node opens.
  Scope* of(const void* node) const { return by_node_.at(node); }

 private:
  friend class ScopeWalk;
  Scope* open(const void* node, Scope::Kind kind, Scope* parent);
  void resolve();
  static void resolve_use(Scope* from, std::string_view name);

  std::vector<std::unique_ptr<Scope>> scopes_;
  std::unordered_map<const void*, Scope*> by_node_;
  std::set<std::string> spellings_;
};

}  // namespace gpy
