#include "stdlib/native/records.h"

namespace gpy::lib {

namespace {

// As an attribute of the type: item `index` of an instance.
struct RecordField : Object {
  static constexpr Layout kLayout = Layout::plain;
  RecordField(Type* type, size_t index, std::string doc)
      : Object(type), index(index), doc(std::move(doc)) {}
  size_t index;
  std::string doc;
};

}  // namespace

// --- fields --------------------------------------------------------------------------------------

static Value bind_field(Interpreter&, const Value& attribute, const Value& instance, Type*) {
  if (!instance.is<Tuple>()) return attribute;
  return (*instance.as<Tuple>())[attribute.as<RecordField>()->index];
}

static std::string field_repr(Interpreter& vm, const Value& self) {
  auto& field = *self.as<RecordField>();
  return fmt::format("_tuplegetter({}, {})", field.index, vm.repr(vm.str(field.doc)));
}

static Value field_doc(Interpreter& vm, const Value& self) {
  return vm.str(self.as<RecordField>()->doc);
}
static const NativeGetter kFieldGetters[] = {{"__doc__", field_doc}};

static Type* make_field_type(Interpreter& vm) {
  return vm.make_type<RecordField>({.name = "_tuplegetter",
                                    .module = "_collections",
                                    .slots = {.repr = field_repr, .bind = bind_field},
                                    .getters = kFieldGetters});
}

Value make_record_field(Interpreter& vm, size_t index) {
  std::string doc = fmt::format("Alias for field number {}", index);
  return vm.make<RecordField>(make_field_type(vm), index, std::move(doc));
}

// --- records -------------------------------------------------------------------------------------

std::span<const Value> record_fields(Interpreter& vm, Type* type) {
  return type->lookup(vm.intern("_fields"))->as<Tuple>()->items();
}

static std::string fields_text(Interpreter& vm, const Value& self) {
  auto names = record_fields(vm, vm.type_of(self));
  auto items = self.as<Tuple>()->items();
  std::string text = "(";
  for (size_t i = 0; i < names.size() && i < items.size(); ++i) {
    text += fmt::format("{}{}={}", i ? ", " : "", vm.to_str(names[i]), vm.repr(items[i]));
  }
  return text + ")";
}

static std::string named_repr(Interpreter& vm, const Value& self) {
  vm.check_stack();
  return vm.type_of(self)->name + fields_text(vm, self);
}

static std::string full_repr(Interpreter& vm, const Value& self) {
  vm.check_stack();
  return vm.type_of(self)->full_name() + fields_text(vm, self);
}

static bool record_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  for (const Value& field : record_fields(vm, vm.type_of(self))) {
    if (field.as<Str>()->view() != name->view()) continue;
    const char* what = item.is_undefined() ? "can't delete attribute" : "can't set attribute";
    vm.raise(vm.types.attribute_error, what);
  }
  return false;
}

// The extras lie behind the items; `flags` counts them.
static void destroy_record(Object* self) {
  auto* record = static_cast<Tuple*>(self);
  record->size += record->flags;
  self->type->vm->types.tuple->slots.destroy(self);
}

static void add_field(Interpreter& vm, Type* type, Type* field_type, size_t i, Str* name) {
  std::string doc = fmt::format("Alias for field number {}", i);
  type->set_attribute(name, vm.make<RecordField>(field_type, i, std::move(doc)));
}

Type* make_record_type(Interpreter& vm, const RecordSpec& spec) {
  Slots slots{.repr = spec.full_name_shown ? full_repr : named_repr, .setattr = record_setattr};
  Type* tuple = vm.types.tuple;
  Type* type = vm.make_type({.name = vm.intern(spec.name)->c_str(),
                             .module = vm.intern(spec.module)->c_str(),
                             .base = tuple,
                             .slots = slots,
                             .methods = spec.methods,
                             .constructor = spec.constructor,
                             .is_final = false},
                            Layout::tuple, destroy_record);
  Type* field_type = make_field_type(vm);
  std::vector<Value> names;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    Str* name = vm.intern(spec.fields[i]);
    names.push_back(Value(name));
    add_field(vm, type, field_type, i, name);
  }
  for (size_t i = 0; i < spec.extras.size(); ++i) {
    add_field(vm, type, field_type, spec.fields.size() + i, vm.intern(spec.extras[i]));
  }
  Value fields = vm.tuple(names);
  type->set_attribute(vm.intern("_fields"), fields);
  type->set_attribute(vm.intern("__match_args__"), fields);
  return type;
}

Value make_record(Interpreter& vm, Type* type, std::span<const Value> items) {
  Ref<Tuple> record = Tuple::make(vm, items);
  record->type = type;
  if (type->is_class) retain(type);
  size_t fields = record_fields(vm, type).size();
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
