// New shapes that take another number of elements.
#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"

namespace gpy {

using rt::shape_text;

namespace {

struct Reshape {
  const FailedOperand* subject;
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
  const FailedOperand* subject = subject_of(failure);
  if (failure.called() != "reshape" || !subject) return std::nullopt;
  Reshape reshape{subject, {}, false};
  for (size_t i = subject == &failure.receiver ? 0 : 1; i < failure.operands.size(); ++i) {
    const FailedOperand& each = failure.operands[i];
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
                            brief_shape(reshape.shape), wanted),
                ""};
  if (reshape.shape.size() > kMostAxesTold) return advice;
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
    else if (__builtin_mul_overflow(known, each, &known)) return {};
  }
  if (open > 1) return {"one size may be -1: it follows from the others", ""};
  return open ? advise_open_reshape(*reshape, size, known)
              : advise_closed_reshape(*reshape, size, known);
}

}  // namespace gpy
