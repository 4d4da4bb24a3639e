#pragma once
// How methods of a class with names such as __add__ become what operators and builtins do.

#include <initializer_list>
#include <string_view>

#include "src/type.h"

namespace gpy {

// "__add__": a name that a slot may answer to.
bool is_special_name(std::string_view name);

// Sets the slots of a class, and of the classes made from it, after its attributes or bases
// changed.
void fill_class_slots(Type& type);

// The class's method of that name, unless a builtin type among its bases comes first; null: none.
const Value* find_special(Type* type, Str* name);
const Value* find_special(Interpreter& vm, Type* type, std::string_view name);
// self.NAME(arguments), where `method` was found on self's type; a copy, since the call may change
// the class.
Value call_special(Interpreter& vm, Value method, const Value& self,
                   std::initializer_list<Value> arguments = {});
Value call_special(Interpreter& vm, Value method, const Value& self, const CallArgs& arguments);

// lhs op rhs where at least one is an object of a class: its methods and the reflected ones.
Value class_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);

// What the operand of a class, the right one or the left, says by its own method; NotImplemented
// where it has none.
Value answer_by_method(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs,
                       bool is_right);

// Sets the slots for binary operators that the class has methods for.
void take_operators(Interpreter& vm, Type& type);

// The builtin type whose layout and behaviour the class's objects have, `object` at least.
Type* native_base(Type* type);

// Slots::destroy, and with an object of a class the attributes beside it and its count on the
// class.
void end_with_class(Interpreter& vm, Object* object) noexcept;

// From a native type to one made from it, where it has no own.
void inherit_slots(Slots& own, const Slots& base);

}  // namespace gpy
