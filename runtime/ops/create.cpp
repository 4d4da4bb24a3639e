#include "runtime/ops/create.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/recording.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

namespace {

Dims strides_for(const Dims& shape, DType dtype, char order) {
  return order == 'F' ? f_strides(shape, item_size(dtype)) : c_strides(shape, item_size(dtype));
}

NodeInput number(const Scalar& value) {
  NodeInput input;
  input.scalar = value;
  return input;
}

}  // namespace

Array full(Session& session, const Dims& shape, const Scalar& value, DType dtype, Space space,
           char order) {
  element_count(shape, item_size(dtype));
  if (space.is_host()) require_addressable(shape, dtype);
  if (space.is_host() && order == 'C') {
    if (auto done = try_fill_at_once(session, shape, value, dtype)) return *std::move(done);
  }
  const Dims strides = strides_for(shape, dtype, order);
  return make_cast(session, number(value), dtype, shape, space, &strides);
}

Array full(Session& session, const Dims& shape, const Scalar& value, DType dtype, Space space,
           const Dims& strides) {
  element_count(shape, item_size(dtype));
  if (space.is_host()) require_addressable(shape, dtype);
  return make_cast(session, number(value), dtype, shape, space, &strides);
}

Array empty(Session& session, const Dims& shape, DType dtype, Space space, char order) {
  return empty(session, shape, dtype, space, strides_for(shape, dtype, order));
}

Array empty(Session& session, const Dims& shape, DType dtype, Space space, const Dims& strides) {
  if (space.is_host()) require_addressable(shape, dtype);
  return make_empty(session, dtype, shape, space, &strides);
}

Array iota(Session& session, const Dims& shape, Space space) {
  if (space.is_host()) require_addressable(shape, DType::kInt64);
  if (space.is_host()) {
    if (auto done = try_count_at_once(session, shape)) return *std::move(done);
  }
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::kIota;
  return make_map(session, std::move(node), DType::kInt64, shape, space);
}

namespace {

// start + i * delta in `dtype`; the arithmetic is NumPy's fill.
Array ramp(Session& session, int64_t count, const Scalar& start, const Scalar& delta, DType dtype,
           Space space) {
  const Array index = iota(session, Dims{count}, space);
  const DType work =
      kind(dtype) == DTypeKind::kFloat && dtype != DType::kFloat64 ? DType::kFloat64 : dtype;
  const Array i = astype(session, index, work, Casting::kUnsafe, false);
  const bool counts = !is_complex(dtype) && delta.as_double() == 1 && start.as_double() == 0;
  // What waits for a GPU keeps its numbers, so that one kernel serves all ranges.
  if (counts && (space.is_host() || !index.value()->pending())) {
    return astype(session, i, dtype, Casting::kUnsafe, false);
  }
  const Array scaled = ops::multiply(session, i, delta.cast(work));
  const Array moved = ops::add(session, scaled, start.cast(work));
  const Array made = astype(session, moved, dtype, Casting::kUnsafe, false);
  const bool holds = dtype == DType::kInt64 ||
                     (dtype == DType::kInt32 && count <= std::numeric_limits<int32_t>::max());
  if (counts && holds && count > 0) {  // indices, at which a device would have to look
    Facts facts(made);
    facts.remember_range({0, count - 1});
    facts.remember_rising();
  }
  return made;
}

__int128 whole_number(const Scalar& number) {
  const bool large = number.dtype() == DType::kUInt64;
  return large ? __int128{number.as_unsigned()} : __int128{number.as_int()};
}

int64_t range_count(const Scalar& start, const Scalar& stop, const Scalar& step) {
  const bool whole =
      !is_inexact(start.dtype()) && !is_inexact(stop.dtype()) && !is_inexact(step.dtype());
  if (whole) {
    const __int128 by = whole_number(step);
    if (by == 0) fail(ErrorKind::kZeroDivision, "division by zero");
    const __int128 span = whole_number(stop) - whole_number(start);
    const __int128 steps = by > 0 ? (span + by - 1) / by : (span + by + 1) / by;
    if (steps > INT64_MAX) fail(ErrorKind::kValue, "Maximum allowed size exceeded");
    return steps > 0 ? static_cast<int64_t>(steps) : 0;
  }
  const double by = step.as_double();
  if (by == 0) fail(ErrorKind::kZeroDivision, "float division by zero");
  const double span = stop.as_double() - start.as_double(), exact = span / by;
  if (exact == 0 && span != 0) return std::signbit(exact) ? 0 : 1;  // the start, and a far step
  const double steps = std::ceil(exact);
  if (std::isnan(steps)) fail(ErrorKind::kValue, "arange: cannot compute length");
  if (steps > 9.2e18) fail(ErrorKind::kValue, "Maximum allowed size exceeded");
  return steps > 0 ? static_cast<int64_t>(steps) : 0;
}

Scalar difference(const Scalar& a, const Scalar& b, DType dtype) {
  if (is_inexact(dtype)) return Scalar::of(dtype, a.as_double() - b.as_double());
  return Scalar::of(dtype, a.as_int() - b.as_int());
}

Scalar sum(const Scalar& a, const Scalar& b, DType dtype) {
  if (is_inexact(dtype) || is_inexact(a.dtype()) || is_inexact(b.dtype())) {
    return Scalar::weak(a.as_double() + b.as_double());
  }
  return Scalar::weak(static_cast<int64_t>(a.as_unsigned() + b.as_unsigned()));
}

}  // namespace

Array arange(Session& session, const Scalar& start, const Scalar& stop, const Scalar& step,
             DType dtype, Space space) {
  const int64_t count = range_count(start, stop, step);
  // NumPy writes the first two elements as the dtype and goes on by their difference.
  const Scalar first = start.cast(dtype);
  const Scalar second = sum(start, step, dtype).cast(dtype);
  const Scalar delta =
      difference(second, first, is_integer(dtype) || dtype == DType::kBool ? DType::kInt64 : dtype);
  if (count == 1 && is_inexact(dtype)) return full(session, {1}, first, dtype, space);
  const Array result = ramp(session, count, first, delta, dtype, space);
  const bool whole =
      is_integer(start.dtype()) && is_integer(step.dtype()) && dtype == DType::kInt64;
  if (whole && count > 0) {
    const int64_t low = first.as_int(), high = low + (count - 1) * delta.as_int();
    Facts facts(result);
    facts.remember_range(std::minmax(low, high));
    facts.remember_distinct();
  }
  return result;
}

Array linspace(Session& session, double start, double stop, int64_t count, bool endpoint,
               DType dtype, Space space) {
  if (count < 0) {
    fail(ErrorKind::kValue, "Number of samples, {}, must be non-negative.", count);
  }
  const int64_t parts = endpoint ? count - 1 : count;
  const double delta = stop - start;
  const Array index =
      astype(session, iota(session, Dims{count}, space), DType::kFloat64, Casting::kUnsafe, false);
  Array y = index;
  if (parts > 0) {
    const double step = delta / static_cast<double>(parts);
    if (step == 0 && delta != 0) {
      y = ops::divide(session, y, Scalar::of(DType::kFloat64, static_cast<double>(parts)));
      y = ops::multiply(session, y, Scalar::of(DType::kFloat64, delta));
    } else {
      y = ops::multiply(session, y, Scalar::of(DType::kFloat64, step));
    }
  } else {
    y = ops::multiply(session, y, Scalar::of(DType::kFloat64, delta));
  }
  y = ops::add(session, y, Scalar::of(DType::kFloat64, start));
  if (endpoint && count > 1) {
    // The last element is `stop` itself, whatever rounding did.
    const Array last =
        ops::equal(session, index, Scalar::of(DType::kFloat64, static_cast<double>(count - 1)));
    y = ops::where(session, last, Scalar::of(DType::kFloat64, stop), y);
  }
  if (is_integer(dtype)) y = ops::floor(session, y);
  return astype(session, y, dtype, Casting::kUnsafe, false);
}

Array eye(Session& session, int64_t rows, int64_t cols, int64_t diagonal, DType dtype,
          Space space) {
  const Array index = iota(session, Dims{rows, cols}, space);
  const int64_t width = std::max<int64_t>(cols, 1);
  const Array row = ops::floor_divide(session, index, Scalar::of(DType::kInt64, width));
  const Array col = ops::remainder(session, index, Scalar::of(DType::kInt64, width));
  const Array at = ops::add(session, row, Scalar::of(DType::kInt64, diagonal));
  return astype(session, ops::equal(session, at, col), dtype, Casting::kUnsafe, false);
}

Array from_host(Session& session, DType dtype, const Dims& shape, const void* data, Space space) {
  const int64_t bytes = element_count(shape, item_size(dtype)) * item_size(dtype);
  require_content(session, space);
  return make_filled(session, dtype, shape, space, [&](std::byte* memory) {
    const InterruptScope scope(session.interrupt);
    if (bytes > 0) session.backend(session.place_of(space)).upload(memory, data, bytes);
  });
}

// Memory that somebody outside writes, or a graph does, is not shared as a value.
static Array in_same_place(Session& session, const Array& array, Space space) {
  const bool own = array.storage().lent() || is_recorded(array);
  const Array source = own ? copy(session, array) : array;
  return Array(make_ref<Storage>(source.value()), source.layout(), space);
}

Array to_space(Session& session, const Array& array, Space space) {
  if (array.space() == space) return array;
  // What goes to the host or comes from there is a content.
  if (space.is_host()) require_content(session, array.space());
  if (array.space().is_host()) require_content(session, space);
  const Place from = session.place_of(array.space());
  const Place to = session.place_of(space);
  if (from == to) return in_same_place(session, array, space);
  // A value read in another place keeps its copy there: moving the same array twice is one copy.
  const auto [low, high] = byte_range(array.layout());
  const bool whole = high - low == static_cast<int64_t>(array.storage().bytes());
  const Array source = whole && !array.storage().lent() ? array : copy(session, array);
  const Ref<Value> value = source.value();
  ready_at(session, *value, to);
  return Array(make_ref<Storage>(value), source.layout(), space);
}

Array copy_here(Session& session, const Array& array, char order) {
  const bool is_elsewhere =
      array.space().is_device() && array.space().device != session.current_device;
  if (!is_elsewhere) return copy(session, array, order);
  const bool lies_right = is_c_contiguous(array.layout()) && order != 'F';
  return to_space(session, lies_right ? array : copy(session, array, order),
                  session.device_space());
}

Scalar item(Session& session, const Array& array) {
  if (array.size() != 1) {
    fail(ErrorKind::kValue, "can only convert an array of size 1 to a Python scalar");
  }
  require_content(session, array.space());
  const Place place = session.place_of(array.space());
  const Ref<Value> value = array.value();
  if (place == kHostPlace || value->valid_at(kHostPlace)) {
    return Scalar::load(array.dtype(), HostRead(session, array).data());
  }
  const Buffer& buffer = ready_at(session, *value, place);
  std::byte bytes[16];
  session.backend(place).download(
      bytes, static_cast<const std::byte*>(buffer.data()) + array.offset(), array.item_size());
  return Scalar::load(array.dtype(), bytes);
}

}  // namespace gpy::rt
