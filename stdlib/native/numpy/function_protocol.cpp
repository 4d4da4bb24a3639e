#include "stdlib/native/numpy/function_protocol.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/array/array_classes.h"
#include "src/array/sequence_objects.h"
#include "src/calls/args.h"
#include "src/calls/override.h"
#include "src/classes/class_slots.h"
#include "src/run/frame.h"
#include "src/state.h"
#include "src/typed_native.h"

namespace gpy::lib {

namespace {

// Functions that convert their arguments and ask at most `like`.
constexpr std::string_view kAskNobody[] = {"arange",
                                           "array",
                                           "asanyarray",
                                           "asarray",
                                           "asarray_chkfinite",
                                           "ascontiguousarray",
                                           "asfortranarray",
                                           "asmatrix",
                                           "bartlett",
                                           "base_repr",
                                           "binary_repr",
                                           "blackman",
                                           "bmat",
                                           "broadcast_shapes",
                                           "datetime_data",
                                           "diag_indices",
                                           "empty",
                                           "eye",
                                           "fft.fftfreq",
                                           "fft.rfftfreq",
                                           "format_float_positional",
                                           "format_float_scientific",
                                           "from_dlpack",
                                           "frombuffer",
                                           "fromfile",
                                           "fromfunction",
                                           "fromiter",
                                           "frompyfunc",
                                           "fromregex",
                                           "fromstring",
                                           "full",
                                           "genfromtxt",
                                           "get_include",
                                           "get_printoptions",
                                           "getbufsize",
                                           "geterr",
                                           "geterrcall",
                                           "hamming",
                                           "hanning",
                                           "identity",
                                           "indices",
                                           "info",
                                           "isdtype",
                                           "isfortran",
                                           "isnat",
                                           "isscalar",
                                           "issubdtype",
                                           "iterable",
                                           "kaiser",
                                           "load",
                                           "loadtxt",
                                           "mask_indices",
                                           "matmul",
                                           "matvec",
                                           "mintypecode",
                                           "nested_iters",
                                           "ones",
                                           "printoptions",
                                           "promote_types",
                                           "require",
                                           "set_printoptions",
                                           "setbufsize",
                                           "seterr",
                                           "seterrcall",
                                           "show_config",
                                           "show_runtime",
                                           "tri",
                                           "tril_indices",
                                           "triu_indices",
                                           "typename",
                                           "vecdot",
                                           "vecmat",
                                           "zeros"};
static_assert(std::ranges::is_sorted(kAskNobody));

// Of these the items of a list are asked, at any depth where it is `block`.
struct Items {
  std::string_view function, parameters;
};
constexpr Items kItems[] = {
    {"block", "arrays"},
    {"choose", "choices"},
    {"column_stack", "tup"},
    {"concatenate", "arrays"},
    {"dstack", "tup"},
    {"histogramdd", "sample bins"},
    {"hstack", "tup"},
    {"lexsort", "keys"},
    {"linalg.multi_dot", "arrays"},
    {"piecewise", "condlist"},
    {"poly", "seq_of_zeros"},
    {"ravel_multi_index", "multi_index"},
    {"roots", "p"},
    {"row_stack", "tup"},
    {"select", "condlist choicelist"},
    {"stack", "arrays"},
    {"vstack", "tup"},
};
static_assert(std::ranges::is_sorted(kItems, {}, &Items::function));

// Options that no function asks.
constexpr std::string_view kOptions[] = {"N",
                                         "UPLO",
                                         "allow_pickle",
                                         "assume_unique",
                                         "axes",
                                         "axis",
                                         "axis1",
                                         "axis2",
                                         "axisa",
                                         "axisb",
                                         "axisc",
                                         "bias",
                                         "bitorder",
                                         "busdaycal",
                                         "casting",
                                         "compute_uv",
                                         "copy",
                                         "correction",
                                         "count",
                                         "cov",
                                         "ddof",
                                         "decimals",
                                         "default",
                                         "deg",
                                         "delimiter",
                                         "density",
                                         "destination",
                                         "device",
                                         "dims",
                                         "discont",
                                         "dtype",
                                         "dx",
                                         "edge_order",
                                         "edgeitems",
                                         "einsum_call",
                                         "endpoint",
                                         "equal_nan",
                                         "file",
                                         "floatmode",
                                         "formatter",
                                         "full",
                                         "full_matrices",
                                         "func",
                                         "func1d",
                                         "funclist",
                                         "hermitian",
                                         "include_initial",
                                         "increasing",
                                         "indexing",
                                         "initial",
                                         "invert",
                                         "keepdims",
                                         "kind",
                                         "kth",
                                         "left",
                                         "legacy",
                                         "max_line_width",
                                         "max_work",
                                         "method",
                                         "minlength",
                                         "mode",
                                         "n",
                                         "nan",
                                         "neginf",
                                         "new_shape",
                                         "norm",
                                         "num",
                                         "offset",
                                         "optimize",
                                         "ord",
                                         "order",
                                         "overwrite_input",
                                         "pad_width",
                                         "period",
                                         "posinf",
                                         "precision",
                                         "prefix",
                                         "range",
                                         "rcond",
                                         "repeats",
                                         "retstep",
                                         "return_counts",
                                         "return_index",
                                         "return_indices",
                                         "return_inverse",
                                         "returned",
                                         "right",
                                         "roll",
                                         "rowvar",
                                         "s",
                                         "separator",
                                         "shape",
                                         "shift",
                                         "side",
                                         "sign",
                                         "sorted",
                                         "source",
                                         "sparse",
                                         "stable",
                                         "subok",
                                         "suffix",
                                         "suppress_small",
                                         "threshold",
                                         "timezone",
                                         "to",
                                         "tol",
                                         "trim",
                                         "unit",
                                         "upper",
                                         "wrap"};
static_assert(std::ranges::is_sorted(kOptions));

// Parameters that others ask.
constexpr Items kNotAsked[] = {
    {"amax", "where"},
    {"amin", "where"},
    {"apply_along_axis", "args"},
    {"diag", "k"},
    {"diagflat", "k"},
    {"fill_diagonal", "val"},
    {"linalg.cond", "p"},
    {"linalg.matrix_rank", "rtol"},
    {"linalg.pinv", "rtol"},
    {"linalg.tensorinv", "ind"},
    {"max", "where"},
    {"min", "where"},
    {"nanmax", "where"},
    {"nanmin", "where"},
    {"nanprod", "where"},
    {"nansum", "where"},
    {"piecewise", "args"},
    {"polyder", "m"},
    {"polyint", "m"},
    {"prod", "where"},
    {"rollaxis", "start"},
    {"rot90", "k"},
    {"sum", "where"},
    {"take", "indices"},
    {"tril", "k"},
    {"tril_indices_from", "k"},
    {"triu", "k"},
    {"triu_indices_from", "k"},
};
static_assert(std::ranges::is_sorted(kNotAsked, {}, &Items::function));

bool is_word_of(std::string_view words, std::string_view word) {
  for (size_t from = 0; from < words.size();) {
    const size_t to = std::min(words.find(' ', from), words.size());
    if (words.substr(from, to - from) == word) return true;
    from = to + 1;
  }
  return false;
}

bool holds(std::span<const Items> rows, std::string_view function, std::string_view parameter) {
  const auto found = std::ranges::lower_bound(rows, function, {}, &Items::function);
  return found != rows.end() && found->function == function &&
         is_word_of(found->parameters, parameter);
}

enum class Asked { no, itself, items };

Asked asked_of(std::string_view function, std::string_view parameter) {
  if (std::ranges::binary_search(kOptions, parameter)) return Asked::no;
  if (holds(kNotAsked, function, parameter)) return Asked::no;
  return holds(kItems, function, parameter) ? Asked::items : Asked::itself;
}

// "linalg.norm" of a module "numpy.linalg"; nullopt for functions of modules that ask nobody.
std::optional<std::string> asking_name(std::string_view module, std::string_view name) {
  const size_t dot = std::min(module.find('.'), module.size());
  const std::string_view space = module.substr(0, dot), part = module.substr(dot);
  const bool is_space = space == kNumpy.name || space == kCupy.name || space == kGp.name;
  if (!is_space || name.starts_with('_')) return std::nullopt;
  if (part.empty()) return std::string(name);
  if (part != ".linalg" && part != ".fft") return std::nullopt;
  return fmt::format("{}.{}", part.substr(1), name);
}

// What a script's classes answer for: their objects among the arguments that are asked, and arrays
// beside them.
class Question {
 public:
  explicit Question(Interpreter& vm) : vm_(vm) {}

  void add(const Value& value, Asked asked, bool at_any_depth) {
    if (asked == Asked::itself) return add_one(value);
    if (asked == Asked::no) return;
    if (const auto items = items_of(value)) {
      for (const Value& each : std::vector<Value>(items->begin(), items->end())) {
        add(each, at_any_depth && each.is<List>() ? Asked::items : Asked::itself, at_any_depth);
      }
    } else if (at_any_depth) {
      add_one(value);
    } else if (const Ndarray* array = as_ndarray(value)) {
      if (array->array.rank() > 1) add_one(value);
    } else if (is_scripts(value) && vm_.type_of(value)->slots.iter) {
      for (const Value& each : vm_.collect(value)) add_one(each);
    }
  }
  bool is_asked() const { return is_asked_; }
  const std::vector<Value>& found() const { return found_; }

 private:
  bool is_scripts(const Value& value) const {
    return value.is_object() && scripts_special(vm_, vm_.type_of(value), "__array_function__");
  }
  void add_one(const Value& value) {
    const bool own = is_scripts(value);
    if (!own && !as_ndarray(value)) return;
    is_asked_ |= own;
    add_answering(vm_, found_, value);
  }

  Interpreter& vm_;
  bool is_asked_ = false;
  std::vector<Value> found_;
};

bool holds_objects(const CallArgs& arguments) {
  const std::span all(arguments.values, arguments.positional + arguments.names.size());
  return std::ranges::any_of(all, [](const Value& each) {
    return each.is_object() &&
           (each.as_object()->type->is_class || each.is<List>() || each.is<Tuple>());
  });
}

bool is_called_by_library(Interpreter& vm) {
  const Frame* frame = vm.state().frame;
  return frame && frame->code->is_library;
}

// Whether the call is the one that ndarray.__array_function__ makes.
bool take_undispatched(Interpreter& vm, const Object& function) {
  if (vm.state().undispatched != &function) return false;
  vm.state().undispatched = nullptr;
  return true;
}

// A call of the function `name`, whose parameters' names `parameter` tells by their place.
template <class ParameterAt>
Value answer(Interpreter& vm, const Value& function, std::string_view module, std::string_view name,
             const CallArgs& arguments, const ParameterAt& parameter) {
  if (take_undispatched(vm, *function.as_object())) return Value();
  if (!holds_objects(arguments) || is_called_by_library(vm)) return Value();
  const auto asking = asking_name(module, name);
  if (!asking) return Value();
  Question question(vm);
  const bool asks_nobody = std::ranges::binary_search(kAskNobody, std::string_view(*asking));
  const bool at_any_depth = name == "block";
  for (uint32_t i = 0; i < arguments.positional && !asks_nobody; ++i) {
    question.add(arguments.values[i], asked_of(*asking, parameter(i)), at_any_depth);
  }
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    const std::string_view named = arguments.names[i]->view();
    if (asks_nobody != (named == "like")) continue;
    question.add(arguments.keyword(i), asked_of(*asking, named), at_any_depth);
  }
  if (!question.is_asked()) return Value();
  Written call = as_written(vm, arguments);
  if (asks_nobody) call.named->erase(vm.intern("like"));
  return ask(vm, question.found(), function, call, fmt::format("{}.{}", module, name));
}

}  // namespace

Value answer_for_native(Interpreter& vm, const Args& args) {
  auto& callee = const_cast<NativeFunction&>(args.callee());
  if (callee.owner) return Value();
  const Signature& signature = callee.signature();
  const auto parameter = [&](size_t i) -> std::string_view {
    const auto several = static_cast<size_t>(signature.var_positional);
    return signature.parameters[std::min(i, several)].name;
  };
  const CallArgs all{args.begin(), static_cast<uint32_t>(args.size()), {}};
  const CallArgs& arguments = args.written() ? *args.written() : all;
  return answer(vm, Value(static_cast<Object*>(&callee)), callee.qualifier, callee.row->name,
                arguments, parameter);
}

Value answer_for_function(Interpreter& vm, Function& function, const CallArgs& arguments) {
  const FunctionParameters& parameters = function.code->parameters;
  if (arguments.positional > parameters.positional && !parameters.has_args) return Value();
  const auto parameter = [&](size_t i) {
    const size_t several = parameters.positional + parameters.keyword_only;
    return parameters.names[i < parameters.positional ? i : several]->view();
  };
  return answer(vm, Value(static_cast<Object*>(&function)), vm.to_text(function.module),
                vm.to_text(function.name), arguments, parameter);
}

// --- the protocol's method -----------------------------------------------------------------------

namespace {

// One call of a function that asks no class, however it is made.
class Undispatched {
 public:
  Undispatched(Interpreter& vm, const Value& function) : vm_(vm), before_(vm.state().undispatched) {
    vm.state().undispatched = function.is_object() ? function.as_object() : nullptr;
  }
  ~Undispatched() { vm_.state().undispatched = before_; }
  Undispatched(const Undispatched&) = delete;
  Undispatched& operator=(const Undispatched&) = delete;

 private:
  Interpreter& vm_;
  const Object* before_;
};

bool are_arrays(Interpreter& vm, const Value& types) {
  const std::vector<Value> all = vm.collect(types);
  return std::ranges::all_of(all, [&](const Value& each) {
    Type* type = const_cast<Value&>(each).try_as<Type>();
    return type && arrays(vm).is_array_type(native_base(type));
  });
}

Value array_function(Interpreter& vm, const Value&, const Value& function, const Value& types,
                     const Value& args, const Value& keywords) {
  if (!args.is<Tuple>()) vm.raise_type_error("args must be a tuple.");
  if (!keywords.is<Dict>()) vm.raise_type_error("kwargs must be a dict.");
  if (!are_arrays(vm, types)) return Value::not_implemented();
  std::vector<Value> values = vm.collect(args);
  const auto positional = static_cast<uint32_t>(values.size());
  std::vector<Str*> names;
  for (const auto& entry : keywords.as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    if (!entry.key.is<Str>()) vm.raise_type_error("keywords must be strings");
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  const Undispatched scope(vm, function);
  return vm.call(function, CallArgs{values.data(), positional, names});
}

const Native kRows[] = {
    {"__array_function__", "(self, func, types, args, kwargs)", typed<array_function>,
     "Calls a function of arrays as it is, without asking classes; NotImplemented where one of the "
     "types is of no array."},
};

}  // namespace

std::span<const Native> function_protocol_rows() { return kRows; }

}  // namespace gpy::lib
