#pragma once

// Memory for an array's elements.

#include "runtime/backend.h"
#include "runtime/core/error.h"
#include "runtime/core/layout.h"
#include "runtime/core/origin.h"
#include "runtime/session.h"

namespace gpy::rt {

struct ArrayRoom {
  ArraySource* source = nullptr;  // null: the backend's own
  Origin origin = {};             // where the array was asked for, if that is not here
  bool zeros = false;             // of the backend's own
};

// Throws ArrayMemoryError, in NumPy's words on the host, where there is no more.
Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const ArrayRoom& room = {});

// Throws ArrayMemoryError for more elements than a process has addresses for, so that an array of
// the host is refused where it is asked for and not where its elements are first wanted.
void require_addressable(const Dims& shape, DType dtype);

// Memory for a copy of a value in a place: from the session's source on a device, which may run a
// script. Throws kMemory where there is no more.
Ref<Buffer> allocate_copy(Session& session, Place place, size_t bytes);

// Runs work that takes memory; if memory is short, once more after the session has released some.
// `work` must leave nothing behind when it throws.
template <class Work> auto with_reclaim(Session& session, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory || !session.reclaim || !session.reclaim()) throw;
  }
  return work();
}

}  // namespace gpy::rt
