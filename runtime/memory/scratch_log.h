#pragma once

// What a session's work takes of its devices' memory for itself, beside arrays: workspaces of
// libraries and kernels. It is noted while somebody wants to be told, and told when no work is
// under way, since whoever is told may run a script.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "runtime/core/queue.h"

namespace gpy::rt {

class ScratchLog {
 public:
  struct Event {
    bool taken;  // false: given back
    Place place;
    uintptr_t address;
    size_t bytes;
  };

  // Of the session whose queues these are. `wake` is called when there is something to tell.
  ScratchLog(const QueueSet& queues, std::function<void()> wake)
      : queues_(queues), wake_(std::move(wake)) {}

  // From now on this thread's work for that session is noted, as long as there is the log.
  static void install(const std::shared_ptr<ScratchLog>& log);
  // Null where nobody wants to know of what this thread does now.
  static std::shared_ptr<ScratchLog> current() noexcept;

  void note_taken(Place place, const void* address, size_t bytes) noexcept;
  // Nothing is noted of what had not been noted when it was taken.
  void note_given_back(Place place, const void* address, size_t bytes) noexcept;
  std::vector<Event> take_events() { return std::exchange(events_, {}); }
  bool has_events() const { return !events_.empty(); }

  // Arrays' memory is told by whoever gives it.
  class Pause {
   public:
    explicit Pause(std::shared_ptr<ScratchLog> log) : log_(std::move(log)) {
      if (log_) ++log_->pauses_;
    }
    ~Pause() {
      if (log_) --log_->pauses_;
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    const std::shared_ptr<ScratchLog> log_;
  };

 private:
  const QueueSet& queues_;
  const std::function<void()> wake_;
  std::set<std::pair<Place, uintptr_t>> held_;
  std::vector<Event> events_;
  int pauses_ = 0;
};

}  // namespace gpy::rt
