#include "runtime/graph/make_node.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/graph/allocate.h"
#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/recording.h"

namespace gpy::rt {

namespace {

void count_distinct(const Node& node, std::unordered_set<const Node*>& seen) {
  if (seen.size() > kMaxGraphSize || !seen.insert(&node).second) return;
  for (int i = 0; i < node.input_count; ++i) {
    if (node.inputs[i].value && node.inputs[i].value->pending()) {
      count_distinct(*node.inputs[i].value->node(), seen);
    }
  }
}

// Sums over inputs count shared nodes again; only when that passes the limit is it worth counting.
void measure(Node& node) {
  node.depth = 1;
  node.size = 1;
  for (int i = 0; i < node.input_count; ++i) {
    if (!node.inputs[i].value || !node.inputs[i].value->pending()) continue;
    const Node& below = *node.inputs[i].value->node();
    node.depth = std::max(node.depth, below.depth + 1);
    node.size += below.size;
  }
  if (node.size <= kMaxGraphSize) return;
  std::unordered_set<const Node*> seen;
  count_distinct(node, seen);
  node.size = static_cast<uint32_t>(seen.size());
}

void keep_small(Session& session, Node& node) {
  measure(node);
  if (node.depth <= kMaxGraphDepth && node.size <= kMaxGraphSize) return;
  for (int i = 0; i < node.input_count; ++i) {
    if (node.inputs[i].value) evaluate(session, *node.inputs[i].value);
  }
  measure(node);
}

bool is_of_device(Place place, Space space) { return place != kHostPlace || space.is_device(); }

}  // namespace

Array make_node(Session& session, std::unique_ptr<Node> node, Space space) {
  node->place = session.place_of(space);
  node->origin = session.origin();
  node->errors = session.errors;
  node->alone = !session.runtime().hostile().fusion;
  node->of_device = is_of_device(node->place, space);
  node->queued = node->of_device || !space.is_host();
  keep_small(session, *node);
  node->enter_before(session.pending);
  ++session.counters.nodes_made;
  const Layout& layout = node->out;
  const size_t bytes =
      static_cast<size_t>(element_count(layout.shape, layout.item_size()) * layout.item_size());
  Layout of_result = layout;
  const Ref<Value> value = make_ref<Value>(std::move(node), bytes);
  Array result(make_ref<Storage>(value), std::move(of_result), space);
  if (!session.lazy || session.errors.tells_at_once()) evaluate(session, *value);
  return result;
}

NodeInput make_input(const Term& operand, const Dims& shape) {
  NodeInput input;
  if (!operand.is_array()) {
    input.scalar = operand.scalar();
    return input;
  }
  const Array& array = operand.array();
  if (array.value()->holders() > 1) keep_apart(array);
  input.value = array.value();
  if (array.shape() == shape) {
    input.layout = array.layout();
    for (int i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) input.layout.strides[i] = 0;
    }
    return input;
  }
  std::optional<Layout> layout = try_broadcast(array.layout(), shape);
  if (!layout) {
    fail(ErrorKind::kValue, "could not broadcast input array from shape {} into shape {}",
         shape_text(array.shape()), shape_text(shape));
  }
  input.layout = std::move(*layout);
  return input;
}

namespace {

Dims result_strides(const Node& node, const Dims& shape, DType dtype) {
  std::array<const Dims*, 3> like = {};
  size_t count = 0;
  for (int i = 0; i < node.input_count; ++i) {
    if (!node.inputs[i].is_scalar()) like[count++] = &node.inputs[i].layout.strides;
  }
  return k_strides(shape, item_size(dtype), std::span(like.data(), count));
}

}  // namespace

Array make_map(Session& session, std::unique_ptr<Node> node, DType dtype, const Dims& shape,
               Space space, const Dims* strides) {
  element_count(shape, item_size(dtype));
  node->out.dtype = dtype;
  node->out.shape = shape;
  node->out.strides = strides ? *strides : result_strides(*node, shape, dtype);
  return make_node(session, std::move(node), space);
}

Array make_cast(Session& session, NodeInput input, DType dtype, const Dims& shape, Space space,
                const Dims* strides) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::kCast;
  node->input_count = 1;
  node->inputs[0] = std::move(input);
  return make_map(session, std::move(node), dtype, shape, space, strides);
}

Array make_ready(Session&, Ref<Buffer> buffer, Place place, Layout layout, Space space) {
  const Ref<Value> value = make_ref<Value>(buffer->bytes());
  value->add_copy(place, std::move(buffer));
  return Array(make_ref<Storage>(value), std::move(layout), space);
}

Ref<Buffer> allocate_in(Session& session, Space space, const Layout& layout) {
  const int64_t bytes = element_count(layout.shape, layout.item_size()) * layout.item_size();
  Backend& backend = session.backend(session.place_of(space));
  ArraySource* const source =
      is_of_device(backend.place(), space) ? session.array_source.get() : nullptr;
  return with_reclaim(session, [&] { return allocate_array(backend, bytes, layout, {source}); });
}

Array make_empty(Session& session, DType dtype, const Dims& shape, Space space,
                 const Dims* strides) {
  const Layout layout{dtype, shape, strides ? *strides : c_strides(shape, item_size(dtype)), 0};
  return make_ready(session, allocate_in(session, space, layout), session.place_of(space), layout,
                    space);
}

}  // namespace gpy::rt
