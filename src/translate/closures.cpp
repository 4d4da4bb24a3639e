// Functions inside of compiled functions: translated on their own, with the variables that they
// read of the outer one as further arguments.
#include "src/translate/closures.h"

#include <algorithm>

#include "grammar/children.h"
#include "src/translate/function_translator.h"

namespace gpy {

namespace {

struct ReadNames {
  std::vector<std::string_view> names;

  void operator()(const syntax::Expr& node) {
    const auto* name = syntax::try_as<syntax::Name>(&node);
    if (name && std::ranges::find(names, name->id) == names.end()) names.push_back(name->id);
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Stmt& node) { syntax::each_child(node, *this); }
};

LocalFunction with_parameters(const syntax::Parameters& list, syntax::Span place) {
  if (list.vararg || list.kwarg || !list.keyword_only.empty())
    fail_translation(place, "a function inside of compiled code takes its arguments by position");
  LocalFunction out;
  for (const auto& part : {list.positional_only, list.regular}) {
    for (const syntax::Parameter& each : part) {
      out.parameters.emplace_back(each.name);
      out.defaults.push_back(each.default_value);
    }
  }
  return out;
}

}  // namespace

LocalFunction local_function(const syntax::FunctionDef& node) {
  if (node.is_generator)
    fail_translation(node.span, "a generator inside of compiled code: write a loop");
  LocalFunction out = with_parameters(node.parameters, node.name_span);
  out.name = node.name;
  out.body = node.body;
  return out;
}

LocalFunction local_function(const syntax::Lambda& node) {
  LocalFunction out = with_parameters(node.parameters, node.span);
  out.name = "<lambda>";
  out.value = node.body;
  return out;
}

void FunctionTranslator::visit(const syntax::FunctionDef& node) {
  check_dialect(node.span);
  if (!node.decorators.empty())
    fail_translation(node.decorators[0]->span,
                     "a function inside of compiled code has no decorators");
  local_functions_[std::string(node.name)] = local_function(node);
}

// `f = lambda x: ...`: a function, not a value.
bool FunctionTranslator::names_lambda(const syntax::Assign& node) {
  const auto* lambda = syntax::try_as<syntax::Lambda>(node.value);
  const auto* name = syntax::try_as<syntax::Name>(node.targets[0]);
  if (!lambda || !name || node.targets.size() > 1) return false;
  check_dialect(node.span);
  local_functions_[std::string(name->id)] = local_function(*lambda);
  return true;
}

const LocalFunction* FunctionTranslator::find_local_function(std::string_view name) const {
  const auto at = local_functions_.find(name);
  return at == local_functions_.end() ? nullptr : &at->second;
}

TypedExpression FunctionTranslator::call_local(const LocalFunction& function,
                                               const syntax::Call& node) {
  std::vector<TypedExpression> args = arguments(node);
  if (args.size() > function.parameters.size())
    fail_translation(node.span, "'{}' takes {} arguments, and {} are given", function.name,
                     function.parameters.size(), args.size());
  while (args.size() < function.parameters.size()) {
    const syntax::Expr* value = function.defaults[args.size()];
    if (!value)
      fail_translation(node.span, "'{}' needs its argument '{}'", function.name,
                       function.parameters[args.size()]);
    args.push_back(expression(*value));
  }
  std::vector<std::string> names = function.parameters;
  add_captured(function, names, args, node.span);
  TranslationSource source = source_;
  source.name = function.name;
  source.body = function.body;
  source.value = function.value;
  source.local_functions = local_functions_;
  const void* key = function.value ? static_cast<const void*>(function.value)
                                   : static_cast<const void*>(function.body.data());
  const ProgramBuilder::Callee callee =
      program_.closure_for(key, source, names, types_of(args), node.span);
  return call_of(callee, function.name, std::move(args), node.span);
}

// The variables of this function that the other one reads have the values that they have now.
void FunctionTranslator::add_captured(const LocalFunction& function,
                                      std::vector<std::string>& names,
                                      std::vector<TypedExpression>& args, syntax::Span place) {
  ReadNames read;
  if (function.value) read(*function.value);
  for (const syntax::Stmt* each : function.body) read(*each);
  const std::vector<std::string> own = assigned_names(function.body);
  for (const std::string_view name : read.names) {
    const int variable = variables_.find(name);
    if (variable < 0 || local_functions_.contains(name)) continue;
    if (std::ranges::find(own, name) != own.end()) continue;
    if (std::ranges::find(names, name) != names.end()) continue;
    names.emplace_back(name);
    args.push_back(this->read(variable, place));
  }
}

}  // namespace gpy
