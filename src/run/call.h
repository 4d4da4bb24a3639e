#pragma once
// Calls, returns, and the generators that a for loop resumes.

#include "src/run/run.h"

namespace gpy {

// The run loop's local state, kept in machine registers and reloaded when the frame changes.
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
// Makes `callee` the running frame; `result`: the caller's register for its result.
void push_frame(Interpreter& vm, Frame* caller, Frame* callee, int32_t result);
// The same for a caller in C++. If it is refused, a generator stays as it was.
void enter_from_native(Interpreter& vm, Frame* frame);

// The outcome of a call instruction: finished, or a frame to run.
enum class Called { done, entered };

// `names`: the keywords of the last arguments.
Called do_call(const Step& step, std::span<Str* const> names);
Called do_call_method(const Step& step, std::span<Str* const> names);
// The instructions call and call_method for a native.
Called do_call_native(const Step& step);
Called do_call_spread(const Step& step);

// Ends the running frame and passes its result to the caller. True: the caller is C++.
bool leave_frame(Interpreter& vm, Cursor& at, Value& result);

// for: puts an item into register `a`, or reports the end. Generators are entered instead. `row`:
// the loop's first instruction, which unpacks the item, is done too.
enum class Pulled { item, end, entered, row };

Pulled pull(const Step& step);
// yield from: puts the next item into `a`, or at the end the iterator's return value. Register `b`
// has the iterator, the one behind it the value sent.
Pulled pull_delegated(const Step& step);

// Suspends a generator's frame and passes `item` to its caller. True: the caller is C++.
bool suspend_frame(Interpreter& vm, Cursor& at, Value& item);

}  // namespace gpy
