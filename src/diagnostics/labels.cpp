#include "src/diagnostics/labels.h"

#include <span>

#include "src/diagnostics/frames.h"
#include "src/interpreter.h"

namespace gpy {

// Whether the message of an error says everything, so that operands are not shown.
static bool needs_no_operands(Interpreter& vm, const Exception* e) {
  const Types& t = vm.types;
  for (const Type* type : {t.name_error, t.attribute_error, t.import_error, t.os_error, t.key_error,
                           t.stop_iteration, t.assertion_error, t.syntax_error}) {
    if (e->type->is_subclass_of(type)) return true;
  }
  return !e->type->is_subclass_of(t.exception);
}

static std::span<const Value> items_of(const Value& value) {
  if (const List* list = value.try_as<List>()) return list->items;
  if (Tuple* tuple = value.try_as<Tuple>()) return tuple->items();
  return {};
}

std::vector<FailedOperand> parts_of(const Failure& failure, const FailedOperand& whole) {
  const auto* tuple = syntax::try_as<syntax::Tuple>(whole.node);
  const auto* list = syntax::try_as<syntax::List>(whole.node);
  const syntax::ExprList nodes = tuple ? tuple->elts : list ? list->elts : syntax::ExprList{};
  const auto values = items_of(whole.value);
  if (nodes.size() != values.size()) return {};
  std::vector<FailedOperand> parts;
  for (size_t i = 0; i < nodes.size(); ++i) {
    parts.push_back(make_operand(failure, *nodes[i], values[i], fmt::format("item {}", i)));
  }
  return parts;
}

static void add_label(std::vector<SourceLabel>& labels, const Failure& failure,
                      const FailedOperand& operand) {
  constexpr size_t kMost = 5;
  if (operand.is_literal || labels.size() >= kMost) return;
  const auto parts = parts_of(failure, operand);
  if (!parts.empty()) {
    for (const FailedOperand& part : parts) add_label(labels, failure, part);
    return;
  }
  const std::string what = describe(failure.vm, operand.value);
  if (what.empty()) return;
  const std::string text = operand.name + ": " + what;
  for (const SourceLabel& earlier : labels) {
    if (earlier.text == text) return;  // the same name, twice
  }
  labels.push_back({range_of(failure.source, operand.span), text});
}

std::vector<SourceLabel> labels_of(const Failure& failure, const SourceRange& caret) {
  std::vector<SourceLabel> labels = {{caret, ""}};
  if (needs_no_operands(failure.vm, failure.exception)) return labels;
  const bool is_call = syntax::try_as<syntax::Call>(failure.node()) != nullptr;
  add_label(labels, failure, failure.receiver);
  for (const FailedOperand& operand : failure.operands) {
    if (is_call && operand.value.is<Type>()) continue;  // dtype=np.uint8
    add_label(labels, failure, operand);
  }
  return labels;
}

}  // namespace gpy
