// The module random: the type Random, and the methods of one of it as functions.
#include "src/typed_native.h"
#include "stdlib/native/modules.h"
#include "stdlib/native/python_random/source.h"

namespace gpy::lib {

static Value make_random(Interpreter& vm, Type& cls, const Value& x) {
  auto source = vm.make<RandomSource>(&cls);
  seed_source(vm, *source, x, false);
  return source;
}

static Value make_system_random(Interpreter& vm, Type& cls, const Value&) {
  auto source = vm.make<RandomSource>(&cls);
  source->of_system = true;
  return source;
}

static const Native kRandom = {"Random", "(cls, x=None)", typed<make_random>,
                               "A source of random numbers of its own."};
static const Native kSystemRandom = {"SystemRandom", "(cls, x=None)", typed<make_system_random>,
                                     "Random numbers of the operating system."};

Value open_random(Interpreter& vm) {
  Ref<Module> module = vm.make_module("random");
  Type* type = vm.make_type<RandomSource>({.name = "Random",
                                           .module = "random",
                                           .doc = kRandom.doc,
                                           .slots = {.traverse = traverse_fields<RandomSource>},
                                           .constructor = &kRandom,
                                           .is_final = false});
  auto families = {random_state_rows(), random_integer_rows(), random_choice_rows(),
                   random_distribution_rows()};
  type->methods.assign(families.begin(), families.end());
  Type* system = vm.make_type<RandomSource>({.name = "SystemRandom",
                                             .module = "random",
                                             .doc = kSystemRandom.doc,
                                             .base = type,
                                             .constructor = &kSystemRandom,
                                             .is_final = false});
  Value shared = vm.call(Value(type));
  for (auto rows : families) {
    for (const Native& row : rows) {
      if (row.name[0] == '_') continue;
      module->set(vm, row.name, vm.get_attribute(shared, row.name));
    }
  }
  module->set(vm, "Random", Value(type));
  module->set(vm, "SystemRandom", Value(system));
  return module;
}

}  // namespace gpy::lib
