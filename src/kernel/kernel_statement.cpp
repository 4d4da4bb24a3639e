// Turns kernel statements into the runtime's kernels.
#include "grammar/ast.h"
#include "src/array/convert.h"
#include "src/code.h"
#include "src/run/frame.h"
#include "src/kernel/compiled_objects.h"
#include "src/kernel/grid_objects.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/translated_elementwise.h"
#include "src/state.h"

namespace gpy {

namespace {

rt::KernelPlace place_of(Interpreter& vm, syntax::Span span) {
  const syntax::SourceFile& source = *vm.state().frame->code->source;
  const syntax::Position at = source.position(span.begin);
  return {source.name(), at.line, std::string(static_cast<size_t>(at.column) - 1, ' ')};
}

// The place of a part of the statement.
rt::KernelPlace place_of(Interpreter& vm, const syntax::KernelText& text) {
  return text.text.empty() ? rt::KernelPlace{} : place_of(vm, text.span);
}

void take_part(Interpreter& vm, const syntax::KernelDef& def, syntax::KernelLabel label,
               std::string& text, rt::KernelPlace& place) {
  text = def.part(label).text;
  place = place_of(vm, def.part(label));
}

using Label = syntax::KernelLabel;

// What all generated kernels' texts have: the name, parameters and preamble.
template <class Text> Text signature(Interpreter& vm, const syntax::KernelDef& def) {
  Text text;
  text.name = def.name;
  text.inputs = kernel_parameters(def.parameters, true);
  text.outputs = kernel_parameters(def.outputs, true);
  take_part(vm, def, Label::Preamble, text.preamble, text.preamble_place);
  return text;
}

// Reductions and scans.
template <class Text> Text combining(Interpreter& vm, const syntax::KernelDef& def) {
  auto text = signature<Text>(vm, def);
  take_part(vm, def, Label::Identity, text.identity, text.identity_place);
  take_part(vm, def, Label::Map, text.map, text.map_place);
  take_part(vm, def, Label::Post, text.post, text.post_place);
  return text;
}

Value make_elementwise(Interpreter& vm, const syntax::KernelDef& def) {
  auto text = signature<rt::ElementwiseText>(vm, def);
  text.checks_numbers = true;
  text.reduce_dims = def.text.text.find("_ind") == std::string_view::npos;
  take_part(vm, def, Label::Operation, text.body, text.place);
  take_part(vm, def, Label::LoopPrep, text.loop_prep, text.loop_prep_place);
  take_part(vm, def, Label::AfterLoop, text.after_loop, text.after_loop_place);
  return Value(vm.make<ElementwiseObject>(arrays(vm).elementwise_kernel, std::move(text)).get());
}

Value make_reduction(Interpreter& vm, const syntax::KernelDef& def) {
  auto text = combining<rt::ReductionText>(vm, def);
  text.checks_numbers = true;
  take_part(vm, def, Label::Type, text.reduce_type, text.type_place);
  take_part(vm, def, Label::Reduce, text.reduce, text.reduce_place);
  return Value(vm.make<ReductionObject>(arrays(vm).reduction_kernel, std::move(text)).get());
}

Value make_scan(Interpreter& vm, const syntax::KernelDef& def) {
  auto text = combining<rt::ScanText>(vm, def);
  take_part(vm, def, Label::Type, text.type, text.type_place);
  take_part(vm, def, Label::Scan, text.scan, text.scan_place);
  return Value(vm.make<ScanObject>(arrays(vm).scan_kernel, std::move(text)).get());
}

Value make_stencil(Interpreter& vm, const syntax::KernelDef& def) {
  auto text = signature<rt::StencilText>(vm, def);
  take_part(vm, def, Label::Operation, text.body, text.place);
  take_part(vm, def, Label::Boundary, text.boundary, text.boundary_place);
  return Value(vm.make<StencilObject>(arrays(vm).stencil_kernel, std::move(text)).get());
}

// Blocks that wait for one another must run at once.
std::shared_ptr<const RawFacts> block_facts(std::string code) {
  RawFacts facts;
  facts.cooperative = code.find("this_grid") != std::string::npos;
  facts.code = std::move(code);
  facts.checked = true;
  return std::make_shared<const RawFacts>(std::move(facts));
}

Value make_raw(Interpreter& vm, const syntax::KernelDef& def) {
  const std::string name(def.name);
  const std::string body = rt::placed_text(def.text.text, place_of(vm, def.text));
  Arrays& state = arrays(vm);
  if (!def.has_parameters) {
    const auto facts = block_facts(body);
    auto module = make_raw_module(*facts, "", name);
    return Value(vm.make<RawModuleObject>(state.raw_module, std::move(module), facts, name).get());
  }
  const std::string head = rt::line_directive(place_of(vm, def.name_span));
  const std::string source = fmt::format("{0}extern \"C\" __global__ void {0}{1}({2}) {{{3}}}\n",
                                         head, name, def.parameters_text, body);
  const auto facts = block_facts(source);
  auto module = make_raw_module(*facts, "", name);
  return Value(vm.make<RawKernelObject>(state.raw_kernel, std::move(module), facts, name).get());
}

Value make_kernel(Interpreter& vm, const syntax::KernelDef& def) {
  if (def.body_form == syntax::KernelBody::Statements) {
    return def.kernel_kind == syntax::KernelKind::Raw ? make_grid_kernel(vm, def)
                                                      : make_translated_elementwise(vm, def);
  }
  switch (def.kernel_kind) {
    case syntax::KernelKind::Elementwise: return make_elementwise(vm, def);
    case syntax::KernelKind::Reduction: return make_reduction(vm, def);
    case syntax::KernelKind::Scan: return make_scan(vm, def);
    case syntax::KernelKind::Stencil: return make_stencil(vm, def);
    case syntax::KernelKind::Raw: break;
  }
  return make_raw(vm, def);
}

}  // namespace

void install_kernels(Interpreter& vm) {
  Arrays& state = arrays(vm);
  setup_kernel_parameters(state);
  setup_elementwise(state);
  setup_reductions(state);
  setup_block_kernels(state);
  setup_raw_kernels(state);
  setup_raw_modules(state);
  setup_fused(state);
  setup_compiled(state);
  setup_grid_kernels(state);
  vm.hooks.make_kernel = make_kernel;
}

}  // namespace gpy
