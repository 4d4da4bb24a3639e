#pragma once

// The place where an operation of the sort family runs: the array's place, or the host where that
// place has no such family, which is counted.

#include "runtime/core/layout.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt {

class SortingPlace {
 public:
  SortingPlace(Session& session, Space space)
      : session_(session), space_(space), made_in_(space), place_(session.place_of(space)) {
    if (session.backend(place_).sorting()) return;
    ++session.counters.host_copies;
    place_ = kHostPlace;
    made_in_ = Space::host();
  }

  Sorting& family() const { return *session_.backend(place_).sorting(); }
  Session& session() const { return session_; }
  Place place() const { return place_; }
  Space space() const { return made_in_; }  // of arrays at this place

  Ref<Buffer> scratch(int64_t bytes) const {
    return with_reclaim(session_, [&] { return session_.backend(place_).allocate(bytes); });
  }

  // A new array in the array's space, of which fill(T* memory) writes all elements.
  template <class T = void, class Fill>
  Array make(DType dtype, const Dims& shape, Fill&& fill) const {
    const Array made = make_filled(session_, dtype, shape, made_in_, [&](std::byte* memory) {
      fill(static_cast<T*>(static_cast<void*>(memory)));
    });
    return to_space(session_, made, space_);
  }

 private:
  Session& session_;
  Space space_, made_in_;
  Place place_;
};

// C-ordered elements of an array where the family works.
class PlacedElements {
 public:
  PlacedElements(const SortingPlace& at, const Array& array)
      : dense_(is_c_contiguous(array.layout()) ? array : copy(at.session(), array, 'C')),
        read_(at.session(), dense_, at.place()) {}
  const std::byte* data() const { return read_.data(); }
  template <class T> const T* as() const { return reinterpret_cast<const T*>(read_.data()); }

 private:
  Array dense_;
  ReadAccess read_;
};

}  // namespace gpy::rt
