#include "runtime/host_kernel/host_attributes.h"

#include "runtime/core/error.h"
#include "runtime/kernel/launch_shape.h"

namespace gpy::rt {

int HostAttributes::get(FunctionAttribute attribute) const {
  switch (attribute) {
    case FunctionAttribute::kMaxThreadsPerBlock: return kMostThreadsOfBlock;
    case FunctionAttribute::kMaxDynamicSharedSizeBytes: return dynamic_shared_bytes_;
    case FunctionAttribute::kPreferredSharedMemoryCarveout: return carveout_;
    default: return 0;
  }
}

void HostAttributes::set(FunctionAttribute attribute, int value) {
  const bool is_carveout = attribute == FunctionAttribute::kPreferredSharedMemoryCarveout;
  const int least = is_carveout ? -1 : 0, most = is_carveout ? 100 : kMostSharedBytes;
  if (value < least || value > most)
    fail(ErrorKind::kValue, "this is from {} to {} (got {})", least, most, value);
  (is_carveout ? carveout_ : dynamic_shared_bytes_) = value;
}

}  // namespace gpy::rt
