#pragma once
// The unwinding of frames by an exception.

#include "src/run/frame.h"
#include "src/interpreter.h"

namespace gpy {

// Notes the running frame in the exception's trace (unless it is raised `again`) and finds its
// handler, ending frames on the way. Null: none before the frame that returns to C++, which is
// ended too. A StopIteration that leaves a generator becomes a RuntimeError.
Frame* unwind(Interpreter& vm, Ref<Exception>& exception, bool again) noexcept;
// Replaces a StopIteration by that RuntimeError.
void refuse_stop_iteration(Interpreter& vm, Ref<Exception>& exception) noexcept;

// Whether a try or with surrounds the yield at which a generator's frame is suspended.
bool is_guarded(Interpreter& vm, const Frame& frame);

// Makes the exception being handled the context of `exception`.
void set_context(Interpreter& vm, Exception* exception);
// The same for an exception that comes from a native, unless it has been raised before or its flags
// say that its context is final.
constexpr uint16_t kSettledContext = 1;
void set_context_of_new(Interpreter& vm, Exception* exception);
// Makes `handled` the context of the exception.
void set_context(Exception* exception, const Value& handled);

// Thrown through the run loop by an exception that found no handler in it.
struct Leaving {
  Ref<Exception> exception;
};

}  // namespace gpy
