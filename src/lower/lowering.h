#pragma once
// The lowering of one frame: instruction emission, registers, and the blocks that statements such
// as break and return leave. Split by family over src/lower; only those files include this.
//
// Registers are allocated like a stack: an expression's operands lie above those in use and are
// freed once the instruction that reads them is emitted.

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grammar/ast.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/lower/scope.h"

namespace gpy {

namespace ast = syntax;

Value constant_value(Interpreter& vm, const ast::Constant& node);
// The value of an expression of constants (-1, tuples of such); undefined for others.
Value known_value(Interpreter& vm, const ast::Expr& node);
// A display's items as a set that never changes, if all of them are known; undefined if not.
Value known_set(Interpreter& vm, ast::ExprList items);

// The state that one module's lowerings share.
struct Unit {
  Interpreter& vm;
  std::shared_ptr<const syntax::Tree> tree;
  const ScopeTable& scopes;
  int final_depth = 0;    // nesting of finally bodies being lowered
  size_t final_size = 0;  // instructions in them, counted each time they are emitted
};

// The location of a name, seen from a scope.
struct NameLocation {
  enum Kind { local, cell, member, global } kind;  // member: of the class being made
  int32_t index;                                   // register
};

class Label {
  friend class Lowering;
  bool is_used() const { return !jumps_.empty(); }
  int32_t target_ = -1;
  std::vector<size_t> jumps_;  // instructions that jump to it
};

class Lowering {
 public:
  Lowering(Unit& unit, Scope* scope, std::string name, std::string qualified_name);

  Ref<Code> module(ast::StmtList body, bool keeps_value);

 private:
  using Reg = int32_t;

  // --- emission (emit.cpp) -----------------------------------------------------------------------
  void count_final_instruction();
  size_t emit(Op op, Reg a = 0, Reg b = 0, Reg c = 0, uint16_t d = 0);
  size_t emit_jump(Op op, Label& target, Reg b = 0, Reg c = 0, uint16_t d = 0);
  void place(Label& label);
  void emit_return(Reg result);
  size_t here() const { return code_->instructions.size(); }
  Reg constant(Value value);
  void move_constant(Reg to, Reg from) { emit(Op::move, to, from); }
  Reg constant_of(const ast::Constant& node);
  Reg none() { return constant(Value::none()); }
  int32_t site(std::string_view name);
  Reg temporary();
  Reg temporaries(int32_t count);
  bool is_temporary(Reg reg) const { return reg >= first_temporary_; }
  uint16_t drops(Reg b, Reg c = -1) const {
    return static_cast<uint16_t>((is_temporary(b) ? kDropB : 0) | (is_temporary(c) ? kDropC : 0));
  }
  [[noreturn]] void fail(std::string message, syntax::Span span) const;
  void finish();

  // Frees the registers taken during its lifetime.
  class Mark {
   public:
    explicit Mark(Lowering& lowering) : lowering_(lowering), next_(lowering.next_temporary_) {}
    ~Mark() { lowering_.next_temporary_ = next_; }

   private:
    Lowering& lowering_;
    Reg next_;
  };
  // Errors of instructions emitted during its lifetime point at `span`; the caret at part of it.
  class At {
   public:
    At(Lowering& lowering, syntax::Span span) : At(lowering, span, span) {}
    At(Lowering& lowering, syntax::Span span, syntax::Span caret)
        : lowering_(lowering), span_(lowering.span_), caret_(lowering.caret_) {
      lowering.span_ = span;
      lowering.caret_ = caret;
    }
    ~At() {
      lowering_.span_ = span_;
      lowering_.caret_ = caret_;
    }

   private:
    Lowering& lowering_;
    syntax::Span span_, caret_;
  };

  // --- names (name.cpp) --------------------------------------------------------------------------
  void give_registers(Scope* scope);
  NameLocation find(std::string_view name) const;
  Reg captured_register(std::string_view name) const;
  void load(std::string_view name, Reg to);
  void store(std::string_view name, Reg from);
  void remove(std::string_view name);

  // --- expressions (expression.cpp, call.cpp, comprehension.cpp) ---------------------------------
  Reg value(const ast::Expr& node);  // in its present register, or a new temporary
  Reg fresh(const ast::Expr& node);  // always a new temporary
  void into(const ast::Expr& node, Reg to);
  void effect(const ast::Expr& node);
  void branch(const ast::Expr& test, bool sense, Label& target);
  std::optional<bool> known_truth(const ast::Expr& test) const;

  void lower(const ast::BoolOp& node, Reg to);
  void lower(const ast::NamedExpr& node, Reg to);
  void lower(const ast::BinOp& node, Reg to);
  void lower(const ast::UnaryOp& node, Reg to);
  void lower(const ast::Lambda& node, Reg to);
  void lower(const ast::IfExp& node, Reg to);
  void lower(const ast::Dict& node, Reg to);
  void lower(const ast::Set& node, Reg to);
  void lower(const ast::ListComp& node, Reg to);
  void lower(const ast::SetComp& node, Reg to);
  void lower(const ast::DictComp& node, Reg to);
  void lower(const ast::GeneratorExp& node, Reg to);
  void lower(const ast::Yield& node, Reg to);
  void lower(const ast::YieldFrom& node, Reg to);
  void lower(const ast::Compare& node, Reg to);
  void lower(const ast::Call& node, Reg to);
  void lower(const ast::FormattedValue& node, Reg to);
  void lower(const ast::JoinedStr& node, Reg to);
  void lower(const ast::Constant& node, Reg to);
  void lower(const ast::Attribute& node, Reg to);
  void lower(const ast::Subscript& node, Reg to);
  void lower(const ast::Starred& node, Reg to);
  void lower(const ast::Name& node, Reg to);
  void lower(const ast::List& node, Reg to);
  void lower(const ast::Tuple& node, Reg to);
  void lower(const ast::Slice& node, Reg to);

  Reg left_operand(const ast::Expr& node);
  std::optional<Reg> constant_operand(const ast::Expr& node);
  Reg unchanged_source(const ast::Expr& node);
  std::optional<Reg> constant_slice(const ast::Slice& node);
  static const ast::Tuple* several_keys(const ast::Subscript& node);
  Reg in_a_row(ast::ExprList elements);
  uint16_t keys_flags(Reg object, const ast::Tuple& keys) const;
  void arithmetic(ast::BinaryOperator op, Reg to, Reg left, Reg right, uint16_t flags);
  void arithmetic_in_place(ast::BinaryOperator op, Reg to, Reg left, Reg right);
  void comparison(ast::CompareOperator op, Reg to, Reg left, Reg right, uint16_t flags);
  void branch_on_comparison(const ast::Compare& node, bool sense, Label& target);
  void dict_pairs(std::span<const ast::DictItem> items, Reg dict);
  void display(Op build, ast::ExprList elements, Reg to);
  void starred_list(ast::ExprList elements, Reg list, uint16_t flags = 0);
  void jump_if(Reg test, bool sense, Label& target);

  Reg callable(const ast::Call& node, bool& is_method);
  void spread_call(const ast::Call& node, Reg to);
  void spread_keywords(std::span<const ast::Keyword> keywords, Reg dict);

  struct Element {  // what a comprehension puts into its collection at each turn
    Op op;
    Reg collection;
    const ast::Expr* first;
    const ast::Expr* second;
  };
  void comprehension(const void* node, ast::ComprehensionList generators, Element element);
  void turn(ast::ComprehensionList generators, size_t depth, Reg iterator, const Element& element);
  void loop(const ast::Expr& target, Reg iterator, const std::function<void()>& body);
  void refresh_cells(Scope* scope);

  // --- functions (function.cpp) ------------------------------------------------------------------
  void make_function(const void* node, const ast::Parameters& parameters, std::string name,
                     const ast::Expr* returns, bool is_generator, Reg to,
                     const std::function<void(Lowering&)>& body);
  void add_child(Lowering& inner);
  std::string qualified(std::string_view name) const;
  void set_parameters(const ast::Parameters& parameters);
  void begin_frame();
  Reg cell_register(std::string_view name) const;
  Reg annotations(const ast::Parameters& parameters, const ast::Expr* returns);
  void decorated(ast::ExprList decorators, Reg to, const std::function<void(Reg)>& base);
  void set_doc(ast::StmtList body);

  // --- classes (class.cpp) -----------------------------------------------------------------------
  void make_class(const ast::ClassDef& node, Reg to);
  void make_class_body(const ast::ClassDef& node, Reg to);
  Reg annotation(const ast::Expr& node);
  void begin_annotations();
  void annotate(const ast::AnnAssign& node);
  bool super_call(const ast::Call& node, Reg to);

  // --- assignment (assignment.cpp) ---------------------------------------------------------------
  void assign(const ast::Expr& target, Reg from);  // a temporary is consumed
  void assign_value(const ast::Expr& target, const ast::Expr& value);
  bool assign_pairwise(const ast::Expr& target, const ast::Expr& value);
  std::optional<Reg> row_of_locals(ast::ExprList targets) const;
  void unpack(ast::ExprList targets, Reg from);
  void assign_attribute(const ast::Attribute& node, Reg from);
  void assign_item(const ast::Subscript& node, Reg from);
  void assign_items(const ast::Subscript& node, Reg object, const ast::Tuple& keys, Reg from);
  void del(const ast::Expr& target);
  void augment(const ast::AugAssign& node);
  void augment_name(const ast::AugAssign& node);
  void augment_attribute(const ast::AugAssign& node);
  void augment_item(const ast::AugAssign& node);
  void augment_items(const ast::AugAssign& node, Reg object, const ast::Tuple& keys);

  // --- statements (statement.cpp, block.cpp) -----------------------------------------------------
  void statements(ast::StmtList body);
  void statement(const ast::Stmt& node);
  void lower(const ast::FunctionDef& node);
  void lower(const ast::ClassDef& node);
  void lower(const ast::Return& node);
  void lower(const ast::Delete& node);
  void lower(const ast::Assign& node);
  void lower(const ast::AugAssign& node);
  void lower(const ast::AnnAssign& node);
  void lower(const ast::For& node);
  void lower(const ast::While& node);
  void lower(const ast::If& node);
  void lower(const ast::With& node);
  void lower(const ast::Raise& node);
  void lower(const ast::Try& node);
  void lower(const ast::Assert& node);
  void lower(const ast::Import& node);
  void lower(const ast::ImportFrom& node);
  void lower(const ast::Global& node);
  void lower(const ast::Nonlocal& node);
  void lower(const ast::ExprStmt& node);
  void lower(const ast::Pass& node);
  void lower(const ast::Break& node);
  void lower(const ast::Continue& node);
  void lower(const ast::KernelDef& node);

  // A statement around the one being lowered; the innermost one is last.
  struct Block {
    enum Kind { loop, guarded, finally, with, handler } kind;
    Label* on_break = nullptr;
    Label* on_continue = nullptr;
    ast::StmtList final_body = {};
    Reg reg = 0;                 // with: the manager; handler: the exception
    std::string_view name = {};  // handler: `as name`
    // guarded, finally, with: instructions whose exceptions it catches.
    std::vector<std::pair<size_t, size_t>> ranges = {};
    size_t begin = 0;
    bool open = false;
  };
  void open_block(Block block);
  Block close_block();
  void add_handlers(const Block& block, size_t target, Reg exception);
  bool is_in_loop() const;
  size_t innermost_loop() const;  // the grammar makes sure that there is one
  // Emits what leaves the blocks from `depth` on (finally bodies, exits of with), then `exit`.
  void leave_blocks(size_t depth, const std::function<void()>& exit);
  void leave(const Block& block);
  void end_handler(const Block& handler);
  Reg enclosing_exception() const;
  void with_items(std::span<const ast::WithItem> items, size_t i, ast::StmtList body);
  void exit_raising(Reg manager, Reg exception);
  void guarded_body(const ast::Try& node);
  void final_body(ast::StmtList body);
  void except_clause(const ast::ExceptHandler& handler, Reg exception, Label& done);
  void match(const ast::ExceptHandler& handler, Reg exception, Label& next);
  void name_exception(std::string_view name, Reg exception);
  void forget_exception(std::string_view name);
  void forget_when_raising(const Block& handler);

  Unit& unit_;
  Scope* scope_;  // the innermost: a comprehension in this frame, or the frame's own
  Ref<Code> code_;
  Reg next_temporary_ = 0;
  Reg first_temporary_ = 0;
  Reg register_count_ = 0;
  syntax::Span span_, caret_;
  bool shows_ = false;  // at a prompt: values of statements are shown
  std::vector<Block> blocks_;
  std::vector<std::pair<int, Reg>> constants_;
  std::unordered_map<std::string, Reg> text_constants_;
  std::unordered_map<int64_t, Reg> int_constants_;
};

}  // namespace gpy
