#include "runtime/host_kernel/guarded_run.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace gpy::rt {
namespace {

// Static thread-local storage: a handler must not allocate it.
__attribute__((tls_model("initial-exec"))) thread_local GuardedRun* current_run = nullptr;

// The checksum of a run in progress, and the frame that leaving it returns to.
struct Seal {
  const void* frame = nullptr;
  uint64_t checksum = 0;
};
__attribute__((tls_model("initial-exec"))) thread_local Seal current_seal;

std::atomic<bool> any_run = false;

std::atomic<int> wild_kernels = 0;
std::atomic<const std::string*> wild_name = nullptr;
char shown_wild_name[kLongestShownName + 1] = {};  // written before wild_name is

// The instruction before a return address.
const void* call_before(const void* at) { return at ? static_cast<const char*>(at) - 1 : nullptr; }

// The state of a thread that user code may have changed when it returns or is left: exceptions in
// handling, the rounding mode.
class ThreadState {
 public:
  explicit ThreadState(const KernelObject& object) : globals_(object.exception_globals()) {
    if (globals_) exceptions_ = *globals_;
    mxcsr_ = __builtin_ia32_stmxcsr();
    asm volatile("fnstcw %0" : "=m"(x87_control_));
  }
  // A kernel that was left has perhaps left x87's registers in use. fesetenv takes three times as
  // long.
  ~ThreadState() {
    if (globals_) *globals_ = exceptions_;
    asm volatile("fninit\n\tfldcw %0" : : "m"(x87_control_));
    __builtin_ia32_ldmxcsr(mxcsr_);
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

 private:
  ExceptionGlobals* const globals_;
  ExceptionGlobals exceptions_{};
  unsigned mxcsr_;
  unsigned short x87_control_;
};

}  // namespace

GuardedRun* GuardedRun::current() { return current_run; }
bool GuardedRun::has_run() { return any_run.load(std::memory_order_relaxed); }

// The checksum of all words from the frame, which lies below, to the first member that changes. 0
// where it does not lie there: a sanitizer may keep stack objects elsewhere, among its own.
__attribute__((no_sanitize("address"))) uint64_t GuardedRun::checksum(const void* frame) const {
  constexpr std::ptrdiff_t kMost = 64 << 10;
  const auto* word = static_cast<const uint64_t*>(frame);
  const auto* const end = reinterpret_cast<const uint64_t*>(&position_);
  if (word >= end || end - word > kMost) return 0;
  uint64_t sum = 0;
  for (; word < end; ++word) sum = (sum ^ *word) * 0x9e3779b97f4a7c15;
  return sum;
}

int64_t GuardedRun::block_now() const {
  const Dim3 at = position_.block;
  return (int64_t{at.z} * grid_.y + at.y) * grid_.x + at.x;
}

bool GuardedRun::is_whole() const { return checksum(current_seal.frame) == current_seal.checksum; }

// Nothing with a destructor may live in this frame.
int GuardedRun::enter(const Call& call) {
  if (sigsetjmp(entry_, 0) != 0) return 0;
  const void* const frame = __builtin_frame_address(0);
  current_seal = {frame, checksum(frame)};
  return call.launcher(call.arguments, call.shape, call.first, call.last, &position_,
                       call.memory.data());
}

KernelEnd GuardedRun::run(const Call& call) {
  const ThreadState before(object_);
  GuardedRun* const outer = current_run;
  const Seal outer_seal = current_seal;
  position_ = call.position;
  watch_ = call.watch;
  children_ = call.children;
  grid_ = {call.shape[0], call.shape[1], call.shape[2]};
  if (!call.memory.empty()) {
    memory_ = call.memory;
    block_ = {call.shape[3], call.shape[4], call.shape[5]};
  }
  kind_ = KernelEnd::Kind::kFinished;
  any_run.store(true, std::memory_order_relaxed);
  current_run = this;
  if (enter(call) != 0) kind_ = KernelEnd::Kind::kThrew;
  current_run = outer;
  current_seal = outer_seal;
  return {kind_, at_, address_, what_};
}

void GuardedRun::note(const void* at, const char* what) {
  at_ = at;
  std::strncpy(what_, what ? what : "", sizeof(what_) - 1);
}

// A thread that meets others is known by its stack.
void GuardedRun::note_thread(const void* stack) {
  for (const BlockMemory& each : memory_) {
    unsigned thread = 0;
    if (each.alone || !BlockStacks::find_thread(each.region, object_.stack_shift(), stack, &thread))
      continue;
    position_.thread = {thread % block_.x, thread / block_.x % block_.y,
                        thread / block_.x / block_.y};
  }
}

void GuardedRun::leave(KernelEnd::Kind kind, const void* at, const void* address, const char* what,
                       const void* stack) {
  kind_ = kind;
  note_thread(stack);
  address_ = address;
  note(at, what);
  siglongjmp(entry_, 1);
}

const std::string& first_wild_kernel() {
  static const std::string& none = *new std::string;
  const std::string* const name = wild_name;
  return name ? *name : none;
}

const char* shown_wild_kernel() { return wild_name.load() ? shown_wild_name : ""; }

void note_wild_kernel(const std::string& name) {
  auto kept = std::make_unique<std::string>(name);
  if (wild_kernels++ > 0) return;
  name.copy(shown_wild_name, kLongestShownName);
  wild_name = kept.release();  // lives as long as the process
}

// A thread that user code started itself is in no run: it goes on.
void poll_in_kernel() {
  if (current_run && current_run->should_stop())
    current_run->leave(KernelEnd::Kind::kStopped, nullptr, nullptr, "", nullptr);
}

void end_in_kernel(int how, const void* at, const char* what) {
  if (!current_run) std::abort();
  const auto kind = how == 1   ? KernelEnd::Kind::kExited
                    : how == 3 ? KernelEnd::Kind::kStuck
                               : KernelEnd::Kind::kAborted;
  current_run->leave(kind, call_before(at), nullptr, what, __builtin_frame_address(0));
}

void note_uncaught(const void* at, const char* what) {
  if (current_run) current_run->note(call_before(at), what);
}

}  // namespace gpy::rt
