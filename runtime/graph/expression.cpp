#include "runtime/graph/expression.h"

#include <algorithm>

#include "runtime/graph/evaluate.h"

namespace gpy::rt {

namespace {

// The tag that a word of the key begins with.
enum class Word : uint8_t {
  kResult,
  kRegion,
  kNode,
  kNodeAgain,
  kLeaf,
  kLeafAgain,
  kNumber,
  kShared
};

int64_t word(Word what, uint64_t rest = 0) {
  return static_cast<int64_t>(rest << 8 | static_cast<uint64_t>(what));
}

}  // namespace

bool same_leaf(const NodeInput& a, const NodeInput& b) {
  return a.value == b.value && a.layout.offset == b.layout.offset &&
         a.layout.dtype == b.layout.dtype && a.layout.strides == b.layout.strides;
}

void Expression::clear() {
  key_.clear();
  nodes_.clear();
  leaves_.clear();
  numbers_.clear();
  apart_ = true;
  region_ = nullptr;
  stored_ = nullptr;
}

void Expression::read(const Node& root) {
  clear();
  place_ = root.place;
  const Dims& shape = root.loop_shape();
  key_.push_back(word(Word::kResult, place_ | static_cast<uint64_t>(shape.size()) << 8));
  add_dims(shape);
  key_.push_back(root.is_map() ? 0 : static_cast<int64_t>(root.reduced.to_ullong()));
  add(root);
}

void Expression::read(const NodeInput& value, const Region& region, Place place) {
  clear();
  place_ = place;
  region_ = &region;
  stored_ = &value;
  const Layout& layout = region.layout;
  const bool scatters = static_cast<bool>(region.index.value);
  key_.push_back(word(Word::kRegion, place_ | static_cast<uint64_t>(layout.rank()) << 8 |
                                         static_cast<uint64_t>(layout.dtype.key()) << 16 |
                                         static_cast<uint64_t>(scatters) << 24));
  add_dims(layout.shape);
  add_dims(layout.strides);
  if (scatters) add(region.index);
  add(value);
}

void Expression::shares_memory() {
  apart_ = false;
  key_.push_back(word(Word::kShared));
}

// A node whose result is stored has the strides of its result in the key.
void Expression::add(const Node& node) {
  const bool stored = (!region_ && nodes_.empty()) || node.owner->holders() > 0;
  nodes_.push_back(&node);
  key_.push_back(word(Word::kNode, static_cast<uint64_t>(node.kind) |
                                       static_cast<uint64_t>(node.op) << 8 |
                                       static_cast<uint64_t>(node.loop) << 24 |
                                       static_cast<uint64_t>(node.out.dtype.key()) << 40 |
                                       static_cast<uint64_t>(stored) << 48));
  if (stored) add_dims(node.out.strides);
  if (node.kind == Node::Kind::kGather) {
    add(node.inputs[1]);
    add_leaf(node.inputs[0]);
  } else {
    for (int i = 0; i < node.input_count; ++i) add(node.inputs[i]);
  }
}

void Expression::add(const NodeInput& input) {
  if (input.is_scalar()) {
    numbers_.push_back(&input.scalar);
    key_.push_back(word(Word::kNumber));
  } else if (!fuses(input, place_)) {
    add_leaf(input);
  } else if (const int seen = number_of(input.value->node()); seen >= 0) {
    key_.push_back(word(Word::kNodeAgain, seen));
  } else {
    add(*input.value->node());
  }
}

void Expression::add_leaf(const NodeInput& input) {
  if (const int seen = number_of(input); seen >= 0) {
    key_.push_back(word(Word::kLeafAgain, seen));
    return;
  }
  leaves_.push_back(&input);
  key_.push_back(word(Word::kLeaf, static_cast<uint64_t>(input.layout.dtype.key())));
  add_dims(input.layout.strides);
}

int Expression::number_of(const Node* node) const {
  const auto found = std::ranges::find(nodes_, node);
  return found == nodes_.end() ? -1 : static_cast<int>(found - nodes_.begin());
}

int Expression::number_of(const NodeInput& leaf) const {
  const auto same = [&](const NodeInput* each) { return same_leaf(*each, leaf); };
  const auto found = std::ranges::find_if(leaves_, same);
  return found == leaves_.end() ? -1 : static_cast<int>(found - leaves_.begin());
}

}  // namespace gpy::rt
