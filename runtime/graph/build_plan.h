#pragma once

// Collects nodes into one plan: gives registers to inputs, numbers and operations, then collapses
// the loop nest. It reads the graph and changes nothing.

#include <unordered_map>
#include <vector>

#include "runtime/graph/node.h"
#include "runtime/graph/plan.h"

namespace gpy::rt {

// Registers hold elements in the machine's byte order: loads convert to it, and stores convert
// back.
class PlanBuilder {
 public:
  explicit PlanBuilder(const Dims& domain, Place place) : domain_(domain), place_(place) {}

  // The register that holds `input`'s elements, cast to `wanted`.
  Register load(const NodeInput& input, DType wanted, const Node* reader = nullptr);
  // The register that holds what a map node computes.
  Register compute(const Node& node);

  // Stores are in the domain's shape.
  void store(Register value, const Layout& to, Register index = kNoRegister);
  void reduce(const Node& node, Register value);

  // Collapses dimensions and fixes the numbering. Called once, last.
  Plan finish();

  // The memory of each plan input's element 0, in the inputs' order. Iota inputs have no value.
  struct Source {
    Ref<Value> value;
    int64_t offset = 0;
    const NodeInput* input = nullptr;
  };
  const std::vector<Source>& sources() const { return sources_; }
  // The node that made an op, or the reduction behind the last op; null: none.
  const Node* maker(size_t op) const { return op < makers_.size() ? makers_[op] : reducer_; }
  int nodes_fused() const { return static_cast<int>(memo_.size()); }
  // Pending values inside the plan that somebody else will read: worth a store of their own.
  std::vector<std::pair<Value*, Register>> kept_values() const;

 private:
  Register add_input(PlanInput::Kind kind, const NodeInput& input);
  Register add_iota(const Dims& shape);
  Register add_op(PlanOp op, const Node* maker);
  Register reorder(Register value, DType dtype, const Node* maker);
  Register cast(Register value, DType from, DType to, const Node* maker);
  DType dtype_of(Register value) const;
  void renumber(Register& value) const;

  const Dims& domain_;
  Place place_;
  Plan plan_;
  std::vector<Source> sources_;
  std::vector<Scalar> scalars_;
  std::vector<const Node*> makers_;
  const Node* reducer_ = nullptr;
  std::vector<std::pair<const Value*, Register>> memo_;
};

}  // namespace gpy::rt
