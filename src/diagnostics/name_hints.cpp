#include "src/diagnostics/name_hints.h"

#include <vector>

#include "src/code.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/frames.h"
#include "src/diagnostics/left_out.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/text/suggest.h"

namespace gpy {

namespace {

// The usual aliases of modules in scripts.
struct Alias {
  std::string_view name, import, module;
};
constexpr Alias kAliases[] = {{"np", "import numpy as np", "numpy"},
                              {"cp", "import cupy as cp", "cupy"},
                              {"plt", "import matplotlib.pyplot as plt", "matplotlib.pyplot"}};

}  // namespace

static std::string forgotten_import(Interpreter& vm, std::string_view name) {
  const auto& loaders = vm.state().loaders;
  for (const Alias& each : kAliases) {
    if (name == each.name && loaders.contains(std::string(each.module))) {
      return fmt::format("Did you forget '{}'?", each.import);
    }
  }
  if (!loaders.contains(std::string(name))) return "";
  return fmt::format("Did you forget to import '{}'?", name);
}

// Whether an object has the attribute, without running a __getattr__ of the script's.
static bool has_attribute(Interpreter& vm, const Value& object, Str* name) {
  for (Str* each : vm.attribute_names(object)) {
    if (each == name || each->view() == name->view()) return true;
  }
  return false;
}

// Suggests `self.name` in a method, whose first parameter is `self`.
static std::string attribute_of_self(Interpreter& vm, const Function& function, const Value& first,
                                     Str* name) {
  const auto& locals = function.code->local_names;
  if (first.is_undefined() || locals.empty() || locals[0]->view() != "self") return "";
  if (!has_attribute(vm, first, name)) return "";
  return did_you_mean(fmt::format("self.{}", name->view()));
}

// Suggests `np.zeros(3)` for `zeros(3)` where np is a global.
static std::string item_of_module(Interpreter& vm, Dict* globals, Str* name) {
  for (auto& entry : globals->entries()) {
    Module* module = entry.key.is<Str>() ? entry.value.try_as<Module>() : nullptr;
    if (!module || !module->find(vm, name)) continue;
    return did_you_mean(fmt::format("{}.{}", entry.key.as<Str>()->view(), name->view()));
  }
  return "";
}

static void add_names(Dict* names, std::vector<std::string_view>& known) {
  for (auto& entry : names->entries()) {
    if (entry.key.is<Str>()) known.push_back(entry.key.as<Str>()->view());
  }
}

static std::string nearest_name(Interpreter& vm, const Function& function, Str* name) {
  std::vector<std::string_view> known = {"True", "False", "None"};
  for (Str* local : function.code->local_names) known.push_back(local->view());
  add_names(function.globals.get(), known);
  add_names(vm.builtins.get(), known);
  return did_you_mean(nearest_word(name->view(), known));
}

void advise_name(Interpreter& vm, Exception* error, Diagnostic& d) {
  // A local variable without a value is a known name: no other one was meant.
  if (error->type->is_subclass_of(vm.types.unbound_local_error)) return;
  const std::string wrong = text_attribute(vm, error, vm.state().names.name);
  if (wrong.empty() || error->operands.size() != 2 || !error->operands[0].is<Function>()) return;
  const Function& function = *error->operands[0].as<Function>();
  Str* name = vm.intern(wrong);
  d.suggestion = forgotten_import(vm, wrong);
  if (d.suggestion.empty()) {
    d.suggestion = attribute_of_self(vm, function, error->operands[1], name);
  }
  if (d.suggestion.empty()) d.hint = left_out_name(wrong);
  if (!d.suggestion.empty() || !d.hint.empty()) return;
  d.suggestion = item_of_module(vm, function.globals.get(), name);
  if (d.suggestion.empty()) d.suggestion = nearest_name(vm, function, name);
}

}  // namespace gpy
