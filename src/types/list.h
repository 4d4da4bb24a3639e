#pragma once
// Shared declarations of the files of list.

#include <span>

#include "src/interpreter.h"

namespace gpy {

std::span<const Native> list_methods();
void extend_list(Interpreter& vm, const Value& list, const Value& iterable);
// Repeats the list in place, and returns it.
Value repeat_list(Interpreter& vm, const Value& list, const Value& times);
void set_list_slice(Interpreter& vm, const Value& list, const Slice& slice, const Value& iterable);
void delete_list_slice(Interpreter& vm, const Value& list, const Slice& slice);

}  // namespace gpy
