#include "src/diagnostics/numpy_names.h"

#include <algorithm>
#include <iterator>

namespace gpy {

// clang-format off
// A name in this list that gpy has by now does no harm.
static constexpr std::string_view kMissing[] = {
    "asmatrix", "bmat", "character", "clongdouble", "complex256", "core", "ctypeslib", "f2py",
    "flexible", "float128", "longdouble", "ma", "matrix", "object_", "rec",
    "recarray", "record", "show_config", "show_runtime", "test", "void"};
// clang-format on
static_assert(std::is_sorted(std::begin(kMissing), std::end(kMissing)));

bool is_missing_of_numpy(std::string_view name) {
  return std::binary_search(std::begin(kMissing), std::end(kMissing), name);
}

}  // namespace gpy
