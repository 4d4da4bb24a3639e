// The module copy.
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"
#include "src/types/dict.h"
#include "stdlib/native/copy/recipe.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

// Whether the value cannot change, or is not copied by its nature.
static bool is_atomic(const Value& v) {
  if (!v.is_object()) return true;
  switch (v.as_object()->layout) {
    case ObjectLayout::bytes:
      if (is_bytearray(v)) return false;
      [[fallthrough]];
    case ObjectLayout::str:
    case ObjectLayout::big_int:
    case ObjectLayout::complex:
    case ObjectLayout::range:
    case ObjectLayout::slice:
    case ObjectLayout::type:
    case ObjectLayout::property:
    case ObjectLayout::function:
    case ObjectLayout::native_function:
    case ObjectLayout::code: return !v.as_object()->type->is_class;
    default: return false;
  }
}

// Makes the object of a recipe from copies of its parts, made by `part`. `note` gets the object
// before its state and items are set, which may refer to it.
template <class Part, class Note>
static Value follow(Interpreter& vm, const Recipe& recipe, Part&& part, Note&& note) {
  std::vector<Value> arguments;
  for (const Value& each : recipe.arguments) arguments.push_back(part(each));
  Value made =
      vm.call(recipe.make, CallArgs{arguments.data(), static_cast<uint32_t>(arguments.size())});
  note(made);
  if (is_given(recipe.state)) put_state(vm, made, part(recipe.state));
  if (is_given(recipe.items)) {
    vm.for_each(recipe.items,
                [&](const Value& item) { vm.call_method(made, "append", {part(item)}); });
  }
  if (is_given(recipe.pairs)) {
    vm.for_each(recipe.pairs, [&](const Value& pair) {
      const auto [key, item] = unpacked(vm, pair);
      const Value own_key = part(key);
      vm.set_item(made, own_key, part(item));
    });
  }
  return made;
}

// --- deepcopy ------------------------------------------------------------------------------------

namespace {

// A deep copy in progress: the objects copied so far, by identity.
struct Copying {
  Interpreter& vm;
  Ref<Dict> memo;           // id -> copy, as __deepcopy__ gets it
  std::vector<Value> kept;  // keeps the originals, so that no identity is used again

  Value copy(const Value& v);
  Value list(const Value& v);
  Value tuple(const Value& v);
  Value dict(const Value& v);
  Value set(const Value& v);
  Value method(const Value& v);
  Value other(const Value& v);
  void note(const Value& original, const Value& copied);
};

}  // namespace

static Value identity(const Value& v) {
  return Value::integer(static_cast<int64_t>(reinterpret_cast<intptr_t>(v.as_object())));
}

void Copying::note(const Value& original, const Value& copied) {
  memo->set(vm, identity(original), copied);
  kept.push_back(original);
}

Value Copying::copy(const Value& v) {
  vm.poll();
  if (is_atomic(v)) return v;
  if (Value* known = memo->find(vm, identity(v))) return *known;
  vm.check_stack();
  const Type* type = vm.type_of(v);
  if (type == vm.types.list) return list(v);
  if (type == vm.types.tuple) return tuple(v);
  if (type == vm.types.dict) return dict(v);
  if (type == vm.types.set) return set(v);
  if (v.is<BoundMethod>()) return method(v);
  Value own = method_of(vm, v, "__deepcopy__");
  if (own.is_undefined()) return other(v);
  Value copied = vm.call(own, {memo});
  if (!copied.same(v)) note(v, copied);
  return copied;
}

Value Copying::list(const Value& v) {
  Value copied = vm.list();
  note(v, copied);
  for (size_t i = 0; i < v.as<List>()->items.size(); ++i) {
    Value item = v.as<List>()->items[i];
    copied.as<List>()->items.push_back(copy(item));
  }
  return copied;
}

Value Copying::tuple(const Value& v) {
  std::vector<Value> items;
  bool changed = false;
  for (const Value& item : v.as<Tuple>()->items()) {
    items.push_back(copy(item));
    changed |= !items.back().same(item);
  }
  if (Value* known = memo->find(vm, identity(v))) return *known;  // the object holds itself
  if (!changed) return v;
  Value copied = vm.tuple(items);
  note(v, copied);
  return copied;
}

Value Copying::dict(const Value& v) {
  Ref<Dict> copied = vm.dict();
  note(v, copied);
  each_entry(*v.as<Dict>(), [&](const Value& key, const Value& item) {
    Value value = copy(item);  // before the key, as an assignment does
    copied->set(vm, copy(key), std::move(value));
  });
  return copied;
}

Value Copying::set(const Value& v) {
  Ref<Set> copied = vm.set();
  note(v, copied);
  for (const Value& item : vm.collect(v)) copied->add(vm, copy(item));
  return copied;
}

// Binds a method to a copy of its object; a native method stays bound to the original.
Value Copying::method(const Value& v) {
  const auto& bound = *v.as<BoundMethod>();
  if (bound.function.is<NativeFunction>()) return v;
  return vm.make<BoundMethod>(bound.type, bound.function, copy(bound.self));
}

Value Copying::other(const Value& v) {
  const auto recipe = recipe_of(vm, v);
  if (!recipe) return v;
  return follow(
      vm, *recipe, [&](const Value& part) { return copy(part); },
      [&](const Value& made) { note(v, made); });
}

static Value deepcopy(Interpreter& vm, const Value& v, const Value& memo) {
  Ref<Dict> known(memo.is_none() ? vm.dict() : Ref<Dict>(memo.try_as<Dict>()));
  if (!known) vm.raise_type_error("memo must be a dict, not {}", vm.type_name(memo));
  return Copying{vm, known, {}}.copy(v);
}

// --- copy ----------------------------------------------------------------------------------------

static Value copy(Interpreter& vm, const Value& v) {
  if (is_atomic(v)) return v;
  const Type* type = vm.type_of(v);
  if (type == vm.types.list) return vm.list(copy_items(vm, v.as<List>()->items));
  if (type == vm.types.dict) return v.as<Dict>()->copy();
  if (type == vm.types.tuple || type == vm.types.frozenset) return v;
  if (type == vm.types.set) return vm.call_method(v, "copy");
  if (v.is<BoundMethod>()) return v;
  Value own = method_of(vm, v, "__copy__");
  if (own.is_defined()) return vm.call(own);
  const auto recipe = recipe_of(vm, v);
  auto itself = [](const Value& part) { return part; };
  return recipe ? follow(vm, *recipe, itself, [](const Value&) {}) : v;
}

static const Native kRows[] = {
    {"copy", "(x)", typed<copy>, "A copy that holds the same items."},
    {"deepcopy", "(x, memo=None)", typed<deepcopy>, "A copy that holds copies of the items."},
};

Value open_copy(Interpreter& vm) {
  Ref<Module> module = vm.make_module("copy", kRows);
  Type* error = vm.make_type<Exception>(
      {.name = "Error", .module = "copy", .base = vm.types.exception, .is_final = false});
  module->set(vm, "Error", Value(error));
  module->set(vm, "error", Value(error));
  return module;
}

}  // namespace gpy::lib
