#pragma once
// MemoryErrors for when there is no memory to make one: some are made while there is. Memory for
// the report of one is laid aside as well.

#include <array>
#include <cstddef>
#include <memory>

#include "src/objects/exception.h"

namespace gpy {

class Interpreter;

class MemoryErrors {
 public:
  // Makes what is missing. Throws std::bad_alloc, and keeps what it has.
  void prepare(Interpreter& vm);
  // As far as there is memory.
  void try_prepare(Interpreter& vm) noexcept;
  // A new one; without memory one made before, and once these are used up the same again and again.
  // Once prepare() has come back.
  Ref<Exception> take(Interpreter& vm) noexcept;
  // Gives back the memory that was laid aside. False: it has been given back before.
  bool release_reserve() noexcept { return std::exchange(reserve_, nullptr) != nullptr; }
  // Lets go of all.
  void clear() noexcept;

 private:
  Ref<Exception> take_spare() noexcept;

  std::array<Ref<Exception>, 4> spare_;
  Ref<Exception> last_;
  std::unique_ptr<std::byte[]> reserve_;
};

}  // namespace gpy
