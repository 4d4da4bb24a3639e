#include "src/kernel/compiled_results.h"

#include "src/array/convert.h"
#include "src/classes/instance.h"
#include "src/kernel/typed_arguments.h"
#include "src/objects/containers.h"
#include "src/translate/type_specs.h"

namespace gpy {

using rt::typed::Data;

namespace {

Value object_of(const void* identity) {
  return Value(static_cast<Object*>(const_cast<void*>(identity)));
}

}  // namespace

CompiledResults::CompiledResults(Interpreter& vm, Dialect dialect, std::span<const Value> given,
                                 std::span<const Data> read)
    : vm_(vm), dialect_(dialect), given_(given) {
  for (const Data& each : read) keep(each);
}

void CompiledResults::keep(const Data& data) {
  if (data.identity) kept_.push_back(object_of(data.identity));
  for (const Data& each : data.items) keep(each);
}

// Numba's results are Python's numbers.
Value CompiledResults::number(const rt::Scalar& number) {
  if (dialect_ == Dialect::kNumba || number.weakness() != rt::Weak::kNo)
    return python_number(vm_, number);
  return wrap_scalar(vm_, number);
}

// Undefined where the array is none of them.
Value CompiledResults::array_in(std::span<const Value> known, const rt::Array& array) {
  for (const Value& each : known) {
    const Ndarray* other = as_ndarray(each);
    if (!other || &other->array.storage() != &array.storage()) continue;
    if (rt::same_places(other->array.layout(), array.layout()) &&
        other->array.shape() == array.shape() && other->array.dtype() == array.dtype())
      return each;
    return wrap_view(vm_, array, each);
  }
  return Value();
}

// An argument that is given back is the same object.
Value CompiledResults::array(const rt::Array& array) {
  for (const std::span<const Value> known : {given_, std::span<const Value>(fields_)}) {
    if (const Value out = array_in(known, array); out.is_defined()) return out;
  }
  return wrap_array(vm_, array);
}

std::vector<Value> CompiledResults::items(const TypedType& type, const Data& data) {
  std::vector<Value> out;
  for (size_t i = 0; i < data.items.size(); ++i) out.push_back(value(type.item(i), data.items[i]));
  return out;
}

Value CompiledResults::instance(const TypedType& type, const Data& data) {
  if (!data.identity) return Value::none();
  if (!data.is_new) return object_of(data.identity);
  Value& made = made_[data.identity];
  if (made.is_defined()) return made;
  const Ref<Instance> out = Instance::make(static_cast<Type*>(const_cast<void*>(type.of)));
  made = Value(out);
  for (size_t i = 0; i < type.items.size(); ++i)
    out->set(vm_, vm_.intern(type.names[i + 1]), value(type.items[i], data.items[i]));
  return Value(out);
}

Value CompiledResults::named_tuple(const TypedType& type, const std::vector<Value>& items) {
  return vm_.call(class_of(type), CallArgs{items.data(), static_cast<uint32_t>(items.size())});
}

Value CompiledResults::list(const TypedType& type, const Data& data) {
  if (!data.is_new) return object_of(data.identity);
  const Value out(vm_.list(items(type, data)));
  return is_typed(type) ? make_typed(vm_, type, out) : out;
}

Value CompiledResults::value(const TypedType& type, const Data& data) {
  switch (type.kind) {
    case TypedType::Kind::kNone: return Value::none();
    case TypedType::Kind::kNumber: return number(data.number);
    case TypedType::Kind::kArray: return array(data.array);
    case TypedType::Kind::kTuple:
      if (type.is_named_tuple()) return named_tuple(type, items(type, data));
      return vm_.tuple(items(type, data));
    case TypedType::Kind::kList:
    case TypedType::Kind::kMap: return list(type, data);
    case TypedType::Kind::kInstance: return instance(type, data);
  }
  return Value::none();
}

void CompiledResults::write_back(const TypedType& type, const Data& data) {
  const Value object = object_of(data.identity);
  if (type.is_map()) {
    vm_.call_method(object, "_fill", {Value(vm_.list(items(type, data)))});
    return;
  }
  if (type.is_list()) {
    list_of_argument(vm_, object).as<List>()->items = items(type, data);
    return;
  }
  Instance& instance = *object.as<Instance>();
  for (size_t i = 0; i < type.items.size(); ++i) {
    Str* name = vm_.intern(type.names[i + 1]);
    const Value before = instance.get(vm_, name);
    if (type.items[i].is_array() && before.is_defined()) fields_.push_back(before);
    instance.set(vm_, name, value(type.items[i], data.items[i]));
  }
}

}  // namespace gpy
