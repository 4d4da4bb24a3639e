#include "runtime/host_kernel/fault_handler.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "runtime/host_kernel/guarded_run.h"

namespace gpy::rt {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct Installed {
  std::mutex mutex;
  int users = 0;
  std::array<struct sigaction, std::size(kSignals)> before{};
  // Somebody put a handler over ours, and calls ours: it cannot be taken away any more.
  std::array<bool, std::size(kSignals)> stays{};
};

// Read by handlers without the mutex: what they need is written before they are installed, and is
// never changed while one may run.
Installed& installed() {
  static Installed state;
  return state;
}

const struct sigaction& handler_before(int signal) {
  size_t i = 0;
  while (kSignals[i] != signal) ++i;
  return installed().before[i];
}

// --- whose fault it is ---

// These keep no locks and no state, so a run can be left in the midst of them. Their code, chosen
// for the processor, begins here and is shorter than a page.
using Address = const void*;
constexpr const char* kLeaves[] = {"memcpy", "memmove", "memset", "memcmp",
                                   "strlen", "memchr",  "strcmp", "strcpy"};
std::array<Address, std::size(kLeaves)> leaves;  // filled in before handlers are installed

bool in_leaf_function(uintptr_t at) {
  constexpr uintptr_t kLongest = 4096;
  for (Address each : leaves) {
    const auto begin = reinterpret_cast<uintptr_t>(each);
    if (each && at >= begin && at - begin < kLongest) return true;
  }
  return false;
}

struct Place {
  uintptr_t instruction, stack;
  bool writes;
};

Place place_of(const ucontext_t& context) {
  const auto& registers = context.uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]), static_cast<uintptr_t>(registers[REG_RSP]),
          (registers[REG_ERR] & 2) != 0};
}

// The kernel's instruction that faulted, or that called what did; null if neither is the kernel's.
Address instruction_in(const KernelObject& object, const Place& place) {
  const auto at = reinterpret_cast<Address>(place.instruction);
  if (object.contains(at)) return at;
  if (!in_leaf_function(place.instruction)) return nullptr;
  const auto returns_to = *reinterpret_cast<const uintptr_t*>(place.stack);
  const auto call = reinterpret_cast<Address>(returns_to - 1);
  return object.contains(call) ? call : nullptr;
}

KernelEnd::Kind kind_of_access(const siginfo_t& info, const Place& place) {
  if (info.si_code == SI_KERNEL) return KernelEnd::Kind::kAccess;
  // Frames are probed page by page: what is just below the stack pointer is the stack's.
  constexpr uintptr_t kNear = 8192;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (address + kNear > place.stack && address < place.stack + kNear)
    return KernelEnd::Kind::kStack;
  return place.writes ? KernelEnd::Kind::kWrite : KernelEnd::Kind::kRead;
}

KernelEnd::Kind kind_of(int signal, const siginfo_t& info, const Place& place) {
  switch (signal) {
    case SIGFPE: return KernelEnd::Kind::kDivision;
    case SIGILL: return KernelEnd::Kind::kTrap;
    case SIGBUS: return KernelEnd::Kind::kBus;
    default: return kind_of_access(info, place);
  }
}

// Comes back if the fault is not one of a kernel.
void try_leave(int signal, const siginfo_t& info, const ucontext_t& context) {
  GuardedRun* const run = GuardedRun::current();
  const bool sent = info.si_code <= 0;  // by a process, for no fault
  if (!run || !run->catches_faults() || sent) return;
  const Place place = place_of(context);
  const Address at = instruction_in(run->object(), place);
  if (!at) return;
  const KernelEnd::Kind kind = kind_of(signal, info, place);
  pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);  // the jump does not do it
  run->leave(kind, at, info.si_addr, "");
}

// --- the rest ---

void say(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  (void)ignored;
}

// Nobody else handles it: the process ends by it, as if we had never been.
void end_process(int signal, const siginfo_t& info) {
  if (const GuardedRun* run = GuardedRun::current(); run && run->catches_faults())
    say("gpy: a function that a kernel called failed: the process cannot go on\n");
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  if (info.si_code <= 0) raise(signal);  // else the instruction fails again
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& before = handler_before(signal);
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler == SIG_IGN && info->si_code <= 0) return;
  if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
    return end_process(signal, *info);
  before.sa_handler(signal);
}

extern "C" void gpy_on_fault(int signal, siginfo_t* info, void* context) {
  try_leave(signal, *info, *static_cast<const ucontext_t*>(context));
  pass_on(signal, info, context);
}

bool is_ours(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_flags & SA_SIGINFO && now.sa_sigaction == gpy_on_fault;
}

void install() {
  for (size_t i = 0; i < std::size(kLeaves); ++i) leaves[i] = dlsym(RTLD_DEFAULT, kLeaves[i]);
  struct sigaction action {};
  action.sa_sigaction = gpy_on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (installed().stays[i]) continue;
    sigaction(kSignals[i], nullptr, &installed().before[i]);
    sigaction(kSignals[i], &action, nullptr);
  }
}

void uninstall() {
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    installed().stays[i] = !is_ours(kSignals[i]);
    if (!installed().stays[i]) sigaction(kSignals[i], &installed().before[i], nullptr);
  }
}

}  // namespace

FaultHandler::FaultHandler() {
  const std::lock_guard lock(installed().mutex);
  if (installed().users++ == 0) install();
}

FaultHandler::~FaultHandler() {
  const std::lock_guard lock(installed().mutex);
  if (--installed().users == 0) uninstall();
}

// --- stacks for handlers ---

namespace {

class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    const size_t bytes = static_cast<size_t>(sysconf(_SC_MINSIGSTKSZ)) + (64 << 10);
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    own_ = {memory, 0, bytes};
    sigaltstack(&own_, nullptr);
  }
  ~SignalStack() {
    if (!own_.ss_sp) return;
    stack_t now{};
    sigaltstack(nullptr, &now);
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (now.ss_sp == own_.ss_sp) sigaltstack(&none, nullptr);
    munmap(own_.ss_sp, own_.ss_size);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  stack_t own_{};
};

}  // namespace

void ensure_signal_stack() {
  thread_local SignalStack stack;
  (void)stack;
}

}  // namespace gpy::rt
