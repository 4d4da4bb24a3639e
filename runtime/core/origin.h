#pragma once
// Where in a script something was made, so that what befalls it later can be told there.

#include <cstdint>
#include <memory>

namespace gpy::rt {

// The floor above, which knows sources, makes these, and it alone reads them.
struct Origin {
  std::shared_ptr<const void> source;  // null: not known
  uint64_t place = 0;                  // in the source
};

}  // namespace gpy::rt
