#include "runtime/graph/write_access.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/graph/allocate.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/recording.h"

namespace gpy::rt {

namespace {

std::vector<Ref<Value>> waiting_for(Value& value, std::span<const Node* const> own) {
  std::vector<Ref<Value>> waiting;
  for (const Node* reader : value.readers()) {
    const Ref<Value> result(reader->owner);
    if (std::ranges::find(own, reader) == own.end() &&
        std::ranges::find(waiting, result) == waiting.end()) {
      waiting.push_back(result);
    }
  }
  return waiting;
}

size_t bytes_of(std::span<const Ref<Value>> values) {
  size_t bytes = 0;
  for (const Ref<Value>& each : values) bytes += each->bytes();
  return bytes;
}

// Whether the bytes in `place` are managed memory that is the value's at the host as well.
bool is_shared_with_host(const Value& value, Place place) {
  const Buffer* memory = value.at(place);
  return place != kHostPlace && memory && memory == value.at(kHostPlace);
}

bool is_nobody_elses(Value& value, Place place, std::span<const Node* const> own) {
  return value.valid_at(place) && value.holders() == 1 && waiting_for(value, own).empty();
}

// Whoever has the old content keeps it, and the storage gets a copy in other memory; where its own
// is lent, they get the copy. Memory may be a script's to give: if that writes to the storage,
// nothing is done.
void set_aside(Session& session, Storage& storage, const Ref<Value>& old, Place place) {
  const bool lent = storage.lent();
  const Place aside = lent && is_shared_with_host(*old, place) ? kHostPlace : place;
  Ref<Value> fresh = make_ref<Value>(old->bytes());
  Ref<Buffer> copy = allocate_copy(session, aside, old->at(place)->bytes());
  if (!(storage.value() == old) || !old->valid_at(place)) return;
  const Buffer& memory = *old->at(place);
  session.backend(place).will_read(memory);
  session.backend(aside).copy(copy->data(), memory.data(), memory.bytes());
  if (lent) return storage.move_memory(place, std::move(fresh), std::move(copy), aside);
  fresh->add_copy(place, std::move(copy));
  storage.set_value(std::move(fresh));
}

// One step towards sole content. Pending readers run, if that moves less than a copy, and where
// they are recorded: a copy that is made once is not what a graph reads at each launch. They may
// warn, and a script's handler may write to the storage.
void free_content(Session& session, Storage& storage, Place place,
                  std::span<const Node* const> own) {
  const Ref<Value> old = storage.value();
  ready_at(session, *old, place);
  if (!(storage.value() == old)) return;
  const std::vector<Ref<Value>> waiting = waiting_for(*old, own);
  const bool shared = old->holders() > 1;
  const bool runs = storage.lent() || recording() || bytes_of(waiting) <= 2 * old->bytes();
  if (!shared && runs) {
    for (const Ref<Value>& each : waiting) evaluate(session, *each);
    return;
  }
  set_aside(session, storage, old, place);
}

// The host writes to managed memory once the device is done with it.
void finish_device_work(const Value& value, Place place) {
  const Buffer& memory = *value.at(place);
  Backend* const device = memory.managed_by();
  if (!device || place != kHostPlace || value.at(device->place()) != &memory) return;
  memory.queues().finish(device->own_queue());
}

bool is_sole(Value& value) {
  return value.holders() == 1 && value.use_count() == 1 && value.readers().empty();
}

bool is_only_at(const Value& value, Place place) {
  for (Place other = 0; other < kMaxPlaces; ++other) {
    if (value.valid_at(other) != (other == place)) return false;
  }
  return true;
}

}  // namespace

WriteAccess::WriteAccess(Session& session, const Array& target, Place place,
                         std::span<const Node* const> own)
    : storage_(target.storage_ref()), offset_(target.offset()), place_(place) {
  require_done(session, target.space(), "this operation");
  if (recording()) keep_apart(target);
  next_ = make_ref<Value>(storage_->bytes());
  while (!is_nobody_elses(*storage_->value(), place, own)) {
    free_content(session, *storage_, place, own);
  }
  finish_device_work(*storage_->value(), place);
  storage_->value()->drop_copies_except(place);
  Buffer& memory = storage_->value()->memory_at(place);
  session.backend(place).will_write(memory);
  if (recording()) storage_->value()->set_captured();
  memory_ = static_cast<std::byte*>(memory.data());
  storage_->lend();
}

// The copy is made now, also where what follows is recorded.
void own_content(Session& session, const Array& array) {
  const RecordScope done(nullptr);
  const Place place = session.place_of(array.space());
  while (array.value()->holders() > 1) {
    const Ref<Value> content = array.value();
    ready_at(session, *content, place);
    set_aside(session, array.storage(), content, place);
  }
}

WriteAccess::~WriteAccess() {
  if (!storage_) return;
  storage_->take_back();
  storage_->move_memory(place_, std::move(next_));
}

std::byte* WriteAccess::try_memory(const Array& target) {
  Value& value = *target.value();
  if (value.pending() || !target.writeable() || !target.space().is_host()) return nullptr;
  if (!target.dtype().is_native()) return nullptr;
  if (!is_sole(value) || !is_only_at(value, kHostPlace)) return nullptr;
  value.forget_facts();
  return static_cast<std::byte*>(value.memory_at(kHostPlace).data());
}

Ref<Buffer> WriteAccess::try_memory_of_last_use(Session& session, Value& value, Place place,
                                                int reads) {
  const bool last = !value.pending() && value.holders() == 0 && value.use_count() == reads;
  if (!last || !is_only_at(value, place)) return nullptr;
  Buffer& memory = value.memory_at(place);
  Backend& backend = session.backend(place);
  if (memory.use_count() != 1 || memory.managed_by() || !memory.is_of(backend)) return nullptr;
  return Ref<Buffer>(&memory);
}

}  // namespace gpy::rt
