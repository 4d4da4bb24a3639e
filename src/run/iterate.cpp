// Iteration of for loops: generators are entered, other iterators are called by their slot.
// (Ranges, lists and tuples are done in the loop.)
#include "src/run/call.h"
#include "src/state.h"
#include "src/types/iterators.h"

namespace gpy {

static void push_generator(Interpreter& vm, Frame* frame, Generator* generator, int32_t result) {
  check_depth(vm);
  generator->is_running = true;
  generator->frame->is_boundary = false;
  push_frame(vm, frame, generator->frame, result);
}

// Takes an item from an iterator that the run loop does not know itself.
static Pulled pull_from(const Step& step, const Value& iterator) {
  Interpreter& vm = step.vm;
  const Instruction& i = step.i;
  const Instruction& body = (&i)[i.c];
  if (body.op == Op::unpack && body.b == i.a && body.d & kDropB) {
    Row row = next_row(vm, iterator, &step.reg(body.a), static_cast<size_t>(body.c));
    if (row != Row::other) return row == Row::taken ? Pulled::row : Pulled::end;
  }
  Value item = vm.next(iterator);
  if (item.is_undefined()) return Pulled::end;
  step.reg(i.a) = std::move(item);
  return Pulled::item;
}

Pulled pull(const Step& step) {
  Interpreter& vm = step.vm;
  Frame* frame = &step.frame;
  Value* registers = frame->registers;
  const Instruction& i = step.i;
  Value& iterator = registers[i.b];
  switch (iterator.as_object()->layout) {
    case ObjectLayout::range_iterator:
    case ObjectLayout::sequence_iterator: break;  // the loop has handled them already
    case ObjectLayout::generator: {
      auto* generator = iterator.as<Generator>();
      if (!generator->frame) break;
      if (generator->is_running) vm.raise_value_error("generator already executing");
      push_generator(vm, frame, generator, i.a);
      return Pulled::entered;
    }
    default: {
      Pulled pulled = pull_from(step, iterator);
      if (pulled == Pulled::end) break;
      return pulled;
    }
  }
  iterator = Value();
  return Pulled::end;
}

static Value send_to(Interpreter& vm, const Value& iterator, const Value& sent) {
  if (auto* generator = iterator.try_as<Generator>()) return resume(vm, generator, sent);
  if (sent.is_none()) return vm.next(iterator);
  try {
    return vm.call(vm.get_attribute(iterator, vm.state().names.send), {sent});
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.stop_iteration)) throw;
    vm.state().returned = vm.get_attribute(raised.exception, vm.state().names.value);
    return Value();
  }
}

Pulled pull_delegated(const Step& step) {
  Interpreter& vm = step.vm;
  Value iterator = step.reg(step.i.b);
  Value sent = std::exchange(step.reg(step.i.b + 1), Value::none());
  auto* generator = iterator.try_as<Generator>();
  if (generator && generator->frame && sent.is_none()) {
    if (generator->is_running) vm.raise_value_error("generator already executing");
    push_generator(vm, &step.frame, generator, step.i.a);
    return Pulled::entered;
  }
  Value item = send_to(vm, iterator, sent);
  if (item.is_defined()) {
    step.reg(step.i.a) = std::move(item);
    return Pulled::item;
  }
  step.reg(step.i.b) = Value();
  step.reg(step.i.a) = take_returned(vm, iterator);
  return Pulled::end;
}

bool suspend_frame(Interpreter& vm, Cursor& at, Value& item) {
  auto& state = vm.state();
  Frame* frame = at.frame;
  frame->at = at.pc + 1;
  frame->registers[at.pc->a] = Value::none();  // unless something is sent
  frame->generator->is_running = false;
  state.frame = frame->caller;
  --state.depth;
  if (frame->is_boundary) return true;
  at.enter(frame->caller);
  at.registers[frame->result] = std::move(item);
  at.pc += at.pc->c;
  return false;
}

}  // namespace gpy
