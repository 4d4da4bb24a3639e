#include "runtime/linalg/least_squares.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/matrix_stacks.h"
#include "runtime/ops/products.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

std::optional<Solution> try_least_squares(Session& session, const Array& a, const Array& b,
                                          double rcond) {
  const DType result = promote(library_type(a.dtype()), library_type(b.dtype()));
  const DType dtype = working_type(session, result, a.space());
  const int64_t m = extent(a, 2), n = extent(a, 1), columns = extent(b, 1);
  const Operand operands[] = {a, b};
  common_space(operands, a.space());
  if (m == 0 || n == 0 || columns == 0) return std::nullopt;
  Routines routines(session, a.space());
  auto* const solver = dynamic_cast<LeastSquares*>(routines.operator->());
  if (!solver) return std::nullopt;
  const Array work = column_copy(session, a, dtype);
  const Array x =
      empty_columns(session, dtype, matrix_shape({}, std::max(m, n), columns), a.space());
  Layout given = x.layout();
  given.shape[0] = m;
  write(session, x.with_layout(given), b);
  const Array s = make_empty(session, real_type(dtype), {std::min(m, n)}, a.space());
  Solution solution;
  {
    const Work on_a(session, work), on_x(session, x), on_s(session, s);
    const int info = solver->least_squares(dtype, m, n, columns, on_a.data(), on_x.data(),
                                           on_s.data(), rcond, &solution.rank);
    need_accepted("lstsq", {info});
    if (info > 0) fail(ErrorKind::kLinAlg, "SVD did not converge in Linear Least Squares");
  }
  solution.x = finished(session, x, result);
  solution.s = finished(session, s, real_type(result));
  return solution;
}

}  // namespace gpy::rt
