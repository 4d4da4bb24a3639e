#include "runtime/graph/allocate.h"

#include "runtime/core/error_facts.h"
#include "runtime/text/size_text.h"

namespace gpy::rt {

Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const Origin& origin, bool zeros) {
  try {
    const auto size = static_cast<size_t>(bytes);
    return zeros ? backend.allocate_zeros(size) : backend.allocate(size);
  } catch (const HostMemoryError&) {
    throw ArrayMemoryError(
        fmt::format("Unable to allocate {} for an array with shape {} and data type {}",
                    size_text(static_cast<double>(bytes)), tuple_text(layout.shape),
                    name(layout.dtype)),
        true, layout, origin);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    throw ArrayMemoryError(error.message(), false, layout, origin);
  }
}

}  // namespace gpy::rt
