// The modules of random numbers. Their functions are the methods of one generator each, which is
// made when the first is asked for.
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/random/open.h"

namespace gpy::lib {

namespace {

const Namespace& names_of(const Module& module) {
  return *static_cast<const Namespace*>(module.context);
}

Value shared_generator(Interpreter& vm, Module& module) {
  Str* key = vm.intern("_rand");
  if (Value* found = module.names->find(key)) return *found;
  const Namespace& names = names_of(module);
  Value made = names.is_numpy() ? make_random_state(vm) : make_philox(vm, names, Value::none());
  module.names->set(key, made);
  return made;
}

Value find_function(Interpreter& vm, Module& module, Str* name) {
  const bool numpy = names_of(module).is_numpy();
  if (numpy && name->view() == "RandomState")
    return Value(static_cast<Object*>(random_state_type(vm)));
  if (name->view() == "Generator") {
    return Value(static_cast<Object*>(numpy ? generator_type(vm) : philox_type(vm)));
  }
  if (numpy) {
    const Value found = find_in_library(vm, kNumpy, "random", name->view());
    if (found.is_defined()) return found;
  }
  Type* type = numpy ? random_state_type(vm) : philox_type(vm);
  if (name->view().starts_with("_") || !type->lookup(name)) return Value();
  return vm.get_attribute(shared_generator(vm, module), name);
}

void list_functions(Interpreter& vm, Module& module, std::vector<Str*>& names) {
  const bool numpy = names_of(module).is_numpy();
  Type* type = numpy ? random_state_type(vm) : philox_type(vm);
  for (auto rows : type->methods) {
    for (const Native& row : rows) {
      if (row.name[0] != '_') names.push_back(vm.intern(row.name));
    }
  }
  names.push_back(vm.intern("Generator"));
  if (!numpy) return;
  names.push_back(vm.intern("RandomState"));
  list_library_names(vm, "random", names);
}

Value get_bit_generator(Interpreter& vm) {
  Module& module = *vm.import_module("numpy.random").as<Module>();
  return state_bit_generator(vm, shared_generator(vm, module));
}

Value set_bit_generator(Interpreter& vm, const Value& bit_generator) {
  Module& module = *vm.import_module("numpy.random").as<Module>();
  set_state_bit_generator(vm, shared_generator(vm, module), bit_generator);
  return Value::none();
}

// Other bit generators than RandomState's own start again as new ones of their type do.
Value reseed(Interpreter& vm, const Value& seed) {
  Module& module = *vm.import_module("numpy.random").as<Module>();
  const Value state = shared_generator(vm, module);
  const Value bits = state_bit_generator(vm, state);
  Type* type = vm.type_of(bits);
  if (type->name == "MT19937") return vm.call_method(state, "seed", {seed});
  const Value fresh = vm.call(Value(static_cast<Object*>(type)), {seed});
  vm.set_attribute(bits, vm.intern("state"), vm.get_attribute(fresh, "state"));
  return Value::none();
}

const Native kHostFunctions[] = {
    {"seed", "(seed=None)", typed<reseed>, "Starts again from a seed."},
    {"default_rng", "(seed=None)", typed<make_default_rng>,
     "A generator of random numbers with a seed."},
    {"get_bit_generator", "()", typed<get_bit_generator>,
     "Where the bits of the module's functions come from."},
    {"set_bit_generator", "(bitgen)", typed<set_bit_generator>,
     "Gives the module's functions another bit generator."},
};
const Native kDeviceFunctions[] = {{"default_rng", "(seed=None)", typed<make_philox>,
                                    "A generator of random numbers with a seed."}};

Value open(Interpreter& vm, const Namespace& names, std::span<const Native> rows) {
  Ref<Module> module = make_part(vm, names, "random", rows);
  module->missing = find_function;
  module->list_missing = list_functions;
  return module;
}

}  // namespace

Value open_numpy_random(Interpreter& vm) { return open(vm, kNumpy, kHostFunctions); }

Value open_device_random(Interpreter& vm, const Namespace& names) {
  return open(vm, names, kDeviceFunctions);
}

}  // namespace gpy::lib
