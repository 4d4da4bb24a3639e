// Generators used outside of the run loop: next(), send, throw, close, and natives such as sorted.
// For loops and `yield from` resume them in the run loop itself.
#include "src/exceptions/ignored.h"
#include "src/run/run.h"
#include "src/run/unwind.h"
#include "src/state.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

// --- resuming ------------------------------------------------------------------------------------

Value make_generator(Interpreter& vm, Frame* frame) {
  try {
    return vm.make<Generator>(vm.types.generator, frame);
  } catch (...) {
    free_frame(frame);
    throw;
  }
}

static bool is_started(const Frame& frame) { return frame.at != frame.code->instructions.data(); }

static void check_not_running(Interpreter& vm, const Generator& generator) {
  if (generator.is_running) vm.raise_value_error("generator already executing");
}

Value resume(Interpreter& vm, Generator* generator, const Value& sent) {
  check_not_running(vm, *generator);
  Frame* frame = generator->frame;
  if (!frame) {
    vm.state().returned = Value::none();
    return Value();
  }
  bool started = is_started(*frame);
  if (!started && !sent.is_none()) {
    vm.raise_type_error("can't send non-None value to a just-started generator");
  }
  // The yield at which it is suspended returns the value sent.
  if (started) frame->registers[frame->at[-1].a] = sent;
  Ref<Generator> kept(generator);
  return run(vm, frame);
}

Value take_returned(Interpreter& vm, const Value& iterator) {
  Value returned = std::exchange(vm.state().returned, Value());
  bool says = iterator.is<Generator>() || vm.type_of(iterator)->is_class ||
              iterator.as_object()->layout == ObjectLayout::native_iterator;
  return says && returned.is_defined() ? returned : Value::none();
}

void raise_stop_iteration(Interpreter& vm, const Value& iterator) {
  Value returned = take_returned(vm, iterator);
  if (returned.is_none()) vm.raise(vm.types.stop_iteration, "");
  vm.raise(Value(vm.make_exception(vm.types.stop_iteration, {returned})));
}

// --- throwing ------------------------------------------------------------------------------------

static void end(Generator& generator) {
  Frame* frame = std::exchange(generator.frame, nullptr);
  free_frame(frame);
}

// The iterator of the `yield from` in which it is suspended, or undefined.
static Value delegate_of(const Frame& frame) {
  const Instruction& waits_at = frame.at[-1];
  bool delegates = waits_at.op == Op::yield_value && (waits_at.d & kDelegates);
  return delegates ? frame.registers[waits_at.c] : Value();
}

static void close(Interpreter& vm, Generator& generator);

static void close_delegate(Interpreter& vm, const Value& iterator) {
  if (auto* generator = iterator.try_as<Generator>()) return close(vm, *generator);
  Value method = vm.try_get_attribute(iterator, vm.state().names.close);
  if (method.is_defined()) vm.call(method);
}

static Value throw_into(Interpreter& vm, Generator& generator, Ref<Exception> exception);

// The next item; undefined when the iterator ended.
static Value throw_into_delegate(Interpreter& vm, const Value& iterator,
                                 const Ref<Exception>& exception) {
  if (auto* generator = iterator.try_as<Generator>()) {
    return throw_into(vm, *generator, exception);
  }
  Value method = vm.try_get_attribute(iterator, vm.intern("throw"));
  if (method.is_undefined()) throw Raised{exception};
  return vm.call(method, {Value(exception)});
}

// Continues behind the `yield from`, whose value is the return value of its iterator.
static Value go_on_after_delegate(Interpreter& vm, Frame* frame, const Value& iterator) {
  const Instruction& pull = *frame->at;
  frame->registers[pull.b] = Value();
  frame->registers[pull.a] = take_returned(vm, iterator);
  ++frame->at;
  return run(vm, frame);
}

static Value raise_where_it_waits(Interpreter& vm, Frame* frame, Ref<Exception> exception) {
  --frame->at;
  return run_raising(vm, frame, std::move(exception));
}

static Value throw_through(Interpreter& vm, Generator& generator, const Value& iterator,
                           Ref<Exception> exception) {
  bool is_exit = vm.is_instance(Value(exception), vm.types.generator_exit);
  generator.is_running = true;
  try {
    Value item;
    if (is_exit) {
      close_delegate(vm, iterator);
    } else {
      item = throw_into_delegate(vm, iterator, exception);
    }
    generator.is_running = false;
    if (item.is_defined()) return item;
  } catch (...) {
    generator.is_running = false;
    is_exit = true;
    exception = vm.exception_from_native();
    bool ended = exception->type->is_subclass_of(vm.types.stop_iteration);
    if (ended && !iterator.is<Generator>()) {
      vm.state().returned = vm.get_attribute(Value(exception), vm.state().names.value);
      return go_on_after_delegate(vm, generator.frame, iterator);
    }
  }
  if (!is_exit) return go_on_after_delegate(vm, generator.frame, iterator);
  return raise_where_it_waits(vm, generator.frame, std::move(exception));
}

// The next item after `exception` was raised at the suspended yield; undefined when it is finished.
static Value throw_into(Interpreter& vm, Generator& generator, Ref<Exception> exception) {
  check_not_running(vm, generator);
  Frame* frame = generator.frame;
  if (!frame) {
    exception->flags |= kSettledContext;
    throw Raised{exception};
  }
  Ref<Generator> kept(&generator);
  if (!is_started(*frame)) {
    exception->trace.push_back({Ref<Code>(frame->code), frame->position()});
    end(generator);
    refuse_stop_iteration(vm, exception);
    throw Raised{exception};
  }
  Value iterator = delegate_of(*frame);
  if (iterator.is_defined()) return throw_through(vm, generator, iterator, std::move(exception));
  return raise_where_it_waits(vm, frame, std::move(exception));
}

static bool is_quiet_end(Interpreter& vm, const Value& exception) {
  return vm.is_instance(exception, vm.types.generator_exit) ||
         vm.is_instance(exception, vm.types.stop_iteration);
}

static void close(Interpreter& vm, Generator& generator) {
  check_not_running(vm, generator);
  if (!generator.frame) return;
  if (!is_started(*generator.frame)) return end(generator);
  auto exit = vm.make_exception(vm.types.generator_exit, std::initializer_list<Value>{});
  try {
    if (throw_into(vm, generator, exit).is_undefined()) return;
  } catch (const Raised& raised) {
    if (is_quiet_end(vm, raised.exception)) return;
    throw;
  }
  vm.raise_runtime_error("generator ignored GeneratorExit");
}

// --- the type ------------------------------------------------------------------------------------

static Value generator_iter(Interpreter&, const Value& self) { return self; }

static Value generator_next(Interpreter& vm, const Value& self) {
  return resume(vm, self.as<Generator>(), Value::none());
}

static std::string generator_repr(Interpreter&, const Value& self) {
  auto* generator = self.as<Generator>();
  return fmt::format("<generator object {} at {}>", generator->code->qualified_name,
                     static_cast<void*>(generator));
}

// Runs the finally blocks around the suspended yield when nothing can resume it any more.
static void generator_finalise(Interpreter& vm, Object* self) {
  auto* generator = static_cast<Generator*>(self);
  Frame* frame = generator->frame;
  if (!frame || generator->is_running || !is_started(*frame) || !is_guarded(vm, *frame)) return;
  ignoring_exceptions(
      vm, [&] { close(vm, *generator); }, [&] { return generator_repr(vm, Value(self)); });
}

static Value generator_send(Interpreter& vm, Generator& self, const Value& value) {
  Value item = resume(vm, &self, value);
  if (item.is_undefined()) raise_stop_iteration(vm, Value(&self));
  return item;
}

// throw(exception), or throw(type, value, traceback), the older form.
static Value generator_throw(Interpreter& vm, Generator& self, const Value& exception,
                             const Value& value, const Value&) {
  Value raised = exception;
  Type* type = raised.try_as<Type>();
  if (type && type->is_subclass_of(vm.types.base_exception)) {
    bool is_made = vm.is_instance(value, type);
    raised = is_made ? value : value.is_none() ? vm.call(raised) : vm.call(raised, {value});
  }
  if (!raised.is<Exception>()) {
    vm.raise_type_error(
        "exceptions must be classes or instances deriving from BaseException, not {}",
        vm.type_name(raised));
  }
  Value item = throw_into(vm, self, Ref<Exception>(raised.as<Exception>()));
  if (item.is_undefined()) raise_stop_iteration(vm, Value(&self));
  return item;
}

static Value generator_close(Interpreter& vm, Generator& self) {
  close(vm, self);
  return Value::none();
}

static const Native kMethods[] = {
    {"send", "(self, value, /)", typed<generator_send>, "Goes on; the yield gives the value."},
    {"throw", "(self, type, value=None, traceback=None, /)", typed<generator_throw>,
     "Raises an exception where it waits; gives the next value."},
    {"close", "(self, /)", typed<generator_close>,
     "Ends it: GeneratorExit is raised where it waits."},
};

static Value generator_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Generator>()->code->name);
}
static Value generator_qualified_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Generator>()->code->qualified_name);
}
static Value generator_running(Interpreter&, const Value& self) {
  return Value::boolean(self.as<Generator>()->is_running);
}

static const NativeGetter kGetters[] = {
    {"__name__", generator_name},
    {"__qualname__", generator_qualified_name},
    {"gi_running", generator_running},
};

// The collector must treat the objects of a running generator as held from outside.
static void traverse_generator(Object* self, Visit visit, void* context) {
  auto* generator = static_cast<Generator*>(self);
  report(generator->code, visit, context);
  const Frame* frame = generator->frame;
  if (!frame || generator->is_running) return;
  if (frame->function) visit(frame->function, context);
  report(frame->handled, visit, context);
  for (int32_t i = 0; i < frame->code->register_count; ++i) {
    report(frame->registers[i], visit, context);
  }
}

void setup_generators(Interpreter& vm) {
  vm.types.generator = vm.make_type<Generator>({.name = "generator",
                                                .slots = {.repr = generator_repr,
                                                          .iter = generator_iter,
                                                          .next = generator_next,
                                                          .traverse = traverse_generator,
                                                          .finalise = generator_finalise},
                                                .methods = kMethods,
                                                .getters = kGetters});
}

}  // namespace gpy
