#include "runtime/graph/write.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/at_once.h"

namespace gpy::rt {

namespace {

bool disjoint(const Layout& a, const Layout& b) {
  const auto [a_low, a_high] = byte_range(a);
  const auto [b_low, b_high] = byte_range(b);
  return a_high <= b_low || b_high <= a_low;
}

// The reads of an expression that is about to run, through the nodes that will fuse into it.
class Reads {
 public:
  Reads(Value& old, const Layout& region, Place place)
      : old_(old), region_(region), place_(place) {}

  // True if storing elements while the expression runs could change what it reads later, or what
  // somebody else reads through a value inside it.
  bool need_temporary(const NodeInput& expression) {
    if (clashes_inside(expression)) return true;
    const auto is_inside = [&](const Node* node) {
      return std::ranges::find(nodes_, node) != nodes_.end();
    };
    const auto is_read_inside = [&](const Node* node) {
      return std::ranges::all_of(node->owner->readers(), is_inside);
    };
    return std::ranges::any_of(old_.readers(), is_inside) &&
           !std::ranges::all_of(nodes_, is_read_inside);
  }
  std::span<const Node* const> nodes() const { return nodes_; }

 private:
  bool clashes_inside(const NodeInput& expression) {
    if (expression.is_scalar()) return false;
    if (!fuses(expression, place_)) return clashes(expression);
    if (expression.value->holders() > 0) return true;
    return visit(*expression.value->node());
  }
  bool visit(const Node& node) {
    if (std::ranges::find(nodes_, &node) != nodes_.end()) return false;
    nodes_.push_back(&node);
    for (int i = 0; i < node.input_count; ++i) {
      const NodeInput& input = node.inputs[i];
      if (input.is_scalar()) continue;
      const bool base = node.kind == Node::Kind::kGather && i == 0;
      if (base ? input.value.get() == &old_ : clashes_inside(input)) return true;
    }
    return false;
  }
  bool clashes(const NodeInput& input) const {
    if (input.value->pending()) return true;  // it may read the old value itself
    return input.value.get() == &old_ && !same_places(input.layout, region_) &&
           !disjoint(input.layout, region_);
  }

  Value& old_;
  const Layout& region_;
  Place place_;
  std::vector<const Node*> nodes_;
};

void require_writeable(const Array& target) {
  if (!target.writeable()) fail(ErrorKind::kValue, "assignment destination is read-only");
}

NodeInput through_temporary(Session& session, NodeInput expression, DType dtype, const Dims& shape,
                            Space space) {
  const Array whole = make_cast(session, std::move(expression), dtype, shape, space);
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
  if (storage.value()->holders() > 1) keep_apart(target);
  auto reads = std::make_unique<Reads>(*storage.value(), region, place);
  const bool moving = static_cast<bool>(index.value);
  if (moving ? !expression.is_scalar() : reads->need_temporary(expression)) {
    expression = through_temporary(session, std::move(expression), target.dtype(), region.shape,
                                   target.space());
    reads = std::make_unique<Reads>(*storage.value(), region, place);
  }
  if (moving) evaluate(session, *index.value);
  const RecordedWorkOf records(session, target.space());
  const WriteAccess access(session, target, place, reads->nodes());
  run_into(session, std::move(expression), {access.memory(), region, std::move(index)}, place);
}

// A pending value that its only array gives up has no holder any more; the array has no content.
void give_up(const Operand& source) {
  if (!source.is_array() || !source.is_last_use()) return;
  Storage& storage = source.array().storage();
  if (storage.value()->pending()) storage.set_value(make_ref<Value>(storage.bytes()));
}

bool write_at_once(Session& session, const Array& target, const Operand& source) {
  if (source.is_array() && source.array().rank() > target.rank()) return false;
  return try_write_at_once(session, target, source);
}

}  // namespace

void write(Session& session, const Array& target, Operand source) {
  require_writeable(target);
  if (write_at_once(session, target, source)) return;
  NodeInput expression = make_input(source, target.shape());
  if (target.size() == 0) return;
  Storage& storage = target.storage();
  if (storage.lent() || recording_queue(session, target.space()) ||
      !covers(target.layout(), static_cast<int64_t>(storage.bytes()))) {
    give_up(source);
    source = Scalar();
    return write_region(session, target, std::move(expression), target.layout(), {});
  }
  const bool same = !expression.is_scalar() && same_places(expression.layout, target.layout()) &&
                    expression.value->bytes() == storage.bytes();
  if (same && !source.array().storage().lent()) return storage.set_value(expression.value);
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
