#pragma once

// The tree that the parser makes. Nodes are named after Python's `ast` module (the one clash, the
// statement that is an expression, is ExprStmt) and carry the bytes they were read from.
// They live in the arena of their Tree, refer to its source, and are trivially destructible.
//
// A node is taken apart by `switch (node.kind)` and `as<BinOp>(node)`, or by `visit`.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "grammar/arena.h"
#include "grammar/source.h"

namespace gpy::syntax {

// clang-format off
#define GPY_EXPRESSIONS(X)                                                                  \
  X(BoolOp) X(NamedExpr) X(BinOp) X(UnaryOp) X(Lambda) X(IfExp) X(Dict) X(Set) X(ListComp)  \
  X(SetComp) X(DictComp) X(GeneratorExp) X(Yield) X(YieldFrom) X(Compare) X(Call)           \
  X(FormattedValue) X(JoinedStr) X(Constant) X(Attribute) X(Subscript) X(Starred) X(Name)   \
  X(List) X(Tuple) X(Slice)

#define GPY_STATEMENTS(X)                                                                    \
  X(FunctionDef) X(ClassDef) X(Return) X(Delete) X(Assign) X(AugAssign) X(AnnAssign) X(For)  \
  X(While) X(If) X(With) X(Raise) X(Try) X(Assert) X(Import) X(ImportFrom) X(Global)         \
  X(Nonlocal) X(ExprStmt) X(Pass) X(Break) X(Continue) X(KernelDef)
// clang-format on

#define GPY_ENUMERATOR(name) name,
enum class ExprKind : uint8_t { GPY_EXPRESSIONS(GPY_ENUMERATOR) };
enum class StmtKind : uint8_t { GPY_STATEMENTS(GPY_ENUMERATOR) };
#undef GPY_ENUMERATOR

enum class BoolOperator : uint8_t { And, Or };
enum class BinaryOperator : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv
};
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class CompareOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

// The use of a Name, Attribute, Subscript, Starred, List or Tuple.
enum class Context : uint8_t { Load, Store, Del };

// `height` is the number of levels below (saturating); parse() bounds it by the stack it had.
struct Expr {
  ExprKind kind;
  uint16_t height = 0;
  Span span;
};

struct Stmt {
  StmtKind kind;
  Span span;
};

using ExprList = std::span<Expr* const>;
using StmtList = std::span<Stmt* const>;

// ---- expressions ----

template <ExprKind K> struct ExprOf : Expr {
  static constexpr ExprKind kKind = K;
  ExprOf() : Expr{K, 0, {}} {}
};

struct BoolOp : ExprOf<ExprKind::BoolOp> {
  BoolOperator op{};
  ExprList values;  // two or more
};

struct NamedExpr : ExprOf<ExprKind::NamedExpr> {
  Expr* target = nullptr;  // a Name
  Expr* value = nullptr;
};

struct BinOp : ExprOf<ExprKind::BinOp> {
  BinaryOperator op{};
  Span op_span;
  Expr* left = nullptr;
  Expr* right = nullptr;
};

struct UnaryOp : ExprOf<ExprKind::UnaryOp> {
  UnaryOperator op{};
  Expr* operand = nullptr;
};

struct Parameter {
  std::string_view name;
  Span span;                      // name and annotation
  Expr* annotation = nullptr;     // null: none
  Expr* default_value = nullptr;  // null: none
};

using ParameterList = std::span<const Parameter>;

struct Parameters {
  ParameterList positional_only;
  ParameterList regular;
  const Parameter* vararg = nullptr;  // *args
  ParameterList keyword_only;
  const Parameter* kwarg = nullptr;  // **kwargs
};

struct Lambda : ExprOf<ExprKind::Lambda> {
  Parameters parameters;
  Expr* body = nullptr;
  bool is_generator = false;
};

struct IfExp : ExprOf<ExprKind::IfExp> {
  Expr* test = nullptr;
  Expr* body = nullptr;
  Expr* orelse = nullptr;
};

struct DictItem {
  Expr* key = nullptr;  // null: `**value`
  Expr* value = nullptr;
};

struct Dict : ExprOf<ExprKind::Dict> {
  std::span<const DictItem> items;
};

struct Set : ExprOf<ExprKind::Set> {
  ExprList elts;
};

struct Comprehension {
  Expr* target = nullptr;
  Expr* iter = nullptr;
  ExprList ifs;
};

using ComprehensionList = std::span<const Comprehension>;

struct ListComp : ExprOf<ExprKind::ListComp> {
  Expr* elt = nullptr;
  ComprehensionList generators;
};

struct SetComp : ExprOf<ExprKind::SetComp> {
  Expr* elt = nullptr;
  ComprehensionList generators;
};

struct DictComp : ExprOf<ExprKind::DictComp> {
  Expr* key = nullptr;
  Expr* value = nullptr;
  ComprehensionList generators;
};

struct GeneratorExp : ExprOf<ExprKind::GeneratorExp> {
  Expr* elt = nullptr;
  ComprehensionList generators;
};

struct Yield : ExprOf<ExprKind::Yield> {
  Expr* value = nullptr;  // null: none
};

struct YieldFrom : ExprOf<ExprKind::YieldFrom> {
  Expr* value = nullptr;
};

// One `< right` of `left < right < ...`.
struct Comparison {
  CompareOperator op{};
  Span op_span;
  Expr* right = nullptr;
};

struct Compare : ExprOf<ExprKind::Compare> {
  Expr* left = nullptr;
  std::span<const Comparison> comparisons;  // one or more
};

struct Keyword {
  std::string_view name;  // empty: `**value`
  Span span;
  Expr* value = nullptr;
};

struct Call : ExprOf<ExprKind::Call> {
  Expr* func = nullptr;
  ExprList args;  // Starred among them
  std::span<const Keyword> keywords;
};

struct JoinedStr;

// `{value!conversion:format_spec}` of an f-string. `{x=}` is a Constant "x=" before it.
struct FormattedValue : ExprOf<ExprKind::FormattedValue> {
  Expr* value = nullptr;
  char conversion = 0;               // 's', 'r', 'a' or 0
  JoinedStr* format_spec = nullptr;  // null: none
};

struct JoinedStr : ExprOf<ExprKind::JoinedStr> {
  ExprList values;  // Constant (str) and FormattedValue
};

enum class ConstantKind : uint8_t {
  None,
  False,
  True,
  Ellipsis,
  Integer,     // integer
  BigInteger,  // text: decimal digits, or "0x" and hexadecimal digits; no underscores
  Float,       // real
  Imaginary,   // real
  String,      // text: UTF-8, escapes resolved (lone surrogates as their three bytes)
  Bytes,       // text: the bytes
};

struct Constant : ExprOf<ExprKind::Constant> {
  ConstantKind constant_kind{};
  union {
    int64_t integer = 0;
    double real;
  };
  std::string_view text;
};

struct Attribute : ExprOf<ExprKind::Attribute> {
  Context context{};
  Expr* value = nullptr;
  std::string_view attr;
  Span attr_span;
};

struct Subscript : ExprOf<ExprKind::Subscript> {
  Context context{};
  Expr* value = nullptr;
  Expr* slice = nullptr;  // any expression, a Slice, or a Tuple with Slices in it
};

struct Starred : ExprOf<ExprKind::Starred> {
  Context context{};
  Expr* value = nullptr;
};

struct Name : ExprOf<ExprKind::Name> {
  Context context{};
  std::string_view id;
};

struct List : ExprOf<ExprKind::List> {
  Context context{};
  ExprList elts;
};

struct Tuple : ExprOf<ExprKind::Tuple> {
  Context context{};
  ExprList elts;
};

struct Slice : ExprOf<ExprKind::Slice> {
  Expr* lower = nullptr;  // each may be null
  Expr* upper = nullptr;
  Expr* step = nullptr;
};

// ---- statements ----

template <StmtKind K> struct StmtOf : Stmt {
  static constexpr StmtKind kKind = K;
  StmtOf() : Stmt{K, {}} {}
};

struct FunctionDef : StmtOf<StmtKind::FunctionDef> {
  std::string_view name;
  Span name_span;
  Parameters parameters;
  StmtList body;
  ExprList decorators;
  Expr* returns = nullptr;
  bool is_generator = false;
};

struct ClassDef : StmtOf<StmtKind::ClassDef> {
  std::string_view name;
  Span name_span;
  ExprList bases;
  std::span<const Keyword> keywords;
  StmtList body;
  ExprList decorators;
};

struct Return : StmtOf<StmtKind::Return> {
  Expr* value = nullptr;  // null: none
};

struct Delete : StmtOf<StmtKind::Delete> {
  ExprList targets;
};

struct Assign : StmtOf<StmtKind::Assign> {
  ExprList targets;  // left to right
  Expr* value = nullptr;
};

struct AugAssign : StmtOf<StmtKind::AugAssign> {
  BinaryOperator op{};
  Span op_span;
  Expr* target = nullptr;  // context Store
  Expr* value = nullptr;
};

struct AnnAssign : StmtOf<StmtKind::AnnAssign> {
  Expr* target = nullptr;
  Expr* annotation = nullptr;
  Expr* value = nullptr;   // null: none
  bool is_simple = false;  // a bare name, which is thereby local
};

struct For : StmtOf<StmtKind::For> {
  Expr* target = nullptr;
  Expr* iter = nullptr;
  StmtList body;
  StmtList orelse;
};

struct While : StmtOf<StmtKind::While> {
  Expr* test = nullptr;
  StmtList body;
  StmtList orelse;
};

struct If : StmtOf<StmtKind::If> {
  Expr* test = nullptr;
  StmtList body;
  StmtList orelse;  // `elif` is one If in here
};

struct WithItem {
  Expr* context_expr = nullptr;
  Expr* optional_vars = nullptr;  // null: none
};

struct With : StmtOf<StmtKind::With> {
  std::span<const WithItem> items;
  StmtList body;
};

struct Raise : StmtOf<StmtKind::Raise> {
  Expr* exc = nullptr;    // null: none
  Expr* cause = nullptr;  // null: none
};

struct ExceptHandler {
  Span span;
  Expr* type = nullptr;   // null: bare `except:`
  std::string_view name;  // empty: none
  StmtList body;
};

struct Try : StmtOf<StmtKind::Try> {
  StmtList body;
  std::span<const ExceptHandler> handlers;
  StmtList orelse;
  StmtList finalbody;
};

struct Assert : StmtOf<StmtKind::Assert> {
  Expr* test = nullptr;
  Expr* message = nullptr;  // null: none
};

struct Alias {
  std::string_view name;    // dotted, or "*"
  std::string_view asname;  // empty: none
  Span span;
};

struct Import : StmtOf<StmtKind::Import> {
  std::span<const Alias> names;
};

struct ImportFrom : StmtOf<StmtKind::ImportFrom> {
  std::string_view module;  // dotted; empty in `from . import x`
  std::span<const Alias> names;
  int level = 0;  // number of leading dots
};

struct Global : StmtOf<StmtKind::Global> {
  std::span<const std::string_view> names;
};

struct Nonlocal : StmtOf<StmtKind::Nonlocal> {
  std::span<const std::string_view> names;
};

struct ExprStmt : StmtOf<StmtKind::ExprStmt> {
  Expr* value = nullptr;
};

struct Pass : StmtOf<StmtKind::Pass> {};
struct Break : StmtOf<StmtKind::Break> {};
struct Continue : StmtOf<StmtKind::Continue> {};

// ---- kernels ----

enum class KernelKind : uint8_t { Elementwise, Reduction, Scan, Stencil, Raw };

// The parts that a kernel's text may have, each after its label: `map: x * x`.
enum class KernelLabel : uint8_t {
  Preamble,
  Type,
  Boundary,
  Identity,
  Map,
  Reduce,
  Scan,
  Post,
  LoopPrep,
  Operation,
  AfterLoop,
};
inline constexpr size_t kKernelLabels = 11;

// `raw const T* x`. In a gpy body the type may be left out.
struct KernelParameter {
  std::string_view type;  // "T", "float32", "unsigned int"; empty: inferred
  std::string_view name;
  Span span;
  Span type_span;
  int pointers = 0;  // number of `*`
  bool is_raw = false;
  bool is_const = false;
};

// Verbatim text of the source; `span` is where it is. Absent: empty and span {0, 0}.
struct KernelText {
  std::string_view text;
  Span span;
};

enum class KernelBody : uint8_t {
  Text,        // raw; elementwise and stencil without labels: `text`, which is `operation` too
  Parts,       // `parts` (`text` is the whole as well)
  Statements,  // `:` and a block in gpy: `body`
};

struct KernelDef : StmtOf<StmtKind::KernelDef> {
  KernelKind kernel_kind{};
  KernelBody body_form{};
  bool has_parameters = false;  // false: `kernel raw NAME { ... }`, a module of whole CUDA source
  std::string_view name;
  Span name_span;
  std::span<const KernelParameter> parameters;
  std::span<const KernelParameter> outputs;
  std::string_view parameters_text;  // as written between the parentheses, for CuPy's classes
  std::string_view outputs_text;
  KernelText text;
  std::array<KernelText, kKernelLabels> parts;  // by label
  StmtList body;
  ExprList decorators;

  [[nodiscard]] const KernelText& part(KernelLabel label) const {
    return parts[static_cast<size_t>(label)];
  }
};

// ---- whole sources ----

struct Module {
  StmtList body;
};

// Owns every node; keeps the source that the nodes' texts point into.
struct Tree {
  SourcePtr source;
  Arena arena;
  Module module;               // modes file and interactive
  Expr* expression = nullptr;  // mode expression
};

template <class Node> [[nodiscard]] const Node& as(const Expr& node) {
  return static_cast<const Node&>(node);
}
template <class Node> [[nodiscard]] const Node& as(const Stmt& node) {
  return static_cast<const Node&>(node);
}

// The node if it is of that kind, else null.
template <class Node> [[nodiscard]] const Node* try_as(const Expr* node) {
  return node && node->kind == Node::kKind ? static_cast<const Node*>(node) : nullptr;
}
template <class Node> [[nodiscard]] const Node* try_as(const Stmt* node) {
  return node && node->kind == Node::kKind ? static_cast<const Node*>(node) : nullptr;
}

// Calls `visitor` with the node as its own type; it must accept each.
template <class Visitor> decltype(auto) visit(const Expr& node, Visitor&& visitor) {
  switch (node.kind) {
#define GPY_CASE(name) \
  case ExprKind::name: return visitor(as<name>(node));
    GPY_EXPRESSIONS(GPY_CASE)
#undef GPY_CASE
  }
  __builtin_unreachable();
}

template <class Visitor> decltype(auto) visit(const Stmt& node, Visitor&& visitor) {
  switch (node.kind) {
#define GPY_CASE(name) \
  case StmtKind::name: return visitor(as<name>(node));
    GPY_STATEMENTS(GPY_CASE)
#undef GPY_CASE
  }
  __builtin_unreachable();
}

// "BinOp"; operators as written: "+", "not in".
[[nodiscard]] std::string_view kind_name(ExprKind kind);
[[nodiscard]] std::string_view kind_name(StmtKind kind);
[[nodiscard]] std::string_view symbol(BoolOperator op);
[[nodiscard]] std::string_view symbol(BinaryOperator op);
[[nodiscard]] std::string_view symbol(UnaryOperator op);
[[nodiscard]] std::string_view symbol(CompareOperator op);
[[nodiscard]] std::string_view kind_name(KernelKind kind);  // "elementwise"
// nullopt for a word that is no kind of kernel.
[[nodiscard]] std::optional<KernelKind> find_kernel_kind(std::string_view word);
[[nodiscard]] std::string_view label_name(KernelLabel label);  // "loop_prep"

}  // namespace gpy::syntax
