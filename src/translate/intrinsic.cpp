#include "src/translate/intrinsic.h"

#include "src/array/arrays.h"
#include "src/translate/grid_table.h"

namespace gpy {

bool is_intrinsic(std::string_view name) {
  if (name.empty()) return true;
  for (const Intrinsic& each : intrinsics()) {
    if (!each.name.starts_with(name)) continue;
    if (each.name.size() == name.size() || each.name[name.size()] == '.') return true;
  }
  return false;
}

namespace {

Value find_part(Interpreter& vm, const Value& self, Str* name) {
  const std::string& whole = self.as<IntrinsicObject>()->name;
  return make_intrinsic(vm, fmt::format("{}{}{}", whole, whole.empty() ? "" : ".", name->view()));
}

[[noreturn]] Value refuse_call(Interpreter& vm, const Value& self, const CallArgs&) {
  vm.raise_runtime_error("{}() works inside kernels only", self.as<IntrinsicObject>()->name);
}

std::string show(Interpreter&, const Value& self) {
  return fmt::format("<{} of a kernel>", self.as<IntrinsicObject>()->name);
}

}  // namespace

void setup_intrinsics(Interpreter& vm) {
  Slots slots;
  slots.getattr = find_part;
  slots.call = refuse_call;
  slots.repr = show;
  arrays(vm).intrinsic =
      vm.make_type<IntrinsicObject>({.name = "intrinsic",
                                     .module = "numba.cuda",
                                     .doc = "A name that has a meaning inside kernels only.",
                                     .slots = slots});
}

Value make_intrinsic(Interpreter& vm, std::string_view name) {
  if (!is_intrinsic(name)) return Value();
  return Value(vm.make<IntrinsicObject>(arrays(vm).intrinsic, std::string(name)).get());
}

}  // namespace gpy
