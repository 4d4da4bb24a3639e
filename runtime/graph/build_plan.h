#pragma once

// Collects nodes into one plan: gives registers to inputs, numbers and operations, then collapses
// the loop nest. It reads the graph and changes nothing.

#include <unordered_map>
#include <vector>

#include "runtime/graph/node.h"
#include "runtime/graph/plan.h"

namespace gpy::rt {

class PlanBuilder {
 public:
  explicit PlanBuilder(const Dims& domain, Place place) : domain_(domain), place_(place) {}

  // The register that holds `input`'s elements, cast to `dtype`.
  Register load(const NodeInput& input, DType dtype);
  // The register that holds what a map node computes.
  Register compute(const Node& node);

  // Stores are in the domain's shape.
  void store(Register value, const Layout& to, Register index = kNoRegister);
  void reduce(const Node& node, Register value);

  // Collapses dimensions and fixes the numbering. Called once, last.
  Plan finish();

  // In the order of the plan's inputs: where each one's element 0 is. Iota inputs have no value.
  struct Source {
    Ref<Value> value;
    int64_t offset = 0;
  };
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<Scalar>& scalars() const { return scalars_; }
  // One per op: where it was made.
  const std::vector<const Origin*>& origins() const { return origins_; }
  int nodes_fused() const { return static_cast<int>(memo_.size()); }
  // Pending values inside the plan that somebody else will read: worth a store of their own.
  std::vector<std::pair<Value*, Register>> kept_values() const;

 private:
  Register add_input(PlanInput::Kind kind, Ref<Value> value, const Layout& layout);
  Register add_op(PlanOp op, const Origin* origin);
  Register cast(Register value, DType from, DType to, const Origin* origin);
  DType dtype_of(Register value) const;
  void renumber(Register& value) const;

  const Dims& domain_;
  Place place_;
  Plan plan_;
  std::vector<Source> sources_;
  std::vector<Scalar> scalars_;
  std::vector<const Origin*> origins_;
  std::vector<std::pair<const Value*, Register>> memo_;
};

}  // namespace gpy::rt
