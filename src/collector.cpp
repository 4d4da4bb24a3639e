#include "src/collector.h"

#include <algorithm>
#include <iterator>

#include "src/classes/class_slots.h"
#include "src/code.h"
#include "src/frame.h"
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
  vm.heap.for_each_tracked([&](Object* object) { all.push_back(object); });
  for (Object* object : all) object->collector = kSuspect;
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

// A frame needs the code that it runs, so it goes before.
static void end_generators(const Objects& garbage) {
  for (Object* object : garbage) {
    if (object->layout != Layout::generator) continue;
    if (Frame* frame = std::exchange(static_cast<Generator*>(object)->frame, nullptr)) {
      free_frame(frame);
    }
  }
}

// True if any had something to say: then what is garbage must be found anew.
static bool finalise(Interpreter& vm, const Objects& garbage) {
  auto speaks = [](Object* object) { return object->type->slots.finalise != nullptr; };
  if (std::none_of(garbage.begin(), garbage.end(), speaks)) return false;
  for (Object* object : garbage) retain(object);
  for (Object* object : garbage) {
    if (speaks(object)) object->type->slots.finalise(vm, object);
  }
  for (Object* object : garbage) release(object);
  return true;
}

// Objects need their class to the end, and a class its bases.
static void put_classes_last(Objects& garbage) {
  auto order = [](const Object* object) {
    constexpr size_t kFirst = SIZE_MAX;
    return object->layout == Layout::type ? static_cast<const Type*>(object)->mro.size() : kFirst;
  };
  std::stable_sort(garbage.begin(), garbage.end(),
                   [&](Object* a, Object* b) { return order(a) > order(b); });
}

// Ends all of them, in any order: each is held by a count of its own and its memory is kept until
// none is left.
static void end_all(Interpreter& vm, const Objects& garbage) {
  constexpr uint32_t kHold = 1u << 30;
  for (Object* object : garbage) object->refs += kHold;
  end_generators(garbage);
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

static constexpr size_t kObjectBytes = 64;  // one with another

void Collector::plan(Heap& heap) {
  heap.collect_at = threshold ? left_ * 2 + threshold * kObjectBytes : SIZE_MAX;
}

size_t Collector::count(const Heap& heap) const {
  return heap.tracked_bytes() > left_ ? (heap.tracked_bytes() - left_) / kObjectBytes : 0;
}

size_t Collector::collect(Interpreter& vm) {
  if (std::exchange(running_, true)) return 0;
  Objects garbage = find_garbage(vm);
  if (finalise(vm, garbage)) garbage = find_garbage(vm);
  put_classes_last(garbage);
  if (!garbage.empty()) end_all(vm, garbage);
  left_ = vm.heap.tracked_bytes();
  plan(vm.heap);
  running_ = false;
  return garbage.size();
}

}  // namespace gpy
