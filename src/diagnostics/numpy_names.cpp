#include "src/diagnostics/numpy_names.h"

#include <algorithm>
#include <iterator>

namespace gpy {

// clang-format off
// A name in this list that gpy has by now does no harm.
static constexpr std::string_view kMissing[] = {
    "asmatrix", "bmat", "bytes_", "char", "character", "clongdouble", "complex256", "core",
    "ctypeslib", "dtypes", "f2py", "flexible", "float128", "from_dlpack", "fromregex",
    "get_include", "geterrcall", "info", "longdouble", "ma", "matrix", "memmap", "object_", "rec",
    "recarray", "record", "seterrcall", "show_config", "show_runtime", "str_", "strings", "test",
    "typing", "void"};
// clang-format on
static_assert(std::is_sorted(std::begin(kMissing), std::end(kMissing)));

bool is_missing_of_numpy(std::string_view name) {
  return std::binary_search(std::begin(kMissing), std::end(kMissing), name);
}

}  // namespace gpy
