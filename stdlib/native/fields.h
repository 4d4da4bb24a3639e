#pragma once
// The values that native objects hold, named once: a struct lists its values in `each_field`, and
// traverse_fields is then its Slots::traverse.
//
//   struct Chain : Object {
//     Value outer, inner;
//     template <class F> void each_field(F&& f) { f(outer); f(inner); }
//   };

#include "src/memory/traverse.h"

namespace gpy::lib {

template <class T> void traverse_fields(Object* self, Visit visit, void* context) {
  static_cast<T*>(self)->each_field([&](const auto& field) { report(field, visit, context); });
}

}  // namespace gpy::lib
