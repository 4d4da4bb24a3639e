#pragma once

#include "runtime/core/layout.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

// C-ordered elements of an array in the machine's byte order where the host can read them. From a
// GPU that is a copy, counted.
class HostElements {
 public:
  HostElements(Session& session, const Array& array)
      : dense_(astype(session, array, array.dtype().native(), Casting::kEquiv, false, 'C')),
        read_(session, dense_) {
    if (session.place_of(array.space()) != kHostPlace) ++session.counters.host_copies;
  }
  const std::byte* data() const { return read_.data(); }
  template <class T> const T* as() const { return reinterpret_cast<const T*>(read_.data()); }

 private:
  Array dense_;
  HostRead read_;
};

}  // namespace gpy::rt
