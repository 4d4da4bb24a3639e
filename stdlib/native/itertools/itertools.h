#pragma once
// Declarations that the files of itertools share: making an iterator type, and reusing tuples.

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/types/sequence.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

// These add the types of each file to the module.
void add_counting(Interpreter& vm, Module& module);
void add_streams(Interpreter& vm, Module& module);
void add_parallel(Interpreter& vm, Module& module);
void add_groups(Interpreter& vm, Module& module);
void add_combinations(Interpreter& vm, Module& module);

using Next = Value (*)(Interpreter&, const Value& self);

// Adds an iterator type to the module, under its constructor's name.
template <class T>
Type* add_iterator(Interpreter& vm, Module& module, const Native& constructor, Next next,
                   TypeSpec spec = {}) {
  spec.name = constructor.name;
  spec.module = "itertools";
  spec.doc = constructor.doc;
  spec.constructor = &constructor;
  spec.slots.iter = iterator_itself;
  spec.slots.next = next;
  spec.slots.traverse = traverse_fields<T>;
  Type* type = vm.make_type<T>(spec);
  module.set(vm, constructor.name, Value(type));
  return type;
}

// A tuple to fill: the last one given out if nobody kept it.
inline Ref<Tuple> fresh_tuple(Interpreter& vm, Ref<Tuple>& last, size_t size) {
  if (!last || last->refs != 1) last = Tuple::make_uninitialised(vm, size);
  return last;
}

}  // namespace gpy::lib
