// Interrupts, limits and their exceptions: the part of Interpreter that poll() leads to.
#include "src/memory/budget.h"

#include <unistd.h>

#include <algorithm>

#include "runtime/core/blocked_signals.h"
#include "src/loops/loop_watch.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// The steps, seconds and memory that a run being stopped may use to clean up.
static constexpr uint64_t kGraceSteps = 100000;
static constexpr double kGraceSeconds = 0.1;
static constexpr size_t kGraceMemory = 1 << 20;
// A thread that interrupts gives its reason at once, if it still exists.
static constexpr auto kReasonComes = std::chrono::milliseconds(100);
// The time for reports and destruction after a run.
static constexpr double kMomentSeconds = 0.5;
// The steps between checks of the memory, in a run with a limit on it.
static constexpr uint64_t kStepsBetweenLooks = 4096;

// --- time ----------------------------------------------------------------------------------------

static std::chrono::steady_clock::duration duration(double seconds) {
  constexpr double kLongest = 1e9;  // some 30 years: what a clock can add to now
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kLongest)));
}

Alarm::Alarm(Interpreter& vm, double seconds)
    : vm_(vm), time_(std::chrono::steady_clock::now() + duration(seconds)) {
  go_on();
}

void Alarm::go_on() { watch_.get().start(vm_, time_); }

void Alarm::Watch::start(Interpreter& vm, Time time) {
  if (thread_.joinable()) return;
  const rt::BlockedSignals for_thread{SIGINT};
  thread_ = std::thread([this, &vm, time] { wait(vm, time); });
}

Alarm::Watch::~Watch() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Alarm::Watch::wait(Interpreter& vm, Time time) {
  std::unique_lock lock(mutex_);
  auto ended = [this] { return done_; };
  while (!ended_.wait_until(lock, time, ended)) {
    vm.stop(StopReason::deadline);
    time = std::chrono::steady_clock::now() + duration(kGraceSeconds);
  }
}

// --- memory --------------------------------------------------------------------------------------

// The bytes that an object keeps outside its block without noting them in the heap.
static size_t bytes_elsewhere(Object* object) {
  switch (object->layout) {
    case ObjectLayout::list: return static_cast<List*>(object)->items.capacity() * sizeof(Value);
    case ObjectLayout::dict: return static_cast<Dict*>(object)->held_bytes();
    case ObjectLayout::set: return static_cast<Set*>(object)->held_bytes();
    case ObjectLayout::type: {
      auto* type = static_cast<Type*>(object);
      return type->name.capacity() + type->qualified_name.capacity();
    }
    case ObjectLayout::exception: {
      auto* exception = static_cast<Exception*>(object);
      return exception->trace.capacity() * sizeof(TracePoint) +
             exception->operands.capacity() * sizeof(Value);
    }
    case ObjectLayout::traceback:
      return static_cast<Traceback*>(object)->points.capacity() * sizeof(TracePoint);
    case ObjectLayout::generator: {
      auto* generator = static_cast<Generator*>(object);
      return generator->frame ? frame_bytes(*generator->code) : 0;
    }
    default: return 0;
  }
}

Budget::Budget(Interpreter& vm)
    : arrays(rt::MemoryAccount::open(
          [](void* owner, size_t bytes) { static_cast<Interpreter*>(owner)->check_budget(bytes); },
          &vm)) {}

rt::MemoryAccount& Interpreter::array_memory() { return *state_->budget.arrays; }

size_t Budget::held(const Interpreter& vm) const {
  return vm.heap.bytes() + elsewhere + arrays->used();
}

// The number and the bytes of the frames that run. Frames of generators are counted elsewhere.
static std::pair<uint64_t, size_t> running_frames(const Frame* frame) {
  uint64_t count = 0;
  size_t bytes = 0;
  for (; frame; frame = frame->caller) {
    if (frame->generator) continue;
    ++count;
    bytes += frame_bytes(*frame->code);
  }
  return {count, bytes};
}

// Sets when the heap looks next: blocks allocated until the limit could be passed are not checked.
// Frames kept for other calls were claimed but are not counted here: they are freed.
void Budget::measure(Interpreter& vm) {
  auto [objects, frames] = running_frames(vm.state().frame);
  elsewhere = frames;
  claimed = 0;
  vm.heap.for_each_tracked([&](Object* object) {
    ++objects;
    if (object->layout == ObjectLayout::code) drop_kept_frames(*static_cast<Code*>(object));
    elsewhere += bytes_elsewhere(object);
  });
  measure_at = vm.steps + std::max<uint64_t>(kStepsBetweenLooks, 2 * objects);
  const size_t others = elsewhere + arrays->used();
  vm.heap.look_at = limits.memory > others ? limits.memory - others : SIZE_MAX;
}

bool Budget::too_much(Interpreter& vm, size_t more) {
  if (!runs || !limits.memory) return false;
  const size_t most = stopping == StopReason::none ? limits.memory : grace_memory;
  auto passed = [&] { return held(vm) + claimed > most || more > most - held(vm) - claimed; };
  if (passed() || vm.steps >= measure_at) measure(vm);
  return passed();
}

static size_t memory_of_machine() {
  static const size_t bytes =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void Interpreter::check_claim(size_t count, size_t item_bytes) {
  size_t bytes;
  if (__builtin_mul_overflow(count, item_bytes, &bytes) || bytes > memory_of_machine()) {
    raise(types.memory_error, "");
  }
  const size_t all = std::max(bytes, std::exchange(claimed_, 0));
  check_budget(all);
  state_->budget.claimed += all;
}

void Interpreter::check_budget(size_t bytes) {
  Budget& budget = state_->budget;
  if (budget.too_much(*this, bytes)) raise_stopped(StopReason::memory);
}

// --- output --------------------------------------------------------------------------------------

bool Budget::too_long(size_t more) {
  written += more;
  return runs && limits.output && written > limits.output;
}

void Interpreter::write_out(std::string_view text) {
  Budget& budget = state_->budget;
  if (!budget.too_long(text.size())) return out(text);
  if (budget.stopping == StopReason::none) raise_stopped(StopReason::output);
}

void Interpreter::write_err(std::string_view text) {
  Budget& budget = state_->budget;
  if (!budget.too_long(text.size())) return err(text);
  if (budget.stopping == StopReason::none) stop(StopReason::output);
}

// --- stopping ------------------------------------------------------------------------------------

std::string Budget::explain(StopReason reason) const {
  switch (reason) {
    case StopReason::none: break;
    case StopReason::interrupt: return "interrupted by the host";
    case StopReason::deadline: return fmt::format("ran longer than {} s", limits.seconds);
    case StopReason::steps: return fmt::format("took more than {} steps", limits.steps);
    case StopReason::memory: return fmt::format("held more than {} bytes", limits.memory);
    case StopReason::output: return fmt::format("wrote more than {} bytes", limits.output);
  }
  return "stopped";
}

Ref<Exception> Interpreter::make_stopped(StopReason reason) {
  return make_exception(types.stopped, state_->budget.explain(reason));
}

void Budget::stop(Interpreter& vm, StopReason reason) {
  if (stopping != StopReason::none) {
    at_once = true;
    return;
  }
  stopping = reason;
  at_once = !has_grace;
  grace_ends = vm.steps + kGraceSteps;
  grace_memory = std::max(limits.memory, held(vm)) + kGraceMemory;
  if (!runs || alarm) return;
  try {
    alarm = std::make_unique<Alarm>(vm, kGraceSeconds);
  } catch (const std::exception&) {  // no thread or no memory: nothing could end the grace
    at_once = true;
  }
}

// The next poll that looks is at `step`, or at once if a request came meanwhile: a request sets
// `wake_at` last.
static void look_at(uint64_t step, std::atomic<uint64_t>& wake_at,
                    const std::atomic<uint32_t>& asked) {
  wake_at.store(step);
  if (asked.load()) wake_at.store(0);
}

void Interpreter::raise_stopped(StopReason reason) {
  Budget& budget = state_->budget;
  budget.stop(*this, reason);
  look_at(budget.next_look(steps), wake_at_, asked_);
  if (reason == StopReason::interrupt || reason == StopReason::deadline)
    deferred_destruction.hurry();
  raise(Value(make_stopped(budget.stopping)));
}

// --- poll ----------------------------------------------------------------------------------------

static StopReason first_reason(uint32_t asked) {
  for (auto reason : {StopReason::interrupt, StopReason::deadline, StopReason::output}) {
    if (asked & 1u << static_cast<int>(reason)) return reason;
  }
  return StopReason::none;
}

// The limit that was passed without a request to stop.
static StopReason passed_limit(Interpreter& vm, Budget& budget) {
  if (!budget.runs) return StopReason::none;
  if (budget.stopping != StopReason::none) {
    const bool is_over = budget.at_once || vm.steps >= budget.grace_ends || budget.too_much(vm, 0);
    return is_over ? budget.stopping : StopReason::none;
  }
  if (budget.limits.steps && vm.steps >= budget.last_step) return StopReason::steps;
  if (!budget.too_much(vm, 0)) return StopReason::none;
  vm.deferred_destruction.end_rest();  // objects that an interrupt left may be many
  return budget.too_much(vm, 0) ? StopReason::memory : StopReason::none;
}

// The steps after which destruction that an interrupt left over goes on.
static constexpr uint64_t kStepsBetweenChores = 1024;

void Interpreter::end_rest_later() {
  asked_.fetch_or(kEndRest);
  const uint64_t then = steps + kStepsBetweenChores;
  uint64_t wake_at = wake_at_.load();
  while (then < wake_at && !wake_at_.compare_exchange_weak(wake_at, then)) {
  }
}

void Interpreter::do_chores(uint32_t asked) {
  if ((asked & kEndRest) && !deferred_destruction.end_some()) {
    asked_.fetch_or(asked & (kCollect | kWake));
    return end_rest_later();
  }
  if (asked & kCollect) collector.collect_if_enabled(*this);
  if ((asked & kWake) && on_wake) on_wake(*this);
}

void Interpreter::handle_pending() {
  Budget& budget = state_->budget;
  wake_at_.store(budget.next_look(steps));
  const uint32_t asked = asked_.exchange(0), chores = asked & kChores;
  if (asked == chores) {
    do_chores(chores);
  } else {  // the interrupt comes first
    interrupted_.store(false);
    if (chores) ask(chores, false);
  }
  StopReason reason = first_reason(asked);
  if (reason == StopReason::none) reason = passed_limit(*this, budget);
  if (reason != StopReason::none) raise_stopped(reason);
  if (!(asked & kInterrupt)) return;
  deferred_destruction.hurry();
  raise(types.keyboard_interrupt, "");
}

void Interpreter::forget_interrupt() {
  asked_.fetch_and(~kInterrupt);
  interrupted_.store(false);
}

// Another thread sets the flag and then gives the reason: the flag may have been seen between the
// two. A child of a fork may not have that thread: `otherwise` is the reason then.
static void await_reason(const std::atomic<bool>& flag, std::atomic<uint32_t>& asked,
                         uint32_t reasons, uint32_t otherwise) {
  const auto longest = std::chrono::steady_clock::now() + kReasonComes;
  while (flag.load() && !(asked.load() & reasons)) {
    if (std::chrono::steady_clock::now() > longest) asked.fetch_or(otherwise);
    std::this_thread::yield();
  }
}

// If the flag is already cleared, a poll has begun to end the run.
Value Interpreter::interrupt_exception() {
  await_reason(interrupted_, asked_, ~kChores, kInterrupt);
  try {
    handle_pending();
  } catch (const Raised& raised) {
    return raised.exception;
  }
  const StopReason stopping = state_->budget.stopping;
  if (stopping != StopReason::none) return Value(make_stopped(stopping));
  return Value(make_exception(types.keyboard_interrupt, std::initializer_list<Value>{}));
}

// --- runs ----------------------------------------------------------------------------------------

uint64_t Budget::steps_left(uint64_t steps) const {
  constexpr uint64_t kMost = uint64_t{1} << 50;
  if (!runs || !limits.steps) return kMost;
  return std::min(kMost, last_step > steps ? last_step - steps : 0);
}

uint64_t Budget::next_look(uint64_t steps) const {
  const uint64_t next = next_limit(steps);
  return watch ? std::min(next, steps + watch->steps()) : next;
}

uint64_t Budget::next_limit(uint64_t steps) const {
  if (!runs) return UINT64_MAX;
  if (at_once) return 0;
  uint64_t next = limits.steps ? last_step : UINT64_MAX;
  if (stopping != StopReason::none) next = grace_ends;
  return limits.memory ? std::min(next, steps + kStepsBetweenLooks) : next;
}

void Interpreter::begin_run(const Limits& limits) {
  Budget& budget = state_->budget;
  budget.limits = limits;
  budget.last_step = limits.steps > UINT64_MAX - steps ? UINT64_MAX : steps + limits.steps;
  budget.measure_at = steps;
  if (limits.seconds > 0) budget.alarm = std::make_unique<Alarm>(*this, limits.seconds);
  budget.runs = 1;  // after the alarm, whose memory may be lacking
  asked_.fetch_and(kChores);
  interrupted_.store(false);
  look_at(budget.next_look(steps), wake_at_, asked_);
}

void Interpreter::start(const Limits& limits) {
  Budget& budget = state_->budget;
  if (budget.runs) {
    ++budget.runs;
    return;
  }
  budget.written = 0;
  begin_run(limits);
}

void Interpreter::start_moment(const Limits& limits) noexcept {
  Budget& budget = state_->budget;
  if (budget.runs) {
    ++budget.runs;
    return;
  }
  const size_t memory = limits.memory ? limits.memory + kGraceMemory : 0;
  Limits moment{kGraceSteps, kMomentSeconds, memory, limits.output};
  budget.has_grace = false;
  try {
    begin_run(moment);
  } catch (...) {  // there is no memory for an alarm: its steps end it
    moment.seconds = 0;
    begin_run(moment);
  }
}

StopReason Interpreter::finish() {
  Budget& budget = state_->budget;
  if (--budget.runs) return budget.stopping;
  // There may have been no poll since: destruction saw the flag and left objects waiting.
  await_reason(interrupted_, asked_, ~kChores, kInterrupt);
  if (budget.stopping == StopReason::none) budget.stopping = first_reason(asked_.load());
  budget.alarm.reset();
  budget.at_once = false;
  budget.has_grace = true;
  heap.look_at = SIZE_MAX;
  asked_.fetch_and(kChores);
  interrupted_.store(false);
  look_at(budget.next_look(steps), wake_at_, asked_);
  return std::exchange(budget.stopping, StopReason::none);
}

}  // namespace gpy
