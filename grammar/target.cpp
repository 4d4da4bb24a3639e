#include "grammar/target.h"

#include <fmt/format.h>

namespace gpy::syntax {
namespace {

std::string_view describe_constant(const Constant& constant) {
  switch (constant.constant_kind) {
    case ConstantKind::None: return "None";
    case ConstantKind::True: return "True";
    case ConstantKind::False: return "False";
    case ConstantKind::Ellipsis: return "ellipsis";
    default: return "literal";
  }
}

class ContextSetter {
 public:
  ContextSetter(State& state, Context context) : state_(state), context_(context) {}

  void set(Expr& expr, std::string_view hint = "") {
    switch (expr.kind) {
      case ExprKind::Name: mark<Name>(expr); return;
      case ExprKind::Attribute: mark<Attribute>(expr); return;
      case ExprKind::Subscript: mark<Subscript>(expr); return;
      case ExprKind::Starred: set_starred(mark<Starred>(expr)); return;
      case ExprKind::List: set_elements(mark<List>(expr).elts); return;
      case ExprKind::Tuple: set_elements(mark<Tuple>(expr).elts); return;
      default: refuse(expr, hint);
    }
  }

 private:
  template <class Node> Node& mark(Expr& expr) {
    auto& node = static_cast<Node&>(expr);
    node.context = context_;
    return node;
  }

  void set_starred(Starred& starred) {
    if (context_ == Context::Del) refuse(starred, "");
    set(*starred.value);
  }

  void set_elements(ExprList elements) {
    bool has_star = false;
    for (Expr* element : elements) {
      bool is_star = element->kind == ExprKind::Starred;
      if (is_star && has_star) {
        state_.fail(element->span, "multiple starred expressions in assignment");
      }
      has_star = has_star || is_star;
      set(*element);
    }
  }

  [[noreturn]] void refuse(const Expr& expr, std::string_view hint) {
    std::string_view verb = context_ == Context::Del ? "delete" : "assign to";
    state_.fail(expr.span, fmt::format("cannot {} {}{}", verb, describe(expr), hint));
  }

  State& state_;
  Context context_;
};

}  // namespace

std::string_view describe(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Attribute: return "attribute";
    case ExprKind::Subscript: return "subscript";
    case ExprKind::Starred: return "starred";
    case ExprKind::Name: return "name";
    case ExprKind::List: return "list";
    case ExprKind::Tuple: return "tuple";
    case ExprKind::Lambda: return "lambda";
    case ExprKind::Call: return "function call";
    case ExprKind::GeneratorExp: return "generator expression";
    case ExprKind::Yield:
    case ExprKind::YieldFrom: return "yield expression";
    case ExprKind::ListComp: return "list comprehension";
    case ExprKind::SetComp: return "set comprehension";
    case ExprKind::DictComp: return "dict comprehension";
    case ExprKind::Dict: return "dict literal";
    case ExprKind::Set: return "set display";
    case ExprKind::JoinedStr:
    case ExprKind::FormattedValue: return "f-string expression";
    case ExprKind::Constant: return describe_constant(as<Constant>(expr));
    case ExprKind::Compare: return "comparison";
    case ExprKind::IfExp: return "conditional expression";
    case ExprKind::NamedExpr: return "named expression";
    case ExprKind::Slice: return "slice";
    case ExprKind::BoolOp:
    case ExprKind::BinOp:
    case ExprKind::UnaryOp: return "expression";
  }
  __builtin_unreachable();
}

bool may_be_compared(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Compare:
    case ExprKind::BoolOp:
    case ExprKind::IfExp:
    case ExprKind::Lambda:
    case ExprKind::GeneratorExp:
    case ExprKind::Tuple:
    case ExprKind::List: return false;
    case ExprKind::UnaryOp: return as<UnaryOp>(expr).op != UnaryOperator::Not;
    case ExprKind::Constant: return as<Constant>(expr).constant_kind >= ConstantKind::Ellipsis;
    default: return true;
  }
}

void make_store_target(State& state, Expr& expr, std::string_view hint) {
  ContextSetter(state, Context::Store).set(expr, hint);
}

void make_delete_target(State& state, Expr& expr) { ContextSetter(state, Context::Del).set(expr); }

}  // namespace gpy::syntax
