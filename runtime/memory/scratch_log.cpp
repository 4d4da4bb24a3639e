#include "runtime/memory/scratch_log.h"

namespace gpy::rt {

// One for each session on this thread that wants to be told.
static thread_local std::vector<std::weak_ptr<ScratchLog>> this_threads;

void ScratchLog::install(const std::shared_ptr<ScratchLog>& log) {
  std::erase_if(this_threads, [](const auto& each) { return each.expired(); });
  this_threads.push_back(log);
}

std::shared_ptr<ScratchLog> ScratchLog::current() noexcept {
  for (const std::weak_ptr<ScratchLog>& each : this_threads) {
    std::shared_ptr<ScratchLog> log = each.lock();
    if (log && &log->queues_ == current_queue_set()) return log->pauses_ == 0 ? log : nullptr;
  }
  return nullptr;
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
