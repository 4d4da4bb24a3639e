#include "runtime/ops/matrix_loops.h"

#include <array>

#include "runtime/core/instruction_set.h"

namespace gpy::rt {

namespace base {
extern const std::array<MatrixLoop, kTypeCodes> matrix_loops;
}
namespace avx2 {
extern const std::array<MatrixLoop, kTypeCodes> matrix_loops;
}
namespace avx512 {
extern const std::array<MatrixLoop, kTypeCodes> matrix_loops;
}

MatrixLoop matrix_loop(DType dtype) {
  const std::array<MatrixLoop, kTypeCodes>* tables[] = {&base::matrix_loops, &avx2::matrix_loops,
                                                        &avx512::matrix_loops};
  return (*tables[static_cast<int>(instruction_set())])[dtype.index()];
}

}  // namespace gpy::rt
