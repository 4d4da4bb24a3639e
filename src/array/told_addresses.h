#pragma once
// From addresses that a script was told back to the memory that they are in.

#include <cstdint>
#include <map>
#include <optional>

#include "runtime/core/array.h"

namespace gpy {

class ToldAddresses {
 public:
  struct Found {
    rt::Array bytes;  // the whole memory, as uint8
    int64_t offset;   // of the address in it
  };

  // The memory of an array of the host begins at `first`, and is lent for good.
  void tell(const rt::Array& array, uintptr_t first);
  // nullopt: no array that is alive holds the address.
  std::optional<Found> find(uintptr_t address);
  // Gives memory back that nobody else holds. True if there was some.
  bool forget_dead();

 private:
  std::map<uintptr_t, rt::Array> by_first_;
};

}  // namespace gpy
