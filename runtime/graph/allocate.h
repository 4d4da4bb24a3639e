#pragma once

// Memory for an array's elements.

#include "runtime/backend.h"
#include "runtime/core/error.h"
#include "runtime/core/layout.h"
#include "runtime/core/origin.h"
#include "runtime/session.h"

namespace gpy::rt {

// Throws ArrayMemoryError, in NumPy's words on the host, where there is no more. `origin`: where
// the array was asked for, if that is not here.
Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const Origin& origin = {}, bool zeros = false);

// Runs what takes memory; where there is too little, once more if the session could let go of some.
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
