// Variables and attributes; each place in the code remembers its last look-up.
#include "src/calls/receiver.h"
#include "src/classes/for_classes.h"
#include "src/classes/attributes.h"
#include "src/classes/property.h"
#include "src/run/run.h"
#include "src/run/site_lookup.h"
#include "src/state.h"

namespace gpy {

void Step::raise_unbound(int32_t index) const {
  std::string_view name = frame.code->register_name(index);
  Ref<Exception> error = vm.make_exception(
      vm.types.unbound_local_error,
      fmt::format("cannot access local variable '{}' where it is not associated with a value",
                  name));
  vm.set_attribute(error, names().name, vm.str(name));
  vm.raise(error);
}

void op_check(const Step& step) { step.b(); }

void op_delete_local(const Step& step) {
  step.read(step.i.a);
  step.reg(step.i.a) = Value();
}

// --- cells ---------------------------------------------------------------------------------------

void op_make_cell(const Step& step) {
  Ref<Cell> cell = step.vm.make<Cell>(step.vm.types.cell);
  if (step.i.b >= 0) cell->value = std::move(step.reg(step.i.b));
  step.reg(step.i.a) = cell;
}

static Cell& cell_of(const Step& step, int32_t index) { return *step.reg(index).as<Cell>(); }

[[noreturn]] static void raise_unbound_cell(const Step& step, int32_t index) {
  if (index < step.frame.code->first_captured) step.raise_unbound(index);
  std::string_view name = step.frame.code->register_name(index);
  Interpreter& vm = step.vm;
  Ref<Exception> error = vm.make_exception(
      vm.types.name_error, fmt::format("cannot access free variable '{}' where it is not "
                                       "associated with a value in enclosing scope",
                                       name));
  vm.raise(error);
}

void slow_load_cell(const Step& step) { raise_unbound_cell(step, step.i.b); }

void op_delete_cell(const Step& step) {
  Value& value = cell_of(step, step.i.a).value;
  if (value.is_undefined()) raise_unbound_cell(step, step.i.a);
  value = Value();
}

// --- globals -------------------------------------------------------------------------------------

static Ref<Exception> name_error(const Step& step, Str* name) {
  Interpreter& vm = step.vm;
  Ref<Exception> error =
      vm.make_exception(vm.types.name_error, fmt::format("name '{}' is not defined", name->view()));
  vm.set_attribute(error, step.names().name, Value(name));
  return error;
}

static bool load_global(const Step& step) {
  Site& site = step.site(step.i.c);
  Dict* globals = step.frame.function->globals.get();
  Dict* builtins = step.vm.builtins.get();
  Value* slot = globals->find(site.name);
  if (!slot) slot = builtins->find(site.name);
  if (!slot) return false;
  site.version = step.vm.state().namespaces;
  site.slot = slot;
  step.reg(step.i.a) = *slot;
  return true;
}

int slow_load_global(const Step& step) {
  if (load_global(step)) return 0;
  return raise_quickly(step, name_error(step, step.site(step.i.c).name));
}

void load_global_or_throw(const Step& step) {
  if (!load_global(step)) step.vm.raise(name_error(step, step.site(step.i.c).name));
}

void slow_store_global(const Step& step) {
  Site& site = step.site(step.i.c);
  Dict* globals = step.frame.function->globals.get();
  globals->set(site.name, step.b());
  site.slot = globals->find(site.name);
  site.version = step.vm.state().namespaces;
  if (step.i.d & kDropB) step.reg(step.i.b) = Value();
}

void op_delete_global(const Step& step) {
  Site& site = step.site(step.i.c);
  if (!step.frame.function->globals->erase(site.name)) step.vm.raise(name_error(step, site.name));
}

// --- attributes ----------------------------------------------------------------------------------

// Whether a method takes objects of the type as they are.
static bool is_plain_method(const Value& found, const Type* type) {
  if (found.is<Function>()) return true;
  const auto* native = found.try_as<NativeFunction>();
  return native && native->is_method && (!native->owner || reads(native->owner, type));
}

static bool is_plain_getter(const Value& found, const Type* type) {
  const auto* getter = found.try_as<Getter>();
  return getter && reads(getter->owner, type) && !(type->is_class && for_classes(getter->owner));
}

// The type's attribute of that name; undefined if there is none.
static const Value& type_attribute(Type* type, Site& site) {
  if (site.kind != Site::in_type || site.version != type->version) {
    const Value* found = type->lookup(site.name);
    site.kind = Site::in_type;
    site.version = type->version;
    site.found = found ? *found : Value();
    site.binds = is_plain_method(site.found, type);
    site.gets = is_plain_getter(site.found, type);
    site.shape = nullptr;
  }
  return site.found;
}

static const Value* module_attribute(Module* module, Site& site) {
  Dict* names = module->names.get();
  int64_t position = names->position_of(site.name);
  if (position < 0) return nullptr;
  site.kind = Site::in_module;
  site.version = names->keys_version();
  site.position = static_cast<int32_t>(position);
  return &names->entries()[static_cast<size_t>(position)].value;
}

// Whether an attribute of the type comes before the instance's own of that name.
static bool is_data(const Value& attribute) {
  return attribute.is<Getter>() || attribute.is<Property>();
}

// Notes the position of the attribute in instances of this shape; false: it is elsewhere.
static bool find_in_instance(const Instance& instance, Site& site) {
  if (!instance.shape) return false;
  Type* type = instance.type;
  int32_t position = instance.shape->position_of(site.name);
  if (position < 0) return false;
  const Value* above = type->lookup(site.name);
  if (above && is_data(*above)) return false;
  site.kind = Site::in_instance;
  site.version = type->version;
  site.shape = instance.shape;
  site.position = position;
  return true;
}

// Notes a property that the run loop can enter; with __getattr__, which is called for some errors
// of the property, it cannot.
static void note_getter(const Step& step, Type* type, Site& site) {
  const Value* above = type->lookup(site.name);
  const auto* property = above ? above->try_as<Property>() : nullptr;
  const auto* getter = property ? property->getter.try_as<Function>() : nullptr;
  if (!getter || getter->code->plain_count != 1 || type->lookup(step.names().__getattr__)) return;
  site.kind = Site::in_getter;
  site.version = type->version;
  site.found = *above;
}

// The same as find_attribute.
static Value attribute(const Step& step, const Value& self, Site& site) {
  Interpreter& vm = step.vm;
  if (const auto* instance = self.try_as<Instance>()) {
    if (known_attribute(self, site) || find_in_instance(*instance, site)) {
      return instance->values[site.position];
    }
    note_getter(step, instance->type, site);
    return find_attribute(vm, self, site.name);
  }
  if (Module* module = self.try_as<Module>()) {
    const Value* found = module_attribute(module, site);
    return found ? *found : find_attribute(vm, self, site.name);
  }
  Type* type = vm.type_of(self);
  const Value& found = type_attribute(type, site);
  if (site.gets) return found.unchecked<Getter>()->row->get(vm, self);
  if (found.is<Getter>()) return found.as<Getter>()->get(vm, self);
  // Errors of the library's own properties do not lead to a call of __getattr__.
  if (found.is<Property>() && found.as<Property>()->type != vm.types.property) {
    return bound_attribute(vm, found, self, type);
  }
  return find_attribute(vm, self, site.name);
}

int slow_get_attribute(const Step& step) {
  const Value& self = step.b();
  Site& site = step.site(step.i.c);
  Value found = attribute(step, self, site);
  if (found.is_undefined()) return raise_quickly(step, attribute_error(step.vm, self, site.name));
  step.finish(std::move(found));
  return 0;
}

// Notes that instances of this shape get the attribute as their last one.
static void note_append(Instance& instance, Site& site, const Shape* before) {
  bool is_appended = before && instance.shape && instance.shape->before() == before;
  if (!is_appended) return;
  site.kind = Site::to_instance;
  site.version = instance.type->version;
  site.shape = before;
  site.next_shape = instance.shape;
}

static void set_in_instance(const Step& step, const Value& self, Site& site, const Value& item) {
  auto& instance = *self.as<Instance>();
  bool is_plain = instance.type->slots.setattr == set_own_attribute;
  if (is_plain && (known_attribute(self, site) || find_in_instance(instance, site))) {
    Value old = item;
    instance.values[site.position].swap(old);
    return;
  }
  if (is_known_append(self, site)) return instance.append(site.next_shape, item);
  const Shape* before = instance.shape;
  step.vm.set_attribute(self, site.name, item);
  if (is_plain) note_append(instance, site, before);
}

void slow_set_attribute(const Step& step) {
  const Value& item = step.read(step.i.a);
  const Value& self = step.b();
  Site& site = step.site(step.i.c);
  if (self.is<Instance>()) {
    set_in_instance(step, self, site, item);
  } else {
    step.vm.set_attribute(self, site.name, item);
  }
  if (step.i.d & kDropB) step.reg(step.i.b) = Value();
  if (step.i.d & kDropA) step.reg(step.i.a) = Value();
}

void op_delete_attribute(const Step& step) {
  step.vm.delete_attribute(step.b(), step.site(step.i.c).name);
  step.drop();
}

// Whether no attribute of the object itself can come before the type's method.
static bool has_no_own(const Value& self, Site& site) {
  const auto* instance = self.try_as<Instance>();
  if (!instance) return !self.is_object() || !self.as_object()->type->slots.getattr;
  if (!instance->shape) return false;
  if (site.kind == Site::in_type && site.shape == instance->shape) return true;
  return instance->shape->position_of(site.name) < 0;
}

// Puts a method into register `a` with its object behind it; any other callable without one.
int slow_load_method(const Step& step) {
  Site& site = step.site(step.i.c);
  Value self = step.b();
  if (step.i.d & kDropB) step.reg(step.i.b) = Value();
  Value& function = step.reg(step.i.a);
  Value& bound_to = step.reg(step.i.a + 1);
  Type* type = step.vm.type_of(self);
  if (has_no_own(self, site)) {
    const Value& found = type_attribute(type, site);
    if (site.binds) {
      if (const auto* instance = self.try_as<Instance>()) site.shape = instance->shape;
      function = found;
      bound_to = std::move(self);
      return 0;
    }
  }
  Value found = attribute(step, self, site);
  if (found.is_undefined()) return raise_quickly(step, attribute_error(step.vm, self, site.name));
  function = std::move(found);
  bound_to = Value();
  return 0;
}

}  // namespace gpy
