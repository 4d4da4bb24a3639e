#include "runtime/ops/reduce.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/events.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

std::bitset<kMaxRank> reduced_axes(const std::optional<std::vector<int64_t>>& axes, int rank) {
  std::bitset<kMaxRank> set;
  if (!axes) {
    for (int i = 0; i < rank; ++i) set.set(i);
    return set;
  }
  for (int64_t axis : *axes) {
    // A number alone may be reduced along its only imaginable axis, as in NumPy.
    if (rank == 0 && axes->size() == 1 && (axis == 0 || axis == -1)) return set;
    const int at = normalize_axis(axis, rank);
    if (set[at]) fail(ErrorKind::kValue, "duplicate value in 'axis'");
    set.set(at);
  }
  return set;
}

namespace {

using Axes = std::bitset<kMaxRank>;

Axes axes_of(const Array& array, const std::optional<std::vector<int64_t>>& axes) {
  return reduced_axes(axes, array.rank());
}

Dims kept_shape(const Array& array, const Axes& axes, bool keepdims) {
  Dims shape;
  for (int i = 0; i < array.rank(); ++i) {
    if (!axes[i]) {
      shape.push_back(array.shape()[i]);
    } else if (keepdims) {
      shape.push_back(1);
    }
  }
  return shape;
}

int64_t reduced_count(const Array& array, const Axes& axes) {
  int64_t count = 1;
  for (int i = 0; i < array.rank(); ++i) {
    if (axes[i]) count *= array.shape()[i];
  }
  return count;
}

uint16_t loop_for(const Reduction& reduction, DType dtype) {
  for (size_t i = 0; i < reduction.loops.size(); ++i) {
    if (reduction.loops[i].in == dtype.native()) return static_cast<uint16_t>(i);
  }
  // Bools are no numbers to gcd and lcm, whose loops are all of integers.
  const bool refused = dtype == DType::kBool && is_integer(reduction.loops.back().in);
  for (size_t i = 0; !refused && i < reduction.loops.size(); ++i) {
    if (can_cast(dtype, reduction.loops[i].in, Casting::kSafe)) return static_cast<uint16_t>(i);
  }
  fail(
      ErrorKind::kType,
      "ufunc '{}' not supported for the input types, and the inputs could not be safely coerced to "
      "any supported types according to the casting rule ''safe''",
      reduction.name);
}

// The dtype that NumPy accumulates in.
DType accumulated(const Reduction& reduction, DType dtype) {
  if (!reduction.widens) return dtype;
  if (dtype == DType::kBool || kind(dtype) == DTypeKind::kSigned) return DType::kInt64;
  return kind(dtype) == DTypeKind::kUnsigned ? DType::kUInt64 : dtype;
}

}  // namespace

void check_mask(const Array& array, const Operand& where) {
  if (!where.is_array()) return;
  const Dims& shape = where.array().shape();
  if (shape.size() > array.shape().size()) {
    fail(ErrorKind::kValue, "input operand has more dimensions than allowed by the axis remapping");
  }
  const Dims both = broadcast_shapes({{array.shape(), shape}});
  if (both == array.shape()) return;
  fail(ErrorKind::kValue,
       "non-broadcastable operand with shape {} doesn't match the broadcast shape {}",
       shape_text(array.shape()), shape_text(both));
}

DType reduced_type(const Reduction& reduction, DType dtype, std::optional<DType> wanted) {
  return reduction.loops[loop_for(reduction, wanted.value_or(accumulated(reduction, dtype)))].out;
}

namespace {

Array make_reduce(Session& session, const Reduction& reduction, const Array& input,
                  const Axes& axes) {
  const uint16_t loop = loop_for(reduction, input.dtype());
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::kReduce;
  node->op = reduction.id;
  node->loop = loop;
  node->input_count = 1;
  node->inputs[0] = make_input(input, input.shape());
  node->domain = input.shape();
  node->reduced = axes;
  const Dims shape = kept_shape(input, axes, false);
  const DType dtype = reduction.loops[loop].out;
  node->out = {dtype, shape, c_strides(shape, item_size(dtype)), 0};
  return make_node(session, std::move(node), input.space());
}

Array with_kept_axes(const Array& result, const Dims& shape) {
  return result.with_layout(
      {result.dtype(), shape, c_strides(shape, result.item_size()), result.offset()});
}

// Elements where the mask is false count as nothing: they become the identity.
Array mask_out(Session& session, const Reduction& reduction, const Array& array,
               const ReduceOptions& options) {
  check_mask(array, *options.where);
  const uint16_t loop = loop_for(reduction, array.dtype());
  const DType dtype = reduction.loops[loop].in;
  Scalar nothing;
  if (reduction.has_identity) {
    nothing = identity_of(reduction, loop).cast(dtype);
  } else if (options.initial) {
    nothing = *options.initial;
  } else {
    fail(ErrorKind::kValue,
         "reduction operation '{}' does not have an identity, so to use a where mask one has to "
         "specify 'initial'",
         reduction.name);
  }
  const Array elements = astype(session, array, dtype, Casting::kUnsafe, false);
  return ops::where(session, *options.where, elements, nothing.cast(dtype), array.space());
}

Array store_out(Session& session, const Array& result, const Array* out) {
  if (!out) return result;
  if (!(out->shape() == result.shape())) {
    fail(ErrorKind::kValue,
         "output parameter for reduction operation has the wrong number of dimensions or shape: "
         "got {}, expected {}",
         shape_text(out->shape()), shape_text(result.shape()));
  }
  write(session, *out, result);
  return *out;
}

}  // namespace

Array reduce(Session& session, const Reduction& reduction, const Array& array,
             const ReduceOptions& options) {
  const Axes axes = axes_of(array, options.axes);
  const DType dtype = options.dtype.value_or(accumulated(reduction, array.dtype()));
  const bool all = axes.count() == static_cast<size_t>(array.rank());
  if (all && !options.where && !options.initial && !options.out && !options.keepdims) {
    if (auto number = try_reduce_at_once(session, reduction, array, dtype)) {
      return full(session, {}, *number, number->dtype(), array.space());
    }
  }
  Array input = astype(session, array.as_array(), dtype, Casting::kUnsafe, false);
  if (options.where) input = mask_out(session, reduction, input, options);
  if (!reduction.has_identity && !options.initial && reduced_count(input, axes) == 0) {
    fail(ErrorKind::kValue, "zero-size array to reduction operation {} which has no identity",
         reduction.name);
  }
  const bool nothing = !reduction.has_identity && reduced_count(input, axes) == 0;
  const Dims kept = kept_shape(input, axes, false);
  Array result = nothing ? full(session, kept, options.initial.value_or(Scalar(false)),
                                input.dtype(), input.space())
                         : make_reduce(session, reduction, input, axes);
  if (options.initial && !nothing) {
    const Operand both[] = {result, options.initial->cast(result.dtype())};
    result = apply(session, *reduction.ufunc, both, {}, input.space());
  }
  if (options.keepdims) result = with_kept_axes(result, kept_shape(input, axes, true));
  return store_out(session, result, options.out);
}

std::optional<Scalar> try_reduce_all(Session& session, const Reduction& reduction,
                                     const Array& array) {
  return try_reduce_at_once(session, reduction, array, accumulated(reduction, array.dtype()));
}

// Refuses sums that are not finite: their mean may raise other events than the sum.
std::optional<Scalar> try_mean_all(Session& session, const Array& array) {
  const bool whole = array.dtype() == DType::kInt64 || array.dtype() == DType::kBool;
  if (!whole && array.dtype() != DType::kFloat64) return std::nullopt;
  const auto total = try_reduce_at_once(session, reduction(Fold::add), array, DType::kFloat64);
  if (!total || !std::isfinite(total->float64())) return std::nullopt;
  return Scalar::strong(total->float64() / static_cast<double>(array.size()));
}

Array arg_reduce(Session& session, const Reduction& reduction, const Array& array,
                 std::optional<int64_t> axis, bool keepdims) {
  Axes axes = axes_of(array, std::nullopt);
  // A number alone may be searched along its only imaginable axis.
  if (axis && !(array.rank() == 0 && (*axis == 0 || *axis == -1))) {
    axes.reset();
    axes.set(normalize_axis(*axis, array.rank()));
  }
  if (reduced_count(array, axes) == 0) {
    fail(ErrorKind::kValue, "attempt to get {} of an empty sequence", reduction.name);
  }
  if (axes.count() == static_cast<size_t>(array.rank()) && !keepdims) {
    if (auto number = try_reduce_at_once(session, reduction, array, array.dtype())) {
      return full(session, {}, *number, number->dtype(), array.space());
    }
  }
  const Array result = make_reduce(session, reduction, array.as_array(), axes);
  return keepdims ? with_kept_axes(result, kept_shape(array, axes, true)) : result;
}

namespace {

int64_t divisor(const Array& array, const ReduceOptions& options) {
  for (int64_t axis : options.axes.value_or(std::vector<int64_t>())) {
    normalize_axis(axis, array.rank());
  }
  return reduced_count(array, axes_of(array, options.axes));
}

// The count of elements taken part, less the correction: a number, or an array under a mask.
Operand counted(Session& session, const Array& array, const ReduceOptions& options, double ddof,
                DType dtype) {
  if (!options.where) {
    const double count = std::max(static_cast<double>(divisor(array, options)) - ddof, 0.0);
    return Scalar::of(dtype, count);
  }
  const Array mask = options.where->is_array()
                         ? options.where->array()
                         : full(session, {}, options.where->scalar(), DType::kBool, array.space());
  ReduceOptions count_options;
  count_options.axes = options.axes;
  count_options.keepdims = options.keepdims;
  const Array whole = broadcast_to(mask, array.shape());
  const Array count = reduce(session, Fold::add, whole, count_options);
  const Array floating = astype(session, count, dtype);
  const Array freedom = ops::subtract(session, floating, Scalar::of(dtype, ddof));
  return ops::maximum(session, freedom, Scalar::of(dtype, 0.0));
}

DType mean_type(const Array& array, const ReduceOptions& options) {
  const DType dtype = options.dtype.value_or(array.dtype()).native();
  return options.dtype || is_inexact(dtype) ? dtype : DType::kFloat64;
}

// A number divided by no elements: NumPy does that as scalars do, and says so.
Array divided_by_nothing(Session& session, const Array& total, const Operand& count) {
  const double number = item(session, total).as_double();
  const int flags = std::isnan(number) ? 0 : number == 0 ? FE_INVALID : FE_DIVBYZERO;
  tell_events(session, flags, "scalar divide", {});
  const EventsIgnored ignored(session);
  const Array result = ops::divide(session, total, count);
  evaluate(session, *result.value());
  return result;
}

Array divide(Session& session, const Array& total, const Operand& count) {
  const bool nothing = !count.is_array() && count.scalar().as_double() == 0;
  const bool told = session.backend_of(total.space()).is_host() && is_float(total.dtype());
  if (nothing && told && total.rank() == 0) return divided_by_nothing(session, total, count);
  return ops::divide(session, total, count);
}

}  // namespace

Array mean(Session& session, const Array& array, const ReduceOptions& options) {
  const DType dtype = mean_type(array, options);
  ReduceOptions sum_options = options;
  // float16 sums overflow early: NumPy adds in float32 and rounds once.
  const bool narrow = is_narrow_float(dtype) && !options.dtype;
  const DType work = narrow ? DType::kFloat32 : dtype;
  sum_options.dtype = work;
  sum_options.out = nullptr;
  const Array total = reduce(session, Fold::add, array, sum_options);
  const DType divisor_type = is_inexact(work) ? work : DType::kFloat64;
  Array result = divide(session, total, counted(session, array, options, 0, divisor_type));
  if (result.dtype() != dtype) result = astype(session, result, dtype);
  return store_out(session, result, options.out);
}

Array variance(Session& session, const Array& array, const ReduceOptions& options, double ddof,
               bool root, const Array* known_mean) {
  const DType dtype = mean_type(array, options);
  const bool narrow = is_narrow_float(dtype) && !options.dtype;
  const DType work = narrow ? DType::kFloat32 : dtype;
  ReduceOptions kept = options;
  kept.keepdims = true;
  kept.dtype = work;
  kept.out = nullptr;
  const Array source = is_inexact(work)
                           ? astype(session, array.as_array(), work, Casting::kUnsafe, false)
                           : array.as_array();
  const Array center = known_mean ? *known_mean : mean(session, source, kept);
  const Array off = ops::subtract(session, source, center);
  Array square;
  if (is_complex(work)) {
    square = real_part(ops::multiply(session, off, ops::conjugate(session, off)));
  } else {
    square = ops::square(session, off);
  }
  ReduceOptions sum_options = options;
  sum_options.dtype = real_type(work);
  sum_options.out = nullptr;
  const Array total = reduce(session, Fold::add, square, sum_options);
  const DType given = options.dtype.value_or(real_type(dtype));
  const DType divisor_type = is_inexact(work) ? real_type(work) : DType::kFloat64;
  Array result = divide(session, total, counted(session, array, options, ddof, divisor_type));
  if (root) result = ops::sqrt(session, result);
  if (result.dtype() != given) result = astype(session, result, given);
  return store_out(session, result, options.out);
}

Array accumulate(Session& session, const Reduction& reduction, const Array& array,
                 std::optional<int64_t> axis, std::optional<DType> dtype, const Array* out) {
  if (!reduction.scans) fail(ErrorKind::kNotImplemented, "{} has no accumulate", reduction.name);
  const DType work = dtype.value_or(accumulated(reduction, array.dtype()));
  Array input = axis ? array.as_array() : ravel(session, array.as_array());
  if (input.rank() == 0) input = ravel(session, input);
  input = astype(session, input, work, Casting::kUnsafe, false);
  const int along = normalize_axis(axis.value_or(0), input.rank());
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::kScan;
  node->op = reduction.id;
  node->loop = loop_for(reduction, work);
  node->input_count = 1;
  node->inputs[0] = make_input(input, input.shape());
  node->domain = input.shape();
  node->reduced.set(along);
  const DType result_dtype = reduction.loops[node->loop].out;
  node->out = {result_dtype, input.shape(), c_strides(input.shape(), item_size(result_dtype)), 0};
  return store_out(session, make_node(session, std::move(node), input.space()), out);
}

}  // namespace gpy::rt
