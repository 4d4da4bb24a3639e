#include "src/classes/instance.h"

#include <algorithm>
#include <new>

#include "src/interpreter.h"

namespace gpy {

// --- shapes --------------------------------------------------------------------------------------

int32_t Shape::position_of(Str* name) const {
  constexpr uint32_t kFew = 8;
  if (count_ <= kFew) {
    for (const Shape* at = this; at->count_; at = at->before_) {
      if (at->name_ == name) return static_cast<int32_t>(at->count_) - 1;
    }
    return -1;
  }
  if (positions_.empty()) {
    std::unordered_map<Str*, int32_t> positions;
    for (const Shape* at = this; at->count_; at = at->before_) {
      positions[at->name_] = static_cast<int32_t>(at->count_) - 1;
    }
    positions_.swap(positions);  // all of them or none
  }
  auto found = positions_.find(name);
  return found == positions_.end() ? -1 : found->second;
}

Shape* Shape::with(Str* name) {
  for (auto& each : after_) {
    if (each->name_ == name) return each.get();
  }
  if (count_ == kMost) return nullptr;
  auto next = std::make_unique<Shape>();
  next->before_ = this;
  next->name_ = name;
  next->count_ = count_ + 1;
  after_.push_back(std::move(next));
  return after_.back().get();
}

void DeadShapes::add(std::unique_ptr<Shape> shape) noexcept {
  shape->next_dead_ = std::move(first_);
  first_ = std::move(shape);
  ++count_;
}

void DeadShapes::clear() noexcept {
  while (first_) first_ = std::move(first_->next_dead_);
  count_ = 0;
}

// --- instances -----------------------------------------------------------------------------------

Instance::Instance(Type* type)
    : Object(type),
      shape(type->root_shape.get()),
      own_capacity_(type->instance_capacity),
      capacity_(type->instance_capacity) {
  values = own_values();
  for (uint32_t i = 0; i < capacity_; ++i) new (values + i) Value();
}

Ref<Instance> Instance::make(Type* type) {
  void* block = type->vm->heap.allocate(block_bytes(type->instance_capacity), true);
  return Ref<Instance>(new (block) Instance(type));
}

void Instance::destroy(Object* self) {
  auto* instance = static_cast<Instance*>(self);
  for (uint32_t i = 0; i < instance->capacity_; ++i) instance->values[i].~Value();
  if (instance->values != instance->own_values()) ::operator delete(instance->values);
  Heap& heap = instance->type->vm->heap;
  const size_t bytes = block_bytes(instance->own_capacity_);
  instance->~Instance();
  heap.free(instance, bytes);
}

void Instance::grow() {
  uint32_t wider = std::max<uint32_t>(4, capacity_ * 2);
  auto* moved = static_cast<Value*>(::operator new(wider * sizeof(Value)));
  for (uint32_t i = 0; i < wider; ++i) new (moved + i) Value();
  for (uint32_t i = 0; i < capacity_; ++i) {
    moved[i].swap(values[i]);
    values[i].~Value();
  }
  if (values != own_values()) ::operator delete(values);
  values = moved;
  capacity_ = wider;
}

void Instance::append(Shape* next, const Value& item) {
  if (shape->count() == capacity_) grow();
  values[shape->count()] = item;
  shape = next;
  type->instance_capacity = std::max(type->instance_capacity, next->count());
}

static Str* interned(Interpreter& vm, Str* name) {
  return name->interned ? name : vm.intern(name->view());
}

Value Instance::get(Interpreter& vm, Str* name) const {
  if (!shape) {
    Value* found = attributes->find(name);
    return found ? *found : Value();
  }
  int32_t at = shape->position_of(interned(vm, name));
  return at < 0 ? Value() : values[at];
}

void Instance::set(Interpreter& vm, Str* name, const Value& item) {
  if (!shape) return attributes->set(name, item);
  name = interned(vm, name);
  int32_t at = shape->position_of(name);
  if (at >= 0) {
    Value old = item;
    values[at].swap(old);
    return;
  }
  Shape* next = shape->with(name);
  if (next) return append(next, item);
  dict(vm).set(name, item);
}

bool Instance::erase(Interpreter& vm, Str* name) {
  if (shape && shape->position_of(interned(vm, name)) < 0) return false;
  return dict(vm).erase(name);
}

Dict& Instance::dict(Interpreter& vm) {
  if (!shape) return *attributes;
  std::vector<Str*> names;
  for (const Shape* at = shape; at->count(); at = at->before()) names.push_back(at->last_name());
  Ref<Dict> moved = vm.dict();
  const Value* item = values;
  for (auto name = names.rbegin(); name != names.rend(); ++name) moved->set(*name, *item++);
  attributes = std::move(moved);
  const uint32_t count = std::exchange(shape, nullptr)->count();
  for (uint32_t i = 0; i < count; ++i) values[i] = Value();
  return *attributes;
}

void Instance::traverse(Object* self, Visit visit, void* context) {
  auto* instance = static_cast<Instance*>(self);
  if (instance->attributes) visit(instance->attributes.get(), context);
  if (!instance->shape) return;
  for (uint32_t i = 0; i < instance->shape->count(); ++i) {
    if (instance->values[i].is_object()) visit(instance->values[i].as_object(), context);
  }
}

}  // namespace gpy
