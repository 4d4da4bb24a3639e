#include "src/translate/program_builder.h"

#include <algorithm>

#include "grammar/children.h"
#include "runtime/typed/call_frame.h"
#include "src/code.h"
#include "src/objects/function.h"
#include "src/translate/failure.h"
#include "src/translate/find_source.h"
#include "src/translate/intrinsic.h"
#include "src/translate/loop_translator.h"
#include "src/translate/raised.h"
#include "src/translate/type_specs.h"

namespace gpy {

namespace {

// Whether a statement may unpack an array, whose size is looked at when it runs.
bool may_unpack(const syntax::Expr& target, const syntax::Expr& value) {
  const bool unpacks =
      target.kind == syntax::ExprKind::Tuple || target.kind == syntax::ExprKind::List;
  return unpacks &&
         (value.kind == syntax::ExprKind::Name || value.kind == syntax::ExprKind::Subscript);
}
bool may_unpack(const syntax::Stmt& node) {
  if (const auto* loop = syntax::try_as<syntax::For>(&node))
    return may_unpack(*loop->target, *loop->iter);
  const auto* assign = syntax::try_as<syntax::Assign>(&node);
  return assign && std::ranges::any_of(assign->targets, [&](const syntax::Expr* target) {
           return may_unpack(*target, *assign->value);
         });
}

struct FoundRaise {
  bool found = false;
  void operator()(const syntax::Expr&) {}
  void operator()(const syntax::Stmt& node) {
    found = found || node.kind == syntax::StmtKind::Raise ||
            node.kind == syntax::StmtKind::Assert || may_unpack(node);
    if (node.kind != syntax::StmtKind::FunctionDef) syntax::each_child(node, *this);
  }
};

// Whether there is in statements what may raise.
bool raises(syntax::StmtList body) {
  FoundRaise search;
  for (const syntax::Stmt* each : body) search(*each);
  return search.found;
}

}  // namespace

// Compilers stop at some depth of calls, and so do we, far above what anybody writes.
constexpr size_t kMostFunctions = 1000;

int ProgramBuilder::add(const std::string& name) {
  const int index = static_cast<int>(program_.functions.size());
  program_.functions.push_back(std::make_unique<rt::typed::Function>());
  rt::typed::Function& made = function(index);
  made.name = name;
  made.symbol = fmt::format("f{}_", index);  // f32 and f64 are types
  return index;
}

void ProgramBuilder::finish(int index, rt::typed::Function translated) {
  rt::typed::Function& place = function(index);
  translated.symbol = place.symbol;
  place = std::move(translated);
}

std::string key_of(const void* function, const std::vector<TypedType>& types) {
  std::string key = fmt::format("{}", function);
  for (const TypedType& each : types) key += " " + rt::typed::type_key(each);
  return key;
}

// Empty where there are none, however many arguments.
std::string statics_key(const std::vector<Value>& statics) {
  if (std::ranges::none_of(statics, [](const Value& each) { return each.is_defined(); })) return "";
  std::string key;
  for (const Value& each : statics) {
    if (const auto* intrinsic = each.is_defined() ? each.try_as<IntrinsicObject>() : nullptr)
      key += " " + intrinsic->name;
    else if (each.is_defined() && !each.is_none())
      key += fmt::format(" {}", static_cast<const void*>(each.as_object()));
    else key += each.is_none() ? " None" : " .";
  }
  return key;
}

int64_t ProgramBuilder::add_raise(RaisedValue raised) {
  values.raised.push_back(std::move(raised));
  return static_cast<int64_t>(rt::typed::FailureCode::kRaised) +
         static_cast<int64_t>(values.raised.size()) - 1;
}

ProgramBuilder::Known& ProgramBuilder::known_for(const std::string& key, const std::string& name,
                                                 syntax::Span place) {
  const auto [at, inserted] = known_.try_emplace(key);
  if (inserted) {
    if (known_.size() > kMostFunctions)
      fail_translation(place, "'{}' leads to calls without end", name);
    at->second.index = add(name);
  }
  return at->second;
}

// Functions that call one another are translated as one: those that wait for a pending one are
// done when it is, since its last walk has seen no result grow.
ProgramBuilder::Callee ProgramBuilder::translated(const std::string& key,
                                                  const std::function<void(Known&)>& translate) {
  using enum Known::State;
  Known& known = known_.at(key);
  const bool is_current = known.state == kWaiting && known.results_found == results_found_;
  if (known.state == kPending || is_current) lowest_ = std::min(lowest_, known.depth);
  if (known.state == kPending || known.state == kDone || is_current)
    return {known.index, known.result, known.effects};
  const size_t depth = pending_.size(), outer = std::exchange(lowest_, depth);
  const size_t waiting = waiting_.size();
  known.state = kPending;
  known.depth = depth;
  known.effects = true;
  pending_.push_back(&known);
  try {
    translate(known);
  } catch (const TranslationFailure&) {
    pending_.pop_back();
    lowest_ = outer;
    for (size_t i = waiting; i < waiting_.size(); ++i) waiting_[i]->state = kNew;
    waiting_.resize(std::min(waiting, waiting_.size()));
    std::erase(waiting_, &known);
    known_.erase(key);  // told again where it is called again
    throw;
  }
  pending_.pop_back();
  known.depth = lowest_;
  known.results_found = results_found_;
  known.state = lowest_ < depth ? kWaiting : kDone;
  if (known.state == kDone) {
    for (size_t i = waiting; i < waiting_.size(); ++i) waiting_[i]->state = kDone;
    waiting_.resize(waiting);
  } else if (std::ranges::find(waiting_, &known) == waiting_.end()) {
    waiting_.push_back(&known);
  }
  lowest_ = std::min(outer, lowest_);
  return {known.index, known.result, known.effects};
}

// What the body knows of its arguments is no parameter.
void ProgramBuilder::translate_callee(Function& callee, const std::vector<TypedType>& types,
                                      const std::vector<Value>& statics, Known& known,
                                      syntax::Span place) {
  if (!callee.code->is_library) values.codes.emplace_back(static_cast<Object*>(callee.code.get()));
  TranslationSource source = source_of(vm, callee);
  std::vector<std::string> names =
      parameter_names(callee, types.size(), pending_.size() > 1 ? place : source.place);
  std::vector<TypedType> typed = types;
  for (size_t i = statics.size(); i-- > 0;) {
    if (statics[i].is_undefined()) continue;
    source.captured.emplace_back(names[i], statics[i]);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(i));
  }
  translate_callee(source, names, typed, known);
}

ProgramBuilder::Callee ProgramBuilder::function_for(Function& callee,
                                                    const std::vector<TypedType>& types,
                                                    syntax::Span place,
                                                    const std::vector<Value>& statics) {
  const std::string key = key_of(&callee, types) + statics_key(statics);
  known_for(key, callee.code->name, place);
  return translated(key,
                    [&](Known& known) { translate_callee(callee, types, statics, known, place); });
}

Value ProgramBuilder::overload_of(const Value& callee, const Value& choices,
                                  const std::vector<TypedType>& types) {
  const auto [at, is_new] = overloads_.try_emplace(key_of(callee.as_object(), types));
  if (!is_new) return at->second;
  const Value type_of = vm.get_attribute(vm.import_module("numba.core.types"), vm.intern("_of"));
  std::vector<Value> given;
  for (const TypedType& each : types) given.push_back(vm.call(type_of, {declared_spec(vm, each)}));
  for (const Value& each : vm.collect(choices)) {
    Value chosen = vm.call(each, CallArgs{given.data(), static_cast<uint32_t>(given.size())});
    if (chosen.is_none() || !chosen.is<Function>()) continue;
    at->second = std::move(chosen);
    break;
  }
  return at->second;
}

std::unique_ptr<FunctionTranslator> ProgramBuilder::translator_for(const TranslationSource& source,
                                                                   bool is_kernel) {
  if (dialect == Dialect::kLanguage) return std::make_unique<LoopTranslator>(*this, source);
  return std::make_unique<FunctionTranslator>(*this, source, is_kernel);
}

ProgramBuilder::Callee ProgramBuilder::closure_for(const void* key, const TranslationSource& source,
                                                   const std::vector<std::string>& names,
                                                   const std::vector<TypedType>& types,
                                                   syntax::Span place) {
  const std::string own = key_of(key, types);
  known_for(own, source.name, place);
  return translated(own, [&](Known& known) { translate_callee(source, names, types, known); });
}

void ProgramBuilder::translate_callee(const TranslationSource& source,
                                      const std::vector<std::string>& names,
                                      const std::vector<TypedType>& types, Known& known) {
  const bool tells = known.index == 0 && target == Target::kGrid && dialect == Dialect::kNumba &&
                     raises(source.body);
  const std::unique_ptr<FunctionTranslator> translator =
      translator_for(source, known.index == 0 && target != Target::kFunction);
  for (size_t i = 0; i < names.size(); ++i) translator->add_parameter({names[i], types[i]});
  if (tells) translator->add_parameter({kRaisedParameter, raised_type()});
  translator->expect_result(known.result);
  try {
    finish(known.index, translator->translate([&](const TypedType& result) {
      known.result = result;
      ++results_found_;
    }));
  } catch (TranslationFailure& failure) {
    tell_at(failure, source.place, source.tree->source);
    throw;
  }
  known.effects = translator->has_effects();
}

}  // namespace gpy
