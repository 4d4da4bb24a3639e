#include "src/calls/documentation.h"

#include <fmt/ranges.h>

#include "src/calls/args.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/function.h"

namespace gpy {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

static size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string clean_docstring(std::string_view doc) {
  std::vector<std::string_view> lines = lines_of(doc);
  size_t margin = std::string::npos;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (indentation(lines[i]) < lines[i].size()) margin = std::min(margin, indentation(lines[i]));
  }
  lines[0].remove_prefix(indentation(lines[0]));
  for (size_t i = 1; i < lines.size(); ++i) {
    lines[i].remove_prefix(std::min(margin, lines[i].size()));
  }
  auto is_blank = [](std::string_view line) { return indentation(line) == line.size(); };
  while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
  while (!lines.empty() && is_blank(lines.front())) lines.erase(lines.begin());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string documentation(Interpreter& vm, std::string_view own, std::string_view module,
                          std::string_view qualified_name) {
  const std::string page =
      vm.hooks.help_page ? vm.hooks.help_page(module, qualified_name) : std::string();
  // A wrapper has the docstring that it copied, page and all.
  if (page.empty() || own.find(page) != own.npos) return std::string(own);
  const std::string text = own.empty() ? std::string() : clean_docstring(own);
  return text.empty() ? page : text + "\n\n" + page;
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
