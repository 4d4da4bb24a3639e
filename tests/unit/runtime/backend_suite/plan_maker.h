#pragma once

// Writes plans by hand: all inputs first, then scalars, then operations.

#include <algorithm>
#include <string_view>
#include <vector>

#include "runtime/graph/plan.h"

namespace gpy::rt::test {

inline Dims c_order(const Dims& extents) {
  Dims strides(extents.size(), 1);
  for (int d = extents.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * extents[d + 1];
  return strides;
}

class PlanMaker {
 public:
  explicit PlanMaker(Dims extents) { plan_.extents = std::move(extents); }

  Register input(DType dtype, Dims strides) {
    return add_input({PlanInput::Kind::kBuffer, dtype, std::move(strides)});
  }
  Register input(DType dtype) { return input(dtype, c_order(plan_.extents)); }
  Register iota(Dims strides) {
    return add_input({PlanInput::Kind::kIota, DType::kInt64, std::move(strides)});
  }
  Register gathered(DType dtype, Dims strides) {
    return add_input({PlanInput::Kind::kGather, dtype, std::move(strides)});
  }
  Register scalar(DType dtype) {
    plan_.scalars.push_back(dtype);
    return static_cast<Register>(plan_.inputs.size() + plan_.scalars.size() - 1);
  }
  Register op(std::string_view name, std::vector<Register> args) {
    std::vector<DType> types;
    for (Register arg : args) types.push_back(plan_.dtype_of(arg));
    const Ufunc& ufunc = *find_ufunc(name);
    const UfuncLoop* loop = resolve(ufunc, types);
    PlanOp op;
    op.ufunc = ufunc.id;
    op.loop = static_cast<uint16_t>(loop - ufunc.loops.data());
    op.dtype = loop->out;
    for (size_t i = 0; i < args.size(); ++i) op.args[i] = cast(args[i], loop->in[i]);
    return add_op(op);
  }
  Register cast(Register value, DType to) {
    if (plan_.dtype_of(value) == to) return value;
    PlanOp op;
    op.kind = PlanOp::Kind::kCast;
    op.from = plan_.dtype_of(value);
    op.dtype = to;
    op.args[0] = value;
    return add_op(op);
  }
  Register gather(Register input, Register index) {
    PlanOp op;
    op.kind = PlanOp::Kind::kGather;
    op.input = input;
    op.dtype = plan_.inputs[input].dtype;
    op.args[0] = index;
    return add_op(op);
  }
  PlanMaker& output(Register value, Dims strides, Register index = kNoRegister) {
    plan_.outputs.push_back({value, plan_.dtype_of(value), std::move(strides), index});
    return *this;
  }
  PlanMaker& output(Register value) { return output(value, c_order(plan_.extents)); }

  PlanMaker& reduce(std::string_view name, Register value, int kept, int64_t run) {
    PlanReduction& reduction = add_reduction(name, value, kept, run);
    Dims extents;
    for (int d = 0; d < kept; ++d) extents.push_back(plan_.extents[d]);
    reduction.strides = c_order(extents);
    return *this;
  }
  PlanMaker& scan(std::string_view name, Register value, int64_t run, Dims strides) {
    PlanReduction& reduction = add_reduction(name, value, plan_.extents.size() - 1, run);
    reduction.scan = true;
    reduction.strides = std::move(strides);
    return *this;
  }

  // One given operation, stored.
  Plan apply(const PlanOp& op) { return output(add_op(op)).finish(); }

  Plan finish() { return std::move(plan_); }

 private:
  Register add_input(PlanInput input) {
    plan_.inputs.push_back(std::move(input));
    return static_cast<Register>(plan_.inputs.size() - 1);
  }
  Register add_op(const PlanOp& op) {
    plan_.ops.push_back(op);
    return static_cast<Register>(plan_.inputs.size() + plan_.scalars.size() + plan_.ops.size() - 1);
  }
  PlanReduction& add_reduction(std::string_view name, Register value, int kept, int64_t run) {
    const Reduction& row = *std::ranges::find(reductions(), name, &Reduction::name);
    PlanReduction reduction;
    reduction.reduction = row.id;
    for (size_t i = 0; i < row.loops.size(); ++i) {
      if (row.loops[i].in == plan_.dtype_of(value)) reduction.loop = static_cast<uint16_t>(i);
    }
    reduction.value = value;
    reduction.dtype = row.loops[reduction.loop].out;
    reduction.kept = kept;
    reduction.run = run;
    plan_.reduction = reduction;
    return *plan_.reduction;
  }

  Plan plan_;
};

}  // namespace gpy::rt::test
