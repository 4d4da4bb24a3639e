#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// How many destructors may run inside one another before the rest waits.
static constexpr unsigned kDeepestRelease = 64;

void Interpreter::Graveyard::bury(Object* object) noexcept {
  if (depth_ >= kDeepestRelease) {
    waiting_.push_back(object);
    return;
  }
  ++depth_;
  end(object);
  if (--depth_ == 0) drain();
}

// Lets the object's own code see it once more. True: it lives on.
static bool finalised(Interpreter& vm, Object* object) noexcept {
  object->refs = 1;
  ++vm.state().finalising;
  object->type->slots.finalise(vm, object);
  --vm.state().finalising;
  return --object->refs > 0;
}

void Interpreter::Graveyard::end(Object* object) noexcept {
  Type* type = object->type;
  if (type->slots.finalise && finalised(*type->vm, object)) return;
  bool counted = type->is_class;
  if (counted) forget_attributes(*type->vm, object);
  type->slots.destroy(object);
  if (counted) release(type);
}

void Interpreter::Graveyard::drain() noexcept {
  while (!waiting_.empty()) {
    Object* object = waiting_.back();
    waiting_.pop_back();
    ++depth_;
    end(object);
    --depth_;
  }
}

// What refers to no other object and has no code of its own to run.
static bool ends_alone(const Type& type) {
  return !type.slots.traverse && !type.slots.finalise && !type.is_class;
}

void destroy_object(Object* object) noexcept {
  Type* type = object->type;
  if (ends_alone(*type)) return type->slots.destroy(object);
  type->vm->graveyard_.bury(object);
}

}  // namespace gpy
