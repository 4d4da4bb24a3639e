// The module gc: the cycle collector.
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static Value gc_collect(Interpreter& vm, std::optional<int64_t> generation) {
  if (generation && (*generation < 0 || *generation > 2)) {
    vm.raise_value_error("invalid generation");
  }
  const size_t count = vm.collector.collect(vm);
  poll_interrupt(vm);
  return Value::integer(static_cast<int64_t>(count));
}

static Value gc_enable(Interpreter& vm) {
  vm.collector.enabled = true;
  return Value::none();
}

static Value gc_disable(Interpreter& vm) {
  vm.collector.enabled = false;
  return Value::none();
}

static Value gc_isenabled(Interpreter& vm) { return Value::boolean(vm.collector.enabled); }

// The collector has one generation; the other two count as 0.
static Value with_zeros(Interpreter& vm, size_t first) {
  Value zero = Value::integer(0);
  return vm.tuple({Value::integer(static_cast<int64_t>(first)), zero, zero});
}

static Value gc_get_count(Interpreter& vm) { return with_zeros(vm, vm.collector.count(vm.heap)); }

static Value gc_get_threshold(Interpreter& vm) { return with_zeros(vm, vm.collector.threshold); }

static Value gc_set_threshold(Interpreter& vm, int64_t threshold, const Value&, const Value&) {
  vm.collector.threshold = static_cast<size_t>(std::max<int64_t>(threshold, 0));
  vm.collector.plan(vm.heap);
  return Value::none();
}

static const Native kRows[] = {
    {"collect", "(generation=2)", typed<gc_collect>,
     "Frees objects that only refer to one another; how many they were."},
    {"enable", "()", typed<gc_enable>, "Collects now and then, as it does from the start."},
    {"disable", "()", typed<gc_disable>, "Collects only when asked to."},
    {"isenabled", "()", typed<gc_isenabled>, "Whether it collects now and then."},
    {"get_count", "()", typed<gc_get_count>,
     "About how many objects were made since the last time."},
    {"get_threshold", "()", typed<gc_get_threshold>, "How many there have to be, at least."},
    {"set_threshold", "(threshold0, threshold1=None, threshold2=None, /)", typed<gc_set_threshold>,
     "How many there have to be, at least; 0: collects only when asked to."},
};

Value open_gc(Interpreter& vm) { return vm.make_module("gc", kRows); }

}  // namespace gpy::lib
