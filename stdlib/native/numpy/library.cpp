#include "stdlib/native/numpy/library.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "src/array/typed_arguments.h"
#include "src/calls/documentation.h"
#include "src/code.h"
#include "stdlib/native/numpy/array_memory.h"
#include "stdlib/native/numpy/class_calls.h"
#include "stdlib/native/numpy/fft.h"
#include "stdlib/native/numpy/file_rows.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/random/bit_engine.h"
#include "stdlib/native/scipy/sparse.h"
#include "stdlib/native/text/families.h"

namespace gpy::lib {

namespace {

Value own_array(Interpreter& vm, const rt::Array& array) { return wrap_array(vm, array); }

// One axis, counted from 0.
Value own_axis(Interpreter& vm, const Value& axis, int64_t ndim) {
  return Value::integer(rt::normalize_axis(vm.to_index(axis), static_cast<int>(ndim)));
}

// One axis, several, or all for None, counted from 0.
Value own_axes(Interpreter& vm, const AxisList& axes, int64_t ndim) {
  const auto rank = static_cast<int>(ndim);
  std::vector<Value> found;
  for (int i = 0; i < (axes ? std::ssize(*axes) : rank); ++i) {
    found.push_back(Value::integer(axes ? rt::normalize_axis((*axes)[i], rank) : i));
  }
  const auto is_repeated = [&](const Value& axis) {
    return std::ranges::count(found, axis.as_integer(), &Value::as_integer) > 1;
  };
  if (std::ranges::any_of(found, is_repeated)) vm.raise_value_error("repeated axis");
  return vm.tuple(found);
}

Value own_finish(Interpreter& vm, const rt::Array& result, const Value& out) {
  return finish(vm, result, out);
}

Value own_host(Interpreter& vm, const Value& value) {
  const rt::Array array = to_array(vm, value, kNumpy);
  return wrap_array(vm, rt::to_space(session(vm), array, rt::Space::host()));
}

Value own_beside(Interpreter& vm, const Value& value, const rt::Array& other) {
  const rt::Array array = to_array(vm, value, kNumpy);
  return wrap_array(vm, rt::to_space(session(vm), array, other.space()));
}

Value own_warn(Interpreter& vm, const rt::Array& array, const Value& message) {
  warn_about(vm, array, std::string(vm.to_text(message)).c_str());
  return Value::none();
}

// Ints and bools have no nan.
Value own_without_nan(Interpreter& vm, const rt::Array& array, const rt::Operand& fill) {
  if (!rt::is_inexact(array.dtype())) return wrap_array(vm, array);
  return wrap_array(vm, ops::where(vm, ops::isnan(vm, array), fill, array));
}

// Numbers of the host: an array is computed for them.
Value own_extremes(Interpreter& vm, const rt::Array& array) {
  const auto number = [&](rt::Fold fold) {
    const rt::Array found = rt::reduce(session(vm), fold, array, {});
    return wrap_scalar(vm, rt::item(session(vm), found).cast(array.dtype()));
  };
  const Value least = number(rt::Fold::minimum);
  return vm.tuple({least, number(rt::Fold::maximum)});
}

Value own_warn_where(Interpreter& vm, const rt::Array& when, const Value& message) {
  warn_where(vm, when, std::string(vm.to_text(message)).c_str());
  return Value::none();
}

Value own_is_rising(Interpreter& vm, const rt::Array& array) {
  return Value::boolean(rt::is_rising(session(vm), array));
}

Value own_histogram_counts(Interpreter& vm, const rt::Array& array, const rt::Array& edges,
                           std::optional<rt::Array> weights) {
  return wrap_array(vm,
                    rt::histogram_counts(session(vm), array, edges, weights ? &*weights : nullptr));
}

// The number of an array's memory, and the first and one-past-last byte of it that the array
// touches.
Value own_extent(Interpreter& vm, const rt::Array& array) {
  const auto [first, end] = rt::byte_range(array.layout());
  const auto memory = reinterpret_cast<intptr_t>(&array.storage());
  return vm.tuple({Value::integer(memory), Value::integer(first), Value::integer(end)});
}

// Another layout from the array's first element on, which must lie within its memory.
Value own_strided(Interpreter& vm, const rt::Array& array, const rt::Dims& shape,
                  const rt::Dims& strides) {
  rt::Layout layout = array.layout();
  layout.shape = shape;
  layout.strides = strides;
  rt::element_count(shape, array.item_size());
  const auto [first, end] = rt::byte_range(layout);
  const auto bytes = static_cast<int64_t>(array.storage().bytes());
  if (first < 0 || end > bytes) {
    vm.raise_value_error("as_strided: the elements reach from byte {} to {} of memory that has {}",
                         first, end, bytes);
  }
  return wrap_array(vm, rt::view_memory(session(vm), array, std::move(layout)));
}

Value own_signature(Interpreter& vm, const Value& callable) {
  return vm.str(signature_of(vm, callable));
}

// What families need beside the names that every script has.
const Native kOwnRows[] = {
    {"_array", "(a, /)", typed<own_array>,
     "An argument as an array: arrays as they are, other things where the namespace makes arrays."},
    {"_with_class_of", "(made, like, places=None, /)", typed<with_class_of>,
     "A new array, or several, with the class of another one."},
    {"_axis", "(axis, ndim, /)", typed<own_axis>, "One axis, from 0."},
    {"_axes", "(axis, ndim, /)", typed<own_axes>,
     "One axis, several or all (None) as a tuple, from 0."},
    {"_beside", "(a, other, /)", typed<own_beside>, "An array where another one is."},
    {"_extent", "(a, /)", typed<own_extent>, "Its memory, and the bytes of it that it spans."},
    {"_strided", "(a, shape, strides, /)", typed<own_strided>, "Another layout of its memory."},
    {"_extremes", "(a, /)", typed<own_extremes>, "The least and the greatest element, as numbers."},
    {"_finish", "(a, out, /)", typed<own_finish>, "A result, or `out` (None: none) with it."},
    {"_signature", "(callable, /)", typed<own_signature>, "Its parameters, as help() shows them."},
    {"_host", "(a, /)", typed<own_host>, "An argument as an array of numpy's."},
    {"_histogram_counts", "(a, edges, weights, /)", typed<own_histogram_counts>,
     "How many elements each bin holds, or the sums of their weights."},
    {"_is_rising", "(a, /)", typed<own_is_rising>,
     "Whether no element of an array with one axis is less than the one before, or nan."},
    {"_without_nan", "(a, fill, /)", typed<own_without_nan>,
     "An argument as an array with something else in the place of nan."},
    {"_warn_where", "(when, message, /)", typed<own_warn_where>,
     "The same where any element is true, which computes it."},
    {"_warn", "(a, message, /)", typed<own_warn>,
     "RuntimeWarning at the script's line; none about a GPU's arrays, as of floating-point "
     "events."},
};

// Modules that scripts do not see and so cannot patch: hidden like the library's types
// (kept_type.h).
template <class Make> Module& kept_module(Interpreter& vm, const std::string& name, Make&& make) {
  Str* key = vm.intern(name);
  Type* keeper = arrays(vm).generic;
  if (const Value* found = keeper->lookup(key)) return *found->as<Module>();
  Value module = make();
  keeper->set_attribute(key, module);
  return *module.as<Module>();
}

// `np` in the families, and numpy as `host`: the namespace without any changes of a script.
// `np.own` is what several families share (stdlib/numpy/own).
Module& pristine(Interpreter& vm, const Namespace& names) {
  return kept_module(vm, fmt::format("<{}>", names.name), [&] {
    Value module = open_array_module(vm, names);
    module.as<Module>()->rows.push_back(kOwnRows);
    module.as<Module>()->rows.push_back(own_file_rows());
    module.as<Module>()->rows.push_back(own_text_rows());
    module.as<Module>()->rows.push_back(own_memory_rows());
    module.as<Module>()->rows.push_back(own_mapping_rows());
    module.as<Module>()->rows.push_back(transforms());
    module.as<Module>()->rows.push_back(bit_engine_rows());
    module.as<Module>()->rows.push_back(sparse_products());
    module.as<Module>()->rows.push_back(kinds_rows());
    module.as<Module>()->rows.push_back(date_rows());
    module.as<Module>()->rows.push_back(long_double_rows());
    for (const auto rows : {kind_scalar_rows(), object_loop_rows(), text_search_rows(),
                            text_layout_rows(), text_case_rows(), text_number_rows()}) {
      module.as<Module>()->rows.push_back(rows);
    }
    module.as<Module>()->rows.push_back(business_day_rows());
    module.as<Module>()->set(vm, "linalg", open_linalg(vm, names));
    module.as<Module>()->set(vm, "scipy_fft", make_library_part(vm, names, "scipy.fft", {}));
    module.as<Module>()->set(vm, "sparse", make_library_part(vm, names, "scipy.sparse", {}));
    module.as<Module>()->set(vm, "sparse_linalg",
                             make_library_part(vm, names, "scipy.sparse.linalg", {}));
    module.as<Module>()->set(vm, "strings", make_library_part(vm, names, "strings", {}));
    module.as<Module>()->set(vm, "kinds", make_library_part(vm, names, "kinds", {}));
    if (names.is_numpy()) {
      module.as<Module>()->set(vm, "ma", make_library_part(vm, names, "ma", {}));
      module.as<Module>()->set(vm, "matrixlib", make_library_part(vm, names, "matrixlib", {}));
    }
    module.as<Module>()->set(vm, "own", make_library_part(vm, names, "own", {}));
    return module;
  });
}

// "numpy.linalg", "scipy.fft", "cupyx.scipy.fft".
std::string module_name(const Namespace& names, std::string_view part) {
  if (part.starts_with("cupyx.")) return std::string(part);
  if (part.starts_with("scipy.")) return fmt::format("{}{}", names.is_cupy() ? "cupyx." : "", part);
  return part.empty() ? names.name : fmt::format("{}.{}", names.name, part);
}

// Functions of arrays are the arguments' classes to answer for, as natives are.
void ask_arguments(Interpreter& vm, Module& module, std::span<const std::string_view> names) {
  for (std::string_view name : names) {
    const Value* found = module.names->find(vm.intern(name));
    const Function* function = found ? found->try_as<Function>() : nullptr;
    if (!function) continue;
    function->code->asks_arguments = true;
    function->code->plain_count = -1;
  }
}

Module& opened(Interpreter& vm, const Namespace& names, const FamilyText& family) {
  return kept_module(vm, fmt::format("{} {}", names.name, family.file), [&] {
    Ref<Module> module = vm.make_module(module_name(names, family.part));
    module->set(vm, "np", Value(static_cast<Object*>(&pristine(vm, names))));
    module->set(vm, "host", Value(static_cast<Object*>(&pristine(vm, kNumpy))));
    vm.run_source(family.text, family.file, *module);
    if (family.part.empty() || family.part == "linalg" || family.part == "fft") {
      ask_arguments(vm, *module, family.names);
    }
    return Value(module);
  });
}

const FamilyText* family_of(std::string_view part, std::string_view name) {
  for (const FamilyText& family : family_texts()) {
    if (family.part != part) continue;
    if (std::ranges::find(family.names, name) != family.names.end()) return &family;
  }
  return nullptr;
}

}  // namespace

Value find_in_library(Interpreter& vm, const Namespace& names, std::string_view part,
                      std::string_view name) {
  const FamilyText* family = family_of(part, name);
  if (!family) return Value();
  const Value* found = opened(vm, names, *family).names->find(vm.intern(name));
  return found ? *found : Value();
}

Value other_kinds(Interpreter& vm) { return find_in_library(vm, kNumpy, "kinds", "kinds"); }

void list_library_names(Interpreter& vm, std::string_view part, std::vector<Str*>& names) {
  for (const FamilyText& family : family_texts()) {
    if (family.part != part) continue;
    for (std::string_view name : family.names) names.push_back(vm.intern(name));
  }
}

}  // namespace gpy::lib
