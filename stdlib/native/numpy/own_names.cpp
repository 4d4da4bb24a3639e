// Functions that only one of numpy, cupy and gp has.
#include "runtime/graph/evaluate.h"
#include "runtime/ops/create.h"
#include "src/code.h"
#include "src/kernel/compiled_objects.h"
#include "src/kernel/inspection.h"
#include "src/loops/loop_watch.h"
#include "src/objects/function.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/checked.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/text_object.h"

namespace gpy::lib {

namespace {

// --- between namespaces --------------------------------------------------------------------------

Value asnumpy(Interpreter& vm, const Value& array, const Value&, const Value&, const Value&) {
  rt::Session& state = session(vm);
  const Ndarray* given = as_ndarray(array);
  if (given && given->array.space().is_host()) return array;
  const rt::Array source = to_array(vm, array, kGp);
  rt::Array host = rt::to_space(state, source, rt::Space::host());
  // The host's copy is its own, also where the CPU stands in for the device.
  if (host.storage_ref() == source.storage_ref()) host = rt::copy(state, host);
  return wrap_array(vm, host);
}

Value get_array_module(Interpreter& vm, std::span<const Value> values) {
  const char* name = kNumpy.name;
  for (const Value& item : values) {
    const Ndarray* array = as_ndarray(item);
    if (!array) continue;
    if (array->array.space().is_device()) return vm.import_module(kCupy.name);
    if (array->array.space().is_auto()) name = kGp.name;
  }
  return vm.import_module(name);
}

Value get_default_memory_pool(Interpreter& vm) {
  return vm.get_attribute(vm.import_module("cupy.cuda.memory"), "_default_pool");
}

Value get_default_pinned_memory_pool(Interpreter& vm) {
  return vm.get_attribute(vm.import_module("cupy.cuda.pinned_memory"), "_default_pinned_pool");
}

Value is_available(Interpreter& vm) {
  return Value::boolean(session(vm).runtime().gpu_count() > 0);
}

// --- gp: inspection of pending work --------------------------------------------------------------

void force(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) {
    rt::evaluate(session(vm), *array->array.value());
  } else if (Generic* scalar = as_generic(value)) {
    scalar->number(session(vm));
  } else if (value.is<List>() || value.is<Tuple>()) {
    vm.for_each(value, [&](const Value& item) { force(vm, item); });
  }
}

Value eval(Interpreter& vm, std::span<const Value> arrays) {
  for (const Value& item : arrays) force(vm, item);
  return Value::none();
}

// What has become of a function's loops, a line each.
Value explain_loops(Interpreter& vm, const Function& function) {
  std::string text;
  for (const LoopReport& each : loop_reports(vm, *function.code))
    text += fmt::format("line {}: {}\n", each.line, each.text);
  return make_text_object(vm, text);
}

Value compile(Interpreter& vm, const Value& function) {
  return make_compiled(vm, function, Dialect::kLanguage);
}

Value explain(Interpreter& vm, const Value& x) {
  if (x.is<Function>()) return explain_loops(vm, *x.as<Function>());
  if (const auto* compiled = x.try_as<CompiledObject>())
    return explain_loops(vm, *compiled->function.as<Function>());
  if (std::string text = explain_kernel(vm, x); !text.empty()) return make_text_object(vm, text);
  const rt::Array array = to_array(vm, x, kGp);
  return make_text_object(vm, rt::explain(session(vm), *array.value()));
}

void add_counters(rt::Counters& total, const rt::Counters& more) {
  total.plans_run += more.plans_run;
  total.kernels_compiled += more.kernels_compiled;
  total.kernels_loaded += more.kernels_loaded;
  total.library_calls += more.library_calls;
  total.bytes_allocated += more.bytes_allocated;
  total.bytes_to_device += more.bytes_to_device;
  total.bytes_to_host += more.bytes_to_host;
  total.bytes_copied += more.bytes_copied;
}

Value counters(Interpreter& vm) {
  rt::Session& state = session(vm);
  rt::Counters total = state.backend(rt::kHostPlace).counters;
  const rt::Place device = state.place_of(rt::Space::automatic());
  if (device != rt::kHostPlace) add_counters(total, state.backend(device).counters);
  Ref<Dict> dict = vm.dict();
  auto put = [&](const char* name, uint64_t count) {
    dict->set(vm.intern(name), Value::integer(static_cast<int64_t>(count)));
  };
  put("kernels_launched", total.plans_run);
  put("kernels_compiled", total.kernels_compiled);
  put("kernels_loaded", total.kernels_loaded);
  put("library_calls", total.library_calls);
  put("bytes_allocated", total.bytes_allocated);
  put("bytes_moved", total.bytes_to_device + total.bytes_to_host);
  put("bytes_to_device", total.bytes_to_device);
  put("bytes_to_host", total.bytes_to_host);
  put("bytes_copied", total.bytes_copied);
  put("host_copies", state.counters.host_copies);
  put("nodes_made", state.counters.nodes_made);
  put("nodes_fused", state.counters.nodes_fused);
  put("forces", state.counters.forces);
  return dict;
}

// gp.lazy(): whether operations wait; gp.lazy(False): run them when they are made.
Value lazy(Interpreter& vm, std::optional<bool> on) {
  rt::Session& state = session(vm);
  const bool before = state.lazy;
  if (on) state.lazy = *on;
  return Value::boolean(before);
}

Value synchronize(Interpreter& vm) {
  session(vm).backend_of(rt::Space::automatic()).synchronize();
  return Value::none();
}

#define GPY_ASNUMPY \
  { "asnumpy", "(a, stream=None, order='C', out=None)", typed<asnumpy>, "The array on the host." }
#define GPY_MODULE                                          \
  {                                                         \
    "get_array_module", "(*args)", typed<get_array_module>, \
        "The module whose arrays the arguments are."        \
  }

const Native kCupyOnly[] = {
    GPY_ASNUMPY,
    GPY_MODULE,
    {"get_default_memory_pool", "()", typed<get_default_memory_pool>,
     "The memory of the current device."},
    {"get_default_pinned_memory_pool", "()", typed<get_default_pinned_memory_pool>,
     "The pinned memory of the host that is kept."},
    {"is_available", "()", typed<is_available>, "Whether there is a GPU."},
};
const Native kGpOnly[] = {
    GPY_ASNUMPY,
    GPY_MODULE,
    {.name = "eval",
     .signature = "(*arrays)",
     .body = typed<eval>,
     .doc = "Computes what is pending of arrays now.",
     .quick = eval},
    {"compile", "(function, /)", typed<compile>,
     "The function with loops that are compiled as soon as they go round."},
    {"explain", "(x)", typed<explain>,
     "The pending expression of an array, and the plan that would run it; of a function, which of "
     "its loops are compiled, and what stands in the way of others; of a kernel, or of its launch "
     "`kernel[grid, block]`, what was compiled and how much of a GPU it fills."},
    {"counters", "()", typed<counters>, "What was counted so far: kernels, bytes, nodes."},
    {"lazy", "(on=None)", typed<lazy>, "Whether operations wait to be needed, and sets it."},
    {"synchronize", "()", typed<synchronize>, "Waits for the device."},
    {"checked", "(on=True, *, nan=False)", typed<checked>,
     "`with gp.checked():` checks kernels while they run: each access against the bounds of its "
     "array,\nand on the CPU races, barriers and shared memory that nobody has written. What is "
     "wrong raises\nCheckError behind the launch; the access itself is skipped. `nan`: NaNs that "
     "are stored, too."},
};
#undef GPY_ASNUMPY
#undef GPY_MODULE

}  // namespace

Family numpy_only_family() { return {}; }
Family cupy_only_family() { return {.functions = kCupyOnly}; }
Family gp_only_family() { return {.functions = kGpOnly}; }

}  // namespace gpy::lib
