#pragma once

// Where the sort family runs, and what it reads and makes there.

#include "runtime/core/layout.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/family_place.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt {

class SortingPlace : public FamilyPlace<&Backend::sorting> {
 public:
  SortingPlace(Session& session, Space space) : FamilyPlace(session, space), home_(space) {}

  Ref<Buffer> scratch(int64_t bytes) const {
    return with_reclaim(session(), [&] { return session().backend(place()).allocate(bytes); });
  }

  // A new array in the array's space, of which fill(T* memory) writes all elements.
  template <class T = void, class Fill>
  Array make(DType dtype, const Dims& shape, Fill&& fill) const {
    const Array made = make_filled(session(), dtype, shape, space(), [&](std::byte* memory) {
      fill(static_cast<T*>(static_cast<void*>(memory)));
    });
    return to_space(session(), made, home_);
  }

 private:
  Space home_;
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
