#pragma once
// Loops and functions by the interpreter's own rules, for code that takes over from it and hands
// back to it.
//
// Whatever might raise, warn or call a script's code is looked at before anything of its statement
// is changed. If it might, the code ends there: it gives the interpreter the values of all names
// and the number of an exit, which is a statement, and the interpreter runs that statement itself.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/translate/function_translator.h"

namespace gpy {

// A place where compiled code ends and the interpreter goes on.
struct LoopExit {
  enum class Kind : uint8_t { kStatement, kTest };  // at its first instruction; at a while's test
  Kind kind = Kind::kStatement;
  uint32_t begin = 0;           // of the statement in its source
  std::vector<uint32_t> loops;  // the for loops inside the translated one that it lies in
};

// How a for loop stands: three ints among the values that compiled code hands over. In one over
// anything but a range they count items.
struct LoopState {
  uint32_t begin = 0;                        // of the statement
  int next = -1, step = -1, remaining = -1;  // variables
  std::string array;                         // the name of what it goes through; none: a range
};

// What the translated loop goes through, other than a range.
struct LoopItems {
  struct Item {
    TypedType array;   // of one axis, from the present item on; none: ints at equal distances
    TypedType number;  // as the script has the elements
    bool is_counted() const { return array.is_none(); }
    bool operator==(const Item&) const = default;
  };
  std::vector<Item> items;
  bool is_tuple = false;  // of enumerate and zip
  bool operator==(const LoopItems&) const = default;
};

// The names of a loop at its start.
struct LoopVariables {
  std::vector<TypedParameter> known;  // that it assigns to, with what they hold
  std::vector<std::string> fresh;     // that it assigns to, without a value yet
  std::vector<TypedParameter> inputs;
  LoopItems items;  // none: a range
  // What compiled code cannot hold the value of, and why: "is text", "has no value yet".
  std::map<std::string, std::string, std::less<>> others;
};

class LoopTranslator final : public FunctionTranslator {
 public:
  // A function that is called by a loop.
  LoopTranslator(ProgramBuilder& program, const TranslationSource& source)
      : FunctionTranslator(program, source, false) {}

  // The loop, a while or a for, whose next iteration the interpreter has begun: its test held, its
  // item is taken. The parameters are the names that it assigns to (known and
  // fresh ones), for each whether it holds one of NumPy's numbers, for each fresh one whether it
  // has a value, the iterations that may be run, the address of a flag that ends it, the item,
  // next, step and remaining of each for loop (states()), the inputs, of what it goes through each
  // array, or first number and distance. The result is the exit, the
  // iterations that are left, each of the names with its flag, whether the fresh ones have values,
  // the states.
  rt::typed::Function translate_loop(const syntax::Stmt& loop, LoopVariables names);
  // A function's own result behind whether it has one.
  static TypedType with_success(const TypedType& result);

  const std::vector<LoopExit>& exits() const { return exits_; }
  const std::vector<LoopState>& states() const { return states_; }
  // Whether no iteration gets to its end, for want of what compiled code can do.
  bool ends_early() const { return ends_early_; }
  // The first thing that stood in the way.
  const std::optional<TranslationFailure>& obstacle() const { return obstacle_; }

 private:
  // --- statements (loop_translator.cpp) ---
  void statement(const syntax::Stmt& node) override;
  void visit(const syntax::Return& node) override;
  void visit(const syntax::Assign& node) override;
  void unpack(syntax::ExprList targets, TypedExpression value, syntax::Span place) override;
  void visit(const syntax::Break& node) override;
  TypedExpression read(int variable, syntax::Span place) override;
  void assign_variable(int variable, TypedExpression value, syntax::Span place) override;
  void store(TypedExpression at, TypedExpression value, syntax::Span place) override;
  TypedExpression kept(TypedExpression value, syntax::Span place) override;
  Value global(std::string_view name) override;
  Value static_value(const syntax::Expr& node) override;

  void leave(LoopExit::Kind kind, uint32_t begin);
  void leave_here() { leave(resume_kind_, resume_); }
  // Ends the code where the truth does not hold.
  void require(TypedExpression truth, syntax::Span place);
  TypedExpression exit_values(int exit);
  int new_exit(LoopExit::Kind kind, uint32_t begin);
  void set_own(int variable, TypedExpression value, syntax::Span place);
  static inline const TypedType kWord = TypedType::number(rt::DType::kInt64);
  static TypedExpression word(int64_t number);
  static bool is_known(const TypedExpression& value) {
    return value.kind == TypedExpression::Kind::kNumber;
  }
  static bool is_true(const TypedExpression& value) {
    return is_known(value) && value.number.truth();
  }
  static TypedExpression zero_of(const TypedType& type);
  // Of two 64-bit words.
  static TypedExpression row_of(rt::Row row, TypedExpression left, TypedExpression right);
  TypedExpression value_of(int variable) const {
    return TypedExpression::variable(variable, *variables_.type(variable));
  }
  bool is_fresh(int variable) const;
  [[noreturn]] void fail_unheld(syntax::Span place) const;

  // --- loops (loop_rounds.cpp) ---
  Block walk() override;
  void walk_function();
  void walk_loop(const syntax::Stmt& loop);
  void visit(const syntax::While& node) override;
  void visit(const syntax::For& node) override;
  // The item of a round, by the round's number.
  using ItemOf = std::function<TypedExpression(const TypedExpression& round)>;
  void walk_rounds(const syntax::For& node, const std::array<TypedExpression, 3>& bounds,
                   const TypedExpression& rounds, const ItemOf& item);
  void loop_over_array(const syntax::For& node, TypedExpression array, std::string_view name);
  // The element as the script has it, which is known to be there.
  static TypedExpression present_element(TypedExpression array, TypedExpression index,
                                         const TypedType& number);
  TypedExpression own_item(const TypedExpression& index);
  void begin_iteration(const syntax::Stmt& loop, int first);
  void walk_test(const syntax::While& node);
  void look_at_test(const syntax::While& node);
  void take_item(const syntax::For& node);
  int state_of(uint32_t begin);
  // next, step and remaining of a loop that has taken so many items
  static std::array<TypedExpression, 3> standing(const std::array<TypedExpression, 3>& bounds,
                                                 const TypedExpression& rounds,
                                                 const TypedExpression& taken);
  void set_state(const LoopState& state, const std::array<TypedExpression, 3>& words);
  void begin_body(syntax::StmtList body);
  void count_iteration(syntax::StmtList body);
  // A loop whose iterations are charged behind it: how it stands follows from its round, and is
  // computed where the code ends inside of it.
  struct Counted {
    uint32_t begin;  // of the statement
    std::array<TypedExpression, 3> bounds;
    TypedExpression rounds;
    TypedExpression taken;  // items so far
  };
  bool is_counted() const { return hoisting_ && hoisting_->is_proven; }
  // Takes them off the budget.
  void charge(TypedExpression iterations, syntax::Span place);

  // --- range checks in front of a loop (hoisting.cpp) ---
  // An index: a variable (-1: none) and a number.
  struct Affine {
    int base;
    int64_t offset;
    auto operator<=>(const Affine&) const = default;
  };
  struct Access {
    int array, axis;
    Affine index;
    auto operator<=>(const Access&) const = default;
  };
  struct Hoisting {
    int target = -1;                   // the variable that takes the items
    std::vector<std::string> changed;  // in the body
    const Flow* entry = nullptr;       // before the loop
    std::map<int, Affine> affine;      // variables that hold such an index
    std::set<Access> accesses;         // that can be looked at ahead
    bool is_proven = false;            // that has been done
  };
  // The items of a loop, as they are before it.
  struct Items {
    TypedExpression first, step, rounds;
    TypedExpression so;  // whether they are
    bool index = true;   // the loop's name holds them
  };
  // `write` writes the loop: once, or once with and once without checks that are made ahead.
  void check_ahead(const syntax::For& node, const Items& items, const std::function<void()>& write);
  TypedExpression is_good(const Access& access, int target, const Items& items);
  std::optional<Affine> affine_form(const syntax::Expr& node);
  TypedExpression index_of(const syntax::Expr& node) override;
  bool is_checked_ahead(const TypedExpression& array, int axis, const TypedExpression& index);

  // --- numbers (language_numbers.cpp) ---
  TypedExpression binary(syntax::BinaryOperator op, TypedExpression left, TypedExpression right,
                         syntax::Span place) override;
  TypedExpression visit_expression(const syntax::Constant& node) override;
  TypedExpression visit_expression(const syntax::UnaryOp& node) override;
  TypedExpression visit_expression(const syntax::BoolOp& node) override;
  TypedExpression visit_expression(const syntax::Compare& node) override;
  TypedExpression visit_expression(const syntax::IfExp& node) override;
  TypedExpression condition(const syntax::Expr& node) override;
  TypedExpression position(const TypedExpression& array, int axis, TypedExpression index,
                           syntax::Span place) override;
  TypedExpression constant_value(const Value& value, syntax::Span place) override;
  using FunctionTranslator::visit;
  using FunctionTranslator::visit_expression;

  TypedExpression python_ints(syntax::BinaryOperator op, TypedExpression left,
                              TypedExpression right, syntax::Span place);
  TypedExpression python_floats(syntax::BinaryOperator op, TypedExpression left,
                                TypedExpression right, syntax::Span place);
  TypedExpression numpy_numbers(syntax::BinaryOperator op, TypedExpression left,
                                TypedExpression right, syntax::Span place);
  TypedExpression numpy_ints(syntax::BinaryOperator op, rt::DType dtype, TypedExpression left,
                             TypedExpression right, bool strict, syntax::Span place);
  // Whether the result of two numbers is NumPy's: a truth, a constant one where that is known.
  TypedExpression is_numpys(const TypedExpression& left, const TypedExpression& right);
  // Fails where NumPy's result depends on whether a number of type `either` is Python's.
  void check_either(const rt::Ufunc& ufunc, const TypedExpression& left,
                    const TypedExpression& right, syntax::Span place);
  TypedExpression narrowed(TypedExpression value, rt::DType other, syntax::Span place);
  TypedExpression numpy_floats(syntax::BinaryOperator op, TypedExpression left,
                               TypedExpression right, syntax::Span place);
  TypedExpression compare(CompareOp op, TypedExpression left, TypedExpression right,
                          syntax::Span place);
  static TypedExpression checked(std::string symbol, TypedExpression left, TypedExpression right);
  TypedExpression language_row(rt::Row which, std::vector<TypedExpression> args,
                               syntax::Span place);
  TypedExpression settled(TypedExpression value, syntax::Span place);
  // As the number that it is computed as: bools of Python are ints.
  TypedExpression plain(TypedExpression value);
  TypedExpression fitting(TypedExpression value, rt::DType dtype, syntax::Span place);
  // Whether a value of type `either` is NumPy's.
  TypedExpression tag_of(const TypedExpression& value) const;
  template <class Yes, class No>
  TypedExpression branched(TypedExpression test, Yes&& yes, No&& no, syntax::Span place);
  // What `part` gives, with the statements that it needs.
  template <class Part> TypedExpression part(Block& statements, Part&& part);
  // The operands from one on, as a value or only as whether they hold.
  TypedExpression operands_from(const syntax::BoolOp& node, size_t at, bool as_truth);
  TypedExpression compare_from(const syntax::Compare& node, size_t at, TypedExpression left,
                               bool as_truth);

  // --- complex numbers (language_complex.cpp) ---
  TypedExpression complex_numbers(syntax::BinaryOperator op, TypedExpression left,
                                  TypedExpression right, syntax::Span place);
  TypedExpression python_complex(syntax::BinaryOperator op, TypedExpression left,
                                 TypedExpression right, syntax::Span place);
  TypedExpression numpy_complex(syntax::BinaryOperator op, TypedExpression left,
                                TypedExpression right, syntax::Span place);
  TypedExpression to_complex(const syntax::Call& node);
  TypedExpression part_of_number(TypedExpression number, const syntax::Attribute& node) override;
  TypedExpression conjugated(TypedExpression number, syntax::Span place) override;

  // --- calls (language_calls.cpp) ---
  bool calls_wrapped_functions() const override { return false; }
  TypedExpression call_builtin(std::string_view name, const syntax::Call& node) override;
  TypedExpression call_math(std::string_view name, const syntax::Call& node) override;
  TypedExpression call_cmath(std::string_view name, const syntax::Call& node) override;
  TypedExpression call_type(const Type& type, const syntax::Call& node) override;
  TypedExpression call_function(Function& function, const syntax::Call& node) override;
  TypedExpression call_ufunc(const rt::Ufunc& ufunc, const syntax::Call& node) override;
  TypedExpression to_int(TypedExpression value, syntax::Span place);
  TypedExpression to_float(TypedExpression value, syntax::Span place);
  TypedExpression least(const syntax::Call& node, bool greatest);
  TypedExpression second_if(TypedExpression truth, TypedExpression first, TypedExpression second,
                            syntax::Span place);

  const syntax::Stmt* loop_ = nullptr;  // null: a function
  int depth_ = 0;                       // of loops around the statement, the translated one first
  uint32_t resume_ = 0;
  LoopExit::Kind resume_kind_ = LoopExit::Kind::kStatement;
  size_t values_ = 0;  // the script's variables, which exits hand over
  int budget_ = -1, stop_ = -1, item_ = -1;
  LoopItems items_;
  std::vector<int> sources_;  // of each its array, or its first number, which the distance follows
  std::map<std::string, std::string, std::less<>> others_;
  std::vector<int> tags_;        // of the script's variables
  std::vector<int> sets_;        // of the fresh ones, which come last: whether they have a value
  std::map<int, int> own_tags_;  // of variables of the translator's own
  std::vector<LoopState> states_;
  Hoisting* hoisting_ = nullptr;
  const Counted* counted_ = nullptr;
  std::vector<uint32_t> nest_;  // for loops around the statement
  std::vector<LoopExit> exits_;
  std::optional<TranslationFailure> obstacle_;
  std::optional<TypedType> returned_;  // by this walk of a function
  bool ends_early_ = false;
};

}  // namespace gpy
