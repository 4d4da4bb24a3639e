#include "runtime/graph/read_access.h"

#include "runtime/graph/evaluate.h"

namespace gpy::rt {

ReadAccess::ReadAccess(Session& session, const Array& array, Place place)
    : storage_(array.storage_ref()) {
  // Computing may warn, and a script's handler may write to the array.
  while (!storage_->value()->valid_at(place)) {
    const Ref<Value> value = storage_->value();
    ready_at(session, *value, place);
  }
  const Buffer& memory = *storage_->value()->at(place);
  session.backend(place).will_read(memory);
  data_ = static_cast<const std::byte*>(memory.data()) + array.offset();
  storage_->lend();
}

ReadAccess::~ReadAccess() {
  if (storage_) storage_->take_back();
}

HostRead::HostRead(Session& session, const Array& array)
    : value_(array.value()), offset_(array.offset()) {
  ready_at(session, *value_, kHostPlace);
  value_->add_holder(1);  // a write now copies instead of storing in place
}

HostRead::~HostRead() { value_->add_holder(-1); }

}  // namespace gpy::rt
