// functools.partial and partialmethod: a callable with some of its arguments.
#include "stdlib/native/functools/functools.h"
#include "src/typed_native.h"
#include "src/types/generic_alias.h"

namespace gpy::lib {

namespace {

struct Partial : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Value function;
  Ref<Tuple> arguments;
  Ref<Dict> keywords;
  Ref<Dict> attributes;
  template <class F> void each_field(F&& f) {
    f(function), f(arguments), f(keywords), f(attributes);
  }
};

}  // namespace

static Ref<Tuple> joined(Interpreter& vm, std::span<const Value> first,
                         std::span<const Value> second) {
  std::vector<Value> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return Tuple::make(vm, all);
}

static void merge(Interpreter& vm, Dict& into, Dict& from) {
  for (auto& entry : from.entries()) {
    if (entry.key.is_defined()) into.set(vm, entry.key, entry.value);
  }
}

static bool is_partial(const Value& v, const Type* type) {
  return v.is_object() && v.as_object()->type == type;
}

static Value make_partial(Interpreter& vm, Type& cls, std::span<const Value> given,
                          const Value& keywords) {
  if (given.empty()) vm.raise_type_error("type 'partial' takes at least one argument");
  if (!vm.is_callable(given[0])) vm.raise_type_error("the first argument must be callable");
  auto partial = vm.make<Partial>(&cls);
  partial->function = given[0];
  partial->keywords = vm.dict();
  std::span<const Value> earlier;
  if (is_partial(given[0], &cls)) {  // a partial of a partial is a single one
    auto* inner = given[0].as<Partial>();
    partial->function = inner->function;
    earlier = inner->arguments->items();
    merge(vm, *partial->keywords, *inner->keywords);
  }
  partial->arguments = joined(vm, earlier, given.subspan(1));
  merge(vm, *partial->keywords, *keywords.as<Dict>());
  return partial;
}

// Calls a partial that has keywords: those of the call override them.
static Value call_with_keywords(Interpreter& vm, Partial& partial, std::vector<Value> values,
                                const CallArgs& arguments) {
  auto positional = static_cast<uint32_t>(values.size());
  const Ref<Dict> all = vm.dict();
  merge(vm, *all, *partial.keywords);
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    all->set(arguments.names[i], arguments.keyword(i));
  }
  std::vector<Str*> names;  // `all` keeps them alive
  for (auto& entry : all->entries()) {
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  return vm.call(partial.function, {values.data(), positional, names});
}

static Value partial_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto& partial = *self.as<Partial>();
  auto kept = partial.arguments->items();
  std::vector<Value> values;
  values.reserve(kept.size() + arguments.positional + arguments.names.size());
  values.insert(values.end(), kept.begin(), kept.end());
  values.insert(values.end(), arguments.values, arguments.values + arguments.positional);
  if (partial.keywords->size() > 0) {
    return call_with_keywords(vm, partial, std::move(values), arguments);
  }
  auto positional = static_cast<uint32_t>(values.size());
  values.insert(values.end(), arguments.values + arguments.positional,
                arguments.values + arguments.positional + arguments.names.size());
  return vm.call(partial.function, {values.data(), positional, arguments.names});
}

static std::string partial_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "...";
  auto& partial = *self.as<Partial>();
  std::string text = fmt::format("functools.{}({}", partial.type->name, vm.repr(partial.function));
  for (const Value& each : partial.arguments->items()) text += ", " + vm.repr(each);
  for (auto& entry : partial.keywords->entries()) {
    if (entry.key.is_undefined()) continue;
    text += fmt::format(", {}={}", vm.to_str(entry.key), vm.repr(entry.value));
  }
  return text + ")";
}

static Value get_function(Interpreter&, const Value& self) { return self.as<Partial>()->function; }
static Value get_arguments(Interpreter&, const Value& self) {
  return self.as<Partial>()->arguments;
}
static Value get_keywords(Interpreter&, const Value& self) { return self.as<Partial>()->keywords; }

static Value reduce(Interpreter& vm, Partial& self) {
  Value attributes = self.attributes ? Value(self.attributes) : Value::none();
  Value state = vm.tuple({self.function, self.arguments, self.keywords, attributes});
  return vm.tuple({Value(self.type), vm.tuple({self.function}), state});
}

static Value set_state(Interpreter& vm, Partial& self, const Value& state) {
  Tuple* parts = state.try_as<Tuple>();
  const bool fits = parts && parts->size == 4 && vm.is_callable((*parts)[0]) &&
                    (*parts)[1].is<Tuple>() && (*parts)[2].is<Dict>();
  if (!fits) vm.raise_type_error("invalid partial state");
  self.function = (*parts)[0];
  self.arguments = (*parts)[1].as<Tuple>();
  self.keywords = (*parts)[2].as<Dict>();
  self.attributes = (*parts)[3].try_as<Dict>();
  return Value::none();
}

static const Native kMethods[] = {
    {"__reduce__", "(self, /)", typed<reduce>, "How it is made once more."},
    {"__setstate__", "(self, state, /)", typed<set_state>, "Takes over what __reduce__ told."},
};
static const NativeGetter kGetters[] = {
    {"func", get_function},
    {"args", get_arguments},
    {"keywords", get_keywords},
    GPY_OWN_ATTRIBUTES(Partial),
};

static const Native kPartial = {"partial", "(cls, /, *args, **keywords)", typed<make_partial>,
                                "partial(func, *args, **keywords): func with these arguments "
                                "given already."};

// --- partialmethod -------------------------------------------------------------------------------

// Binds a partialmethod in a class: the result is a partial with the instance in front.
static Value bind_partial_method(Interpreter& vm, const Value& attribute, const Value& instance,
                                 Type* owner) {
  auto& method = *attribute.as<Partial>();
  const Value* partial = method.type->lookup(vm.intern("_partial"));
  Value function = method.function;
  auto bind = vm.type_of(function)->slots.bind;
  bool bound = bind && instance.is_defined() && !function.is<Function>();
  if (bound) function = bind(vm, function, instance, owner);
  std::vector<Value> values{function};
  if (!bound && instance.is_defined()) values.push_back(instance);
  auto kept = method.arguments->items();
  values.insert(values.end(), kept.begin(), kept.end());
  auto positional = static_cast<uint32_t>(values.size());
  std::vector<Str*> names;
  for (auto& entry : method.keywords->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    values.push_back(entry.value);
  }
  return vm.call(*partial, {values.data(), positional, names});
}

static const Native kPartialMethod = {"partialmethod", "(cls, /, *args, **keywords)",
                                      typed<make_partial>,
                                      "A partial that is a method of the class that holds it."};

void add_partial(Interpreter& vm, Module& module) {
  Type* partial = vm.make_type<Partial>({.name = "partial",
                                         .module = "functools",
                                         .doc = kPartial.doc,
                                         .slots = {.repr = partial_repr,
                                                   .call = partial_call,
                                                   .getattr = get_own<Partial>,
                                                   .setattr = set_own<Partial>,
                                                   .list_names = list_own<Partial>,
                                                   .traverse = traverse_fields<Partial>},
                                         .methods = kMethods,
                                         .getters = kGetters,
                                         .constructor = &kPartial,
                                         .is_final = false});
  take_type_arguments(partial);
  Type* method = vm.make_type<Partial>({.name = "partialmethod",
                                        .module = "functools",
                                        .doc = kPartialMethod.doc,
                                        .slots = {.repr = partial_repr,
                                                  .getattr = get_own<Partial>,
                                                  .setattr = set_own<Partial>,
                                                  .bind = bind_partial_method,
                                                  .traverse = traverse_fields<Partial>},
                                        .getters = kGetters,
                                        .constructor = &kPartialMethod});
  method->set_attribute(vm.intern("_partial"), Value(partial));
  module.set(vm, "partial", Value(partial));
  module.set(vm, "partialmethod", Value(method));
}

}  // namespace gpy::lib
