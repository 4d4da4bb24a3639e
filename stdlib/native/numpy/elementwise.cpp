// Functions of elements that are no plain ufuncs: clip, round, where, parts of complex numbers.
#include <cmath>
#include <numbers>

#include "runtime/graph/write.h"
#include "runtime/ops/index.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "src/array/operators.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Operand operand(Interpreter& vm, const Args& args, size_t i) {
  return to_operand(vm, args[i], namespace_or_numpy(args));
}

// Numbers alone in `names`'s space, arrays wherever they are.
rt::Array apply_in(Interpreter& vm, const Args& args, rt::Row row,
                   std::initializer_list<rt::Operand> inputs) {
  return rt::apply(session(vm), rt::ufunc(row), std::span(inputs.begin(), inputs.size()), {},
                   fallback_space(vm, args));
}

// A Python int beyond the end of the dtype that it limits limits nothing.
bool limits(Interpreter& vm, const Value& bound, rt::DType dtype, bool is_high) {
  const Int* huge = bound.try_as<Int>();
  const bool beyond = huge && (is_beyond_64_bits(*huge) || dtype != rt::DType::kUInt64);
  if (beyond && rt::is_integer(dtype)) {
    return vm.less(bound, Value::integer(0)) == is_high;
  }
  if (!bound.is_integer() || !rt::is_integer(dtype)) return true;
  const int64_t number = bound.as_integer();
  const int bits =
      static_cast<int>(rt::item_size(dtype)) * 8 - (rt::kind(dtype) == rt::Kind::kSigned);
  if (is_high) return bits > 62 || number < (int64_t{1} << bits);
  if (rt::kind(dtype) == rt::Kind::kUnsigned) return number > 0;
  return bits > 62 || number > -(int64_t{1} << bits);
}

rt::Operand bound(Interpreter& vm, const Args& args, const Value& value) {
  const auto huge = huge_number(vm, value, args[0], Use::kArithmetic);
  return huge ? rt::Operand(*huge) : to_operand(vm, value, namespace_or_numpy(args));
}

// (a, a_min, a_max, out, min, max)
Value clip(Interpreter& vm, Args args) {
  const rt::Operand a = operand(vm, args, 0);
  Value low = is_given(args[1]) ? args[1] : args[4];
  Value high = is_given(args[2]) ? args[2] : args[5];
  if (is_given(low) && !limits(vm, low, a.dtype(), false)) low = Value::none();
  if (is_given(high) && !limits(vm, high, a.dtype(), true)) high = Value::none();
  rt::Array result;
  if (is_given(low) && is_given(high)) {
    result = apply_in(vm, args, rt::Row::clip, {a, bound(vm, args, low), bound(vm, args, high)});
  } else if (is_given(low)) {
    result = apply_in(vm, args, rt::Row::maximum, {a, bound(vm, args, low)});
  } else if (is_given(high)) {
    result = apply_in(vm, args, rt::Row::minimum, {a, bound(vm, args, high)});
  } else {
    result = apply_in(vm, args, rt::Row::positive, {a});
  }
  return finish(vm, std::move(result), args[3]);
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
  return whole ? rt::astype(session(vm), result, array.dtype()) : result;
}

Value round(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  if (array.dtype() == rt::DType::kBool) {
    return finish(vm, rt::astype(session(vm), array, rt::DType::kFloat16), args[2]);
  }
  return finish(vm, rounded(vm, array, vm.to_index(args[1])), args[2]);
}

rt::Operand choice(Interpreter& vm, const Args& args, size_t i, size_t other, const char* name) {
  if (args[i].is<Str>() || args[i].is<Bytes>()) {
    vm.raise_type_error("where: {} must be an array or a number, not '{}'", name,
                        vm.type_name(args[i]));
  }
  const auto huge = huge_number(vm, args[i], args[other], Use::kArithmetic);
  if (huge) return *huge;
  return operand(vm, args, i);
}

// (condition, x, y): with the condition alone, where it is true.
Value where(Interpreter& vm, Args args) {
  if (args.has(1) != args.has(2)) {
    vm.raise_value_error("either both or neither of x and y should be given");
  }
  if (!args.has(1)) {
    const rt::Array array = array_argument(vm, args);
    if (array.rank() == 0) {
      vm.raise_value_error(
          "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
          "instead.");
    }
    return wrap_list(vm, rt::nonzero(session(vm), array), true);
  }
  const rt::Operand choices[] = {choice(vm, args, 1, 2, "x"), choice(vm, args, 2, 1, "y")};
  const rt::DType dtype = rt::result_type(choices);
  rt::Array result = apply_in(vm, args, rt::Row::where,
                              {truth_of(vm, operand(vm, args, 0)), cast_number(choices[0], dtype),
                               cast_number(choices[1], dtype)});
  return wrap_array(vm, std::move(result));
}

// --- complex parts -------------------------------------------------------------------------------

template <const char* kPart> Value part(Interpreter& vm, Args args) {
  if (is_number(args[0]) || as_ndarray(args[0]) || as_generic(args[0])) {
    return vm.get_attribute(args[0], kPart);
  }
  return vm.get_attribute(wrap_array(vm, array_argument(vm, args)), kPart);
}

Value angle(Interpreter& vm, Args args) {
  const rt::Operand z = operand(vm, args, 0);
  const bool is_complex = rt::is_complex(z.dtype());
  rt::Array result;
  if (is_complex) {
    result =
        apply_in(vm, args, rt::Row::arctan2,
                 {apply_in(vm, args, rt::Row::imag, {z}), apply_in(vm, args, rt::Row::real, {z})});
  } else {
    result = apply_in(vm, args, rt::Row::arctan2, {rt::Operand(rt::Scalar::weak(int64_t{0})), z});
  }
  if (vm.truth(args[1])) {
    result = apply_in(vm, args, rt::Row::multiply,
                      {result, rt::Operand(rt::Scalar::weak(180 / std::numbers::pi))});
  }
  return wrap_result(vm, std::move(result));
}

Value conj(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  if (!rt::is_complex(array.dtype())) return args[0];
  return wrap_result(vm, ops::conjugate(vm, array));
}

Value isreal(Interpreter& vm, Args args) {
  const bool scalar = is_number(args[0]) && !as_generic(args[0]);
  if (scalar && namespace_or_numpy(args).is_numpy()) {
    const Complex* z = args[0].try_as<Complex>();
    return Value::boolean(!z || z->imag == 0);
  }
  const rt::Operand z = operand(vm, args, 0);
  const rt::Array imag =
      apply_in(vm, args, rt::Row::imag, {as_array(vm, z, fallback_space(vm, args))});
  return wrap_result(vm, ops::equal(vm, imag, rt::Scalar::weak(int64_t{0})));
}

Value iscomplex(Interpreter& vm, Args args) {
  const rt::Array z = array_argument(vm, args);
  return wrap_result(vm, ops::not_equal(vm, ops::imag(vm, z), rt::Scalar::weak(int64_t{0})));
}

Value isposinf(Interpreter& vm, Args args) {
  return wrap_result(vm, ops::equal(vm, array_argument(vm, args), rt::Scalar::weak(INFINITY)));
}

Value isneginf(Interpreter& vm, Args args) {
  return wrap_result(vm, ops::equal(vm, array_argument(vm, args), rt::Scalar::weak(-INFINITY)));
}

// --- two results ---------------------------------------------------------------------------------

// In the float that other functions of floats take the number for.
rt::Array as_floats(Interpreter& vm, const Args& args, const rt::Operand& x) {
  const rt::DType dtype =
      rt::resolve_loop(rt::ufunc(rt::Row::fabs), rt::Terms({&x, 1})).signature().out;
  return rt::astype(session(vm), as_array(vm, x, fallback_space(vm, args)), dtype,
                    rt::Casting::kUnsafe, false);
}

Value modf(Interpreter& vm, Args args) {
  const rt::Operand given = operand(vm, args, 0);
  if (rt::is_complex(given.dtype())) vm.raise_type_error("modf: complex numbers are not supported");
  const rt::Array x = as_floats(vm, args, given);
  const rt::Array whole = ops::trunc(vm, x);
  // Of an infinity nothing is left; infinities are not subtracted, which would tell of an event.
  const rt::Array known = ops::where(vm, ops::isinf(vm, x), rt::Scalar::weak(0.0), x);
  const rt::Array rest = ops::subtract(vm, known, ops::trunc(vm, known));
  return vm.tuple({wrap_result(vm, ops::copysign(vm, rest, x)), wrap_result(vm, whole)});
}

// --- cleaning ------------------------------------------------------------------------------------

rt::Scalar number_or(Interpreter& vm, const Value& value, double otherwise) {
  return rt::Scalar::weak(is_given(value) ? vm.to_real(value) : otherwise);
}

double largest(rt::DType dtype) {
  if (dtype.native() == rt::DType::kFloat16) return 65504;
  if (dtype == rt::DType::kBFloat16) return 0x1.fep127;
  const bool single = rt::real_type(dtype.native()) == rt::DType::kFloat32;
  return single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

// (x, copy, nan, posinf, neginf) for real numbers.
rt::Array finite(Interpreter& vm, const Args& args, const rt::Array& x) {
  const double top = largest(x.dtype());
  const rt::Array above = ops::equal(vm, x, rt::Scalar::weak(INFINITY));
  const rt::Array below = ops::equal(vm, x, rt::Scalar::weak(-INFINITY));
  rt::Array result = ops::where(vm, ops::isnan(vm, x), number_or(vm, args[2], 0), x);
  result = ops::where(vm, above, number_or(vm, args[3], top), result);
  return ops::where(vm, below, number_or(vm, args[4], -top), result);
}

Value nan_to_num(Interpreter& vm, Args args) {
  rt::Session& state = session(vm);
  const rt::Array x = array_argument(vm, args);
  const bool in_place = as_ndarray(args[0]) && !vm.truth(args[1]);
  if (!rt::is_inexact(x.dtype())) return in_place ? args[0] : wrap_result(vm, rt::copy(state, x));
  if (!in_place && rt::is_float(x.dtype())) return wrap_result(vm, finite(vm, args, x));
  const rt::Array result = in_place ? x : rt::copy(state, x);
  rt::write(state, rt::real_part(result), finite(vm, args, rt::real_part(x)));
  if (rt::is_complex(x.dtype())) {
    rt::write(state, rt::imag_part(state, result), finite(vm, args, rt::imag_part(state, x)));
  }
  return in_place ? args[0] : wrap_result(vm, result);
}

constexpr char kReal[] = "real";
constexpr char kImag[] = "imag";

const Native kFunctions[] = {
    {"clip", "(a, a_min=<no value>, a_max=<no value>, out=None, *, min=<no value>, max=<no value>)",
     clip, "Elements limited to an interval."},
    {"round", "(a, decimals=0, out=None)", round, "Rounded to decimals, half to even."},
    {"around", "(a, decimals=0, out=None)", round, "As round."},
    {"where", "(condition, x=<no value>, y=<no value>, /)", where,
     "x where the condition is true, else y; with the condition alone, where it is true."},
    {"real", "(val)", part<kReal>, "The real part."},
    {"imag", "(val)", part<kImag>, "The imaginary part."},
    {"angle", "(z, deg=False)", angle, "The angle of complex numbers."},
    {"isreal", "(x)", isreal, "Where the imaginary part is 0."},
    {"iscomplex", "(x)", iscomplex, "Where the imaginary part is not 0."},
    {"isposinf", "(x, out=None)", isposinf, "Where elements are inf."},
    {"isneginf", "(x, out=None)", isneginf, "Where elements are -inf."},
    {"modf", "(x, /)", modf, "The fractional and the whole part."},
    {"nan_to_num", "(x, copy=True, nan=0.0, posinf=None, neginf=None)", nan_to_num,
     "With numbers in place of nan and infinities."},
};
const Native kMethods[] = {
    {"clip", "(self, min=<no value>, max=<no value>, out=None)",
     [](Interpreter& vm, Args args) {
       const Value slots[] = {args[0], args[1], args[2], args[3], Value(), Value()};
       return clip(vm, Args(slots, 6, args.callee()));
     },
     "Elements limited to an interval."},
    {"round", "(self, decimals=0, out=None)", round, "Rounded to decimals, half to even."},
    {"conj", "(self)", conj, "The complex conjugate."},
    {"conjugate", "(self)", conj, "The complex conjugate."},
};

}  // namespace

Family elementwise_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
