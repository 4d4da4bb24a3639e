#include "runtime/graph/write.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/ops/at_once.h"

namespace gpy::rt {

namespace {

bool disjoint(const Layout& a, const Layout& b) {
  const auto [a_low, a_high] = byte_range(a);
  const auto [b_low, b_high] = byte_range(b);
  return a_high <= b_low || b_high <= a_low;
}

// What an expression that is about to run reads, seen through the nodes that will fuse into it.
class Reads {
 public:
  Reads(const Value& old, const Layout& region, Place place)
      : old_(old), region_(region), place_(place) {}

  // True if storing elements while the expression runs could change what it reads later, or if
  // somebody else wants a value inside it.
  bool need_temporary(const NodeInput& expression) {
    if (expression.is_scalar()) return false;
    if (fuses(expression, place_)) {
      if (expression.value->holders() > 0) return true;
      return visit(*expression.value->node());
    }
    return clashes(expression);
  }
  bool contains(const Node* node) const {
    return std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
  }

 private:
  bool visit(const Node& node) {
    if (contains(&node)) return false;
    nodes_.push_back(&node);
    for (int i = 0; i < node.input_count; ++i) {
      const NodeInput& input = node.inputs[i];
      if (input.is_scalar()) continue;
      const bool base = node.kind == Node::Kind::kGather && i == 0;
      if (base ? input.value.get() == &old_ : need_temporary(input)) return true;
    }
    return false;
  }
  bool clashes(const NodeInput& input) const {
    if (input.value->pending()) return true;  // it may read the old value itself
    return input.value.get() == &old_ && !same_places(input.layout, region_) &&
           !disjoint(input.layout, region_);
  }

  const Value& old_;
  const Layout& region_;
  Place place_;
  std::vector<const Node*> nodes_;
};

Ref<Buffer> copy_of(Session& session, Value& value, Place place) {
  Backend& backend = session.backend(place);
  Ref<Buffer> copy = backend.allocate(value.bytes());
  backend.copy(copy->data(), ready_at(session, value, place).data(), value.bytes());
  return copy;
}

// The storage keeps its memory, in a value of its own; whoever else wants the old value gets a
// copy.
Ref<Value> keep_memory(Session& session, Storage& storage, Place place) {
  const Ref<Value> old = storage.value();
  Ref<Buffer> copy = copy_of(session, *old, place);
  const Ref<Value> own = make_ref<Value>(old->bytes());
  own->add_copy(place, old->take_copy(place));
  old->add_copy(place, std::move(copy));
  storage.set_value(own);
  return own;
}

// Runs those who still want the old content, or sets a copy of it aside: whichever moves less.
// Returns the value whose buffer may be written. Pinned memory is written itself.
Ref<Value> free_for_writing(Session& session, Storage& storage, const Reads& reads, Place place) {
  Ref<Value> old = storage.value();
  std::vector<Ref<Value>> waiting;
  size_t forced_bytes = 0;
  for (Node* reader : old->readers()) {
    if (reads.contains(reader)) continue;
    if (std::find(waiting.begin(), waiting.end(), Ref<Value>(reader->owner)) != waiting.end())
      continue;
    waiting.emplace_back(reader->owner);
    forced_bytes += reader->owner->bytes();
  }
  const bool shared = old->holders() > 1;
  if (!shared && (storage.pinned() || forced_bytes <= 2 * old->bytes())) {
    for (const Ref<Value>& reader : waiting) evaluate(session, *reader);
    return old;
  }
  if (!shared && waiting.empty()) return old;
  if (storage.pinned()) return keep_memory(session, storage, place);
  const Ref<Value> fresh = make_ref<Value>(old->bytes());
  fresh->add_copy(place, copy_of(session, *old, place));
  return fresh;
}

// While one lives the buffer of `value` is written; after it the buffer is a value of its own, even
// if the run failed: it may have written before (a floating-point error is told at its end).
class Succession {
 public:
  Succession(Storage& storage, Value& value, Place place)
      : storage_(storage), value_(value), place_(place), next_(make_ref<Value>(value.bytes())) {}
  ~Succession() {
    next_->add_copy(place_, value_.take_copy(place_));
    storage_.set_value(std::move(next_));
  }
  Succession(const Succession&) = delete;
  Succession& operator=(const Succession&) = delete;

 private:
  Storage& storage_;
  Value& value_;
  Place place_;
  Ref<Value> next_;
};

void require_writeable(const Array& target) {
  if (!target.writeable()) fail(ErrorKind::kValue, "assignment destination is read-only");
}

NodeInput through_temporary(Session& session, const NodeInput& expression, DType dtype,
                            const Dims& shape, Space space) {
  const Array whole = make_cast(session, expression, dtype, shape, space);
  evaluate(session, *whole.value());
  NodeInput input;
  input.value = whole.value();
  input.layout = whole.layout();
  return input;
}

void write_region(Session& session, const Array& target, NodeInput expression, const Layout& region,
                  NodeInput index) {
  Storage& storage = target.storage();
  const Place place = session.place_of(target.space());
  evaluate(session, *storage.value());
  auto reads = std::make_unique<Reads>(*storage.value(), region, place);
  const bool moving = static_cast<bool>(index.value);
  if (moving ? !expression.is_scalar() : reads->need_temporary(expression)) {
    expression =
        through_temporary(session, expression, target.dtype(), region.shape, target.space());
    reads = std::make_unique<Reads>(*storage.value(), region, place);
  }
  if (moving) evaluate(session, *index.value);
  const Ref<Value> value = free_for_writing(session, storage, *reads, place);
  Region to{&ready_at(session, *value, place), region, std::move(index)};
  const Succession succession(storage, *value, place);
  run_into(session, expression, to, place);
}

bool write_at_once(Session& session, const Array& target, const Operand& source) {
  if (source.is_array() && source.array().rank() > target.rank()) return false;
  Term term;
  if (source.is_array()) term.array = &source.array();
  else term.number = source.scalar();
  return try_write_at_once(session, target, term);
}

}  // namespace

void write(Session& session, const Array& target, const Operand& source) {
  require_writeable(target);
  if (write_at_once(session, target, source)) return;
  NodeInput expression = make_input(source, target.shape());
  if (target.size() == 0) return;
  Storage& storage = target.storage();
  if (storage.pinned() || !covers(target.layout(), static_cast<int64_t>(storage.bytes()))) {
    return write_region(session, target, std::move(expression), target.layout(), {});
  }
  const bool same = !expression.is_scalar() && same_places(expression.layout, target.layout()) &&
                    expression.value->bytes() == storage.bytes();
  if (same && !source.array().storage().pinned()) return storage.set_value(expression.value);
  const Array whole = make_cast(session, expression, target.dtype(), target.shape(), target.space(),
                                &target.strides());
  storage.set_value(whole.value());
}

void write_at(Session& session, const Array& target, const Dims& shape, const Array& index,
              const Operand& source) {
  require_writeable(target);
  const std::optional<Layout> region = try_broadcast(target.layout(), shape);
  if (!region) fail(ErrorKind::kRuntime, "write_at: the target does not broadcast to the index");
  NodeInput expression = make_input(source, shape);
  if (element_count(shape) == 0) return;
  write_region(session, target, std::move(expression), *region, make_input(index, shape));
}

}  // namespace gpy::rt
