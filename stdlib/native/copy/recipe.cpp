#include "stdlib/native/copy/recipe.h"

#include "src/classes/attributes.h"
#include "src/numbers/number.h"
#include "src/types/bytes.h"
#include "src/types/dict.h"

namespace gpy::lib {

Value method_of(Interpreter& vm, const Value& v, std::string_view name) {
  if (v.is<Type>()) return Value();
  Value found = vm.try_get_attribute(v, vm.intern(name));
  return found.is_none() ? Value() : found;
}

// --- by the object's own methods -----------------------------------------------------------------

// The result of __reduce_ex__ or __reduce__; undefined where the class has neither.
static Value own_reduction(Interpreter& vm, const Value& v) {
  Type* type = vm.type_of(v);
  constexpr int kProtocol = 4;  // of pickling, which CPython's copy asks for
  if (type->lookup(vm.intern("__reduce_ex__"))) {
    return vm.call_method(v, "__reduce_ex__", {Value::integer(kProtocol)});
  }
  return type->lookup(vm.intern("__reduce__")) ? vm.call_method(v, "__reduce__") : Value();
}

static std::optional<Recipe> read_reduction(Interpreter& vm, const Value& reduction) {
  if (reduction.is<Str>()) return std::nullopt;
  Tuple* parts = reduction.try_as<Tuple>();
  if (!parts || parts->size < 2 || parts->size > 5) {
    vm.raise_type_error("__reduce__() should return a str or a tuple of two to five, not {}",
                        vm.type_name(reduction));
  }
  auto part = [&](size_t i) { return i < parts->size ? (*parts)[i] : Value(); };
  return Recipe{part(0), vm.collect(part(1)), part(2), part(3), part(4)};
}

// --- by kind -------------------------------------------------------------------------------------

// The object's attributes; undefined where there are none.
static Value attributes_of(Interpreter& vm, const Value& v) {
  auto* instance = v.try_as<Instance>();
  if (!instance) return vm.try_get_attribute(v, vm.intern("__dict__"));
  if (!instance->shape) return instance->attributes->copy();
  // __dict__ is not asked for, since the instance would be slower with a dict from then on.
  std::vector<Str*> names;
  for (const Shape* at = instance->shape; at->count(); at = at->before()) {
    names.push_back(at->last_name());
  }
  Ref<Dict> attributes = vm.dict();
  for (size_t i = 0; i < names.size(); ++i) {
    attributes->set(names[names.size() - 1 - i], instance->values[i]);
  }
  return attributes;
}

static Value state_of(Interpreter& vm, const Value& v) {
  Value method = method_of(vm, v, "__getstate__");
  if (method.is_defined()) return vm.call(method);
  Value attributes = attributes_of(vm, v);
  const Dict* dict = attributes.try_as<Dict>();
  return dict && dict->size() == 0 ? Value() : attributes;
}

static std::vector<Value> new_arguments(Interpreter& vm, const Value& v) {
  Value method = method_of(vm, v, "__getnewargs__");
  if (method.is_defined()) return vm.collect(vm.call(method));
  if (auto* text = v.try_as<Str>()) return {vm.str(text->view())};
  if (auto* tuple = v.try_as<Tuple>()) return {vm.tuple(tuple->items())};
  if (auto* bytes = v.try_as<Bytes>()) return {vm.bytes(bytes->data)};
  if (is_int(v)) return {number_binary(vm, BinaryOp::add, v, Value::integer(0))};
  return {};
}

// OSError keeps its file name beside its arguments.
static std::vector<Value> exception_arguments(Interpreter& vm, const Value& v) {
  std::vector<Value> arguments = vm.collect(vm.get_attribute(v, vm.intern("args")));
  if (arguments.size() != 2 || !vm.is_instance(v, vm.types.os_error)) return arguments;
  Value name = vm.try_get_attribute(v, vm.intern("filename"));
  if (is_given(name)) arguments.push_back(std::move(name));
  return arguments;
}

// A recipe that calls the class with the object's content.
static std::optional<Recipe> recipe_by_call(Interpreter& vm, const Value& v) {
  std::vector<Value> arguments;
  if (v.is<Exception>()) {
    arguments = exception_arguments(vm, v);
  } else if (v.is<Set>()) {
    arguments = {vm.list(vm.collect(v))};
  } else if (is_bytearray(v)) {
    arguments = {vm.bytes(v.as<Bytes>()->data)};
  } else {
    return std::nullopt;
  }
  return Recipe{Value(vm.type_of(v)), std::move(arguments), state_of(vm, v), {}, {}};
}

// A recipe that makes the object by __new__ alone and fills it then.
static Recipe recipe_by_new(Interpreter& vm, const Value& v) {
  Type* type = vm.type_of(v);
  if (!type->is_class) vm.raise_type_error("cannot pickle '{}' object", vm.type_name(v));
  std::vector<Value> arguments = new_arguments(vm, v);
  arguments.insert(arguments.begin(), Value(type));
  Recipe recipe{vm.get_attribute(Value(type), vm.intern("__new__")),
                std::move(arguments),
                state_of(vm, v),
                {},
                {}};
  if (v.is<List>()) recipe.items = vm.iterate(v);
  if (v.is<Dict>()) recipe.pairs = vm.call_method(v, "items");
  return recipe;
}

std::optional<Recipe> recipe_of(Interpreter& vm, const Value& v) {
  Value reduction = own_reduction(vm, v);
  if (reduction.is_defined()) return read_reduction(vm, reduction);
  auto recipe = recipe_by_call(vm, v);
  return recipe ? recipe : recipe_by_new(vm, v);
}

// --- state ---------------------------------------------------------------------------------------

std::pair<Value, Value> unpacked(Interpreter& vm, const Value& pair) {
  const std::vector<Value> parts = vm.collect(pair);
  if (parts.size() > 2) vm.raise_value_error("too many values to unpack (expected 2)");
  if (parts.size() == 2) return {parts[0], parts[1]};
  vm.raise_value_error("not enough values to unpack (expected 2, got {})", parts.size());
}

static Str* attribute_name(Interpreter& vm, const Value& name) {
  if (const Str* text = name.try_as<Str>()) return vm.intern(text->view());
  vm.raise_type_error("attribute name must be string, not '{}'", vm.type_name(name));
}

static void put_attributes(Interpreter& vm, const Value& into, const Value& attributes) {
  if (!is_given(attributes)) return;
  Ref<Dict> all = vm.dict();
  update_dict(vm, *all, attributes);
  each_entry(*all, [&](const Value& name, const Value& item) {
    set_own_attribute(vm, into, attribute_name(vm, name), item);
  });
}

void put_state(Interpreter& vm, const Value& into, const Value& state) {
  Value method = method_of(vm, into, "__setstate__");
  if (method.is_defined()) {
    vm.call(method, {state});
    return;
  }
  Tuple* both = state.try_as<Tuple>();
  if (!both || both->size != 2) return put_attributes(vm, into, state);
  put_attributes(vm, into, (*both)[0]);
  if (!is_given((*both)[1])) return;
  Value slots = vm.call_method((*both)[1], "items");
  vm.for_each(slots, [&](const Value& pair) {
    const auto [name, item] = unpacked(vm, pair);
    vm.set_attribute(into, attribute_name(vm, name), item);
  });
}

}  // namespace gpy::lib
