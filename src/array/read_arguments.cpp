#include "src/array/read_arguments.h"

#include "src/array/errors.h"
#include "src/array/sequence_objects.h"
#include "src/classes/class_slots.h"

namespace gpy {

bool is_given(const Value& value) { return value.is_defined() && !value.is_none(); }

bool copy_flag(Interpreter& vm, const Value& value) {
  if (value.is<Str>()) {
    vm.raise_value_error(
        "strings are not allowed for 'copy' keyword. Use True/False/None instead.");
  }
  return vm.truth(value);
}

bool truth_or(Interpreter& vm, const Value& value, bool otherwise) {
  return is_given(value) ? vm.truth(value) : otherwise;
}

static bool is_int_like(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) return array->array.rank() == 0;
  return vm.has_index(value);
}

// A tuple or list of plain ints.
static std::optional<rt::Dims> plain_dims(const Value& value) {
  std::span<const Value> items;
  if (const List* list = value.try_as<List>()) items = list->items;
  if (Tuple* tuple = value.try_as<Tuple>()) items = tuple->items();
  if (items.empty() || items.size() > rt::kMaxRank) return std::nullopt;
  rt::Dims dims;
  for (const Value& item : items) {
    if (!item.is_integer()) return std::nullopt;
    dims.push_back(item.as_integer());
  }
  return dims;
}

int64_t to_extent(Interpreter& vm, const Value& value) {
  if (value.is_boolean()) vm.raise_type_error("an integer is required");
  const Value extent = vm.to_index_value(value);
  if (extent.is_integer()) return extent.as_integer();
  vm.raise_value_error("Maximum allowed dimension exceeded");
}

rt::Dims to_dims(Interpreter& vm, const Value& value) {
  if (value.is_integer()) return {value.as_integer()};
  if (auto dims = plain_dims(value)) return *std::move(dims);
  if (!value.is_boolean() && is_int_like(vm, value)) return {to_extent(vm, value)};
  const bool iterable = value.is_object() && vm.type_of(value)->slots.iter && !value.is<Dict>();
  if (!iterable) {
    vm.raise_type_error("expected a sequence of integers or a single integer, got '{}'",
                        vm.repr(value));
  }
  rt::Dims dims;
  vm.for_each(value, [&](const Value& item) {
    if (dims.size() == rt::kMaxRank) rt::fail_rank(vm.length(value));
    dims.push_back(to_extent(vm, item));
  });
  return dims;
}

rt::Dims to_shape(Interpreter& vm, const Value& value) {
  rt::Dims shape = to_dims(vm, value);
  for (int64_t extent : shape) {
    if (extent < 0) vm.raise_value_error("negative dimensions are not allowed");
  }
  return shape;
}

rt::Dims dims_of_rest(Interpreter& vm, const Value& rest) {
  Tuple& items = *rest.as<Tuple>();
  if (items.size == 1 && !is_int_like(vm, items[0])) return to_dims(vm, items[0]);
  return to_dims(vm, rest);
}

static int64_t to_one_axis(Interpreter& vm, const Value& value) {
  if (value.is_boolean()) vm.raise_type_error("an integer is required for the axis");
  return vm.to_index(value);
}

std::optional<int64_t> to_axis(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return vm.to_index(value);
}

std::optional<int64_t> to_strict_axis(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return to_one_axis(vm, value);
}

std::vector<int64_t> to_ints(Interpreter& vm, const Value& value) {
  std::vector<int64_t> ints;
  if (is_int_like(vm, value)) {
    ints.push_back(vm.to_index(value));
    return ints;
  }
  vm.for_each(value, [&](const Value& item) { ints.push_back(vm.to_index(item)); });
  return ints;
}

std::optional<std::vector<int64_t>> to_axes(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  Tuple* const several = value.try_as<Tuple>();
  if (!several) return std::vector<int64_t>{to_one_axis(vm, value)};
  std::vector<int64_t> axes;
  for (const Value& each : several->items()) axes.push_back(to_one_axis(vm, each));
  return axes;
}

std::optional<std::vector<int64_t>> to_axis_list(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  if (value.is_real()) return std::vector<int64_t>{vm.to_index(value)};  // raises for a float
  return to_ints(vm, value);
}

bool to_keepdims(Interpreter& vm, const Value& value) {
  if (value.is_undefined()) return false;
  if (value.is_real()) vm.raise_type_error("integer argument expected, got float");
  return value.is_boolean() ? value.as_boolean() : vm.to_index(value) != 0;
}

static std::optional<rt::DType> dtype_of_type(Interpreter& vm, const Type* type) {
  const Types& types = vm.types;
  if (type == types.real) return rt::DType::kFloat64;
  if (type == types.integer) return rt::DType::kInt64;
  if (type == types.boolean) return rt::DType::kBool;
  if (type == types.complex) return rt::DType::kComplex128;
  return arrays(vm).dtype_of(type);
}

rt::DType to_dtype(Interpreter& vm, const Value& value) {
  if (const DTypeObject* dtype = value.try_as<DTypeObject>()) return dtype->dtype;
  if (!is_given(value)) return rt::DType::kFloat64;
  if (const Type* type = value.try_as<Type>()) {
    if (auto dtype = dtype_of_type(vm, type)) return *dtype;
  }
  if (const Str* text = value.try_as<Str>()) {
    if (auto dtype = rt::dtype_from_name(text->view())) return *dtype;
  }
  return dtype_of_other(vm, value);
}

std::optional<rt::DType> to_optional_dtype(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return to_dtype(vm, value);
}

rt::Casting to_casting(Interpreter& vm, const Value& value, rt::Casting otherwise) {
  if (!is_given(value)) return otherwise;
  if (auto casting = rt::casting_from_name(vm.to_text(value, "casting"))) return *casting;
  vm.raise_value_error(
      "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got {})",
      vm.repr(value));
}

char to_order(Interpreter& vm, const Value& value, char otherwise) {
  if (!is_given(value)) return otherwise;
  const std::string_view text = vm.to_text(value, "order");
  const char order = text.size() == 1 ? static_cast<char>(text[0] & ~0x20) : ' ';
  if (std::string_view("KCFA").find(order) == std::string_view::npos) {
    vm.raise_value_error("order must be one of 'C', 'F', 'A', or 'K' (got {})", vm.repr(value));
  }
  return order;
}

void check_device(Interpreter& vm, const Value& value) {
  const Str* name = value.try_as<Str>();
  if (!is_given(value) || (name && name->view() == "cpu")) return;
  vm.raise_value_error("Device not understood. Only \"cpu\" is allowed, but received: {}",
                       vm.to_str(value));
}

void check_like(Interpreter& vm, const Value& value) {
  if (!is_given(value) || as_ndarray(value)) return;
  Type* type = value.is_object() ? value.as_object()->type : nullptr;
  if (type && type->is_class && find_special(vm, type, "__array_function__")) return;
  vm.raise_type_error(
      "The `like` argument must be an array-like that implements the `__array_function__` "
      "protocol.");
}

Ndarray* to_out(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return nullptr;
  if (Ndarray* array = as_ndarray(value)) return array;
  if (Tuple* tuple = value.try_as<Tuple>()) {
    if (tuple->size == 1) return to_out(vm, (*tuple)[0]);
  }
  if (value.is_object()) leave_to(vm, value);
  vm.raise_type_error("return arrays must be of ArrayType");
}

Value shape_tuple(Interpreter& vm, std::span<const int64_t> shape) {
  Ref<Tuple> tuple = Tuple::make_uninitialised(vm, shape.size());
  for (size_t i = 0; i < shape.size(); ++i) (*tuple)[i] = Value::integer(shape[i]);
  return tuple;
}

}  // namespace gpy
