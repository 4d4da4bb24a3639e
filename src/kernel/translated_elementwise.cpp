#include "src/kernel/translated_elementwise.h"

#include "runtime/typed/element_text.h"
#include "src/code.h"
#include "src/kernel/kernel_objects.h"
#include "src/objects/function.h"
#include "src/run/frame.h"
#include "src/state.h"
#include "src/translate/failure.h"
#include "src/translate/find_source.h"
#include "src/translate/translation.h"

namespace gpy {

namespace {

class ElementTranslator {
 public:
  ElementTranslator(Interpreter& vm, const syntax::KernelDef* def, TranslationSource source,
                    rt::ElementwiseText kernel, Dialect dialect)
      : vm_(&vm),
        def_(def),
        source_(std::move(source)),
        kernel_(std::move(kernel)),
        dialect_(dialect) {}

  rt::ElementwiseBody operator()(const rt::ElementwiseTypes& types) const {
    std::vector<TypedParameter> inputs = input_parameters(types);
    std::vector<TypedOutput> outputs;
    for (size_t i = 0; i < kernel_.outputs.size(); ++i) {
      const rt::KernelParameter& each = kernel_.outputs[i];
      if (each.raw) {
        inputs.push_back({each.name, TypedType::array(types.outputs[i].value(), 1, true)});
      } else {
        outputs.push_back(
            {each.name, types.outputs[i], def_ ? def_->outputs[i].span : syntax::Span()});
      }
    }
    const rt::typed::Program program = translate_body(*vm_, dialect_, Target::kElement, source_,
                                                      std::move(inputs), std::move(outputs));
    return rt::typed::element_body(program, kernel_);
  }

 private:
  std::vector<TypedParameter> input_parameters(const rt::ElementwiseTypes& types) const {
    std::vector<TypedParameter> out;
    for (size_t i = 0; i < kernel_.inputs.size(); ++i) {
      const auto [dtype, given] = types.inputs[i];
      const rt::Weak weak = dialect_ == Dialect::kNumba ? rt::Weak::kNo : given;
      const bool raw = kernel_.inputs[i].raw;
      out.push_back({kernel_.inputs[i].name,
                     raw ? TypedType::array(dtype, 1, true) : TypedType::number(dtype, weak)});
    }
    out.push_back({"i", TypedType::index()});
    out.push_back({"n", TypedType::index()});
    return out;
  }

  Interpreter* vm_;
  const syntax::KernelDef* def_;  // null: of a function
  TranslationSource source_;
  rt::ElementwiseText kernel_;
  Dialect dialect_;
};

}  // namespace

Value docstring_of(Interpreter& vm, const syntax::KernelDef& def) {
  const auto* first = syntax::try_as<syntax::ExprStmt>(def.body.empty() ? nullptr : def.body[0]);
  const auto* text = first ? syntax::try_as<syntax::Constant>(first->value) : nullptr;
  if (!text || text->constant_kind != syntax::ConstantKind::String) return Value::none();
  return vm.str(text->text);
}

Value make_translated_elementwise(Interpreter& vm, const syntax::KernelDef& def) {
  const Frame& frame = *vm.state().frame;
  TranslationSource source;
  source.name = def.name;
  source.tree = frame.code->tree;
  source.body = def.body;
  source.globals = frame.function->globals.get();
  rt::ElementwiseText text;
  text.checks_numbers = true;
  text.name = def.name;
  text.inputs = kernel_parameters(def.parameters, false);
  text.outputs = kernel_parameters(def.outputs, false);
  text.translate = ElementTranslator(vm, &def, std::move(source), text, Dialect::kNumpy);
  Ref<ElementwiseObject> kernel =
      vm.make<ElementwiseObject>(arrays(vm).elementwise_kernel, std::move(text));
  kernel->globals = Value(frame.function->globals.get());
  kernel->doc = docstring_of(vm, def);
  return Value(kernel.get());
}

Value make_elementwise_of(Interpreter& vm, const Value& function, Dialect dialect) {
  if (!function.is<Function>())
    vm.raise_type_error("a function is compiled, not a {}", vm.type_name(function));
  Function& own = *function.as<Function>();
  rt::ElementwiseText text;
  text.name = own.code->name == "<lambda>" ? "function" : own.code->name;
  TranslationSource source;
  try {
    source = source_of(vm, own);
    for (const std::string& each :
         parameter_names(own, own.code->parameters.positional, syntax::Span()))
      text.inputs.push_back({"", each, false, "_v_" + each});
  } catch (const TranslationFailure& failure) {
    vm.raise_type_error("{}", failure.message);
  }
  source.returns_output = true;
  text.outputs = {{"", "_result", false}};
  text.translate = ElementTranslator(vm, nullptr, std::move(source), text, dialect);
  Ref<ElementwiseObject> kernel =
      vm.make<ElementwiseObject>(arrays(vm).elementwise_kernel, std::move(text));
  kernel->globals = function;  // whose names the body uses
  kernel->doc = own.doc;
  return Value(kernel.get());
}

}  // namespace gpy
