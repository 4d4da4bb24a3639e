#pragma once
// What the classes of bit generators, which are written in gpy, hold: the engine of one.

#include <memory>

#include "runtime/random/bit_generator.h"
#include "runtime/random/mt19937.h"
#include "src/interpreter.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

struct BitEngine : Object {
  static constexpr ObjectLayout kLayout = kBitEngineLayout;
  BitEngine(Type* type, std::shared_ptr<rt::BitGenerator> bits)
      : Object(type), bits(std::move(bits)) {}
  std::shared_ptr<rt::BitGenerator> bits;
};

Value make_bit_engine(Interpreter& vm, std::shared_ptr<rt::BitGenerator> bits);
// The engine of a bit generator; null for other objects.
std::shared_ptr<rt::BitGenerator> engine_of(Interpreter& vm, const Value& bit_generator);
// As numpy.random.seed: None, an int below 2 ** 32, or a sequence of such.
rt::Mt19937 legacy_seeded(Interpreter& vm, const Value& seed);

// What the families of gpy have for bit generators and seed sequences.
std::span<const Native> bit_engine_rows();

}  // namespace gpy::lib
