// _cuda_nvtx: the native half of cupy.cuda.nvtx.
#include "runtime/cuda/nvtx.h"

#include "src/typed_native.h"
#include "stdlib/native/cupy/open.h"
#include "stdlib/native/cupy/raw_arguments.h"

namespace gpy::lib {

namespace {

Value mark(Interpreter& vm, std::string_view message, const Value& color) {
  rt::nvtx_mark(std::string(message), flags_argument(vm, color));
  return Value::none();
}

Value push(Interpreter& vm, std::string_view message, const Value& color) {
  rt::nvtx_push(std::string(message), flags_argument(vm, color));
  return Value::none();
}

Value pop(Interpreter&) {
  rt::nvtx_pop();
  return Value::none();
}

Value start(Interpreter& vm, std::string_view message, const Value& color) {
  return vm.unsigned_integer(rt::nvtx_start(std::string(message), flags_argument(vm, color)));
}

Value end(Interpreter&, int64_t range_id) {
  rt::nvtx_end(static_cast<uint64_t>(range_id));
  return Value::none();
}

const Native kFunctions[] = {
    {"MarkC", "(message, color=0)", typed<mark>, "Marks a moment, in an ARGB colour."},
    {"RangePushC", "(message, color=0)", typed<push>, "Begins a range inside the last one."},
    {"RangePop", "()", typed<pop>, "Ends the range that was pushed last."},
    {"_start", "(message, color)", typed<start>, "Begins a range that RangeEnd ends."},
    {"RangeEnd", "(range_id)", typed<end>, "Ends a range that RangeStart began."},
};

Value open_nvtx(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_cuda_nvtx", kFunctions);
  module->set(vm, "available", Value::boolean(rt::has_nvtx()));
  return module;
}

}  // namespace

void register_nvtx(Interpreter& vm) { vm.register_module("_cuda_nvtx", open_nvtx); }

}  // namespace gpy::lib
