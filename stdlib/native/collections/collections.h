#pragma once
// Declarations that the files of collections share.

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/types/dict.h"
#include "src/types/sequence.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

void add_deque(Interpreter& vm, Module& module);
void add_defaultdict(Interpreter& vm, Module& module);
void add_ordered_dict(Interpreter& vm, Module& module);
void add_counter(Interpreter& vm, Module& module);
void add_namedtuple(Interpreter& vm, Module& module);

// fromkeys(cls, iterable, value) of the dict types.
Value dict_fromkeys(Interpreter& vm, const Value& type, const Value& keys, const Value& value);

// The attributes of an object of a class, for __reduce__; None where it has none.
Value attributes_or_none(Interpreter& vm, const Value& self);

// Adds a dict type under its constructor's name.
template <class T> Type* add_dict_type(Interpreter& vm, Module& module, TypeSpec spec) {
  spec.name = spec.constructor->name;
  spec.module = "collections";
  spec.doc = spec.constructor->doc;
  spec.base = vm.types.dict;
  spec.is_final = false;
  Type* type = vm.make_type<T>(spec);
  module.set(vm, spec.name, Value(type));
  return type;
}

}  // namespace gpy::lib
