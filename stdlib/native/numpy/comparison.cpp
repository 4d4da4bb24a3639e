// Comparing whole arrays. These take host and device arrays together: host arrays are copied.
#include "stdlib/native/numpy/comparison.h"

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "src/array/errors.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

ComparedPair compared_pair(Interpreter& vm, const Value& a, const Value& b) {
  ComparedPair pair{to_array(vm, a, kNumpy), to_array(vm, b, kNumpy)};
  for (const rt::Array* array : {&pair.a, &pair.b}) {
    if (!array->space().is_host() && !pair.space.is_device()) pair.space = array->space();
  }
  if (!pair.space.is_host()) {
    pair.a = rt::to_space(session(vm), pair.a, pair.space);
    pair.b = rt::to_space(session(vm), pair.b, pair.space);
  }
  return pair;
}

rt::Array as_inexact(Interpreter& vm, const rt::Array& array) {
  if (rt::is_inexact(array.dtype())) return array;
  return ops::multiply(vm, array, rt::Scalar::weak(1.0));
}

// |a - b| <= atol + rtol * |b|, infinities equal to themselves.
rt::Array close_elements(Interpreter& vm, const ComparedPair& pair, const Tolerance& tolerance) {
  const rt::Array b = as_inexact(vm, pair.b);
  const auto beside = [&](const rt::Operand& limit) {
    return limit.is_array() ? rt::to_space(session(vm), limit.array(), b.space()) : limit;
  };
  const rt::Array scaled = ops::multiply(vm, beside(tolerance.relative), ops::absolute(vm, b));
  const rt::Array limit = ops::add(vm, beside(tolerance.absolute), scaled);
  const std::span<const int64_t> shapes[] = {pair.a.shape().span(), limit.shape().span()};
  rt::broadcast_shapes(shapes);  // refused before the difference is made, which may raise events
  const rt::Array difference = ops::absolute(vm, ops::subtract(vm, pair.a, b));
  rt::Array close = ops::less_equal(vm, difference, limit);
  close = ops::logical_and(vm, close, ops::isfinite(vm, b));
  close = ops::logical_or(vm, close, ops::equal(vm, pair.a, b));
  if (!tolerance.equal_nan) return close;
  const rt::Array nans = ops::logical_and(vm, ops::isnan(vm, pair.a), ops::isnan(vm, b));
  return ops::logical_or(vm, close, nans);
}

namespace {

// On the host the result is a Python bool, except in cupy; else an array that may still be pending.
Value truth_result(Interpreter& vm, const Namespace& names, rt::Array result) {
  const bool on_host = result.space().is_host() && !names.is_cupy();
  if (on_host) return Value::boolean(rt::item(session(vm), result).truth());
  return wrap_array(vm, result);
}

rt::Array all(Interpreter& vm, const rt::Array& array) {
  return rt::reduce(session(vm), rt::Fold::logical_and, array, {});
}

Tolerance tolerance(Interpreter& vm, const Value& relative, const Value& absolute, bool equal_nan) {
  return {to_operand(vm, relative, kNumpy), to_operand(vm, absolute, kNumpy), equal_nan};
}

void warn_of_tolerance(Interpreter& vm, const Value& relative, const Value& absolute) {
  const auto is_valid = [](const Value& value) {
    return !value.is_real() || std::isfinite(value.as_real());
  };
  if (is_valid(relative) && is_valid(absolute)) return;
  vm.warn(vm.types.runtime_warning,
          fmt::format("One of rtol or atol is not valid, atol: {}, rtol: {}", vm.to_str(absolute),
                      vm.to_str(relative)));
}

Value isclose(Interpreter& vm, const Value& a, const Value& b, const Value& relative,
              const Value& absolute, bool equal_nan) {
  warn_of_tolerance(vm, relative, absolute);
  const Quiet quiet(session(vm));
  const ComparedPair pair = compared_pair(vm, a, b);
  rt::Array close = close_elements(vm, pair, tolerance(vm, relative, absolute, equal_nan));
  if (close.space().is_host()) rt::item(session(vm), all(vm, close));
  return wrap_result(vm, std::move(close));
}

Value allclose(Interpreter& vm, const Namespace& names, const Value& a, const Value& b,
               const Value& relative, const Value& absolute, bool equal_nan) {
  warn_of_tolerance(vm, relative, absolute);
  const Quiet quiet(session(vm));
  const ComparedPair pair = compared_pair(vm, a, b);
  const rt::Array close = close_elements(vm, pair, tolerance(vm, relative, absolute, equal_nan));
  return truth_result(vm, names, all(vm, close));
}

Value constant_truth(Interpreter& vm, const Namespace& names, bool truth, rt::Space space) {
  return truth_result(vm, names,
                      rt::full(session(vm), {}, rt::Scalar(truth), rt::DType::kBool, space));
}

Value equal_elements(Interpreter& vm, const Namespace& names, const ComparedPair& pair,
                     bool equal_nan) {
  rt::Array equal = ops::equal(vm, pair.a, pair.b);
  if (equal_nan && rt::is_inexact(pair.a.dtype()) && rt::is_inexact(pair.b.dtype())) {
    const rt::Array nans = ops::logical_and(vm, ops::isnan(vm, pair.a), ops::isnan(vm, pair.b));
    equal = ops::logical_or(vm, equal, nans);
  }
  return truth_result(vm, names, all(vm, equal));
}

// Nothing where a value is not an array, which then equals no array.
std::optional<ComparedPair> try_compared_pair(Interpreter& vm, const Value& a, const Value& b) {
  try {
    return compared_pair(vm, a, b);
  } catch (const Raised& raised) {
    const bool no_array = vm.is_instance(raised.exception, vm.types.type_error) ||
                          vm.is_instance(raised.exception, vm.types.value_error);
    if (!no_array) throw;
    return std::nullopt;
  }
}

Value array_equal(Interpreter& vm, const Namespace& names, const Value& a, const Value& b,
                  const Value& equal_nan) {
  const std::optional<ComparedPair> compared = try_compared_pair(vm, a, b);
  if (!compared) return Value::boolean(false);
  const ComparedPair& pair = *compared;
  if (!(pair.a.shape() == pair.b.shape())) return constant_truth(vm, names, false, pair.space);
  return equal_elements(vm, names, pair, truth_or(vm, equal_nan, false));
}

Value array_equiv(Interpreter& vm, const Namespace& names, const Value& a, const Value& b) {
  const ComparedPair pair = compared_pair(vm, a, b);
  const std::span<const int64_t> shapes[] = {pair.a.shape(), pair.b.shape()};
  try {
    rt::broadcast_shapes(shapes);
  } catch (const rt::Error&) {
    return constant_truth(vm, names, false, pair.space);
  }
  return equal_elements(vm, names, pair, false);
}

const Native kFunctions[] = {
    {"isclose", "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", typed<isclose>,
     "Where two arrays are equal within a tolerance."},
    {"allclose", "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", typed<allclose>,
     "Whether two arrays are equal within a tolerance."},
    {"array_equal", "(a1, a2, equal_nan=False)", typed<array_equal>,
     "Whether two arrays have the same shape and elements."},
    {"array_equiv", "(a1, a2)", typed<array_equiv>, "Whether two arrays broadcast to equal ones."},
};

}  // namespace

Family comparison_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
