#pragma once
// Making classes and their objects.

#include <span>
#include <string_view>

#include "src/calls/call.h"
#include "src/type.h"

namespace gpy {

// class NAME(bases, keywords): with what its body left in `names`. TypeError for bases that do not
// go together.
Ref<Type> make_class(Interpreter& vm, std::string_view name, std::span<const Value> bases,
                     Ref<Dict> names, Dict* keywords = nullptr);

// ValueError for a zero in it, UnicodeEncodeError for a surrogate.
void check_class_name(Interpreter& vm, std::string_view name);

// TypeError for a name that would have an effect in CPython and has none here: __get__.
void refuse_left_out(Interpreter& vm, Str* name);

// CLASS(arguments): __new__, then __init__.
Value make_object(Interpreter& vm, Type* type, const CallArgs& arguments);
// The effect of __new__ and __init__ where the classes above `type` do not define them.
Value make_natively(Interpreter& vm, Type* type, const CallArgs& arguments);
void initialise_natively(Interpreter& vm, Type* native, const Value& self,
                         const CallArgs& arguments);

// `made` by a builtin type's constructor, as an object of the class over it.
Value adopt(Interpreter& vm, Type* type, Value made);

}  // namespace gpy
