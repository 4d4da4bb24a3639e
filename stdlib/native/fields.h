#pragma once
// What native objects hold, named once: a struct lists its values in `each_field`, and
// traverse_fields is then its Slots::traverse.
//
//   struct Chain : Object {
//     Value outer, inner;
//     template <class F> void each_field(F&& f) { f(outer); f(inner); }
//   };

#include <vector>

#include "src/value.h"

namespace gpy::lib {

struct FieldVisitor {
  void (*visit)(Object*, void*);
  void* context;

  void operator()(const Value& value) const {
    if (value.is_object()) visit(value.as_object(), context);
  }
  void operator()(const std::vector<Value>& values) const {
    for (const Value& each : values) (*this)(each);
  }
  template <class T> void operator()(const Ref<T>& object) const {
    if (object) visit(static_cast<Object*>(object.get()), context);
  }
};

template <class T>
void traverse_fields(Object* self, void (*visit)(Object*, void*), void* context) {
  static_cast<T*>(self)->each_field(FieldVisitor{visit, context});
}

}  // namespace gpy::lib
