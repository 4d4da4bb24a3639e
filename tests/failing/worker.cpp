#include "tests/failing/worker.h"

#include <execinfo.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/failing/allocations.h"

namespace gpy::test::failing {

// --- ends of the process -------------------------------------------------------------------------

static constexpr int kSeconds = 10;  // a case takes milliseconds

static struct {
  Finding finding;
  int pipe;
  Progress* progress;
} current;

static void send(const Finding& finding) { (void)!write(current.pipe, &finding, sizeof finding); }

[[noreturn]] static void end_with(Wrong wrong, int64_t amount) {
  disarm();
  current.finding.wrong = wrong;
  current.finding.amount = amount;
  copy_stack(current.finding.failed_at, place_of_failure());
  void* stack[Finding::kDeepest];
  const int depth = backtrace(stack, Finding::kDeepest);
  copy_stack(current.finding.seen_at, {stack + std::min(2, depth), stack + depth});
  send(current.finding);
  current.progress->has_told_end = true;
  _exit(1);
}

static void on_signal(int signal) {
  end_with(signal == SIGALRM ? Wrong::hang : Wrong::crash, signal == SIGALRM ? 0 : signal);
}

static void on_terminate() { end_with(Wrong::terminate, 0); }

static void watch_for_ends() {
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) {
    sigaction(signal, &action, nullptr);
  }
  std::set_terminate(on_terminate);
  void* warm[4];
  backtrace(warm, 4);  // loads the libraries that it needs
}

// --- one case ------------------------------------------------------------------------------------

static Ending run_once(const Subject& subject, const Trial& trial) {
  itimerval limit = {};
  limit.it_value.tv_sec = kSeconds;
  setitimer(ITIMER_REAL, &limit, nullptr);
  return subject.run(trial);
}

static void tell(Wrong wrong, const char* text, int64_t amount = 0) {
  Finding finding = current.finding;
  finding.wrong = wrong;
  finding.amount = amount;
  std::snprintf(finding.text, sizeof finding.text, "%s", text);
  copy_stack(finding.failed_at, place_of_failure());
  send(finding);
}

static void judge(const Ending& usual, const Ending& ending) {
  if (ending.is_foreign) return tell(Wrong::foreign, ending.error_text);
  if (ending.is_silent) tell(Wrong::silent, ending.error_text);
  if (ending.device_memory) {
    tell(Wrong::device, "", static_cast<int64_t>(ending.device_memory));
  }
  if (!ending.answers) return tell(Wrong::answer, ending.error_text);
  if (!ending.may_differ_again && ending.again != usual.again)
    tell(Wrong::again, ending.error_text);
  if (ending.is_expected || ending.is_changed) return;
  if (ending.error != usual.error) return tell(Wrong::error, ending.error_text);
  if (ending.output != usual.output) tell(Wrong::output, ending.error_text);
}

static int64_t left_behind(const Subject& subject, const Trial& trial) {
  const int64_t before = blocks_held();
  run_once(subject, trial);
  return blocks_held() - before;
}

// Memory that a path taken only by failures allocates once a process is no leak: a leak has to come
// again.
static void look_for_leak(const Subject& subject, const Trial& trial, int64_t blocks) {
  if (blocks <= 0 || left_behind(subject, trial) <= 0 || left_behind(subject, trial) <= 0) return;
  watch_blocks();
  run_once(subject, trial);
  void* stack[Finding::kDeepest] = {};
  stacks_of_held(stack, 1);
  Finding finding = current.finding;
  finding.wrong = Wrong::leak;
  finding.amount = blocks;
  copy_stack(finding.failed_at, place_of_failure());
  copy_stack(finding.seen_at, stack);
  send(finding);
}

static void try_case(const Subject& subject, const Ending& usual, const Trial& trial) {
  current.progress->n = current.finding.n = trial.n;
  current.progress->how = current.finding.how = trial.how;
  const int64_t before = blocks_held();
  const Ending ending = run_once(subject, trial);
  const int64_t left = blocks_held() - before;
  judge(usual, ending);
  const bool is_gone = trial.what == What::device && trial.how == How::from_then_on;
  if (!is_gone) look_for_leak(subject, trial, left);
}

// --- all cases of a subject ----------------------------------------------------------------------

static std::vector<uint64_t> chosen(const Choice& choice, uint64_t count, uint32_t subject) {
  std::vector<uint64_t> all;
  const uint64_t first = choice.every ? count : std::min(choice.first, count);
  for (uint64_t n = 1; n <= first; ++n) all.push_back(n);
  const uint64_t rest = count - first, spread = std::min(choice.spread, rest);
  for (uint64_t i = 0; i < spread; ++i) all.push_back(first + 1 + i * rest / spread);
  std::vector<uint64_t> part;
  for (size_t i = subject % choice.part; i < all.size(); i += choice.part) part.push_back(all[i]);
  return part;
}

void work(const std::vector<Subject>& subjects, uint32_t number, const Choice& choice,
          Progress& progress, int pipe) {
  const Subject& subject = subjects[number];
  current.pipe = pipe;
  current.progress = &progress;
  current.finding = {};
  current.finding.subject = number;
  watch_for_ends();
  const Trial none{.what = choice.what};
  for (int warm = 0; warm < 2; ++warm) run_once(subject, none);
  const Ending usual = run_once(subject, none);
  const std::vector<uint64_t> all = chosen(choice, usual.tries, number);
  for (uint64_t at = progress.next; at < 2 * all.size(); at = progress.next) {
    progress.next = at + 1;
    try_case(subject, usual, {all[at / 2], at % 2 ? How::from_then_on : How::once, choice.what});
    ++progress.cases;
  }
  progress.done = true;
}

}  // namespace gpy::test::failing
