#pragma once

// The place where an operation of a family of Backend runs: the array's place, or the host where
// that place has no such family, which is counted.

#include "runtime/graph/make_node.h"

namespace gpy::rt {

// `kFamily` is the member function of Backend that gives the family, or null.
template <auto kFamily> class FamilyPlace {
 public:
  FamilyPlace(Session& session, Space space)
      : session_(session), place_(session.place_of(space)), space_(space) {
    if ((session.backend(place_).*kFamily)()) return;
    ++session.counters.host_copies;
    place_ = kHostPlace;
    space_ = Space::host();
  }

  auto& family() const { return *(session_.backend(place_).*kFamily)(); }
  Session& session() const { return session_; }
  Place place() const { return place_; }
  Space space() const { return space_; }  // of arrays at this place

 private:
  Session& session_;
  Place place_;
  Space space_;
};

}  // namespace gpy::rt
