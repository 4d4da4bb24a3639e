#include "src/translate/program_builder.h"

#include "src/code.h"
#include "src/objects/function.h"
#include "src/translate/failure.h"
#include "src/translate/find_source.h"
#include "src/translate/loop_translator.h"

namespace gpy {

// Compilers stop at some depth of calls, and so do we, far above what anybody writes.
constexpr size_t kMostFunctions = 1000;

int ProgramBuilder::add(const std::string& name) {
  const int index = static_cast<int>(program_.functions.size());
  program_.functions.push_back(std::make_unique<rt::typed::Function>());
  rt::typed::Function& made = function(index);
  made.name = name;
  made.symbol = fmt::format("f{}", index);
  return index;
}

void ProgramBuilder::finish(int index, rt::typed::Function translated) {
  rt::typed::Function& place = function(index);
  translated.symbol = place.symbol;
  place = std::move(translated);
}

static std::string key_of(const Function& function, const std::vector<TypedType>& types) {
  std::string key = fmt::format("{}", static_cast<const void*>(&function));
  for (const TypedType& each : types) key += " " + rt::typed::type_key(each);
  return key;
}

ProgramBuilder::Callee ProgramBuilder::function_for(Function& callee,
                                                    const std::vector<TypedType>& types,
                                                    syntax::Span place) {
  const auto [at, is_new] = known_.try_emplace(key_of(callee, types));
  Known& known = at->second;
  if (is_new) {
    if (known_.size() > kMostFunctions)
      fail_translation(place, "'{}' leads to calls without end", callee.code->name);
    known.index = add(callee.code->name);
    try {
      translate_callee(callee, types, known, place);
    } catch (const TranslationFailure&) {
      known_.erase(at);  // told again where it is called again
      throw;
    }
  }
  return {known.index, known.result, known.effects};
}

std::unique_ptr<FunctionTranslator> ProgramBuilder::translator_for(const TranslationSource& source,
                                                                   bool is_kernel) {
  if (dialect == Dialect::kLanguage) return std::make_unique<LoopTranslator>(*this, source);
  return std::make_unique<FunctionTranslator>(*this, source, is_kernel);
}

void ProgramBuilder::translate_callee(Function& callee, const std::vector<TypedType>& types,
                                      Known& known, syntax::Span place) {
  const TranslationSource source = source_of(vm, callee);
  const std::vector<std::string> names = parameter_names(callee, types.size(), place);
  // It may call itself with the result that is known so far, until that no longer grows.
  for (;;) {
    const std::unique_ptr<FunctionTranslator> translator =
        translator_for(source, known.index == 0 && target != Target::kFunction);
    for (size_t i = 0; i < names.size(); ++i) translator->add_parameter({names[i], types[i]});
    translator->expect_result(known.result);
    rt::typed::Function made;
    try {
      made = translator->translate([&](const TypedType& result) { known.result = result; });
    } catch (TranslationFailure& failure) {
      if (!failure.file) failure.file = source.tree->source;
      throw;
    }
    const TypedType result = made.result;
    finish(known.index, std::move(made));
    const bool settled = known.result && *known.result == result;
    known.result = result;
    known.effects = translator->has_effects();
    if (settled || result.is_none()) return;
  }
}

}  // namespace gpy
