#include "src/run/unwind.h"

#include <algorithm>
#include <span>

#include "src/diagnostics/operands.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

static const Handler* find_handler(Interpreter& vm, const Frame& frame, uint32_t at) {
  if (vm.state().budget.at_once) return nullptr;
  for (const Handler& handler : frame.code->handlers) {
    if (at >= handler.begin && at < handler.end) return &handler;
  }
  return nullptr;
}

bool is_guarded(Interpreter& vm, const Frame& frame) {
  return find_handler(vm, frame, frame.position() - 1);
}

static void enter_handler(Frame& frame, const Handler& handler, Exception* exception) {
  for (int32_t i = handler.exception; i < frame.code->register_count; ++i) {
    frame.registers[i] = Value();
  }
  frame.registers[handler.exception] = Value(exception);
  frame.handled = Value(exception);
  frame.at = frame.code->instructions.data() + handler.target;
}

static void end_frame(Interpreter& vm, Frame* frame) {
  auto& state = vm.state();
  state.frame = frame->caller;
  --state.depth;
  if (Generator* generator = frame->generator) {
    generator->frame = nullptr;
    generator->is_running = false;
  }
  free_frame(frame);
}

static Ref<Exception> refusal_of_stop_iteration(Interpreter& vm) noexcept {
  try {
    return vm.make_exception(vm.types.runtime_error, "generator raised StopIteration");
  } catch (...) {
    return vm.exception_from_native();
  }
}

void refuse_stop_iteration(Interpreter& vm, Ref<Exception>& exception) noexcept {
  if (!exception->type->is_subclass_of(vm.types.stop_iteration)) return;
  Ref<Exception> error = refusal_of_stop_iteration(vm);
  error->cause = error->context = exception;
  error->suppress_context = true;
  exception = error;
}

// Keeps the operands for an error's report: if all frames inside a script's own frame are the
// library's, the script's call is what failed.
static void keep_what_failed(Exception& exception, const Frame& frame) {
  const auto is_library = [](const TracePoint& point) { return point.code->is_library; };
  if (!std::ranges::all_of(exception.trace, is_library)) return;
  const bool is_called = frame.caller && !frame.caller->code->is_library;
  if (!frame.code->is_library && !exception.trace.empty()) {
    keep_library_call(exception, frame);
  } else if (frame.code->is_library && is_called) {
    keep_parameters(exception, frame);
  } else if (exception.trace.empty()) {
    keep_operands(exception, frame);
  }
}

// False: there is no memory for the place.
static bool note_place(Exception& exception, const Frame& frame) noexcept {
  try {
    keep_what_failed(exception, frame);
    exception.trace.push_back({Ref<Code>(frame.code), frame.position()});
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// If there is no memory for the place, a MemoryError follows: a handler may ask for the whole
// trace. A MemoryError, and an exception that ends a run, go on without the place.
static void note_place(Interpreter& vm, Ref<Exception>& exception, const Frame& frame) noexcept {
  if (note_place(*exception, frame)) return;
  const Type* type = exception->type;
  if (type == vm.types.stopped || type->is_subclass_of(vm.types.memory_error)) return;
  Ref<Exception> error = vm.state().memory_errors.take(vm);
  set_context(error.get(), Value(exception));
  exception = std::move(error);
  note_place(*exception, frame);
}

Frame* unwind(Interpreter& vm, Ref<Exception>& exception, bool again) noexcept {
  for (;;) {
    Frame* frame = vm.state().frame;
    if (!std::exchange(again, false)) note_place(vm, exception, *frame);
    if (const Handler* handler = find_handler(vm, *frame, frame->position())) {
      enter_handler(*frame, *handler, exception.get());
      return frame;
    }
    if (frame->generator) refuse_stop_iteration(vm, exception);
    bool is_boundary = frame->is_boundary;
    end_frame(vm, frame);
    if (is_boundary) return nullptr;
  }
}

Value handled_exception(Interpreter& vm) {
  for (Frame* frame = vm.state().frame; frame; frame = frame->caller) {
    if (frame->handled.is_defined()) return frame->handled;
  }
  return Value();
}

void set_context(Interpreter& vm, Exception* exception) {
  set_context(exception, handled_exception(vm));
}

void set_context_of_new(Interpreter& vm, Exception* exception) {
  bool settled = exception->flags & kSettledContext || !exception->trace.empty();
  if (!settled && exception->context.is_none()) set_context(vm, exception);
}

// A chain that leads back to the exception is cut there. A script may have made a cycle of other
// exceptions: `behind` takes every second step only, so that the loop ends after one round.
static void cut_chain(const Value& handled, const Exception* exception) {
  Value at = handled, behind = handled;
  for (bool catches_up = false; at.is<Exception>(); catches_up = !catches_up) {
    Value& next = at.as<Exception>()->context;
    if (next.is_object() && next.as_object() == exception) next = Value::none();
    at = Value(next);
    if (at.same(behind)) return;
    if (catches_up) behind = Value(behind.as<Exception>()->context);
  }
}

void set_context(Exception* exception, const Value& handled) {
  if (handled.is_undefined() || handled.as_object() == exception) return;
  cut_chain(handled, exception);
  exception->context = handled;
}

// --- raise ---------------------------------------------------------------------------------------

static Value instance_of(Interpreter& vm, const Value& raised, const char* complaint) {
  if (raised.is<Exception>()) return raised;
  if (Type* type = raised.try_as<Type>(); type && type->is_subclass_of(vm.types.base_exception)) {
    return vm.call(raised);
  }
  vm.raise_type_error("{}", complaint);
}

Value exception_to_raise(const Step& step) {
  Interpreter& vm = step.vm;
  Value exception = instance_of(vm, step.b(), "exceptions must derive from BaseException");
  auto* raised = exception.as<Exception>();
  if (step.i.a) {
    const Value& cause = step.c();
    raised->cause = cause.is_none()
                        ? cause
                        : instance_of(vm, cause, "exception causes must derive from BaseException");
    raised->suppress_context = true;
  }
  step.drop();
  set_context(vm, raised);
  return exception;
}

// --- except --------------------------------------------------------------------------------------

// The expression behind `except` is checked as a whole before the exception is compared with it.
static void check_caught(Interpreter& vm, const Value& type) {
  const Type* wanted = type.try_as<Type>();
  if (wanted && wanted->is_subclass_of(vm.types.base_exception)) return;
  vm.raise_type_error("catching classes that do not inherit from BaseException is not allowed");
}

static bool matches(Interpreter& vm, const Exception& exception, const Value& caught) {
  const std::span<const Value> types =
      caught.is<Tuple>() ? caught.as<Tuple>()->items() : std::span(&caught, 1);
  for (const Value& each : types) check_caught(vm, each);
  return std::any_of(types.begin(), types.end(), [&](const Value& each) {
    return exception.type->is_subclass_of(each.as<Type>());
  });
}

void op_match_exception(const Step& step) {
  const auto& exception = *step.b().as<Exception>();
  const bool is_stop = exception.type == step.vm.types.stopped;  // no except clause catches that
  const bool is_bare = step.i.b == step.i.c;
  step.finish(Value::boolean(!is_stop && (is_bare || matches(step.vm, exception, step.c()))));
}

void op_end_handler(const Step& step) {
  step.frame.handled = step.i.b < 0 ? Value() : step.reg(step.i.b);
  const Value done = std::exchange(step.reg(step.i.a), Value());
  forget_operands(done);
}

void op_show_value(const Step& step) {
  const Value value = step.b();
  if (auto& show = step.vm.state().show) show(value);
  step.drop();
}

void op_assertion_failed(const Step& step) {
  Interpreter& vm = step.vm;
  if (!step.i.a) vm.raise(vm.types.assertion_error, "");
  Value message = step.b();
  vm.raise(Value(vm.make_exception(vm.types.assertion_error, {message})));
}

}  // namespace gpy
