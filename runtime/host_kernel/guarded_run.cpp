#include "runtime/host_kernel/guarded_run.h"

#include <cstdlib>
#include <cstring>

namespace gpy::rt {
namespace {

// In static storage of the thread: a handler must not allocate it.
__attribute__((tls_model("initial-exec"))) thread_local GuardedRun* current_run = nullptr;

// The instruction before a return address.
const void* call_before(const void* at) { return at ? static_cast<const char*>(at) - 1 : nullptr; }

}  // namespace

GuardedRun* GuardedRun::current() { return current_run; }

// Nothing with a destructor may live in this frame.
int GuardedRun::enter(const Call& call) {
  if (sigsetjmp(entry_, 0) != 0) return 0;
  return call.launcher(call.arguments, call.shape, call.first, call.last, &call.position);
}

KernelEnd GuardedRun::run(const Call& call) {
  GuardedRun* const outer = current_run;
  current_run = this;
  kind_ = KernelEnd::Kind::kFinished;
  if (enter(call) != 0) kind_ = KernelEnd::Kind::kThrew;
  current_run = outer;
  return {kind_, at_, address_, what_};
}

void GuardedRun::note(const void* at, const char* what) {
  at_ = at;
  std::strncpy(what_, what ? what : "", sizeof(what_) - 1);
}

void GuardedRun::leave(KernelEnd::Kind kind, const void* at, const void* address,
                       const char* what) {
  kind_ = kind;
  address_ = address;
  note(at, what);
  siglongjmp(entry_, 1);
}

// A thread that user code started itself is in no run: it goes on.
void poll_in_kernel() {
  if (current_run && current_run->should_stop())
    current_run->leave(KernelEnd::Kind::kStopped, nullptr, nullptr, "");
}

void end_in_kernel(int how, const void* at, const char* what) {
  if (!current_run) std::abort();
  const auto kind = how == 1 ? KernelEnd::Kind::kExited : KernelEnd::Kind::kAborted;
  current_run->leave(kind, call_before(at), nullptr, what);
}

void note_uncaught(const void* at, const char* what) {
  if (current_run) current_run->note(call_before(at), what);
}

}  // namespace gpy::rt
