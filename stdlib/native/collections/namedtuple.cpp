// collections.namedtuple: new record types.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "src/calls/call_errors.h"
#include "src/calls/name_places.h"
#include "src/classes/make_class.h"
#include "src/state.h"
#include "src/typed_native.h"
#include "stdlib/native/collections/collections.h"
#include "stdlib/native/keywords.h"
#include "stdlib/native/records.h"

namespace gpy::lib {

static Ref<Dict> defaults_of(Interpreter& vm, Type* type) {
  const Value* defaults = record_attribute(type, vm.intern("_field_defaults"));
  if (defaults && defaults->is<Dict>()) return defaults->as<Dict>();
  vm.raise_type_error("{}._field_defaults must be a dict", type->name);
}

static std::string_view text_of(const Value& v) { return v.as<Str>()->view(); }

static auto places_of(Interpreter& vm, std::span<const Value> fields, size_t lookups) {
  return NamePlaces(fields.size(), lookups,
                    [&vm, fields](size_t i) { return field_name(vm, fields[i]); });
}

// --- a record from arguments ---------------------------------------------------------------------

// "Point.__new__", as errors name it.
static std::string maker_name(const Type* type) {
  while (type->is_class && type->base->lookup(type->vm->intern("_fields"))) type = type->base;
  return type->name + ".__new__";
}

static void take_keywords(Interpreter& vm, Type* type, std::span<const Value> fields,
                          Dict& keywords, std::vector<Value>& items) {
  const auto places = places_of(vm, fields, keywords.size());
  for (auto& entry : keywords.entries()) {
    if (entry.key.is_undefined()) continue;
    const size_t i = places.of(text_of(entry.key));
    if (i == fields.size()) {
      NameList known;
      for (const Value& field : fields) known.push_back(text_of(field));
      raise_unexpected_keyword(vm, maker_name(type), text_of(entry.key), known);
    }
    if (items[i].is_defined()) raise_multiple_values(vm, maker_name(type), text_of(entry.key));
    items[i] = entry.value;
  }
}

static void take_defaults(Interpreter& vm, Type* type, std::span<const Value> fields,
                          std::vector<Value>& items) {
  const Ref<Dict> defaults = defaults_of(vm, type);
  NameList missing;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (items[i].is_defined()) continue;
    Value* fallback = defaults->find(vm, fields[i]);
    if (fallback) items[i] = *fallback;
    if (!fallback) missing.push_back(field_name(vm, fields[i]));
  }
  if (!missing.empty()) raise_missing_arguments(vm, maker_name(type), "positional", missing);
}

// The class that __new__ got as its first argument.
static Type* class_given(Interpreter& vm, const Value& given) {
  Type* type = given.try_as<Type>();
  if (!type) {
    vm.raise_type_error("tuple.__new__(X): X is not a type object ({})", vm.type_name(given));
  }
  if (type->instance_layout == ObjectLayout::tuple) return type;
  vm.raise_type_error("tuple.__new__({0}): {0} is not a subtype of tuple", type->full_name());
}

static Value make_named(Interpreter& vm, const Value& cls, std::span<const Value> given,
                        const Value& kwargs) {
  Type* type = class_given(vm, cls);
  Dict& keywords = *kwargs.as<Dict>();
  const Ref<Tuple> fields = record_fields(vm, type);
  const size_t count = fields->size;
  if (given.size() > count) {
    size_t least = count - defaults_of(vm, type)->size();
    raise_too_many_arguments(vm, maker_name(type), {least + 1, count + 1, given.size() + 1, 0});
  }
  if (given.size() == count && keywords.size() == 0) return make_record(vm, type, given);
  std::vector<Value> items(given.begin(), given.end());
  items.resize(count);
  take_keywords(vm, type, fields->items(), keywords, items);
  take_defaults(vm, type, fields->items(), items);
  return make_record(vm, type, items);
}

// Makes a record from positional arguments alone.
static Value make_of_items(Interpreter& vm, std::span<const Value> arguments) {
  if (arguments.empty()) return Value();
  Type* type = class_given(vm, arguments[0]);
  auto items = arguments.subspan(1);
  return record_fields(vm, type)->size == items.size() ? make_record(vm, type, items) : Value();
}

// --- methods -------------------------------------------------------------------------------------

static Value make_of_iterable(Interpreter& vm, Type& cls, const Value& iterable) {
  auto items = vm.collect(iterable);
  const size_t count = record_fields(vm, &cls)->size;
  if (items.size() != count) {
    vm.raise_type_error("Expected {} arguments, got {}", count, items.size());
  }
  return make_record(vm, &cls, items);
}

static Value replaced(Interpreter& vm, Tuple& self, const Value& kwds) {
  Type* type = self.type;
  auto old = self.items();
  std::vector<Value> items(old.begin(), old.end()), unexpected;
  const Ref<Tuple> fields = record_fields(vm, type);
  const auto names = fields->items().first(std::min(fields->size, items.size()));
  Dict& given = *kwds.as<Dict>();
  const auto places = places_of(vm, names, given.size());
  for (auto& entry : given.entries()) {
    const size_t i = places.of(text_of(entry.key));
    if (i == names.size()) {
      unexpected.push_back(entry.key);
    } else {
      items[i] = entry.value;
    }
  }
  if (!unexpected.empty()) {
    vm.raise_value_error("Got unexpected field names: {}", vm.repr(vm.list(unexpected)));
  }
  return make_record(vm, type, items);
}

static Value as_dict(Interpreter& vm, Tuple& self) {
  Ref<Dict> dict = vm.dict();
  const Ref<Tuple> fields = record_fields(vm, self.type);
  auto items = self.items();
  for (size_t i = 0; i < fields->size && i < items.size(); ++i) {
    dict->set(vm, (*fields)[i], items[i]);
  }
  return dict;
}

static Value plain_tuple(Interpreter& vm, Tuple& self) { return vm.tuple(self.items()); }

static Value repr_of(Interpreter& vm, const Value& self) { return vm.str(record_repr(vm, self)); }

static const Native kMethods[] = {
    {"__new__", "(cls, /, *args, **kwargs)", typed<make_named>, "A record of these items.",
     Native::static_method, make_of_items},
    {"_make", "(cls, iterable)", typed<make_of_iterable>, "A record of the items of an iterable.",
     Native::class_method},
    {"_replace", "(self, /, **kwds)", typed<replaced>,
     "A record with other values for some fields."},
    {"__repr__", "(self)", typed<repr_of>, "The name of the type, and the items by name."},
    {"_asdict", "(self)", typed<as_dict>, "The items by name."},
    {"__getnewargs__", "(self)", typed<plain_tuple>, "The items as a plain tuple."},
};

// --- namedtuple ----------------------------------------------------------------------------------

static bool is_identifier(Interpreter& vm, const Value& name) {
  return vm.truth(vm.call_method(name, "isidentifier"));
}

static std::vector<Value> names_given(Interpreter& vm, const Value& names) {
  Value all = names;
  if (names.is<Str>()) {
    Value spaced = vm.call_method(names, "replace", {vm.str(","), vm.str(" ")});
    all = vm.call_method(spaced, "split");
  }
  std::vector<Value> texts;
  vm.for_each(all, [&](const Value& each) { texts.push_back(vm.str(vm.to_str(each))); });
  return texts;
}

static void rename_bad(Interpreter& vm, std::vector<Value>& names) {
  std::vector<size_t> bad;
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string_view name = text_of(names[i]);
    const bool is_new = seen.insert(name).second;
    const bool good = is_identifier(vm, names[i]) && !is_keyword(name) && !name.starts_with("_");
    if (!is_new || !good) bad.push_back(i);
  }
  for (size_t i : bad) names[i] = vm.str(fmt::format("_{}", i));
}

static void check_name(Interpreter& vm, const Value& name) {
  if (!is_identifier(vm, name)) {
    vm.raise_value_error("Type names and field names must be valid identifiers: {}", vm.repr(name));
  }
  if (is_keyword(text_of(name))) {
    vm.raise_value_error("Type names and field names cannot be a keyword: {}", vm.repr(name));
  }
}

static void check_fields(Interpreter& vm, const std::vector<Value>& names, bool renamed) {
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    if (text_of(names[i]).starts_with("_") && !renamed) {
      vm.raise_value_error("Field names cannot start with an underscore: {}", vm.repr(names[i]));
    }
    if (!seen.insert(text_of(names[i])).second) {
      vm.raise_value_error("Encountered duplicate field name: {}", vm.repr(names[i]));
    }
  }
}

static Ref<Dict> named_defaults(Interpreter& vm, const std::vector<Value>& names,
                                const Value& given) {
  Ref<Dict> defaults = vm.dict();
  if (given.is_none()) return defaults;
  auto values = vm.collect(given);
  if (values.size() > names.size()) {
    vm.raise_type_error("Got more default values than field names");
  }
  size_t first = names.size() - values.size();
  for (size_t i = 0; i < values.size(); ++i) defaults->set(vm, names[first + i], values[i]);
  return defaults;
}

static Value fields_doc(Interpreter& vm, std::string_view name, const std::vector<Value>& fields) {
  std::string doc = fmt::format("{}(", name);
  for (const Value& field : fields) {
    doc += doc.back() == '(' ? "" : ", ";
    doc += text_of(field);
  }
  return vm.str(doc + ")");
}

static Value calling_module(Interpreter& vm) {
  Value name = vm.call(*vm.builtins->find(vm.intern("globals")));
  Value* found = name.is<Dict>() ? name.as<Dict>()->find(vm.intern("__name__")) : nullptr;
  return found ? *found : vm.str("__main__");
}

static Value make_method(Interpreter& vm, const Native& row, std::string_view qualifier) {
  const bool is_static = row.binding == Native::static_method;
  Type* kind = is_static ? vm.types.native_function : vm.state().method_descriptor;
  auto method = vm.make<NativeFunction>(kind, row, std::string(qualifier), nullptr);
  if (is_static) return vm.make<StaticMethod>(vm.types.static_method, method);
  if (row.binding == Native::class_method) {
    return vm.make<ClassMethod>(vm.types.class_method, method);
  }
  method->is_method = true;
  method->owner = vm.types.tuple;  // the type tuple outlives the class
  return method;
}

// The namespace that the body of a class statement would have left.
static Ref<Dict> class_body(Interpreter& vm, std::string_view name,
                            const std::vector<Value>& fields, const Ref<Dict>& defaults) {
  Ref<Dict> body = vm.dict();
  auto set = [&](std::string_view key, Value item) { body->set(vm.intern(key), std::move(item)); };
  Value all = vm.tuple(fields);
  set("__doc__", fields_doc(vm, name, fields));
  set("__slots__", vm.tuple({}));
  set("_fields", all);
  set("_field_defaults", defaults);
  for (const Native& row : kMethods) set(row.name, make_method(vm, row, name));
  set("__match_args__", all);
  for (size_t i = 0; i < fields.size(); ++i) set(text_of(fields[i]), make_record_field(vm, i));
  return body;
}

static Value namedtuple(Interpreter& vm, const Value& name_given, const Value& field_names,
                        const Value& rename, const Value& default_values, const Value& module) {
  Value type_name = vm.str(vm.to_str(name_given));
  std::vector<Value> names = names_given(vm, field_names);
  const bool renamed = vm.truth(rename);
  if (renamed) rename_bad(vm, names);
  check_name(vm, type_name);
  for (const Value& name : names) check_name(vm, name);
  check_fields(vm, names, renamed);
  Ref<Dict> defaults = named_defaults(vm, names, default_values);
  Ref<Dict> body = class_body(vm, text_of(type_name), names, defaults);
  body->set(vm.state().names.__module__, module.is_none() ? calling_module(vm) : module);
  return make_class(vm, text_of(type_name), std::array{Value(vm.types.tuple)}, body);
}

static const Native kNamedtuple = {
    "namedtuple", "(typename, field_names, *, rename=False, defaults=None, module=None)",
    typed<namedtuple>, "A new kind of tuple, whose items have names."};

static Value record_field(Interpreter& vm, int64_t index) {
  return make_record_field(vm, static_cast<size_t>(index));
}

// The constructor of classes over typing.NamedTuple.
static const Native kBindRecord = {
    "_bind_record",    "(cls, /, *args, **kwargs)",
    typed<make_named>, "A record of a class that has _fields and _field_defaults.",
    Native::instance,  make_of_items};
static const Native kRecordField = {"_record_field", "(index, /)", typed<record_field>,
                                    "The attribute that is one item of a record."};

void add_namedtuple(Interpreter& vm, Module& module) {
  module.set(vm, "_bind_record", vm.function(kBindRecord, "collections"));
  module.set(vm, "_record_field", vm.function(kRecordField, "collections"));
  module.set(vm, "namedtuple", vm.function(kNamedtuple, "collections"));
}

}  // namespace gpy::lib
