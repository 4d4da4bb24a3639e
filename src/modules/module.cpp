// The module type, and modules made of native rows.
#include "src/interpreter.h"
#include "src/state.h"
#include "src/memory/traverse.h"
#include "src/text/format.h"
#include "src/types/setup.h"
#include "src/typed_native.h"

namespace gpy {

Module::Module(Type* type, std::string name, Ref<Dict> names)
    : Object(type), name(std::move(name)), names(std::move(names)) {}

static const Native* find_row(const Module& module, std::string_view name) {
  for (auto table : module.rows) {
    for (const Native& row : table) {
      if (name == row.name) return &row;
    }
  }
  return nullptr;
}

Value* Module::find(Interpreter& vm, Str* wanted) {
  if (Value* known = names->find(wanted)) return known;
  Value made;
  if (const Native* row = find_row(*this, wanted->view())) {
    made = vm.function(*row, name, context);
  } else if (missing) {
    made = missing(vm, *this, wanted);
  }
  if (made.is_undefined()) return nullptr;
  names->set(wanted, made);
  return names->find(wanted);
}

void Module::set(Interpreter& vm, std::string_view item, Value value) {
  names->set(vm.intern(item), std::move(value));
}

std::vector<Str*> Module::all_names(Interpreter& vm) {
  std::vector<Str*> found;
  for (auto& entry : names->entries()) {
    if (entry.key.is<Str>()) found.push_back(entry.key.as<Str>());
  }
  for (auto table : rows) {
    for (const Native& row : table) {
      Str* each = vm.intern(row.name);
      if (!names->find(each)) found.push_back(each);
    }
  }
  if (list_missing) list_missing(vm, *this, found);
  return found;
}

static constexpr uint16_t kMadeByScript = 1;  // in the object's flags

static Value make_empty_module(Interpreter& vm, const Value&, const Value& name, const Value& doc) {
  Ref<Module> module = vm.make_module(vm.to_text(name, "module() argument 'name'"));
  module->names->set(vm.state().names.__doc__, doc);
  module->flags |= kMadeByScript;
  return module;
}

static const Native kMakeModule = {"module", "(type, name, doc=None)", typed<make_empty_module>,
                                   "A module with nothing in it."};

static std::string module_repr(Interpreter& vm, const Value& self) {
  auto* module = self.as<Module>();
  if (module->flags & kMadeByScript) return fmt::format("<module {}>", quoted(vm, module->name));
  if (Value* file = module->names->find(vm.state().names.__file__)) {
    return fmt::format("<module {} from {}>", quoted(vm, module->name), vm.repr(*file));
  }
  return fmt::format("<module {} (built-in)>", quoted(vm, module->name));
}

// The result of a module's own function __getattr__ for a name.
static Value ask_module(Interpreter& vm, Module& module, Str* name) {
  Value* hook = module.names->find(vm.state().names.__getattr__);
  if (!hook) return Value();
  try {
    return vm.call(Value(*hook), {Value(name)});
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.attribute_error)) throw;
    return Value();
  }
}

static Value module_getattr(Interpreter& vm, const Value& self, Str* name) {
  Value* found = self.as<Module>()->find(vm, name);
  return found ? *found : ask_module(vm, *self.as<Module>(), name);
}

static bool module_setattr(Interpreter&, const Value& self, Str* name, const Value& item) {
  Dict* names = self.as<Module>()->names.get();
  if (item.is_undefined()) return names->erase(name);
  names->set(name, item);
  return true;
}

static void module_list_names(Interpreter& vm, const Value& self, std::vector<Str*>& names) {
  auto all = self.as<Module>()->all_names(vm);
  names.insert(names.end(), all.begin(), all.end());
}

static Value module_dict(Interpreter&, const Value& self) {
  return Value(self.as<Module>()->names);
}

static Value module_doc(Interpreter& vm, const Value& self) {
  Value* doc = self.as<Module>()->names->find(vm.state().names.__doc__);
  return doc ? *doc : Value::none();
}

static Value module_annotations(Interpreter& vm, const Value& self) {
  Dict* names = self.as<Module>()->names.get();
  Str* key = vm.state().names.__annotations__;
  if (!names->find(key)) names->set(key, vm.dict());
  return *names->find(key);
}
static void set_module_annotations(Interpreter& vm, const Value& self, const Value& item) {
  self.as<Module>()->names->set(vm.state().names.__annotations__, item);
}

static const NativeGetter kGetters[] = {
    {"__dict__", module_dict},
    {"__doc__", module_doc},
    {"__annotations__", module_annotations, set_module_annotations}};

void setup_modules(Interpreter& vm) {
  vm.types.module = vm.make_type<Module>({.name = "module",
                                          .slots = {.repr = module_repr,
                                                    .getattr = module_getattr,
                                                    .setattr = module_setattr,
                                                    .list_names = module_list_names,
                                                    .traverse = traverse<&Module::names>},
                                          .getters = kGetters,
                                          .constructor = &kMakeModule});
}

// --- the interpreter's register ------------------------------------------------------------------

void Interpreter::register_module(std::string_view name, ModuleLoader loader) {
  state_->loaders[std::string(name)] = loader;
}

Ref<Module> Interpreter::make_module(std::string_view name, std::span<const Native> rows,
                                     void* context) {
  Ref<Module> module = make<Module>(types.module, std::string(name), dict());
  module->names->set(state_->names.__name__, str(name));
  module->names->set(state_->names.__doc__, Value::none());
  if (!rows.empty()) module->rows.push_back(rows);
  module->context = context;
  return module;
}

Value Interpreter::function(const Native& row, std::string qualifier, void* context) {
  return make<NativeFunction>(types.native_function, row, std::move(qualifier), context);
}

void Interpreter::add_builtins(std::span<const Native> rows) {
  for (const Native& row : rows) builtins->set(intern(row.name), function(row));
}

}  // namespace gpy
