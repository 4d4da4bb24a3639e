#pragma once

// A pending expression as one plan will see it. Its key says all that the plan depends on; the
// rest is what a run puts into the plan: arrays, numbers, and whose results they are. They are
// numbered in the order in which PlanBuilder meets them.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/graph/node.h"

namespace gpy::rt {

class Expression {
 public:
  // All that is computed when `root` runs. What it loads has run.
  void read(const Node& root);
  void clear();

  std::span<const int64_t> key() const { return key_; }
  // The root, and the nodes that fuse into it.
  std::span<const Node* const> nodes() const { return nodes_; }
  // What is loaded; one that is loaded twice in the same way stands here once.
  std::span<const NodeInput* const> leaves() const { return leaves_; }
  std::span<const Scalar* const> numbers() const { return numbers_; }

  int number_of(const Node* node) const;  // -1 for none
  int number_of(const NodeInput& leaf) const;

 private:
  void add(const Node& node);
  void add(const NodeInput& input);
  void add_leaf(const NodeInput& input);
  void add_dims(const Dims& dims) {
    for (int64_t each : dims) key_.push_back(each);
  }

  Place place_ = kHostPlace;
  std::vector<int64_t> key_;
  std::vector<const Node*> nodes_;
  std::vector<const NodeInput*> leaves_;
  std::vector<const Scalar*> numbers_;
};

}  // namespace gpy::rt
