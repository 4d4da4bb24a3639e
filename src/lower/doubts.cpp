#include "src/lower/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gpy {

namespace ast = syntax;
using ast::ConstantKind;
using ast::ExprKind;

static const char* type_of(const ast::Constant& node) {
  switch (node.constant_kind) {
    case ConstantKind::None: return "NoneType";
    case ConstantKind::True:
    case ConstantKind::False: return "bool";
    case ConstantKind::Ellipsis: return "ellipsis";
    case ConstantKind::Integer:
    case ConstantKind::BigInteger: return "int";
    case ConstantKind::Float: return "float";
    case ConstantKind::Imaginary: return "complex";
    case ConstantKind::String: return "str";
    case ConstantKind::Bytes: return "bytes";
  }
  __builtin_unreachable();
}

// The type that an expression must have; empty where it may have any.
static std::string_view type_of(const ast::Expr& node) {
  switch (node.kind) {
    case ExprKind::Constant: return type_of(ast::as<ast::Constant>(node));
    case ExprKind::Tuple: return "tuple";
    case ExprKind::List:
    case ExprKind::ListComp: return "list";
    case ExprKind::Dict:
    case ExprKind::DictComp: return "dict";
    case ExprKind::Set:
    case ExprKind::SetComp: return "set";
    case ExprKind::GeneratorExp: return "generator";
    case ExprKind::Lambda: return "function";
    case ExprKind::JoinedStr: return "str";
    default: return "";
  }
}

static bool is_number(std::string_view type) {
  return type == "int" || type == "float" || type == "complex";
}

// Whether a value is made anew, or may be, so that `is` says nothing of it.
static bool is_literal(const ast::Expr& node) {
  if (const auto* sign = ast::try_as<ast::UnaryOp>(&node))
    return is_number(type_of(*sign->operand));
  if (const auto* tuple = ast::try_as<ast::Tuple>(&node)) {
    return std::all_of(tuple->elts.begin(), tuple->elts.end(), [](const ast::Expr* each) {
      return each->kind == ExprKind::Constant || is_literal(*each);
    });
  }
  const auto* constant = ast::try_as<ast::Constant>(&node);
  return constant && constant->constant_kind > ConstantKind::Ellipsis;
}

void note_doubts(const ast::Assert& node, Doubts& doubts) {
  const auto* tuple = ast::try_as<ast::Tuple>(node.test);
  if (!tuple || tuple->elts.empty()) return;
  doubts.push_back({"assertion is always true, perhaps remove parentheses?", node.span});
}

void note_doubts(const ast::Compare& node, Doubts& doubts) {
  const ast::Expr* left = node.left;
  for (const ast::Comparison& each : node.comparisons) {
    const bool is = each.op == ast::CompareOperator::Is;
    const bool is_not = each.op == ast::CompareOperator::IsNot;
    if ((is || is_not) && (is_literal(*left) || is_literal(*each.right))) {
      doubts.push_back({is ? R"("is" with a literal. Did you mean "=="?)"
                           : R"("is not" with a literal. Did you mean "!="?)",
                        node.span});
    }
    left = each.right;
  }
}

void note_doubts(const ast::Call& node, Doubts& doubts) {
  const std::string_view type = type_of(*node.func);
  if (type.empty() || type == "function") return;
  doubts.push_back(
      {fmt::format("'{}' object is not callable; perhaps you missed a comma?", type), node.span});
}

static bool has_items(std::string_view type) {
  return type == "str" || type == "bytes" || type == "tuple" || type == "list" || type == "dict" ||
         type.empty();
}

void note_doubts(const ast::Subscript& node, Doubts& doubts) {
  if (node.context != ast::Context::Load) return;
  const std::string_view type = type_of(*node.value), index = type_of(*node.slice);
  if (!has_items(type)) {
    doubts.push_back(
        {fmt::format("'{}' object is not subscriptable; perhaps you missed a comma?", type),
         node.span});
  }
  const bool fits = index.empty() || index == "int" || index == "bool" || type.empty() ||
                    type == "dict" || !has_items(type);
  if (fits) return;
  doubts.push_back({fmt::format("{} indices must be integers or slices, not {}; perhaps you missed "
                                "a comma?",
                                type, index),
                    node.span});
}

}  // namespace gpy
