#include "src/array/arrays.h"

#include "src/array/advice.h"
#include "src/array/errors.h"
#include "src/array/held_memory.h"

namespace gpy {

Arrays::Arrays(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime)
    : rt::Session(std::move(runtime)), vm(vm) {}

Type* Arrays::array_type(rt::Space space) const {
  if (space.is_host()) return numpy_array;
  return space.is_device() ? cupy_array : gp_array;
}

bool Arrays::is_array_type(const Type* type) const {
  return type == numpy_array || type == cupy_array || type == gp_array;
}

std::optional<rt::DType> Arrays::dtype_of(const Type* scalar_type) const {
  for (int i = 0; i < rt::kTypeCodes; ++i) {
    if (scalars[i] == scalar_type) return rt::dtype_at(i);
  }
  return std::nullopt;
}

static bool is_imported(Interpreter& vm, std::string_view name) {
  return vm.modules->find(vm.intern(name)) != nullptr;
}

// Kernels of `gp` are cupy's to the runtime; only a script that imports cupy asked for device 0.
static void note_stand_in(Arrays& state, const std::string& reason) {
  if (is_imported(state.vm, "cupy") || is_imported(state.vm, "cupyx")) {
    state.vm.write_err("gpy: the CPU stands in for device 0: " + reason + "\n");
  } else {
    state.note_stand_in = [&state](const std::string& why) { note_stand_in(state, why); };
  }
}

void install_arrays(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime) {
  auto made = std::make_shared<Arrays>(vm, std::move(runtime));
  Arrays* state = made.get();
  vm.session = std::move(made);
  vm.hooks.translate_exception = translate_array_error;
  state->interrupt = &vm.interrupt_flag();
  state->reclaim = [&vm, state] {
    const bool hidden = forget_hidden_arrays(vm);
    return state->told_addresses.forget_dead() || hidden;
  };
  state->current_origin = [&vm] { return current_origin(vm); };
  state->warn = [state](const std::string& message, const rt::Origin& origin) {
    warn_floating_point(*state, message, origin);
  };
  state->note_stand_in = [state](const std::string& reason) { note_stand_in(*state, reason); };
  setup_array_errors(*state);
  setup_array_advice(*state);
  setup_dtypes(*state);
  setup_scalars(*state);
  setup_ndarrays(*state);
  setup_array_iterators(*state);
}

}  // namespace gpy
