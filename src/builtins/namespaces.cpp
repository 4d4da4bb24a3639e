// The names of the running function, a module or an object; and exec and eval, which are refused.
#include <algorithm>

#include "src/builtins/rows.h"
#include "src/classes/class_slots.h"
#include "src/modules/import.h"
#include "src/run/frame.h"
#include "src/state.h"
#include "src/typed_native.h"

namespace gpy {

static Value globals(Interpreter& vm) {
  Frame* frame = vm.state().frame;
  return frame ? Value(frame->function->globals) : Value(vm.main_module().names);
}

// The dict of the names of a class body; null in other code.
static Dict* class_body_names(const Frame& frame) {
  const auto& parameters = frame.code->parameters.names;
  const bool is_class_body = parameters.size() == 1 && parameters[0]->view() == kClassNames;
  return is_class_body ? frame.registers[0].try_as<Dict>() : nullptr;
}

// A function's variables as they are now; a module's are its globals, a class body's its names.
static Value locals(Interpreter& vm) {
  Frame* frame = vm.state().frame;
  if (!frame || frame->code->name == "<module>") return globals(vm);
  if (Dict* names = class_body_names(*frame)) return Value(names);
  Ref<Dict> names = vm.dict();
  const auto& variables = frame->code->local_names;
  for (size_t i = 0; i < variables.size(); ++i) {
    Value value = frame->registers[i];
    if (const Cell* cell = value.try_as<Cell>()) value = cell->value;
    if (variables[i] && value.is_defined()) names->set(variables[i], value);
  }
  return names;
}

static Value vars(Interpreter& vm, const Value& object) {
  if (object.is_undefined()) return locals(vm);
  Value names = vm.try_get_attribute(object, vm.intern("__dict__"));
  if (names.is_undefined()) vm.raise_type_error("vars() argument must have __dict__ attribute");
  return names;
}

static Value sorted_names(Interpreter& vm, std::vector<Value> names) {
  std::sort(names.begin(), names.end(), [](const Value& a, const Value& b) {
    return a.as<Str>()->view() < b.as<Str>()->view();
  });
  return vm.list(std::move(names));
}

// The answer of a class's method __dir__, or of a module's function __dir__; undefined without one.
static Value told_names(Interpreter& vm, const Value& object) {
  Str* name = vm.state().names.__dir__;
  if (Module* module = object.try_as<Module>()) {
    const Value* function = module->names->find(name);
    return function ? vm.call(Value(*function)) : Value();
  }
  Type* type = vm.type_of(object);
  const Value* method = type->is_class ? find_special(type, name) : nullptr;
  return method ? call_special(vm, Value(*method), object) : Value();
}

static Value dir(Interpreter& vm, const Value& object) {
  std::vector<Value> names;
  if (object.is_defined()) {
    Value told = told_names(vm, object);
    if (told.is_defined()) {
      Value list = vm.list(vm.collect(told));
      vm.call_method(list, "sort", {});
      return list;
    }
    for (Str* name : vm.attribute_names(object)) names.push_back(Value(name));
    return vm.list(std::move(names));
  }
  Value scope = locals(vm);
  for (auto& entry : scope.as<Dict>()->entries()) {
    if (entry.key.is<Str>()) names.push_back(entry.key);
  }
  return sorted_names(vm, std::move(names));
}

template <const char* const* what> static Value refuse(Interpreter& vm, Args) {
  vm.raise_not_implemented_error("{}", *what);
}

static constexpr const char* kNoExec =
    "exec() is not part of gpy: put the code into a function, or into a module and import it";
static constexpr const char* kNoEval =
    "eval() is not part of gpy: call int() or float() for numbers, and write code as a function";
static constexpr const char* kNoCompile =
    "compile() is not part of gpy: put the code into a function, or into a module and import it";

static constexpr const char* kNoMemoryview =
    "memoryview is not part of gpy: use bytes or bytearray, or an array of uint8";

// `import a.b` binds a: the package that a name begins with, where that is `module`'s own name or,
// from inside a package, its end.
static Value first_package(Interpreter& vm, const Value& module, std::string_view name) {
  const std::string full = vm.to_str(vm.get_attribute(module, vm.state().names.__name__));
  const size_t first = std::min(name.find('.'), name.size());
  return vm.import_module(std::string_view(full).substr(0, full.size() - (name.size() - first)));
}

static Value import(Interpreter& vm, const Value& module_name, const Value& names, const Value&,
                    const Value& fromlist, const Value& levels) {
  if (!module_name.is<Str>()) vm.raise_type_error("module name must be a string");
  const std::string_view name = module_name.as<Str>()->view();
  const int64_t level = vm.to_index(levels);
  if (level < 0) vm.raise_value_error("level must be >= 0");
  if (level == 0 && (name.empty() || name.front() == '.')) {
    vm.raise_value_error("Empty module name");
  }
  Ref<Dict> globals(names.is<Dict>() ? names.as<Dict>() : vm.dict().get());
  Value module = import_from_script(vm, name, static_cast<int>(level), globals.get());
  if (vm.truth(fromlist)) {
    import_submodules(vm, module, fromlist);
    return module;
  }
  return name.find('.') == name.npos ? module : first_package(vm, module, name);
}

static const Native kRows[] = {
    {"__import__", "(name, globals=None, locals=None, fromlist=<()>, level=0)", typed<import>,
     "What `import name` binds; with names to take from it, the module itself."},
    {"compile", "(*args, **kwargs)", refuse<&kNoCompile>, "Not part of gpy."},
    {"dir", "(obj=<omitted>, /)", typed<dir>,
     "The names of an object's attributes, or of the variables here."},
    {"eval", "(*args, **kwargs)", refuse<&kNoEval>, "Not part of gpy."},
    {"exec", "(*args, **kwargs)", refuse<&kNoExec>, "Not part of gpy."},
    {"globals", "()", typed<globals>, "The module's variables, as a dict."},
    {"locals", "()", typed<locals>, "The variables here, as a dict."},
    {"memoryview", "(*args, **kwargs)", refuse<&kNoMemoryview>, "Not part of gpy."},
    {"vars", "(obj=<omitted>, /)", typed<vars>, "obj.__dict__, or the variables here."},
};

std::span<const Native> namespace_rows() { return kRows; }

}  // namespace gpy
