#pragma once

// A pending expression as one plan will see it. Its key holds everything that the plan depends on;
// a run supplies the rest: arrays, numbers, and the nodes of the results. They are numbered in the
// order in which PlanBuilder meets them.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/graph/node.h"

namespace gpy::rt {

// The destination of a plan's results when it is not the root's own new buffer.
struct Region {
  std::byte* memory = nullptr;
  Layout layout;
  NodeInput index;  // scatter: int64 elements added to each address; no value means none
};

// Whether two inputs read the same elements in the same way, so that one load serves both. The key
// and the plan must agree on it.
bool same_leaf(const NodeInput& a, const NodeInput& b);

class Expression {
 public:
  // Reads the expression that is computed when `root` runs.
  void read(const Node& root);
  // Reads what is stored into a region: `value`, with its shape. Both outlive the expression's use.
  void read(const NodeInput& value, const Region& region, Place place);
  // Notes that a loaded array overlaps the region's memory.
  void shares_memory();
  void clear();

  std::span<const int64_t> key() const { return key_; }
  Place place() const { return place_; }
  bool apart() const { return apart_; }
  // Null where the root is a node.
  const Region* region() const { return region_; }
  const NodeInput& stored() const { return *stored_; }  // into the region
  // The root, if it is a node, and the nodes that fuse into it.
  std::span<const Node* const> nodes() const { return nodes_; }
  // The inputs to load; one that is loaded twice in the same way stands here once.
  std::span<const NodeInput* const> leaves() const { return leaves_; }
  std::span<const Scalar* const> numbers() const { return numbers_; }

  int number_of(const Node* node) const;  // -1 for none
  int number_of(const NodeInput& leaf) const;

 private:
  void add(const Node& node);
  void add(const NodeInput& input);
  void add_leaf(const NodeInput& input);
  // Few words: a loop costs less than a call that moves a range.
  void add_dims(const Dims& dims) {
    for (const int64_t each : dims) key_.push_back(each);
  }

  Place place_ = kHostPlace;
  bool apart_ = true;
  const Region* region_ = nullptr;
  const NodeInput* stored_ = nullptr;
  std::vector<int64_t> key_;
  std::vector<const Node*> nodes_;
  std::vector<const NodeInput*> leaves_;
  std::vector<const Scalar*> numbers_;
};

}  // namespace gpy::rt
