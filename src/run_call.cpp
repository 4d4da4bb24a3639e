// Calls and returns. A gpy function's frame becomes the running one and the loop goes on in it.
#include "src/run_call.h"

#include "src/args.h"
#include "src/state.h"

namespace gpy {

void check_depth(Interpreter& vm) {
  if (vm.state().depth < vm.recursion_limit) [[likely]]
    return;
  vm.raise(vm.types.recursion_error, "maximum recursion depth exceeded");
}

// A frame that does not run after all. A generator keeps its own.
static void discard_frame(Frame* frame) {
  if (!frame->generator) free_frame(frame);
}

void push_frame(Interpreter& vm, Frame* caller, Frame* callee, int32_t result) {
  auto& state = vm.state();
  ++state.depth;
  callee->caller = caller;
  callee->result = result;
  state.frame = callee;
}

// Makes `callee` the running frame; RecursionError, and it is discarded, when they are too many.
static void enter_frame(Interpreter& vm, Frame* caller, Frame* callee, int32_t result) {
  try {
    check_depth(vm);
  } catch (...) {
    discard_frame(callee);
    throw;
  }
  push_frame(vm, caller, callee, result);
}

void enter_from_native(Interpreter& vm, Frame* frame) {
  try {
    vm.check_stack();
    check_depth(vm);
  } catch (...) {
    discard_frame(frame);
    throw;
  }
  if (frame->generator) frame->generator->is_running = true;
  frame->is_boundary = true;
  push_frame(vm, vm.state().frame, frame, 0);
}

static Value generator_of(Interpreter& vm, Frame* frame) {
  return vm.make<Generator>(vm.types.generator, frame);
}

// Calls `callable` with `count` values from register `first` on. A gpy function's frame becomes the
// running one.
static Called call_values(Interpreter& vm, Frame* frame, const Value& callable, Value* values,
                          uint32_t count, std::span<Str* const> names) {
  const Instruction& i = *frame->at;
  if (Function* function = callable.try_as<Function>()) {
    Code* code = function->code.get();
    Frame* callee;
    if (code->is_simple && names.empty() && count == code->parameters.positional) {
      callee = make_frame(function);
      for (uint32_t k = 0; k < count; ++k) callee->registers[k] = std::move(values[k]);
    } else {
      auto positional = static_cast<uint32_t>(count - names.size());
      callee = enter_function(vm, function, Value(), {values, positional, names});
    }
    if (code->is_generator) {
      frame->registers[i.a] = generator_of(vm, callee);
      return Called::done;
    }
    enter_frame(vm, frame, callee, i.a);
    return Called::entered;
  }
  auto positional = static_cast<uint32_t>(count - names.size());
  CallArgs arguments{values, positional, names};
  NativeFunction* native = callable.try_as<NativeFunction>();
  Value result =
      native ? call_native(vm, *native, Value(), arguments) : vm.call(callable, arguments);
  frame->registers[i.a] = std::move(result);
  return Called::done;
}

static void drop_values(Value* from, Value* to) {
  for (; from < to; ++from) {
    if (from->is_object()) *from = Value();
  }
}

Called do_call(const Step& step, std::span<Str* const> names) {
  Interpreter& vm = step.vm;
  Frame* frame = &step.frame;
  const Instruction& i = step.i;
  Value* base = frame->registers + i.b;
  auto count = static_cast<uint32_t>(i.c);
  if (const BoundMethod* method = base->try_as<BoundMethod>()) {
    base[1] = method->self;
    Value function = method->function;
    Called called = call_values(vm, frame, function, base + 1, count + 1, names);
    drop_values(base, base + 2 + count);
    return called;
  }
  Called called = call_values(vm, frame, *base, base + 2, count, names);
  drop_values(base, base + 2 + count);
  return called;
}

Called do_call_method(const Step& step, std::span<Str* const> names) {
  Interpreter& vm = step.vm;
  Frame* frame = &step.frame;
  const Instruction& i = step.i;
  Value* base = frame->registers + i.b;
  auto count = static_cast<uint32_t>(i.c);
  bool has_self = base[1].is_defined();
  Value callable = std::move(base[0]);
  Called called = call_values(vm, frame, callable, base + (has_self ? 1 : 2),
                              count + (has_self ? 1 : 0), names);
  drop_values(base + 1, base + 2 + count);
  return called;
}

Called do_call_spread(const Step& step) {
  Interpreter& vm = step.vm;
  Frame* frame = &step.frame;
  const Instruction& i = step.i;
  Value* base = frame->registers + i.b;
  Value callable = std::move(base[0]);
  std::vector<Value> values = std::move(base[1].as<List>()->items);
  std::vector<Str*> names;
  std::vector<Value> keys;
  for (auto& entry : base[2].as<Dict>()->entries()) {
    if (entry.key.is_undefined()) continue;
    names.push_back(entry.key.as<Str>());
    keys.push_back(entry.key);
    values.push_back(entry.value);
  }
  drop_values(base + 1, base + 3);
  if (const BoundMethod* method = callable.try_as<BoundMethod>()) {
    values.insert(values.begin(), method->self);
    Value function = method->function;
    callable = function;
  }
  return call_values(vm, frame, callable, values.data(), static_cast<uint32_t>(values.size()),
                     names);
}

bool leave_frame(Interpreter& vm, Cursor& at, Value& result) {
  auto& state = vm.state();
  Frame* frame = at.frame;
  Frame* caller = frame->caller;
  bool is_boundary = frame->is_boundary;
  int32_t to = frame->result;
  Generator* generator = frame->generator;
  state.frame = caller;
  --state.depth;
  if (generator) {
    // A finished generator resumed by a for loop: the loop is at its end.
    generator->frame = nullptr;
    generator->is_running = false;
    free_frame(frame);
    state.returned = std::move(result);
    result = Value();
    if (is_boundary) return true;
    at.enter(caller);
    at.registers[at.pc->b] = Value();
    if (at.pc->op == Op::delegate) at.registers[at.pc->a] = std::move(state.returned);
    ++at.pc;
    return false;
  }
  free_frame(frame);
  if (is_boundary) return true;
  at.enter(caller);
  at.registers[to] = std::move(result);
  ++at.pc;
  return false;
}

}  // namespace gpy
