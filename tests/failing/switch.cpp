#include "tests/failing/switch.h"

#include <execinfo.h>

#include <algorithm>
#include <atomic>

#include "tests/failing/device.h"

namespace gpy::test::failing {

namespace {

constexpr int kDeepest = 40;  // frames of a stack that are kept
constexpr int kOwn = 2;       // of them, frames of the test

thread_local int uncounted = 0;

struct {
  std::atomic<bool> armed = false;
  std::atomic<uint64_t> count = 0;
  Trial trial;
  std::atomic<bool> failed = false;
  void* place[kDeepest];
  int depth = 0;
} state;

void note_place() {
  if (state.failed.exchange(true)) return;
  const Uncounted own;
  state.depth = backtrace(state.place, kDeepest);
}

}  // namespace

bool failing(What what) {
  if (uncounted > 0 || !state.armed.load(std::memory_order_relaxed)) return false;
  if (what != state.trial.what) return false;
  const uint64_t n = state.trial.n;
  const uint64_t number = state.count.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool is_behind = number > n && state.trial.how == How::from_then_on;
  const bool fails = n > 0 && (number == n || is_behind);
  if (fails) note_place();
  return fails;
}

void arm(const Trial& trial) {
  if (trial.what == What::device) arm_device(trial.n, trial.how == How::from_then_on);
  state.trial = trial;
  state.count = 0;
  state.failed = false;
  state.depth = 0;
  state.armed = true;
}

uint64_t disarm() {
  state.armed = false;
  const uint64_t calls = disarm_device();
  return state.trial.what == What::device ? calls : state.count.load();
}

bool has_failed() { return state.failed || failed_call(); }

std::span<void* const> place_of_failure() {
  const int own = std::min(kOwn, state.depth);
  return {state.place + own, static_cast<size_t>(state.depth - own)};
}

Uncounted::Uncounted() { ++uncounted; }
Uncounted::~Uncounted() { --uncounted; }
bool Uncounted::here() { return uncounted > 0; }

}  // namespace gpy::test::failing
