// Convolution in one dimension, and interpolation.
#include <algorithm>
#include <cmath>

#include "runtime/core/interrupt.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/host_elements.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/comparison.h"
#include "stdlib/native/numpy/modes.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

rt::ConvolveMode to_convolve_mode(Interpreter& vm, const Value& value) {
  constexpr rt::ConvolveMode kByNumber[] = {rt::ConvolveMode::kValid, rt::ConvolveMode::kSame,
                                            rt::ConvolveMode::kFull};
  if (vm.has_index(value)) {
    const int64_t number = vm.to_index(value);
    if (number >= 0 && number < 3) return kByNumber[number];
    vm.raise_value_error("integer convolve/correlate mode must be 0, 1, or 2 (got {})", number);
  }
  const std::string_view text = vm.to_text(value, "mode");
  if (text == "full") return rt::ConvolveMode::kFull;
  if (text == "same") return rt::ConvolveMode::kSame;
  if (text == "valid") return rt::ConvolveMode::kValid;
  vm.raise_value_error("mode must be one of 'valid', 'same', or 'full' (got '{}')", text);
}

namespace {

rt::Array as_vector(Interpreter& vm, rt::Array array, const char* name) {
  const int64_t first[] = {0};
  if (array.rank() == 0) array = rt::expand_dims(array, first);
  if (array.rank() > 1) vm.raise_value_error("object too deep for desired array");
  if (array.size() == 0) vm.raise_value_error("{} cannot be empty", name);
  return array;
}

Value convolve(Interpreter& vm, rt::Array a, rt::Array v, const Value& mode) {
  a = as_vector(vm, a, "a");
  v = as_vector(vm, v, "v");
  return wrap_array(vm, rt::convolve(session(vm), a, v, to_convolve_mode(vm, mode)));
}

Value correlate(Interpreter& vm, rt::Array a, rt::Array v, const Value& mode) {
  a = as_vector(vm, a, "a");
  const int64_t axes[] = {0};
  v = as_vector(vm, v, "v");
  if (rt::is_complex(v.dtype())) v = ops::conjugate(vm, v);
  const auto kind = to_convolve_mode(vm, mode);
  // The longer one stays where it is: the middle of "same" is its own.
  if (a.size() >= v.size()) {
    return wrap_array(vm, rt::convolve(session(vm), a, rt::flip(v, axes), kind));
  }
  return wrap_array(vm, rt::flip(rt::convolve(session(vm), v, rt::flip(a, axes), kind), axes));
}

rt::Array picked(Interpreter& vm, const rt::Array& row, const rt::Array& at) {
  return rt::get_items(session(vm), row, std::vector<rt::IndexItem>{at});
}

rt::Array end_of(Interpreter& vm, const rt::Array& row, int64_t at) {
  return rt::get_items(session(vm), row, std::vector<rt::IndexItem>{at});
}

rt::Array floats(Interpreter& vm, const rt::Array& array) {
  return rt::astype(session(vm), array, rt::DType::kFloat64, rt::Casting::kUnsafe, false);
}

struct Points {
  rt::Array x, f;
};

void check_points(Interpreter& vm, const Points& points) {
  if (points.x.rank() != 1 || points.f.rank() != 1) {
    vm.raise_value_error(
        "object {} for desired array",
        std::max(points.x.rank(), points.f.rank()) > 1 ? "too deep" : "of too small depth");
  }
  if (points.x.size() == 0) vm.raise_value_error("array of sample points is empty");
  if (points.x.size() != points.f.size())
    vm.raise_value_error("fp and xp are not of the same length.");
}

// The points of one period in order, with a neighbour of the next period on either side.
Points one_period(Interpreter& vm, const Points& points, const rt::Scalar& period) {
  rt::Session& state = session(vm);
  if (points.x.rank() != 1 || points.f.rank() != 1)
    vm.raise_value_error("Data points must be 1-D sequences");
  if (points.x.size() != points.f.size())
    vm.raise_value_error("fp and xp are not of the same length");
  if (points.x.size() == 0) vm.raise_value_error("array of sample points is empty");
  const rt::Array turned = ops::remainder(vm, points.x, period);
  const rt::Array order = rt::argsort(state, turned, 0);
  const rt::Array x = picked(vm, turned, order), f = picked(vm, points.f, order);
  const int64_t first[] = {1}, last[] = {x.size() - 1};
  const rt::Array xs[] = {ops::subtract(vm, rt::split(x, last, 0)[1], period), x,
                          ops::add(vm, rt::split(x, first, 0)[0], period)};
  const rt::Array fs[] = {rt::split(f, last, 0)[1], f, rt::split(f, first, 0)[0]};
  return {rt::concatenate(state, xs, 0), rt::concatenate(state, fs, 0)};
}

// Linear interpolation between points of increasing x; the end values beyond them.
rt::Array between(Interpreter& vm, const rt::Array& x, const Points& points) {
  if (points.x.size() == 1) return rt::broadcast_to(end_of(vm, points.f, 0), x.shape());
  const Quiet quiet(session(vm));
  const rt::Array at = rt::searchsorted(session(vm), points.x, x, true);
  const rt::Scalar last = rt::Scalar::weak(std::max<int64_t>(points.x.size() - 2, 0));
  const rt::Array before = ops::subtract(vm, at, rt::Scalar::weak(int64_t{1}));
  const rt::Array low = ops::clip(vm, before, rt::Scalar::weak(int64_t{0}), last);
  const rt::Scalar step = rt::Scalar::weak(int64_t{points.x.size() > 1 ? 1 : 0});
  const rt::Array high = ops::add(vm, low, step);
  const rt::Array x0 = picked(vm, points.x, low), f0 = picked(vm, points.f, low);
  const rt::Array x1 = picked(vm, points.x, high), f1 = picked(vm, points.f, high);
  const rt::Array slope = ops::divide(vm, ops::subtract(vm, f1, f0), ops::subtract(vm, x1, x0));
  const auto from = [&](const rt::Array& knot, const rt::Array& value) {
    const rt::Array rise = ops::multiply(vm, slope, ops::subtract(vm, x, knot));
    return ops::add(vm, rise, value);
  };
  // As in NumPy, where a value is nan it is computed from the other knot, or taken from equal ones.
  const auto instead = [&](const rt::Array& where, const rt::Array& value, const rt::Array& rest) {
    return ops::where(vm, where, value, rest);
  };
  rt::Array result = from(x0, f0);
  result = instead(ops::isnan(vm, result), from(x1, f1), result);
  const rt::Array is_flat = ops::logical_and(vm, ops::equal(vm, f0, f1), ops::equal(vm, x, x));
  const rt::Array is_lost = ops::logical_and(vm, ops::isnan(vm, result), is_flat);
  result = instead(is_lost, f0, result);
  result = instead(ops::equal(vm, x, x0), f0, result);
  return ops::where(vm, ops::equal(vm, x, end_of(vm, points.x, -1)), end_of(vm, points.f, -1),
                    result);
}

// Real and imaginary parts by themselves, since one that is not finite spoils no other.
rt::Array between_of_kind(Interpreter& vm, const rt::Array& x, const Points& points) {
  if (!rt::is_complex(points.f.dtype())) return between(vm, x, points);
  rt::Session& state = session(vm);
  const rt::Array result =
      rt::full(state, x.shape(), rt::Scalar::weak(0.0), rt::DType::kComplex128, x.space());
  const rt::Array imaginary = between(vm, x, {points.x, rt::imag_part(state, points.f)});
  rt::write(state, rt::real_part(result), between(vm, x, {points.x, rt::real_part(points.f)}));
  rt::write(state, rt::imag_part(state, result),
            ops::where(vm, ops::isnan(vm, x), rt::Scalar::weak(0.0), imaginary));
  return result;
}

Value interp_in_period(Interpreter& vm, const rt::Array& x, const Points& points, double period) {
  if (period == 0) vm.raise_value_error("period must be a non-zero value");
  const rt::Scalar length = rt::Scalar::weak(std::abs(period));
  return wrap_result(
      vm, between_of_kind(vm, ops::remainder(vm, x, length), one_period(vm, points, length)));
}

// An argument that is a plain number or omitted, if `known`.
struct EndValue {
  bool known = false;
  std::optional<double> value;
};

EndValue number_or_none(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return {true, std::nullopt};
  const auto number = try_number(vm, value);
  if (!number || rt::is_complex(number->dtype())) return {};
  return {true, number->as_double()};
}

// The value beyond an end: the argument if given, else the value of the end's point.
rt::Operand value_beyond(Interpreter& vm, const Namespace& names, const Value& given,
                         const rt::Array& f, int64_t end) {
  if (is_given(given)) return to_operand(vm, given, names);
  return rt::Operand(end_of(vm, f, end));
}

Value interp(Interpreter& vm, const Namespace& names, rt::Array x, const rt::Array& xs,
             const rt::Array& fs, const Value& left, const Value& right,
             std::optional<double> period) {
  rt::check_cast("interp", "x", x.dtype(), rt::DType::kFloat64, rt::Casting::kSameKind);
  rt::check_cast("interp", "xp", xs.dtype(), rt::DType::kFloat64, rt::Casting::kSameKind);
  x = floats(vm, x);
  const bool is_complex = rt::is_complex(fs.dtype());
  const Points points{floats(vm, xs), is_complex
                                          ? rt::astype(session(vm), fs, rt::DType::kComplex128)
                                          : floats(vm, fs)};
  if (period) return interp_in_period(vm, x, points, *period);
  check_points(vm, points);
  const auto left_number = number_or_none(vm, left), right_number = number_or_none(vm, right);
  if (!is_complex && left_number.known && right_number.known) {
    return wrap_result(vm, rt::interpolate(session(vm), x, points.x, points.f, left_number.value,
                                           right_number.value));
  }
  const rt::Array first = end_of(vm, points.x, 0), last = end_of(vm, points.x, -1);
  const rt::Operand before = value_beyond(vm, names, left, points.f, 0);
  const rt::Operand after = value_beyond(vm, names, right, points.f, -1);
  rt::Array result = between_of_kind(vm, x, points);
  result = ops::where(vm, ops::less(vm, x, first), before, result);
  return wrap_result(vm, ops::where(vm, ops::greater(vm, x, last), after, result));
}

const Native kFunctions[] = {
    {"convolve", "(a, v, mode='full')", typed<convolve>, "The convolution of two vectors."},
    {"correlate", "(a, v, mode='valid')", typed<correlate>,
     "The cross-correlation of two vectors."},
    {"interp", "(x, xp, fp, left=None, right=None, period=None)", typed<interp>,
     "Values between points, linearly."},
};

}  // namespace

Family signal_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
