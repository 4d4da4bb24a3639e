#pragma once
// Walks the body of one function. The members stand by family: statements.cpp, expressions.cpp,
// calls.cpp, iteration.cpp.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/array.h"
#include "src/translate/failure.h"
#include "src/translate/grid_table.h"
#include "src/translate/iteration.h"
#include "src/translate/program_builder.h"
#include "src/translate/variables.h"

namespace gpy {

using TypedStatement = rt::typed::Statement;

// A function, a cooperative group or None: what the body of a function knows of an argument.
bool is_known_argument(Interpreter& vm, const Value& value);

class FunctionTranslator {
 public:
  // `is_kernel`: what it returns would reach nobody.
  FunctionTranslator(ProgramBuilder& program, const TranslationSource& source, bool is_kernel)
      : program_(program),
        vm_(program.vm),
        dialect_(program.dialect),
        source_(source),
        is_kernel_(is_kernel) {}

  virtual ~FunctionTranslator() = default;

  void add_parameter(const TypedParameter& parameter);
  void add_output(const TypedOutput& output);
  // Known before the first walk: of a function that calls itself.
  void expect_result(const std::optional<TypedType>& type) { result_ = type; }

  // Translates until nothing changes. `on_result` is told of the result's type as it grows.
  rt::typed::Function translate(const std::function<void(const TypedType&)>& on_result = {});
  bool has_effects() const { return effects_; }

 protected:
  using Block = std::vector<TypedStatement>;

  // --- statements ---
  virtual Block walk();
  void begin_walk();
  Block block(syntax::StmtList list);
  virtual void statement(const syntax::Stmt& node);
  virtual void visit(const syntax::Assign& node);
  void visit(const syntax::AugAssign& node);
  void visit(const syntax::AnnAssign& node);
  void visit(const syntax::If& node);
  virtual void visit(const syntax::While& node);
  virtual void visit(const syntax::For& node);
  virtual void visit(const syntax::Return& node);
  void visit(const syntax::ExprStmt& node);
  virtual void visit(const syntax::Break& node);
  virtual void visit(const syntax::Continue& node);
  void visit(const syntax::Pass&) {}
  void visit(const syntax::Delete& node);
  template <class Node> void visit(const Node& node) { refuse_statement(node); }
  [[noreturn]] void refuse_statement(const syntax::Stmt& node);

  void assign(const syntax::Expr& target, TypedExpression value, syntax::Span place);
  virtual void assign_variable(int variable, TypedExpression value, syntax::Span place);
  void keep_type(int variable, const TypedType& given, syntax::Span place);
  // cupyx.jit casts what is assigned where NumPy's casting "same_kind" lets it.
  void check_same_kind(const TypedType& given, rt::DType to, syntax::Span place);
  virtual void unpack(syntax::ExprList targets, TypedExpression value, syntax::Span place);
  TypedExpression unpacked_items(TypedExpression sequence, size_t count, syntax::Span place);
  virtual void store(TypedExpression at, TypedExpression value, syntax::Span place);
  void return_value(const syntax::Expr* node, syntax::Span place);
  void grow_result(const TypedType& type);
  void loop_over_range(const syntax::For& node, const syntax::Call& range);
  struct LoopParts {
    syntax::StmtList body, otherwise;
    bool may_be_skipped = true;
  };
  void run_loop(TypedStatement loop, const LoopParts& parts, const std::function<void()>& before);
  // A loop whose body is what `inner` emits.
  void run_block_loop(TypedStatement loop, const std::function<void()>& inner);
  void otherwise(syntax::StmtList body, int broken);
  int flag(bool value, syntax::Span place);
  void set_flag(int variable, bool value, syntax::Span place);
  void loop_with_assignment(const syntax::While& node);
  TypedStatement counted_loop(TypedExpression count, syntax::Span place);
  static bool assigns(const syntax::Expr& node);
  TypedStatement& emit(TypedStatement::Kind kind, syntax::Span place);
  int own_variable(const TypedType& type, bool nonnegative);
  // A variable of the translator's own with the value.
  virtual TypedExpression kept(TypedExpression value, syntax::Span place);
  void check_outputs(syntax::Span place);
  void output_value(TypedExpression value, syntax::Span place);

  // --- what loops go through ---
  bool is_range(const Value& callee) const;
  bool is_parallel_range(const syntax::Call& node);
  std::array<TypedExpression, 3> range_bounds(const syntax::Call& node, TypedType* end = nullptr);
  int unrolling(const syntax::Call& range);
  Iteration iterate_over(const syntax::Expr& iterable);
  Iteration iterate_range(const syntax::Call& node);
  Iteration iterate_places(const syntax::Call& node);
  Iteration iterate_elements(const syntax::Call& node);
  TypedExpression indices_of(const std::vector<TypedExpression>& extents, TypedExpression index,
                             syntax::Span place);
  TypedExpression count_of(const std::vector<TypedExpression>& extents, syntax::Span place);
  Iteration iterate_enumerated(const syntax::Call& node);
  Iteration iterate_zipped(const syntax::Call& node);

  // --- expressions ---
  TypedExpression expression(const syntax::Expr& node);
  TypedExpression number(const syntax::Expr& node);
  virtual TypedExpression condition(const syntax::Expr& node);
  // The condition of a statement, whose blocks are walked whether its type is known or not.
  TypedExpression test_of(const syntax::Expr& node);
  virtual TypedExpression visit_expression(const syntax::Constant& node);
  TypedExpression visit_expression(const syntax::Name& node);
  TypedExpression visit_expression(const syntax::BinOp& node);
  Value folded(const syntax::Expr& node);
  virtual TypedExpression visit_expression(const syntax::UnaryOp& node);
  virtual TypedExpression visit_expression(const syntax::BoolOp& node);
  virtual TypedExpression visit_expression(const syntax::Compare& node);
  virtual TypedExpression visit_expression(const syntax::IfExp& node);
  TypedExpression visit_expression(const syntax::Attribute& node);
  TypedExpression visit_expression(const syntax::Subscript& node);
  TypedExpression visit_expression(const syntax::Tuple& node);
  TypedExpression visit_expression(const syntax::NamedExpr& node);
  TypedExpression visit_expression(const syntax::Call& node);
  template <class Node> [[noreturn]] TypedExpression visit_expression(const Node& node) {
    refuse_expression(node);
  }
  [[noreturn]] void refuse_expression(const syntax::Expr& node);

  virtual TypedExpression binary(syntax::BinaryOperator op, TypedExpression left,
                                 TypedExpression right, syntax::Span place);
  TypedExpression compared(const syntax::Comparison& node, TypedExpression left,
                           TypedExpression right, syntax::Span place);
  static TypedExpression negated_truth(TypedExpression operand);
  static CompareOp compare_operator(syntax::CompareOperator op, syntax::Span place);
  TypedExpression row(const rt::Ufunc& ufunc, std::vector<TypedExpression> args, RowUse use,
                      syntax::Span place);
  TypedExpression as_python(TypedExpression value) const;
  TypedExpression choice(TypedExpression test, TypedExpression yes, TypedExpression no,
                         syntax::Span place);
  // Puts the left operand before the statements that the right one needed.
  TypedExpression in_order(TypedExpression left, size_t before, syntax::Span place);
  // The divisor of a division that raises where it is 0.
  TypedExpression divisor(syntax::BinaryOperator op, const TypedType& dividend,
                          TypedExpression value, syntax::Span place);
  TypedExpression whole_power(TypedExpression base, TypedExpression exponent, syntax::Span place);
  TypedExpression power(TypedExpression base, TypedExpression exponent, syntax::Span place);
  TypedExpression joined(TypedExpression left, TypedExpression right, bool both);
  TypedExpression tuple_of(std::vector<TypedExpression> items);
  TypedExpression tuple_item(TypedExpression tuple, const syntax::Subscript& node);
  TypedExpression tuple_slice(TypedExpression tuple, const syntax::Slice& node);
  TypedExpression named_tuple_of(const Type& type, std::vector<TypedExpression> items);
  TypedExpression named_item(TypedExpression tuple, const syntax::Attribute& node);
  TypedExpression make_named_tuple(const Type& type, const syntax::Call& node);
  TypedExpression joined_tuples(TypedExpression left, TypedExpression right, syntax::Span place);
  virtual TypedExpression part_of_number(TypedExpression number, const syntax::Attribute& node);
  virtual TypedExpression conjugated(TypedExpression number, syntax::Span place);
  TypedExpression flat(TypedExpression array);
  static TypedType view_type(TypedType array);
  virtual TypedExpression element(TypedExpression array, const syntax::Expr& index,
                                  syntax::Span place);
  TypedExpression element_at(const TypedExpression& array, std::vector<TypedExpression> indices,
                             syntax::Span place);
  TypedExpression borrowed(TypedExpression array);
  virtual TypedExpression index_of(const syntax::Expr& node);
  std::vector<TypedExpression> split_index(TypedExpression index, syntax::Span place);
  // An index along an axis, counted from the end where it may be negative.
  virtual TypedExpression position(const TypedExpression& array, int axis, TypedExpression index,
                                   syntax::Span place);
  // An item along the first axis: an element, or a view of the rest.
  TypedExpression item_at(const TypedExpression& array, const TypedExpression& index,
                          syntax::Span place);
  TypedExpression extent(const TypedExpression& array, int axis);
  TypedExpression shape(const TypedExpression& array);
  virtual TypedExpression constant_value(const Value& value, syntax::Span place);
  TypedExpression item_of(const TypedExpression& tuple, size_t index);
  virtual TypedExpression read(int variable, syntax::Span place);

  // --- arrays (array_expressions.cpp, slices.cpp, array_calls.cpp) ---
  friend struct ArrayCall;
  struct Slicing;
  void check_dialect(syntax::Span place);
  void check_arrays(syntax::Span place);
  void check_views(syntax::Span place);
  TypedExpression array_row(const rt::Ufunc& ufunc, std::vector<TypedExpression> args,
                            syntax::Span place);
  TypedExpression array_binary(syntax::BinaryOperator op, TypedExpression left,
                               TypedExpression right, syntax::Span place);
  TypedExpression matrix_product(TypedExpression left, TypedExpression right, syntax::Span place);
  void store_elements(TypedExpression to, TypedExpression value, syntax::Span place);
  void fill_elements(const TypedExpression& to, const TypedExpression& value, syntax::Span place);
  void store_picked(TypedExpression to, TypedExpression value, syntax::Span place);
  void augment_elements(syntax::BinaryOperator op, TypedExpression to, TypedExpression value,
                        syntax::Span place);
  bool is_new_axis(const syntax::Expr& node);
  // Whether an index has slices, an ellipsis or new axes in it.
  bool is_slicing(const syntax::Expr& index);
  TypedExpression sliced(TypedExpression array, const syntax::Expr& index, syntax::Span place);
  virtual TypedExpression slice_bound(const TypedExpression& array, int axis,
                                      const syntax::Expr* node, int64_t otherwise);
  void add_slice(Slicing& slicing, const TypedExpression& array, const syntax::Slice& node);
  void add_part(Slicing& slicing, const TypedExpression& array, const syntax::Expr& part, int open);
  void add_index(Slicing& slicing, const TypedExpression& array, TypedExpression index,
                 syntax::Span place);
  TypedExpression parts_by(TypedExpression array, Slicing slicing);
  TypedExpression with_axis_first(TypedExpression array, int axis);
  TypedExpression view_by(TypedExpression array, Slicing slicing);
  // A view, which may raise in functions.
  TypedExpression view_call(std::string symbol, TypedType type,
                            std::vector<TypedExpression> args) const;
  TypedExpression picked(TypedExpression array, std::vector<TypedExpression> indices,
                         syntax::Span place);
  // A function of numpy, or a method of an array; nullopt: there is none of this name here.
  std::optional<TypedExpression> try_array_function(const Value& callee, const syntax::Call& node);
  std::optional<TypedExpression> try_array_method(TypedExpression object, std::string_view name,
                                                  const syntax::Call& node);
  std::string numpy_name(const Value& callee);

  // --- lists (list_calls.cpp) ---
  class Scope;
  // Thrown where a type is needed that no walk has found yet: that of a list's items, or of what
  // a function gives that is being translated.
  struct UnknownItem {
    syntax::Span place;
    std::string callee = {};  // empty: an item
  };
  void note(const UnknownItem& unknown) {
    if (!unknown_) unknown_ = unknown;
  }
  // The expression, whose type may be found by a later walk.
  std::optional<TypedExpression> try_expression(const std::function<TypedExpression()>& make);
  [[noreturn]] void fail_unknown() const;
  TypedExpression visit_expression(const syntax::List& node);
  TypedExpression visit_expression(const syntax::ListComp& node);
  static bool is_item(const TypedType& type);
  TypedExpression list_of(std::vector<TypedExpression> items, syntax::Span place);
  TypedExpression list_size(TypedExpression list);
  TypedExpression list_slice(TypedExpression list, const syntax::Slice& node);
  void delete_item(const syntax::Subscript& node);
  TypedExpression list_item(TypedExpression list, TypedExpression index, syntax::Span place);
  TypedExpression widen_list(const TypedExpression& list, const TypedType& item,
                             syntax::Span place);
  std::optional<TypedExpression> try_list_method(TypedExpression list, std::string_view name,
                                                 const syntax::Call& node);
  TypedExpression list_binary(syntax::BinaryOperator op, TypedExpression left,
                              TypedExpression right, syntax::Span place);
  void add_comprehended(const syntax::ListComp& node, size_t depth, int list);
  void filtered(syntax::ExprList tests, const std::function<void()>& inner);
  TypedExpression list_from(const syntax::Call& node);
  void add_item(const syntax::Expr& node, TypedExpression item, int list);

  // --- dictionaries (map_calls.cpp), and those and lists of numba.typed (containers.cpp) ---
  TypedExpression visit_expression(const syntax::Dict& node);
  TypedExpression widen_map(const TypedExpression& map, const TypedType& key,
                            const TypedType& value, syntax::Span place);
  TypedExpression as_key(const TypedExpression& map, TypedExpression key, syntax::Span place);
  TypedExpression as_value(const TypedExpression& map, TypedExpression value, syntax::Span place);
  TypedExpression map_item(TypedExpression map, TypedExpression key, syntax::Span place);
  void set_map_item(TypedExpression map, TypedExpression key, TypedExpression value,
                    syntax::Span place);
  std::optional<TypedExpression> try_map_method(TypedExpression map, std::string_view name,
                                                const syntax::Call& node);
  std::optional<TypedExpression> try_container(const syntax::Call& node);
  std::vector<Value> starred_types(const syntax::Call& node);
  TypedExpression typed_list(const syntax::Call& node);

  // --- print (printing.cpp) ---
  TypedExpression call_print(const syntax::Call& node);
  TypedExpression print_in_kernel(const syntax::Call& node);
  void emit_print(std::string symbol, std::vector<TypedExpression> args, syntax::Span place);
  void print_text(const Value& text, syntax::Span place);
  void print_value(TypedExpression value, syntax::Span place);

  // --- tuples as sequences (tuples.cpp) ---
  TypedExpression tuple_at(const TypedExpression& tuple, TypedExpression index, syntax::Span place);
  TypedExpression compare_tuples(syntax::CompareOperator op, const TypedExpression& left,
                                 const TypedExpression& right, syntax::Span place);
  TypedExpression contains(TypedExpression sequence, TypedExpression item, syntax::Span place);
  TypedExpression sum_builtin(const syntax::Call& node);

  // --- what stands in the language itself (library_calls.cpp) ---
  std::optional<TypedExpression> try_library(std::string_view module, std::string_view name,
                                             std::vector<TypedExpression> before,
                                             const syntax::Call& node);
  TypedExpression library_call(std::string_view function, std::vector<TypedExpression> args,
                               syntax::Span place);
  std::optional<TypedExpression> try_library_function(const Value& callee,
                                                      const syntax::Call& node);
  std::string linalg_name(const Value& callee);
  Value dtype_value(const syntax::Expr& node);
  Value known_call(const syntax::Call& node);
  bool names_dtype(const syntax::Assign& node);
  void name_known(std::string_view name, const Value& value, syntax::Span place);
  Value known_operand(const syntax::Expr& node);
  std::optional<TypedExpression> try_known_comparison(const syntax::Compare& node);

  // --- random numbers (random_calls.cpp) ---
  std::string module_of(const syntax::Expr& node);
  std::optional<TypedExpression> try_random_call(const syntax::Call& node);
  TypedExpression drawn(std::string_view symbol, std::string_view arrays, size_t least, size_t most,
                        const std::array<double, 2>& defaults, bool axes, const syntax::Call& node);
  std::optional<TypedExpression> try_random_int(std::string_view module, std::string_view name,
                                                const syntax::Call& node);
  TypedExpression random_int(std::string_view module, std::string_view name,
                             const syntax::Call& node);
  TypedExpression random_choice(const syntax::Call& node);
  std::vector<TypedExpression> drawn_extents(const syntax::Expr* size);
  TypedExpression population(const syntax::Expr& node);

  // --- arguments that are functions or None ---
  // `before`: arguments that are given in front of those of the call.
  std::vector<const syntax::Expr*> bound_arguments(const Function& function,
                                                   const syntax::Call& node, size_t before = 0);
  TypedExpression call_with(Function& function, std::vector<TypedExpression> before,
                            const syntax::Call& node);
  Value known_argument(const syntax::Expr& node);
  Value known_name(const syntax::Expr& node);
  std::optional<TypedExpression> try_none_test(const syntax::Compare& node);
  std::optional<rt::DType> dtype_of_type_object(const Value& callee);

  // --- raise and assert (raising.cpp) ---
  void visit(const syntax::Raise& node);
  void visit(const syntax::Assert& node);
  Value static_argument(const syntax::Expr& node);
  int64_t told_line(syntax::Span place) const;
  void raise_always(Value type, std::vector<Value> args, syntax::Span place);

  // --- instances of jit classes (instances.cpp) ---
  TypedExpression field_of(TypedExpression instance, size_t index);
  TypedExpression instance_attribute(TypedExpression instance, const syntax::Attribute& node);
  TypedExpression call_instance(TypedExpression instance, const syntax::Attribute& method,
                                const syntax::Call& node);
  TypedExpression make_instance(const Type& type, const syntax::Call& node);
  void assign_attribute(const syntax::Attribute& target, TypedExpression value, syntax::Span place);
  // A method by its special name, "__add__"; the instance is the first of the arguments.
  std::optional<TypedExpression> try_special(std::string_view name,
                                             std::vector<TypedExpression> args, syntax::Span place);
  std::optional<TypedExpression> try_special_operator(syntax::BinaryOperator op,
                                                      const TypedExpression& left,
                                                      const TypedExpression& right,
                                                      syntax::Span place);
  std::optional<TypedExpression> try_special_comparison(syntax::CompareOperator op,
                                                        const TypedExpression& left,
                                                        const TypedExpression& right,
                                                        syntax::Span place);

  // --- functions inside (closures.cpp) ---
  void visit(const syntax::FunctionDef& node);
  bool names_lambda(const syntax::Assign& node);
  const LocalFunction* find_local_function(std::string_view name) const;
  TypedExpression call_local(const LocalFunction& function, const syntax::Call& node);
  void add_captured(const LocalFunction& function, std::vector<std::string>& names,
                    std::vector<TypedExpression>& args, syntax::Span place);
  static std::vector<TypedType> types_of(const std::vector<TypedExpression>& values);
  TypedExpression call_of(const ProgramBuilder::Callee& callee, std::string_view name,
                          std::vector<TypedExpression> args, syntax::Span place);

  // --- names and calls ---
  // The value of a name that is not local, or of an attribute of one; undefined: no such thing.
  virtual Value static_value(const syntax::Expr& node);
  virtual Value global(std::string_view name);
  std::vector<TypedExpression> arguments(const syntax::Call& node);
  // Whether an object with a `py_func` is called as that function.
  virtual bool calls_wrapped_functions() const { return true; }
  TypedExpression call_value(const Value& callee, const syntax::Call& node);
  TypedExpression call_stencil(const Value& spec, const syntax::Call& node);
  std::optional<TypedExpression> try_marked_function(const Value& callee, const syntax::Call& node);
  TypedExpression array_at_pointer(const syntax::Call& node);
  virtual TypedExpression call_builtin(std::string_view name, const syntax::Call& node);
  virtual TypedExpression call_math(std::string_view name, const syntax::Call& node);
  virtual TypedExpression call_cmath(std::string_view name, const syntax::Call& node);
  virtual TypedExpression call_type(const Type& type, const syntax::Call& node);
  virtual TypedExpression call_function(Function& function, const syntax::Call& node);
  virtual TypedExpression call_ufunc(const rt::Ufunc& ufunc, const syntax::Call& node);
  TypedExpression smallest(const syntax::Call& node, bool greatest);
  // The row that a function of math is; null: none is.
  static const rt::Ufunc* math_row(std::string_view name);
  TypedExpression call_method(const syntax::Attribute& method, const syntax::Call& node);
  TypedExpression call_math_of_ints(std::string_view name, const syntax::Call& node);
  TypedExpression fraction_and_exponent(const syntax::Call& node);
  TypedExpression gamma_function(std::string_view name, const syntax::Call& node);
  TypedExpression log_to_base(const syntax::Call& node);
  TypedExpression call_complex(const syntax::Call& node);
  TypedExpression rounded(const syntax::Call& node);
  TypedExpression length(TypedExpression value, syntax::Span place);
  TypedExpression as_float(TypedExpression value);
  std::string name_of(const Value& callee);

  // --- kernels on a grid (grid_calls.cpp) ---
  friend std::span<const Intrinsic> intrinsics();
  TypedExpression intrinsic_value(const Intrinsic& intrinsic, syntax::Span place);
  TypedExpression call_intrinsic(std::string_view name, const syntax::Call& node);
  TypedExpression as_position(TypedExpression value) const;
  TypedExpression position_call(const Intrinsic&, const syntax::Call& node);
  TypedExpression range_call(const Intrinsic&, const syntax::Call& node);
  TypedExpression grid_position(const Intrinsic&, const syntax::Call& node);
  TypedExpression declared_array(const Intrinsic&, const syntax::Call& node);
  TypedExpression shared_memory(const Intrinsic&, const syntax::Call& node);
  TypedExpression constant_array(const Intrinsic&, const syntax::Call& node);
  TypedExpression barrier(const Intrinsic&, const syntax::Call& node);
  TypedExpression warp_barrier(const Intrinsic&, const syntax::Call& node);
  TypedExpression voting_barrier(const Intrinsic&, const syntax::Call& node);
  TypedExpression vote(const Intrinsic&, const syntax::Call& node);
  TypedExpression shuffle(const Intrinsic&, const syntax::Call& node);
  TypedExpression active_mask(const Intrinsic&, const syntax::Call& node);
  TypedExpression match(const Intrinsic&, const syntax::Call& node);
  TypedExpression pause(const Intrinsic&, const syntax::Call& node);
  TypedExpression cube_root(const Intrinsic&, const syntax::Call& node);
  TypedExpression shuffled_value(const Intrinsic&, const syntax::Expr& node);
  TypedExpression atomic(const Intrinsic&, const syntax::Call& node);
  TypedExpression first_atomic(const Intrinsic&, const syntax::Call& node);
  TypedExpression atomic_at(const Intrinsic&, TypedExpression at, const syntax::Call& node,
                            size_t first);
  Value group_of(const syntax::Expr& node);
  Value collective_of(const syntax::Expr& node);
  TypedExpression collective(const Intrinsic&, const syntax::Call& node);
  TypedExpression collective_part(const Intrinsic&, const syntax::Call& node);
  bool names_group(const syntax::Assign& node);
  TypedExpression this_group(const Intrinsic&, const syntax::Call& node);
  TypedExpression grid_barrier(const Intrinsic&, const syntax::Call& node);
  TypedExpression group_number(const Intrinsic&, const syntax::Call& node);
  TypedExpression group_extents(const Intrinsic&, const syntax::Call& node);
  std::optional<TypedExpression> try_axis(const TypedExpression& extents,
                                          const syntax::Attribute& node);
  TypedExpression bit_count(const Intrinsic&, const syntax::Call& node);
  TypedExpression fused(const Intrinsic&, const syntax::Call& node);
  TypedExpression select(const Intrinsic&, const syntax::Call& node);
  std::optional<rt::DType> try_dtype(const syntax::Expr& node);
  rt::DType dtype_of(const syntax::Expr& node);
  TypedExpression extent(const syntax::Expr& node);
  std::vector<int64_t> literal_extents(const syntax::Expr& node);
  // An argument by its place or its name; null where it is not given.
  static const syntax::Expr* argument(const syntax::Call& node, size_t place,
                                      std::string_view name);
  TypedExpression memory(rt::typed::Storage storage, const std::vector<int64_t>& extents);
  // The content that an array has now, as a constant of the program.
  TypedExpression frozen_array(const rt::Array& array);
  void check_count(const syntax::Call& node, size_t least, size_t most);

  ProgramBuilder& program_;
  Interpreter& vm_;
  Dialect dialect_;
  const TranslationSource& source_;
  const bool is_kernel_;

  Variables variables_;
  std::map<std::string, LocalFunction, std::less<>> local_functions_;
  std::map<std::string, Value, std::less<>> known_names_;  // of groups and dtypes
  int parameters_ = 0;
  int outputs_ = 0;
  size_t named_ = 0;  // variables of the script: those behind them are the translator's own
  std::optional<TypedType> result_;
  std::function<void(const TypedType&)> on_result_;
  std::optional<UnknownItem> unknown_;  // of this walk
  bool ends_without_value_ = false;     // this walk, behind the last statement
  bool effects_ = false;

  std::vector<rt::typed::Storage> storages_;

  Block* block_ = nullptr;
  Flow flow_;
  bool comes_round_ = false;  // the loop that was walked last: some iteration gets to its end
  std::vector<Flow> breaks_, continues_;  // where the innermost loops are left, or go on
  std::vector<int> broken_;               // the variable that tells that they were; -1: none
  // The types of lists of comprehensions, as far as they are known.
  std::map<const syntax::Expr*, std::optional<TypedType>> comprehended_;
  std::map<const syntax::Expr*, std::optional<TypedType>> known_containers_;  // the same, of others
  int conditional_ = 0;  // inside what may not be computed
};

}  // namespace gpy
