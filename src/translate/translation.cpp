#include "src/translate/translation.h"

#include "runtime/core/error.h"
#include "src/code.h"
#include "src/memory/traverse.h"
#include "src/objects/function.h"
#include "src/translate/failure.h"
#include "src/translate/function_translator.h"
#include "src/translate/stencil.h"

namespace gpy {

namespace {

[[noreturn]] void raise_failure(std::string_view name, const syntax::SourceFile& own,
                                const TranslationFailure& failure) {
  const syntax::SourceFile& file = failure.file ? *failure.file : own;
  const syntax::Position at = file.position(failure.place.begin);
  rt::fail(rt::ErrorKind::kTranslation, "kernel '{}' does not compile:\n{}:{}:{}: error: {}", name,
           file.name(), at.line, at.column, failure.message);
}

}  // namespace

void ProgramValues::report(Visit visit, void* context) const {
  for (const auto* values : {&texts, &codes, &classes}) gpy::report(*values, visit, context);
  for (const RaisedValue& each : raised) {
    gpy::report(each.type, visit, context);
    gpy::report(each.args, visit, context);
  }
}

rt::typed::Program translate_body(Interpreter& vm, Dialect dialect, Target target,
                                  const TranslationSource& source,
                                  std::vector<TypedParameter> parameters,
                                  std::vector<TypedOutput> outputs) {
  ProgramBuilder program(vm, dialect, target);
  const int index = program.add(source.name);
  FunctionTranslator translator(program, source, target != Target::kFunction);
  for (const TypedParameter& each : parameters) translator.add_parameter(each);
  for (const TypedOutput& each : outputs) translator.add_output(each);
  try {
    program.finish(index, translator.translate());
  } catch (const TranslationFailure& failure) {
    raise_failure(source.name, *source.tree->source, failure);
  }
  return program.take();
}

TranslatedFunction translate_function(Interpreter& vm, Dialect dialect, Target target,
                                      Function& function, const std::vector<TypedType>& types,
                                      const TranslationOptions& options,
                                      const std::vector<Value>& statics) {
  ProgramBuilder program(vm, dialect, target);
  program.options = options;
  try {
    const ProgramBuilder::Callee entry = program.function_for(function, types, {}, statics);
    return {program.take(), entry.effects, std::move(program.values)};
  } catch (const TranslationFailure& failure) {
    raise_failure(function.code->name, *function.code->source, failure);
  }
}

TranslatedFunction translate_stencil(Interpreter& vm, const Value& spec,
                                     const std::vector<TypedType>& types) {
  ProgramBuilder program(vm, Dialect::kNumba, Target::kFunction);
  const Code& code = *stencil_facts(vm, spec).function->code;
  try {
    const ProgramBuilder::Callee entry = program.stencil_for(spec, types, {});
    return {program.take(), entry.effects, std::move(program.values)};
  } catch (const TranslationFailure& failure) {
    raise_failure(code.name, *code.source, failure);
  }
}

}  // namespace gpy
