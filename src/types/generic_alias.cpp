#include "src/types/generic_alias.h"

#include <algorithm>
#include <array>

#include "src/interpreter.h"
#include "src/memory/traverse.h"
#include "src/objects/builtin.h"
#include "src/state.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

struct GenericAlias : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  GenericAlias(Type* type, Value origin, Ref<Tuple> arguments)
      : Object(type), origin(std::move(origin)), arguments(std::move(arguments)) {}
  Value origin;
  Ref<Tuple> arguments;
};

}  // namespace

static std::string alias_repr(Interpreter& vm, const Value& self);

bool is_generic_alias(const Value& v) {
  return v.is_object() && v.as_object()->type->slots.repr == alias_repr;
}

Type* generic_alias_type(Interpreter& vm) {
  for (Type* type : vm.state().all_types) {
    if (type->slots.repr == alias_repr) return type;
  }
  return nullptr;
}

static Ref<Tuple> as_tuple(Interpreter& vm, const Value& v) {
  return v.is<Tuple>() ? Ref<Tuple>(v.as<Tuple>()) : Tuple::make(vm, std::array{v});
}

Value make_generic_alias(Interpreter& vm, const Value& origin, const Value& arguments) {
  return vm.make<GenericAlias>(generic_alias_type(vm), origin, as_tuple(vm, arguments));
}

// --- type variables ------------------------------------------------------------------------------

// Whether a value is a type variable: it has a method for what may stand in its place.
static bool is_variable(Interpreter& vm, const Value& v) {
  return !v.is<Type>() && vm.type_of(v)->lookup(vm.intern("__typing_subst__"));
}

// The type variables of an argument that has arguments itself.
static std::vector<Value> inner_parameters(Interpreter& vm, const Value& v) {
  if (!v.is_object() || v.is<Type>()) return {};
  vm.check_stack();
  vm.poll();
  Value found = vm.try_get_attribute(v, vm.intern("__parameters__"));
  if (!found.is<Tuple>()) return {};
  auto items = found.as<Tuple>()->items();
  return {items.begin(), items.end()};
}

static size_t place_in(std::span<const Value> known, const Value& v) {
  auto same = [&](const Value& each) { return each.same(v); };
  return static_cast<size_t>(std::find_if(known.begin(), known.end(), same) - known.begin());
}

std::vector<Value> type_parameters(Interpreter& vm, std::span<const Value> arguments) {
  std::vector<Value> found;
  for (const Value& argument : arguments) {
    auto variables =
        is_variable(vm, argument) ? std::vector{argument} : inner_parameters(vm, argument);
    for (const Value& each : variables) {
      if (place_in(found, each) == found.size()) found.push_back(each);
    }
  }
  return found;
}

static void check_count(Interpreter& vm, const Value& alias, size_t wanted, size_t given) {
  if (wanted == 0) vm.raise_type_error("{} is not a generic class", vm.repr(alias));
  if (wanted == given) return;
  vm.raise_type_error("Too {} arguments for {}; actual {}, expected {}",
                      given > wanted ? "many" : "few", vm.repr(alias), given, wanted);
}

std::vector<Value> with_type_arguments(Interpreter& vm, const Value& alias,
                                       std::span<const Value> arguments, const Value& items) {
  const std::vector<Value> variables = type_parameters(vm, arguments);
  const Ref<Tuple> given = as_tuple(vm, items);
  check_count(vm, alias, variables.size(), given->size);
  auto value_of = [&](const Value& v) { return (*given)[place_in(variables, v)]; };
  std::vector<Value> made;
  for (const Value& argument : arguments) {
    std::vector<Value> inner;
    if (is_variable(vm, argument)) {
      made.push_back(vm.call_method(argument, "__typing_subst__", {value_of(argument)}));
    } else if (inner = inner_parameters(vm, argument); inner.empty()) {
      made.push_back(argument);
    } else {
      std::transform(inner.begin(), inner.end(), inner.begin(), value_of);
      made.push_back(vm.get_item(argument, vm.tuple(inner)));
    }
  }
  return made;
}

// --- as a value ----------------------------------------------------------------------------------

std::string annotation_text(Interpreter& vm, const Value& v) {
  if (v.is_ellipsis()) return "...";
  return v.is<Type>() ? v.as<Type>()->shown_name() : vm.repr(v);
}

static std::string alias_repr(Interpreter& vm, const Value& self) {
  vm.check_stack();
  const auto& alias = *self.as<GenericAlias>();
  std::string text;
  for (const Value& each : alias.arguments->items()) {
    text += (text.empty() ? "" : ", ") + annotation_text(vm, each);
  }
  return fmt::format("{}[{}]", annotation_text(vm, alias.origin), text.empty() ? "()" : text);
}

static int64_t alias_hash(Interpreter& vm, const Value& self) {
  vm.check_stack();
  const auto& alias = *self.as<GenericAlias>();
  const int64_t hash = vm.hash(alias.origin) ^ vm.hash(Value(alias.arguments));
  return hash == -1 ? -2 : hash;
}

static Value alias_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !is_generic_alias(other)) return Value::not_implemented();
  vm.check_stack();
  const auto &a = *self.as<GenericAlias>(), &b = *other.as<GenericAlias>();
  const bool equal =
      vm.equal(a.origin, b.origin) && vm.equal(Value(a.arguments), Value(b.arguments));
  return Value::boolean(equal == (op == CompareOp::equal));
}

static Value alias_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const auto& alias = *self.as<GenericAlias>();
  auto arguments = with_type_arguments(vm, self, alias.arguments->items(), key);
  return make_generic_alias(vm, alias.origin, vm.tuple(arguments));
}

// An object of a class gets the alias that made it as __orig_class__.
static Value alias_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  vm.check_stack();
  Value made = vm.call(self.as<GenericAlias>()->origin, arguments);
  if (!vm.type_of(made)->is_class) return made;
  try {
    vm.set_attribute(made, vm.intern("__orig_class__"), self);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.attribute_error) &&
        !vm.is_instance(raised.exception, vm.types.type_error)) {
      throw;
    }
  }
  return made;
}

// All other attributes are the type's own.
static Value alias_getattr(Interpreter& vm, const Value& self, Str* name) {
  for (std::string_view own : {"__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"}) {
    if (name->view() == own) return Value();
  }
  return vm.try_get_attribute(self.as<GenericAlias>()->origin, name);
}

static void alias_list_names(Interpreter& vm, const Value& self, std::vector<Str*>& names) {
  for (Str* each : vm.attribute_names(self.as<GenericAlias>()->origin)) names.push_back(each);
}

// --- the type ------------------------------------------------------------------------------------

static Value get_origin(Interpreter&, const Value& self) { return self.as<GenericAlias>()->origin; }

static Value get_arguments(Interpreter&, const Value& self) {
  return self.as<GenericAlias>()->arguments;
}

static Value get_parameters(Interpreter& vm, const Value& self) {
  return vm.tuple(type_parameters(vm, self.as<GenericAlias>()->arguments->items()));
}

// A class with an alias as base gets the type as base.
static Value stand_for(Interpreter& vm, GenericAlias& self, const Value&) {
  return vm.tuple({self.origin});
}

static Value make_alias(Interpreter& vm, const Value&, const Value& origin,
                        const Value& arguments) {
  return make_generic_alias(vm, origin, arguments);
}

static const Native kBrackets[] = {
    {"__class_getitem__", "(cls, item, /)", typed<make_generic_alias>,
     "The type with arguments, for annotations.", Native::class_method}};

void take_type_arguments(Type* type) { type->methods.push_back(kBrackets); }

static const NativeGetter kGetters[] = {
    {"__origin__", get_origin, nullptr, "The type in front of the brackets."},
    {"__args__", get_arguments, nullptr, "What stands in the brackets."},
    {"__parameters__", get_parameters, nullptr, "The type variables in them."},
};
static const Native kMethods[] = {
    {"__mro_entries__", "(self, bases, /)", typed<stand_for>,
     "The classes that it stands for as a base."},
};
static const Native kConstructor = {"GenericAlias", "(type, origin, args, /)", typed<make_alias>,
                                    "A type with arguments: list[int]."};

void setup_generic_alias(Interpreter& vm) {
  vm.make_type<GenericAlias>(
      {.name = "GenericAlias",
       .module = "types",
       .doc = "A type with arguments: list[int].",
       .slots = {.repr = alias_repr,
                 .hash = alias_hash,
                 .compare = alias_compare,
                 .getitem = alias_getitem,
                 .call = alias_call,
                 .getattr = alias_getattr,
                 .list_names = alias_list_names,
                 .traverse = traverse<&GenericAlias::origin, &GenericAlias::arguments>},
       .methods = kMethods,
       .getters = kGetters,
       .constructor = &kConstructor});
  const Types& t = vm.types;
  for (Type* each : {t.list, t.tuple, t.dict, t.set, t.frozenset, t.enumerate}) {
    take_type_arguments(each);
  }
}

}  // namespace gpy
