#include "runtime/random/random_state.h"

#include "runtime/random/generator.h"

namespace gpy::rt {

RandomState::RandomState() : RandomState(Mt19937(SeedSequence::from_system())) {}

RandomState::RandomState(const Mt19937& bits) : bits_(std::make_shared<Generator<Mt19937>>(bits)) {}

}  // namespace gpy::rt
