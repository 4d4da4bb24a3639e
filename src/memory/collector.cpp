#include "src/memory/collector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <unordered_set>

#include "src/classes/class_slots.h"
#include "src/classes/instance.h"
#include "src/code.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/memory/tally.h"
#include "src/state.h"

namespace gpy {

// Thrown by a collection that an interrupt ends; it has changed nothing.
struct GivenUp {};

// Like InterruptPoll, for work that must not raise in its midst: it throws GivenUp.
class InterruptWatch {
 public:
  explicit InterruptWatch(const Interpreter& vm) : interrupted_(vm.interrupt_flag()) {}
  void step() {
    if (pace_.is_time() && interrupted_.load(std::memory_order_relaxed)) throw GivenUp();
  }

 private:
  const std::atomic<bool>& interrupted_;
  Pace pace_;
};

using Objects = std::vector<Object*>;

// The references among tracked objects are counted. An object with more than those is held from
// outside, and so is everything that it refers to.
class Search {
 public:
  explicit Search(Interpreter& vm) : watch_(vm), counts_(vm.heap) {
    // Attributes allow cycles through objects that have none otherwise, a str of a class for one.
    for (auto& [object, attributes] : vm.state().own_attributes) counts_.add(object);
  }
  Objects garbage() {
    counts_.for_each([&](Object* object, uint32_t&) { visit_children(object, count); });
    for (size_t i = 0; i < kAhead; ++i) add_one(come(Found()));
    counts_.for_each([&](Object* object, uint32_t& found) {
      if (!(found & kHeld) && object->refs > found) hold(come({object, &found}));
    });
    hold_rest();
    Objects rest;
    counts_.for_each([&](Object* object, uint32_t& found) {
      watch_.step();
      if (!(found & kHeld)) rest.push_back(object);
    });
    return rest;
  }

 private:
  static constexpr uint32_t kHeld = 1u << 31;
  static constexpr size_t kAhead = 16;
  struct Found {
    Object* object = nullptr;
    uint32_t* number = nullptr;  // null: none
  };

  // Prefetches the number of `next`, and returns the object that came kAhead calls before.
  Found come(Found next) {
    __builtin_prefetch(next.number);
    return std::exchange(coming_[came_++ % kAhead], next);
  }
  Found come(Object* object) { return come({object, counts_.of(object)}); }

  void visit_children(Object* object, Visit visit) {
    watch_.step();
    if (auto traverse = object->type->slots.traverse) traverse(object, visit, this);
    if (object->type->is_class) visit(object->type, this);
  }
  static void count(Object* child, void* context) {
    auto* search = static_cast<Search*>(context);
    search->watch_.step();
    add_one(search->come(child));
  }
  static void add_one(Found found) {
    if (found.number) ++*found.number;
  }
  static void hold_child(Object* child, void* context) {
    auto* search = static_cast<Search*>(context);
    search->watch_.step();
    __builtin_prefetch(child);
    search->mark(search->come(child));
  }
  void mark(Found found) {
    if (!found.number || (*found.number & kHeld)) return;
    *found.number |= kHeld;
    marked_.push_back(found.object);
  }
  void hold(Found found) {
    mark(found);
    while (!marked_.empty()) {
      Object* held = marked_.back();
      marked_.pop_back();
      visit_children(held, hold_child);
    }
  }
  void hold_rest() {
    for (size_t idle = 0; idle < kAhead;) {
      const Found found = come(Found());
      idle = found.number ? 0 : idle + 1;
      hold(found);
    }
  }

  InterruptWatch watch_;
  Tally counts_;
  Objects marked_;
  std::array<Found, kAhead> coming_;
  size_t came_ = 0;
};

static Objects find_garbage(Interpreter& vm) { return Search(vm).garbage(); }

// Calls the finalisers of garbage, with all of it in place. True: there were some, so garbage has
// to be searched again.
static bool finalise(Interpreter& vm, const Objects& garbage, std::unordered_set<Object*>& done) {
  Objects due;
  if (vm.state().is_closed) return false;
  for (Object* object : garbage) {
    if (object->type->slots.finalise && done.insert(object).second) due.push_back(object);
  }
  for (Object* object : due) retain(object);
  for (Object* object : due) object->type->slots.finalise(vm, object);
  for (Object* object : due) release(object);
  return !due.empty();
}

// Destroys the objects of cycles, in any order: each is held by an added count, and memory is kept
// until all have ended.
class Collector::Cycles : public Remains {
 public:
  Cycles(Interpreter& vm, Objects garbage) : vm_(vm), garbage_(std::move(garbage)) {
    auto is_other = [](Object* object) { return object->layout != ObjectLayout::type; };
    auto types = std::partition(garbage_.begin(), garbage_.end(), is_other);
    // Classes come last, and a base after the classes derived from it.
    auto rank = [](Object* object) { return static_cast<Type*>(object)->mro.size(); };
    std::sort(types, garbage_.end(), [&](Object* a, Object* b) { return rank(a) > rank(b); });
    std::for_each(types, garbage_.end(),
                  [](Object* object) { static_cast<Type*>(object)->leave_bases(); });
    vm.heap.hold();
  }
  bool end_part() noexcept override {
    if (step_ < std::size(kSteps)) {
      do_part(kSteps[step_]);
      return false;
    }
    if (!vm_.heap.release_held(kPart)) return false;
    vm_.collector.end(vm_);
    return true;
  }

 private:
  using EndingPart = void (*)(Interpreter&, Object*);
  static void hold(Interpreter&, Object* object) { object->refs += 1u << 30; }
  // A frame needs the code that it runs, so frames end first.
  static void end_frame(Interpreter&, Object* object) {
    if (object->layout != ObjectLayout::generator) return;
    if (Frame* frame = std::exchange(static_cast<Generator*>(object)->frame, nullptr)) {
      free_frame(frame);
    }
  }
  static constexpr EndingPart kSteps[] = {hold, end_frame, end_with_class};

  void do_part(EndingPart step) {
    const size_t end = std::min(garbage_.size(), next_ + kPart);
    for (; next_ < end; ++next_) step(vm_, garbage_[next_]);
    if (next_ < garbage_.size()) return;
    next_ = 0;
    ++step_;
  }

  Interpreter& vm_;
  Objects garbage_;
  size_t step_ = 0, next_ = 0;
};

// Frees the shapes of destroyed classes, once no place in the code refers to them.
static void end_shapes(Interpreter& vm) {
  auto& dead = vm.state().dead_shapes;
  if (dead.count() == 0) return;
  InterruptWatch watch(vm);
  vm.heap.for_each_tracked([&](Object* object) {
    watch.step();
    if (object->layout != ObjectLayout::code) return;
    for (Site& site : static_cast<Code*>(object)->sites) {
      if (!site.shape) continue;
      site.kind = Site::unknown;
      site.shape = nullptr;
      site.next_shape = nullptr;
    }
  });
  dead.clear();
}

static constexpr size_t kObjectBytes = 64;  // on average
// Building a structure of any size then costs a visit for each of its objects, or less; the visits
// take a tenth of the time that it takes to make them.
static constexpr size_t kGrowth = 3;

void Collector::plan(Heap& heap, size_t bytes) const {
  heap.collect_at = threshold ? bytes + threshold * kObjectBytes : SIZE_MAX;
}

void Collector::plan(Heap& heap) const { plan(heap, left_ * kGrowth); }

size_t Collector::count(const Heap& heap) const {
  return heap.tracked_bytes() > left_ ? (heap.tracked_bytes() - left_) / kObjectBytes : 0;
}

// False: an interrupt came, or memory is short.
bool Collector::find(Interpreter& vm, Objects& garbage) {
  try {
    garbage = find_garbage(vm);
    std::unordered_set<Object*> finalised;
    while (finalise(vm, garbage, finalised)) {
      // Objects that wait there have no references, as garbage has, and must end before it.
      if (!vm.deferred_destruction.end_rest()) return false;
      garbage = find_garbage(vm);
    }
    return true;
  } catch (const GivenUp&) {
  } catch (const std::bad_alloc&) {
  }
  return false;
}

size_t Collector::collect(Interpreter& vm) {
  // Objects that are being destroyed are neither whole nor gone.
  if (vm.state().finalising || !vm.deferred_destruction.end_rest() || running_) return 0;
  running_ = true;
  Objects garbage;
  if (!find(vm, garbage)) {
    give_up(vm);
    return 0;
  }
  const size_t count = garbage.size();
  if (count == 0) {
    end(vm);
    return 0;
  }
  if (try_destroy_in_parts<Cycles>(vm, vm, std::move(garbage))) return count;
  give_up(vm);
  return 0;
}

void Collector::give_up(Interpreter& vm) {
  plan(vm.heap, vm.heap.tracked_bytes());
  running_ = false;
}

void Collector::end(Interpreter& vm) {
  try {
    end_shapes(vm);
  } catch (const GivenUp&) {  // the next collection tries again
  }
  left_ = vm.heap.tracked_bytes();
  plan(vm.heap);
  running_ = false;
}

}  // namespace gpy
