#include "runtime/graph/value.h"

#include <algorithm>

#include "runtime/graph/node.h"

namespace gpy::rt {

Value::Value(size_t bytes) : bytes_(bytes) {}

Value::Value(std::unique_ptr<Node> node, size_t bytes)
    : bytes_(bytes), node_charge_(sizeof(Value) + sizeof(Node)), node_(std::move(node)) {
  node_->owner = this;
  node_->attach();
}

Value::~Value() = default;

// A long chain of pending values must not be destroyed by recursion: the first destroy on this
// thread works off a list that the later ones only add to. A ready value has nothing below it.
void Value::destroy(Value* value) {
  if (!value->pending()) {
    delete value;
    return;
  }
  thread_local std::vector<Value*> dying;
  dying.push_back(value);
  if (dying.size() > 1) return;
  while (!dying.empty()) {
    Value* next = dying.back();
    dying.back() = nullptr;
    delete next;
    // `delete` may have appended; the slot just worked off is removed wherever it now is.
    dying.erase(std::find(dying.begin(), dying.end(), nullptr));
  }
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

void Value::become_ready(Place place, Ref<Buffer> buffer) {
  copies_[place] = std::move(buffer);
  const std::unique_ptr<Node> done = std::move(node_);
  node_charge_ = {};
}

void Node::attach() {
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
