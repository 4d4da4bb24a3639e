// The module gc: the cycle collector.
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static Value gc_collect(Interpreter& vm, Args args) {
  int64_t generation = args[0].is_none() ? 2 : vm.to_index(args[0]);
  if (generation < 0 || generation > 2) vm.raise_value_error("invalid generation");
  const size_t count = vm.collector.collect(vm);
  heed_interrupt(vm);
  return Value::integer(static_cast<int64_t>(count));
}

static Value gc_enable(Interpreter& vm, Args) {
  vm.collector.enabled = true;
  return Value::none();
}

static Value gc_disable(Interpreter& vm, Args) {
  vm.collector.enabled = false;
  return Value::none();
}

static Value gc_isenabled(Interpreter& vm, Args) { return Value::boolean(vm.collector.enabled); }

// There is one generation.
static Value with_zeros(Interpreter& vm, size_t first) {
  Value zero = Value::integer(0);
  return vm.tuple({Value::integer(static_cast<int64_t>(first)), zero, zero});
}

static Value gc_get_count(Interpreter& vm, Args) {
  return with_zeros(vm, vm.collector.count(vm.heap));
}

static Value gc_get_threshold(Interpreter& vm, Args) {
  return with_zeros(vm, vm.collector.threshold);
}

static Value gc_set_threshold(Interpreter& vm, Args args) {
  vm.collector.threshold = static_cast<size_t>(std::max<int64_t>(vm.to_index(args[0]), 0));
  vm.collector.plan(vm.heap);
  return Value::none();
}

static const Native kRows[] = {
    {"collect", "(generation=2)", gc_collect,
     "Frees objects that only refer to one another; how many they were."},
    {"enable", "()", gc_enable, "Collects now and then, as it does from the start."},
    {"disable", "()", gc_disable, "Collects only when asked to."},
    {"isenabled", "()", gc_isenabled, "Whether it collects now and then."},
    {"get_count", "()", gc_get_count, "About how many objects were made since the last time."},
    {"get_threshold", "()", gc_get_threshold, "How many there have to be, at least."},
    {"set_threshold", "(threshold0, threshold1=None, threshold2=None, /)", gc_set_threshold,
     "How many there have to be, at least; 0: collects only when asked to."},
};

Value open_gc(Interpreter& vm) { return vm.make_module("gc", kRows); }

}  // namespace gpy::lib
