// Instructions for functions, with statements, imports and kernels.
#include "src/modules/import.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

void op_make_function(const Step& step) {
  Interpreter& vm = step.vm;
  Frame& frame = step.frame;
  const Ref<Code>& code = frame.code->children[static_cast<size_t>(step.i.c)];
  auto function = vm.make<Function>(vm.types.function, code, frame.function->globals);
  int32_t next = step.i.b;
  auto take = [&] { return std::move(step.reg(next++)); };
  for (uint32_t k = 0; k < code->default_count; ++k) function->defaults.push_back(take());
  for (uint32_t k = 0; k < code->parameters.keyword_only; ++k) {
    function->keyword_defaults.push_back(take());
  }
  Value annotations = take();
  if (annotations.is<Dict>()) function->annotations = Ref<Dict>(annotations.as<Dict>());
  for (int32_t captured : code->captures) {
    function->cells.push_back(Ref<Cell>(step.reg(captured).as<Cell>()));
  }
  function->name = vm.str(code->name);
  function->qualified_name = vm.str(code->qualified_name);
  function->doc = code->doc;
  Value* module = frame.function->globals->find(step.names().__name__);
  function->module = module ? *module : Value::none();
  step.reg(step.i.a) = function;
}

// --- with ----------------------------------------------------------------------------------------

void op_with_enter(const Step& step) {
  Interpreter& vm = step.vm;
  const Value& manager = step.b();
  const Slots& slots = vm.type_of(manager)->slots;
  if (slots.enter && slots.exit) {
    step.reg(step.i.a) = slots.enter(vm, manager);
    return;
  }
  Value enter = vm.try_get_attribute(manager, step.names().__enter__);
  Value exit = vm.try_get_attribute(manager, step.names().__exit__);
  if (enter.is_undefined() || exit.is_undefined()) {
    vm.raise_type_error("'{}' object does not support the context manager protocol{}",
                        vm.type_name(manager),
                        enter.is_undefined() ? "" : " (missed __exit__ method)");
  }
  step.reg(step.i.a) = vm.call(enter);
}

static bool call_exit(const Step& step, const Value& manager, const Value& exception) {
  Interpreter& vm = step.vm;
  const Slots& slots = vm.type_of(manager)->slots;
  if (slots.enter && slots.exit) return slots.exit(vm, manager, exception);
  Value exit = vm.get_attribute(manager, step.names().__exit__);
  if (exception.is_none()) return vm.truth(vm.call(exit, {exception, exception, exception}));
  Value traceback = vm.get_attribute(exception, "__traceback__");
  return vm.truth(vm.call(exit, {Value(vm.type_of(exception)), exception, traceback}));
}

void op_with_exit(const Step& step) {
  Value manager = step.b();
  if (step.i.d & kDropB) step.reg(step.i.b) = Value();
  bool swallowed = call_exit(step, manager, step.c());
  if (step.vm.type_of(step.c()) == step.vm.types.stopped) swallowed = false;
  step.reg(step.i.a) = Value::boolean(swallowed);
}

// --- import --------------------------------------------------------------------------------------

void op_import_name(const Step& step) {
  std::string_view name = step.b().as<Str>()->view();
  int level = step.i.d >> kOperatorShift;
  Dict* globals = step.frame.function->globals.get();
  Value module = import_from_script(step.vm, name, level, globals);
  if (step.i.c) {
    module = step.vm.import_module(name.substr(0, name.find('.')));
  }
  step.reg(step.i.a) = std::move(module);
}

void op_import_from(const Step& step) {
  Value item = imported_attribute(step.vm, step.b(), step.reg(step.i.c).as<Str>());
  step.reg(step.i.a) = std::move(item);
}

void op_import_star(const Step& step) {
  import_all(step.vm, step.b(), step.frame.function->globals.get());
}

void op_make_kernel(const Step& step) {
  Interpreter& vm = step.vm;
  if (!vm.hooks.make_kernel) vm.raise_runtime_error("this interpreter has no array runtime");
  const auto* kernel = step.frame.code->kernels[static_cast<size_t>(step.i.b)];
  step.reg(step.i.a) = vm.hooks.make_kernel(vm, *kernel);
}

}  // namespace gpy
