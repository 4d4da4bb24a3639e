#pragma once
// The types behind numpy.random, cupy.random and gp.random.

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

Type* generator_type(Interpreter& vm);
Value make_default_rng(Interpreter& vm, const Value& seed);

Type* random_state_type(Interpreter& vm);
Value make_random_state(Interpreter& vm);  // seeded by the system
// The bit generator of a RandomState; undefined for other objects.
Value state_bit_generator(Interpreter& vm, const Value& state);
// Gives a RandomState another bit generator.
void set_state_bit_generator(Interpreter& vm, const Value& state, const Value& bit_generator);

// cupy.random's and gp.random's, each with types of its own.
Type* philox_type(Interpreter& vm, const Namespace& names);
Value make_philox(Interpreter& vm, const Namespace& names, const Value& seed);
Type* philox_state_type(Interpreter& vm, const Namespace& names);
Value make_philox_state(Interpreter& vm, const Namespace& names);  // seeded by the system

}  // namespace gpy::lib
