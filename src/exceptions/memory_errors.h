#pragma once
// MemoryErrors for use when there is no memory to make one: some are made in advance. Memory for
// the report of one is reserved as well.

#include <array>
#include <cstddef>
#include <memory>

#include "src/objects/exception.h"

namespace gpy {

class Interpreter;

class MemoryErrors {
 public:
  // Makes those that are missing. Throws std::bad_alloc, and keeps those that it has.
  void prepare(Interpreter& vm);
  // Makes as many of them as there is memory for.
  void try_prepare(Interpreter& vm) noexcept;
  // A new one; without memory one made in advance, and once these are used up the same one again
  // and again. prepare() must have succeeded before.
  Ref<Exception> take(Interpreter& vm) noexcept;
  // Frees the reserved memory. False: it has been freed before.
  bool release_reserve() noexcept { return std::exchange(reserve_, nullptr) != nullptr; }
  // Drops all of them.
  void clear() noexcept;

 private:
  Ref<Exception> take_spare() noexcept;

  std::array<Ref<Exception>, 4> spare_;
  Ref<Exception> last_;
  std::unique_ptr<std::byte[]> reserve_;
};

}  // namespace gpy
