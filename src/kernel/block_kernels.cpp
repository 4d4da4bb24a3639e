// Scans and stencils: kernels that only kernel statements make.
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_parameters.h"
#include "src/kernel/on_stream.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

// --- scan ----------------------------------------------------------------------------------------

bool truth_keyword(Interpreter& vm, const CallArgs& arguments, std::string_view name) {
  const Value* value = given_keyword(arguments, name);
  return value && vm.truth(*value);
}

Value call_scan(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  rt::ScanKernel& kernel = *self.as<ScanObject>()->kernel;
  const size_t inputs = kernel.text().inputs.size();
  refuse_unknown(vm, kernel.text().name, arguments, {"axis", "exclusive", "out", "stream"});
  const Value* out_value = combined_out(vm, arguments, inputs);
  Ndarray* out = out_value ? to_out(vm, *out_value) : nullptr;
  std::span<const Value> given = arguments.positionals();
  if (given.size() == inputs + 1) given = given.first(inputs);
  rt::ScanCall call;
  call.inputs = kernel_operands(vm, kernel.text(), given);
  if (const Value* axis = given_keyword(arguments, "axis")) call.axis = vm.to_index(*axis);
  call.exclusive = truth_keyword(vm, arguments, "exclusive");
  call.out = out ? &out->array : nullptr;
  const rt::Array result = on_stream(vm, given_keyword(arguments, "stream"), [&] {
    return kernel(session(vm), call, session(vm).device_space());
  });
  return out ? *out_value : wrap_array(vm, result);
}

std::string show_scan(Interpreter&, const Value& self) {
  return fmt::format("<scan kernel {}>", self.as<ScanObject>()->kernel->text().name);
}

Value scan_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<ScanObject>()->kernel->text().name);
}
constexpr NativeGetter kScanGetters[] = {{"name", scan_name}, {"__name__", scan_name}};

// --- stencil -------------------------------------------------------------------------------------

Value call_stencil(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  rt::StencilKernel& kernel = *self.as<StencilObject>()->kernel;
  refuse_unknown(vm, kernel.text().name, arguments, {"boundary", "out", "stream"});
  std::vector<Value> given(arguments.positionals().begin(), arguments.positionals().end());
  const size_t inputs = std::min(given.size(), kernel.text().inputs.size());
  if (const Value* out = given_keyword(arguments, "out")) {
    if (given.size() > inputs)
      vm.raise_value_error("cannot specify 'out' as both a positional and keyword argument");
    const std::vector<Value> all = out->is<Tuple>() ? vm.collect(*out) : std::vector{*out};
    given.insert(given.end(), all.begin(), all.end());
  }
  const std::span<const Value> outputs = std::span<const Value>(given).subspan(inputs);
  rt::StencilCall call;
  call.inputs = kernel_operands(vm, kernel.text(), std::span<const Value>(given).first(inputs));
  call.outputs = output_operands(vm, kernel.text(), outputs);
  if (const Value* boundary = given_keyword(arguments, "boundary"))
    call.boundary = kernel_text(vm, *boundary, "boundary");
  const std::vector<rt::Array> results = on_stream(vm, given_keyword(arguments, "stream"), [&] {
    return kernel(session(vm), call, session(vm).device_space());
  });
  return wrap_outputs(vm, results, outputs, false);
}

std::string show_stencil(Interpreter&, const Value& self) {
  return fmt::format("<stencil kernel {}>", self.as<StencilObject>()->kernel->text().name);
}

Value stencil_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<StencilObject>()->kernel->text().name);
}
constexpr NativeGetter kStencilGetters[] = {{"name", stencil_name}, {"__name__", stencil_name}};

}  // namespace

void setup_block_kernels(Arrays& state) {
  Slots scan;
  scan.call = call_scan;
  scan.repr = show_scan;
  state.scan_kernel =
      state.vm.make_type<ScanObject>({.name = "ScanKernel",
                                      .module = "gpy",
                                      .doc = "Running results along an axis, by `a` and `b`.",
                                      .slots = scan,
                                      .getters = kScanGetters});
  add_inspection(*state.scan_kernel);
  Slots stencil;
  stencil.call = call_stencil;
  stencil.repr = show_stencil;
  state.stencil_kernel =
      state.vm.make_type<StencilObject>({.name = "StencilKernel",
                                         .module = "gpy",
                                         .doc = "Each element from the elements around its place.",
                                         .slots = stencil,
                                         .getters = kStencilGetters});
  add_inspection(*state.stencil_kernel);
}

}  // namespace gpy
