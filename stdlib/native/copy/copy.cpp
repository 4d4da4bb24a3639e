// The module copy.
#include "src/objects/builtin.h"
#include "src/classes/attributes.h"
#include "src/classes/make_class.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/numbers/number.h"
#include "src/types/dict.h"
#include "stdlib/native/collections/deque.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

namespace {

// A deep copy under way: what is copied already, by identity.
struct Copying {
  Interpreter& vm;
  Ref<Dict> memo;           // id -> copy, as __deepcopy__ gets it
  std::vector<Value> kept;  // so that no identity is used again

  Value copy(const Value& v);
  Value list(const Value& v);
  Value tuple(const Value& v);
  Value dict(const Value& v);
  Value set(const Value& v);
  Value instance(const Value& v);
  void note(const Value& original, const Value& copied);
};

}  // namespace

static Value identity(const Value& v) {
  return Value::integer(static_cast<int64_t>(reinterpret_cast<intptr_t>(v.as_object())));
}

// What cannot change, or is not copied by its nature.
static bool is_atomic(const Value& v) {
  if (!v.is_object()) return true;
  switch (v.as_object()->layout) {
    case Layout::str:
    case Layout::bytes:
    case Layout::big_int:
    case Layout::complex:
    case Layout::range:
    case Layout::slice:
    case Layout::type:
    case Layout::property:
    case Layout::function:
    case Layout::native_function:
    case Layout::module:
    case Layout::code: return !v.as_object()->type->is_class;
    default: return false;
  }
}

static Value method_of(Interpreter& vm, const Value& v, std::string_view name) {
  if (v.is<Type>()) return Value();
  Value found = vm.try_get_attribute(v, vm.intern(name));
  return found.is_none() ? Value() : found;
}

// An object of the same class without its attributes, made by the class's builtin base.
static Value blank(Interpreter& vm, const Value& v, std::span<const Value> arguments = {}) {
  Type* type = vm.type_of(v);
  std::vector<Value> values{Value(type)};
  values.insert(values.end(), arguments.begin(), arguments.end());
  return vm.call(vm.get_attribute(Value(type), vm.intern("__new__")),
                 CallArgs{values.data(), static_cast<uint32_t>(values.size())});
}

// What __new__ is to get: the number or text that v is, or what the class says.
static std::vector<Value> new_arguments(Interpreter& vm, const Value& v) {
  if (auto* text = v.try_as<Str>()) return {vm.str(text->view())};
  if (is_int(v) || v.is<Bytes>()) return {v};
  Value method = method_of(vm, v, "__getnewargs__");
  return method.is_defined() ? vm.collect(vm.call(method)) : std::vector<Value>();
}

// What a copy gets beside its items: the attributes in a dict, or what the class says.
static Value state_of(Interpreter& vm, const Value& v) {
  Value method = method_of(vm, v, "__getstate__");
  if (method.is_defined()) return vm.call(method);
  if (auto* instance = v.try_as<Instance>()) return Value(Ref<Dict>(&instance->dict(vm)));
  return vm.try_get_attribute(v, vm.intern("__dict__"));
}

static void put_state(Interpreter& vm, const Value& into, const Value& state) {
  if (state.is_undefined() || state.is_none()) return;
  Value method = method_of(vm, into, "__setstate__");
  if (method.is_defined()) {
    vm.call(method, {state});
    return;
  }
  if (!state.is<Dict>()) {
    vm.raise_type_error(
        "__getstate__() should return a dict where there is no __setstate__, not {}",
        vm.type_name(state));
  }
  each_entry(*state.as<Dict>(), [&](const Value& name, const Value& item) {
    set_own_attribute(vm, into, vm.intern(vm.to_text(name)), item);
  });
}

// In CPython's words, which copies by pickling.
[[noreturn]] static void refuse(Interpreter& vm, const Value& v) {
  vm.raise_type_error("cannot pickle '{}' object", vm.type_name(v));
}

static Value copied_tuple(Interpreter& vm, const Value& v) {
  return adopt(vm, vm.type_of(v), Tuple::make(vm, v.as<Tuple>()->items()));
}

// An object of the same class with the same items, without attributes.
static Value copied_items(Interpreter& vm, const Value& v) {
  if (v.is<Tuple>()) return copied_tuple(vm, v);
  if (v.is<Exception>()) {
    const std::vector<Value> args = vm.collect(vm.get_attribute(v, vm.intern("args")));
    return vm.call(Value(vm.type_of(v)), CallArgs{args.data(), static_cast<uint32_t>(args.size())});
  }
  if (!v.is<List>() && !v.is<Set>() && !v.is<Dict>()) {
    if (!vm.type_of(v)->is_class) refuse(vm, v);
    return blank(vm, v, new_arguments(vm, v));
  }
  Value made = blank(vm, v);
  if (v.is<List>()) made.as<List>()->items = v.as<List>()->items;
  if (v.is<Set>()) vm.for_each(v, [&](const Value& item) { made.as<Set>()->add(vm, item); });
  if (v.is<Dict>()) update_dict(vm, *made.as<Dict>(), v);
  return made;
}

// How a builtin type copies its objects; what a script says of shallow copies is not for deep ones.
static Value native_copy(Interpreter& vm, const Value& v) {
  const Value* found = vm.type_of(v)->lookup(vm.intern("__copy__"));
  return found && found->is<Function>() ? Value() : method_of(vm, v, "__copy__");
}

// --- deepcopy ------------------------------------------------------------------------------------

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
  if (type == vm.types.frozenset) return v;
  Value own = method_of(vm, v, "__deepcopy__");
  Value copied = own.is_defined() ? vm.call(own, {memo}) : instance(v);
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
  if (Value* known = memo->find(vm, identity(v))) return *known;  // it holds itself
  if (!changed) return v;
  Value copied = vm.tuple(items);
  note(v, copied);
  return copied;
}

Value Copying::dict(const Value& v) {
  Ref<Dict> copied = vm.dict();
  note(v, copied);
  each_entry(*v.as<Dict>(),
             [&](const Value& key, const Value& item) { copied->set(vm, copy(key), copy(item)); });
  return copied;
}

Value Copying::set(const Value& v) {
  Ref<Set> copied = vm.set();
  note(v, copied);
  for (const Value& item : vm.collect(v)) copied->add(vm, copy(item));
  return copied;
}

// A kind of list, dict or others, or an object with attributes.
Value Copying::instance(const Value& v) {
  Value own = native_copy(vm, v);
  Value shallow = own.is_defined() ? vm.call(own) : copied_items(vm, v);
  if (shallow.same(v)) return v;
  note(v, shallow);
  if (v.is<List>()) {
    auto& items = shallow.as<List>()->items;
    for (size_t i = 0; i < items.size(); ++i) {
      Value copied = copy(Value(items[i]));
      if (i < items.size()) items[i] = std::move(copied);
    }
  } else if (v.is<Dict>()) {
    for (const Value& key : vm.collect(v)) vm.set_item(shallow, key, copy(vm.get_item(v, key)));
  } else if (is_deque(v)) {
    for (int64_t i = 0; i < vm.length(shallow); ++i) {
      Value at = Value::integer(i);
      vm.set_item(shallow, at, copy(vm.get_item(v, at)));
    }
  } else if (Tuple* items = v.try_as<Tuple>()) {
    for (size_t i = 0; i < items->size; ++i) (*shallow.as<Tuple>())[i] = copy((*items)[i]);
  } else if (v.is<Exception>()) {
    Str* args = vm.intern("args");
    vm.set_attribute(shallow, args, copy(vm.get_attribute(v, args)));
  }
  Value state = state_of(vm, v);
  if (state.is_defined()) put_state(vm, shallow, copy(state));
  return shallow;
}

static Value deepcopy(Interpreter& vm, Args args) {
  Ref<Dict> memo(args[1].is_none() ? vm.dict() : Ref<Dict>(args[1].try_as<Dict>()));
  if (!memo) vm.raise_type_error("memo must be a dict, not {}", vm.type_name(args[1]));
  return Copying{vm, memo, {}}.copy(args[0]);
}

// --- copy ----------------------------------------------------------------------------------------

static Value copied_object(Interpreter& vm, const Value& v) {
  Value made = copied_items(vm, v);
  put_state(vm, made, state_of(vm, v));
  return made;
}

static Value copy(Interpreter& vm, Args args) {
  const Value& v = args[0];
  if (is_atomic(v)) return v;
  const Type* type = vm.type_of(v);
  if (type == vm.types.list) return vm.list(copy_items(vm, v.as<List>()->items));
  if (type == vm.types.dict) return v.as<Dict>()->copy();
  if (type == vm.types.tuple || type == vm.types.frozenset) return v;
  if (type == vm.types.set) return vm.call_method(v, "copy");
  Value own = method_of(vm, v, "__copy__");
  return own.is_defined() ? vm.call(own) : copied_object(vm, v);
}

static const Native kRows[] = {
    {"copy", "(x)", copy, "A copy that holds the same items."},
    {"deepcopy", "(x, memo=None)", deepcopy, "A copy that holds copies of the items."},
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
