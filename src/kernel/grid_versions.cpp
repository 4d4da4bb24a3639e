#include "src/kernel/grid_versions.h"

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "src/array/convert.h"
#include "src/kernel/compiled_failures.h"
#include "src/kernel/grid_objects.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_raises.h"
#include "src/kernel/typed_arguments.h"
#include "src/objects/containers.h"
#include "src/objects/dict.h"
#include "src/translate/type_specs.h"

namespace gpy {

namespace {

std::vector<TypedType> types_of(Interpreter& vm, const Value& specs) {
  std::vector<TypedType> out;
  for (const Value& each : vm.collect(specs)) out.push_back(declared_type(vm, each));
  return out;
}

// What stands for arguments of these types, which have no values.
std::vector<TypedArgument> arguments_of(Interpreter& vm, const Value& specs) {
  std::vector<TypedArgument> out;
  for (TypedType& each : types_of(vm, specs)) out.push_back({std::move(each), {}});
  return out;
}

// A function of numba.cuda raises Numba's error, as its compiled functions do.
TranslatedFunction translate(Interpreter& vm, GridObject& kernel,
                             std::span<const TypedArgument> arguments) {
  std::vector<TypedType> types;
  for (const TypedArgument& each : arguments) types.push_back(each.type);
  try {
    return kernel.translate(types);
  } catch (const rt::Error& error) {
    if (error.kind() != rt::ErrorKind::kTranslation || kernel.dialect != Dialect::kNumba) throw;
    raise_typing_error(vm, error.message());
  }
}

struct Compiled {
  std::shared_ptr<rt::typed::GridFunction> code;
  std::shared_ptr<rt::UserFunction> function;
  rt::Place place;
};

// For the current device.
Compiled compiled(Interpreter& vm, const Value& kernel, const Value& specs) {
  rt::Session& runtime = session(vm);
  const rt::InterruptScope scope(runtime.interrupt);
  const rt::Place place = runtime.place_of(runtime.device_space());
  auto code = grid_version(vm, *kernel.as<GridObject>(), arguments_of(vm, specs));
  auto function = code->function(runtime, place);
  return {std::move(code), std::move(function), place};
}

}  // namespace

std::shared_ptr<rt::typed::GridFunction> grid_version(Interpreter& vm, GridObject& kernel,
                                                      std::span<const TypedArgument> arguments) {
  const std::string key = version_key(arguments);
  if (const auto known = kernel.versions.find(key); known != kernel.versions.end())
    return known->second;
  TranslatedFunction translated = translate(vm, kernel, arguments);
  auto made = std::make_shared<rt::typed::GridFunction>(std::move(translated.program),
                                                        translated.has_effects, kernel.options);
  if (tells_raises(made->entry())) kernel.values[made.get()] = std::move(translated.values);
  return kernel.versions.emplace(key, std::move(made)).first->second;
}

Value grid_signatures(Interpreter& vm, const Value& kernel) {
  const Value make = vm.get_attribute(vm.import_module("numba.core.types"), vm.intern("_of"));
  std::vector<Value> out;
  for (const auto& [key, version] : kernel.as<GridObject>()->versions) {
    const rt::typed::Function& entry = version->entry();
    std::vector<Value> types;
    for (int i = 0; i < entry.parameters - tells_raises(entry); ++i) {
      const TypedType& type = entry.variables[static_cast<size_t>(i)].type;
      types.push_back(vm.call(make, {declared_spec(vm, type)}));
    }
    out.push_back(vm.tuple(types));
  }
  return vm.list(std::move(out));
}

void declare_grid(Interpreter& vm, const Value& kernel, const Value& specs) {
  kernel.as<GridObject>()->declared.push_back(types_of(vm, specs));
}

Value grid_attributes(Interpreter& vm, const Value& kernel, const Value& specs) {
  const Compiled found = compiled(vm, kernel, specs);
  const Ref<Dict> out = vm.dict();
  for (const AttributeName& each : kAttributeNames)
    out->set(vm, vm.str(each.name), Value::integer(found.function->attribute(each.attribute)));
  out->set(vm, vm.str("cooperative"), Value::boolean(found.code->is_cooperative()));
  return Value(out.get());
}

Value grid_text(Interpreter& vm, const Value& kernel, const Value& specs, std::string_view form) {
  const Compiled found = compiled(vm, kernel, specs);
  const rt::InterruptScope scope(session(vm).interrupt);
  if (form == "ptx") return vm.str(found.function->ptx());
  return vm.str(form == "sass" ? found.function->sass() : found.code->source());
}

int64_t grid_blocks_at_once(Interpreter& vm, const Value& kernel, const Value& specs,
                            int64_t threads, int64_t shared_bytes) {
  const Compiled found = compiled(vm, kernel, specs);
  const int64_t multiprocessors = session(vm).backend(found.place).device_info().multiprocessors;
  // The CPU runs any number: as many as a multiprocessor would are a good number.
  constexpr int64_t kThreadsOfMultiprocessor = 2048;
  const int64_t blocks =
      found.place == rt::kHostPlace
          ? kThreadsOfMultiprocessor / std::max<int64_t>(threads, 1)
          : found.function->occupancy(static_cast<int>(threads), static_cast<size_t>(shared_bytes))
                .blocks;
  return blocks * multiprocessors;
}

}  // namespace gpy
