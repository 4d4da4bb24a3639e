#include "src/memory/graveyard.h"

#include <algorithm>

#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// How many destructors may run inside one another before the rest waits.
static constexpr unsigned kDeepest = 64;
// What a poll may end of what an interrupt left over; a millisecond.
static constexpr uint64_t kAllowance = 1 << 14;

bool Graveyard::resting() const {
  return allowance_ == 0 || vm_.interrupt_flag().load(std::memory_order_relaxed);
}

void Graveyard::bury(Object* object) noexcept {
  if (depth_ >= kDeepest || resting()) {
    if (object->layout == Layout::type) static_cast<Type*>(object)->leave_bases();
    waiting_.push_back(object);
  } else {
    ++depth_;
    end(object);
    --depth_;
  }
  if (depth_ == 0) drain(left_over_);
}

void Graveyard::bury(std::unique_ptr<Remains> remains) noexcept {
  remains_.push_back(std::move(remains));
  end_remains(remains_.size() - 1);
  if (depth_ == 0) drain(left_over_);
}

// Lets the object's own code see it once more. True: it lives on.
static bool finalised(Interpreter& vm, Object* object) noexcept {
  object->refs = 1;
  ++vm.state().finalising;
  object->type->slots.finalise(vm, object);
  --vm.state().finalising;
  return --object->refs > 0;
}

void Graveyard::end(Object* object) noexcept {
  --allowance_;
  const bool speaks = object->type->slots.finalise && !vm_.state().is_closed;
  if (speaks && finalised(vm_, object)) return;
  end_with_class(vm_, object);
}

// What is left over of its parts comes to lie behind it, and so ends before it: rings free their
// memory last.
void Graveyard::end_remains(size_t at) noexcept {
  Remains& remains = *remains_[at];
  bool ended = false;
  ++depth_;
  while (!ended && !resting()) {
    allowance_ -= std::min<uint64_t>(allowance_, Remains::kPart);
    ended = remains.end_part();
  }
  --depth_;
  if (ended) {
    remains_.erase(remains_.begin() + static_cast<ptrdiff_t>(at));
  } else {
    vm_.end_rest_later();
  }
}

void Graveyard::drain(size_t down_to) noexcept {
  while (waiting_.size() > down_to && !resting()) {
    Object* object = waiting_.back();
    waiting_.pop_back();
    ++depth_;
    end(object);
    --depth_;
  }
  if (waiting_.size() <= left_over_) return;
  left_over_ = waiting_.size();
  vm_.end_rest_later();
}

bool Graveyard::end_within(uint64_t allowance) noexcept {
  if (depth_ > 0) return false;
  allowance_ = allowance;
  left_over_ = 0;
  drain(0);
  while (!remains_.empty() && !resting()) {
    end_remains(remains_.size() - 1);
    drain(0);
  }
  const bool ended = waiting_.empty() && remains_.empty();
  if (ended) allowance_ = UINT64_MAX;
  return ended;
}

bool Graveyard::end_rest() noexcept { return end_within(UINT64_MAX); }

bool Graveyard::end_some() noexcept { return end_within(kAllowance); }

void Graveyard::hurry() noexcept {
  allowance_ = kAllowance;
  vm_.end_rest_later();
}

// What refers to no other object and has no code of its own to run.
static bool ends_alone(const Type& type) {
  return !type.slots.traverse && !type.slots.finalise && !type.is_class;
}

void destroy_object(Object* object) noexcept {
  Type* type = object->type;
  if (ends_alone(*type)) return type->slots.destroy(object);
  type->vm->graveyard.bury(object);
}

void bury(Interpreter& vm, std::unique_ptr<Remains> remains) noexcept {
  vm.graveyard.bury(std::move(remains));
}

}  // namespace gpy
