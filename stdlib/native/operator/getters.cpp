// itemgetter, attrgetter, methodcaller.
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "stdlib/native/operator/operator.h"

namespace gpy::lib {

namespace {

// An itemgetter, attrgetter or methodcaller, with its arguments.
struct Getter : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Ref<Tuple> parameters;
  Ref<Dict> keywords;
};

}  // namespace

// These keep the tuple of their arguments itself.
static Ref<Getter> make_getter(Interpreter& vm, Type& cls, const Value& parameters) {
  auto getter = vm.make<Getter>(&cls);
  getter->parameters = parameters.as<Tuple>();
  return getter;
}

static Value make_itemgetter(Interpreter& vm, Type& cls, const Value& items) {
  if (items.as<Tuple>()->size == 0) vm.raise_type_error("itemgetter expected 1 argument, got 0");
  return make_getter(vm, cls, items);
}

static Value make_attrgetter(Interpreter& vm, Type& cls, const Value& attrs) {
  if (attrs.as<Tuple>()->size == 0) vm.raise_type_error("attrgetter expected 1 argument, got 0");
  for (const Value& path : attrs.as<Tuple>()->items()) {
    if (!path.is<Str>()) vm.raise_type_error("attribute name must be a string");
  }
  return make_getter(vm, cls, attrs);
}

static Value make_methodcaller(Interpreter& vm, Type& cls, const Value& arguments,
                               const Value& keywords) {
  const auto parameters = arguments.as<Tuple>()->items();
  if (parameters.empty())
    vm.raise_type_error("methodcaller needs at least one argument, the method name");
  if (!parameters[0].is<Str>()) vm.raise_type_error("method name must be a string");
  auto getter = make_getter(vm, cls, arguments);
  getter->keywords = keywords.as<Dict>();
  return getter;
}

static const Value& only_argument(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  if (!arguments.names.empty()) {
    vm.raise_type_error("{}() takes no keyword arguments", vm.type_of(self)->name);
  }
  if (arguments.positional != 1) {
    vm.raise_type_error("{} expected 1 argument, got {}", vm.type_of(self)->name,
                        arguments.positional);
  }
  return arguments.values[0];
}

template <class Get> static Value get_each(Interpreter& vm, const Value& self, Get&& get) {
  auto parameters = self.as<Getter>()->parameters->items();
  if (parameters.size() == 1) return get(parameters[0]);
  std::vector<Value> results;
  for (const Value& each : parameters) results.push_back(get(each));
  return vm.tuple(results);
}

static Value call_itemgetter(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value& object = only_argument(vm, self, arguments);
  return get_each(vm, self, [&](const Value& key) { return vm.get_item(object, key); });
}

static Value follow(Interpreter& vm, Value object, std::string_view path) {
  while (!path.empty()) {
    size_t end = std::min(path.find('.'), path.size());
    object = vm.get_attribute(object, path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return object;
}

static Value call_attrgetter(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const Value& object = only_argument(vm, self, arguments);
  return get_each(vm, self,
                  [&](const Value& path) { return follow(vm, object, path.as<Str>()->view()); });
}

static Value call_methodcaller(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  const auto* caller = self.as<Getter>();
  auto parameters = caller->parameters->items();
  Value method =
      vm.get_attribute(only_argument(vm, self, arguments), parameters[0].as<Str>()->view());
  return call_with(vm, method, parameters.subspan(1), *caller->keywords);
}

static std::string getter_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "...";
  const auto* getter = self.as<Getter>();
  std::string items;
  for (const Value& each : getter->parameters->items()) items += ", " + vm.repr(each);
  if (getter->keywords) {
    for (auto& entry : getter->keywords->entries()) {
      if (entry.key.is_undefined()) continue;
      items += fmt::format(", {}={}", vm.to_str(entry.key), vm.repr(entry.value));
    }
  }
  return fmt::format("{}({})", getter->type->full_name(), items.substr(2));
}

static Value reduce(Interpreter& vm, Getter& self) {
  return vm.tuple({Value(self.type), self.parameters});
}
static const Native kMethods[] = {
    {"__reduce__", "(self, /)", typed<reduce>, "How it is made once more."},
};

static const Native kMakeItemgetter = {"itemgetter", "(cls, /, *items)", typed<make_itemgetter>,
                                       "itemgetter(k)(x) is x[k]; several keys give a tuple."};
static const Native kMakeAttrgetter = {
    "attrgetter", "(cls, /, *attrs)", typed<make_attrgetter>,
    "attrgetter('a.b')(x) is x.a.b; several names give a tuple."};
static const Native kMakeMethodcaller = {"methodcaller", "(cls, /, *args, **kwargs)",
                                         typed<make_methodcaller>,
                                         "methodcaller(name, ...)(x) is x.name(...)."};

static Value getter_type(Interpreter& vm, const Native* constructor,
                         Value (*call)(Interpreter&, const Value&, const CallArgs&),
                         std::span<const Native> methods = {}) {
  return Value(
      vm.make_type<Getter>({.name = constructor->name,
                            .module = "operator",
                            .doc = constructor->doc,
                            .slots = {.repr = getter_repr,
                                      .call = call,
                                      .traverse = traverse<&Getter::parameters, &Getter::keywords>},
                            .methods = methods,
                            .constructor = constructor}));
}

void add_getters(Interpreter& vm, Module& module) {
  module.set(vm, "itemgetter", getter_type(vm, &kMakeItemgetter, call_itemgetter, kMethods));
  module.set(vm, "attrgetter", getter_type(vm, &kMakeAttrgetter, call_attrgetter, kMethods));
  module.set(vm, "methodcaller", getter_type(vm, &kMakeMethodcaller, call_methodcaller));
}

}  // namespace gpy::lib
