#include "stdlib/native/numpy/joiner.h"

#include "src/memory/traverse.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Joiner : Object {
  static constexpr ObjectLayout kLayout = kJoinerLayout;
  Joiner(Type* type, Module* module, bool columns)
      : Object(type), module(module), columns(columns) {}
  Ref<Module> module;
  bool columns;
};

// A slice stands for its range, with 5j points if its step is imaginary.
Value part_of(Interpreter& vm, const Value& module, const Value& key) {
  if (!key.is<Slice>()) return vm.call_method(module, "atleast_1d", {key});
  return vm.get_item(vm.get_attribute(module, "mgrid"), key);
}

Value joiner_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const Joiner& joiner = *self.as<Joiner>();
  const Value module(joiner.module);
  std::vector<Value> parts;
  if (Tuple* tuple = key.try_as<Tuple>()) {
    for (const Value& item : tuple->items()) parts.push_back(part_of(vm, module, item));
  } else {
    parts.push_back(part_of(vm, module, key));
  }
  const Value list = vm.list(std::move(parts));
  return vm.call_method(module, joiner.columns ? "column_stack" : "concatenate", {list});
}

}  // namespace

Value make_joiner(Interpreter& vm, const Namespace& names, bool columns) {
  Type* type = vm.make_type<Joiner>(
      {.name = columns ? "CClass" : "RClass",
       .module = "numpy",
       .doc = "Joins arrays, numbers and slices: r_[1:4, 0, 4].",
       .slots = {.getitem = joiner_getitem, .traverse = traverse<&Joiner::module>}});
  const Value module = vm.import_module(names.name);
  return vm.make<Joiner>(type, module.as<Module>(), columns);
}

}  // namespace gpy::lib
