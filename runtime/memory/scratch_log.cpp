#include "runtime/memory/scratch_log.h"

namespace gpy::rt {

static thread_local std::weak_ptr<ScratchLog> this_threads;

void ScratchLog::install(const std::shared_ptr<ScratchLog>& log) noexcept { this_threads = log; }

std::shared_ptr<ScratchLog> ScratchLog::current() noexcept {
  std::shared_ptr<ScratchLog> log = this_threads.lock();
  const bool wanted = log && log->pauses_ == 0 && current_queue_set() == &log->queues_;
  return wanted ? log : nullptr;
}

static uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

void ScratchLog::note_taken(Place place, const void* address, size_t bytes) noexcept {
  try {
    events_.push_back({true, place, number(address), bytes});
    held_.emplace(place, number(address));
    wake_();
  } catch (...) {  // work goes on where there is no memory to tell of it
  }
}

void ScratchLog::note_given_back(Place place, const void* address, size_t bytes) noexcept {
  if (held_.erase({place, number(address)}) == 0) return;
  try {
    events_.push_back({false, place, number(address), bytes});
    wake_();
  } catch (...) {
  }
}

}  // namespace gpy::rt
