#include "src/memory/collector.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "src/classes/class_slots.h"
#include "src/classes/instance.h"
#include "src/code.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// What Object::collector holds while a collection runs.
enum Mark : uint8_t { kOutside = 0, kSuspect, kHeld };

using Objects = std::vector<Object*>;

static void visit_children(Object* object, Visit visit, void* context) {
  if (auto traverse = object->type->slots.traverse) traverse(object, visit, context);
  if (object->type->is_class) visit(object->type, context);
}

static Objects suspects(Interpreter& vm) {
  Objects all;
  vm.heap.for_each_tracked([&](Object* object) {
    object->collector = kSuspect;
    all.push_back(object);
  });
  // Attributes make a ring possible through what else has none, a str of a class for one.
  for (auto& [object, attributes] : vm.state().own_attributes) {
    if (object->collector == kSuspect) continue;
    object->collector = kSuspect;
    all.push_back(object);
  }
  return all;
}

static void take_off(Object* object) {
  auto visit = [](Object* child, void*) {
    if (child->collector != kOutside) --child->refs;
  };
  visit_children(object, visit, nullptr);
}

// Gives its children the counts back that were taken off; those that become known to be held wait
// for the same.
static void give_back(Object* object, Objects* held) {
  auto visit = [](Object* child, void* context) {
    if (child->collector == kOutside) return;
    ++child->refs;
    if (!context || child->collector == kHeld) return;
    child->collector = kHeld;
    static_cast<Objects*>(context)->push_back(child);
  };
  visit_children(object, visit, held);
}

static void find_held(const Objects& all) {
  Objects held;
  for (Object* object : all) {
    if (object->refs == 0 || object->collector == kHeld) continue;
    object->collector = kHeld;
    held.push_back(object);
    while (!held.empty()) {
      Object* next = held.back();
      held.pop_back();
      give_back(next, &held);
    }
  }
}

static Objects find_garbage(Interpreter& vm) {
  Objects all = suspects(vm);
  for (Object* object : all) take_off(object);
  find_held(all);
  Objects garbage;
  std::copy_if(all.begin(), all.end(), std::back_inserter(garbage),
               [](Object* object) { return object->collector == kSuspect; });
  for (Object* object : garbage) give_back(object, nullptr);
  for (Object* object : all) object->collector = kOutside;
  return garbage;
}

// Calls the finalisers of what is found to be garbage, with all of it in place. True: there were
// some, so that what is garbage has to be found again.
static bool finalise(Interpreter& vm, const Objects& garbage, std::unordered_set<Object*>& done) {
  Objects due;
  for (Object* object : garbage) {
    if (object->type->slots.finalise && done.insert(object).second) due.push_back(object);
  }
  for (Object* object : due) retain(object);
  for (Object* object : due) object->type->slots.finalise(vm, object);
  for (Object* object : due) release(object);
  return !due.empty();
}

// A frame needs the code that it runs, so it goes before.
static void end_generators(const Objects& garbage) {
  for (Object* object : garbage) {
    if (object->layout != Layout::generator) continue;
    if (Frame* frame = std::exchange(static_cast<Generator*>(object)->frame, nullptr)) {
      free_frame(frame);
    }
  }
}

// Ends all of them, in any order: each is held by a count of its own and its memory is kept until
// none is left.
static void end_all(Interpreter& vm, Objects& garbage) {
  constexpr uint32_t kHold = 1u << 30;
  for (Object* object : garbage) object->refs += kHold;
  end_generators(garbage);
  // Classes last, and a base after what derives from it.
  auto is_other = [](Object* object) { return object->layout != Layout::type; };
  auto types = std::partition(garbage.begin(), garbage.end(), is_other);
  auto rank = [](Object* object) { return static_cast<Type*>(object)->mro.size(); };
  std::sort(types, garbage.end(), [&](Object* a, Object* b) { return rank(a) > rank(b); });
  vm.heap.hold();
  for (Object* object : garbage) {
    Type* type = object->type;
    bool counted = type->is_class;
    if (counted) forget_attributes(vm, object);
    type->slots.destroy(object);
    if (counted) release(type);
  }
  vm.heap.let_go();
}

// Lets go of the shapes of classes that are gone, once no place in the code knows any.
static void end_shapes(Interpreter& vm) {
  auto& dead = vm.state().dead_shapes;
  if (dead.empty()) return;
  vm.heap.for_each_tracked([](Object* object) {
    if (object->layout != Layout::code) return;
    for (Site& site : static_cast<Code*>(object)->sites) {
      if (!site.shape) continue;
      site.kind = Site::unknown;
      site.shape = nullptr;
      site.next_shape = nullptr;
    }
  });
  dead.clear();
}

static constexpr size_t kObjectBytes = 64;  // one with another
// Building a structure of any size then costs a visit for each of its objects, or less; the visits
// take a tenth of the time that it takes to make them.
static constexpr size_t kGrowth = 3;

void Collector::plan(Heap& heap) {
  heap.collect_at = threshold ? left_ * kGrowth + threshold * kObjectBytes : SIZE_MAX;
}

size_t Collector::count(const Heap& heap) const {
  return heap.tracked_bytes() > left_ ? (heap.tracked_bytes() - left_) / kObjectBytes : 0;
}

size_t Collector::collect(Interpreter& vm) {
  // What is being ended is neither whole nor gone.
  if (running_ || vm.state().finalising) return 0;
  running_ = true;
  Objects garbage = find_garbage(vm);
  std::unordered_set<Object*> finalised;
  while (finalise(vm, garbage, finalised)) garbage = find_garbage(vm);
  if (!garbage.empty()) end_all(vm, garbage);
  end_shapes(vm);
  left_ = vm.heap.tracked_bytes();
  plan(vm.heap);
  running_ = false;
  return garbage.size();
}

}  // namespace gpy
