#pragma once
// Calls, returns and yields that the run loop does without leaving it. For run.cpp alone: static,
// so that the compiler sees their number of calls.

#include "src/run/frame.h"
#include "src/state.h"

namespace gpy {

// Makes a frame for a function that takes exactly these arguments, or has defaults for the rest,
// and makes it the running one; null for every other call. `callable` holds the function, and holds
// nothing afterwards.
static Frame* enter_plainly(Interpreter& vm, Interpreter::State& state, Frame* caller,
                            Value& callable, Value* arguments, int32_t count) {
  if (state.depth >= vm.recursion_limit) return nullptr;
  auto* function = callable.as<Function>();
  Code* code = function->code.get();
  const int32_t missing = code->plain_count - count;
  const auto defaults = static_cast<int32_t>(function->defaults.size());
  if (missing < 0 || missing > defaults) return nullptr;
  Frame* callee = take_frame(code);
  for (int32_t k = 0; k < count; ++k) {
    new (callee->registers + k) Value(std::move(arguments[k]));
  }
  for (int32_t k = 0; k < missing; ++k) {
    callee->registers[count + k] = function->defaults[static_cast<size_t>(defaults - missing + k)];
  }
  callee->function = function;
  new (&callable) Value();  // its reference belongs to the frame now
  bind_cells(callee, *function);
  callee->caller = caller;
  callee->result = caller->at->a;
  ++state.depth;
  state.frame = callee;
  return callee;
}

// Ends the running frame of an ordinary call, whose registers above the first `used` hold no
// objects.
static Frame* leave_plainly(Interpreter::State& state, Frame* frame, Value& result, bool take,
                            int32_t used) {
  Frame* caller = frame->caller;
  state.frame = caller;
  --state.depth;
  Value& to = caller->registers[frame->result];
  if (take) {
    to = std::move(result);
  } else {
    to = result;
  }
  clear_registers(frame, used);
  keep_frame(frame);
  return caller;
}

// The same for the getter of a property, which takes the object alone; `drop` clears the temporary.
static Frame* enter_getter(Interpreter& vm, Interpreter::State& state, Frame* caller,
                           Function* getter, Value& self, bool drop) {
  Value callable(getter), argument = self;
  Frame* callee = enter_plainly(vm, state, caller, callable, &argument, 1);
  if (callee && drop) self.set_undefined();
  return callee;
}

// Ends a plain __init__: the instance becomes the result in the caller.
static Frame* leave_construction(Interpreter::State& state, Frame* frame, int32_t used) {
  Frame* caller = frame->caller;
  state.frame = caller;
  --state.depth;
  caller->registers[caller->at->a] = std::move(caller->registers[caller->at->b]);
  frame->constructs = false;
  clear_registers(frame, used);
  keep_frame(frame);
  return caller;
}

// Makes the frame of a suspended generator the running one; null for any other iterator.
static Frame* resume_plainly(Interpreter& vm, Interpreter::State& state, Frame* caller,
                             const Value& iterator, const Instruction& loop) {
  auto* generator = iterator.try_as<Generator>();
  if (!generator || !generator->frame || generator->is_running) return nullptr;
  if (state.depth >= vm.recursion_limit) return nullptr;
  Frame* frame = generator->frame;
  generator->is_running = true;
  frame->is_boundary = false;
  frame->caller = caller;
  frame->result = loop.a;
  ++state.depth;
  state.frame = frame;
  return frame;
}

// Suspends a generator that a loop resumed and passes the value to the loop.
static Frame* yield_plainly(Interpreter::State& state, Frame* frame, Value& value,
                            const Instruction& yield) {
  Frame* caller = frame->caller;
  frame->generator->is_running = false;
  state.frame = caller;
  --state.depth;
  Value item = yield.d & kDropB ? std::move(value) : value;
  frame->registers[yield.a] = Value::none();  // unless something is sent
  caller->registers[frame->result] = std::move(item);
  return caller;
}

}  // namespace gpy
