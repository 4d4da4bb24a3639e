#pragma once
// The local names of a function while it is translated: their types, and where they have a value.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.h"
#include "src/translate/dialect.h"

namespace gpy {

// The names that a body assigns to, in the order of their first assignment.
std::vector<std::string> assigned_names(syntax::StmtList body);
// What a statement of the body itself gives a name that nothing else in it is assigned to: null
// where there is no such statement.
const syntax::Expr* only_value(syntax::StmtList body, std::string_view name);
// What the names that a comprehension assigns to have behind them, as names of the function.
std::string scope_suffix(const syntax::Expr& node);
bool is_of_comprehension(const std::string& name);

// Which variables have a value at a point of the function.
struct Flow {
  std::vector<bool> maybe, surely;
  bool reachable = true;

  void assign(size_t variable) { maybe[variable] = surely[variable] = true; }
  // The point where two ways meet.
  void meet(const Flow& other);
};

class Variables {
 public:
  int add(std::string name, std::optional<TypedType> type, syntax::Span place = {},
          bool nonnegative = true);
  // -1: no local name.
  int find(std::string_view name) const;

  // Names with the suffix are found before those without, until the scope is left; what it returns
  // is what is left again.
  std::string enter_scope(std::string suffix);
  void leave_scope(std::string outer) { suffix_ = std::move(outer); }

  const std::string& name(int variable) const { return at(variable).name; }
  const std::optional<TypedType>& type(int variable) const { return at(variable).type; }
  syntax::Span place(int variable) const { return at(variable).place; }
  size_t count() const { return all_.size(); }
  // Forgets the variables behind the first `count`.
  void shrink(size_t count);
  // A type for good: its assignments are cast to it.
  void fix(int variable) { all_[static_cast<size_t>(variable)].fixed = true; }
  bool is_fixed(int variable) const { return at(variable).fixed; }
  // The variable may also be of this type from now on; false where it cannot be.
  bool widen(Dialect dialect, int variable, const TypedType& type, syntax::Span place);
  // Whether all ints that it is given are at least 0. It is believed until one is not.
  bool is_nonnegative(int variable) const { return at(variable).nonnegative; }
  void may_be_negative(int variable);
  // Whether anything has changed since the last call.
  void note_change() { changed_ = true; }
  bool take_change() { return std::exchange(changed_, false); }

 private:
  struct Local {
    std::string name;
    std::optional<TypedType> type;
    syntax::Span place;  // what gave it its type
    bool fixed = false;
    bool nonnegative = true;
  };
  const Local& at(int variable) const { return all_[static_cast<size_t>(variable)]; }

  std::vector<Local> all_;
  std::map<std::string, int, std::less<>> by_name_;
  std::string suffix_;
  bool changed_ = false;
};

}  // namespace gpy
