#include "runtime/core/capture.h"

#include <doctest/doctest.h>

#include "runtime/core/cuda_error.h"
#include "runtime/core/queue.h"

namespace gpy::rt {
namespace {

class IdleQueue final : public Queue {
 public:
  void synchronize() override {}
  bool done() override { return true; }
  void follow(Queue&) override {}
  void call(std::function<void()> function) override { function(); }
  int priority() const override { return 0; }
  uintptr_t handle() const override { return 1; }
};

class IdleEvent final : public Event {
 public:
  uintptr_t handle() const override { return 1; }

 private:
  void record_in(Queue&) override {}
  bool is_done() override { return true; }
  void wait() override {}
  void hold_queue(Queue&) override {}
  float time_since(Event&) override { return 0; }
};

class Steps final : public Capture {
 public:
  using Capture::Capture;
  void use(const Buffer&, bool) override {}
};

template <class F> int code_of(F&& call) {
  try {
    call();
  } catch (const CudaError& error) {
    return error.code();
  }
  return 0;
}

struct World {
  Ref<Queue> first = make_ref<IdleQueue>(), second = make_ref<IdleQueue>(),
             third = make_ref<IdleQueue>();
  Ref<Event> event = make_ref<IdleEvent>(), other = make_ref<IdleEvent>();

  std::shared_ptr<Capture> capture;

  void begin() {
    const auto begun = std::make_shared<Steps>(*first);
    first->begin_capture(begun);
    capture = begun;
  }
  static void work(Queue& queue) {
    const RecordScope scope(&queue);
    record([] {});
  }
};

}  // namespace

TEST_CASE("what is recorded between begin and end is what the end gives") {
  World world;
  CHECK(code_of([&] { world.first->end_capture(); }) == 401);
  world.begin();
  CHECK(code_of([&] { world.begin(); }) == 401);
  World::work(*world.first);
  {
    const RecordScope none(world.second.get());  // does not capture
    CHECK(recording() == nullptr);
  }
  CHECK(world.first->end_capture().size() == 1);
  CHECK(world.first->capture() == nullptr);
}

TEST_CASE("queues that join must be waited for, by way of others too") {
  World world;
  world.begin();
  world.event->record(*world.first);
  world.event->hold(*world.second);
  World::work(*world.second);
  world.other->record(*world.second);
  world.other->hold(*world.third);
  World::work(*world.third);
  SUBCASE("the last has waited for the one between") {
    world.event->record(*world.third);
    world.event->hold(*world.first);
    CHECK(world.first->end_capture().size() == 2);
  }
  SUBCASE("the last was not waited for") {
    world.other->hold(*world.first);
    CHECK(code_of([&] { world.first->end_capture(); }) == 904);
  }
  SUBCASE("there is work behind what was waited for") {
    world.event->record(*world.third);
    World::work(*world.second);
    world.event->hold(*world.first);
    CHECK(code_of([&] { world.first->end_capture(); }) == 904);
  }
  CHECK(world.third->capture() == nullptr);
}

TEST_CASE("a capture whose first queue ends is given up") {
  World world;
  world.begin();
  world.event->record(*world.first);
  world.event->hold(*world.second);
  CHECK(world.second->capture() != nullptr);
  world.first = nullptr;
  CHECK(world.second->capture() == nullptr);
  CHECK(code_of([&] { world.event->hold(*world.third); }) == 907);
}

}  // namespace gpy::rt
