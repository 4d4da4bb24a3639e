#include "stdlib/native/numpy/names.h"

#include <cmath>
#include <numbers>

#include "src/array/convert.h"
#include "src/state.h"
#include "stdlib/native/numpy/grid.h"
#include "stdlib/native/numpy/index_tools.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/type_info.h"
#include "stdlib/native/numpy/ufunc_object.h"

namespace gpy::lib {

namespace {

const Namespace& names_of(const Module& module) {
  return *static_cast<const Namespace*>(module.context);
}

Value as_value(Type* type) { return Value(static_cast<Object*>(type)); }

struct NoValue : Object {
  static constexpr ObjectLayout kLayout = kNoValueLayout;
  explicit NoValue(Type* type) : Object(type) {}
};

struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant kConstants[] = {
    {"pi", std::numbers::pi}, {"e", std::numbers::e}, {"euler_gamma", std::numbers::egamma},
    {"inf", INFINITY},        {"nan", NAN},
};

// NumPy's other names for its types, C's among them.
struct TypeAlias {
  std::string_view name;
  rt::DType dtype;
};
constexpr TypeAlias kTypeAliases[] = {
    {"bool_", rt::DType::kBool},        {"byte", rt::DType::kInt8},
    {"ubyte", rt::DType::kUInt8},       {"short", rt::DType::kInt16},
    {"ushort", rt::DType::kUInt16},     {"intc", rt::DType::kInt32},
    {"uintc", rt::DType::kUInt32},      {"int_", rt::DType::kInt64},
    {"uint", rt::DType::kUInt64},       {"intp", rt::DType::kInt64},
    {"uintp", rt::DType::kUInt64},      {"long", rt::DType::kInt64},
    {"ulong", rt::DType::kUInt64},      {"longlong", rt::DType::kInt64},
    {"ulonglong", rt::DType::kUInt64},  {"half", rt::DType::kFloat16},
    {"single", rt::DType::kFloat32},    {"double", rt::DType::kFloat64},
    {"csingle", rt::DType::kComplex64}, {"cdouble", rt::DType::kComplex128},
};

// Functions under a second name.
struct Alias {
  std::string_view name, of;
};
constexpr Alias kAliases[] = {{"concat", "concatenate"}, {"permute_dims", "transpose"}};

// The version of the module: that of the NumPy or CuPy that it follows, or gpy's own.
const char* version_of(const Namespace& names) {
  if (names.is_numpy()) return "2.4.0";
  return names.is_cupy() ? "14.0.0" : GPY_VERSION;
}

Value find_constant(Interpreter& vm, const Namespace& names, std::string_view name) {
  for (const Constant& constant : kConstants) {
    if (constant.name == name) return Value::real(constant.value);
  }
  if (name == "newaxis") return Value::none();
  if (name == "True_") return wrap_boolean(vm, true);
  if (name == "False_") return wrap_boolean(vm, false);
  if (name == "little_endian") return Value::boolean(true);
  if (name == "__version__") return vm.str(version_of(names));
  return Value();
}

// Of the types that NumPy does not have, numpy has none.
bool has_type(const Namespace& names, rt::DType dtype) {
  return rt::is_numpys_own(dtype) || !names.is_numpy();
}

Value find_type(Interpreter& vm, const Namespace& names, std::string_view name) {
  Arrays& state = arrays(vm);
  if (name == "ndarray") {
    return as_value(names.is_numpy()  ? state.numpy_array
                    : names.is_cupy() ? state.cupy_array
                                      : state.gp_array);
  }
  if (name == "dtype") return as_value(state.dtype);
  if (name == "ufunc") return as_value(ufunc_type(vm));
  if (name == "flatiter") return as_value(state.flat_iterator);
  if (name == "finfo" || name == "iinfo") return as_value(info_type(vm, name == "finfo"));
  for (size_t i = 0; i < state.scalars.size(); ++i) {
    Type* type = state.scalars[i];
    if (type->name == name && has_type(names, rt::dtype_at(i))) return as_value(type);
  }
  for (Type* type : state.abstract_scalars) {
    if (type->name == name) return as_value(type);
  }
  for (const TypeAlias& alias : kTypeAliases) {
    if (alias.name == name) return as_value(state.scalars[alias.dtype.index()]);
  }
  return Value();
}

// The object that stands for an omitted argument, in all three namespaces.
Value no_value(Interpreter& vm) {
  Type* type = kept_type(vm, "_NoValueType", [&] {
    return vm.make_type<NoValue>(
        {.name = "_NoValueType",
         .module = "numpy",
         .slots = {.repr = [](Interpreter&, const Value&) { return std::string("<no value>"); }}});
  });
  Str* key = vm.intern("_NoValue");
  if (const Value* known = type->lookup(key)) return *known;
  type->set_attribute(key, vm.make<NoValue>(type));
  vm.state().no_value = type->lookup(key)->as_object();
  return *type->lookup(key);
}

Value find_object(Interpreter& vm, const Namespace& names, std::string_view name) {
  if (name == "mgrid" || name == "ogrid") return make_grid(vm, names, name == "ogrid");
  if (name == "s_" || name == "index_exp") return make_index_expression(vm, name == "index_exp");
  if (name == "_NoValue") return no_value(vm);
  return Value();
}

constexpr std::string_view kParts[] = {"fft",        "linalg",     "random", "testing",
                                       "exceptions", "polynomial", "lib",    "emath",
                                       "char",       "strings",    "rec",    "dtypes"};
constexpr std::string_view kCupyParts[] = {"cuda"};
constexpr std::string_view kNumpyParts[] = {"ma", "matrixlib"};

Value find_part(Interpreter& vm, const Namespace& names, std::string_view name) {
  for (std::string_view part : kParts) {
    if (part == name) return vm.import_module(fmt::format("{}.{}", names.name, name));
  }
  if (names.is_numpy() && name == "typing") return vm.import_module("numpy.typing");
  for (std::string_view part : kCupyParts) {
    if (names.is_cupy() && part == name) return vm.import_module(fmt::format("cupy.{}", name));
  }
  for (std::string_view part : kNumpyParts) {
    if (names.is_numpy() && part == name) return vm.import_module(fmt::format("numpy.{}", name));
  }
  return Value();
}

}  // namespace

// A ufunc's other names are the object that its first name is.
static Value find_ufunc(Interpreter& vm, Module& module, std::string_view name) {
  const Value found = find_ufunc_object(vm, names_of(module), name);
  const rt::Ufunc* ufunc = rt::find_ufunc(name);
  if (found.is_undefined() || !ufunc || ufunc->name == name) return found;
  const Value first = vm.get_attribute(Value(static_cast<Object*>(&module)), ufunc->name);
  return vm.type_of(first) == vm.type_of(found) ? first : found;
}

static Value find_alias(Interpreter& vm, Module& module, std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return vm.get_attribute(Value(static_cast<Object*>(&module)), alias.of);
  }
  return Value();
}

Value find_array_name(Interpreter& vm, Module& module, Str* name) {
  const Namespace& names = names_of(module);
  const std::string_view text = name->view();
  Value found = find_ufunc(vm, module, text);
  if (found.is_undefined()) found = find_alias(vm, module, text);
  if (found.is_undefined()) found = find_type(vm, names, text);
  if (found.is_undefined()) found = find_constant(vm, names, text);
  if (found.is_undefined()) found = find_object(vm, names, text);
  if (found.is_undefined()) found = find_part(vm, names, text);
  if (found.is_undefined()) found = find_in_library(vm, names, "", text);
  if (found.is_undefined() && names.is_numpy()) {
    found = find_in_library(vm, names, "matrixlib", text);
  }
  if (found.is_undefined() && names.is_cupy()) {
    found = find_in_library(vm, names, "only_cupy", text);
  }
  return found;
}

void list_array_names(Interpreter& vm, Module& module, std::vector<Str*>& names) {
  auto add = [&](std::string_view name) { names.push_back(vm.intern(name)); };
  list_ufunc_names(vm, names_of(module), names);
  list_library_names(vm, "", names);
  if (names_of(module).is_cupy()) list_library_names(vm, "only_cupy", names);
  const auto& scalars = arrays(vm).scalars;
  for (size_t i = 0; i < scalars.size(); ++i) {
    if (has_type(names_of(module), rt::dtype_at(i))) add(scalars[i]->name);
  }
  for (Type* type : arrays(vm).abstract_scalars) add(type->name);
  for (const TypeAlias& alias : kTypeAliases) add(alias.name);
  for (const Alias& alias : kAliases) add(alias.name);
  for (const Constant& constant : kConstants) add(constant.name);
  for (std::string_view part : kParts) add(part);
  if (names_of(module).is_cupy()) add("cuda");
  if (names_of(module).is_numpy()) {
    for (std::string_view part : kNumpyParts) add(part);
    list_library_names(vm, "matrixlib", names);
  }
  for (const char* name : {"ndarray", "dtype", "ufunc", "newaxis", "mgrid", "ogrid", "s_",
                           "index_exp", "finfo", "iinfo", "True_", "False_"}) {
    add(name);
  }
}

}  // namespace gpy::lib
