#pragma once
// Frames come and go: calls, returns, and the generators that a for loop pulls from.

#include "src/run/run.h"

namespace gpy {

// Locals of the loop: kept in machine registers, reloaded when the frame changes.
struct Cursor {
  Frame* frame;
  const Instruction* pc;
  Value* registers;

  void enter(Frame* next) {
    frame = next;
    pc = next->at;
    registers = next->registers;
  }
};

// RecursionError when the frames are too many.
void check_depth(Interpreter& vm);
// Makes `callee` the running frame; `result`: the caller's register for what it returns.
void push_frame(Interpreter& vm, Frame* caller, Frame* callee, int32_t result);
// The same for a caller in C++. Where it is refused, a generator is as it was.
void enter_from_native(Interpreter& vm, Frame* frame);

// What a call found out about its callee.
enum class Called { done, entered };

// `names`: those of the last arguments.
Called do_call(const Step& step, std::span<Str* const> names);
Called do_call_method(const Step& step, std::span<Str* const> names);
// call and call_method of a native.
Called do_call_native(const Step& step);
Called do_call_spread(const Step& step);

// Ends the running frame; what it gives goes to its caller. True: that is C++.
bool leave_frame(Interpreter& vm, Cursor& at, Value& result);

// for: an item into register `a`, or false at the end. Generators are entered instead. `row`: the
// loop's first instruction, which takes the item apart, is done too.
enum class Pulled { item, end, entered, row };

Pulled pull(const Step& step);
// yield from: the next item into `a`, or at the end what the iterator returned. Register `b` has
// the iterator, the one behind it what was sent.
Pulled pull_delegated(const Step& step);

// Puts a generator's frame aside with `item` given to whoever resumed it. True: that is C++.
bool suspend_frame(Interpreter& vm, Cursor& at, Value& item);

}  // namespace gpy
