#include "runtime/ops/products.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

constexpr const char* kMatmul = "gufunc signature (n?,k),(k,m?)->(n?,m?)";

struct Pair {
  Array a, b;
  DType dtype;
  Space space;
};

Pair same_type(Session& session, const Array& a, const Array& b) {
  const Operand operands[] = {a, b};
  const DType dtype = result_type(operands);
  const Space space = common_space(operands, a.space());
  return {astype(session, to_space(session, a.as_array(), space), dtype, Casting::kUnsafe, false),
          astype(session, to_space(session, b.as_array(), space), dtype, Casting::kUnsafe, false),
          dtype, space};
}

// A library takes a matrix one of whose strides is one element and whose other one is no smaller
// than the extent across; anything else is copied.
bool library_takes(int64_t rows, int64_t cols, int64_t row, int64_t col, int64_t item) {
  if (row % item != 0 || col % item != 0) return false;
  const bool by_rows = (col == item || cols == 1) && (row >= cols * item || rows == 1);
  const bool by_cols = (row == item || rows == 1) && (col >= rows * item || cols == 1);
  return by_rows || by_cols;
}

bool library_takes(const Array& array) {
  const int last = array.rank() - 1;
  return library_takes(array.shape()[last - 1], array.shape()[last], array.strides()[last - 1],
                       array.strides()[last], array.item_size());
}

// An axis of one element may have any stride; libraries want a plausible one.
template <class Data> BasicMatrixView<Data> plausible(BasicMatrixView<Data> view) {
  if (view.cols == 1 && view.row_stride != 1) view.col_stride = 1;
  if (view.rows == 1 && view.col_stride != 1) view.row_stride = 1;
  if (view.rows == 1 && view.col_stride == 1) view.row_stride = std::max<int64_t>(view.cols, 1);
  if (view.cols == 1 && view.row_stride == 1) view.col_stride = std::max<int64_t>(view.rows, 1);
  return view;
}

template <class Data> BasicMatrixView<Data> matrix_view(const Array& array, Data* data) {
  const int rank = array.rank();
  const int64_t item = array.item_size();
  BasicMatrixView<Data> view{data, array.shape()[rank - 2], array.shape()[rank - 1],
                             array.strides()[rank - 2] / item, array.strides()[rank - 1] / item};
  return plausible(view);
}

Dims batch_shape(const Array& array) { return Dims(array.shape().span().first(array.rank() - 2)); }

// `array` with its leading axes broadcast to `batch`; the last two stay.
Array with_batch(const Array& array, const Dims& batch) {
  Dims shape = batch;
  shape.push_back(array.shape()[array.rank() - 2]);
  shape.push_back(array.shape()[array.rank() - 1]);
  return broadcast_to(array, shape);
}

// c[..., i, j] = combine over k of a[..., i, k] and b[..., k, j]: a fused reduction over a product
// that is never stored. For types that no library multiplies.
Array multiply_and_reduce(Session& session, const Array& a, const Array& b, DType dtype) {
  const int rank = a.rank();
  const int64_t after[] = {rank - 1};
  const int64_t before[] = {rank - 2};
  const Array rows = expand_dims(a, after);                      // (..., n, 1, k)
  const Array cols = expand_dims(swap_axes(b, -1, -2), before);  // (..., 1, m, k)
  const bool truth = dtype == DType::kBool;
  const Array product = (truth ? ops::logical_and : ops::multiply)(session, rows, cols);
  ReduceOptions options;
  options.axes = {-1};
  options.dtype = dtype;
  return reduce(session, truth ? Fold::logical_or : Fold::add, product, options);
}

// An axis of a stack of products: its extent, and how many bytes matrices are apart along it.
struct StackAxis {
  int64_t extent;
  std::array<int64_t, 3> steps;  // of a, b and c

  // Whether this axis and `inner`, the next one, are a single axis in all three.
  bool continues_in(const StackAxis& inner) const {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i] != inner.extent * inner.steps[i]) return false;
    }
    return true;
  }
};

// At least one axis; as few as the strides allow.
std::vector<StackAxis> stack_axes(const Array& a, const Array& b, const Array& c) {
  std::vector<StackAxis> axes;
  for (int axis = 0; axis < c.rank() - 2; ++axis) {
    const StackAxis next{c.shape()[axis],
                         {a.strides()[axis], b.strides()[axis], c.strides()[axis]}};
    if (next.extent == 1) continue;
    if (!axes.empty() && axes.back().continues_in(next)) {
      axes.back() = {axes.back().extent * next.extent, next.steps};
    } else {
      axes.push_back(next);
    }
  }
  if (axes.empty()) axes.push_back({1, {0, 0, 0}});
  return axes;
}

// Products of stacks: one library call for the last of the stack's axes.
void run_gemm(Session& session, DType dtype, const Array& a, const Array& b, const Array& c,
              Place place) {
  Linalg& linalg = session.runtime().linalg(place, LinalgPart::kProducts);
  Backend& backend = session.backend(place);
  const RecordedWorkOf records(session, c.space());
  const ReadAccess read_a(session, a, place), read_b(session, b, place);
  const WriteAccess write_c(session, c, place);
  std::vector<StackAxis> outer = stack_axes(a, b, c);
  const StackAxis last = outer.back();
  outer.pop_back();
  const int64_t item = c.item_size();
  int64_t count = 1;
  for (const StackAxis& axis : outer) count *= axis.extent;
  const InterruptScope scope(session.interrupt);
  for (int64_t n = 0; n < count; ++n) {
    std::array<int64_t, 3> at = {0, 0, 0};
    int64_t rest = n;
    for (size_t i = outer.size(); i-- > 0; rest /= outer[i].extent) {
      const int64_t index = rest % outer[i].extent;
      for (size_t each = 0; each < at.size(); ++each) at[each] += index * outer[i].steps[each];
    }
    const auto multiply = [&linalg, &backend, dtype, last, item,
                           each_a = matrix_view<const void>(a, read_a.data() + at[0]),
                           each_b = matrix_view<const void>(b, read_b.data() + at[1]),
                           each_c = matrix_view<void>(c, write_c.data() + at[2])] {
      linalg.gemm(dtype, each_a, each_b, each_c, last.extent, last.steps[0] / item,
                  last.steps[1] / item, last.steps[2] / item);
      ++backend.counters.library_calls;
    };
    if (recording()) record(multiply);
    else multiply();
  }
}

// Both of rank 2 or more, of one dtype and space.
Array stacked_product(Session& session, Array a, Array b, DType dtype, Space space) {
  const Dims batch_a = batch_shape(a), batch_b = batch_shape(b);
  const std::span<const int64_t> shapes[] = {batch_a.span(), batch_b.span()};
  const Dims batch = broadcast_shapes(shapes);
  const Place place = session.place_of(space);
  Dims shape = batch;
  shape.push_back(a.shape()[a.rank() - 2]);
  shape.push_back(b.shape()[b.rank() - 1]);
  if (element_count(shape) == 0 || a.shape()[a.rank() - 1] == 0) {
    return full(session, shape, Scalar(false), dtype, space);
  }
  if (!session.backend(place).linalg().supports_gemm(dtype)) {
    return multiply_and_reduce(session, with_batch(a, batch), with_batch(b, batch), dtype);
  }
  if (!library_takes(a)) a = copy(session, a, 'C');
  if (!library_takes(b)) b = copy(session, b, 'C');
  const Array c = make_empty(session, dtype, shape, space);
  run_gemm(session, dtype, with_batch(a, batch), with_batch(b, batch), c, place);
  return c;
}

void need_axes(const Array& array, int operand) {
  if (array.rank() > 0) return;
  fail(ErrorKind::kValue,
       "matmul: Input operand {} does not have enough dimensions (has 0, gufunc core with "
       "signature (n?,k),(k,m?)->(n?,m?) requires 1)",
       operand);
}

Array drop_axis(const Array& array, int64_t axis) {
  const int64_t axes[] = {axis};
  return squeeze(array, axes);
}

Array add_axis(const Array& array, int64_t axis) {
  const int64_t axes[] = {axis};
  return expand_dims(array, axes);
}

// The host's view of a matrix, or of a vector as a row or a column; nothing where the content is
// not ready or the library does not take it.
std::optional<ConstMatrixView> view_at_hand(const Array& array, bool as_row) {
  const std::byte* const data = try_elements(array);
  if (!data) return std::nullopt;
  const int64_t item = array.item_size(), first = array.shape()[0], step = array.strides()[0];
  int64_t rows = first, cols = 1, row = step, col = item;
  if (array.rank() == 2) {
    cols = array.shape()[1];
    col = array.strides()[1];
  } else if (as_row) {
    std::swap(rows, cols);
    std::swap(row, col);
  }
  if (rows == 0 || cols == 0 || !library_takes(rows, cols, row, col, item)) return std::nullopt;
  return plausible<const void>({data, rows, cols, row / item, col / item});
}

// The product of ready host vectors and matrices that the library takes as they are.
std::optional<Array> try_product_at_once(Session& session, const Array& first,
                                         const Array& second) {
  const int rank_a = first.rank(), rank_b = second.rank();
  if (first.dtype() != second.dtype() || rank_a < 1 || rank_a > 2 || rank_b < 1 || rank_b > 2) {
    return std::nullopt;
  }
  const auto a = view_at_hand(first, true);
  const auto b = view_at_hand(second, false);
  if (!a || !b || a->cols != b->rows) return std::nullopt;
  Dims shape;
  if (rank_a == 2) shape.push_back(a->rows);
  if (rank_b == 2) shape.push_back(b->cols);
  return make_filled(session, first.dtype(), shape, Space::host(), [&](std::byte* memory) {
    const MatrixView result = plausible<void>({memory, a->rows, b->cols, b->cols, 1});
    Backend& backend = session.backend(kHostPlace);
    const InterruptScope scope(session.interrupt);
    backend.linalg().gemm(first.dtype(), *a, *b, result, 1, 0, 0, 0);
    ++backend.counters.library_calls;
  });
}

}  // namespace

Array matmul(Session& session, const Array& first, const Array& second) {
  need_axes(first, 0);
  need_axes(second, 1);
  if (auto done = try_product_at_once(session, first, second)) return *std::move(done);
  const Pair pair = same_type(session, first, second);
  const bool row = pair.a.rank() == 1, col = pair.b.rank() == 1;
  const Array a = row ? add_axis(pair.a, 0) : pair.a;
  const Array b = col ? add_axis(pair.b, 1) : pair.b;
  const int64_t k = a.shape()[a.rank() - 1], other = b.shape()[b.rank() - 2];
  if (k != other) {
    fail(ErrorKind::kValue,
         "matmul: Input operand 1 has a mismatch in its core dimension 0, with {} (size {} is "
         "different from {})",
         kMatmul, other, k);
  }
  Array c = stacked_product(session, a, b, pair.dtype, pair.space);
  if (row) c = drop_axis(c, -1 - !col);
  if (col) c = drop_axis(c, -1);
  return c;
}

Array dot(Session& session, const Array& first, const Array& second) {
  if (first.rank() == 0 || second.rank() == 0) {
    return ops::multiply(session, first, second);
  }
  if (auto done = try_product_at_once(session, first, second)) return *std::move(done);
  const Pair pair = same_type(session, first, second);
  const int64_t axis = pair.b.rank() == 1 ? 0 : pair.b.rank() - 2;
  const int64_t k = pair.a.shape().back(), other = pair.b.shape()[axis];
  if (k != other) {
    fail(ErrorKind::kValue, "shapes {} and {} not aligned: {} (dim {}) != {} (dim {})",
         shape_text(first.shape()), shape_text(second.shape()), k, first.rank() - 1, other, axis);
  }
  if (pair.a.rank() + pair.b.rank() - 2 > kMaxRank) {
    fail(ErrorKind::kValue, "dot: too many dimensions in result");
  }
  // (M, k) @ (k, N): all other axes of each operand made one.
  const int64_t from[] = {axis}, to[] = {0};
  Dims shape(pair.a.shape().span().first(pair.a.rank() - 1));
  const int64_t rows[] = {element_count(shape), k};
  const Array b_first = move_axes(pair.b, from, to);
  for (int i = 1; i < b_first.rank(); ++i) shape.push_back(b_first.shape()[i]);
  const int64_t cols[] = {k, element_count(b_first.shape().span().subspan(1))};
  const Array a2 = pair.a.rank() == 2 ? pair.a : reshape(session, pair.a, rows);
  const Array b2 = b_first.rank() == 2 ? b_first : reshape(session, b_first, cols);
  return reshape(session, stacked_product(session, a2, b2, pair.dtype, pair.space), shape);
}

Array vdot(Session& session, const Array& a, const Array& b) {
  if (a.size() != b.size()) {
    fail(ErrorKind::kValue, "cannot reshape array of size {} into shape ({},)", b.size(), a.size());
  }
  const Array x = ravel(session, a);
  return dot(session, is_complex(x.dtype()) ? ops::conjugate(session, x) : x, ravel(session, b));
}

Array inner(Session& session, const Array& a, const Array& b) {
  if (a.rank() == 0 || b.rank() == 0) return ops::multiply(session, a, b);
  if (a.shape().back() != b.shape().back()) {
    fail(ErrorKind::kValue, "shapes {} and {} not aligned: {} (dim {}) != {} (dim {})",
         shape_text(a.shape()), shape_text(b.shape()), a.shape().back(), a.rank() - 1,
         b.shape().back(), std::max(b.rank() - 2, 0));
  }
  if (b.rank() == 1) return dot(session, a, b);
  const int64_t from[] = {b.rank() - 1}, to[] = {b.rank() - 2};
  return dot(session, a, move_axes(b, from, to));
}

Array outer(Session& session, const Array& a, const Array& b) {
  return ops::multiply(session, add_axis(ravel(session, a), 1), add_axis(ravel(session, b), 0));
}

Array trace(Session& session, const Array& array, int64_t offset, int64_t axis1, int64_t axis2,
            std::optional<DType> dtype) {
  ReduceOptions options;
  options.axes = {-1};
  options.dtype = dtype;
  return reduce(session, Fold::add, diagonal(array, offset, axis1, axis2), options);
}

namespace {

// Sliding windows of `window` along the last axes: overlapping views of a padded copy.
Array windows(const Array& padded, const Dims& window) {
  Layout out = padded.layout();
  const int rank = padded.rank();
  for (int i = 0; i < rank; ++i) {
    out.shape[i] = padded.shape()[i] - window[i] + 1;
  }
  for (int i = 0; i < rank; ++i) {
    out.shape.push_back(window[i]);
    out.strides.push_back(padded.strides()[i]);
  }
  return padded.with_layout(std::move(out)).read_only();
}

// `array` in the middle of zeros, `margin` on each side of each axis.
Array pad_zeros(Session& session, const Array& array, const Dims& margin) {
  Dims shape = array.shape();
  for (int i = 0; i < shape.size(); ++i) {
    shape[i] = checked_sum(shape[i], checked_product(2, margin[i]));
  }
  const Array out = full(session, shape, Scalar(false), array.dtype(), array.space());
  evaluate(session, *out.value());
  Layout middle{array.dtype(), array.shape(), out.strides(), out.offset()};
  for (int i = 0; i < shape.size(); ++i) middle.offset += margin[i] * out.strides()[i];
  write(session, out.with_layout(std::move(middle)), array);
  return out;
}

// True where a zero times each element is zero.
bool is_all_finite(Session& session, const Array& array) {
  if (!is_inexact(array.dtype())) return true;
  const Array finite = ops::isfinite(session, array, array.space());
  return item(session, reduce(session, Fold::logical_and, finite, {})).truth();
}

// The values beside the array: NumPy's convolve takes no product there, SciPy's one with zero.
enum class Beyond { kNothing, kZeros };

// Full convolution over all axes: a fused product and sum over windows, never stored.
Array full_convolution(Session& session, const Array& a, const Array& v, Beyond beyond) {
  Dims margin = v.shape();
  for (int64_t& each : margin) --each;
  std::vector<int64_t> all, window_axes;
  for (int i = 0; i < v.rank(); ++i) {
    all.push_back(i);
    window_axes.push_back(a.rank() + i);
  }
  const Array seen = windows(pad_zeros(session, a, margin), v.shape());
  ReduceOptions options;
  options.axes = window_axes;
  options.dtype = a.dtype();
  if (a.dtype() == DType::kBool) {
    return reduce(session, Fold::logical_or, ops::logical_and(session, seen, flip(v, all)),
                  options);
  }
  Array products = ops::multiply(session, seen, flip(v, all));
  if (beyond == Beyond::kNothing && !is_all_finite(session, v)) {
    const Array there = full(session, a.shape(), Scalar(true), DType::kBool, a.space());
    const Array inside = windows(pad_zeros(session, there, margin), v.shape());
    products = ops::where(session, inside, products, Scalar::of(a.dtype(), int64_t{0}));
  }
  return reduce(session, Fold::add, products, options);
}

// The convolution of vectors as a product of one row and a matrix whose rows overlap in memory:
// each sum in the order of the taps.
Array row_convolution(Session& session, const Array& a, const Array& v) {
  const int64_t taps = v.size(), count = checked_sum(a.size(), taps - 1);
  const Array padded = pad_zeros(session, a, {taps - 1});
  const std::vector<int64_t> all{0};
  const Array weights = copy(session, flip(v, all), 'C');
  const Array out = make_empty(session, a.dtype(), {count}, a.space());
  const Place place = session.place_of(a.space());
  const ReadAccess read_weights(session, weights, place), read_values(session, padded, place);
  const WriteAccess sums(session, out, place);
  const InterruptScope scope(session.interrupt);
  session.backend(place).linalg().gemm(a.dtype(), {read_weights.data(), 1, taps, taps, 1},
                                       {read_values.data(), taps, count, 1, 1},
                                       {sums.data(), 1, count, count, 1}, 1, 0, 0, 0);
  return out;
}

bool by_rows(Session& session, const Array& a, const Array& v, Beyond beyond) {
  return a.rank() == 1 && a.dtype() != DType::kBool && session.place_of(a.space()) == kHostPlace &&
         !recording_queue(session, a.space()) &&
         (beyond == Beyond::kZeros || is_all_finite(session, v));
}

Array cut(const Array& full, const Dims& start, const Dims& shape) {
  Layout out = full.layout();
  for (int i = 0; i < full.rank(); ++i) out.offset += start[i] * out.strides[i];
  out.shape = shape;
  return full.with_layout(std::move(out));
}

Array convolved(Session& session, const Array& a, const Array& v, ConvolveMode mode,
                const Dims& same_shape, Beyond beyond) {
  Dims whole(a.rank(), 0), start(a.rank(), 0), shape = same_shape;
  for (int i = 0; i < a.rank(); ++i) {
    const int64_t small = std::min(a.shape()[i], v.shape()[i]);
    const int64_t large = std::max(a.shape()[i], v.shape()[i]);
    whole[i] = std::max<int64_t>(checked_sum(small, large) - 1, 0);
    if (mode == ConvolveMode::kFull) shape[i] = whole[i];
    if (mode == ConvolveMode::kValid) shape[i] = large - small + 1;
    start[i] = (whole[i] - shape[i]) / 2;
  }
  if (a.size() == 0 || v.size() == 0)
    return full(session, shape, Scalar(false), a.dtype(), a.space());
  const Array sums = by_rows(session, a, v, beyond) ? row_convolution(session, a, v)
                                                    : full_convolution(session, a, v, beyond);
  return mode == ConvolveMode::kFull ? sums : cut(sums, start, shape);
}

}  // namespace

Array convolve(Session& session, const Array& first, const Array& second, ConvolveMode mode) {
  if (first.rank() > 1 || second.rank() > 1)
    fail(ErrorKind::kValue, "object too deep for desired array");
  if (first.size() == 0) fail(ErrorKind::kValue, "a cannot be empty");
  if (second.size() == 0) fail(ErrorKind::kValue, "v cannot be empty");
  Pair pair = same_type(session, ravel(session, first), ravel(session, second));
  if (pair.b.size() > pair.a.size()) std::swap(pair.a, pair.b);
  return convolved(session, pair.a, pair.b, mode, pair.a.shape(), Beyond::kNothing);
}

Array convolve2d(Session& session, const Array& first, const Array& second, ConvolveMode mode) {
  if (first.rank() != 2 || second.rank() != 2) {
    fail(ErrorKind::kValue, "convolve2d inputs must both be 2-D arrays");
  }
  Pair pair = same_type(session, first, second);
  const Dims same = pair.a.shape();
  const bool smaller =
      pair.a.shape()[0] < pair.b.shape()[0] && pair.a.shape()[1] < pair.b.shape()[1];
  if (mode == ConvolveMode::kValid) {
    const bool fits =
        (pair.a.shape()[0] >= pair.b.shape()[0]) == (pair.a.shape()[1] >= pair.b.shape()[1]);
    if (!fits && !smaller) {
      fail(ErrorKind::kValue,
           "For 'valid' mode, one must be at least as large as the other in every dimension");
    }
  }
  if (smaller) std::swap(pair.a, pair.b);
  return convolved(session, pair.a, pair.b, mode, same, Beyond::kZeros);
}

}  // namespace gpy::rt
