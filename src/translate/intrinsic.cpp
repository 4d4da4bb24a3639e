#include "src/translate/intrinsic.h"

#include "src/array/arrays.h"
#include "src/array/read_arguments.h"
#include "src/objects/containers.h"
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
  const auto* of = self.as<IntrinsicObject>();
  const std::string& whole = of->name;
  Value part =
      make_intrinsic(vm, fmt::format("{}{}{}", whole, whole.empty() ? "" : ".", name->view()));
  if (part.is_undefined()) return part;
  part.as<IntrinsicObject>()->dtype = of->dtype;
  part.as<IntrinsicObject>()->threads = of->threads;
  return part;
}

// `cub.BlockReduce[dtype, threads]`, `cub.WarpReduce[dtype]`
Value with_type(Interpreter& vm, const Value& self, const Value& key) {
  auto* both = key.try_as<Tuple>();
  const bool counts = both && both->size > 1;
  const Value& dtype = both && both->size > 0 ? (*both)[0] : key;
  return make_typed_intrinsic(vm, *self.as<IntrinsicObject>(), to_dtype(vm, dtype),
                              counts ? vm.to_index((*both)[1]) : 0);
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
  slots.getitem = with_type;
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

Value make_typed_intrinsic(Interpreter& vm, const IntrinsicObject& of, rt::DType dtype,
                           int64_t threads) {
  constexpr int64_t kWarp = 32, kMostThreads = 1024;
  const bool of_block = of.name == "cub.BlockReduce";
  if (!of_block && of.name != "cub.WarpReduce")
    vm.raise_type_error("'{}' of a kernel has no types", of.name);
  if (of_block && (threads < 1 || threads > kMostThreads))
    vm.raise_value_error("cub.BlockReduce[dtype, threads] takes 1 to {} threads (got {})",
                         kMostThreads, threads);
  auto made = vm.make<IntrinsicObject>(arrays(vm).intrinsic, of.name);
  made->dtype = dtype;
  made->threads = of_block ? threads : kWarp;
  return Value(made.get());
}

}  // namespace gpy
