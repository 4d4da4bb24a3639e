#include "runtime/graph/pin.h"

#include "runtime/graph/evaluate.h"

namespace gpy::rt {

namespace {

// A value of the storage's own: others that point to the same one keep it.
void make_sole(Session& session, Storage& storage, Place place) {
  if (storage.value()->holders() <= 1) return;
  const Ref<Value> old = storage.value();
  Backend& backend = session.backend(place);
  Ref<Buffer> copy = backend.allocate(old->bytes());
  backend.copy(copy->data(), ready_at(session, *old, place).data(), old->bytes());
  const Ref<Value> fresh = make_ref<Value>(old->bytes());
  fresh->add_copy(place, std::move(copy));
  storage.set_value(fresh);
}

}  // namespace

Pin::Pin(Session& session, const Array& array, Place place, bool for_writing)
    : storage_(array.storage_ref()), place_(place), for_writing_(for_writing) {
  Value& value = *storage_->value();
  ready_at(session, value, place);
  if (for_writing) {
    next_ = make_ref<Value>(storage_->bytes());
    while (!value.readers().empty()) evaluate(session, *Ref<Value>(value.readers().back()->owner));
    make_sole(session, *storage_, place);
    storage_->value()->drop_copies_except(place);
  }
  data_ = static_cast<std::byte*>(storage_->value()->at(place)->data()) + array.offset();
  storage_->add_pin(1);
}

Pin::Pin(Pin&& other) noexcept
    : storage_(std::move(other.storage_)),
      next_(std::move(other.next_)),
      data_(other.data_),
      place_(other.place_),
      for_writing_(other.for_writing_) {}

Pin::~Pin() {
  if (!storage_) return;
  storage_->add_pin(-1);
  if (!for_writing_) return;
  next_->add_copy(place_, storage_->value()->take_copy(place_));
  storage_->set_value(std::move(next_));
}

HostRead::HostRead(Session& session, const Array& array)
    : value_(array.value()), offset_(array.offset()) {
  ready_at(session, *value_, kHostPlace);
  value_->add_holder(1);  // a write now copies instead of storing in place
}

HostRead::~HostRead() { value_->add_holder(-1); }

}  // namespace gpy::rt
