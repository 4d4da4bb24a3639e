#include "runtime/graph/read_access.h"

#include "runtime/graph/allocate.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/recording.h"

namespace gpy::rt {

ReadAccess::ReadAccess(Session& session, const Array& array, Place place)
    : storage_(array.storage_ref()) {
  require_done(session, array.space(), "this operation");
  if (recording()) keep_apart(array);
  // Computing may warn, and a script's handler may write to the array.
  while (!storage_->value()->valid_at(place)) {
    const Ref<Value> value = storage_->value();
    ready_at(session, *value, place);
  }
  const Buffer& memory = *storage_->value()->at(place);
  session.backend(place).will_read(memory);
  if (recording()) storage_->value()->set_captured();
  data_ = static_cast<const std::byte*>(memory.data()) + array.offset();
  storage_->lend();
}

ReadAccess::~ReadAccess() {
  if (storage_) storage_->take_back();
}

// Somebody outside may write to lent memory of a device at any time: it is read anew each time.
static Ref<Value> content_on_host(Session& session, const Array& array) {
  require_content(session, array.space());
  const Ref<Value> value = array.value();
  const bool lent = array.storage().lent();
  if (lent) evaluate(session, *value);
  if (!lent || value->valid_at(kHostPlace)) {
    ready_at(session, *value, kHostPlace);
    return value;
  }
  Ref<Value> read = make_ref<Value>(value->bytes());
  read->add_copy(kHostPlace,
                 with_reclaim(session, [&] { return copy_to(session, *value, kHostPlace); }));
  return read;
}

HostRead::HostRead(Session& session, const Array& array)
    : value_(content_on_host(session, array)), offset_(array.offset()) {
  value_->add_holder(1);  // a write now copies instead of storing in place
}

HostRead::~HostRead() { value_->add_holder(-1); }

}  // namespace gpy::rt
