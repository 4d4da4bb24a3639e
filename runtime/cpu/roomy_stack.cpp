#include "runtime/cpu/roomy_stack.h"

#include <pthread.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/process.h"
#include "runtime/core/size_text.h"

namespace gpy::rt {
namespace {

// Below this the thread's guard page and its own variables begin.
constexpr size_t kReserve = 64 << 10;

// The lowest address of this thread's stack. Where it is unknown, no stack counts as left.
uintptr_t lowest_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return UINTPTR_MAX;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest);
}

size_t stack_left() {
  thread_local const uintptr_t lowest = lowest_address();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here > lowest && here - lowest > kReserve ? here - lowest - kReserve : 0;
}

struct Task {
  const std::function<void()>& work;
  const std::atomic<bool>* interrupt;  // of the thread that waits
  const bool ends_process = gpy::rt::ends_process();
  std::exception_ptr error = nullptr;

  static void* run(void* task) {
    auto& self = *static_cast<Task*>(task);
    const InterruptScope scope(self.interrupt);
    work_for_end(self.ends_process);
    try {
      self.work();
    } catch (...) {
      self.error = std::current_exception();
    }
    return nullptr;
  }
};

int start(pthread_t& thread, size_t bytes, Task& task) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  int status = pthread_attr_setstacksize(&attributes, bytes);
  if (status == 0) status = pthread_create(&thread, &attributes, Task::run, &task);
  pthread_attr_destroy(&attributes);
  return status;
}

size_t whole_pages(size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

}  // namespace

void with_stack(size_t bytes, const std::function<void()>& work) {
  if (stack_left() >= bytes) return work();
  Task task{.work = work, .interrupt = current_interrupt()};
  pthread_t thread;
  if (const int status = start(thread, whole_pages(bytes + 2 * kReserve), task)) {
    throw HostMemoryError(
        fmt::format("linear algebra needs {} of stack: {} are left here, and a thread with as "
                    "much cannot be started ({})",
                    size_text(static_cast<double>(bytes)),
                    size_text(static_cast<double>(stack_left())), std::strerror(status)));
  }
  pthread_join(thread, nullptr);
  if (task.error) std::rethrow_exception(task.error);
}

}  // namespace gpy::rt
