// Matrices whose inner sizes differ.
#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

using rt::shape_text;

static std::optional<rt::Dims> product_shape(const rt::Dims& a, const rt::Dims& b) {
  if (a.empty() || b.empty() || a.size() > 2 || b.size() > 2) return std::nullopt;
  if (a.back() != b[b.size() == 1 ? 0 : b.size() - 2]) return std::nullopt;
  rt::Dims shape;
  if (a.size() == 2) shape.push_back(a[0]);
  if (b.size() == 2) shape.push_back(b[1]);
  return shape;
}

static std::string inner_size(const FailedOperand& operand, const char* which, int axis_from_end) {
  const rt::Dims& shape = array_of(operand)->shape();
  if (shape.size() == 1) return fmt::format("`{}` has {} elements", operand.text, shape[0]);
  return fmt::format("`{}` has {} {}", operand.text, shape[shape.size() - axis_from_end], which);
}

static std::string fitting_product(const FailedOperand& a, const FailedOperand& b) {
  const rt::Dims &x = array_of(a)->shape(), &y = array_of(b)->shape();
  const std::string left = operand_text(a), right = operand_text(b);
  struct Candidate {
    std::string text;
    std::optional<rt::Dims> shape;
  };
  const Candidate candidates[] = {{fmt::format("{} @ {}", right, left), product_shape(y, x)},
                                  {fmt::format("{} @ {}.T", left, right),
                                   y.size() == 2 ? product_shape(x, reversed(y)) : std::nullopt},
                                  {fmt::format("{}.T @ {}", left, right),
                                   x.size() == 2 ? product_shape(reversed(x), y) : std::nullopt}};
  for (const Candidate& each : candidates) {
    if (each.shape) return fmt::format("`{}` has shape {}", each.text, shape_text(*each.shape));
  }
  return "";
}

static bool is_product(const Failure& failure) {
  const auto* n = ast::try_as<ast::BinOp>(failure.node());
  const std::string_view called = failure.called();
  return (n && n->op == ast::BinaryOperator::MatMult) || called == "dot" || called == "matmul";
}

Advice advise_matmul(const Failure& failure) {
  if (!is_product(failure) || !is_raised_as(failure, failure.vm.types.value_error)) return {};
  std::vector<const FailedOperand*> factors;
  if (array_of(failure.receiver)) factors.push_back(&failure.receiver);
  for (const FailedOperand& each : failure.operands) {
    if (array_of(each)) factors.push_back(&each);
  }
  if (factors.size() < 2) return {};
  const FailedOperand &a = *factors[0], &b = *factors[1];
  if (array_of(a)->rank() == 0 || array_of(b)->rank() == 0) {
    return {"", fmt::format("`{} * {}` multiplies by a single number", operand_text(a),
                            operand_text(b))};
  }
  return {fmt::format("inner sizes differ: {}, {}", inner_size(a, "columns", 1),
                      inner_size(b, "rows", 2)),
          fitting_product(a, b)};
}

}  // namespace gpy
