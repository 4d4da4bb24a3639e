#include "src/diagnostics/name_hints.h"

#include <vector>

#include "src/diagnostics/left_out.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/text/suggest.h"

namespace gpy {

namespace {

// How scripts call modules.
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

// A method's first parameter; undefined where it has another name.
static Value self_of(const Frame& frame) {
  const auto& names = frame.code->local_names;
  if (frame.code->parameters.positional == 0 || names.empty()) return Value();
  if (names[0]->view() != "self") return Value();
  const Value& self = frame.registers[0];
  return self.is<Cell>() ? self.as<Cell>()->value : self;
}

// Asking must not run a __getattr__ of the script's.
static bool has_attribute(Interpreter& vm, const Value& object, Str* name) {
  for (Str* each : vm.attribute_names(object)) {
    if (each == name || each->view() == name->view()) return true;
  }
  return false;
}

static std::string attribute_of_self(Interpreter& vm, const Frame& frame, Str* name) {
  const Value self = self_of(frame);
  if (self.is_undefined() || !has_attribute(vm, self, name)) return "";
  return did_you_mean(fmt::format("self.{}", name->view()));
}

// `zeros(3)` where np is there.
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

static std::string nearest_name(Interpreter& vm, const Frame& frame, Str* name) {
  std::vector<std::string_view> known = {"True", "False", "None"};
  for (Str* local : frame.code->local_names) known.push_back(local->view());
  add_names(frame.function->globals.get(), known);
  add_names(vm.builtins.get(), known);
  return did_you_mean(nearest_word(name->view(), known));
}

void advise_name(Interpreter& vm, const Frame& frame, Str* name, Exception& error) {
  std::string& suggestion = error.suggestion;
  suggestion = forgotten_import(vm, name->view());
  if (suggestion.empty()) suggestion = attribute_of_self(vm, frame, name);
  if (suggestion.empty()) error.hint = left_out_name(name->view());
  if (!suggestion.empty() || !error.hint.empty()) return;
  suggestion = item_of_module(vm, frame.function->globals.get(), name);
  if (suggestion.empty()) suggestion = nearest_name(vm, frame, name);
}

}  // namespace gpy
