#include "src/diagnostics/left_out.h"

#include <algorithm>
#include <iterator>

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

// What NumPy 2 has no more, and what scripts write now.
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

}  // namespace

std::string left_out_name(std::string_view name) {
  const Row* row = find(kBuiltins, name);
  return row ? std::string(row->advice) : "";
}

std::string left_out_attribute(const Value& object, std::string_view name) {
  const Module* module = object.try_as<Module>();
  if (module && module->name == "numpy") {
    const Row* row = find(kFormerNumpy, name);
    return row ? fmt::format("numpy has it no more: write `{}`", row->advice) : "";
  }
  const Row* row = find(kAttributes, name);
  return row ? std::string(row->advice) : "";
}

}  // namespace gpy
