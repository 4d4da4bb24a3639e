// ElementwiseKernel and ReductionKernel: calls of kernels that gpy writes the loops of.
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/kernel_objects.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

// The place of a kernel in a string, named by the parameter and the line that makes the kernel.
rt::KernelPlace place_in_text(Interpreter& vm, std::string_view parameter) {
  const Position here = vm.current_position();
  return {fmt::format("<{} of {}:{}>", parameter, here.file, here.line), 1};
}

// --- elementwise ---------------------------------------------------------------------------------

Value call_elementwise(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  ElementwiseObject& object = *self.as<ElementwiseObject>();
  refuse_unknown(vm, object.kernel->text().name, arguments, {"size", "block_size", "stream"});
  std::optional<int64_t> size;
  if (const Value* given = arguments.find_keyword("size"); given && is_given(*given))
    size = vm.to_index(*given);
  const std::vector<rt::Operand> operands = kernel_operands(vm, arguments.positionals());
  std::vector<rt::Array> results =
      (*object.kernel)(session(vm), operands, size, session(vm).device_space());
  if (object.no_return) return Value::none();
  std::vector<Value> values;
  const size_t inputs = object.kernel->text().inputs.size();
  for (size_t i = 0; i < results.size(); ++i) {
    const bool given = operands.size() > inputs;
    values.push_back(given ? arguments.positionals()[inputs + i] : wrap_array(vm, results[i]));
  }
  if (values.size() == 1 && !object.return_tuple) return values[0];
  return vm.tuple(values);
}

std::string show_elementwise(Interpreter&, const Value& self) {
  return fmt::format("<elementwise kernel {}>", self.as<ElementwiseObject>()->kernel->text().name);
}

Value make_elementwise(Interpreter& vm, const Value&, const Value& in_params,
                       const Value& out_params, const Value& operation, const Value& name,
                       const Value&, const Value& preamble, const Value& no_return,
                       const Value& return_tuple, const Value& options, const Value&,
                       const Value&) {
  rt::ElementwiseText text;
  text.inputs = rt::parse_parameters(kernel_text(vm, in_params, "in_params"));
  text.outputs = rt::parse_parameters(kernel_text(vm, out_params, "out_params"));
  text.body = kernel_text(vm, operation, "operation");
  text.name = kernel_text(vm, name, "name");
  text.preamble = kernel_text(vm, preamble, "preamble");
  text.options = kernel_options(vm, options);
  text.place = place_in_text(vm, "operation");
  Ref<ElementwiseObject> object =
      vm.make<ElementwiseObject>(arrays(vm).elementwise_kernel, std::move(text));
  object->no_return = vm.truth(no_return);
  object->return_tuple = vm.truth(return_tuple);
  return Value(object.get());
}

constexpr Native kMakeElementwise = {
    "ElementwiseKernel",
    "(cls, in_params, out_params, operation, name='kernel', reduce_dims=True, preamble='', "
    "no_return=False, "
    "return_tuple=False, options=None, loop_prep='', after_loop='')",
    typed<make_elementwise>, "A kernel in CUDA C++ for one element of arrays that broadcast."};

Value elementwise_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<ElementwiseObject>()->kernel->text().name);
}
constexpr NativeGetter kElementwiseGetters[] = {{"name", elementwise_name},
                                                {"__name__", elementwise_name}};

// --- reduction -----------------------------------------------------------------------------------

Value call_reduction(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  ReductionObject& object = *self.as<ReductionObject>();
  refuse_unknown(vm, object.kernel->text().name, arguments, {"out", "axis", "keepdims", "stream"});
  const Value* axis = arguments.find_keyword("axis");
  const Value* keepdims = arguments.find_keyword("keepdims");
  const Value* out_value = arguments.find_keyword("out");
  Ndarray* out = out_value ? to_out(vm, *out_value) : nullptr;
  const std::vector<rt::Operand> operands = kernel_operands(vm, arguments.positionals());
  const rt::Array result =
      (*object.kernel)(session(vm), operands, axis ? to_axes(vm, *axis) : std::nullopt,
                       keepdims && to_keepdims(vm, *keepdims), out ? &out->array : nullptr,
                       session(vm).device_space());
  return out ? *out_value : wrap_array(vm, result);
}

std::string show_reduction(Interpreter&, const Value& self) {
  return fmt::format("<reduction kernel {}>", self.as<ReductionObject>()->kernel->text().name);
}

Value make_reduction(Interpreter& vm, const Value&, const Value& in_params, const Value& out_params,
                     const Value& map, const Value& reduce, const Value& post,
                     const Value& identity, const Value& name, const Value& reduce_type,
                     const Value&, const Value& preamble, const Value& options) {
  rt::ReductionText text;
  text.inputs = rt::parse_parameters(kernel_text(vm, in_params, "in_params"));
  text.outputs = rt::parse_parameters(kernel_text(vm, out_params, "out_params"));
  text.map = kernel_text(vm, map, "map_expr");
  text.reduce = kernel_text(vm, reduce, "reduce_expr");
  text.post = kernel_text(vm, post, "post_map_expr");
  text.identity = identity.is_none() ? "" : kernel_text(vm, vm.to_str(identity), "identity");
  text.name = kernel_text(vm, name, "name");
  if (is_given(reduce_type)) text.reduce_type = kernel_text(vm, reduce_type, "reduce_type");
  text.preamble = kernel_text(vm, preamble, "preamble");
  text.options = kernel_options(vm, options);
  text.map_place = place_in_text(vm, "map_expr");
  text.reduce_place = place_in_text(vm, "reduce_expr");
  text.post_place = place_in_text(vm, "post_map_expr");
  return Value(vm.make<ReductionObject>(arrays(vm).reduction_kernel, std::move(text)).get());
}

constexpr Native kMakeReduction = {
    "ReductionKernel",
    "(cls, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, "
    "name='reduce_kernel', "
    "reduce_type=None, reduce_dims=True, preamble='', options=())",
    typed<make_reduction>,
    "A reduction in CUDA C++: map, reduce by `a` and `b`, then the post expression."};

Value reduction_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<ReductionObject>()->kernel->text().name);
}
constexpr NativeGetter kReductionGetters[] = {{"name", reduction_name},
                                              {"__name__", reduction_name}};

}  // namespace

void setup_generated_kernels(Arrays& state) {
  Slots elementwise;
  elementwise.call = call_elementwise;
  elementwise.repr = show_elementwise;
  elementwise.traverse = traverse<&ElementwiseObject::globals>;
  state.elementwise_kernel =
      state.vm.make_type<ElementwiseObject>({.name = "ElementwiseKernel",
                                             .module = "cupy",
                                             .doc = kMakeElementwise.doc,
                                             .slots = elementwise,
                                             .getters = kElementwiseGetters,
                                             .constructor = &kMakeElementwise});
  Slots reduction;
  reduction.call = call_reduction;
  reduction.repr = show_reduction;
  state.reduction_kernel = state.vm.make_type<ReductionObject>({.name = "ReductionKernel",
                                                                .module = "cupy",
                                                                .doc = kMakeReduction.doc,
                                                                .slots = reduction,
                                                                .getters = kReductionGetters,
                                                                .constructor = &kMakeReduction});
}

}  // namespace gpy
