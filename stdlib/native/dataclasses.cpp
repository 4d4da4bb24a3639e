// The native part of dataclasses: __init__ of a class from its fields.
#include "src/objects/builtin.h"
#include "src/calls/call_errors.h"
#include "src/classes/attributes.h"
#include "src/interpreter.h"
#include "stdlib/native/attributes.h"
#include "stdlib/native/dataclass_methods.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/keywords.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

namespace {

struct Field {
  Str* name;
  Value fallback, factory;  // undefined: none
  bool is_argument, keyword_only, is_attribute;
};

struct Initialiser : Object {
  static constexpr Layout kLayout = Layout::plain;
  using Object::Object;
  std::string name;  // "Point.__init__"
  std::vector<Field> fields;
  bool then_more = false;  // __post_init__
  bool frozen = false;     // past the class's __setattr__
  template <class F> void each_field(F&& f) {
    for (auto& field : fields) f(field.fallback), f(field.factory);
  }
};

// One call: the values for the fields, in their order.
struct Binding {
  Interpreter& vm;
  Initialiser& callee;
  std::vector<Value> values;

  void take_positionals(const CallArgs& arguments);
  void take_keywords(const CallArgs& arguments);
  void take_defaults();
  void check_missing(bool keyword_only);
  void store(const Value& self);
};

}  // namespace

void Binding::take_positionals(const CallArgs& arguments) {
  size_t given = 1, positional = 1, least = 1;
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    if (!field.is_argument || field.keyword_only) continue;
    ++positional;
    least += field.fallback.is_undefined() && field.factory.is_undefined();
    if (given < arguments.positional) values[i] = arguments.values[given++];
  }
  if (arguments.positional > positional) {
    raise_too_many_arguments(vm, callee.name, {least, positional, arguments.positional, 0});
  }
}

void Binding::take_keywords(const CallArgs& arguments) {
  for (size_t k = 0; k < arguments.names.size(); ++k) {
    std::string_view name = arguments.names[k]->view();
    NameList known;
    size_t found = values.size();
    for (size_t i = 0; i < callee.fields.size(); ++i) {
      const Field& field = callee.fields[i];
      if (!field.is_argument) continue;
      known.push_back(field.name->view());
      if (field.name->view() == name) found = i;
    }
    if (found == values.size()) raise_unexpected_keyword(vm, callee.name, name, known);
    if (values[found].is_defined()) raise_multiple_values(vm, callee.name, name);
    values[found] = arguments.keyword(k);
  }
}

void Binding::check_missing(bool keyword_only) {
  NameList missing;
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    bool wanted = field.is_argument && field.keyword_only == keyword_only;
    if (wanted && values[i].is_undefined()) missing.push_back(field.name->view());
  }
  if (missing.empty()) return;
  raise_missing_arguments(vm, callee.name, keyword_only ? "keyword-only" : "positional", missing);
}

void Binding::take_defaults() {
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    if (values[i].is_defined()) continue;
    values[i] = field.factory.is_defined() ? vm.call(field.factory) : field.fallback;
  }
  check_missing(false);
  check_missing(true);
}

void Binding::store(const Value& self) {
  std::vector<Value> rest;  // for __post_init__
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    if (!field.is_attribute) {
      rest.push_back(values[i]);
    } else if (values[i].is_undefined()) {
      continue;
    } else if (!callee.frozen) {
      vm.set_attribute(self, field.name, values[i]);
    } else if (!set_plainly(vm, self, field.name, values[i])) {
      vm.raise_attribute_error(self, field.name);
    }
  }
  if (!callee.then_more) return;
  Value more = vm.get_attribute(self, "__post_init__");
  vm.call(more, CallArgs{rest.data(), static_cast<uint32_t>(rest.size())});
}

[[noreturn]] static void raise_missing_self(Interpreter& vm, const Initialiser& callee) {
  NameList missing = {"self"};
  for (const Field& field : callee.fields) {
    const bool has_default = field.fallback.is_defined() || field.factory.is_defined();
    const bool wanted = field.is_argument && !field.keyword_only && !has_default;
    if (wanted) missing.push_back(field.name->view());
  }
  raise_missing_arguments(vm, callee.name, "positional", missing);
}

static Value initialise(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto& callee = *self.as<Initialiser>();
  if (arguments.positional == 0) raise_missing_self(vm, callee);
  Binding binding{vm, callee, std::vector<Value>(callee.fields.size())};
  binding.take_positionals(arguments);
  binding.take_keywords(arguments);
  binding.take_defaults();
  binding.store(arguments.values[0]);
  return Value::none();
}

// What stands for a function shows itself as one.
template <class Method> static std::string method_repr(Interpreter&, const Value& self) {
  return fmt::format("<function {} at {}>", self.as<Method>()->name,
                     static_cast<void*>(self.as_object()));
}

static Field field_from(Interpreter& vm, const Value& row) {
  auto parts = vm.collect(row);  // name, defaults, factories, is_argument, keyword_only, attribute
  auto first = [&](const Value& v) {
    auto items = vm.collect(v);
    return items.empty() ? Value() : items[0];
  };
  return {vm.intern(vm.to_text(parts[0])),
          first(parts[1]),
          first(parts[2]),
          vm.truth(parts[3]),
          vm.truth(parts[4]),
          vm.truth(parts[5])};
}

static Value make_initialiser(Interpreter& vm, Args args) {
  auto made = vm.make<Initialiser>(args[0].as<Type>());
  made->name = vm.to_text(args[1]);
  vm.for_each(args[2], [&](const Value& row) { made->fields.push_back(field_from(vm, row)); });
  made->then_more = vm.truth(args[3]);
  made->frozen = vm.truth(args[4]);
  return made;
}

static Value get_name(Interpreter& vm, const Value&) { return vm.str("__init__"); }
static Value get_qualified_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Initialiser>()->name);
}
static const NativeGetter kGetters[] = {{"__name__", get_name},
                                        {"__qualname__", get_qualified_name}};
static const Native kConstructor = {"initialiser", "(cls, name, fields, post_init, frozen, /)",
                                    make_initialiser, "The __init__ of a class with these fields."};

static Value is_keyword_name(Interpreter& vm, Args args) {
  return Value::boolean(is_keyword(vm.to_text(args[0])));
}

static const Native kRows[] = {
    {"is_keyword", "(name, /)", is_keyword_name, "Whether a name is a word of the language."},
};

Value open__dataclasses(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_dataclasses", kRows);
  Type* type = vm.make_type<Initialiser>({.name = "initialiser",
                                          .module = "dataclasses",
                                          .slots = {.repr = method_repr<Initialiser>,
                                                    .call = initialise,
                                                    .bind = bind_as_method,
                                                    .traverse = traverse_fields<Initialiser>},
                                          .getters = kGetters,
                                          .constructor = &kConstructor});
  module->set(vm, "initialiser", Value(type));
  module->set(vm, "field_method", Value(make_field_method_type(vm)));
  return module;
}

}  // namespace gpy::lib
