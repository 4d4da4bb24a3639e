#pragma once

// Bytes that vector instructions may load from their beginning on.

#include <cstddef>
#include <memory>
#include <new>

namespace gpy::rt {

constexpr std::align_val_t kVectorAlign{64};

struct FreeAligned {
  void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, kVectorAlign); }
};
using AlignedBytes = std::unique_ptr<std::byte, FreeAligned>;

// Not initialized. Throws std::bad_alloc.
inline AlignedBytes make_aligned_bytes(size_t count) {
  return AlignedBytes(static_cast<std::byte*>(::operator new(count, kVectorAlign)));
}

}  // namespace gpy::rt
