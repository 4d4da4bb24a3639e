// Functions of elements that are not plain ufuncs: clip, round, where, parts of complex numbers.
#include <cmath>
#include <numbers>

#include "runtime/graph/write.h"
#include "runtime/ops/index.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "src/array/operators.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/ufunc_call.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

rt::Operand operand(Interpreter& vm, const Args& call, const Value& value) {
  return to_operand(vm, value, namespace_or_numpy(call));
}

// Applies a row: numbers alone in the call's space, arrays where they are.
rt::Array apply_in(Interpreter& vm, const Args& call, rt::Row row,
                   const std::vector<rt::Operand>& inputs) {
  return rt::apply(session(vm), rt::ufunc(row), std::span(inputs.begin(), inputs.size()), {},
                   fallback_space(vm, call));
}

// Whether a bound has an effect: a Python int beyond the end of the dtype has none.
bool limits(Interpreter& vm, const Value& bound, rt::DType dtype, bool is_high) {
  const Int* huge = bound.try_as<Int>();
  if (huge && huge->type != vm.types.integer) return true;
  const bool beyond = huge && (is_beyond_64_bits(*huge) || dtype != rt::DType::kUInt64);
  if (beyond && rt::is_integer(dtype)) {
    return vm.less(bound, Value::integer(0)) == is_high;
  }
  if (!bound.is_integer() || !rt::is_integer(dtype)) return true;
  const int64_t number = bound.as_integer();
  const int bits =
      static_cast<int>(rt::item_size(dtype)) * 8 - (rt::kind(dtype) == rt::DTypeKind::kSigned);
  if (is_high) return bits > 62 || number < (int64_t{1} << bits);
  if (rt::kind(dtype) == rt::DTypeKind::kUnsigned) return number > 0;
  return bits > 62 || number > -(int64_t{1} << bits);
}

// One of two operands; a Python int beyond 64 bits is converted for arithmetic with `other`.
rt::Operand operand_beside(Interpreter& vm, const Args& call, const Value& value,
                           const Value& other) {
  const auto huge = huge_number(vm, value, other, Use::kArithmetic);
  return huge ? rt::Operand(*huge) : operand(vm, call, value);
}

// The result as often as `out` has it, where the operands' shapes and that one broadcast to it.
rt::Array spread_over_out(Interpreter& vm, const rt::Array& result,
                          std::span<const rt::Operand> operands, const Value& out) {
  const Ndarray* target = to_out(vm, out);
  if (!target || target->array.shape() == result.shape()) return result;
  std::vector<std::span<const int64_t>> shapes;
  for (const rt::Operand& each : operands) {
    shapes.push_back(each.is_array() ? each.array().shape().span() : std::span<const int64_t>());
  }
  shapes.push_back(target->array.shape().span());
  const rt::Dims shape = rt::broadcast_shapes(shapes);
  if (!(target->array.shape() == shape)) {
    vm.raise_value_error(
        "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
        rt::shape_text(target->array.shape()), rt::shape_text(shape));
  }
  return rt::broadcast_to(result, shape);
}

// The last parameters of clip: what ufuncs take besides operands and `out`.
#define GPY_UFUNC_KEYWORDS                                                                   \
  "where=<no value>, order=<no value>, casting=<no value>, dtype=<no value>, signature=<no " \
  "value>, subok=<no value>)"
constexpr std::string_view kUfuncKeywords[] = {"where", "order",     "casting",
                                               "dtype", "signature", "subok"};

std::span<const Value> ufunc_keywords(const Args& call) {
  return std::span(call.begin(), call.size()).last(std::size(kUfuncKeywords));
}

Value clip_by_keywords(Interpreter& vm, const Args& call, rt::Row row,
                       const std::vector<rt::Operand>& operands, const Value& out) {
  const Value ufunc = make_ufunc_object(vm, namespace_or_numpy(call), rt::ufunc(row));
  ArrayCall read;
  read.inputs = operands;
  read.out = out;
  const std::span<const Value> given = ufunc_keywords(call);
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].is_defined()) read_keyword(vm, as_ufunc(ufunc), kUfuncKeywords[i], given[i], read);
  }
  return run_call(vm, as_ufunc(ufunc), read);
}

Value clip_between(Interpreter& vm, const Args& call, const Value& array, Value low, Value high,
                   const Value& out) {
  check_out_tuple(vm, out);
  const rt::Operand a = operand(vm, call, array);
  const bool has_keywords = std::ranges::any_of(ufunc_keywords(call), &Value::is_defined);
  if (!has_keywords && is_given(low) && !limits(vm, low, a.dtype(), false)) low = Value::none();
  if (!has_keywords && is_given(high) && !limits(vm, high, a.dtype(), true)) high = Value::none();
  const auto bound = [&](const Value& value) { return operand_beside(vm, call, value, array); };
  std::vector<rt::Operand> operands{a};
  rt::Row row = rt::Row::positive;
  if (is_given(low)) {
    operands.push_back(bound(low));
    row = rt::Row::maximum;
  }
  if (is_given(high)) {
    operands.push_back(bound(high));
    row = is_given(low) ? rt::Row::clip : rt::Row::minimum;
  }
  if (has_keywords) return clip_by_keywords(vm, call, row, operands, out);
  const rt::Array result = apply_in(vm, call, row, operands);
  return finish(vm, spread_over_out(vm, result, operands, out), out);
}

// Limits by either pair of names, never by both; of a_min and a_max each is needed.
Value clip(Interpreter& vm, Args call) {
  const Value &array = call[0], &a_min = call[1], &a_max = call[2], &out = call[3], &min = call[4],
              &max = call[5];
  if (a_min.is_undefined() && a_max.is_undefined()) {
    return clip_between(vm, call, array, min, max, out);
  }
  if (a_min.is_undefined() || a_max.is_undefined()) {
    vm.raise_type_error("clip() missing 1 required positional argument: '{}'",
                        a_min.is_undefined() ? "a_min" : "a_max");
  }
  if (min.is_defined() || max.is_defined()) {
    vm.raise_value_error(
        "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
        "forbidden.");
  }
  return clip_between(vm, call, array, a_min, a_max, out);
}

Value clip_method(Interpreter& vm, Args call) {
  return clip_between(vm, call, call[0], call[1], call[2], call[3]);
}

rt::Array rounded(Interpreter& vm, const rt::Array& array, int64_t decimals) {
  const bool whole = !rt::is_inexact(array.dtype());
  if (whole && decimals >= 0) return rt::copy(session(vm), array);
  if (rt::is_complex(array.dtype())) {
    const rt::Array parts = rt::copy(session(vm), array);
    for (const rt::Array& part : {rt::real_part(parts), rt::imag_part(session(vm), parts)}) {
      rt::write(session(vm), part, rounded(vm, part, decimals));
    }
    return parts;
  }
  if (decimals == 0) return ops::rint(vm, array);
  const rt::Scalar scale =
      rt::Scalar::weak(std::pow(10.0, static_cast<double>(std::abs(decimals))));
  const auto& scaled = decimals > 0 ? ops::multiply : ops::divide;
  const auto& unscaled = decimals > 0 ? ops::divide : ops::multiply;
  const rt::Array result = unscaled(vm, ops::rint(vm, scaled(vm, array, scale)), scale);
  return rt::astype(session(vm), result, array.dtype(), rt::Casting::kUnsafe, false);
}

Value round(Interpreter& vm, const rt::Array& array, const Value& decimals, const Value& out) {
  if (array.dtype() == rt::DType::kBool) {
    if (vm.to_index(decimals) != 0) vm.raise_type_error("bools have no decimals to round to");
    return finish(vm, rt::astype(session(vm), array, rt::DType::kFloat16), out);
  }
  return finish(vm, rounded(vm, array, vm.to_index(decimals)), out);
}

Value where_true(Interpreter& vm, const rt::Array& condition) {
  if (condition.rank() == 0) {
    vm.raise_value_error(
        "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
        "instead.");
  }
  return wrap_list(vm, rt::nonzero(session(vm), condition), true);
}

rt::Operand choice(Interpreter& vm, const Args& call, const Value& value, const Value& other) {
  if (value.is<Str>() || value.is<Bytes>()) leave_to_other_kinds(vm);
  return operand_beside(vm, call, value, other);
}

// With the condition alone, gives the indices where it is true.
Value where(Interpreter& vm, const Args& call, const Value& condition, const Value& x,
            const Value& y) {
  if (x.is_defined() != y.is_defined()) {
    vm.raise_value_error("either both or neither of x and y should be given");
  }
  if (!x.is_defined()) return where_true(vm, to_array(vm, condition, namespace_or_numpy(call)));
  const rt::Operand choices[] = {choice(vm, call, x, y), choice(vm, call, y, x)};
  const rt::DType dtype = rt::result_type(choices);
  rt::Array result = apply_in(vm, call, rt::Row::where,
                              {truth_of(vm, operand(vm, call, condition)),
                               cast_number(choices[0], dtype), cast_number(choices[1], dtype)});
  return wrap_array(vm, std::move(result));
}

// --- complex parts -------------------------------------------------------------------------------

template <const char* kPart>
Value part(Interpreter& vm, const Namespace& names, const Value& value) {
  if (is_number(value) || as_ndarray(value) || as_generic(value)) {
    return vm.get_attribute(value, kPart);
  }
  return vm.get_attribute(wrap_array(vm, to_array(vm, value, names)), kPart);
}

Value angle(Interpreter& vm, const Args& call, const rt::Operand& z, bool in_degrees) {
  const bool is_complex = rt::is_complex(z.dtype());
  rt::Array result;
  if (is_complex) {
    result =
        apply_in(vm, call, rt::Row::arctan2,
                 {apply_in(vm, call, rt::Row::imag, {z}), apply_in(vm, call, rt::Row::real, {z})});
  } else {
    result = apply_in(vm, call, rt::Row::arctan2, {rt::Operand(rt::Scalar::weak(int64_t{0})), z});
  }
  if (in_degrees) {
    result = apply_in(vm, call, rt::Row::multiply,
                      {result, rt::Operand(rt::Scalar::weak(180 / std::numbers::pi))});
  }
  return wrap_result(vm, std::move(result));
}

Value conj(Interpreter& vm, const Value& self, const Value& out) {
  const rt::Array array = to_array(vm, self, kNumpy);
  const bool has_out = is_given(out);
  if (!rt::is_complex(array.dtype())) return has_out ? finish(vm, array, out) : self;
  rt::Array result = ops::conjugate(vm, array);
  return has_out ? finish(vm, result, out) : wrap_result(vm, std::move(result));
}

Value isreal(Interpreter& vm, const Args& call, const Value& x) {
  const bool scalar = is_number(x) && !as_generic(x);
  if (scalar && namespace_or_numpy(call).is_numpy()) {
    const Complex* z = x.try_as<Complex>();
    return Value::boolean(!z || z->imag == 0);
  }
  const rt::Operand z = operand(vm, call, x);
  const rt::Array imag =
      apply_in(vm, call, rt::Row::imag, {as_array(vm, z, fallback_space(vm, call))});
  return wrap_result(vm, ops::equal(vm, imag, rt::Scalar::weak(int64_t{0})));
}

Value iscomplex(Interpreter& vm, const rt::Array& z) {
  return wrap_result(vm, ops::not_equal(vm, ops::imag(vm, z), rt::Scalar::weak(int64_t{0})));
}

void refuse_complex(Interpreter& vm, const rt::Array& x) {
  if (!rt::is_complex(x.dtype())) return;
  vm.raise_type_error(
      "This operation is not supported for {} values because it would be ambiguous.",
      rt::name(x.dtype()));
}

Value isposinf(Interpreter& vm, const rt::Array& x, const Value& out) {
  refuse_complex(vm, x);
  return finish(vm, ops::equal(vm, x, rt::Scalar::weak(INFINITY)), out);
}

Value isneginf(Interpreter& vm, const rt::Array& x, const Value& out) {
  refuse_complex(vm, x);
  return finish(vm, ops::equal(vm, x, rt::Scalar::weak(-INFINITY)), out);
}

// --- cleaning ------------------------------------------------------------------------------------

// A number that is to stand among elements of a dtype.
rt::Operand filling(Interpreter& vm, const Value& value, rt::DType dtype) {
  const auto number = try_operand(vm, value);
  if (!number && !as_ndarray(value) && !items_of(value)) {
    vm.raise_type_error("Cannot cast a '{}' to dtype('{}') according to the rule 'same_kind'",
                        vm.type_name(value), rt::name(dtype));
  }
  const rt::Operand filling = number ? *number : to_operand(vm, value, kGp);
  if (!rt::can_cast(filling.dtype(), dtype, rt::Casting::kSameKind)) {
    vm.raise_type_error(
        "Cannot cast scalar from dtype('{}') to dtype('{}') according to the rule 'same_kind'",
        rt::name(filling.dtype()), rt::name(dtype));
  }
  return filling;
}

rt::Operand filling_or(Interpreter& vm, const Value& value, double otherwise, rt::DType dtype) {
  return is_given(value) ? filling(vm, value, dtype) : rt::Operand(rt::Scalar::weak(otherwise));
}

double largest(rt::DType dtype) {
  if (dtype.native() == rt::DType::kFloat16) return 65504;
  if (dtype == rt::DType::kBFloat16) return 0x1.fep127;
  const bool single = rt::real_type(dtype.native()) == rt::DType::kFloat32;
  return single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

// nan_to_num of real numbers, in their own byte order.
rt::Array finite(Interpreter& vm, const rt::Array& x, const Value& nan, const Value& posinf,
                 const Value& neginf) {
  const double top = largest(x.dtype());
  const rt::Array above = ops::equal(vm, x, rt::Scalar::weak(INFINITY));
  const rt::Array below = ops::equal(vm, x, rt::Scalar::weak(-INFINITY));
  rt::Array result = ops::where(vm, ops::isnan(vm, x), filling(vm, nan, x.dtype()), x);
  result = ops::where(vm, above, filling_or(vm, posinf, top, x.dtype()), result);
  result = ops::where(vm, below, filling_or(vm, neginf, -top, x.dtype()), result);
  return rt::astype(session(vm), result, x.dtype(), rt::Casting::kUnsafe, false);
}

Value nan_to_num(Interpreter& vm, const Namespace& names, const Value& given, const Value& copy,
                 const Value& nan, const Value& posinf, const Value& neginf) {
  rt::Session& state = session(vm);
  const rt::Array x = to_array(vm, given, names);
  const bool in_place = as_ndarray(given) && !copy_flag(vm, copy);
  const auto cleaned = [&](const rt::Array& part) { return finite(vm, part, nan, posinf, neginf); };
  if (!rt::is_inexact(x.dtype())) return in_place ? given : wrap_result(vm, rt::copy(state, x));
  if (!in_place && rt::is_float(x.dtype())) return wrap_result(vm, cleaned(x));
  const rt::Array result = in_place ? x : rt::copy(state, x);
  rt::write(state, rt::real_part(result), cleaned(rt::real_part(x)));
  if (rt::is_complex(x.dtype())) {
    rt::write(state, rt::imag_part(state, result), cleaned(rt::imag_part(state, x)));
  }
  return in_place ? given : wrap_result(vm, result);
}

constexpr char kReal[] = "real";
constexpr char kImag[] = "imag";

const Native kFunctions[] = {
    {"clip",
     "(a, a_min=<no value>, a_max=<no value>, out=None, *, min=<no value>, max=<no "
     "value>, " GPY_UFUNC_KEYWORDS,
     clip, "Elements limited to an interval."},
    {"round", "(a, decimals=0, out=None)", typed<round>, "Rounded to decimals, half to even."},
    {"around", "(a, decimals=0, out=None)", typed<round>, "As round."},
    {"where", "(condition, x=<no value>, y=<no value>, /)", typed<where>,
     "x where the condition is true, else y; with the condition alone, where it is true."},
    {"real", "(val)", typed<part<kReal>>, "The real part."},
    {"imag", "(val)", typed<part<kImag>>, "The imaginary part."},
    {"angle", "(z, deg=False)", typed<angle>, "The angle of complex numbers."},
    {"isreal", "(x)", typed<isreal>, "Where the imaginary part is 0."},
    {"iscomplex", "(x)", typed<iscomplex>, "Where the imaginary part is not 0."},
    {"isposinf", "(x, out=None)", typed<isposinf>, "Where elements are inf."},
    {"isneginf", "(x, out=None)", typed<isneginf>, "Where elements are -inf."},
    {"nan_to_num", "(x, copy=True, nan=0.0, posinf=None, neginf=None)", typed<nan_to_num>,
     "With numbers in place of nan and infinities."},
};
const Native kMethods[] = {
    {"clip", "(self, min=<no value>, max=<no value>, out=None, *, " GPY_UFUNC_KEYWORDS, clip_method,
     "Elements limited to an interval."},
    {"round", "(self, decimals=0, out=None)", typed<round>, "Rounded to decimals, half to even."},
    {"conj", "(self, out=None, /)", typed<conj>, "The complex conjugate."},
    {"conjugate", "(self, out=None, /)", typed<conj>, "The complex conjugate."},
};

}  // namespace

#undef GPY_UFUNC_KEYWORDS

Family elementwise_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
