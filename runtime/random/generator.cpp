#include "runtime/random/generator.h"

namespace gpy::rt {

std::unique_ptr<BitGenerator> make_bit_generator(std::string_view name) {
  if (name == "PCG64") return std::make_unique<Generator<Pcg64>>();
  if (name == "PCG64DXSM") return std::make_unique<Generator<Pcg64Dxsm>>();
  if (name == "Philox") return std::make_unique<Generator<Philox4x64>>();
  if (name == "MT19937") return std::make_unique<Generator<Mt19937>>();
  if (name == "SFC64") return std::make_unique<Generator<Sfc64>>();
  return nullptr;
}

}  // namespace gpy::rt
