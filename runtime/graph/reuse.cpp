#include "runtime/graph/reuse.h"

#include <algorithm>

#include "runtime/graph/write_access.h"

namespace gpy::rt {

namespace {

// Whether `leaf` reads each element where the root's result has it, and so does every other input
// that reads the same value.
bool reads_in_place(const Expression& expression, const NodeInput& leaf) {
  const Layout& out = expression.nodes().front()->out;
  const auto is_in_place = [&](const NodeInput* each) {
    if (!(each->value == leaf.value)) return true;
    Layout as_out = each->layout;
    if (item_size(as_out.dtype) != item_size(out.dtype)) return false;
    as_out.dtype = out.dtype;
    return same_places(as_out, out);
  };
  const auto gathers = [&](const Node* node) {
    return node->kind == Node::Kind::kGather && node->inputs[0].value == leaf.value;
  };
  return std::ranges::all_of(expression.leaves(), is_in_place) &&
         std::ranges::none_of(expression.nodes(), gathers);
}

int reads_of(const Expression& expression, const Value& value) {
  int reads = 0;
  for (const Node* node : expression.nodes()) {
    for (int i = 0; i < node->input_count; ++i) reads += node->inputs[i].value.get() == &value;
  }
  return reads;
}

// Whether the node goes with the root: it will not compute anything for somebody else later.
bool ends_with_root(const Expression& expression, const Node* node) {
  const Value& value = *node->owner;
  return value.holders() == 0 && value.use_count() == reads_of(expression, value);
}

}  // namespace

Ref<Buffer> find_reusable(Session& session, const Expression& expression) {
  const Node& root = *expression.nodes().front();
  if (!root.is_map() || (root.of_device && session.array_source)) return nullptr;
  Ref<Buffer> memory;
  for (const NodeInput* leaf : expression.leaves()) {
    Value& value = *leaf->value;
    if (value.holders() > 0 || value.bytes() != root.owner->bytes()) continue;
    if (!reads_in_place(expression, *leaf)) continue;
    memory = WriteAccess::try_memory_of_last_use(session, value, expression.place(),
                                                 reads_of(expression, value));
    if (memory) break;
  }
  const auto ends = [&](const Node* node) { return ends_with_root(expression, node); };
  if (!memory || !std::ranges::all_of(expression.nodes().subspan(1), ends)) return nullptr;
  return memory;
}

}  // namespace gpy::rt
