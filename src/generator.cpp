// Generators resumed from C++: next(), sorted(generator), and the like. For loops resume them in
// the run loop itself.
#include "src/run.h"
#include "src/run_unwind.h"
#include "src/state.h"
#include "src/traverse.h"
#include "src/types/setup.h"

namespace gpy {

Value resume(Interpreter& vm, Generator* generator, const Value& sent) {
  if (generator->is_running) vm.raise_value_error("generator already executing");
  Frame* frame = generator->frame;
  if (!frame) return Value();
  bool started = frame->at != frame->code->instructions.data();
  if (!started && !sent.is_none()) {
    vm.raise_type_error("can't send non-None value to a just-started generator");
  }
  // The yield that it waits at gives what was sent.
  if (started) frame->registers[frame->at[-1].a] = sent;
  Ref<Generator> kept(generator);
  return run(vm, frame);
}

static Value generator_iter(Interpreter&, const Value& self) { return self; }

static Value generator_next(Interpreter& vm, const Value& self) {
  return resume(vm, self.as<Generator>(), Value::none());
}

static std::string generator_repr(Interpreter&, const Value& self) {
  auto* generator = self.as<Generator>();
  return fmt::format("<generator object {} at {}>", generator->code->qualified_name,
                     static_cast<void*>(generator));
}

static Value generator_send(Interpreter& vm, Args args) {
  Value item = resume(vm, args[0].as<Generator>(), args[1]);
  if (item.is_undefined()) vm.raise(vm.types.stop_iteration, "");
  return item;
}

static Value generator_close(Interpreter&, Args args) {
  auto* generator = args[0].as<Generator>();
  if (Frame* frame = generator->frame; frame && !generator->is_running) {
    generator->frame = nullptr;
    free_frame(frame);
  }
  return Value::none();
}

static const Native kMethods[] = {
    {"send", "(self, value, /)", generator_send, "Goes on; the yield gives the value."},
    {"close", "(self, /)", generator_close, "Ends it."},
};

// What a running one holds is held from outside as far as the collector knows.
static void traverse_generator(Object* self, Visit visit, void* context) {
  auto* generator = static_cast<Generator*>(self);
  report(generator->code, visit, context);
  const Frame* frame = generator->frame;
  if (!frame || generator->is_running) return;
  report(frame->function, visit, context);
  report(frame->handled, visit, context);
  for (int32_t i = 0; i < frame->code->register_count; ++i) {
    report(frame->registers[i], visit, context);
  }
}

void setup_generators(Interpreter& vm) {
  vm.types.generator = vm.make_type<Generator>(
      {.name = "generator",
       .slots = {.repr = generator_repr,
                 .iter = generator_iter,
                 .next = generator_next,
                 .traverse = traverse_generator},
       .methods = kMethods});
}

}  // namespace gpy
