#include "runtime/host_kernel/fault_handler.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "runtime/core/process.h"
#include "runtime/host_kernel/guarded_run.h"
#include "runtime/host_kernel/host_shim.h"

namespace gpy::rt {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

// The handlers that ours replaced, the oldest first. A host may install its own over ours, which
// may call ours in turn: ours cannot be removed then, and is installed on top once more for later
// users.
struct Below {
  static constexpr int kMost = 4;
  std::array<struct sigaction, kMost> handlers{};
  std::atomic<int> count = 0;
};

struct Installed {
  ForkSafe<std::mutex> mutex;
  int users = 0;
  std::array<Below, std::size(kSignals)> below{};
};

// Handlers read this without the mutex: what they need is written before they are installed, and is
// not changed while one may run.
Installed& installed() {
  static Installed& state = *new Installed;
  return state;
}

const Below& below(int signal) {
  size_t i = 0;
  while (kSignals[i] != signal) ++i;
  return installed().below[i];
}

// --- whose fault it is ---

// The start of each of kLeafFunctions, as chosen for the processor. Each is shorter than a page.
using Address = const void*;
std::array<Address, std::size(kLeafFunctions)> leaves;  // filled in before handlers are installed

bool in_leaf_function(uintptr_t at) {
  constexpr uintptr_t kLongest = 4096;
  for (Address each : leaves) {
    const auto begin = reinterpret_cast<uintptr_t>(each);
    if (each && at >= begin && at - begin < kLongest) return true;
  }
  return false;
}

struct FaultSite {
  uintptr_t instruction, stack;
  bool writes;
};

FaultSite site_of(const ucontext_t& context) {
  const auto& registers = context.uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]), static_cast<uintptr_t>(registers[REG_RSP]),
          (registers[REG_ERR] & 2) != 0};
}

// Reads memory that may not be mapped; 0 if it is not, or where the process may not ask.
uintptr_t read_word(uintptr_t address) {
  uintptr_t word = 0;
  const iovec to{&word, sizeof(word)};
  const iovec from{reinterpret_cast<void*>(address), sizeof(word)};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(word) ? word : 0;
}

// True if the instruction itself cannot be read: a call or a jump led to where no code is.
bool is_lost(int signal, const siginfo_t& info, const FaultSite& place) {
  return (signal == SIGSEGV || signal == SIGBUS) &&
         reinterpret_cast<uintptr_t>(info.si_addr) == place.instruction;
}

// The kernel's instruction that faulted, or that called the faulting code; null if there is none.
Address instruction_in(const KernelObject& object, const FaultSite& place, bool lost) {
  const auto at = reinterpret_cast<Address>(place.instruction);
  if (object.contains(at)) return at;
  if (!lost && !in_leaf_function(place.instruction)) return nullptr;
  const uintptr_t back =
      lost ? read_word(place.stack) : *reinterpret_cast<const uintptr_t*>(place.stack);
  const auto call = reinterpret_cast<Address>(back - 1);
  return object.contains(call) ? call : nullptr;
}

KernelEnd::Kind kind_of_access(const siginfo_t& info, const FaultSite& place) {
  if (info.si_code == SI_KERNEL) return KernelEnd::Kind::kAccess;
  // Frames are probed page by page: an address near the stack pointer belongs to the stack.
  constexpr uintptr_t kNear = 8192;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (address + kNear > place.stack && address < place.stack + kNear)
    return KernelEnd::Kind::kStack;
  return place.writes ? KernelEnd::Kind::kWrite : KernelEnd::Kind::kRead;
}

KernelEnd::Kind kind_of(int signal, const siginfo_t& info, const FaultSite& place) {
  switch (signal) {
    case SIGFPE: return KernelEnd::Kind::kDivision;
    case SIGILL:
    case SIGTRAP: return KernelEnd::Kind::kTrap;
    case SIGBUS:
      return is_lost(signal, info, place) ? KernelEnd::Kind::kJump : KernelEnd::Kind::kBus;
    default:
      return is_lost(signal, info, place) ? KernelEnd::Kind::kJump : kind_of_access(info, place);
  }
}

// Returns if the fault is not one of a kernel.
void try_leave(int signal, const siginfo_t& info, const ucontext_t& context) {
  GuardedRun* const run = GuardedRun::current();
  const bool sent = info.si_code <= 0;  // by a process, without a fault
  if (!run || !run->is_whole() || !run->catches_faults() || sent) return;
  const FaultSite place = site_of(context);
  const Address at = instruction_in(run->object(), place, is_lost(signal, info, place));
  if (!at) return;
  const KernelEnd::Kind kind = kind_of(signal, info, place);
  pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);  // the jump does not restore it
  run->leave(kind, at, info.si_addr, "", reinterpret_cast<const void*>(place.stack));
}

// --- the rest ---

// A line on the error stream, in one piece: other threads may fail as well.
class Line {
 public:
  Line& operator<<(const char* text) {
    const size_t count = strnlen(text, sizeof(text_) - length_);
    std::memcpy(text_ + length_, text, count);
    length_ += count;
    return *this;
  }
  void say() const {
    const ssize_t ignored = write(STDERR_FILENO, text_, length_);
    (void)ignored;
  }

 private:
  char text_[512];
  size_t length_ = 0;
};

// Names the likely cause: memory that a kernel has damaged may fail anywhere later.
void say_whose(const GuardedRun* run) {
  Line line;
  if (run && !run->is_whole()) {
    line << "gpy: the kernel that ran destroyed the stack";
  } else if (run) {
    line << "gpy: a fault outside of kernel '" << run->name()
         << "' while it ran, in a function that it called or after memory was damaged";
  } else {
    line << "gpy: a fault outside of all kernels, of which one that ran before may have damaged "
            "memory";
  }
  if (const char* earlier = shown_wild_kernel(); *earlier)
    line << " (kernel '" << earlier << "' used a bad address before)";
  (line << ": the process cannot go on; run it with GPY_CHECK=1 to find the access\n").say();
}

// Nobody else handles the signal: it ends the process as it would without our handler.
void end_process(int signal, const siginfo_t& info) {
  const bool foreign = info.si_code <= 0 && info.si_pid != getpid();
  const GuardedRun* const run = GuardedRun::current();
  const bool unasked = run && run->is_whole() && !run->catches_faults();
  static std::atomic_flag said;
  if (!foreign && !unasked && GuardedRun::has_run() && !said.test_and_set()) say_whose(run);
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  // A fault recurs when the instruction runs again; a sent signal and a trap do not.
  if (info.si_code <= 0 || signal == SIGTRAP) raise(signal);
}

void call(const struct sigaction& handler, int signal, siginfo_t* info, void* context) {
  // SA_SIGINFO means nothing for these two.
  if (handler.sa_handler == SIG_IGN && info->si_code <= 0) return;
  if (handler.sa_handler == SIG_DFL || handler.sa_handler == SIG_IGN)
    return end_process(signal, *info);
  if (handler.sa_flags & SA_SIGINFO) handler.sa_sigaction(signal, info, context);
  else handler.sa_handler(signal);
}

// A call of our handler that is passing its signal on. It remains set if a handler leaves by a
// jump; the frame tells a later signal from one that comes back: the system calls handlers at a
// fixed distance from the context, handlers that pass a signal on farther down the stack.
struct Passing {
  const void* context = nullptr;
  const void* frame = nullptr;
  int depth = 0;  // how often the signal has come back to us
};
__attribute__((tls_model("initial-exec"))) thread_local Passing passing;

int depth_of(const void* context, const void* frame) {
  const bool comes_back = context == passing.context && frame < passing.frame;
  return comes_back ? passing.depth + 1 : 0;
}

// Passes the signal on: each time that it comes back, to an older handler.
void pass_on(int signal, siginfo_t* info, void* context, const void* frame) {
  const int depth = depth_of(context, frame);
  const Below& handlers = below(signal);
  // Another thread may have removed our handler meanwhile: the oldest entry stays in place.
  const int at = std::max(handlers.count.load(), 1) - 1 - depth;
  if (at < 0) return end_process(signal, *info);
  const Passing outer = std::exchange(passing, {context, frame, depth});
  call(handlers.handlers[at], signal, info, context);
  passing = outer;
}

extern "C" void gpy_on_fault(int signal, siginfo_t* info, void* context) {
  try_leave(signal, *info, *static_cast<const ucontext_t*>(context));
  pass_on(signal, info, context, __builtin_frame_address(0));
}

bool is_ours(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_flags & SA_SIGINFO && now.sa_sigaction == gpy_on_fault;
}

void install() {
  for (size_t i = 0; i < std::size(kLeafFunctions); ++i) {
    if (!leaves[i]) leaves[i] = dlsym(RTLD_DEFAULT, kLeafFunctions[i]);
  }
  struct sigaction action {};
  action.sa_sigaction = gpy_on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    Below& below = installed().below[i];
    if (is_ours(kSignals[i]) || below.count == Below::kMost) continue;
    sigaction(kSignals[i], nullptr, &below.handlers[below.count]);
    ++below.count;
    sigaction(kSignals[i], &action, nullptr);
  }
}

void uninstall() {
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    Below& below = installed().below[i];
    if (!is_ours(kSignals[i])) continue;
    sigaction(kSignals[i], &below.handlers[below.count - 1], nullptr);
    --below.count;
  }
}

}  // namespace

FaultHandler::FaultHandler() {
  const std::lock_guard lock(installed().mutex);
  install();
  ++installed().users;
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

// How many of them this thread holds.
static thread_local int unblocked = 0;

FaultSignalsUnblocked::FaultSignalsUnblocked(bool wanted) : wanted_(wanted) {
  if (!wanted || unblocked++ > 0) return;
  thread_local SignalStack stack;
  (void)stack;
  sigset_t faults;
  sigemptyset(&faults);
  for (int signal : kSignals) sigaddset(&faults, signal);
  pthread_sigmask(SIG_UNBLOCK, &faults, &before_);
  for (int signal : kSignals) blocked_ |= sigismember(&before_, signal) == 1;
}

FaultSignalsUnblocked::~FaultSignalsUnblocked() {
  if (wanted_) --unblocked;
  if (blocked_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace gpy::rt
