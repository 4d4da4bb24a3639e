#pragma once
// Code that several instructions of the run loop share, and the jumps from one instruction to the
// next. The macros are parts of `execute` (run.cpp) and use its variables.

#define GPY_R(x) registers[x]
#define GPY_GO() goto* kLabels[static_cast<int>(pc->op)]
#define GPY_NEXT() \
  do {             \
    ++pc;          \
    GPY_GO();      \
  } while (0)
#define GPY_JUMP(distance)                    \
  do {                                        \
    const auto way = (distance);              \
    pc += way;                                \
    if (vm.tick_unless(way > 0)) [[unlikely]] \
      goto interrupted;                       \
    GPY_GO();                                 \
  } while (0)
#define GPY_TRY(body, ...) attempt<body>(vm, frame, pc __VA_OPT__(, ) __VA_ARGS__)
#define GPY_ATTEMPT(...)                              \
  do {                                                \
    if (GPY_TRY(__VA_ARGS__) == kRaised) [[unlikely]] \
      goto raised;                                    \
  } while (0)
// Continues in the frame `next` at its current instruction.
#define GPY_ENTER(next)           \
  do {                            \
    frame = next;                 \
    pc = frame->at;               \
    registers = frame->registers; \
    GPY_GO();                     \
  } while (0)

// The same for a frame that has not started.
#define GPY_BEGIN(next)                    \
  do {                                     \
    frame = next;                          \
    pc = frame->code->instructions.data(); \
    registers = frame->registers;          \
    GPY_GO();                              \
  } while (0)

// `x OP y` for two ints that do not overflow, or two numbers of which one is a float.
#define GPY_ARITHMETIC(name, overflows, symbol)                  \
  op_##name : {                                                  \
    const Value& x = GPY_R(pc->b);                               \
    const Value& y = GPY_R(pc->c);                               \
    if (both_integer(x, y)) {                                    \
      int64_t number;                                            \
      if (!overflows(x.as_integer(), y.as_integer(), &number)) { \
        GPY_R(pc->a).set_integer(number);                        \
        GPY_NEXT();                                              \
      }                                                          \
    } else if (double a, b; as_reals(x, y, a, b)) {              \
      GPY_R(pc->a).set_real(a symbol b);                         \
      GPY_NEXT();                                                \
    }                                                            \
    GPY_ATTEMPT(slow_arithmetic, BinaryOp::name);                \
    GPY_NEXT();                                                  \
  }

// Floor division and remainder: a divisor other than 0 and -1, or a float one other than 0.
#define GPY_DIVISION(name, integers, reals)                                    \
  op_##name : {                                                                \
    const Value& x = GPY_R(pc->b);                                             \
    const Value& y = GPY_R(pc->c);                                             \
    if (both_integer(x, y) && static_cast<uint64_t>(y.as_integer()) + 1 > 1) { \
      GPY_R(pc->a).set_integer(integers(x.as_integer(), y.as_integer()));      \
      GPY_NEXT();                                                              \
    }                                                                          \
    if (double a, b; !both_integer(x, y) && as_reals(x, y, a, b) && b != 0) {  \
      GPY_R(pc->a).set_real(reals(a, b));                                      \
      GPY_NEXT();                                                              \
    }                                                                          \
    GPY_ATTEMPT(slow_arithmetic, BinaryOp::name);                              \
    GPY_NEXT();                                                                \
  }

#define GPY_BITWISE(name, symbol)                                     \
  op_##name : {                                                       \
    const Value& x = GPY_R(pc->b);                                    \
    const Value& y = GPY_R(pc->c);                                    \
    if (both_integer(x, y)) {                                         \
      GPY_R(pc->a).set_integer(x.as_integer() symbol y.as_integer()); \
      GPY_NEXT();                                                     \
    }                                                                 \
    GPY_ATTEMPT(slow_arithmetic, BinaryOp::name);                     \
    GPY_NEXT();                                                       \
  }

#define GPY_COMPARISON(name, symbol)                                  \
  op_##name : {                                                       \
    const Value& x = GPY_R(pc->b);                                    \
    const Value& y = GPY_R(pc->c);                                    \
    if (both_integer(x, y)) {                                         \
      GPY_R(pc->a).set_boolean(x.as_integer() symbol y.as_integer()); \
      GPY_NEXT();                                                     \
    }                                                                 \
    if (both_real(x, y)) {                                            \
      GPY_R(pc->a).set_boolean(x.as_real() symbol y.as_real());       \
      GPY_NEXT();                                                     \
    }                                                                 \
    GPY_ATTEMPT(slow_comparison, CompareOp::name);                    \
    GPY_NEXT();                                                       \
  }                                                                   \
  op_jump_##name : {                                                  \
    const Value& x = GPY_R(pc->b);                                    \
    const Value& y = GPY_R(pc->c);                                    \
    int holds;                                                        \
    if (both_integer(x, y)) {                                         \
      holds = x.as_integer() symbol y.as_integer();                   \
    } else if (both_real(x, y)) {                                     \
      holds = x.as_real() symbol y.as_real();                         \
    } else {                                                          \
      holds = GPY_TRY(slow_comparing_jump, CompareOp::name);          \
      if (holds == kRaised) goto raised;                              \
    }                                                                 \
    if ((holds != 0) == ((pc->d & kJumpIfNot) == 0)) GPY_JUMP(pc->a); \
    GPY_NEXT();                                                       \
  }

#define GPY_IDENTITY(name, sense)                                            \
  op_##name : {                                                              \
    Value& x = GPY_R(pc->b);                                                 \
    Value& y = GPY_R(pc->c);                                                 \
    if (x.is_undefined() || y.is_undefined()) [[unlikely]] {                 \
      frame->at = pc;                                                        \
      Step{vm, *frame, *pc}.raise_unbound(x.is_undefined() ? pc->b : pc->c); \
    }                                                                        \
    bool same = x.same(y);                                                   \
    if (pc->d & kDropB) x.set_undefined();                                   \
    if (pc->d & kDropC) y.set_undefined();                                   \
    GPY_R(pc->a).set_boolean(same == (sense));                               \
    GPY_NEXT();                                                              \
  }

#define GPY_CONTAINS(name, sense)                                      \
  op_##name : {                                                        \
    Value& item = GPY_R(pc->b);                                        \
    Value& container = GPY_R(pc->c);                                   \
    if (is_text_in_dict(vm, container, item)) {                        \
      Str* name = item.unchecked<Str>();                               \
      bool found = container.unchecked<Dict>()->find(name) != nullptr; \
      if (pc->d & kDropB) item.set_undefined();                        \
      if (pc->d & kDropC) container.set_undefined();                   \
      GPY_R(pc->a).set_boolean(found == (sense));                      \
      GPY_NEXT();                                                      \
    }                                                                  \
    GPY_ATTEMPT(slow_contains, sense);                                 \
    GPY_NEXT();                                                        \
  }

#define GPY_CALL(name, ...)                                     \
  op_##name : {                                                 \
    if (vm.tick_unless(frame->code->is_library)) [[unlikely]] { \
      frame->at = pc;                                           \
      vm.poll();                                                \
    }                                                           \
    int called = GPY_TRY(__VA_ARGS__);                          \
    if (called == static_cast<int>(Called::done)) [[likely]]    \
      GPY_NEXT();                                               \
    if (called == kRaised) goto raised;                         \
    GPY_ENTER(state.frame);                                     \
  }

// The same by position alone, with separate paths for gpy functions, natives and all others.
#define GPY_PLAIN_CALL(arguments, count, otherwise)                                     \
  do {                                                                                  \
    frame->at = pc;                                                                     \
    if (vm.tick_unless(frame->code->is_library)) [[unlikely]]                           \
      vm.poll();                                                                        \
    int called;                                                                         \
    if (base[0].is<Function>()) {                                                       \
      if (Frame* callee = enter_plainly(vm, state, frame, base[0], arguments, count)) { \
        GPY_BEGIN(callee);                                                              \
      }                                                                                 \
      called = GPY_TRY(otherwise, kNoNames);                                            \
    } else if (base[0].is<NativeFunction>()) {                                          \
      called = GPY_TRY(do_call_native);                                                 \
    } else {                                                                            \
      called = GPY_TRY(otherwise, kNoNames);                                            \
    }                                                                                   \
    if (called == static_cast<int>(Called::done)) [[likely]]                            \
      GPY_NEXT();                                                                       \
    if (called == kRaised) goto raised;                                                 \
    GPY_ENTER(state.frame);                                                             \
  } while (0)

#define GPY_TRUTH_JUMP(name, sense)               \
  op_##name : {                                   \
    const Value& test = GPY_R(pc->b);             \
    int truth;                                    \
    if (test.is_boolean() || test.is_integer()) { \
      truth = test.as_integer() != 0;             \
    } else if (test.is_none()) {                  \
      truth = false;                              \
    } else {                                      \
      truth = GPY_TRY(slow_truth);                \
      if (truth == kRaised) goto raised;          \
    }                                             \
    if ((truth != 0) == (sense)) GPY_JUMP(pc->a); \
    GPY_NEXT();                                   \
  }
