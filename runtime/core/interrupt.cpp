#include "runtime/core/interrupt.h"

#include "runtime/core/error.h"

namespace gpy::rt {

static thread_local const std::atomic<bool>* interrupt_flag = nullptr;

InterruptScope::InterruptScope(const std::atomic<bool>* flag) : before_(interrupt_flag) {
  interrupt_flag = flag;
}
InterruptScope::~InterruptScope() { interrupt_flag = before_; }

void poll_interrupt() {
  if (interrupt_flag && interrupt_flag->load(std::memory_order_relaxed)) {
    fail(ErrorKind::kInterrupt, "interrupted");
  }
}

const std::atomic<bool>* current_interrupt() { return interrupt_flag; }

}  // namespace gpy::rt
