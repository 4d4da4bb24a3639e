// ReductionKernel, whose loops gpy writes.
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_parameters.h"
#include "src/kernel/on_stream.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

ReductionObject& reduction_of(const Value& self) { return *self.as<ReductionObject>(); }
const rt::ReductionText& reduction_text(const Value& self) {
  return reduction_of(self).kernel->text();
}

Value call_reduction(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  rt::ReductionKernel& kernel = *reduction_of(self).kernel;
  const size_t inputs = kernel.text().inputs.size();
  refuse_unknown(vm, kernel.text().name, arguments, {"out", "axis", "keepdims", "stream"});
  const Value* axis = arguments.find_keyword("axis");
  const Value* keepdims = arguments.find_keyword("keepdims");
  const Value* out_value = combined_out(vm, arguments, inputs);
  Ndarray* out = out_value ? to_out(vm, *out_value) : nullptr;
  std::span<const Value> given = arguments.positionals();
  if (given.size() == inputs + 1) given = given.first(inputs);
  const std::vector<rt::Operand> operands = kernel_operands(vm, kernel.text(), given);
  const rt::Array result = on_stream(vm, given_keyword(arguments, "stream"), [&] {
    return kernel(session(vm), operands, axis ? to_axes(vm, *axis) : std::nullopt,
                  keepdims && to_keepdims(vm, *keepdims), out ? &out->array : nullptr,
                  session(vm).device_space());
  });
  return out ? *out_value : wrap_array(vm, result);
}

std::string show_reduction(Interpreter&, const Value& self) {
  return fmt::format("<reduction kernel {}>", reduction_text(self).name);
}

Value make_reduction(Interpreter& vm, const Value&, const Value& in_params, const Value& out_params,
                     const Value& map, const Value& reduce, const Value& post,
                     const Value& identity, const Value& name, const Value& reduce_type,
                     bool reduce_dims, const Value& preamble, const Value& options) {
  rt::ReductionText text;
  text.inputs = rt::parse_parameters(kernel_text(vm, in_params, "in_params"));
  text.outputs = rt::parse_parameters(kernel_text(vm, out_params, "out_params"));
  text.map = kernel_text(vm, map, "map_expr");
  text.reduce = kernel_text(vm, reduce, "reduce_expr");
  text.post = kernel_text(vm, post, "post_map_expr");
  text.identity = identity.is_none() ? "" : kernel_text(vm, vm.to_str(identity), "identity");
  text.name = kernel_name(vm, name);
  if (is_given(reduce_type)) {
    text.reduce_type = kernel_text(vm, reduce_type, "reduce_type");
    text.type_place = place_in_text(vm, "reduce_type");
  }
  text.preamble = kernel_text(vm, preamble, "preamble");
  text.options = kernel_options(vm, options);
  text.identity_place = place_in_text(vm, "identity");
  text.map_place = place_in_text(vm, "map_expr");
  text.reduce_place = place_in_text(vm, "reduce_expr");
  text.post_place = place_in_text(vm, "post_map_expr");
  Ref<ReductionObject> object =
      vm.make<ReductionObject>(arrays(vm).reduction_kernel, std::move(text));
  object->reduce_dims = reduce_dims;
  return Value(object.get());
}

constexpr Native kMakeReduction = {
    "ReductionKernel",
    "(cls, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, "
    "name='reduce_kernel', "
    "reduce_type=None, reduce_dims=True, preamble='', options=())",
    typed<make_reduction>,
    "A reduction in CUDA C++: map, reduce by `a` and `b`, then the post expression."};

// The type of what is combined: the output's where none is named.
std::string reduced_type(const rt::ReductionText& text) {
  if (!text.reduce_type.empty()) return text.reduce_type;
  const std::string& type = text.outputs[0].type;
  return rt::is_placeholder(type) ? type : std::string(rt::cuda_type(*rt::dtype_from_name(type)));
}

template <std::string rt::ReductionText::*kField>
Value reduction_field(Interpreter& vm, const Value& self) {
  return vm.str(reduction_text(self).*kField);
}

constexpr NativeGetter kReductionGetters[] = {
    {"name", reduction_field<&rt::ReductionText::name>},
    {"__name__", reduction_field<&rt::ReductionText::name>},
    {"identity", reduction_field<&rt::ReductionText::identity>},
    {"map_expr", reduction_field<&rt::ReductionText::map>},
    {"reduce_expr", reduction_field<&rt::ReductionText::reduce>},
    {"post_map_expr", reduction_field<&rt::ReductionText::post>},
    {"preamble", reduction_field<&rt::ReductionText::preamble>},
    {"reduce_type",
     [](Interpreter& vm, const Value& self) { return vm.str(reduced_type(reduction_text(self))); }},
    {"reduce_dims",
     [](Interpreter&, const Value& self) {
       return Value::boolean(reduction_of(self).reduce_dims);
     }},
    {"options", [](Interpreter& vm,
                   const Value& self) { return text_tuple(vm, reduction_text(self).options); }},
    {"in_params",
     [](Interpreter& vm, const Value& self) {
       return parameter_tuple(vm, reduction_text(self).inputs, true);
     }},
    {"out_params",
     [](Interpreter& vm, const Value& self) {
       return parameter_tuple(vm, reduction_text(self).outputs, false);
     }},
    {"nin",
     [](Interpreter&, const Value& self) { return count(reduction_text(self).inputs.size()); }},
    {"nout",
     [](Interpreter&, const Value& self) { return count(reduction_text(self).outputs.size()); }},
    {"nargs",
     [](Interpreter&, const Value& self) {
       return count(reduction_text(self).inputs.size() + reduction_text(self).outputs.size());
     }},
    {"cached_code",
     [](Interpreter& vm, const Value& self) {
       return cached_code(vm, reduction_of(self).kernel->versions());
     }},
    {"cached_codes",
     [](Interpreter& vm, const Value& self) {
       return cached_codes(vm, reduction_of(self).kernel->versions());
     }},
};

}  // namespace

void setup_reductions(Arrays& state) {
  Slots reduction;
  reduction.call = call_reduction;
  reduction.repr = show_reduction;
  state.reduction_kernel = state.vm.make_type<ReductionObject>({.name = "ReductionKernel",
                                                                .module = "cupy",
                                                                .doc = kMakeReduction.doc,
                                                                .slots = reduction,
                                                                .getters = kReductionGetters,
                                                                .constructor = &kMakeReduction});
  add_inspection(*state.reduction_kernel);
}

}  // namespace gpy
