#include "runtime/graph/allocate.h"

#include <algorithm>

#include "runtime/core/error_facts.h"
#include "runtime/core/size_text.h"

namespace gpy::rt {

static Ref<Buffer> allocate_from(Backend& backend, size_t bytes, const ArrayRoom& room) {
  if (room.source) return room.source->allocate(backend, std::max<size_t>(bytes, 1));
  return room.zeros ? backend.allocate_zeros(bytes) : backend.allocate(bytes);
}

static std::string host_memory_text(int64_t bytes, const Dims& shape, DType dtype) {
  return fmt::format("Unable to allocate {} for an array with shape {} and data type {}",
                     size_text(static_cast<double>(bytes)), tuple_text(shape), name(dtype));
}

void require_addressable(const Dims& shape, DType dtype) {
  constexpr int64_t kAddresses = int64_t{1} << 47;  // of a process on x86-64
  const int64_t bytes = element_count(shape, item_size(dtype)) * item_size(dtype);
  if (bytes <= kAddresses) return;
  const Layout layout{dtype, shape, c_strides(shape, item_size(dtype)), 0};
  throw ArrayMemoryError(host_memory_text(bytes, shape, dtype), true, layout, {});
}

Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const ArrayRoom& room) {
  try {
    return allocate_from(backend, static_cast<size_t>(bytes), room);
  } catch (const HostMemoryError&) {
    throw ArrayMemoryError(host_memory_text(bytes, layout.shape, layout.dtype), true, layout,
                           room.origin);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    throw ArrayMemoryError(error.message(), false, layout, room.origin);
  }
}

Ref<Buffer> allocate_copy(Session& session, Place place, size_t bytes) {
  Backend& backend = session.backend(place);
  if (backend.is_host() || !session.array_source) return backend.allocate(bytes);
  const std::shared_ptr<ArraySource> source = session.array_source;
  return source->allocate(backend, std::max<size_t>(bytes, 1));
}

}  // namespace gpy::rt
