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
  Value made = names.is_numpy() ? make_random_state(vm) : make_philox_state(vm, names);
  module.names->set(key, made);
  return made;
}

// The types that are made in C++, by their names.
Type* find_type(Interpreter& vm, const Namespace& names, std::string_view name) {
  if (name == "RandomState") {
    return names.is_numpy() ? random_state_type(vm) : philox_state_type(vm, names);
  }
  if (name != "Generator") return nullptr;
  return names.is_numpy() ? generator_type(vm) : philox_type(vm, names);
}

// The folder of the library that holds what else the module has.
std::string_view part_of(const Namespace& names) {
  return names.is_numpy() ? "random" : "device_random";
}

Value find_function(Interpreter& vm, Module& module, Str* name) {
  const Namespace& names = names_of(module);
  if (Type* type = find_type(vm, names, name->view())) return Value(static_cast<Object*>(type));
  const Value found = find_in_library(vm, names, part_of(names), name->view());
  if (found.is_defined()) return found;
  if (name->view().starts_with("_")) return Value();
  if (!find_type(vm, names, "RandomState")->lookup(name)) return Value();
  return vm.get_attribute(shared_generator(vm, module), name);
}

void list_functions(Interpreter& vm, Module& module, std::vector<Str*>& names) {
  for (auto rows : find_type(vm, names_of(module), "RandomState")->methods) {
    for (const Native& row : rows) {
      if (row.name[0] != '_') names.push_back(vm.intern(row.name));
    }
  }
  names.push_back(vm.intern("Generator"));
  names.push_back(vm.intern("RandomState"));
  list_library_names(vm, part_of(names_of(module)), names);
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
Module& device_module(Interpreter& vm, const Namespace& names) {
  return *vm.import_module(names.is_cupy() ? "cupy.random" : "gpy.random").as<Module>();
}

Value get_random_state(Interpreter& vm, const Namespace& names) {
  return shared_generator(vm, device_module(vm, names));
}

Value set_random_state(Interpreter& vm, const Namespace& names, const Value& state) {
  if (vm.type_of(state) != philox_state_type(vm, names)) {
    vm.raise_value_error("Random state must be an instance of RandomState. Actual: {}",
                         vm.type_name(state));
  }
  device_module(vm, names).names->set(vm.intern("_rand"), state);
  return Value::none();
}

Value reset_states(Interpreter& vm, const Namespace& names) {
  return set_random_state(vm, names, make_philox_state(vm, names));
}

const Native kDeviceFunctions[] = {
    {"default_rng", "(seed=None)", typed<make_philox>,
     "A generator of random numbers with a seed, or from a bit generator."},
    {"get_random_state", "()", typed<get_random_state>,
     "The RandomState whose methods are the module's functions."},
    {"set_random_state", "(rs)", typed<set_random_state>,
     "Gives the module's functions another RandomState."},
    {"reset_states", "()", typed<reset_states>,
     "Gives the module's functions a RandomState that the system seeds."},
};

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
