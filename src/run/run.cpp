// The run loop. Numbers, jumps, lists and plain calls are done here; everything else is a function
// call. Calls between gpy functions push a frame and go on in the same loop.
#include "src/run/run.h"

#include "src/numbers/real.h"
#include "src/run/attempt.h"
#include "src/run/call.h"
#include "src/run/frames.h"
#include "src/run/steps.h"
#include "src/run/values.h"
#include "src/state.h"

namespace gpy {

static Value execute(Interpreter& vm, Frame* frame) {
#define GPY_LABEL(name) &&op_##name,
  static const void* const kLabels[] = {GPY_INLINE_OPS(GPY_LABEL) GPY_CALLED_OPS(GPY_LABEL)};
#undef GPY_LABEL
  constexpr std::span<Str* const> kNoNames;
  // g++ runs no destructors on a computed goto: values that need one are local to functions that
  // the loop calls.
  Value result;
  Interpreter::State& state = vm.state();
  const Instruction* pc = frame->at;
  Value* registers = frame->registers;
  GPY_GO();

op_move : {
  const Value& from = GPY_R(pc->b);
  if (from.is_undefined()) [[unlikely]]
    goto unbound;
  GPY_R(pc->a) = from;
  GPY_NEXT();
}

op_load_constant:
  GPY_R(pc->a) = GPY_R(pc->b);
  GPY_NEXT();

op_take:
  GPY_R(pc->a) = std::move(GPY_R(pc->b));
  GPY_NEXT();

op_clear:
  GPY_R(pc->a).set_undefined();
  GPY_NEXT();

op_move_row : {
  Value* to = &GPY_R(pc->a);
  Value* from = &GPY_R(pc->b);
  for (int32_t k = 0; k < pc->c; ++k) to[k] = std::move(from[k]);
  GPY_NEXT();
}

op_load_global : {
  const Site& site = frame->sites[pc->c];
  if (site.version == state.namespaces) [[likely]] {
    GPY_R(pc->a) = *site.slot;
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_load_global);
  GPY_NEXT();
}

op_store_global : {
  const Site& site = frame->sites[pc->c];
  Value& from = GPY_R(pc->b);
  if (site.version == state.namespaces && from.is_defined()) [[likely]] {
    if (pc->d & kDropB) {
      *site.slot = std::move(from);
    } else {
      *site.slot = from;
    }
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_store_global);
  GPY_NEXT();
}

op_load_cell : {
  const Value& value = GPY_R(pc->b).unchecked<Cell>()->value;
  if (value.is_defined()) [[likely]] {
    GPY_R(pc->a) = value;
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_load_cell);
  GPY_NEXT();
}

op_store_cell : {
  Value& from = GPY_R(pc->b);
  if (from.is_undefined()) [[unlikely]]
    goto unbound;
  if (pc->d & kDropB) {
    GPY_R(pc->a).unchecked<Cell>()->value = std::move(from);
  } else {
    GPY_R(pc->a).unchecked<Cell>()->value = from;
  }
  GPY_NEXT();
}

  GPY_ARITHMETIC(add, __builtin_add_overflow, +)
  GPY_ARITHMETIC(subtract, __builtin_sub_overflow, -)
  GPY_ARITHMETIC(multiply, __builtin_mul_overflow, *)
  GPY_DIVISION(floor_divide, int_floor_divide, real_floor_divide)
  GPY_DIVISION(remainder, int_remainder, real_remainder)
  GPY_BITWISE(bit_and, &)
  GPY_BITWISE(bit_or, |)
  GPY_BITWISE(bit_xor, ^)

op_true_divide : {
  const Value& x = GPY_R(pc->b);
  const Value& y = GPY_R(pc->c);
  constexpr int64_t kExact = int64_t{1} << 53;
  bool exact = !both_integer(x, y) || (x.as_integer() < kExact && x.as_integer() > -kExact &&
                                       y.as_integer() < kExact && y.as_integer() > -kExact);
  if (double a, b; exact && as_reals(x, y, a, b) && b != 0) {
    GPY_R(pc->a).set_real(a / b);
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_arithmetic, BinaryOp::true_divide);
  GPY_NEXT();
}

  GPY_COMPARISON(less, <)
  GPY_COMPARISON(less_equal, <=)
  GPY_COMPARISON(greater, >)
  GPY_COMPARISON(greater_equal, >=)
  GPY_COMPARISON(equal, ==)
  GPY_COMPARISON(not_equal, !=)

  GPY_IDENTITY(is_same, true)
  GPY_IDENTITY(is_not_same, false)

  GPY_CONTAINS(contains, true)
  GPY_CONTAINS(contains_not, false)

op_logical_not : {
  const Value& test = GPY_R(pc->b);
  if (test.is_boolean()) {
    GPY_R(pc->a).set_boolean(!test.as_boolean());
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_logical_not);
  GPY_NEXT();
}

op_jump:
  pc += pc->a;
  GPY_GO();

op_jump_back:
  GPY_JUMP(pc->a);

  GPY_TRUTH_JUMP(jump_if_true, true)
  GPY_TRUTH_JUMP(jump_if_false, false)

op_for_iter : {
  Value& iterator = GPY_R(pc->b);
  if (iterator_of(iterator)->layout == ObjectLayout::range_iterator) {
    auto* range = iterator.unchecked<RangeIterator>();
    if (range->remaining > 0) {
      GPY_R(pc->a).set_integer(range->take());
      GPY_JUMP(pc->c);
    }
  } else if (const Value* item = next_of_sequence(iterator)) {
    GPY_R(pc->a) = *item;
    GPY_JUMP(pc->c);
  } else if (take_letter(vm, iterator, GPY_R(pc->a))) {
    GPY_JUMP(pc->c);
  } else if (take_pair(vm, iterator, registers, *pc)) {
    GPY_JUMP(pc->c + 1);
  } else if (Frame* next = resume_plainly(vm, state, frame, iterator, *pc)) {
    frame->at = pc;
    GPY_ENTER(next);
  }
  int pulled = GPY_TRY(pull);
  if (pulled == static_cast<int>(Pulled::item)) GPY_JUMP(pc->c);
  if (pulled == static_cast<int>(Pulled::row)) GPY_JUMP(pc->c + 1);
  if (pulled == static_cast<int>(Pulled::end)) GPY_NEXT();
  if (pulled == kRaised) goto raised;
  GPY_ENTER(state.frame);
}

op_delegate : {
  int pulled = GPY_TRY(pull_delegated);
  if (pulled == static_cast<int>(Pulled::item)) GPY_JUMP(pc->c);
  if (pulled == static_cast<int>(Pulled::end)) GPY_NEXT();
  if (pulled == kRaised) goto raised;
  GPY_ENTER(state.frame);
}

op_get_item : {
  if (const Value* item = plain_item(plain_items(vm, GPY_R(pc->b)), GPY_R(pc->c))) {
    copy_item(GPY_R(pc->a), GPY_R(pc->b), *item, pc->d & kDropB);
    GPY_NEXT();
  }
  if (is_text_in_dict(vm, GPY_R(pc->b), GPY_R(pc->c))) {
    Str* name = GPY_R(pc->c).unchecked<Str>();
    if (const Value* item = GPY_R(pc->b).unchecked<Dict>()->find(name)) {
      copy_item(GPY_R(pc->a), GPY_R(pc->b), *item, pc->d & kDropB);
      if (pc->d & kDropC) GPY_R(pc->c).set_undefined();
      GPY_NEXT();
    }
  }
  GPY_ATTEMPT(slow_get_item);
  GPY_NEXT();
}

op_set_item : {
  Value& item = GPY_R(pc->a);
  Value& self = GPY_R(pc->b);
  Value& key = GPY_R(pc->c);
  if (Value* place = item.is_defined() ? place_of(vm, self, key) : nullptr) {
    if (pc->d & kDropA) {
      *place = std::move(item);
    } else {
      *place = item;
    }
    if (pc->d & kDropB) self.set_undefined();
    if (pc->d & kDropC) key.set_undefined();
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_set_item);
  GPY_NEXT();
}

op_get_items:
  GPY_ATTEMPT(get_items);
  GPY_NEXT();

op_set_items:
  GPY_ATTEMPT(set_items);
  GPY_NEXT();

op_get_attribute : {
  const Site& site = frame->sites[pc->c];
  const Value* item = known_attribute(GPY_R(pc->b), site);
  if (!item) item = known_in_module(GPY_R(pc->b), site);
  if (item) {
    copy_item(GPY_R(pc->a), GPY_R(pc->b), *item, pc->d & kDropB);
    GPY_NEXT();
  }
  if (Function* getter = known_getter(GPY_R(pc->b), site)) {
    frame->at = pc;
    Value& self = GPY_R(pc->b);
    if (Frame* callee = enter_getter(vm, state, frame, getter, self, pc->d & kDropB)) {
      GPY_BEGIN(callee);
    }
  }
  GPY_ATTEMPT(slow_get_attribute);
  GPY_NEXT();
}

op_set_attribute : {
  const Site& site = frame->sites[pc->c];
  Value& item = GPY_R(pc->a);
  Value* place = known_attribute(GPY_R(pc->b), site);
  if (place && item.is_defined()) {
    if (pc->d & kDropA) {
      *place = std::move(item);
    } else {
      *place = item;
    }
    if (pc->d & kDropB) GPY_R(pc->b).set_undefined();
    GPY_NEXT();
  }
  if (item.is_defined() && is_known_append(GPY_R(pc->b), site)) {
    frame->at = pc;  // there may be no memory for it
    append_attribute(GPY_R(pc->b), site, item, pc->d);
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_set_attribute);
  GPY_NEXT();
}

op_load_method : {
  const Site& site = frame->sites[pc->c];
  Value& self = GPY_R(pc->b);
  if (has_known_method(self, site)) {
    Value* to = &GPY_R(pc->a);
    to[0] = site.found;
    if (pc->d & kDropB) {
      to[1] = std::move(self);
    } else {
      to[1] = self;
    }
    GPY_NEXT();
  }
  if (const Value* found = known_in_module(self, site)) {
    copy_item(GPY_R(pc->a), self, *found, pc->d & kDropB);
    GPY_R(pc->a + 1).set_undefined();
    GPY_NEXT();
  }
  GPY_ATTEMPT(slow_load_method);
  GPY_NEXT();
}

op_list_append : {
  Value& item = GPY_R(pc->b);
  if (item.is_undefined()) [[unlikely]]
    goto unbound;
  frame->at = pc;  // there may be no memory for it
  append_item(GPY_R(pc->a), item, pc->d & kDropB);
  GPY_NEXT();
}

op_unpack : {
  if (unpack_quickly(vm, &GPY_R(pc->a), GPY_R(pc->b), *pc)) GPY_NEXT();
  GPY_ATTEMPT(slow_unpack);
  GPY_NEXT();
}

op_call : {
  Value* base = &GPY_R(pc->b);
  GPY_PLAIN_CALL(base + 2, pc->c, do_call);
}

op_call_method : {
  Value* base = &GPY_R(pc->b);
  const int32_t is_bound = base[1].is_defined();
  GPY_PLAIN_CALL(base + 2 - is_bound, pc->c + is_bound, do_call_method);
}

#define GPY_NAMES_HERE std::span<Str* const>(frame->code->keyword_names[pc->d])
  GPY_CALL(call_keywords, do_call, GPY_NAMES_HERE)
  GPY_CALL(call_method_keywords, do_call_method, GPY_NAMES_HERE)
  GPY_CALL(call_spread, do_call_spread)
#undef GPY_NAMES_HERE

op_return_value : {
  Value& value = GPY_R(pc->b);
  if (value.is_undefined()) [[unlikely]]
    goto unbound;
  if (!frame->is_boundary && !frame->generator && !frame->constructs) [[likely]] {
    // Takes the value of a local, since this is its last use, but not that of a constant.
    frame = leave_plainly(state, frame, value, pc->b >= 0, pc->c);
    registers = frame->registers;
    pc = frame->at + 1;
    GPY_GO();
  }
  if (frame->constructs && !frame->is_boundary && value.is_none()) {
    frame = leave_construction(state, frame, pc->c);
    registers = frame->registers;
    pc = frame->at + 1;
    GPY_GO();
  }
  frame->at = pc;
  result = value;
  Cursor at{frame, pc, registers};
  if (leave_frame(vm, at, result)) return result;
  frame = at.frame;
  pc = at.pc;
  registers = at.registers;
  GPY_GO();
}

op_yield_value : {
  Value& value = GPY_R(pc->b);
  if (value.is_undefined()) [[unlikely]]
    goto unbound;
  if (!frame->is_boundary) [[likely]] {
    frame->at = pc + 1;
    frame = yield_plainly(state, frame, value, *pc);
    registers = frame->registers;
    pc = frame->at;
    pc += pc->c;
    GPY_GO();
  }
  result = value;
  if (pc->d & kDropB) value.set_undefined();
  Cursor at{frame, pc, registers};
  if (suspend_frame(vm, at, result)) return result;
  frame = at.frame;
  pc = at.pc;
  registers = at.registers;
  GPY_GO();
}

op_raise_value : {
  frame->at = pc;
  Frame* next = raise_new({vm, *frame, *pc});
  GPY_ENTER(next);
}

op_raise_again : {
  frame->at = pc;
  Frame* next = raise_again({vm, *frame, *pc});
  GPY_ENTER(next);
}

unbound:
  frame->at = pc;
  Step{vm, *frame, *pc}.raise_unbound(pc->b);

interrupted:
  frame->at = pc;
  vm.poll();
  if (vm.hooks.look_at_loop) {
    if (GPY_TRY(look_at_loop) == kRaised) goto raised;
    pc = frame->at;
  }
  GPY_GO();

raised : {
  Frame* next = raise_kept(vm);
  GPY_ENTER(next);
}

#define GPY_CALLED(name)    \
  op_##name : {             \
    GPY_ATTEMPT(op_##name); \
    GPY_NEXT();             \
  }
  GPY_CALLED_OPS(GPY_CALLED)
#undef GPY_CALLED
}

// Goes on in `frame` until the call from C++ is done.
static Value run_on(Interpreter& vm, Frame* frame) {
  for (;;) {
    Ref<Exception> exception;
    try {
      return execute(vm, frame);
    } catch (Leaving& leaving) {
      throw Raised{std::move(leaving.exception)};
    } catch (Raised& raised) {
      exception = Ref<Exception>(raised.exception.as<Exception>());
    } catch (...) {
      exception = vm.exception_from_native();
    }
    set_context_of_new(vm, exception.get());
    frame = unwind(vm, exception, false);
    if (!frame) throw Raised{exception};
  }
}

Value run(Interpreter& vm, Frame* frame) {
  enter_from_native(vm, frame);
  return run_on(vm, frame);
}

Value run_raising(Interpreter& vm, Frame* frame, Ref<Exception> exception) {
  enter_from_native(vm, frame);
  // A generator's exception does not get its context from the caller's handler.
  if (exception->context.is_none()) set_context(exception.get(), frame->handled);
  frame = unwind(vm, exception, false);
  if (!frame) throw Raised{exception};
  return run_on(vm, frame);
}

}  // namespace gpy
