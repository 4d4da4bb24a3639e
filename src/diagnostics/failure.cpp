#include "src/diagnostics/failure.h"

#include <fmt/format.h>

#include "src/code.h"
#include "src/diagnostics/render.h"
#include "src/diagnostics/find_node.h"
#include "src/diagnostics/frames.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

namespace ast = syntax;

// --- a failure as its readers see it -------------------------------------------------------------

std::string_view Failure::called() const {
  const auto* call = ast::try_as<ast::Call>(node());
  if (!call) return "";
  if (const auto* attribute = ast::try_as<ast::Attribute>(call->func)) return attribute->attr;
  const auto* name = ast::try_as<ast::Name>(call->func);
  return name ? name->id : "";
}

const FailedOperand* Failure::argument(size_t position, std::string_view keyword) const {
  for (const FailedOperand& each : operands) {
    if (!each.keyword.empty() && each.keyword == keyword) return &each;
  }
  const bool is_there = position < operands.size() && operands[position].keyword.empty();
  return is_there ? &operands[position] : nullptr;
}

// --- operands ------------------------------------------------------------------------------------

// Whether the text of an expression states its value: 3, -1, "two", (3, 4), [1, 2].
static bool is_literal(const ast::Expr& node) {
  auto all = [](ast::ExprList list) {
    for (const ast::Expr* each : list) {
      if (!is_literal(*each)) return false;
    }
    return true;
  };
  if (const auto* n = ast::try_as<ast::UnaryOp>(&node)) return is_literal(*n->operand);
  if (const auto* n = ast::try_as<ast::BinOp>(&node)) {
    return is_literal(*n->left) && is_literal(*n->right);
  }
  if (const auto* n = ast::try_as<ast::Tuple>(&node)) return all(n->elts);
  if (const auto* n = ast::try_as<ast::List>(&node)) return all(n->elts);
  return node.kind == ast::ExprKind::Constant || node.kind == ast::ExprKind::Slice;
}

FailedOperand make_operand(const Failure& failure, const ast::Expr& node, const Value& value,
                           const std::string& otherwise) {
  constexpr size_t kLongest = 24;
  const std::string_view text = failure.text(node);
  const bool is_short = text.size() <= kLongest && text.find('\n') == text.npos;
  const std::string short_text(is_short ? text : "...");
  return {short_text, is_short ? short_text : otherwise, &node, node.span, value, is_literal(node),
          ""};
}

namespace {

// Pairs the values that the exception kept with the parts of the source they came from.
class Pairing {
 public:
  Pairing(Failure& failure, const std::vector<Value>& values)
      : failure_(failure), values_(values) {}

  void operands_of(const ast::Expr& node, ast::Span caret) {
    if (is_test_) return test(node);
    if (is_whole_) return add(node, "the value");
    if (const auto* n = ast::try_as<ast::BinOp>(&node)) return pair(*n->left, *n->right);
    if (const auto* n = ast::try_as<ast::Compare>(&node)) return comparison(*n, caret);
    if (const auto* n = ast::try_as<ast::UnaryOp>(&node)) return add(*n->operand, "the operand");
    if (const auto* n = ast::try_as<ast::Attribute>(&node)) return add(*n->value, "the object");
    if (const auto* n = ast::try_as<ast::Subscript>(&node)) return subscript(*n);
    if (const auto* n = ast::try_as<ast::Call>(&node)) return call(*n);
    if (values_.size() == 1) add(node, "the value");
  }
  void operands_of(const ast::AugAssign& node) {
    const auto* item = ast::try_as<ast::Subscript>(node.target);
    if (!item || values_.size() < 3) return pair(*node.target, *node.value);
    add(*item->value, "the object");  // the store failed
    add(*item->slice, "the index");
  }
  void value_is_a_test(bool is_test) { is_test_ = is_test; }
  void value_is_the_whole(bool is_whole) { is_whole_ = is_whole; }

 private:
  FailedOperand operand(const ast::Expr& node, const std::string& otherwise) {
    const Value value = next_ < values_.size() ? values_[next_] : Value();
    ++next_;
    return make_operand(failure_, node, value, otherwise);
  }
  void add(const ast::Expr& node, const std::string& otherwise) {
    failure_.operands.push_back(operand(node, otherwise));
  }
  void pair(const ast::Expr& left, const ast::Expr& right) {
    add(left, "the left operand");
    add(right, "the right operand");
  }
  void comparison(const ast::Compare& node, ast::Span caret) {
    const ast::Expr* left = node.left;
    for (const auto& each : node.comparisons) {
      if (each.op_span.begin == caret.begin) return pair(*left, *each.right);
      left = each.right;
    }
  }
  // The value whose truth was needed may belong to a part: the first operand of two.
  void test(const ast::Expr& node) {
    add(node, "the condition");
    FailedOperand& tested = failure_.operands.back();
    const auto* words = ast::try_as<ast::BoolOp>(&node);
    const auto* chain = ast::try_as<ast::Compare>(&node);
    if (words) tested.span = words->values[0]->span;
    if (chain && chain->comparisons.size() > 1)
      tested.span.end = chain->comparisons[0].right->span.end;
    if (tested.span.end != node.span.end) tested.name = failure_.source.text(tested.span);
    const bool is_unknown =
        (words && words->values.size() > 2) || (chain && chain->comparisons.size() > 2);
    if (is_unknown) tested.name = "a part of it";
  }
  void subscript(const ast::Subscript& node) {
    add(*node.value, "the object");
    add(*node.slice, "the index");
    const auto* assign = ast::try_as<ast::Assign>(failure_.statement);
    if (values_.size() == 3 && assign) add(*assign->value, "the value");
  }
  void call(const ast::Call& node) {
    if (const auto* method = ast::try_as<ast::Attribute>(node.func)) {
      failure_.receiver = operand(*method->value, "the object");
    } else {
      ++next_;
    }
    int number = 0;
    for (const ast::Expr* each : node.args) add(*each, fmt::format("argument {}", ++number));
    for (const auto& each : node.keywords) {
      add(*each.value, "argument " + std::string(each.name));
      failure_.operands.back().keyword = each.name;
    }
  }

  Failure& failure_;
  const std::vector<Value>& values_;
  size_t next_ = 0;
  bool is_test_ = false, is_whole_ = false;
};

}  // namespace

static bool tests_truth(Op op) {
  return op == Op::jump_if_true || op == Op::jump_if_false || op == Op::logical_not;
}

// The register may be empty by then, but an AttributeError keeps the object itself.
static void complete_object(Failure& failure) {
  if (failure.operands.size() != 1 || failure.operands[0].value.is_defined()) return;
  const Ref<Dict>& fields = failure.exception->attributes;
  const Value* object = fields ? fields->find(failure.vm.state().names.obj) : nullptr;
  if (object) failure.operands[0].value = *object;
}

Failure locate_failure(Interpreter& vm, Exception* e, const ast::Tree* tree) {
  const TracePoint& point = e->trace[library_frames(e->trace)];
  const Code& code = *point.code;
  Failure failure{vm, e, safe_message(vm, e), *code.source, tree};
  if (!tree) return failure;
  NodePath path = find_node(*tree, code.spans[point.at]);
  failure.statement = path.statement;
  failure.path = std::move(path.expressions);
  if (e->operands.empty()) return failure;
  Pairing pairing(failure, e->operands);
  const Op op = code.instructions[point.at].op;
  if (const ast::Expr* node = failure.node()) {
    pairing.value_is_a_test(tests_truth(op) && node->kind != ast::ExprKind::UnaryOp);
    pairing.value_is_the_whole(op == Op::get_iterator);  // `for i in len(a):` is not about a
    pairing.operands_of(*node, code.carets[point.at]);
    if (node->kind == ast::ExprKind::Attribute) complete_object(failure);
  } else if (const auto* augmented = ast::try_as<ast::AugAssign>(failure.statement)) {
    pairing.operands_of(*augmented);
  }
  return failure;
}

}  // namespace gpy
