#include "stdlib/native/records.h"

#include "src/classes/property.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"

namespace gpy::lib {

namespace {

// An attribute of a record type: item `index` of an instance.
struct RecordField : Property {
  using Base = Property;
  RecordField(Type* type, size_t index) : Property(type), index(index) {}
  size_t index;
};

}  // namespace

// --- fields --------------------------------------------------------------------------------------

// The extras lie behind the items; the low bits of `flags` count them.
static size_t extras_of(const Tuple& record) {
  constexpr uint16_t kExtras = 0xFF;
  return record.flags & kExtras;
}

static Value bind_field(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  const size_t index = attribute.as<RecordField>()->index;
  Tuple* record = instance.try_as<Tuple>();
  if (!record) {
    vm.raise_type_error(
        "descriptor for index '{}' for tuple subclasses doesn't apply to '{}' object", index,
        vm.type_name(instance));
  }
  if (index >= record->size + extras_of(*record)) vm.raise_index_error("tuple index out of range");
  return (*record)[index];
}

static std::string field_repr(Interpreter& vm, const Value& self) {
  auto& field = *self.as<RecordField>();
  return fmt::format("_tuplegetter({}, {})", field.index, vm.repr(field.doc));
}

static Value field_doc(Interpreter&, const Value& self) { return self.as<RecordField>()->doc; }
static void set_field_doc(Interpreter&, const Value& self, const Value& item) {
  self.as<RecordField>()->doc = item;
}
static const NativeGetter kFieldGetters[] = {{"__doc__", field_doc, set_field_doc}};

// The one type for all records of an interpreter, made for the first.
static Type* field_type(Interpreter& vm) {
  for (Type* each : vm.types.object->subclasses) {
    if (each->slots.bind == bind_field) return each;
  }
  return vm.make_type<RecordField>(
      {.name = "_tuplegetter",
       .module = "_collections",
       .slots = {.repr = field_repr, .bind = bind_field, .traverse = traverse<&Property::doc>},
       .getters = kFieldGetters});
}

Value make_record_field(Interpreter& vm, size_t index) {
  auto field = vm.make<RecordField>(field_type(vm), index);
  field->doc = vm.str(fmt::format("Alias for field number {}", index));
  return field;
}

// --- records -------------------------------------------------------------------------------------

const Value* record_attribute(Type* type, Str* name) {
  Type* first = type;
  while (first->is_class && first->base->is_class) first = first->base;
  const Value* given = first->lookup_own(name);
  return given ? given : type->lookup(name);
}

Ref<Tuple> record_fields(Interpreter& vm, Type* type) {
  const Value* fields = record_attribute(type, vm.intern("_fields"));
  if (fields && fields->is<Tuple>()) return fields->as<Tuple>();
  vm.raise_type_error("{}._fields must be a tuple of names", type->name);
}

std::string_view field_name(Interpreter& vm, const Value& field) {
  return vm.to_text(field, "a name in _fields");
}

static std::string fields_text(Interpreter& vm, const Value& self) {
  const Ref<Tuple> names = record_fields(vm, vm.type_of(self));
  auto items = self.as<Tuple>()->items();
  std::string text = "(";
  for (size_t i = 0; i < names->size && i < items.size(); ++i) {
    text += fmt::format("{}{}={}", i ? ", " : "", vm.to_str((*names)[i]), vm.repr(items[i]));
  }
  return text + ")";
}

std::string record_repr(Interpreter& vm, const Value& self) {
  vm.check_stack();
  return vm.type_of(self)->name + fields_text(vm, self);
}

static std::string full_repr(Interpreter& vm, const Value& self) {
  vm.check_stack();
  return vm.type_name(self) + fields_text(vm, self);
}

static void destroy_record(Object* self) {
  auto* record = static_cast<Tuple*>(self);
  record->size += extras_of(*record);
  self->type->vm->types.tuple->slots.destroy(self);
}

static void set_count(Interpreter& vm, Type* type, const char* name, size_t count) {
  type->set_attribute(vm.intern(name), Value::integer(static_cast<int64_t>(count)));
}

static size_t items_and_extras(Interpreter& vm, Type* type) {
  return static_cast<size_t>(type->lookup(vm.intern("n_fields"))->as_integer());
}

static void check_count(Interpreter& vm, const Type* type, size_t given, size_t least,
                        size_t most) {
  if (given >= least && given <= most) return;
  const char* bound = least == most ? "" : given < least ? "n at least" : "n at most";
  vm.raise_type_error("{}() takes a{} {}-sequence ({}-sequence given)", type->full_name(), bound,
                      given < least ? least : most, given);
}

// Extras that are not given are None.
static Value construct_record(Interpreter& vm, Type& cls, const Value& sequence) {
  if (!vm.is_iterable(sequence)) vm.raise_type_error("constructor requires a sequence");
  std::vector<Value> items = vm.collect(sequence);
  const size_t most = items_and_extras(vm, &cls);
  check_count(vm, &cls, items.size(), record_fields(vm, &cls)->size, most);
  items.resize(most, Value::none());
  return make_record(vm, &cls, items);
}

static Value refuse_to_construct(Interpreter& vm, Type& cls, const Value&, const Value&) {
  vm.raise_type_error("cannot create '{}' instances", cls.full_name());
}

static const Native kConstructor = {"record", "(cls, sequence, /)", typed<construct_record>,
                                    "A record of these items."};
static const Native kRefusal = {"record", "(cls, /, *args, **kwargs)", typed<refuse_to_construct>,
                                "The interpreter alone makes these."};

Type* make_record_type(Interpreter& vm, const RecordSpec& spec) {
  Slots slots{.repr = spec.full_name_shown ? full_repr : record_repr};
  Type* tuple = vm.types.tuple;
  Type* type = vm.make_type({.name = vm.intern(spec.name)->c_str(),
                             .module = vm.intern(spec.module)->c_str(),
                             .base = tuple,
                             .slots = slots,
                             .constructor = spec.is_constructible ? &kConstructor : &kRefusal},
                            ObjectLayout::tuple, destroy_record);
  std::vector<Value> names;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    Str* name = vm.intern(spec.fields[i]);
    names.push_back(Value(name));
    type->set_attribute(name, make_record_field(vm, i));
  }
  for (size_t i = 0; i < spec.extras.size(); ++i) {
    type->set_attribute(vm.intern(spec.extras[i]), make_record_field(vm, spec.fields.size() + i));
  }
  Value fields = vm.tuple(names);
  type->set_attribute(vm.intern("_fields"), fields);
  type->set_attribute(vm.intern("__match_args__"), fields);
  set_count(vm, type, "n_sequence_fields", names.size());
  set_count(vm, type, "n_fields", names.size() + spec.extras.size());
  set_count(vm, type, "n_unnamed_fields", 0);
  return type;
}

// Objects of a class are made such that the collector sees them.
static Value make_of_class(Interpreter& vm, Type* type, std::span<const Value> items) {
  Ref<Tuple> record = Tuple::make_uninitialised(vm, items.size());
  std::copy(items.begin(), items.end(), record->data());
  record->type = type;
  retain(type);
  return record;
}

Value make_record(Interpreter& vm, Type* type, std::span<const Value> items) {
  if (type->is_class) return make_of_class(vm, type, items);
  Ref<Tuple> record = Tuple::make(vm, items);
  record->type = type;
  const size_t fields = record_fields(vm, type)->size;
  if (items.size() > fields) {
    record->flags = static_cast<uint16_t>(items.size() - fields);
    record->size = fields;
  }
  return record;
}

Value make_record(Interpreter& vm, Type* type, std::initializer_list<Value> items) {
  return make_record(vm, type, std::span<const Value>(items.begin(), items.size()));
}

}  // namespace gpy::lib
