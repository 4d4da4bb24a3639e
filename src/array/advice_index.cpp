// Axes and indices that an array does not have.
#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

namespace ast = syntax;

using rt::shape_text;

// --- axes ----------------------------------------------------------------------------------------

// The `count` numbers from `first` on: "0, 1 and 2".
static std::string counted(int first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const bool is_last = i + 1 == count;
    text += (i == 0 ? "" : is_last ? " and " : ", ") + std::to_string(first + i);
  }
  return text;
}

// The shape of an array, or of the array that nested lists became; nullopt for other values.
static std::optional<rt::Dims> shape_of(Value value) {
  rt::Dims shape;
  while (!as_ndarray(value)) {
    const List* list = value.try_as<List>();
    Tuple* tuple = value.try_as<Tuple>();
    if (!list && !tuple) return shape.empty() ? std::nullopt : std::optional(shape);
    const size_t count = list ? list->items.size() : tuple->items().size();
    if (shape.size() == rt::kMaxRank) return std::nullopt;
    shape.push_back(static_cast<int64_t>(count));
    if (count == 0) return shape;
    value = Value(list ? list->items[0] : tuple->items()[0]);
  }
  for (int64_t extent : as_ndarray(value)->array.shape()) shape.push_back(extent);
  return shape;
}

static const FailedOperand* axis_subject(const Failure& failure) {
  const FailedOperand* subject = subject_of(failure);
  if (subject || failure.operands.empty()) return subject;
  return &failure.operands[0];
}

Advice advise_axis(const Failure& failure) {
  constexpr int kMostListed = 4;
  if (!is_raised_as(failure, arrays(failure.vm).axis_error)) return {};
  const FailedOperand* subject = axis_subject(failure);
  const auto shape = subject ? shape_of(subject->value) : std::nullopt;
  if (!shape) return {};
  const int rank = shape->size();
  const bool is_other = failure.message.find("out of bounds") != std::string::npos &&
                        !failure.message.ends_with(fmt::format(" {}", rank));
  if (is_other && !array_of(*subject)) return {};  // a list of arrays, each with its own axes
  if (rank == 0) return {fmt::format("`{}` is a single number: it has no axes", subject->text), ""};
  const std::string axes =
      rank == 1 ? "its only axis is 0, or -1"
      : rank <= kMostListed
          ? fmt::format("its axes are {}, or {}", counted(0, rank), counted(-rank, rank))
          : fmt::format("its axes are 0 to {}, or -{} to -1", rank - 1, rank);
  return {fmt::format("`{}` has shape {}: {}", subject->text, shape_text(*shape), axes), ""};
}

// --- indices -------------------------------------------------------------------------------------

namespace {

struct Index {
  int axis;
  int64_t position;
};

}  // namespace

static std::vector<Value> parts_of(const Value& key) {
  Tuple* tuple = key.try_as<Tuple>();
  if (!tuple) return {key};
  return {tuple->items().begin(), tuple->items().end()};
}

// The number of axes that a part of a key takes.
static int axes_taken(const Value& part) {
  if (part.is_none() || part.is_ellipsis()) return 0;
  const Ndarray* mask = as_ndarray(part);
  const bool is_mask = mask && mask->array.dtype() == rt::DType::kBool;
  return is_mask ? mask->array.rank() : 1;
}

static int axes_taken(const std::vector<Value>& parts) {
  int count = 0;
  for (const Value& each : parts) count += axes_taken(each);
  return count;
}

// The first integer that is beyond its axis.
static std::optional<Index> first_outside(const rt::Dims& shape, const std::vector<Value>& parts) {
  int axis = 0;
  for (const Value& each : parts) {
    if (each.is_ellipsis()) axis = shape.size() - axes_taken(parts) + axis;
    if (each.is_integer() && axis < shape.size()) {
      const int64_t at = each.as_integer();
      if (at >= shape[axis] || at < -shape[axis]) return Index{axis, at};
    }
    axis += axes_taken(each);
  }
  return std::nullopt;
}

static Advice advise_outside(const FailedOperand& object, const FailedOperand& key,
                             const Index& index) {
  const int64_t extent = array_of(object)->shape()[index.axis];
  if (extent == 0) return {fmt::format("axis {} of `{}` is empty", index.axis, object.text), ""};
  Advice advice{
      fmt::format("axis {} of `{}` goes from 0 to {}", index.axis, object.text, extent - 1), ""};
  if (index.position == extent && key.is_literal && !key.value.is<Tuple>()) {
    const char* what = array_of(object)->rank() == 1 ? "element" : "row";
    advice.hint = fmt::format("the last {} is `{}[-1]`", what, operand_text(object));
  }
  return advice;
}

static Advice advise_index_array(const FailedOperand& object, const FailedOperand& key) {
  const rt::Dims& shape = array_of(object)->shape();
  if (!as_ndarray(key.value) || shape.empty()) return {};
  return {fmt::format("axis 0 of `{}` goes from 0 to {}", object.text, shape[0] - 1), ""};
}

Advice advise_index(const Failure& failure) {
  const bool is_item = ast::try_as<ast::Subscript>(failure.node()) != nullptr;
  if (!is_item || failure.operands.size() < 2 || !array_of(failure.operands[0])) return {};
  if (!is_raised_as(failure, failure.vm.types.index_error)) return {};
  const FailedOperand &object = failure.operands[0], &key = failure.operands[1];
  const rt::Dims& shape = array_of(object)->shape();
  const auto parts = parts_of(key.value);
  const int taken = axes_taken(parts);
  if (taken > shape.size()) {
    return {fmt::format("{} {} for {} {}: `{}` has shape {}", taken,
                        taken == 1 ? "index" : "indices", shape.size(),
                        shape.size() == 1 ? "axis" : "axes", object.text, shape_text(shape)),
            ""};
  }
  if (const auto outside = first_outside(shape, parts)) {
    return advise_outside(object, key, *outside);
  }
  return advise_index_array(object, key);
}

}  // namespace gpy
