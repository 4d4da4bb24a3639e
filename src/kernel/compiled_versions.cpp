#include "src/kernel/compiled_versions.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "src/kernel/compiled_failures.h"
#include "src/kernel/declared_types.h"
#include "src/memory/traverse.h"
#include "src/translate/program_builder.h"
#include "src/translate/stencil.h"
#include "src/translate/type_specs.h"

namespace gpy {

namespace {

// Numba's error for what cannot be translated.
TranslatedFunction translated(Interpreter& vm, const CompiledObject& object,
                              const std::vector<TypedType>& types,
                              const std::vector<Value>& statics) {
  try {
    if (object.stencil.is_defined()) return translate_stencil(vm, object.stencil, types);
    return translate_function(vm, object.dialect, Target::kFunction,
                              *object.function.as<Function>(), types, object.options.translation,
                              statics);
  } catch (const rt::Error& error) {
    if (error.kind() != rt::ErrorKind::kTranslation || object.dialect != Dialect::kNumba) throw;
    if (object.stencil.is_defined()) raise_numba_error(vm, "NumbaValueError", error.message());
    raise_typing_error(vm, error.message());
  }
}

// Types name classes by their addresses: a class lives as long as what is compiled for it.
void add_classes(const TypedType& type, std::vector<Value>& out) {
  if (type.of) out.push_back(class_of(type));
  for (const TypedType& each : type.items) add_classes(each, out);
}

}  // namespace

std::string CallArguments::key() const { return version_key(typed) + statics_key(statics); }

VersionPtr make_version(Interpreter& vm, const CompiledObject& object, std::vector<TypedType> types,
                        std::vector<Value> statics) {
  auto version = std::make_shared<CompiledObject::Version>();
  version->types = std::move(types);
  version->statics = std::move(statics);
  TranslatedFunction made = translated(vm, object, version->types, version->statics);
  version->values = std::move(made.values);
  // What is computed is what Python computes: no products and sums rounded once.
  std::vector<std::string> options = {object.options.fast_math ? "--use_fast_math"
                                                               : "--fmad=false"};
  version->code = std::make_shared<rt::typed::CompiledFunction>(
      std::move(made.program), made.has_effects, std::move(options));
  version->result = version->code->entry().result;
  for (const TypedType& each : version->types) add_classes(each, version->values.classes);
  add_classes(version->result, version->values.classes);
  const rt::InterruptScope scope(session(vm).interrupt);
  version->code->compile(session(vm).backend(rt::kHostPlace));
  return version;
}

namespace {

// Whether the version of the last call is that for this one, as its key would tell. The types of
// instances differ, since those of a version have their fields.
bool is_same_call(const CompiledObject& object, const CallArguments& given) {
  const auto is_same = [](const TypedArgument& each, const TypedType& type) {
    return each.type == type;
  };
  return object.last && !given.has_statics() &&
         std::ranges::equal(given.typed, object.last->types, is_same);
}

VersionPtr version_for(Interpreter& vm, CompiledObject& object, const CallArguments& given) {
  const std::vector<TypedArgument>& arguments = given.typed;
  const std::string key = given.key();
  const auto known = object.versions.find(key);
  if (known != object.versions.end()) return known->second;
  std::vector<TypedType> types;
  for (const TypedArgument& each : arguments) types.push_back(with_fields(vm, each.type));
  if (!object.compiles) raise_no_match(vm, arguments);
  object.made.push_back(make_version(vm, object, std::move(types), given.statics));
  return object.versions.emplace(key, object.made.back()).first->second;
}

VersionPtr declared_version(Interpreter& vm, CompiledObject& object,
                            std::vector<TypedArgument>& arguments) {
  const auto types_of = [&](size_t i) -> const std::vector<TypedType>& {
    return object.declared[i]->types;
  };
  return object.declared[choose_declared(vm, object.declared.size(), types_of, arguments)];
}

}  // namespace

VersionPtr find_version(Interpreter& vm, CompiledObject& object, CallArguments& given) {
  if (!object.declared.empty()) return declared_version(vm, object, given.typed);
  if (is_same_call(object, given)) return object.last;
  VersionPtr version = version_for(vm, object, given);
  object.last = given.has_statics() ? nullptr : version;
  return version;
}

void traverse_compiled(Object* self, Visit visit, void* context) {
  const auto& object = *static_cast<const CompiledObject*>(self);
  report(object.function, visit, context);
  report(object.stencil, visit, context);
  for (const auto* list : {&object.made, &object.declared}) {
    for (const VersionPtr& each : *list) {
      report(each->statics, visit, context);
      each->values.report(visit, context);
    }
  }
}

}  // namespace gpy
