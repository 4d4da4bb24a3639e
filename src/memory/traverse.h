#pragma once
// Slots::traverse from the members that refer to objects:
//   .traverse = traverse<&BoundMethod::function, &BoundMethod::self>

#include <vector>

#include "src/type.h"
#include "src/value.h"

namespace gpy {

inline void report(const Value& value, Visit visit, void* context) {
  if (value.is_object()) visit(value.as_object(), context);
}
template <class T> void report(const Ref<T>& object, Visit visit, void* context) {
  if (object) visit(object.get(), context);
}
template <class T> void report(const std::vector<T>& all, Visit visit, void* context) {
  for (const T& each : all) report(each, visit, context);
}

template <class T, class M> T owner_of_member(M T::*);

template <auto first, auto... members> void traverse(Object* self, Visit visit, void* context) {
  using T = decltype(owner_of_member(first));
  auto* object = static_cast<T*>(self);
  report(object->*first, visit, context);
  (report(object->*members, visit, context), ...);
}

}  // namespace gpy
