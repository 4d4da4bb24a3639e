#include "src/array/object_arrays.h"

#include "src/array/convert.h"
#include "src/array/iterators.h"
#include "src/calls/override.h"
#include "src/classes/class_slots.h"
#include "src/run/run.h"

namespace gpy {

namespace {

// Whether it is an object of a class that is no array, of another kind neither.
bool may_give(Interpreter& vm, const Value& value) {
  if (!value.is_object() || as_ndarray(value)) return false;
  Type* type = value.as_object()->type;
  return type->is_class && !librarys_array_function(vm, type);
}

// Undefined: there is none.
Value interface_of(Interpreter& vm, const Value& object) {
  return vm.try_get_attribute(object, vm.intern("__array_interface__"));
}

const Value* array_method(Interpreter& vm, const Value& object) {
  return find_special(vm, vm.type_of(object), "__array__");
}

Value call_array(Interpreter& vm, const Value& object, const Value& method,
                 std::optional<rt::DType> dtype, const Value& copy) {
  std::vector<Value> values;
  if (dtype) values.push_back(wrap_dtype(vm, *dtype));
  const auto positional = static_cast<uint32_t>(values.size());
  std::vector<Str*> names;
  if (copy.is_defined()) {
    names.push_back(vm.intern("copy"));
    values.push_back(copy);
  }
  return call_special(vm, method, object, CallArgs{values.data(), positional, names});
}

bool refuses_copy(Interpreter& vm, const Raised& raised) {
  constexpr std::string_view kRefusal = "__array__() got an unexpected keyword argument 'copy'";
  return vm.is_instance(raised.exception, vm.types.type_error) &&
         vm.to_str(raised.exception).find(kRefusal) != std::string::npos;
}

void warn_of_copy(Interpreter& vm) {
  vm.warn(vm.types.deprecation_warning,
          "__array__ implementation doesn't accept a copy keyword, so passing copy=False failed. "
          "__array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the "
          "migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html"
          "#adapting-to-changes-in-the-copy-keyword");
}

GivenArray asked_for_array(Interpreter& vm, const Value& object, const Value& method,
                           std::optional<rt::DType> dtype, Copy copy) {
  if (copy == Copy::if_needed) return {call_array(vm, object, method, dtype, Value())};
  const bool wanted = copy == Copy::always;
  try {
    return {call_array(vm, object, method, dtype, Value::boolean(wanted)), wanted};
  } catch (const Raised& raised) {
    if (!refuses_copy(vm, raised)) throw;
  }
  warn_of_copy(vm);
  if (!wanted) refuse_copy(vm);
  return {call_array(vm, object, method, dtype, Value())};
}

}  // namespace

void refuse_copy(Interpreter& vm) {
  vm.raise_value_error(
      "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, "
      "copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior "
      "change "
      "in NumPy 1.x).\nFor more details, see "
      "https://numpy.org/devdocs/"
      "numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.");
}

bool gives_array(Interpreter& vm, const Value& object) {
  if (row_of_flat(vm, object).is_defined()) return true;
  return may_give(vm, object) &&
         (array_method(vm, object) || interface_of(vm, object).is_defined());
}

GivenArray array_given_by(Interpreter& vm, const Value& object, std::optional<rt::DType> dtype,
                          Copy copy) {
  const Value row = row_of_flat(vm, object);
  if (row.is_defined()) return {row};
  if (!may_give(vm, object)) return {};
  const Value interface = interface_of(vm, object);
  if (interface.is_defined()) {
    const Value kinds = arrays(vm).other_kinds(vm);
    const Value made = vm.call_method(kinds, "of_interface", {object, interface});
    const Ndarray* array = as_ndarray(made);
    return {array ? Value(vm.make<Ndarray>(array->type, array->array, object)) : made};
  }
  const Value* method = array_method(vm, object);
  if (!method) return {};
  GivenArray given = asked_for_array(vm, object, Value(*method), dtype, copy);
  const bool is_array =
      as_ndarray(given.array) || librarys_array_function(vm, vm.type_of(given.array));
  if (!is_array) vm.raise_value_error("object __array__ method not producing an array");
  return given;
}

}  // namespace gpy
