#include "src/diagnostics/left_out.h"

#include <algorithm>
#include <iterator>

#include "src/diagnostics/numpy_names.h"
#include "src/interpreter.h"

namespace gpy {

namespace {

struct Row {
  std::string_view name, advice;
};

constexpr Row kBuiltins[] = {
    {"BaseExceptionGroup", "gpy has no groups of exceptions: raise one, with the others in a list"},
    {"ExceptionGroup", "gpy has no groups of exceptions: raise one, with the others in a list"},
    {"aiter", "gpy has no async: write a plain `for` and `iter`"},
    {"anext", "gpy has no async: write `next`"},
    {"breakpoint", "gpy has no debugger: print values, or run with -i"},
    {"unicode", "every str is Unicode: write `str`"},
    {"xrange", "write `range`"},
    {"raw_input", "write `input`"},
    {"unichr", "write `chr`"},
    {"basestring", "write `str`"},
    {"reduce", "write `functools.reduce`"},
    {"null", "write `None`"},
    {"nil", "write `None`"},
    {"undefined", "write `None`"},
};

constexpr std::string_view kCores = "functions of arrays use all cores by themselves";
constexpr std::string_view kClock = "`time` has the clock and calendar dates of it (time.strftime)";
constexpr std::string_view kGraphs =
    "gpy has no functions of graphs: A.indptr and A.indices name the neighbours of each node";
constexpr Row kModules[] = {
    {"asyncio", kCores},
    {"concurrent", kCores},
    {"multiprocessing", kCores},
    {"threading", kCores},
    {"atexit", "write `try: ... finally: ...` around the program"},
    {"datetime", kClock},
    {"calendar", kClock},
    {"decimal", "ints are exact at any size: count in the smallest unit"},
    {"fractions", "ints are exact at any size: keep numerator and denominator"},
    {"glob", "write `pathlib.Path(folder).glob(pattern)`"},
    {"logging", "write `print(..., file=sys.stderr)`, or `warnings.warn`"},
    {"pickle", "np.save keeps arrays, json the rest"},
    {"pprint", "write `print(json.dumps(x, indent=2))`"},
    {"re", "texts have find, split, partition, replace and strip; `fnmatch` knows patterns"},
    {"subprocess", "gpy starts no other programs"},
    {"tempfile", "`io.StringIO` and `io.BytesIO` are files in memory"},
    {"timeit", "write `%timeit` at the prompt, or `time.perf_counter()`"},
    {"unittest", "write `assert`, numpy.testing, and `gpy doctest`"},
    {"pandas", "`csv` and np.loadtxt read tables"},
    {"scipy.sparse.csgraph", kGraphs},
    {"cupyx.scipy.sparse.csgraph", kGraphs},
};

// Names of scipy.sparse and scipy.sparse.linalg.
constexpr std::string_view kTwoAxes =
    "sparse matrices and arrays have at most two axes: write A.T or A.reshape(...)";
constexpr Row kSparse[] = {
    {"csgraph", kGraphs},
    {"expand_dims", kTwoAxes},
    {"permute_dims", kTwoAxes},
    {"swapaxes", kTwoAxes},
    {"get_index_dtype", "A.indices.dtype is int32 unless an index needs 64 bits"},
    {"safely_cast_index_arrays", "write A.indices.astype(dtype) and A.indptr.astype(dtype)"},
    {"funm_multiply_krylov", "write `expm_multiply`, or `np.linalg.eigh(A.toarray())`"},
    {"LaplacianNd", "write `kronsum` of matrices that `diags_array` makes"},
    {"use_solver", "direct solvers are SuperLU's always"},
};

// Names that NumPy 2 has removed, and what scripts write now.
constexpr Row kFormerNumpy[] = {
    {"Inf", "np.inf"},
    {"Infinity", "np.inf"},
    {"NAN", "np.nan"},
    {"NINF", "-np.inf"},
    {"NaN", "np.nan"},
    {"PINF", "np.inf"},
    {"alltrue", "np.all"},
    {"cfloat", "np.complex128"},
    {"complex", "complex"},
    {"complex_", "np.complex128"},
    {"cumproduct", "np.cumprod"},
    {"float", "float"},
    {"float_", "np.float64"},
    {"in1d", "np.isin"},
    {"infty", "np.inf"},
    {"int", "int"},
    {"int0", "np.intp"},
    {"msort", "np.sort"},
    {"object", "object"},
    {"product", "np.prod"},
    {"round_", "np.round"},
    {"row_stack", "np.vstack"},
    {"sometrue", "np.any"},
    {"str", "str"},
    {"trapz", "np.trapezoid"},
    {"uint0", "np.uintp"},
    {"unicode", "str"},
};

constexpr const char* kPictures =
    "gpy's matplotlib draws lines, points, bars, histograms, pictures and contours: dir(plt) lists "
    "it";
constexpr std::string_view kNoFrames =
    "gpy shows scripts no variables of running functions, nor what closures hold";
constexpr Row kAttributes[] = {
    {"__closure__", kNoFrames}, {"__globals__", kNoFrames}, {"_current_frames", kNoFrames},
    {"_getframe", kNoFrames},   {"f_back", kNoFrames},      {"f_globals", kNoFrames},
    {"f_locals", kNoFrames},    {"gi_code", kNoFrames},     {"gi_frame", kNoFrames},
    {"setprofile", kNoFrames},  {"settrace", kNoFrames}};

template <size_t N> const Row* find(const Row (&rows)[N], std::string_view name) {
  const Row* found = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const Row& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

// "linalg.eig"; empty for names of other modules.
std::string below_numpy(std::string_view module, std::string_view name) {
  constexpr std::string_view kPackage = "numpy.";
  if (module == "numpy") return std::string(name);
  if (!module.starts_with(kPackage)) return "";
  return fmt::format("{}.{}", module.substr(kPackage.size()), name);
}

}  // namespace

std::string left_out_module(std::string_view name) {
  const Row* row = find(kModules, name);
  return row ? std::string(row->advice) : "";
}

std::string left_out_name(std::string_view name) {
  const Row* row = find(kBuiltins, name);
  return row ? std::string(row->advice) : "";
}

std::string left_out_attribute(const Value& object, std::string_view name) {
  const Module* module = object.try_as<Module>();
  const bool is_numpy = module && module->name == "numpy";
  if (const Row* row = is_numpy ? find(kFormerNumpy, name) : nullptr) {
    return fmt::format("numpy has it no more: write `{}`", row->advice);
  }
  if (module && is_missing_of_numpy(below_numpy(module->name, name))) {
    return fmt::format("{} is NumPy's, but gpy does not have it yet", name);
  }
  if (is_numpy) return "";
  if (module && module->name.find("scipy.sparse") != std::string::npos) {
    const Row* row = find(kSparse, name);
    return row ? std::string(row->advice) : "";
  }
  if (module && (module->name == "matplotlib.pyplot" || module->name == "pylab")) return kPictures;
  const Row* row = find(kAttributes, name);
  return row ? std::string(row->advice) : "";
}

}  // namespace gpy
