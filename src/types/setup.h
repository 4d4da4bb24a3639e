#pragma once
// One function a builtin type, each in its own file of this folder: makes the type (slots, methods,
// constructor) and stores it in vm.types. Called once, in this order, when an interpreter starts.
// Tables are rows; nothing is looked up or parsed before it is used, so that starting is cheap.

namespace gpy {

class Interpreter;

// src/types/: values
void setup_singletons(Interpreter& vm);  // NoneType, NotImplementedType, ellipsis
void setup_numbers(
    Interpreter& vm);  // bool, int, float, complex (arithmetic: src/numbers/number.h)
void setup_str(Interpreter& vm);
void setup_bytes(Interpreter& vm);
void setup_list(Interpreter& vm);   // and its iterator
void setup_tuple(Interpreter& vm);  // and its iterator
void setup_dict(Interpreter& vm);   // and its views
void setup_set(Interpreter& vm);    // set and frozenset
void setup_slice(Interpreter& vm);
void setup_range(Interpreter& vm);  // and its iterator

// src/: the interpreter's own types
void setup_object(Interpreter& vm);  // object, type
void setup_functions(Interpreter& vm);
void setup_modules(Interpreter& vm);
void setup_exceptions(Interpreter& vm);
void setup_generators(Interpreter& vm);
void setup_class_attributes(Interpreter& vm);  // property, staticmethod, classmethod
void setup_super(Interpreter& vm);
void setup_index_iterator(Interpreter& vm);

// src/builtins/: print, len, ... into vm.builtins, and the types by name
void setup_builtins(Interpreter& vm);

}  // namespace gpy
