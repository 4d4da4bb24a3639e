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

// Of numpy: what NumPy 2 has no more.
constexpr Row kFormerNumpy[] = {
    {"Inf", "inf"},
    {"Infinity", "inf"},
    {"NAN", "nan"},
    {"NINF", "-inf"},
    {"NaN", "nan"},
    {"PINF", "inf"},
    {"alltrue", "all"},
    {"cfloat", "complex128"},
    {"complex", "complex"},
    {"complex_", "complex128"},
    {"cumproduct", "cumprod"},
    {"float", "float"},
    {"float_", "float64"},
    {"in1d", "isin"},
    {"infty", "inf"},
    {"int", "int"},
    {"int0", "intp"},
    {"long", "int"},
    {"msort", "sort"},
    {"object", "object"},
    {"product", "prod"},
    {"round_", "round"},
    {"row_stack", "vstack"},
    {"sometrue", "any"},
    {"str", "str"},
    {"trapz", "trapezoid"},
    {"uint0", "uintp"},
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

// As scripts write it: `int`, `np.inf`.
std::string former_numpy(Interpreter& vm, Module& numpy, std::string_view name) {
  const Row* row = find(kFormerNumpy, name);
  if (!row) return "";
  const bool is_builtin = vm.builtins->find(vm.intern(row->advice)) && row->advice != "all" &&
                          row->advice != "any" && row->advice != "round";
  if (is_builtin) return fmt::format("numpy has it no more: write `{}`", row->advice);
  const bool negative = row->advice.starts_with('-');
  const std::string_view now = row->advice.substr(negative ? 1 : 0);
  if (!numpy.find(vm, vm.intern(now))) return "";
  return fmt::format("numpy has it no more: write `{}np.{}`", negative ? "-" : "", now);
}

}  // namespace

std::string left_out_name(std::string_view name) {
  const Row* row = find(kBuiltins, name);
  return row ? std::string(row->advice) : "";
}

std::string left_out_attribute(Interpreter& vm, const Value& object, std::string_view name) {
  Module* module = object.try_as<Module>();
  if (module && module->name == "numpy") return former_numpy(vm, *module, name);
  const Row* row = find(kAttributes, name);
  return row ? std::string(row->advice) : "";
}

}  // namespace gpy
