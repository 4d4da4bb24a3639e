#pragma once
// The place in a script where something was made, so that later errors can be reported there.

#include <cstdint>
#include <memory>

namespace gpy::rt {

// The language layer, which knows sources, makes these, and it alone reads them.
struct Origin {
  std::shared_ptr<const void> source;  // null: not known
  uint64_t place = 0;                  // in the source
};

}  // namespace gpy::rt
