#include "runtime/graph/value.h"

#include <algorithm>
#include <utility>

#include "runtime/core/room.h"
#include "runtime/graph/node.h"

namespace gpy::rt {

Value::Value(size_t bytes) : bytes_(bytes) {}

Value::Value(std::unique_ptr<Node> node, size_t bytes)
    : bytes_(bytes), node_charge_(sizeof(Value) + sizeof(Node)), node_(std::move(node)) {
  node_->attach();
  node_->owner = this;
}

Value::~Value() = default;

// A long chain of pending values must not be destroyed by recursion: the first destroy on this
// thread works off a list, through the values themselves, that the later ones only add to. A ready
// value has nothing below it.
void Value::destroy(Value* value) {
  if (!value->pending()) {
    delete value;
    return;
  }
  thread_local Value* dying = nullptr;
  thread_local bool works_off = false;
  value->next_dying_ = std::exchange(dying, value);
  if (works_off) return;
  works_off = true;
  while (dying) {
    Value* next = dying;
    dying = next->next_dying_;
    delete next;
  }
  works_off = false;
}

Place Value::any_place() const {
  for (Place place = 0; place < kMaxPlaces; ++place) {
    if (copies_[place]) return place;
  }
  return -1;
}

void Value::drop_copies_except(Place place) {
  for (Place other = 0; other < kMaxPlaces; ++other) {
    if (other != place) copies_[other] = nullptr;
  }
}

bool Value::try_share(Place place) {
  const Place from = any_place();
  Backend* const device = from < 0 ? nullptr : copies_[from]->managed_by();
  if (!device) return false;
  const bool to_host = place == kHostPlace && from == device->place();
  if (!to_host && !(from == kHostPlace && place == device->place())) return false;
  if (to_host) copies_[from]->queues().finish_writer(device->own_queue());
  copies_[place] = copies_[from];
  return true;
}

Ref<Buffer> Value::take(Place place) {
  const Ref<Buffer> memory = copies_[place];
  for (Ref<Buffer>& each : copies_) {
    if (each == memory) each = nullptr;
  }
  return memory;
}

void Value::become_ready(Place place, Ref<Buffer> buffer) {
  copies_[place] = std::move(buffer);
  const std::unique_ptr<Node> done = std::move(node_);
  node_charge_ = {};
}

// Enters all lists or none.
void Node::attach() {
  for (int i = 0; i < input_count; ++i) {
    if (inputs[i].value) make_room(inputs[i].value->readers(), inputs.size());
  }
  for (int i = 0; i < input_count; ++i) {
    if (inputs[i].value) inputs[i].value->readers().push_back(this);
  }
}

Node::~Node() {
  if (owner == nullptr) return;
  for (int i = 0; i < input_count; ++i) {
    if (!inputs[i].value) continue;
    auto& readers = inputs[i].value->readers();
    readers.erase(std::find(readers.begin(), readers.end(), this));
  }
}

}  // namespace gpy::rt
