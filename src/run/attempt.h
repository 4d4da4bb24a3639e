#pragma once
// Runs functions that may raise for the run loop, and finds the handlers of their exceptions. For
// run.cpp alone, like values.h.

#include <type_traits>

#include "src/run/frames.h"
#include "src/run/run.h"
#include "src/run/unwind.h"
#include "src/state.h"

namespace gpy {

// The frame whose handler takes the exception; leaves the loop if there is none.
static Frame* find_handler(Interpreter& vm, Ref<Exception> exception, bool again) {
  Frame* next = unwind(vm, exception, again);
  if (!next) throw Leaving{std::move(exception)};
  return next;
}

static Frame* raise_new(const Step& step) {
  Value exception = exception_to_raise(step);
  return find_handler(step.vm, Ref<Exception>(exception.as<Exception>()), false);
}

static Frame* raise_again(const Step& step) {
  Value raised = step.i.a ? handled_exception(step.vm) : step.reg(step.i.b);
  if (raised.is_undefined()) step.vm.raise_runtime_error("No active exception to reraise");
  return find_handler(step.vm, Ref<Exception>(raised.as<Exception>()), true);
}

// Runs a function that may raise, and keeps the exception for the loop to find its handler:
// unwinding through the loop itself, whose tables are long, takes 9 us. A function that returns the
// int kRaised has kept its exception already.
template <auto Body, class... Rest>
[[gnu::noinline]] static int attempt(Interpreter& vm, Frame* frame, const Instruction* pc,
                                     Rest... rest) {
  frame->at = pc;
  Step step{vm, *frame, *pc};
  try {
    if constexpr (std::is_void_v<decltype(Body(step, rest...))>) {
      Body(step, rest...);
      return 0;
    } else {
      return static_cast<int>(Body(step, rest...));
    }
  } catch (Raised& raised) {
    vm.state().raised = std::move(raised.exception);
  } catch (...) {
    vm.state().raised = vm.exception_from_native();
  }
  return kRaised;
}

static void look_at_loop(const Step& step) { step.vm.hooks.look_at_loop(step.vm, step.frame); }

// The frame that handles an exception kept by `attempt`.
static Frame* raise_kept(Interpreter& vm) {
  Value raised = std::exchange(vm.state().raised, Value());
  Ref<Exception> exception(raised.as<Exception>());
  set_context_of_new(vm, exception.get());
  return find_handler(vm, std::move(exception), false);
}

}  // namespace gpy
