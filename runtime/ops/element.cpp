#include "runtime/ops/element.h"

#include "runtime/graph/write_access.h"

namespace gpy::rt {

namespace {

// Bytes from the start of the storage, or -1.
int64_t offset_of(const Array& array, std::span<const int64_t> indices) {
  int64_t offset = array.offset();
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const int64_t extent = array.shape()[axis];
    const int64_t at = indices[axis] < 0 ? indices[axis] + extent : indices[axis];
    if (at < 0 || at >= extent) return -1;
    offset += at * array.strides()[axis];
  }
  return offset;
}

}  // namespace

const std::byte* try_find_element(const Array& array, std::span<const int64_t> indices) {
  const Value& value = *array.value();
  if (value.pending() || !value.valid_at(kHostPlace)) return nullptr;
  const int64_t offset = offset_of(array, indices);
  if (offset < 0) return nullptr;
  return static_cast<const std::byte*>(value.at(kHostPlace)->data()) + offset;
}

std::optional<Scalar> try_load_element(const Array& array, std::span<const int64_t> indices) {
  const std::byte* element = try_find_element(array, indices);
  if (!element) return std::nullopt;
  return Scalar::load(array.dtype(), element);
}

bool try_store_element(const Array& array, std::span<const int64_t> indices, const Scalar& number) {
  const int64_t offset = offset_of(array, indices);
  std::byte* memory = offset < 0 ? nullptr : WriteAccess::try_memory(array);
  if (memory) number.store(array.dtype(), memory + offset);
  return memory != nullptr;
}

}  // namespace gpy::rt
