#pragma once
// Types of the library are made when first needed and kept for the interpreter: as hidden
// attributes of numpy.generic they live as long as the arrays do.

#include "src/array/arrays.h"

namespace gpy::lib {

template <class Make> Type* kept_type(Interpreter& vm, const char* name, Make&& make) {
  Str* key = vm.intern(name);
  Type* keeper = arrays(vm).generic;
  if (const Value* found = keeper->lookup(key)) return found->as<Type>();
  Type* type = make();
  keeper->set_attribute(key, Value(static_cast<Object*>(type)));
  return type;
}

}  // namespace gpy::lib
