#include "runtime/ops/element.h"

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

bool only_on_host(const Value& value) {
  if (!value.valid_at(kHostPlace)) return false;
  for (Place place = kHostPlace + 1; place < kMaxPlaces; ++place) {
    if (value.valid_at(place)) return false;
  }
  return true;
}

// Nobody can tell whether the value was changed or another one took its place.
bool is_sole(Value& value) {
  return value.holders() == 1 && value.use_count() == 1 && value.readers().empty();
}

}  // namespace

const std::byte* try_find_element(const Array& array, std::span<const int64_t> indices) {
  const Value& value = *array.value();
  if (value.pending() || !value.valid_at(kHostPlace)) return nullptr;
  const int64_t offset = offset_of(array, indices);
  if (offset < 0) return nullptr;
  return static_cast<const std::byte*>(value.at(kHostPlace)->data()) + offset;
}

std::byte* try_element_to_write(const Array& array, std::span<const int64_t> indices) {
  Value& value = *array.value();
  if (value.pending() || !array.writeable() || !is_sole(value) || !only_on_host(value))
    return nullptr;
  const int64_t offset = offset_of(array, indices);
  if (offset < 0) return nullptr;
  value.forget_facts();
  return static_cast<std::byte*>(value.at(kHostPlace)->data()) + offset;
}

std::optional<Scalar> try_load_element(const Array& array, std::span<const int64_t> indices) {
  const std::byte* element = try_find_element(array, indices);
  if (!element) return std::nullopt;
  return Scalar::load(array.dtype(), element);
}

bool try_store_element(const Array& array, std::span<const int64_t> indices, const Scalar& number) {
  std::byte* element = try_element_to_write(array, indices);
  if (element) number.store(array.dtype(), element);
  return element != nullptr;
}

}  // namespace gpy::rt
