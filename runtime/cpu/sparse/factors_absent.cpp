#include "runtime/core/error.h"
#include "runtime/cpu/sparse/factors.h"

namespace gpy::rt {

std::optional<SparseFactors> factorise_on_host(const SparseRows&, const FactorOptions&) {
  throw Error(ErrorKind::kNotImplemented,
              "sparse factors: this gpy was built without SuperLU (Debian's libsuperlu-dev)");
}

}  // namespace gpy::rt
