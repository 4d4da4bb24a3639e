// Calls and returns. A gpy function's frame becomes the running one and the loop goes on in it.
#include "src/run/call.h"

#include <array>

#include "src/calls/args.h"
#include "src/calls/bind.h"
#include "src/calls/override.h"
#include "src/calls/receiver.h"
#include "src/classes/instance.h"
#include "src/exceptions/fields.h"
#include "src/state.h"

namespace gpy {

void check_depth(Interpreter& vm) {
  if (vm.state().depth < vm.recursion_limit) [[likely]]
    return;
  vm.raise(vm.types.recursion_error, "maximum recursion depth exceeded");
}

// Discards a frame that will not run. A generator keeps its own.
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

// Makes `callee` the running frame; if there are too many, discards it with a RecursionError.
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

// Moves the values into the new frame; after an error they are still there.
static Frame* bind_values(Interpreter& vm, Function* function, Value* values, uint32_t positional,
                          std::span<Str* const> names) {
  auto move = [values](uint32_t k) -> Value&& { return std::move(values[k]); };
  Frame* frame = bind_plainly(function, positional, names, move);
  return frame ? frame : bind_at_length(vm, function, Value(), {values, positional, names});
}

static Called call_gpy_function(const Step& step, Function* function, Value* values,
                                uint32_t positional, std::span<Str* const> names) {
  Interpreter& vm = step.vm;
  if (function->code->asks_arguments) [[unlikely]] {
    Value answer = answer_of_arguments(vm, *function, {values, positional, names});
    if (answer.is_defined()) {
      step.reg(step.i.a) = std::move(answer);
      return Called::done;
    }
  }
  Frame* callee = bind_values(vm, function, values, positional, names);
  if (function->code->is_generator) {
    step.reg(step.i.a) = make_generator(vm, callee);
    return Called::done;
  }
  enter_frame(vm, &step.frame, callee, step.i.a);
  return Called::entered;
}

// The least and most arguments of a native, kept in its flags. 0: not computed yet.
constexpr uint16_t kKnown = 1 << 15;
constexpr uint16_t kPlain = 1 << 14;  // by position only
constexpr uint16_t kMayHaveNoValue = 1 << 13;
constexpr int kCountBits = 6;
constexpr uint32_t kCountMask = (1 << kCountBits) - 1;

static uint16_t note_counts(NativeFunction& callee) {
  const Signature& signature = callee.signature();
  auto most = static_cast<uint32_t>(signature.parameters.size());
  bool is_plain = signature.simple && most <= kCountMask;
  uint32_t counts = is_plain ? kPlain | signature.required << kCountBits | most : 0;
  if (signature.may_have_no_value) counts |= kMayHaveNoValue;
  return callee.flags = static_cast<uint16_t>(kKnown | counts);
}

constexpr size_t kMostSlots = 6;

// The first `count` of `wanted` arguments are given, and the rest have defaults.
static Value call_with_defaults(Interpreter& vm, NativeFunction& callee, const Value* values,
                                uint32_t count, uint32_t wanted) {
  const Signature& signature = callee.signature();
  std::array<Value, kMostSlots> slots;
  for (uint32_t k = 0; k < count; ++k) slots[k] = values[k];  // an error shows them
  for (size_t k = count; k < wanted; ++k) slots[k] = signature.parameters[k].fallback;
  const CallArgs written{values, count, {}};
  return run_body(vm, Args(slots.data(), wanted, callee, &written));
}

static bool call_quickly(const Step& step, NativeFunction& callee, Value* values, uint32_t count) {
  auto quick = callee.row->quick;
  if (!quick) return false;
  Value answer = quick(step.vm, {values, count});
  if (answer.is_undefined()) return false;
  step.reg(step.i.a) = std::move(answer);
  return true;
}

// Calls a native that takes the arguments as they are, or has defaults for the rest. False: nothing
// was done, and binding or its errors need the general path. A method's first value is one that it
// takes.
static bool call_native_plainly(const Step& step, NativeFunction& callee, Value* values,
                                uint32_t count) {
  if (call_quickly(step, callee, values, count)) return true;
  const uint16_t counts = callee.flags ? callee.flags : note_counts(callee);
  const uint32_t most = counts & kCountMask, least = counts >> kCountBits & kCountMask;
  const bool fits = counts & kPlain && count >= least && count <= most;
  if (!fits || (count < most && most > kMostSlots)) return false;
  if (counts & kMayHaveNoValue && has_no_value(step.vm, {values, count})) return false;
  step.reg(step.i.a) = count == most ? run_body(step.vm, Args(values, count, callee))
                                     : call_with_defaults(step.vm, callee, values, count, most);
  return true;
}

// Calls `callable` with `count` values, the last of which have `names`. A gpy function's frame
// becomes the running one. `is_method`: the first value is the object it was found on.
static Called call_values(const Step& step, const Value& callable, Value* values, uint32_t count,
                          std::span<Str* const> names, bool is_method = false) {
  Interpreter& vm = step.vm;
  auto positional = static_cast<uint32_t>(count - names.size());
  if (Function* function = callable.try_as<Function>()) {
    return call_gpy_function(step, function, values, positional, names);
  }
  CallArgs arguments{values, positional, names};
  if (NativeFunction* native = callable.try_as<NativeFunction>()) {
    bool is_plain = names.empty() && (is_method || !native->owner);
    if (is_plain && call_native_plainly(step, *native, values, count)) return Called::done;
    step.reg(step.i.a) = call_native(vm, *native, Value(), arguments);
    return Called::done;
  }
  step.reg(step.i.a) = vm.call(callable, arguments);
  return Called::done;
}

// --- objects of classes --------------------------------------------------------------------------

static const Construction& construction_of(const Step& step, Type* type) {
  auto& all = step.frame.code->constructions;
  auto& known = all[type->version % all.size()];
  if (known.version == type->version) return known;
  const Value* init = type->lookup(step.names().__init__);
  const Value* maker = type->lookup(step.names().__new__);
  known.version = type->version;
  known.init = init ? init->try_as<Function>() : nullptr;
  bool is_usual = !init || (known.init && !known.init->code->is_generator);
  known.is_plain = type->instance_layout == ObjectLayout::instance && !maker && is_usual;
  return known;
}

// Errors about the arguments show the arguments alone, not the new instance.
static Frame* bind_instance(Interpreter& vm, Function* init, Value* base, uint32_t positional,
                            std::span<Str* const> names) {
  try {
    return bind_values(vm, init, base + 1, positional, names);
  } catch (...) {
    base[1] = Value();
    throw;
  }
}

// Makes an instance and enters its __init__; false: nothing was done, the general path is needed.
static bool construct(const Step& step, Value* base, uint32_t count, std::span<Str* const> names,
                      Called& called) {
  Interpreter& vm = step.vm;
  const Construction& way = construction_of(step, base->as<Type>());
  if (!way.is_plain || (count > 0 && !way.init)) return false;
  Value instance = Instance::make(base->as<Type>());
  if (!way.init) {
    step.reg(step.i.a) = std::move(instance);
    called = Called::done;
    return true;
  }
  Ref<Function> init(way.init);
  base[0] = base[1] = std::move(instance);
  auto positional = static_cast<uint32_t>(count + 1 - names.size());
  Frame* callee = bind_instance(vm, init.get(), base, positional, names);
  enter_frame(vm, &step.frame, callee, step.i.a);
  callee->constructs = true;
  called = Called::entered;
  return true;
}

static void finish_construction(Interpreter& vm, Cursor& at, const Value& answer) {
  Value instance = std::move(at.registers[at.pc->b]);
  if (!answer.is_none()) {
    vm.raise_type_error("__init__() should return None, not '{}'", vm.type_name(answer));
  }
  at.registers[at.pc->a] = std::move(instance);
  ++at.pc;
}

static void drop_values(Value* from, Value* to) {
  for (; from < to; ++from) {
    if (from->is_object()) from->set_undefined();
  }
}

// Calls a native type whose constructor takes the arguments: the type is its first one.
static bool call_type_plainly(const Step& step, Value* base, uint32_t count) {
  Type* type = base->as<Type>();
  if (!type->constructor_function || type == step.vm.types.type) return false;
  if (type->instance_layout == ObjectLayout::exception) {
    Value made = make_plain_exception(step.vm, type, {base + 2, count});
    if (made.is_undefined()) return false;
    step.reg(step.i.a) = std::move(made);
    return true;
  }
  base[1] = *base;
  try {
    return call_native_plainly(step, *type->constructor_function, base + 1, count + 1);
  } catch (...) {
    base[1] = Value();  // is not an operand of the call
    throw;
  }
}

// Calls a class over a builtin type whose __new__ is the library's and takes the arguments.
static bool call_class_plainly(const Step& step, Value* base, uint32_t count) {
  Type* type = base->as<Type>();
  if (type->instance_layout == ObjectLayout::instance) return false;
  const Value* found = type->lookup(step.names().__new__);
  const auto* maker = found ? found->try_as<StaticMethod>() : nullptr;
  const auto* native = maker ? maker->function.try_as<NativeFunction>() : nullptr;
  if (!native || !native->row->quick || type->lookup(step.names().__init__)) return false;
  base[1] = *base;
  Value made = native->row->quick(step.vm, {base + 1, count + 1});
  if (made.is_undefined()) return false;
  step.reg(step.i.a) = std::move(made);
  return true;
}

// Converts the object of a bound method to the form that the method reads. (Where the run loop
// loads a method with its object, names.cpp has checked it.)
static void receive(Interpreter& vm, const NativeFunction& method, Value& self) {
  if (method.owner && !is_received(method, self)) self = receiver_of(vm, method, self);
}

Called do_call(const Step& step, std::span<Str* const> names) {
  Value* base = step.frame.registers + step.i.b;
  auto count = static_cast<uint32_t>(step.i.c);
  Called called = Called::done;
  if (const BoundMethod* method = base->try_as<BoundMethod>()) {
    base[1] = method->self;
    Value function = method->function;
    if (const auto* native = function.try_as<NativeFunction>()) receive(step.vm, *native, base[1]);
    called = call_values(step, function, base + 1, count + 1, names, true);
  } else if (base->is<Type>() && base->as<Type>()->is_class) {
    if (construct(step, base, count, names, called)) {
      drop_values(called == Called::done ? base : base + 1, base + 2 + count);
      return called;
    }
    if (!names.empty() || !call_class_plainly(step, base, count)) {
      called = call_values(step, *base, base + 2, count, names);
    }
  } else if (!base->is<Type>() || !names.empty() || !call_type_plainly(step, base, count)) {
    called = call_values(step, *base, base + 2, count, names);
  }
  drop_values(base, base + 2 + count);
  return called;
}

Called do_call_native(const Step& step) {
  Value* base = step.frame.registers + step.i.b;
  const bool is_bound = step.i.op == Op::call_method && base[1].is_defined();
  auto count = static_cast<uint32_t>(step.i.c) + is_bound;
  Value* values = base + 2 - is_bound;
  auto* native = base->unchecked<NativeFunction>();  // checked by the run loop
  const bool is_plain = is_bound || !native->owner;
  if (!is_plain || !call_native_plainly(step, *native, values, count)) {
    return step.i.op == Op::call_method ? do_call_method(step, {}) : do_call(step, {});
  }
  drop_values(base, values + count);
  return Called::done;
}

Called do_call_method(const Step& step, std::span<Str* const> names) {
  Value* base = step.frame.registers + step.i.b;
  auto count = static_cast<uint32_t>(step.i.c);
  if (base[1].is_undefined()) return do_call(step, names);
  Value callable = std::move(base[0]);
  Called called = call_values(step, callable, base + 1, count + 1, names, true);
  drop_values(base + 1, base + 2 + count);
  return called;
}

Called do_call_spread(const Step& step) {
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
  return call_values(step, callable, values.data(), static_cast<uint32_t>(values.size()), names);
}

// Finishes a generator; its return value is kept for the code that resumed it.
static void end_generator(Interpreter& vm, Frame* frame, Value& result) {
  Generator* generator = frame->generator;
  generator->frame = nullptr;
  generator->is_running = false;
  free_frame(frame);
  vm.state().returned = std::move(result);
  result = Value();
}

// Continues behind the loop or `yield from` that resumed a generator.
static void end_loop(Interpreter& vm, Cursor& at) {
  at.registers[at.pc->b] = Value();
  if (at.pc->op == Op::delegate) at.registers[at.pc->a] = std::move(vm.state().returned);
  ++at.pc;
}

bool leave_frame(Interpreter& vm, Cursor& at, Value& result) {
  auto& state = vm.state();
  Frame* frame = at.frame;
  Frame* caller = frame->caller;
  const bool is_boundary = frame->is_boundary;
  const bool constructs = frame->constructs;
  const bool is_generator = frame->generator;
  const int32_t to = frame->result;
  state.frame = caller;
  --state.depth;
  is_generator ? end_generator(vm, frame, result) : free_frame(frame);
  if (is_boundary) return true;
  at.enter(caller);
  if (is_generator) {
    end_loop(vm, at);
  } else if (constructs) {
    finish_construction(vm, at, result);
  } else {
    at.registers[to] = std::move(result);
    ++at.pc;
  }
  return false;
}

}  // namespace gpy
