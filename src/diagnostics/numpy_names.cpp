#include "src/diagnostics/numpy_names.h"

#include <algorithm>
#include <iterator>

namespace gpy {

// clang-format off
// A name in this list that gpy has by now does no harm.
static constexpr std::string_view kMissing[] = {
    "ScalarType", "apply_along_axis", "apply_over_axes", "asarray_chkfinite", "asmatrix",
    "bmat", "broadcast", "busday_count", "busday_offset", "busdaycalendar",
    "bytes_", "char", "character", "clongdouble", "complex256", "core", "ctypeslib",
    "cumulative_prod", "cumulative_sum", "datetime64", "datetime_as_string", "datetime_data",
    "diag_indices_from", "dtypes", "einsum_path", "emath", "f2py", "fft", "fix", "flexible",
    "float128", "from_dlpack", "fromregex",
    "get_include", "getbufsize", "geterrcall", "histogram2d", "histogram_bin_edges",
    "histogramdd", "i0", "info", "is_busday", "isfortran", "isnat", "iterable", "kaiser",
    "lib", "linalg.eig", "linalg.eigh", "linalg.eigvals", "linalg.eigvalsh", "linalg.matmul",
    "linalg.tensordot", "linalg.tensorinv", "linalg.tensorsolve", "longdouble", "ma",
    "mask_indices", "matrix", "may_share_memory", "memmap", "mintypecode", "nanmedian",
    "nanpercentile", "nanquantile", "object_", "packbits", "piecewise",
    "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyint", "polymul", "polynomial",
    "polysub", "random.BitGenerator", "random.MT19937", "random.PCG64", "random.PCG64DXSM",
    "random.Philox", "random.SFC64", "random.SeedSequence", "random.beta", "random.binomial",
    "random.bytes", "random.chisquare", "random.dirichlet", "random.f", "random.gamma",
    "random.geometric", "random.get_state", "random.gumbel", "random.hypergeometric",
    "random.laplace", "random.logistic", "random.lognormal", "random.logseries",
    "random.multinomial", "random.multivariate_normal", "random.negative_binomial",
    "random.noncentral_chisquare", "random.noncentral_f", "random.pareto", "random.poisson",
    "random.power", "random.random_integers", "random.rayleigh", "random.set_state",
    "random.standard_cauchy", "random.standard_gamma",
    "random.standard_t", "random.triangular", "random.vonmises", "random.wald", "random.weibull",
    "random.zipf", "real_if_close", "rec", "recarray", "record", "require", "roots",
    "sctypeDict", "setbufsize", "seterrcall", "setxor1d", "shares_memory",
    "show_config", "show_runtime", "sort_complex", "str_", "strings", "test",
    "timedelta64", "trim_zeros", "typecodes", "typename", "typing", "unique_all", "unique_counts",
    "unique_inverse", "unique_values", "unpackbits", "unstack", "unwrap", "vectorize",
    "void"};
// clang-format on
static_assert(std::is_sorted(std::begin(kMissing), std::end(kMissing)));

bool is_missing_of_numpy(std::string_view name) {
  return std::binary_search(std::begin(kMissing), std::end(kMissing), name);
}

}  // namespace gpy
