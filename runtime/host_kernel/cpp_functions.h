#pragma once

// The function definitions of a C++ text, and what their words tell: which depend on the thread
// that runs them, and which do nothing but compute a value from their arguments. All is by names:
// what holds for a name holds for each function that has it.

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "runtime/host_kernel/cpp_tokens.h"

namespace gpy::rt {

struct CppFunction {
  std::string_view name;
  int begin;  // its first token
  int name_at;
  int open, close;  // the parentheses
  int body, end;    // the braces
  bool in_class;
};

class CppFunctions {
 public:
  explicit CppFunctions(const CppTokens& tokens);

  const std::vector<CppFunction>& all() const { return all_; }
  // Whether something that is no function looks at the thread.
  bool outside_depends() const { return outside_depends_; }
  // Whether making or ending an object of the text's classes may do more than give it its value.
  bool objects_act() const;
  // Whether it has a loop that may end only by what another thread does.
  bool waits_in_loop(const CppFunction& function) const;
  // Whether what this name stands for may depend on the thread, or waits for others.
  bool is_threads(std::string_view name) const { return threads_.contains(name); }
  // Whether a call of it neither changes anything nor depends on the thread.
  bool is_pure(std::string_view name) const;
  // The same of a macro's text.
  bool is_pure_macro(std::string_view name) const { return pure_macros_.contains(name); }
  // Whether a call of it gives the same for the same arguments, whatever memory holds.
  bool is_arithmetic(std::string_view name) const;
  // The same of a macro's text.
  bool is_arithmetic_macro(std::string_view name) const {
    return arithmetic_macros_.contains(name);
  }
  bool is_defined(std::string_view name) const { return defined_.contains(name); }
  // Whether all functions of this name get values, or references to constants.
  bool takes_values(std::string_view name) const;
  // Whether a pointer to a variable that it gets by reference may outlive a call of it.
  bool may_keep_address(std::string_view name) const;
  // Whether methods of this name leave their object as it is, and treat a constant one alike.
  bool is_const_method(std::string_view name) const;
  // Whether a method of this name may tell where its object is.
  bool may_tell_place(std::string_view name) const;
  // How many subscripts an array of this name takes, in a class or outside of all; 0: there is
  // none.
  int extents_of_array(std::string_view name) const;
  // Whether the star or the ampersand at `i` has no operand before it.
  bool is_unary(int i) const;
  // Whether the star at `i` stands for what a pointer points to.
  bool is_dereference(int i) const { return tokens_.at(i) == "*" && is_unary(i); }
  // `int x() { return threadIdx.x; }`: the tokens of the expression; {0, 0} for others.
  std::pair<int, int> position_expression(std::string_view name) const;
  // Whether a call of such a function begins at `i`.
  bool is_position_call(int i) const;
  bool is_type(std::string_view name) const;
  bool is_constant(std::string_view name) const { return constants_.contains(name); }
  // The words of a macro's text; null where it is none.
  const std::vector<std::string_view>* macro(std::string_view name) const;
  // What its text names, but for members; nothing where it is none.
  std::vector<std::string_view> names_of_macro(std::string_view name) const;
  // Whether a macro's text is an expression that has no effect but by what it calls.
  bool is_plain_macro(std::string_view name) const { return plain_macros_.contains(name); }

 private:
  using Names = std::set<std::string_view>;
  void find_functions();
  void find_outside();
  void find_macros();
  void find_threads();
  void find_effects();
  void find_addresses();
  bool is_method(const CppFunction& function) const;
  bool is_constructor(const CppFunction& function) const;
  bool calls_are_pure(const CppFunction& function) const;
  bool names_member(const CppFunction& function, int at) const;
  bool gives_value(int at) const;
  bool takes_address(int begin, int end) const;
  bool has(int begin, int end, std::string_view word) const;
  bool body_is_pure(const CppFunction& function) const;
  bool body_is_arithmetic(const CppFunction& function) const;
  bool macro_is_pure(std::string_view name) const;
  bool macro_is_plain(std::string_view name) const;
  bool macro_is_arithmetic(std::string_view name) const;
  bool changes_local(const CppFunction& function, int at) const;
  bool depends(std::string_view word) const;

  const CppTokens& tokens_;
  std::vector<CppFunction> all_;
  std::map<std::string_view, std::vector<std::string_view>> macros_;
  Names threads_, defined_, types_, constants_;
  Names pure_, arithmetic_, plain_macros_, pure_macros_, arithmetic_macros_;
  Names array_members_;  // of classes, where none has a pointer of that name
  std::map<std::string_view, int> array_extents_;
  Names keepers_, tellers_;  // of addresses: functions, methods
  bool has_mutable_ = false;
  Names variables_;  // of no function: their values change
  bool outside_depends_ = false;
};

}  // namespace gpy::rt
