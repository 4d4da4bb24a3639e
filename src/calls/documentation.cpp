#include "src/calls/documentation.h"

#include <fmt/ranges.h>

#include "src/calls/args.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/function.h"

namespace gpy {

std::string documentation(Interpreter& vm, std::string_view own, std::string_view module,
                          std::string_view qualified_name) {
  std::string text(own);
  if (!vm.hooks.help_page) return text;
  const std::string page = vm.hooks.help_page(module, qualified_name);
  if (!page.empty() && !text.empty()) text += "\n\n";
  return text + page;
}

static const NativeFunction* native_of(const Value& v) {
  if (const auto* method = v.try_as<BoundMethod>()) return native_of(method->function);
  return v.try_as<NativeFunction>();
}

static const Function* function_of(const Value& v) {
  if (const auto* method = v.try_as<BoundMethod>()) return function_of(method->function);
  return v.try_as<Function>();
}

// "a, b=2, *args, key=None"
static std::string parameters_of(Interpreter& vm, const Function& function) {
  const FunctionParameters& parameters = function.code->parameters;
  const size_t positional = parameters.positional, by_name = positional + parameters.keyword_only;
  const size_t rest = by_name + parameters.has_args;
  std::vector<std::string> items;
  auto add = [&](size_t i, const Value& fallback) {
    std::string item(parameters.names[i]->view());
    items.push_back(fallback.is_defined() ? item + "=" + vm.repr(fallback) : item);
  };
  const size_t required = positional - function.defaults.size();
  for (size_t i = 0; i < positional; ++i) {
    add(i, i < required ? Value() : function.defaults[i - required]);
    if (i + 1 == parameters.positional_only) items.push_back("/");
  }
  if (parameters.has_args) {
    items.push_back("*" + std::string(parameters.names[by_name]->view()));
  } else if (parameters.keyword_only) {
    items.push_back("*");
  }
  for (size_t i = positional; i < by_name; ++i) add(i, function.keyword_defaults[i - positional]);
  if (parameters.has_keywords) items.push_back("**" + std::string(parameters.names[rest]->view()));
  return fmt::format("({})", fmt::join(items, ", "));
}

// "(self, x)" as "(x)": the first parameter is bound.
std::string without_first_parameter(std::string text) {
  size_t end = text.find_first_of(",)");
  size_t next = text[end] == ',' ? text.find_first_not_of(" ", end + 1) : end;
  text.erase(1, next - 1);
  return text.starts_with("(/, ") ? "(" + text.substr(4) : text == "(/)" ? "()" : text;
}

std::string signature_of(Interpreter& vm, const Value& v) {
  std::string text = "(...)";
  if (const NativeFunction* native = native_of(v)) {
    text = const_cast<NativeFunction*>(native)->signature().text();
  } else if (const Function* function = function_of(v)) {
    text = parameters_of(vm, *function);
  } else {
    Value known = vm.try_get_attribute(v, vm.intern("__text_signature__"));
    if (known.is<Str>()) text = known.as<Str>()->view();
  }
  return v.is<BoundMethod>() ? without_first_parameter(std::move(text)) : text;
}

}  // namespace gpy
