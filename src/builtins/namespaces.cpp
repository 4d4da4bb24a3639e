// Names: of the running function, of a module, of an object. And what runs text, which is refused.
#include <algorithm>

#include "src/builtins/rows.h"
#include "src/classes/class_slots.h"
#include "src/modules/import.h"
#include "src/run/frame.h"
#include "src/state.h"

namespace gpy {

static Value globals(Interpreter& vm, Args) {
  Frame* frame = vm.state().frame;
  return frame ? Value(frame->function->globals) : Value(vm.main_module().names);
}

// Where the names of a class body go; null in other code.
static Dict* class_body_names(const Frame& frame) {
  const auto& parameters = frame.code->parameters.names;
  const bool is_class_body = parameters.size() == 1 && parameters[0]->view() == kClassNames;
  return is_class_body ? frame.registers[0].try_as<Dict>() : nullptr;
}

// A function's variables as they are now; a module's are its globals, a class body's its names.
static Value locals(Interpreter& vm, Args args) {
  Frame* frame = vm.state().frame;
  if (!frame || frame->code->name == "<module>") return globals(vm, args);
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

static Value vars(Interpreter& vm, Args args) {
  if (!args.has(0)) return locals(vm, args);
  Value names = vm.try_get_attribute(args[0], vm.intern("__dict__"));
  if (names.is_undefined()) vm.raise_type_error("vars() argument must have __dict__ attribute");
  return names;
}

static Value sorted_names(Interpreter& vm, std::vector<Value> names) {
  std::sort(names.begin(), names.end(), [](const Value& a, const Value& b) {
    return a.as<Str>()->view() < b.as<Str>()->view();
  });
  return vm.list(std::move(names));
}

// What a class's method __dir__, or a module's function of that name, says; undefined without one.
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

static Value dir(Interpreter& vm, Args args) {
  std::vector<Value> names;
  if (args.has(0)) {
    Value told = told_names(vm, args[0]);
    if (told.is_defined()) {
      Value list = vm.list(vm.collect(told));
      vm.call_method(list, "sort", {});
      return list;
    }
    for (Str* name : vm.attribute_names(args[0])) names.push_back(Value(name));
    return vm.list(std::move(names));
  }
  Value scope = locals(vm, args);
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

static Value import(Interpreter& vm, Args args) {
  if (!args[0].is<Str>()) vm.raise_type_error("module name must be a string");
  const std::string_view name = args[0].as<Str>()->view();
  const int64_t level = vm.to_index(args[4]);
  if (level < 0) vm.raise_value_error("level must be >= 0");
  if (level == 0 && (name.empty() || name.front() == '.')) {
    vm.raise_value_error("Empty module name");
  }
  Ref<Dict> globals(args[1].is<Dict>() ? args[1].as<Dict>() : vm.dict().get());
  Value module = import_from_script(vm, name, static_cast<int>(level), globals.get());
  if (vm.truth(args[3])) {
    import_submodules(vm, module, args[3]);
    return module;
  }
  return name.find('.') == name.npos ? module : first_package(vm, module, name);
}

static const Native kRows[] = {
    {"__import__", "(name, globals=None, locals=None, fromlist=<()>, level=0)", import,
     "What `import name` binds; with names to take from it, the module itself."},
    {"compile", "(*args, **kwargs)", refuse<&kNoCompile>, "Not part of gpy."},
    {"dir", "(obj=<omitted>, /)", dir,
     "The names of an object's attributes, or of the variables here."},
    {"eval", "(*args, **kwargs)", refuse<&kNoEval>, "Not part of gpy."},
    {"exec", "(*args, **kwargs)", refuse<&kNoExec>, "Not part of gpy."},
    {"globals", "()", globals, "The module's variables, as a dict."},
    {"locals", "()", locals, "The variables here, as a dict."},
    {"memoryview", "(*args, **kwargs)", refuse<&kNoMemoryview>, "Not part of gpy."},
    {"vars", "(obj=<omitted>, /)", vars, "obj.__dict__, or the variables here."},
};

std::span<const Native> namespace_rows() { return kRows; }

}  // namespace gpy
