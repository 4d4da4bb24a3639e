#include "src/interpreter.h"

namespace gpy {

Object::Object(Type* type) : type(type), layout(type ? type->instance_layout : Layout::type) {
  if (type && type->is_class) retain(type);
}

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

void Interpreter::Graveyard::end(Object* object) noexcept {
  Type* type = object->type;
  bool counted = type->is_class;
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

void destroy_object(Object* object) noexcept { object->type->vm->graveyard_.bury(object); }

}  // namespace gpy
