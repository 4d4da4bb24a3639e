#pragma once
// The run loop, and declarations that the instructions' functions share.

#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// Runs until `frame`, whose caller is C++, returns; returns its value. A generator's frame may also
// come back by a yield (then generator->frame stays). Raises the exceptions that leave it. Takes
// the frame in any case; a generator that could not be resumed keeps it.
Value run(Interpreter& vm, Frame* frame);

// The same for a generator's frame in which `exception` is raised at the suspended yield.
Value run_raising(Interpreter& vm, Frame* frame, Ref<Exception> exception);

// A generator with a frame that has not started. Takes the frame in any case.
Value make_generator(Interpreter& vm, Frame* frame);
// Resumes a generator from C++: the next value, or undefined when it is finished.
Value resume(Interpreter& vm, Generator* generator, const Value& sent);
// The return value of the iterator that has just ended, None if it has none.
Value take_returned(Interpreter& vm, const Value& iterator);
// StopIteration with that value.
[[noreturn]] void raise_stop_iteration(Interpreter& vm, const Value& iterator);

// `self`, if defined, is the first argument.
Value call_function(Interpreter& vm, Function* function, const Value& self,
                    const CallArgs& arguments);

// The same, without asking classes of the arguments (Code::asks_arguments).
Value call_undispatched(Interpreter& vm, Function* function, const Value& self,
                        const CallArgs& arguments);

// callable(first, arguments)
Value call_with_first(Interpreter& vm, const Value& callable, const Value& first,
                      const CallArgs& arguments);

// The execution of one instruction.
struct Step {
  Interpreter& vm;
  Frame& frame;
  const Instruction& i;

  Value& reg(int32_t index) const { return frame.registers[index]; }
  // An operand; raises UnboundLocalError when it is a variable without a value.
  const Value& read(int32_t index) const {
    const Value& value = frame.registers[index];
    if (value.is_undefined()) [[unlikely]]
      raise_unbound(index);
    return value;
  }
  const Value& b() const { return read(i.b); }
  const Value& c() const { return read(i.c); }
  // Drops the temporaries that were read, then writes the result.
  void finish(Value result) const {
    drop();
    reg(i.a) = std::move(result);
  }
  void drop() const {
    if (i.d & kDropB) reg(i.b) = Value();
    if (i.d & kDropC) reg(i.c) = Value();
  }
  Site& site(int32_t index) const { return frame.sites[index]; }
  Names& names() const { return vm.state().names; }
  [[noreturn]] void raise_unbound(int32_t index) const;
};

// The result of an instruction's function that raised without throwing, which is much quicker.
constexpr int kRaised = -1;
inline int raise_quickly(const Step& step, Value exception) {
  step.vm.state().raised = std::move(exception);
  return kRaised;
}

#define GPY_DECLARE(name) void op_##name(const Step& step);
GPY_CALLED_OPS(GPY_DECLARE)
#undef GPY_DECLARE

// The slow paths of operations that the run loop does itself for numbers.
void slow_arithmetic(const Step& step, BinaryOp op);
void slow_comparison(const Step& step, CompareOp op);
bool slow_comparing_jump(const Step& step, CompareOp op);
bool slow_truth(const Step& step);
int slow_get_item(const Step& step);
void slow_set_item(const Step& step);
void slow_contains(const Step& step, bool sense);
void get_items(const Step& step);
void set_items(const Step& step);
int slow_load_global(const Step& step);
void load_global_or_throw(const Step& step);
void slow_store_global(const Step& step);
void slow_load_cell(const Step& step);
void slow_unpack(const Step& step);
int slow_get_attribute(const Step& step);
void slow_set_attribute(const Step& step);
int slow_load_method(const Step& step);
void slow_logical_not(const Step& step);
// The exception of a `raise` statement.
Value exception_to_raise(const Step& step);
// The exception being handled here, or undefined.
Value handled_exception(Interpreter& vm);

}  // namespace gpy
