#include "runtime/graph/lent_memory.h"

#include "runtime/graph/recording.h"

namespace gpy::rt {

Ref<Buffer> lend_for_good(Session& session, const Array& array, Place place) {
  const RecordedWorkOf records(session, array.space());
  const WriteAccess own(session, array, place);
  return array.storage().lend_memory(place);
}

}  // namespace gpy::rt
