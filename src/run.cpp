// The run loop. Numbers, jumps and lists are done here; everything else is a function call. Calls
// between gpy functions push a frame and go on in the same loop (run_call.cpp).
#include "src/run.h"

#include <type_traits>

#include "src/number_real.h"
#include "src/run_call.h"
#include "src/run_unwind.h"
#include "src/state.h"

namespace gpy {

static bool both_integer(const Value& x, const Value& y) {
  return x.is_integer() && y.is_integer();
}
static bool both_real(const Value& x, const Value& y) { return x.is_real() && y.is_real(); }

// Real operands of a mixed pair. False if one is no small number.
static bool as_reals(const Value& x, const Value& y, double& a, double& b) {
  auto read = [](const Value& v, double& to) {
    if (v.is_real()) to = v.as_real();
    else if (v.is_integer()) to = static_cast<double>(v.as_integer());
    else return false;
    return true;
  };
  return read(x, a) && read(y, b);
}

// The frame whose handler takes the exception; out of the loop when there is none.
static Frame* find_way(Interpreter& vm, Ref<Exception> exception, bool again) {
  Frame* next = unwind(vm, exception, again);
  if (!next) throw Leaving{std::move(exception)};
  return next;
}

static Frame* raise_new(const Step& step) {
  Value exception = exception_to_raise(step);
  return find_way(step.vm, Ref<Exception>(exception.as<Exception>()), false);
}

static Frame* raise_again(const Step& step) {
  Value raised = step.i.a ? handled_exception(step.vm) : step.reg(step.i.b);
  if (raised.is_undefined()) step.vm.raise_runtime_error("No active exception to reraise");
  return find_way(step.vm, Ref<Exception>(raised.as<Exception>()), true);
}

constexpr int kRaised = -1;

// Runs what may raise, and keeps the exception for the loop to find its way: unwinding through the
// loop itself, whose tables are long, takes 9 us.
template <auto Body, class... Rest> [[gnu::noinline]] static int attempt(Step step, Rest... rest) {
  try {
    if constexpr (std::is_void_v<decltype(Body(step, rest...))>) {
      Body(step, rest...);
      return 0;
    } else {
      return static_cast<int>(Body(step, rest...));
    }
  } catch (Raised& raised) {
    step.vm.state().raised = std::move(raised.exception);
  } catch (...) {
    step.vm.state().raised = step.vm.exception_from_native();
  }
  return kRaised;
}

// The way of an exception that `attempt` kept.
static Frame* raise_kept(Interpreter& vm) {
  Value raised = std::exchange(vm.state().raised, Value());
  Ref<Exception> exception(raised.as<Exception>());
  if (exception->context.is_none()) set_context(vm, exception.get());
  return find_way(vm, std::move(exception), false);
}

#define GPY_R(x) registers[x]
#define GPY_STEP \
  Step { vm, *at.frame, *pc }
#define GPY_NAMES_HERE std::span<Str* const>(at.frame->code->keyword_names[pc->d])
#define GPY_SAVE() at.frame->at = pc
#define GPY_NEXT() goto* kLabels[static_cast<int>((++pc)->op)]
#define GPY_GO() goto* kLabels[static_cast<int>(pc->op)]
#define GPY_JUMP(target)                                 \
  do {                                                   \
    pc = at.frame->code->instructions.data() + (target); \
    if (vm.tick()) [[unlikely]] {                        \
      GPY_SAVE();                                        \
      vm.poll();                                         \
    }                                                    \
    GPY_GO();                                            \
  } while (0)
#define GPY_TRY(body, ...) attempt<body>(GPY_STEP __VA_OPT__(, ) __VA_ARGS__)
#define GPY_ATTEMPT(...)                              \
  do {                                                \
    GPY_SAVE();                                       \
    if (GPY_TRY(__VA_ARGS__) == kRaised) goto raised; \
  } while (0)
#define GPY_RELOAD()          \
  do {                        \
    pc = at.pc;               \
    registers = at.registers; \
  } while (0)

// `x OP y` for two ints that do not overflow, or two floats.
#define GPY_ARITHMETIC(name, overflows, symbol)                   \
  op_##name : {                                                   \
    const Value& x = GPY_R(pc->b);                                \
    const Value& y = GPY_R(pc->c);                                \
    if (both_integer(x, y)) {                                     \
      int64_t number;                                             \
      if (!overflows(x.as_integer(), y.as_integer(), &number)) {  \
        GPY_R(pc->a) = Value::integer(number);                    \
        GPY_NEXT();                                               \
      }                                                           \
    } else if (both_real(x, y)) {                                 \
      GPY_R(pc->a) = Value::real(x.as_real() symbol y.as_real()); \
      GPY_NEXT();                                                 \
    } else if (double a, b; as_reals(x, y, a, b)) {               \
      GPY_R(pc->a) = Value::real(a symbol b);                     \
      GPY_NEXT();                                                 \
    }                                                             \
    GPY_ATTEMPT(slow_arithmetic, BinaryOp::name);                 \
    GPY_NEXT();                                                   \
  }

// Floor division and remainder: a divisor other than 0 and -1, or a float one other than 0.
#define GPY_DIVISION(name, integers, reals)                                    \
  op_##name : {                                                                \
    const Value& x = GPY_R(pc->b);                                             \
    const Value& y = GPY_R(pc->c);                                             \
    if (both_integer(x, y) && static_cast<uint64_t>(y.as_integer()) + 1 > 1) { \
      GPY_R(pc->a) = Value::integer(integers(x.as_integer(), y.as_integer())); \
      GPY_NEXT();                                                              \
    }                                                                          \
    if (double a, b; !both_integer(x, y) && as_reals(x, y, a, b) && b != 0) {  \
      GPY_R(pc->a) = Value::real(reals(a, b));                                 \
      GPY_NEXT();                                                              \
    }                                                                          \
    GPY_ATTEMPT(slow_arithmetic, BinaryOp::name);                              \
    GPY_NEXT();                                                                \
  }

#define GPY_COMPARISON(name, symbol)                                       \
  op_##name : {                                                            \
    const Value& x = GPY_R(pc->b);                                         \
    const Value& y = GPY_R(pc->c);                                         \
    if (both_integer(x, y)) {                                              \
      GPY_R(pc->a) = Value::boolean(x.as_integer() symbol y.as_integer()); \
      GPY_NEXT();                                                          \
    }                                                                      \
    if (both_real(x, y)) {                                                 \
      GPY_R(pc->a) = Value::boolean(x.as_real() symbol y.as_real());       \
      GPY_NEXT();                                                          \
    }                                                                      \
    GPY_ATTEMPT(slow_comparison, CompareOp::name);                         \
    GPY_NEXT();                                                            \
  }                                                                        \
  op_jump_##name : {                                                       \
    const Value& x = GPY_R(pc->b);                                         \
    const Value& y = GPY_R(pc->c);                                         \
    int holds;                                                             \
    if (both_integer(x, y)) {                                              \
      holds = x.as_integer() symbol y.as_integer();                        \
    } else if (both_real(x, y)) {                                          \
      holds = x.as_real() symbol y.as_real();                              \
    } else {                                                               \
      GPY_SAVE();                                                          \
      holds = GPY_TRY(slow_comparing_jump, CompareOp::name);               \
      if (holds == kRaised) goto raised;                                   \
    }                                                                      \
    if ((holds != 0) == ((pc->d & kJumpIfNot) == 0)) GPY_JUMP(pc->a);      \
    GPY_NEXT();                                                            \
  }

#define GPY_CALL(name, ...)                                   \
  op_##name : {                                               \
    GPY_SAVE();                                               \
    if (vm.tick()) vm.poll();                                 \
    int called = GPY_TRY(__VA_ARGS__);                        \
    if (called == static_cast<int>(Called::done)) GPY_NEXT(); \
    if (called == kRaised) goto raised;                       \
    at.enter(vm.state().frame);                               \
    GPY_RELOAD();                                             \
    GPY_GO();                                                 \
  }

#define GPY_TRUTH_JUMP(name, sense)               \
  op_##name : {                                   \
    const Value& test = GPY_R(pc->b);             \
    int truth;                                    \
    if (test.is_boolean() || test.is_integer()) { \
      truth = test.as_integer() != 0;             \
    } else {                                      \
      GPY_SAVE();                                 \
      truth = GPY_TRY(slow_truth);                \
      if (truth == kRaised) goto raised;          \
    }                                             \
    if ((truth != 0) == (sense)) GPY_JUMP(pc->a); \
    GPY_NEXT();                                   \
  }

static Value execute(Interpreter& vm, Frame* start) {
#define GPY_LABEL(name) &&op_##name,
  static const void* const kLabels[] = {GPY_INLINE_OPS(GPY_LABEL) GPY_CALLED_OPS(GPY_LABEL)};
#undef GPY_LABEL
  constexpr std::span<Str* const> kNoNames;
  // g++ runs no destructors on the way of a computed goto: values that need one live here, in a
  // scope closed before it, or in the functions above.
  Value result;
  Cursor at;
  at.enter(start);
  const Instruction* pc = at.pc;
  Value* registers = at.registers;
  GPY_GO();

op_move : {
  Value& from = GPY_R(pc->b);
  if (from.is_undefined()) [[unlikely]] {
    GPY_SAVE();
    GPY_STEP.raise_unbound(pc->b);
  }
  if (pc->d & kDropB) {
    GPY_R(pc->a) = std::move(from);
  } else {
    GPY_R(pc->a) = from;
  }
  GPY_NEXT();
}

op_load_global : {
  const Site& site = at.frame->code->sites[static_cast<size_t>(pc->c)];
  Dict* globals = at.frame->function->globals.get();
  if (site.version == globals->keys_version()) {
    if (site.kind == Site::in_globals) {
      GPY_R(pc->a) = globals->entries()[static_cast<size_t>(site.position)].value;
      GPY_NEXT();
    }
    if (site.kind == Site::in_builtins && site.builtins_version == vm.builtins->keys_version()) {
      GPY_R(pc->a) = vm.builtins->entries()[static_cast<size_t>(site.position)].value;
      GPY_NEXT();
    }
  }
  GPY_ATTEMPT(slow_load_global);
  GPY_NEXT();
}

  GPY_ARITHMETIC(add, __builtin_add_overflow, +)
  GPY_ARITHMETIC(subtract, __builtin_sub_overflow, -)
  GPY_ARITHMETIC(multiply, __builtin_mul_overflow, *)
  GPY_DIVISION(floor_divide, int_floor_divide, real_floor_divide)
  GPY_DIVISION(remainder, int_remainder, real_remainder)

op_true_divide : {
  const Value& x = GPY_R(pc->b);
  const Value& y = GPY_R(pc->c);
  constexpr int64_t kExact = int64_t{1} << 53;
  bool exact = !both_integer(x, y) || (x.as_integer() < kExact && x.as_integer() > -kExact &&
                                       y.as_integer() < kExact && y.as_integer() > -kExact);
  if (double a, b; exact && as_reals(x, y, a, b) && b != 0) {
    GPY_R(pc->a) = Value::real(a / b);
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

op_jump:
op_jump_back:
  GPY_JUMP(pc->a);

  GPY_TRUTH_JUMP(jump_if_true, true)
  GPY_TRUTH_JUMP(jump_if_false, false)

op_for_iter : {
  Value& iterator = GPY_R(pc->b);
  if (iterator.is<RangeIterator>()) {
    auto* range = iterator.as<RangeIterator>();
    if (range->remaining > 0) {
      --range->remaining;
      int64_t next = range->next;
      range->next += range->step;
      GPY_R(pc->a) = Value::integer(next);
      GPY_JUMP(pc->c);
    }
  }
  GPY_SAVE();
  int pulled = GPY_TRY(pull);
  if (pulled == static_cast<int>(Pulled::item)) GPY_JUMP(pc->c);
  if (pulled == static_cast<int>(Pulled::end)) GPY_NEXT();
  if (pulled == kRaised) goto raised;
  at.enter(vm.state().frame);
  GPY_RELOAD();
  GPY_GO();
}

op_delegate : {
  GPY_SAVE();
  int pulled = GPY_TRY(pull_delegated);
  if (pulled == static_cast<int>(Pulled::item)) GPY_JUMP(pc->c);
  if (pulled == static_cast<int>(Pulled::end)) GPY_NEXT();
  if (pulled == kRaised) goto raised;
  at.enter(vm.state().frame);
  GPY_RELOAD();
  GPY_GO();
}

op_get_item : {
  const Value& key = GPY_R(pc->c);
  if (key.is_integer() && GPY_R(pc->b).is<List>()) {
    const auto& items = GPY_R(pc->b).as<List>()->items;
    auto index = static_cast<uint64_t>(key.as_integer());
    if (static_cast<int64_t>(index) < 0) index += items.size();
    if (index < items.size() && GPY_R(pc->b).as<List>()->type == vm.types.list) {
      {
        Value item = items[index];
        if (pc->d & kDropB) GPY_R(pc->b) = Value();
        GPY_R(pc->a) = std::move(item);
      }
      GPY_NEXT();
    }
  }
  GPY_ATTEMPT(slow_get_item);
  GPY_NEXT();
}

op_set_item : {
  const Value& key = GPY_R(pc->c);
  if (key.is_integer() && GPY_R(pc->b).is<List>() && GPY_R(pc->a).is_defined()) {
    auto& items = GPY_R(pc->b).as<List>()->items;
    auto index = static_cast<uint64_t>(key.as_integer());
    if (static_cast<int64_t>(index) < 0) index += items.size();
    if (index < items.size() && GPY_R(pc->b).as<List>()->type == vm.types.list) {
      {
        Value item = GPY_R(pc->a);
        items[index].swap(item);
        if (pc->d & kDropA) GPY_R(pc->a) = Value();
        if (pc->d & kDropB) GPY_R(pc->b) = Value();
      }
      GPY_NEXT();
    }
  }
  GPY_ATTEMPT(slow_set_item);
  GPY_NEXT();
}

  GPY_CALL(call, do_call, kNoNames)
  GPY_CALL(call_method, do_call_method, kNoNames)
  GPY_CALL(call_keywords, do_call, GPY_NAMES_HERE)
  GPY_CALL(call_method_keywords, do_call_method, GPY_NAMES_HERE)
  GPY_CALL(call_spread, do_call_spread)

op_return_value : {
  GPY_SAVE();
  result = GPY_STEP.read(pc->b);
  at.pc = pc;
  if (leave_frame(vm, at, result)) return result;
  GPY_RELOAD();
  GPY_GO();
}

op_yield_value : {
  GPY_SAVE();
  result = GPY_STEP.read(pc->b);
  GPY_STEP.drop();
  at.pc = pc;
  if (suspend_frame(vm, at, result)) return result;
  GPY_RELOAD();
  GPY_GO();
}

op_raise_value : {
  GPY_SAVE();
  at.enter(raise_new(GPY_STEP));
  GPY_RELOAD();
  GPY_GO();
}

op_raise_again : {
  GPY_SAVE();
  at.enter(raise_again(GPY_STEP));
  GPY_RELOAD();
  GPY_GO();
}

raised:
  at.enter(raise_kept(vm));
  GPY_RELOAD();
  GPY_GO();

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
    if (exception->context.is_none()) set_context(vm, exception.get());
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
  if (exception->context.is_none()) set_context(vm, exception.get());
  frame = unwind(vm, exception, false);
  if (!frame) throw Raised{exception};
  return run_on(vm, frame);
}

}  // namespace gpy
