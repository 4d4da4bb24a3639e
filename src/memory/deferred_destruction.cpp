#include "src/memory/deferred_destruction.h"

#include <algorithm>
#include <cstddef>

#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// The depth of nested destructors from which on objects wait.
static constexpr unsigned kDeepest = 64;
// The objects that one poll may destroy of those that an interrupt left: about a millisecond.
static constexpr uint64_t kAllowance = 1 << 14;

bool DeferredDestruction::resting() const {
  return allowance_ == 0 || vm_.interrupt_flag().load(std::memory_order_relaxed);
}

void DeferredDestruction::destroy(Object* object) noexcept {
  if (depth_ >= kDeepest || resting()) {
    if (object->layout == ObjectLayout::type) static_cast<Type*>(object)->leave_bases();
    wait(object);
  } else {
    ++depth_;
    end(object);
    --depth_;
  }
  if (depth_ == 0) drain(left_over_);
}

void DeferredDestruction::destroy(Remains* remains) noexcept {
  remains->below_ = top_;
  if (top_) top_->above_ = remains;
  top_ = remains;
  end_remains(remains);
  if (depth_ == 0) drain(left_over_);
}

// --- objects that wait ---------------------------------------------------------------------------

// An object while it waits. Its first word links to the one before it, and is odd as that of a free
// block, so that it is not taken for an object; its type lies where its count was.
struct DeferredDestruction::Waiting {
  explicit Waiting(const Object& object, Waiting* before)
      : link(reinterpret_cast<uintptr_t>(before) | static_cast<uintptr_t>(object.layout) << 48 | 1),
        type(reinterpret_cast<uintptr_t>(object.type)),
        flags(object.flags) {}
  Waiting* before() const { return reinterpret_cast<Waiting*>(link & kAddress); }
  ObjectLayout layout() const { return static_cast<ObjectLayout>(link >> 48 & 0xFF); }

  static constexpr uint64_t kAddress = (uint64_t{1} << 48) - 2;  // addresses have 48 bits
  uint64_t link;
  uint64_t type : 48;
  uint64_t flags : 16;
};

void DeferredDestruction::wait(Object* object) noexcept {
  static_assert(sizeof(Waiting) == 16 && offsetof(Object, flags) == 14);
  const Waiting waiting(*object, last_);
  last_ = new (static_cast<void*>(object)) Waiting(waiting);
  ++waiting_;
}

Object* DeferredDestruction::take_last() noexcept {
  const Waiting waiting = *last_;
  auto* object = reinterpret_cast<Object*>(last_);
  last_ = waiting.before();
  --waiting_;
  object->type = reinterpret_cast<Type*>(static_cast<uintptr_t>(waiting.type));
  object->refs = 0;
  object->layout = waiting.layout();
  object->collector = 0;
  object->flags = static_cast<uint16_t>(waiting.flags);
  return object;
}

// --- ending --------------------------------------------------------------------------------------

// Runs the object's own code for its end. True: it lives on.
static bool finalised(Interpreter& vm, Object* object) noexcept {
  object->refs = 1;
  ++vm.state().finalising;
  object->type->slots.finalise(vm, object);
  --vm.state().finalising;
  return --object->refs > 0;
}

void DeferredDestruction::end(Object* object) noexcept {
  --allowance_;
  const bool speaks = object->type->slots.finalise && !vm_.state().is_closed;
  if (speaks && finalised(vm_, object)) return;
  end_with_class(vm_, object);
}

// Remains that its parts leave over are put above it on the stack, and so end before it: cycles
// free their memory last.
void DeferredDestruction::end_remains(Remains* remains) noexcept {
  bool ended = false;
  ++depth_;
  while (!ended && !resting()) {
    allowance_ -= std::min<uint64_t>(allowance_, Remains::kPart);
    ended = remains->end_part();
  }
  --depth_;
  if (!ended) return vm_.end_rest_later();
  remove(remains);
  delete remains;
}

void DeferredDestruction::remove(Remains* remains) noexcept {
  (remains->above_ ? remains->above_->below_ : top_) = remains->below_;
  if (remains->below_) remains->below_->above_ = remains->above_;
}

void DeferredDestruction::drain(size_t down_to) noexcept {
  while (waiting_ > down_to && !resting()) {
    Object* object = take_last();
    ++depth_;
    end(object);
    --depth_;
  }
  if (waiting_ <= left_over_) return;
  left_over_ = waiting_;
  vm_.end_rest_later();
}

bool DeferredDestruction::end_within(uint64_t allowance) noexcept {
  if (depth_ > 0) return false;
  allowance_ = allowance;
  left_over_ = 0;
  drain(0);
  while (top_ && !resting()) {
    end_remains(top_);
    drain(0);
  }
  const bool ended = waiting_ == 0 && !top_;
  if (ended) allowance_ = UINT64_MAX;
  return ended;
}

bool DeferredDestruction::end_rest() noexcept { return end_within(UINT64_MAX); }

bool DeferredDestruction::end_some() noexcept { return end_within(kAllowance); }

void DeferredDestruction::hurry() noexcept {
  allowance_ = kAllowance;
  vm_.end_rest_later();
}

// Whether objects of the type refer to no others and have no code of their own to run.
static bool ends_alone(const Type& type) {
  return !type.slots.traverse && !type.slots.finalise && !type.is_class;
}

void destroy_object(Object* object) noexcept {
  Type* type = object->type;
  if (ends_alone(*type)) return type->slots.destroy(object);
  type->vm->deferred_destruction.destroy(object);
}

void destroy_in_parts(Interpreter& vm, Remains* remains) noexcept {
  vm.deferred_destruction.destroy(remains);
}

}  // namespace gpy
