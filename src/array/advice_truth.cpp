// Arrays where one truth value is needed, and comparisons whose operators bind otherwise than
// meant.
#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

static std::string in_brackets(const Failure& failure, const ast::Expr& node) {
  const std::string text(failure.text(node));
  const bool is_simple = node.kind == ast::ExprKind::Name || node.kind == ast::ExprKind::Call ||
                         node.kind == ast::ExprKind::Attribute ||
                         node.kind == ast::ExprKind::Subscript;
  return is_simple ? text : "(" + text + ")";
}

// --- `a > 0 & b < 1` -----------------------------------------------------------------------------

static bool is_bracketed(const Failure& failure, const ast::Expr& node) {
  const std::string_view text = failure.source.text();
  size_t before = node.span.begin;
  while (before > 0 && text[before - 1] == ' ') --before;
  return before > 0 && text[before - 1] == '(' && text.find(')', node.span.end) != text.npos &&
         text.find_first_not_of(' ', node.span.end) == text.find(')', node.span.end);
}

// The `&` or `|` that a comparison has taken as its operand.
static const ast::BinOp* bit_operator_in(const Failure& failure, const ast::Compare& node) {
  auto found = [&](const ast::Expr* each) -> const ast::BinOp* {
    const auto* n = ast::try_as<ast::BinOp>(each);
    const bool is_bits =
        n && (n->op == ast::BinaryOperator::BitAnd || n->op == ast::BinaryOperator::BitOr);
    return is_bits && !is_bracketed(failure, *n) ? n : nullptr;
  };
  if (const auto* n = found(node.left)) return n;
  for (const auto& each : node.comparisons) {
    if (const auto* n = found(each.right)) return n;
  }
  return nullptr;
}

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n"), end = text.find_last_not_of(" \n");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

Advice advise_precedence(const Failure& failure) {
  for (const ast::Expr* each : failure.path) {
    const auto* compare = ast::try_as<ast::Compare>(each);
    const auto* bits = compare ? bit_operator_in(failure, *compare) : nullptr;
    if (!bits) continue;
    const auto& source = failure.source;
    const std::string_view op = source.text(bits->op_span);
    const auto left = trimmed(source.text({compare->span.begin, bits->op_span.begin}));
    const auto right = trimmed(source.text({bits->op_span.end, compare->span.end}));
    const bool compares_left = bits->left->span.begin > compare->span.begin;
    const bool compares_right = bits->right->span.end < compare->span.end;
    const std::string a = compares_left ? fmt::format("({})", left) : std::string(left);
    const std::string b = compares_right ? fmt::format("({})", right) : std::string(right);
    const auto symbol = source.text(compare->comparisons[0].op_span);
    return {fmt::format("`{}` binds tighter than `{}`", op, symbol),
            fmt::format("write `{} {} {}`", a, op, b)};
  }
  return {};
}

// --- one truth value -----------------------------------------------------------------------------

static Advice advise_bool_operator(const Failure& failure, const ast::BoolOp& node) {
  const char* symbol = node.op == ast::BoolOperator::And ? "&" : "|";
  std::string text;
  for (const ast::Expr* each : node.values) {
    text += (text.empty() ? "" : fmt::format(" {} ", symbol)) + in_brackets(failure, *each);
  }
  return {fmt::format("`{}` needs single truth values", ast::symbol(node.op)),
          fmt::format("element by element it is `{}`", text)};
}

// 0 < a < 1
static Advice advise_chain(const Failure& failure, const ast::Compare& node) {
  std::string text;
  const ast::Expr* left = node.left;
  for (const auto& each : node.comparisons) {
    text += fmt::format("{}({} {} {})", text.empty() ? "" : " & ", failure.text(*left),
                        failure.source.text(each.op_span), failure.text(*each.right));
    left = each.right;
  }
  return {"a chain of comparisons needs single truth values",
          fmt::format("element by element it is `{}`", text)};
}

// The shape of the array whose truth value was needed.
static std::optional<rt::Dims> tested_shape(const Failure& failure) {
  std::optional<rt::Dims> shape;
  for (const FailedOperand& each : failure.operands) {
    const rt::Array* array = array_of(each);
    if (!array) continue;
    shape = shape ? try_broadcast_shapes(*shape, array->shape()) : array->shape();
    if (!shape) break;
  }
  return shape;
}

static Advice advise_condition(const Failure& failure, const ast::Expr& node) {
  const auto shape = tested_shape(failure);
  if (!shape || rt::element_count(*shape) == 1) return {};
  const std::string text = in_brackets(failure, node);
  std::string detail =
      fmt::format("the condition is {} array {}, not one truth value",
                  node.kind == ast::ExprKind::Compare ? "a bool" : "an", rt::shape_text(*shape));
  if (rt::element_count(*shape) == 0) {
    return {detail, fmt::format("`{}.size > 0` asks whether there are elements", text)};
  }
  const bool chooses = failure.parent() && failure.parent()->kind == ast::ExprKind::IfExp;
  const char* prefix = "np";
  for (const FailedOperand& each : failure.operands) {
    if (const rt::Array* array = array_of(each)) prefix = namespace_name(*array);
  }
  return {detail, chooses ? fmt::format("`{}.where({}, ..., ...)` chooses for each element", prefix,
                                        failure.text(node))
                          : fmt::format("`{0}.any()` or `{0}.all()` makes it one", text)};
}

// max(a, b)
static Advice advise_builtin(const Failure& failure) {
  const std::string_view called = failure.called();
  const bool is_plain = failure.text(*ast::as<ast::Call>(*failure.node()).func) == called;
  if (!is_plain || (called != "max" && called != "min") || failure.operands.empty()) return {};
  const FailedOperand& first = failure.operands[0];
  const rt::Array* array = array_of(first);
  if (!array) return {};
  if (failure.operands.size() == 1) {
    return {"", fmt::format("`{}.{}()` is the {} of all elements", operand_text(first), called,
                            called == "max" ? "largest" : "smallest")};
  }
  const rt::Array* second = array_of(failure.operands[1]);
  if (second && !try_broadcast_shapes(array->shape(), second->shape())) return {};
  return {"", fmt::format("`{}.{}imum({}, {})` works element by element", namespace_name(*array),
                          called, first.text, failure.operands[1].text)};
}

static bool asks_truth(const Failure& failure) {
  return is_raised_as(failure, failure.vm.types.value_error) &&
         failure.message.starts_with("The truth value of a");
}

Advice advise_truth(const Failure& failure) {
  const ast::Expr* node = failure.node();
  if (!node || !asks_truth(failure)) return {};
  const ast::Expr* parent = failure.parent();
  if (const auto* n = ast::try_as<ast::BoolOp>(node)) return advise_bool_operator(failure, *n);
  if (const auto* n = ast::try_as<ast::BoolOp>(parent)) return advise_bool_operator(failure, *n);
  const auto* compare = ast::try_as<ast::Compare>(node);
  if (compare && compare->comparisons.size() > 1) return advise_chain(failure, *compare);
  if (const auto* n = ast::try_as<ast::UnaryOp>(node)) {
    return {"`not` needs one truth value",
            fmt::format("element by element it is `~{}`", in_brackets(failure, *n->operand))};
  }
  if (node->kind == ast::ExprKind::Call && failure.operands.size() != 1) {
    return advise_builtin(failure);
  }
  return advise_condition(failure, *node);
}

}  // namespace gpy
