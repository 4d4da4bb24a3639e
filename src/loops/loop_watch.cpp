#include "src/loops/loop_watch.h"

#include <algorithm>
#include <utility>

#include "runtime/core/environment.h"
#include "src/array/arrays.h"
#include "src/memory/budget.h"
#include "src/objects/function.h"
#include "src/state.h"
#include "src/translate/failure.h"

namespace gpy {

namespace {

// Compiled code that comes back after fewer iterations has not been worth the way.
constexpr uint64_t kWorthwhile = 100;
constexpr int kMostIdle = 16;
constexpr int kMostSkips = 1023;  // of a short loop's entries, between two that are tried
// Of a loop's translation, each after four times as many looks.
constexpr int kMostTries = 3;
constexpr int kCloseLooks = 200'000;
constexpr int kElsewhere = 200;  // as many of these as one in another function

// Whether an iteration has not done more yet than unpack its item, which may happen as it is taken.
bool is_first(const Code& code, const LoopPlace& place, uint32_t at) {
  return at == place.body ||
         (at == place.body + 1 && code.instructions[place.body].op == Op::unpack);
}

LoopWatch& watch_of(Interpreter& vm) { return *static_cast<LoopWatch*>(vm.loop_watch.get()); }

void look_at_loop(Interpreter& vm, Frame& frame) { watch_of(vm).look(frame); }

}  // namespace

LoopWatch::Watched& LoopWatch::watched(const Frame& frame, const LoopPlace& place) {
  const auto [at, is_new] = watched_.try_emplace(&place);
  if (is_new) {
    at->second.code = Ref<Code>(frame.code);
    at->second.place = &place;
  }
  return at->second;
}

LoopWatch::Attention::Attention(LoopWatch& watch, const Code& code)
    : watch_(watch), before_(watch.attended_) {
  if (!watch.has_hope(code)) return;
  watch.attended_ = &code;
  watch.vm_.look_again();
}

// Whether a loop of the code is compiled, or may be.
bool LoopWatch::has_hope(const Code& code) const {
  return std::ranges::any_of(code.loops, [&](const LoopPlace& place) {
    const auto at = watched_.find(&place);
    return at == watched_.end() || at->second.refusal.empty();
  });
}

void LoopWatch::look(Frame& frame) {
  if (attended_ && frame.code == attended_) {
    closely_ = 0;
    outer_waits_ = false;
    consider(frame, frame.position(), true);
    if (!has_hope(*frame.code)) attended_ = nullptr;
    return;
  }
  if (frame.code->has_compiled_loops && enter(frame)) return;
  if (closely_ > 0) {
    --closely_;
    if (frame.code != awaited_code_) closely_ = std::max(closely_ - kElsewhere, 0);
    if (frame.code != awaited_code_ || !is_first(*frame.code, *awaited_, frame.position())) return;
  }
  const auto now = std::chrono::steady_clock::now();
  since_last_ = std::min(now - std::exchange(last_look_, now), options_.time / options_.looks);
  std::vector<Frame*> frames;
  for (Frame* each = &frame; each && frames.size() < 8; each = each->caller) {
    if (each->code->is_library) break;
    frames.push_back(each);
    if (each->is_boundary) break;
  }
  outer_waits_ = false;
  for (auto each = frames.rbegin(); each != frames.rend(); ++each) {
    if (consider(**each, (*each)->position(), *each == &frame)) return;
  }
}

bool LoopWatch::consider(Frame& frame, uint32_t at, bool is_innermost) {
  const std::vector<LoopPlace>& loops = frame.code->loops;
  for (auto place = loops.rbegin(); place != loops.rend(); ++place) {  // outer ones first
    if (at < place->body || at > place->edge) continue;
    Watched& loop = watched(frame, *place);
    if (!loop.refusal.empty()) {
      loop.compiled = nullptr;
      continue;
    }
    if (!loop.compiled) {
      ++loop.looks;
      loop.time += since_last_;
      const bool due = is_due(loop, attended_ == frame.code);
      outer_waits_ |= !due && loop.tries == 0;
      if (!due || outer_waits_) continue;
      begin(loop, frame);
      if (!loop.compiled) continue;
    }
    if (loop.compiled->state() == CompiledLoop::State::kCompiling) return true;
    if (loop.compiled->state() == CompiledLoop::State::kFailed) {
      loop.refusal = loop.compiled->error();
      continue;
    }
    if (is_innermost && is_first(*frame.code, *place, at)) return take_over(loop, frame);
    if (closely_ == 0) await(loop);
    return true;
  }
  return false;
}

// A loop that could not be translated waits four times as long.
bool LoopWatch::is_due(const Watched& loop, bool is_attended) const {
  const int patience = 1 << 2 * loop.tries;
  if (is_attended) return loop.looks >= patience;
  return loop.looks >= options_.looks * patience && loop.time >= options_.time * patience;
}

bool LoopWatch::enter(Frame& frame) {
  const uint32_t at = frame.position();
  for (const LoopPlace& place : frame.code->loops) {
    if (!is_first(*frame.code, place, at)) continue;
    const auto found = watched_.find(&place);
    if (found == watched_.end()) continue;
    Watched& loop = found->second;
    if (!loop.compiled || !loop.refusal.empty()) continue;
    if (loop.compiled->state() != CompiledLoop::State::kReady) continue;
    if (loop.skipped < loop.skips) {
      ++loop.skipped;
      continue;
    }
    const uint64_t before = vm_.steps;
    const bool has_run = take_over(loop, frame);
    const bool is_short = vm_.steps - before < kWorthwhile;
    loop.skips = is_short ? std::min(2 * loop.skips + 1, kMostSkips) : 0;
    loop.skipped = 0;
    return has_run;
  }
  return false;
}

// Looks at every edge for a while, so that the loop is met at its own.
void LoopWatch::await(const Watched& loop) {
  closely_ = kCloseLooks;
  awaited_ = loop.place;
  awaited_code_ = loop.code.get();
}

void LoopWatch::begin(Watched& loop, Frame& frame) {
  try {
    loop.compiled = std::make_shared<CompiledLoop>(vm_, frame, *loop.place);
  } catch (const TranslationFailure& failure) {
    const syntax::SourceFile& file = failure.file ? *failure.file : *frame.code->source;
    loop.looks = 0;
    loop.time = {};
    if (++loop.tries < kMostTries) return;
    loop.refusal = fmt::format("line {}: {}", file.line_of(failure.place.begin), failure.message);
    return;
  } catch (const Raised& raised) {  // of an attribute that was looked up
    loop.refusal = vm_.to_str(raised.exception);
    return;
  }
  rt::Runtime& runtime = session(vm_).runtime();
  const bool waits = options_.at_once || attended_ == frame.code;
  frame.code->has_compiled_loops = true;
  waits ? loop.compiled->compile_here(runtime) : loop.compiled->compile(runtime);
}

bool LoopWatch::take_over(Watched& loop, Frame& frame) {
  closely_ = 0;
  const uint64_t budget = vm_.state().budget.steps_left(vm_.steps);
  const std::optional<uint64_t> iterations = loop.compiled->run(vm_, frame, budget);
  if (!iterations) {  // made for other types: once more, a few times
    loop.compiled = nullptr;
    loop.looks = 0;
    if (++loop.idle > kMostIdle) loop.refusal = "its names change their types";
    else begin(loop, frame);  // where a call begins, names have no values yet
    return true;
  }
  vm_.steps += *iterations;
  ++loop.taken;
  const bool has_ended = frame.position() == loop.place->edge;
  loop.idle = *iterations < kWorthwhile && !has_ended ? loop.idle + 1 : 0;
  if (loop.idle > kMostIdle) loop.refusal = "it comes back to the interpreter all the time";
  if (loop.refusal.empty() && *iterations >= kWorthwhile && !has_ended) await(loop);
  return true;
}

std::vector<LoopReport> LoopWatch::reports(const Code& code) const {
  std::vector<LoopReport> out;
  for (const LoopPlace& place : code.loops) {
    const auto at = watched_.find(&place);
    std::string text = "not run for long";
    if (at != watched_.end()) {
      const Watched& loop = at->second;
      if (!loop.refusal.empty()) text = "interpreted: " + loop.refusal;
      else if (loop.taken > 0) text = fmt::format("compiled, taken over {} times", loop.taken);
      else if (loop.compiled) text = "being compiled";
    }
    out.push_back({code.source->line_of(place.begin), std::move(text)});
  }
  std::ranges::sort(out, {}, &LoopReport::line);
  return out;
}

std::vector<LoopReport> loop_reports(Interpreter& vm, const Code& code) {
  return vm.loop_watch ? watch_of(vm).reports(code) : std::vector<LoopReport>();
}

Value call_attended(Interpreter& vm, const Value& function, const CallArgs& arguments) {
  if (!vm.loop_watch) return vm.call(function, arguments);
  const LoopWatch::Attention attention(watch_of(vm), *function.as<Function>()->code);
  return vm.call(function, arguments);
}

void unwatch_loops(Interpreter& vm) {
  vm.hooks.look_at_loop = nullptr;
  vm.state().budget.watch = nullptr;
  vm.loop_watch.reset();
}

void watch_loops(Interpreter& vm) {
  const std::string mode = rt::environment_variable("GPY_COMPILE_LOOPS");
  if (mode == "off") return;
  LoopWatchOptions options;
  if (mode == "at-once") options = {.steps = 16, .time = {}, .at_once = true};
  auto watch = std::make_shared<LoopWatch>(vm, options);
  vm.state().budget.watch = watch.get();
  vm.loop_watch = std::move(watch);
  vm.hooks.look_at_loop = look_at_loop;
  vm.look_again();
}

}  // namespace gpy
