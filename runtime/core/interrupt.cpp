#include "runtime/core/interrupt.h"

#include "runtime/core/error.h"

namespace gpy::rt {

static thread_local const std::atomic<bool>* interrupt_flag = nullptr;
static thread_local uint64_t polls = 0;

InterruptScope::InterruptScope(const std::atomic<bool>* flag) : before_(interrupt_flag) {
  interrupt_flag = flag;
}
InterruptScope::~InterruptScope() { interrupt_flag = before_; }

uint64_t interrupt_polls() { return polls; }

void poll_interrupt() {
  if (!interrupt_flag) return;
  ++polls;
  if (interrupt_flag->load(std::memory_order_relaxed)) {
    fail(ErrorKind::kInterrupt, "interrupted");
  }
}

const std::atomic<bool>* current_interrupt() { return interrupt_flag; }

}  // namespace gpy::rt
