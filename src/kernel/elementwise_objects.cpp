// ElementwiseKernel, whose loop gpy writes.
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/kernel/inspection.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_parameters.h"
#include "src/kernel/on_stream.h"
#include "src/objects/containers.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

ElementwiseObject& elementwise_of(const Value& self) { return *self.as<ElementwiseObject>(); }
const rt::ElementwiseText& text_of(const Value& self) {
  return elementwise_of(self).kernel->text();
}

std::optional<int64_t> index_keyword(Interpreter& vm, const CallArgs& arguments,
                                     std::string_view name) {
  const Value* value = given_keyword(arguments, name);
  return value ? std::optional(vm.to_index(*value)) : std::nullopt;
}

// None among the outputs is one that is to be made.
void read_arguments(Interpreter& vm, const rt::ElementwiseText& text, std::span<const Value> given,
                    size_t inputs, rt::ElementwiseCall& call) {
  call.arguments.reserve(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const bool missing = i >= inputs && given[i].is_none();
    if (missing) call.missing.resize(given.size());
    if (missing) call.missing[i] = true;
    call.arguments.push_back(missing ? rt::Operand(rt::Scalar())
                                     : kernel_operand(vm, given[i], argument_of(text, i)));
  }
}

Value call_elementwise(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  ElementwiseObject& object = elementwise_of(self);
  refuse_unknown(vm, text_of(self).name, arguments, {"size", "block_size", "stream"});
  const std::span<const Value> given = arguments.positionals();
  const size_t inputs = std::min(given.size(), text_of(self).inputs.size());
  rt::ElementwiseCall call;
  read_arguments(vm, text_of(self), given, inputs, call);
  call.size = index_keyword(vm, arguments, "size");
  call.threads_a_block = index_keyword(vm, arguments, "block_size");
  const std::vector<rt::Array> results = on_stream(vm, given_keyword(arguments, "stream"), [&] {
    return (*object.kernel)(session(vm), call, session(vm).device_space());
  });
  if (object.no_return) return Value::none();
  return wrap_outputs(vm, results, given.subspan(inputs), object.return_tuple);
}

std::string show_elementwise(Interpreter&, const Value& self) {
  return fmt::format("<elementwise kernel {}>", text_of(self).name);
}

Value make_elementwise(Interpreter& vm, const Value&, const Value& in_params,
                       const Value& out_params, const Value& operation, const Value& name,
                       bool reduce_dims, const Value& preamble, const Value& no_return,
                       const Value& return_tuple, const Value& options, const Value& loop_prep,
                       const Value& after_loop) {
  rt::ElementwiseText text;
  text.inputs = rt::parse_parameters(kernel_text(vm, in_params, "in_params"));
  text.outputs = rt::parse_parameters(kernel_text(vm, out_params, "out_params"));
  text.body = kernel_text(vm, operation, "operation");
  text.name = kernel_name(vm, name);
  text.preamble = kernel_text(vm, preamble, "preamble");
  text.loop_prep = kernel_text(vm, loop_prep, "loop_prep");
  text.after_loop = kernel_text(vm, after_loop, "after_loop");
  text.options = kernel_options(vm, options);
  text.place = place_in_text(vm, "operation");
  text.loop_prep_place = place_in_text(vm, "loop_prep");
  text.after_loop_place = place_in_text(vm, "after_loop");
  text.reduce_dims = reduce_dims;
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

Value elementwise_params(Interpreter& vm, const Value& self) {
  std::vector<Value> all;
  for (const Value& each :
       {parameter_tuple(vm, text_of(self).inputs, true),
        parameter_tuple(vm, text_of(self).outputs, false), vm.tuple({own_parameter(vm, "_ind")})}) {
    for (const Value& item : each.as<Tuple>()->items()) all.push_back(item);
  }
  return vm.tuple(all);
}

// The keywords that go beyond those that are attributes.
Value elementwise_kwargs(Interpreter& vm, const Value& self) {
  const rt::ElementwiseText& text = text_of(self);
  const Ref<Dict> out = vm.dict();
  if (!text.options.empty()) out->set(vm, vm.str("options"), text_tuple(vm, text.options));
  if (!text.loop_prep.empty()) out->set(vm, vm.str("loop_prep"), vm.str(text.loop_prep));
  if (!text.after_loop.empty()) out->set(vm, vm.str("after_loop"), vm.str(text.after_loop));
  return Value(out.get());
}

constexpr NativeGetter kElementwiseGetters[] = {
    {"__doc__",
     [](Interpreter& vm, const Value& self) {
       const Value& doc = elementwise_of(self).doc;
       return doc.is_defined() ? doc : vm.str(kMakeElementwise.doc);
     }},
    {"name", [](Interpreter& vm, const Value& self) { return vm.str(text_of(self).name); }},
    {"__name__", [](Interpreter& vm, const Value& self) { return vm.str(text_of(self).name); }},
    {"in_params",
     [](Interpreter& vm, const Value& self) {
       return parameter_tuple(vm, text_of(self).inputs, true);
     }},
    {"out_params",
     [](Interpreter& vm, const Value& self) {
       return parameter_tuple(vm, text_of(self).outputs, false);
     }},
    {"params", elementwise_params},
    {"nin", [](Interpreter&, const Value& self) { return count(text_of(self).inputs.size()); }},
    {"nout", [](Interpreter&, const Value& self) { return count(text_of(self).outputs.size()); }},
    {"nargs",
     [](Interpreter&, const Value& self) {
       return count(text_of(self).inputs.size() + text_of(self).outputs.size());
     }},
    {"operation", [](Interpreter& vm, const Value& self) { return vm.str(text_of(self).body); }},
    {"preamble", [](Interpreter& vm, const Value& self) { return vm.str(text_of(self).preamble); }},
    {"reduce_dims",
     [](Interpreter&, const Value& self) { return Value::boolean(text_of(self).reduce_dims); }},
    {"no_return", [](Interpreter&,
                     const Value& self) { return Value::boolean(elementwise_of(self).no_return); }},
    {"return_tuple",
     [](Interpreter&, const Value& self) {
       return Value::boolean(elementwise_of(self).return_tuple);
     }},
    {"kwargs", elementwise_kwargs},
    {"cached_code",
     [](Interpreter& vm, const Value& self) {
       return cached_code(vm, elementwise_of(self).kernel->versions());
     }},
    {"cached_codes",
     [](Interpreter& vm, const Value& self) {
       return cached_codes(vm, elementwise_of(self).kernel->versions());
     }},
};

}  // namespace

void setup_elementwise(Arrays& state) {
  Slots elementwise;
  elementwise.call = call_elementwise;
  elementwise.repr = show_elementwise;
  elementwise.traverse = traverse<&ElementwiseObject::globals, &ElementwiseObject::doc>;
  state.elementwise_kernel =
      state.vm.make_type<ElementwiseObject>({.name = "ElementwiseKernel",
                                             .module = "cupy",
                                             .doc = kMakeElementwise.doc,
                                             .slots = elementwise,
                                             .getters = kElementwiseGetters,
                                             .constructor = &kMakeElementwise});
  add_inspection(*state.elementwise_kernel);
}

}  // namespace gpy
