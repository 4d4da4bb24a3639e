// _cuda_nvtx: the native half of cupy.cuda.nvtx.
#include "runtime/cuda/nvtx.h"

#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"

namespace gpy::lib {

namespace {

std::string message_argument(Interpreter& vm, const Value& value) {
  return std::string(vm.to_text(value, "message"));
}

// (message, color)
Value mark(Interpreter& vm, Args args) {
  rt::nvtx_mark(message_argument(vm, args[0]), flags_argument(vm, args[1]));
  return Value::none();
}

Value push(Interpreter& vm, Args args) {
  rt::nvtx_push(message_argument(vm, args[0]), flags_argument(vm, args[1]));
  return Value::none();
}

Value pop(Interpreter&, Args) {
  rt::nvtx_pop();
  return Value::none();
}

Value start(Interpreter& vm, Args args) {
  return vm.unsigned_integer(
      rt::nvtx_start(message_argument(vm, args[0]), flags_argument(vm, args[1])));
}

Value end(Interpreter& vm, Args args) {
  rt::nvtx_end(static_cast<uint64_t>(vm.to_index(args[0])));
  return Value::none();
}

const Native kFunctions[] = {
    {"MarkC", "(message, color=0)", mark, "Marks a moment, in an ARGB colour."},
    {"RangePushC", "(message, color=0)", push, "Begins a range inside the last one."},
    {"RangePop", "()", pop, "Ends the range that was pushed last."},
    {"_start", "(message, color)", start, "Begins a range that RangeEnd ends."},
    {"RangeEnd", "(range_id)", end, "Ends a range that RangeStart began."},
};

Value open_nvtx(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_cuda_nvtx", kFunctions);
  module->set(vm, "available", Value::boolean(rt::has_nvtx()));
  return module;
}

}  // namespace

void register_nvtx(Interpreter& vm) { vm.register_module("_cuda_nvtx", open_nvtx); }

}  // namespace gpy::lib
