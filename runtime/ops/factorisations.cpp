// solve, inv, det, cholesky, qr, svd: LAPACK's or cuSOLVER's work on column-major copies.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/linalg/small_inverses.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/matrix_stacks.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

void need_regular(const std::vector<int>& info) {
  for (size_t i = 0; i < info.size(); ++i) {
    if (info[i] == 0) continue;
    throw SingularError(static_cast<int64_t>(i), static_cast<int64_t>(info.size()), info[i] - 1);
  }
}

Array solve_columns(Session& session, const Array& a, const Array& b, DType result) {
  const DType dtype = working_type(session, result, a.space());
  const Array lu = column_copy(session, a, dtype);
  const Array x = column_copy(session, b, dtype);
  const int64_t count = element_count(batch_of(a));
  if (x.size() == 0) return astype(session, x, result);
  std::vector<int> info(count, 0);
  {
    const Work on_lu(session, lu), on_x(session, x);
    Routines(session, a.space())
        ->solve(dtype, extent(a, 1), extent(b, 1), on_lu.data(), on_x.data(), count, info.data());
  }
  need_accepted("solve", info);
  need_regular(info);
  return finished(session, x, result);
}

}  // namespace

Array solve(Session& session, const Array& a, const Array& b) {
  need_square(a);
  const bool vector = b.rank() == 1;
  const int64_t last[] = {1};
  const Array right = vector ? expand_dims(b, last) : b;
  const Operand operands[] = {a, b};
  const DType dtype = promote(library_type(a.dtype()), library_type(b.dtype()));
  common_space(operands, a.space());
  if (b.rank() == 0) {
    fail(ErrorKind::kValue,
         "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with "
         "signature (m,m),(m,n)->(m,n) requires 2)");
  }
  if (extent(right, 2) != extent(a, 1)) {
    fail(ErrorKind::kValue,
         "{}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
         "{} (size {} is different from {})",
         vector ? "solve1" : "solve", vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)",
         extent(right, 2), extent(a, 1));
  }
  const Dims a_batch = batch_of(a), b_batch = batch_of(right);
  const std::span<const int64_t> shapes[] = {a_batch.span(), b_batch.span()};
  const Dims batch = broadcast_shapes(shapes);
  const Array wide_a = broadcast_to(a, matrix_shape(batch, extent(a, 2), extent(a, 1)));
  const Array wide_b = broadcast_to(right, matrix_shape(batch, extent(right, 2), extent(right, 1)));
  const Array x = solve_columns(session, wide_a, wide_b, dtype);
  const int64_t axis[] = {-1};
  return vector ? squeeze(x, axis) : x;
}

// Many small matrices, read where they lie; no array where the library has no routine for them.
static std::optional<Array> try_inverse_at_once(Session& session, const Array& a, DType dtype) {
  if (a.rank() == 2 || a.size() == 0) return std::nullopt;
  Routines routines(session, a.space());
  auto* const small = dynamic_cast<SmallInverses*>(routines.operator->());
  if (!small || extent(a, 1) > small->most_rows()) return std::nullopt;
  const Array from = astype(session, a, dtype, Casting::kUnsafe, false, 'C');
  const Array result = make_empty(session, dtype, a.shape(), a.space());
  std::vector<int> info(element_count(batch_of(a)), 0);
  {
    const ReadAccess read(session, from, session.place_of(a.space()));
    const Work written(session, result);
    small->inverse(dtype, extent(a, 1), read.data(), written.data(),
                   static_cast<int64_t>(info.size()), info.data());
  }
  need_accepted("inv", info);
  need_regular(info);
  return result;
}

Array inverse(Session& session, const Array& a) {
  need_square(a);
  const DType dtype = library_type(a.dtype());
  if (auto inverses = try_inverse_at_once(session, a, dtype)) return *std::move(inverses);
  const Array identity = eye(session, extent(a, 1), extent(a, 1), 0, dtype, a.space());
  return solve_columns(session, a, broadcast_to(identity, a.shape()), dtype);
}

namespace {

// What an LU leaves of a stack of n x n matrices.
struct Triangles {
  Array diagonals;  // the stack's shape and n, C order
  Array pivots;     // as many: the rows exchanged, int32, from 1 on
  Array info;       // one a matrix, int32. > 0: singular
};

Triangles factorised(Session& session, const Array& a, DType dtype) {
  const Dims stack = batch_of(a);
  Dims rows = stack;
  rows.push_back(extent(a, 1));
  const Array lu = column_copy(session, a, dtype);
  const Array pivots = make_empty(session, DType::kInt32, rows, a.space());
  const Array info = make_empty(session, DType::kInt32, stack, a.space());
  {
    const Work on_lu(session, lu), on_pivots(session, pivots), on_info(session, info);
    Routines(session, a.space())
        ->lu(dtype, extent(a, 1), on_lu.data(), static_cast<int32_t*>(on_pivots.data()),
             element_count(stack), static_cast<int32_t*>(on_info.data()));
  }
  const Array diagonals = copy(session, diagonal(lu, 0, -2, -1), 'C');
  evaluate(session, *diagonals.value());  // lets go of the matrices
  return {diagonals, pivots, info};
}

struct Determinants {
  LogDeterminant parts;
  Array value;
};

// With no wait for the device. A routine that refuses an argument gives NaN.
Determinants on_device(Session& session, const Triangles& triangles) {
  const Array& diagonals = triangles.diagonals;
  const DType dtype = diagonals.dtype();
  const auto number = [&](double value) { return Scalar::of(dtype, value); };
  ReduceOptions last;
  last.axes = {-1};
  const Array sizes = ops::absolute(session, diagonals);
  const Array signs =
      is_complex(dtype)
          ? ops::divide(session, diagonals, sizes)
          : ops::where(session, ops::less(session, diagonals, number(0)), number(-1), number(1));
  const Array rows =
      arange(session, Scalar::of(DType::kInt64, int64_t{1}),
             Scalar::of(DType::kInt64, extent(diagonals, 1) + 1),
             Scalar::of(DType::kInt64, int64_t{1}), DType::kInt64, diagonals.space());
  const Array exchanged = ops::not_equal(session, triangles.pivots, rows);
  const Array odd = reduce(session, Fold::logical_xor, exchanged, last);
  const Array even_sign = reduce(session, Fold::multiply, signs, last);
  const Array sign = ops::where(session, odd, ops::negative(session, even_sign), even_sign);
  const Array log = reduce(session, Fold::add, ops::log(session, sizes), last);
  // The value of a regular matrix, or what stands for it.
  const Scalar none = Scalar::of(DType::kInt32, int64_t{0});
  const Array singular = ops::greater(session, triangles.info, none);
  const Array refused = ops::less(session, triangles.info, none);
  const auto checked = [&](const Array& value, double of_singular) {
    const auto like = [&](double number) { return Scalar::of(value.dtype(), number); };
    return ops::where(session, refused, like(std::numeric_limits<double>::quiet_NaN()),
                      ops::where(session, singular, like(of_singular), value));
  };
  const Array whole_sign = checked(sign, 0);
  const Array whole_log = checked(log, -std::numeric_limits<double>::infinity());
  return {{whole_sign, whole_log},
          ops::multiply(session, whole_sign, ops::exp(session, whole_log))};
}

template <class T> T sign_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value < 0 ? T{-1} : T{1};
  } else {
    return value / std::abs(value);
  }
}

// NumPy's way: logarithms are added one after another, so that the product of many elements neither
// overflows nor rounds otherwise than there.
template <class T> Determinants on_host(Session& session, const Triangles& triangles) {
  using Real = decltype(std::abs(T{}));
  const Dims& stack = triangles.info.shape();
  const int64_t n = extent(triangles.diagonals, 1);
  const HostRead elements(session, triangles.diagonals), rows(session, triangles.pivots),
      infos(session, triangles.info);
  const T* element = reinterpret_cast<const T*>(elements.data());
  const auto* row = reinterpret_cast<const int32_t*>(rows.data());
  const auto* first = reinterpret_cast<const int32_t*>(infos.data());
  const std::vector<int> info(first, first + triangles.info.size());
  need_accepted("lu", info);
  std::vector<T> signs, values;
  std::vector<Real> logs;
  for (const int each : info) {
    bool odd = false;
    for (int64_t k = 1; k <= n; ++k, ++row) odd ^= *row != k;
    T sign = odd ? T{-1} : T{1};
    Real log = 0;
    for (int64_t k = 0; k < n; ++k, ++element) {
      sign *= sign_of(*element);
      log += std::log(std::abs(*element));
    }
    signs.push_back(each != 0 ? T{0} : sign);
    logs.push_back(each != 0 ? -std::numeric_limits<Real>::infinity() : log);
    values.push_back(signs.back() * std::exp(logs.back()));
  }
  const DType dtype = triangles.diagonals.dtype();
  const Space space = triangles.diagonals.space();
  return {{from_host(session, dtype, stack, signs.data(), space),
           from_host(session, real_type(dtype), stack, logs.data(), space)},
          from_host(session, dtype, stack, values.data(), space)};
}

Determinants determinants(Session& session, const Array& a) {
  need_square(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  const Dims batch = batch_of(a);
  if (a.size() == 0) {
    const Array one = full(session, batch, Scalar::of(result, int64_t{1}), result, a.space());
    const DType real = real_type(result);
    return {{one, full(session, batch, Scalar::of(real, int64_t{0}), real, a.space())}, one};
  }
  const Triangles triangles = factorised(session, a, dtype);
  if (session.place_of(a.space()) != kHostPlace) return on_device(session, triangles);
  const auto [parts, value] = is_complex(dtype) ? on_host<std::complex<double>>(session, triangles)
                                                : on_host<double>(session, triangles);
  const auto as = [&](const Array& array, DType type) {
    return astype(session, array, type, Casting::kUnsafe, false);
  };
  return {{as(parts.sign, result), as(parts.log, real_type(result))}, as(value, result)};
}

}  // namespace

LogDeterminant log_determinant(Session& session, const Array& a) {
  return determinants(session, a).parts;
}

Array determinant(Session& session, const Array& a) { return determinants(session, a).value; }

namespace {

Array one_triangle(Session& session, const Array& matrices, bool upper) {
  const int64_t last[] = {1};
  const Array col = iota(session, {extent(matrices, 1)}, matrices.space());
  const Array row = expand_dims(iota(session, {extent(matrices, 2)}, matrices.space()), last);
  return ops::where(session, (upper ? ops::less_equal : ops::greater_equal)(session, row, col),
                    matrices, Scalar::of(matrices.dtype(), int64_t{0}));
}

// The largest difference from the adjoint; NaN where there is one.
double asymmetry(Session& session, const Array& square) {
  const Array flipped = swap_axes(square, -1, -2);
  const Array adjoint = is_complex(square.dtype()) ? ops::conjugate(session, flipped) : flipped;
  const Array off = ops::absolute(session, ops::subtract(session, square, adjoint));
  return item(session, reduce(session, Fold::maximum, off, {})).as_double();
}

void need_positive(Session& session, const Array& a, const std::vector<int>& info) {
  const auto failed = std::find_if(info.begin(), info.end(), [](int each) { return each != 0; });
  if (failed == info.end()) return;
  const int64_t i = failed - info.begin(), n = extent(a, 1);
  const Array stack = reshape(session, a, Dims{static_cast<int64_t>(info.size()), n, n});
  const Array matrix = get_items(session, stack, std::vector<IndexItem>{i});
  throw NotPositiveError(i, static_cast<int64_t>(info.size()), *failed,
                         asymmetry(session, astype(session, matrix, library_type(a.dtype()))));
}

}  // namespace

Array cholesky(Session& session, const Array& a, bool upper) {
  need_square(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  // A GPU need not transpose: read by columns, rows are the transposed matrix, and its other factor
  // is the transposed one. On the host the factor is NumPy's to the bit.
  const bool by_rows = session.place_of(a.space()) != kHostPlace;
  const Array factor = (by_rows ? row_copy : column_copy)(session, a, dtype);
  if (factor.size() == 0) return finished(session, factor, result);
  const int64_t count = element_count(batch_of(a));
  std::vector<int> info(count, 0);
  {
    const Work on_factor(session, factor);
    Routines(session, a.space())
        ->cholesky(dtype, extent(a, 1), by_rows != upper, on_factor.data(), count, info.data());
  }
  need_accepted("cholesky", info);
  need_positive(session, a, info);
  return finished(session, one_triangle(session, factor, upper), result);
}

namespace {

// Writes the orthogonal factor of a matrix without elements: the identity.
void write_identity(Session& session, const Array& matrix) {
  if (matrix.size() == 0) return;
  const int64_t rows = extent(matrix, 2), columns = extent(matrix, 1);
  write(session, matrix, eye(session, rows, columns, 0, matrix.dtype(), matrix.space()));
}

// As the library leaves them: in its type, by columns.
Reflectors working_reflectors(Session& session, const Array& a, DType result) {
  const DType dtype = working_type(session, result, a.space());
  const Array h = column_copy(session, a, dtype);
  Dims factors = batch_of(a);
  factors.push_back(std::min(extent(a, 2), extent(a, 1)));
  const Array tau = make_empty(session, dtype, factors, a.space());
  if (a.size() > 0) {
    const Work on_h(session, h), on_tau(session, tau);
    Routines(session, a.space())
        ->reflectors(dtype, extent(a, 2), extent(a, 1), on_h.data(), on_tau.data(),
                     element_count(batch_of(a)));
  }
  return {h, tau};
}

Array upper_factor(Session& session, const Array& a, DType result) {
  const Array h = working_reflectors(session, a, result).h;
  Layout rows = h.layout();
  rows.shape[h.rank() - 2] = std::min(extent(a, 2), extent(a, 1));
  return finished(session, one_triangle(session, h.with_layout(rows), true), result);
}

}  // namespace

QR qr(Session& session, const Array& a, QRMode mode) {
  need_matrix(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  const int64_t m = extent(a, 2), n = extent(a, 1);
  if (mode == QRMode::kR) return {Array(), upper_factor(session, a, result)};
  const int64_t k = mode == QRMode::kComplete ? m : std::min(m, n);
  const Dims batch = batch_of(a);
  // Room for q: k columns may be more than the n of a.
  const Array work =
      empty_columns(session, dtype, matrix_shape(batch, m, std::max(n, k)), a.space());
  const Array r = empty_columns(session, dtype, matrix_shape(batch, k, n), a.space());
  Layout left = work.layout();
  left.shape[work.rank() - 1] = n;
  if (a.size() > 0) {
    write(session, work.with_layout(left), a);
    const Work on_a(session, work), on_r(session, r);
    Routines(session, a.space())
        ->qr(dtype, m, n, k, on_a.data(), on_r.data(), element_count(batch));
  } else {
    write_identity(session, work);
  }
  left.shape[work.rank() - 1] = k;
  return {finished(session, work.with_layout(left), result), finished(session, r, result)};
}

Reflectors reflectors(Session& session, const Array& a) {
  need_matrix(a);
  const DType result = library_type(a.dtype());
  const Reflectors found = working_reflectors(session, a, result);
  return {finished(session, found.h, result), finished(session, found.tau, result)};
}

static bool any_nan(Session& session, const Array& array) {
  const Array found = ops::isnan(session, array);
  return item(session, reduce(session, Fold::logical_or, found, {})).truth();
}

SVD svd(Session& session, const Array& a, bool full_matrices, bool compute_uv) {
  need_matrix(a);
  const DType result = library_type(a.dtype()), dtype = working_type(session, result, a.space());
  const int64_t m = extent(a, 2), n = extent(a, 1), k = std::min(m, n);
  const Dims batch = batch_of(a);
  const int64_t count = element_count(batch);
  const Array work = column_copy(session, a, dtype);
  Dims s_shape = batch;
  s_shape.push_back(k);
  const Array s = make_empty(session, real_type(dtype), s_shape, a.space());
  const Array u =
      empty_columns(session, dtype, matrix_shape(batch, m, full_matrices ? m : k), a.space());
  const Array vh =
      empty_columns(session, dtype, matrix_shape(batch, full_matrices ? n : k, n), a.space());
  std::vector<int> info;
  if (a.size() > 0) {
    info.resize(count, 0);
    const Work on_a(session, work), on_s(session, s), on_u(session, u), on_vh(session, vh);
    Routines(session, a.space())
        ->svd(dtype, m, n, full_matrices, on_a.data(), on_s.data(),
              compute_uv ? on_u.data() : nullptr, compute_uv ? on_vh.data() : nullptr, count,
              info.data());
  } else {
    write_identity(session, u);
    write_identity(session, vh);
  }
  need_accepted("svd", info);
  for (int each : info) {
    if (each != 0) fail(ErrorKind::kLinAlg, "SVD did not converge");
  }
  // cuSOLVER may not report a NaN.
  if (any_nan(session, s) && any_nan(session, a)) {
    fail(ErrorKind::kLinAlg, "SVD did not converge");
  }
  const Array values = finished(session, s, real_type(result));
  if (!compute_uv) return {Array(), values, Array()};
  return {finished(session, u, result), values, finished(session, vh, result)};
}

}  // namespace gpy::rt
