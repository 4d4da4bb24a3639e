#pragma once

// Access to one element at a time, for a script's loops over A[i, j]. No view is made, and nothing
// is allocated, where the host has the array's content ready.

#include <optional>
#include <span>

#include "runtime/session.h"

namespace gpy::rt {

// The address of the element at `indices`, for reading; null where try_load_element gives none.
const std::byte* try_find_element(const Array& array, std::span<const int64_t> indices);

// The element at `indices` (one an axis, negative from the end). nullopt where the content is not
// in the host's memory yet, or an index is out of range: the general path then does it, or says
// why.
std::optional<Scalar> try_load_element(const Array& array, std::span<const int64_t> indices);

// Writes it; false as above, and where anybody else still wants the old content.
bool try_store_element(const Array& array, std::span<const int64_t> indices, const Scalar& number);

}  // namespace gpy::rt
