#pragma once
// Objects of classes. An instance keeps its attributes in a row; its shape, which it shares with
// all instances that got the same attributes in the same order, has their positions. A place in the
// code that saw a shape finds the attribute again with one comparison. Shapes belong to a class, so
// a shape also identifies the class. An instance whose __dict__ was read, that lost an attribute or
// that has very many keeps them in a dict from then on, and has no shape.

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/objects/dict.h"
#include "src/objects/str.h"
#include "src/type.h"

namespace gpy {

class Shape {
 public:
  static constexpr uint32_t kMost = 64;  // attributes; beyond, a dict

  Shape() = default;
  uint32_t count() const { return count_; }
  const Shape* before() const { return before_; }
  Str* last_name() const { return name_; }
  // -1: no such attribute. `name` is interned.
  int32_t position_of(Str* name) const;
  // The shape with one more attribute; null when there would be too many.
  Shape* with(Str* name);

 private:
  const Shape* before_ = nullptr;
  Str* name_ = nullptr;
  uint32_t count_ = 0;
  std::vector<std::unique_ptr<Shape>> after_;
  mutable std::unordered_map<Str*, int32_t> positions_;  // made at need, where there are many
  friend class DeadShapes;
  std::unique_ptr<Shape> next_dead_;
};

// Shapes of destroyed classes. Adding one allocates nothing: classes end for lack of memory too.
class DeadShapes {
 public:
  DeadShapes() = default;
  ~DeadShapes() { clear(); }
  DeadShapes(const DeadShapes&) = delete;
  DeadShapes& operator=(const DeadShapes&) = delete;
  void add(std::unique_ptr<Shape> shape) noexcept;
  void clear() noexcept;
  size_t count() const { return count_; }

 private:
  std::unique_ptr<Shape> first_;
  size_t count_ = 0;
};

struct Instance : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::instance;
  static Ref<Instance> make(Type* type);
  static void destroy(Object* self);

  Shape* shape;   // null: the attributes are in `attributes`
  Value* values;  // shape->count() of them
  Ref<Dict> attributes;

  // Undefined when there is none.
  Value get(Interpreter& vm, Str* name) const;
  void set(Interpreter& vm, Str* name, const Value& item);
  bool erase(Interpreter& vm, Str* name);
  // Adds an attribute: the one that `next`, a child of `shape`, has beyond it.
  void append(Shape* next, const Value& item);
  // Its attributes as a dict, which they are kept in from now on.
  Dict& dict(Interpreter& vm);
  static void traverse(Object* self, Visit visit, void* context);

 private:
  explicit Instance(Type* type);
  Value* own_values() { return reinterpret_cast<Value*>(this + 1); }
  static size_t block_bytes(uint32_t capacity) {
    return sizeof(Instance) + capacity * sizeof(Value);
  }
  void grow();
  uint32_t own_capacity_;  // of the row behind the object
  uint32_t capacity_;
};

}  // namespace gpy
