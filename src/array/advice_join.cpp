// Arrays that cannot be joined.
#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

using rt::shape_text;

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
  const FailedOperand* given = failure.argument(1, "axis");
  if (!given) return 0;
  if (!given->value.is_integer()) return std::nullopt;
  const int64_t axis = given->value.as_integer();
  const int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank) return std::nullopt;
  return static_cast<int>(counted);
}

// concatenate(a, b)
static Advice advise_one_by_one(const Failure& failure) {
  const std::string_view called = failure.called();
  bool joins = false;
  for (const char* name :
       {"concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block"}) {
    joins |= called == name;
  }
  if (!joins || failure.operands.size() < 2) return {};
  std::string list;
  for (const FailedOperand& each : failure.operands) {
    const bool is_item = each.node && each.node->kind != ast::ExprKind::Starred;
    if (!is_item || !each.keyword.empty() || each.value.is_integer()) return {};
    list += (list.empty() ? "" : ", ") + std::string(failure.text(*each.node));
  }
  const std::string function(failure.text(*ast::as<ast::Call>(*failure.node()).func));
  return {"the arrays are one argument", fmt::format("write `{}(({}))`", function, list)};
}

Advice advise_join(const Failure& failure) {
  const auto* call = ast::try_as<ast::Call>(failure.node());
  if (call && is_raised_as(failure, failure.vm.types.type_error)) {
    return advise_one_by_one(failure);
  }
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
