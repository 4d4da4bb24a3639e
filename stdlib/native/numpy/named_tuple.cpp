#include "stdlib/native/numpy/named_tuple.h"

#include "src/array/arrays.h"

namespace gpy::lib {

namespace {

Value fields_of(Interpreter& vm, const Value& self) {
  return *self.as_object()->type->lookup(vm.intern("_fields"));
}

std::string named_repr(Interpreter& vm, const Value& self) {
  const Value fields = fields_of(vm, self);
  Tuple& items = *self.as<Tuple>();
  std::string text;
  for (size_t i = 0; i < items.size; ++i) {
    if (i) text += ", ";
    text += vm.to_str((*fields.as<Tuple>())[i]) + "=" + vm.repr(items[i]);
  }
  return fmt::format("{}({})", vm.type_of(self)->name, text);
}

Value named_getattr(Interpreter& vm, const Value& self, Str* name) {
  const Value fields = fields_of(vm, self);
  Tuple& items = *self.as<Tuple>();
  for (size_t i = 0; i < items.size; ++i) {
    if ((*fields.as<Tuple>())[i].as<Str>()->view() == name->view()) return items[i];
  }
  return Value();
}

Type* named_type(Interpreter& vm, const char* name, std::span<const char* const> fields) {
  Str* key = vm.intern(std::string("_") + name);
  Type* generic = arrays(vm).generic;
  if (const Value* found = generic->lookup(key)) return found->as<Type>();
  TypeSpec spec{.name = name, .module = "numpy.linalg", .base = vm.types.tuple};
  spec.slots.repr = named_repr;
  spec.slots.getattr = named_getattr;
  Type* type = vm.make_type(spec, ObjectLayout::tuple, vm.types.tuple->slots.destroy);
  std::vector<Value> names;
  for (const char* field : fields) names.push_back(vm.str(field));
  type->set_attribute(vm.intern("_fields"), vm.tuple(names));
  generic->set_attribute(key, Value(static_cast<Object*>(type)));
  return type;
}

}  // namespace

Value make_named_tuple(Interpreter& vm, const char* name, std::span<const char* const> fields,
                       std::span<const Value> items) {
  Ref<Tuple> tuple = Tuple::make(vm, items);
  tuple->type = named_type(vm, name, fields);
  return tuple;
}

}  // namespace gpy::lib
