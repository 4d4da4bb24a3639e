// Dtypes that do not fit: a size taken for a dtype, results that cannot be stored, numbers outside
// a dtype's range.
#include <limits>

#include "runtime/core/layout.h"
#include "src/array/advice.h"
#include "src/array/convert.h"
#include "src/array/operators.h"
#include "src/array/read_arguments.h"
#include "src/lower/operators.h"

namespace gpy {

namespace ast = syntax;

// --- sizes ---------------------------------------------------------------------------------------

static std::string joined_arguments(const Failure& failure) {
  std::string text;
  for (const FailedOperand& each : failure.operands) {
    if (!each.keyword.empty()) continue;
    text += (text.empty() ? "" : ", ") + each.text;
  }
  return text;
}

static size_t positional_count(const Failure& failure) {
  size_t count = 0;
  for (const FailedOperand& each : failure.operands) count += each.keyword.empty();
  return count;
}

static bool all_integers(const Failure& failure) {
  for (const FailedOperand& each : failure.operands) {
    if (each.keyword.empty() && !each.value.is_integer()) return false;
  }
  return true;
}

// zeros(3, 4), random.rand((3, 4))
Advice advise_sizes(const Failure& failure) {
  const std::string_view called = failure.called();
  if (!is_raised_as(failure, failure.vm.types.type_error) || failure.operands.empty()) return {};
  const auto* call = ast::try_as<ast::Call>(failure.node());
  if (!call) return {};
  const std::string function(failure.text(*call->func));
  const bool makes = called == "zeros" || called == "ones" || called == "empty";
  if (makes && positional_count(failure) > 1 && all_integers(failure)) {
    return {
        fmt::format("the second argument is dtype, and got {}", failure.operands[1].text),
        fmt::format("the shape is one argument: `{}(({}))`", function, joined_arguments(failure))};
  }
  const bool gathers = called == "array" || called == "asarray";
  if (gathers && positional_count(failure) > 1 && all_integers(failure)) {
    return {fmt::format("the second argument is dtype, and got {}", failure.operands[1].text),
            fmt::format("the numbers are one argument: `{}([{}])`", function,
                        joined_arguments(failure))};
  }
  Tuple* sizes = failure.operands[0].value.try_as<Tuple>();
  if ((called == "rand" || called == "randn") && sizes && failure.operands[0].is_literal) {
    const std::string& text = failure.operands[0].text;
    return {"", fmt::format("it takes the sizes one by one: `{}({})`", function,
                            text.substr(1, text.size() - 2))};
  }
  return {};
}

// --- in place ------------------------------------------------------------------------------------

// The same array with no elements: operations on it cost nothing and have the same dtype.
static Value emptied(Interpreter& vm, const Value& value) {
  const Ndarray* array = as_ndarray(value);
  if (!array) return value;
  rt::Layout layout = array->array.layout();
  layout.shape = rt::Dims{0};
  layout.strides = rt::Dims{layout.item_size()};
  return wrap_array(vm, array->array.with_layout(layout));
}

Advice advise_in_place(const Failure& failure) {
  const auto* statement = ast::try_as<ast::AugAssign>(failure.statement);
  if (!statement || failure.node() || failure.operands.size() != 2) return {};
  const FailedOperand &target = failure.operands[0], &other = failure.operands[1];
  const rt::Array* array = array_of(target);
  if (!array || statement->op == ast::BinaryOperator::MatMult) return {};
  if (!is_raised_as(failure, arrays(failure.vm).ufunc_type_error)) return {};
  const Value result =
      failure.vm.binary(binary_operator(statement->op), emptied(failure.vm, target.value),
                        emptied(failure.vm, other.value));
  const auto dtype = dtype_of_value(failure.vm, result);
  if (!dtype || *dtype == array->dtype()) return {};
  return {fmt::format("the result is {}, which {} `{}` cannot hold in place", rt::name(*dtype),
                      rt::name(array->dtype()), target.text),
          fmt::format("`{0} = {0} {1} {2}` makes a new {3} array", target.text,
                      ast::symbol(statement->op), operand_text(other), rt::name(*dtype))};
}

// --- numbers outside the range -------------------------------------------------------------------

// The lowest and highest number of an integer dtype, as text.
static std::string range_text(rt::DType dtype) {
  const int bits = static_cast<int>(rt::item_size(dtype)) * 8;
  if (rt::kind(dtype) == rt::DTypeKind::kUnsigned) {
    return fmt::format("0 to {}", ~uint64_t{0} >> (64 - bits));
  }
  const int64_t high = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return fmt::format("{} to {}", -high - 1, high);
}

static bool is_within(int64_t number, rt::DType dtype) {
  const int bits = static_cast<int>(rt::item_size(dtype)) * 8;
  if (rt::kind(dtype) == rt::DTypeKind::kUnsigned) {
    return number >= 0 && (bits == 64 || number >> bits == 0);
  }
  const int64_t high = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return number >= -high - 1 && number <= high;
}

static std::optional<rt::DType> target_dtype(const Failure& failure) {
  if (ast::try_as<ast::Call>(failure.node())) {
    const FailedOperand* given = failure.argument(1, "dtype");
    if (given) return to_dtype(failure.vm, given->value);
    return rt::dtype_from_name(failure.called());
  }
  for (const FailedOperand& each : failure.operands) {
    if (const rt::Array* array = array_of(each)) return array->dtype();
    if (const Generic* number = as_generic(each.value)) return number->dtype();
  }
  return std::nullopt;
}

// "; the first outside is 300 at [7]"
static std::string first_outside(const Value& value, rt::DType dtype) {
  const List* list = value.try_as<List>();
  if (!list) return "";
  for (size_t i = 0; i < list->items.size(); ++i) {
    const Value& each = list->items[i];
    if (!each.is_integer() || is_within(each.as_integer(), dtype)) continue;
    return fmt::format("; the first outside is {} at index {}", each.as_integer(), i);
  }
  return "";
}

Advice advise_range(const Failure& failure) {
  if (!is_raised_as(failure, failure.vm.types.overflow_error)) return {};
  const auto dtype = target_dtype(failure);
  if (!dtype || !rt::is_integer(*dtype)) return {};
  Advice advice{fmt::format("{} holds {}", rt::name(*dtype), range_text(*dtype)), ""};
  if (failure.operands.empty()) return advice;
  advice.detail += first_outside(failure.operands[0].value, *dtype);
  const std::string_view called = failure.called();
  if (called == "array" || called == "asarray") {
    const std::string function(failure.text(*ast::as<ast::Call>(*failure.node()).func));
    advice.hint = fmt::format("`{}({}).astype(\"{}\")` wraps around", function,
                              failure.operands[0].text, rt::name(*dtype));
  }
  return advice;
}

}  // namespace gpy
