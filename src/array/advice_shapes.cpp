// Shapes that do not go together: broadcasting, matrix products, reshape, concatenate.
#include <algorithm>

#include "runtime/core/layout.h"
#include "runtime/ops/ufunc.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

using rt::shape_text;

static rt::Dims reversed(const rt::Dims& shape) {
  rt::Dims result = shape;
  std::reverse(result.begin(), result.end());
  return result;
}

// --- broadcasting --------------------------------------------------------------------------------

// Axes counted from the front where both have the same number, else from the back.
static std::string mismatch(const Operand& a, const Operand& b) {
  const rt::Dims &left = array_of(a)->shape(), &right = array_of(b)->shape();
  for (int i = 1; i <= std::min(left.size(), right.size()); ++i) {
    const int64_t x = left[left.size() - i], y = right[right.size() - i];
    if (x == y || x == 1 || y == 1) continue;
    const int axis = left.size() == right.size() ? left.size() - i : -i;
    return fmt::format("axis {} is {} in `{}` and {} in `{}`", axis, x, a.text, y, b.text);
  }
  return "";
}

// What `changed` could be instead, with `kept`. `target`: the result must have its shape.
static std::string fitting_change(const Operand& kept, const Operand& changed,
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

static std::string fitting_pairs(const Operand& a, const Operand& b) {
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

// Their shapes do not go together; in place: not into the first one's.
static bool misfit(const Operand& a, const Operand& b, bool in_place) {
  const rt::Dims& target = array_of(a)->shape();
  const auto together = try_broadcast_shapes(target, array_of(b)->shape());
  return !together || (in_place && *together != target);
}

Advice advise_broadcast(const Failure& failure) {
  if (!is_elementwise(failure)) return {};
  const Operand &a = failure.operands[0], &b = failure.operands[1];
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

// --- matrix products -----------------------------------------------------------------------------

static std::optional<rt::Dims> product_shape(const rt::Dims& a, const rt::Dims& b) {
  if (a.empty() || b.empty() || a.size() > 2 || b.size() > 2) return std::nullopt;
  if (a.back() != b[b.size() == 1 ? 0 : b.size() - 2]) return std::nullopt;
  rt::Dims shape;
  if (a.size() == 2) shape.push_back(a[0]);
  if (b.size() == 2) shape.push_back(b[1]);
  return shape;
}

static std::string inner_size(const Operand& operand, const char* which, int axis_from_end) {
  const rt::Dims& shape = array_of(operand)->shape();
  if (shape.size() == 1) return fmt::format("`{}` has {} elements", operand.text, shape[0]);
  return fmt::format("`{}` has {} {}", operand.text, shape[shape.size() - axis_from_end], which);
}

static std::string fitting_product(const Operand& a, const Operand& b) {
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
  std::vector<const Operand*> factors;
  if (array_of(failure.receiver)) factors.push_back(&failure.receiver);
  for (const Operand& each : failure.operands) {
    if (array_of(each)) factors.push_back(&each);
  }
  if (factors.size() < 2) return {};
  const Operand &a = *factors[0], &b = *factors[1];
  if (array_of(a)->rank() == 0 || array_of(b)->rank() == 0) {
    return {"", fmt::format("`{} * {}` multiplies by a single number", operand_text(a),
                            operand_text(b))};
  }
  return {fmt::format("inner sizes differ: {}, {}", inner_size(a, "columns", 1),
                      inner_size(b, "rows", 2)),
          fitting_product(a, b)};
}

// --- reshape -------------------------------------------------------------------------------------

namespace {

struct Reshape {
  const Operand* subject;
  rt::Dims shape;
  bool as_tuple;  // the sizes were given as one

  std::string text(const rt::Dims& sizes) const {
    std::string list;
    for (int64_t each : sizes) list += (list.empty() ? "" : ", ") + std::to_string(each);
    return fmt::format("{}.reshape({}{}{})", operand_text(*subject), as_tuple ? "(" : "", list,
                       as_tuple ? ")" : "");
  }
};

}  // namespace

static bool add_sizes(const Value& value, rt::Dims& sizes) {
  if (value.is_integer()) {
    sizes.push_back(value.as_integer());
    return true;
  }
  Tuple* tuple = value.try_as<Tuple>();
  if (!tuple) return false;
  for (const Value& each : tuple->items()) {
    if (!each.is_integer()) return false;
    sizes.push_back(each.as_integer());
  }
  return true;
}

static std::optional<Reshape> read_reshape(const Failure& failure) {
  const Operand* subject = subject_of(failure);
  if (failure.called() != "reshape" || !subject) return std::nullopt;
  Reshape reshape{subject, {}, false};
  for (size_t i = subject == &failure.receiver ? 0 : 1; i < failure.operands.size(); ++i) {
    const Operand& each = failure.operands[i];
    if (!each.keyword.empty() && each.keyword != "shape" && each.keyword != "newshape") continue;
    reshape.as_tuple |= each.value.is<Tuple>();
    if (!add_sizes(each.value, reshape.shape)) return std::nullopt;
  }
  return reshape;
}

// The divisors of `size` next to `wanted`, on either side.
static std::vector<int64_t> near_divisors(int64_t size, int64_t wanted) {
  constexpr int64_t kFar = 1 << 20;
  std::vector<int64_t> found;
  for (int64_t d = wanted - 1; d > 0 && wanted - d < kFar; --d) {
    if (size % d == 0) {
      found.push_back(d);
      break;
    }
  }
  for (int64_t d = wanted + 1; d <= size && d - wanted < kFar; ++d) {
    if (size % d == 0) {
      found.push_back(d);
      break;
    }
  }
  return found;
}

static Advice advise_open_reshape(const Reshape& reshape, int64_t size, int64_t known) {
  if (known == 0) return {};
  std::string detail = fmt::format("{} is not divisible by {}", size, known);
  if (reshape.shape.size() != 2) return {detail, ""};
  const auto near = near_divisors(size, known);
  if (near.empty()) return {detail, ""};
  detail += fmt::format("; its nearest divisors are {}", near[0]);
  if (near.size() > 1) detail += fmt::format(" and {}", near[1]);
  rt::Dims fitting = reshape.shape, result;
  for (int64_t& each : fitting) each = each == -1 ? -1 : near[0];
  for (int64_t each : fitting) result.push_back(each == -1 ? size / near[0] : each);
  return {detail, fmt::format("`{}` has shape {}", reshape.text(fitting), shape_text(result))};
}

static Advice advise_closed_reshape(const Reshape& reshape, int64_t size, int64_t wanted) {
  Advice advice{fmt::format("`{}` has {} elements, shape {} takes {}", reshape.subject->text, size,
                            shape_text(reshape.shape), wanted),
                ""};
  for (int i = reshape.shape.size() - 1; i >= 0; --i) {
    const int64_t others = reshape.shape[i] == 0 ? 0 : wanted / reshape.shape[i];
    if (others == 0 || size % others != 0) continue;
    rt::Dims open = reshape.shape, result = reshape.shape;
    open[i] = -1;
    result[i] = size / others;
    advice.hint = fmt::format("`{}` has shape {}", reshape.text(open), shape_text(result));
    return advice;
  }
  return advice;
}

Advice advise_reshape(const Failure& failure) {
  const auto reshape = read_reshape(failure);
  if (!reshape || !is_raised_as(failure, failure.vm.types.value_error)) return {};
  const int64_t size = array_of(*reshape->subject)->size();
  int64_t known = 1;
  int open = 0;
  for (int64_t each : reshape->shape) {
    if (each < -1 || each > size + 1) known = 0;
    if (each == -1) ++open;
    else known *= each;
  }
  if (open > 1) return {"one size may be -1: it follows from the others", ""};
  return open ? advise_open_reshape(*reshape, size, known)
              : advise_closed_reshape(*reshape, size, known);
}

// --- concatenate ---------------------------------------------------------------------------------

static std::vector<const rt::Array*> items_of(const Value& value) {
  std::vector<const rt::Array*> arrays;
  auto add = [&](std::span<const Value> items) {
    for (const Value& each : items) {
      const Ndarray* array = as_ndarray(each);
      if (!array) {
        arrays.clear();
        return;
      }
      arrays.push_back(&array->array);
    }
  };
  if (const List* list = value.try_as<List>()) add(list->items);
  if (Tuple* tuple = value.try_as<Tuple>()) add(tuple->items());
  return arrays;
}

// The result of joining along `axis`; nullopt where the other axes differ.
static std::optional<rt::Dims> joined_shape(const std::vector<const rt::Array*>& items, int axis) {
  rt::Dims shape = items[0]->shape();
  for (size_t i = 1; i < items.size(); ++i) {
    const rt::Dims& other = items[i]->shape();
    if (other.size() != shape.size()) return std::nullopt;
    for (int k = 0; k < shape.size(); ++k) {
      if (k != axis && shape[k] != other[k]) return std::nullopt;
    }
    shape[axis] += other[axis];
  }
  return shape;
}

static std::string join_mismatch(const std::vector<const rt::Array*>& items, int axis) {
  const rt::Dims& first = items[0]->shape();
  for (size_t i = 1; i < items.size(); ++i) {
    const rt::Dims& other = items[i]->shape();
    if (other.size() != first.size()) {
      return fmt::format("item 0 has shape {}, item {} has {}", shape_text(first), i,
                         shape_text(other));
    }
    for (int k = 0; k < first.size(); ++k) {
      if (k == axis || first[k] == other[k]) continue;
      return fmt::format(
          "along axis {} all other axes must agree: axis {} is {} in item 0 and {} "
          "in item {}",
          axis, k, first[k], other[k], i);
    }
  }
  return "";
}

static std::optional<int> join_axis(const Failure& failure, int rank) {
  const std::string_view called = failure.called();
  if (called == "vstack") return 0;
  if (called == "hstack") return rank == 1 ? 0 : 1;
  if (called != "concatenate") return std::nullopt;
  const Operand* given = failure.argument(1, "axis");
  if (!given) return 0;
  if (!given->value.is_integer()) return std::nullopt;
  const int64_t axis = given->value.as_integer();
  const int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank) return std::nullopt;
  return static_cast<int>(counted);
}

Advice advise_join(const Failure& failure) {
  const auto* call = ast::try_as<ast::Call>(failure.node());
  if (!call || failure.operands.empty() || !is_raised_as(failure, failure.vm.types.value_error)) {
    return {};
  }
  const auto items = items_of(failure.operands[0].value);
  if (items.size() < 2) return {};
  const auto axis = join_axis(failure, items[0]->rank());
  if (!axis) return {};
  Advice advice{join_mismatch(items, *axis), ""};
  const std::string function(failure.text(*call->func));
  const std::string module = function.substr(0, function.rfind('.') + 1);
  for (int other = 0; other < items[0]->rank(); ++other) {
    const auto shape = other == *axis ? std::nullopt : joined_shape(items, other);
    if (!shape) continue;
    advice.hint = fmt::format("`{}concatenate({}, axis={})` has shape {}", module,
                              failure.operands[0].text, other, shape_text(*shape));
    break;
  }
  return advice;
}

}  // namespace gpy
