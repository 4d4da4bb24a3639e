// The native part of dataclasses: __init__ of a class from its fields.
#include <algorithm>

#include "src/objects/builtin.h"
#include "src/calls/call_errors.h"
#include "src/classes/attributes.h"
#include "src/interpreter.h"
#include "src/typed_native.h"
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

struct Initialiser : DataclassMethod {
  using Base = DataclassMethod;
  using DataclassMethod::DataclassMethod;
  std::vector<Field> fields;
  bool then_more = false;  // calls __post_init__
  bool frozen = false;     // bypasses the class's __setattr__
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
  void check_count(size_t given) const;
  void check_missing(size_t given) const;
  Value value_of(size_t i) const;
  void store(const Value& self) const;
};

bool has_default(const Field& field) {
  return field.fallback.is_defined() || field.factory.is_defined();
}

}  // namespace

void Binding::take_positionals(const CallArgs& arguments) {
  size_t given = 1;
  for (size_t i = 0; i < callee.fields.size() && given < arguments.positional; ++i) {
    const Field& field = callee.fields[i];
    if (field.is_argument && !field.keyword_only) values[i] = arguments.values[given++];
  }
}

[[noreturn]] static void raise_unknown_keyword(Interpreter& vm, const Initialiser& callee,
                                               std::string_view keyword) {
  NameList known;
  for (const Field& field : callee.fields) {
    if (field.is_argument) known.push_back(field.name->view());
  }
  raise_unexpected_keyword(vm, callee.name, keyword, known);
}

void Binding::take_keywords(const CallArgs& arguments) {
  for (size_t k = 0; k < arguments.names.size(); ++k) {
    const std::string_view name = arguments.names[k]->view();
    const auto found = std::ranges::find_if(callee.fields, [&](const Field& field) {
      return field.is_argument && field.name->view() == name;
    });
    if (found == callee.fields.end()) raise_unknown_keyword(vm, callee, name);
    Value& value = values[static_cast<size_t>(found - callee.fields.begin())];
    if (value.is_defined()) raise_multiple_values(vm, callee.name, name);
    value = arguments.keyword(k);
  }
}

void Binding::check_count(size_t given) const {
  TooMany count{1, 1, given, 0};  // self
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    if (!field.is_argument) continue;
    if (field.keyword_only) {
      count.keywords_given += values[i].is_defined();
    } else {
      ++count.most;
      count.least += !has_default(field);
    }
  }
  if (given > count.most) raise_too_many_arguments(vm, callee.name, count);
}

void Binding::check_missing(size_t given) const {
  NameList positional, by_keyword;
  if (given == 0) positional.push_back("self");
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    if (!field.is_argument || has_default(field) || values[i].is_defined()) continue;
    (field.keyword_only ? by_keyword : positional).push_back(field.name->view());
  }
  if (!positional.empty()) raise_missing_arguments(vm, callee.name, "positional", positional);
  if (!by_keyword.empty()) raise_missing_arguments(vm, callee.name, "keyword-only", by_keyword);
}

Value Binding::value_of(size_t i) const {
  if (values[i].is_defined()) return values[i];
  const Field& field = callee.fields[i];
  return field.factory.is_defined() ? vm.call(field.factory) : field.fallback;
}

// An InitVar that is no argument of __init__ cannot be passed on.
[[noreturn]] static void raise_unknown_name(Interpreter& vm, Str* name) {
  vm.raise(vm.types.name_error, fmt::format("name '{}' is not defined", name->view()));
}

// Factories run in the order of the fields: each finds the fields before its own stored.
void Binding::store(const Value& self) const {
  std::vector<Value> rest;  // for __post_init__
  for (size_t i = 0; i < callee.fields.size(); ++i) {
    const Field& field = callee.fields[i];
    const Value value = value_of(i);
    if (!field.is_attribute) {
      rest.push_back(value);
      if (callee.then_more && value.is_undefined()) raise_unknown_name(vm, field.name);
    } else if (value.is_undefined()) {
      continue;
    } else if (!callee.frozen) {
      vm.set_attribute(self, field.name, value);
    } else if (!set_plainly(vm, self, field.name, value)) {
      vm.raise_attribute_error(self, field.name);
    }
  }
  if (!callee.then_more) return;
  Value more = vm.get_attribute(self, "__post_init__");
  vm.call(more, CallArgs{rest.data(), static_cast<uint32_t>(rest.size())});
}

static Value initialise(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto& callee = *self.as<Initialiser>();
  Binding binding{vm, callee, std::vector<Value>(callee.fields.size())};
  binding.take_positionals(arguments);
  binding.take_keywords(arguments);
  binding.check_count(arguments.positional);
  binding.check_missing(arguments.positional);
  binding.store(arguments.values[0]);
  return Value::none();
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

static Value make_initialiser(Interpreter& vm, Type& cls, const Value& name, const Value& fields,
                              const Value& post_init, const Value& frozen) {
  auto made = vm.make<Initialiser>(&cls);
  made->name = vm.to_text(name);
  vm.for_each(fields, [&](const Value& row) { made->fields.push_back(field_from(vm, row)); });
  made->then_more = vm.truth(post_init);
  made->frozen = vm.truth(frozen);
  return made;
}

static const Native kConstructor = {"initialiser", "(cls, name, fields, post_init, frozen, /)",
                                    typed<make_initialiser>,
                                    "The __init__ of a class with these fields."};

static Value is_keyword_name(Interpreter& vm, const Value& name) {
  return Value::boolean(is_keyword(vm.to_text(name)));
}

static const Native kRows[] = {
    {"is_keyword", "(name, /)", typed<is_keyword_name>,
     "Whether a name is a word of the language."},
};

Value open__dataclasses(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_dataclasses", kRows);
  Type* type = vm.make_type<Initialiser>({.name = "initialiser",
                                          .module = "dataclasses",
                                          .slots = {.repr = method_repr,
                                                    .call = initialise,
                                                    .bind = bind_as_method,
                                                    .traverse = traverse_fields<Initialiser>},
                                          .getters = kMethodGetters,
                                          .constructor = &kConstructor});
  module->set(vm, "initialiser", Value(type));
  module->set(vm, "field_method", Value(make_field_method_type(vm)));
  return module;
}

}  // namespace gpy::lib
