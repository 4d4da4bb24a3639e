#pragma once
// Fills the slots that operators and builtins call from methods of a class such as __add__.

#include <initializer_list>
#include <string_view>

#include "src/type.h"

namespace gpy {

// Whether a name is one that a slot may call: "__add__".
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

// The result of the own method of one operand's class, of the right one or the left; NotImplemented
// where it has none.
Value answer_by_method(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs,
                       bool is_right);

// Sets the slots for binary operators that the class has methods for.
void take_operators(Interpreter& vm, Type& type);

// The builtin type whose layout and behaviour the class's objects have, `object` at least.
Type* native_base(Type* type);

// Slots::destroy; for an object of a class it also ends the attributes beside it and its count on
// the class.
void end_with_class(Interpreter& vm, Object* object) noexcept;

// Copies slots from a native type to one made from it, where it has none of its own.
void inherit_slots(Slots& own, const Slots& base);

}  // namespace gpy
