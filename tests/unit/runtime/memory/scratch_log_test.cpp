#include "runtime/memory/scratch_log.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("each session on a thread hears of its own scratch memory") {
  const QueueSet first{}, second{}, third{};
  int wakes = 0;
  const auto wake = [&wakes] { ++wakes; };
  auto log = std::make_shared<ScratchLog>(first, wake);
  const auto other = std::make_shared<ScratchLog>(second, wake);
  ScratchLog::install(log);
  ScratchLog::install(other);

  const auto current_of = [](const QueueSet& queues) {
    const QueueScope scope(&queues);
    return ScratchLog::current();
  };
  CHECK(current_of(first) == log);
  CHECK(current_of(second) == other);
  CHECK(current_of(third) == nullptr);

  const int memory = 0;
  current_of(first)->note_taken(kHostPlace, &memory, 64);
  CHECK(wakes == 1);
  CHECK(log->has_events());
  CHECK_FALSE(other->has_events());

  {
    const ScratchLog::Pause pause(other);
    CHECK(current_of(second) == nullptr);
    CHECK(current_of(first) == log);
  }
  log = nullptr;
  CHECK(current_of(first) == nullptr);
  CHECK(current_of(second) == other);
}

}  // namespace gpy::rt
