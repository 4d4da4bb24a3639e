// Shapes that do not broadcast.
#include <algorithm>

#include "runtime/core/layout.h"
#include "runtime/ops/ufunc.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

using rt::shape_text;

// Axes are counted from the front where both have the same number, else from the back.
static std::string mismatch(const FailedOperand& a, const FailedOperand& b) {
  const rt::Dims &left = array_of(a)->shape(), &right = array_of(b)->shape();
  for (int i = 1; i <= std::min(left.size(), right.size()); ++i) {
    const int64_t x = left[left.size() - i], y = right[right.size() - i];
    if (x == y || x == 1 || y == 1) continue;
    const int axis = left.size() == right.size() ? left.size() - i : -i;
    return fmt::format("axis {} is {} in `{}` and {} in `{}`", axis, x, a.text, y, b.text);
  }
  return "";
}

// Suggests a change of `changed` that fits `kept`. `target`: the result must have its shape.
static std::string fitting_change(const FailedOperand& kept, const FailedOperand& changed,
                                  const rt::Dims* target) {
  const rt::Dims &other = array_of(kept)->shape(), &shape = array_of(changed)->shape();
  auto fits = [&](const rt::Dims& candidate) {
    const auto together = try_broadcast_shapes(other, candidate);
    return together && (!target || *together == *target);
  };
  const std::string text = operand_text(changed);
  auto told = [&](const char* change, const rt::Dims& candidate) {
    return fmt::format("`{}{}` has shape {} and would fit", text, change, shape_text(candidate));
  };
  rt::Dims column = shape;
  column.push_back(1);
  const bool is_row = shape.size() == 1;
  const bool grows = column.size() > other.size();  // the result would have more axes than either
  if (shape.size() >= 1 && !grows && fits(column)) {
    return told(is_row ? "[:, None]" : "[..., None]", column);
  }
  if (shape.size() == 2 && fits(reversed(shape))) return told(".T", reversed(shape));
  return "";
}

static std::string fitting_pairs(const FailedOperand& a, const FailedOperand& b) {
  const rt::Dims &left = array_of(a)->shape(), &right = array_of(b)->shape();
  if (left.size() != 1 || right.size() != 1) return "";
  return fmt::format("`{}[:, None]` pairs each of its items with each of `{}`, shape {}",
                     operand_text(a), b.text, shape_text(rt::Dims{left[0], right[0]}));
}

static bool is_elementwise(const Failure& failure) {
  if (failure.operands.size() < 2 || !is_raised_as(failure, failure.vm.types.value_error)) {
    return false;
  }
  if (!array_of(failure.operands[0]) || !array_of(failure.operands[1])) return false;
  const auto* binary = ast::try_as<ast::BinOp>(failure.node());
  if (binary) return binary->op != ast::BinaryOperator::MatMult;
  const bool is_call = ast::try_as<ast::Call>(failure.node()) != nullptr;
  return !is_call || rt::find_ufunc(failure.called());
}

// Whether their shapes do not broadcast together or, in place, not to the first one's shape.
static bool misfit(const FailedOperand& a, const FailedOperand& b, bool in_place) {
  const rt::Dims& target = array_of(a)->shape();
  const auto together = try_broadcast_shapes(target, array_of(b)->shape());
  return !together || (in_place && *together != target);
}

Advice advise_broadcast(const Failure& failure) {
  if (!is_elementwise(failure)) return {};
  const FailedOperand &a = failure.operands[0], &b = failure.operands[1];
  const bool in_place = ast::try_as<ast::AugAssign>(failure.statement) && !failure.node();
  if (!misfit(a, b, in_place)) return {};
  Advice advice{mismatch(a, b), ""};
  const rt::Dims* target = in_place ? &array_of(a)->shape() : nullptr;
  if (in_place && advice.detail.empty()) {
    advice.detail = fmt::format("the result has shape {}, `{}` has {}",
                                shape_text(*try_broadcast_shapes(*target, array_of(b)->shape())),
                                a.text, shape_text(*target));
  }
  advice.hint = fitting_change(a, b, target);
  if (advice.hint.empty() && !in_place) advice.hint = fitting_change(b, a, nullptr);
  if (advice.hint.empty() && !in_place) advice.hint = fitting_pairs(a, b);
  return advice;
}

}  // namespace gpy
