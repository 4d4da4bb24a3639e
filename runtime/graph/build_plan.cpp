#include "runtime/graph/build_plan.h"

#include <algorithm>

#include "runtime/graph/collapse.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/expression.h"

namespace gpy::rt {

namespace {

// While a plan grows, registers carry their kind in the top bits: how many inputs and scalars
// there will be is known only at the end.
constexpr Register kScalarBit = 0x4000;
constexpr Register kOpBit = 0x8000;
constexpr Register kIndexMask = 0x3fff;

Dims element_strides(const Layout& layout) {
  Dims strides = layout.strides;
  for (int64_t& stride : strides) stride /= layout.item_size();
  return strides;
}

}  // namespace

DType PlanBuilder::dtype_of(Register value) const {
  const int index = value & kIndexMask;
  if (value & kOpBit) return plan_.ops[index].dtype;
  if (value & kScalarBit) return plan_.scalars[index];
  return plan_.inputs[index].dtype;
}

Register PlanBuilder::add_input(PlanInput::Kind kind, const NodeInput& from) {
  for (size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (plan_.inputs[i].kind == kind && same_leaf(*sources_[i].input, from)) {
      return static_cast<Register>(i);
    }
  }
  const Layout& layout = from.layout;
  plan_.inputs.push_back({kind, layout.dtype.native(), element_strides(layout)});
  sources_.push_back({from.value, layout.offset, &from});
  return static_cast<Register>(plan_.inputs.size() - 1);
}

Register PlanBuilder::add_iota(const Dims& shape) {
  for (size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (plan_.inputs[i].kind == PlanInput::Kind::kIota) return static_cast<Register>(i);
  }
  plan_.inputs.push_back({PlanInput::Kind::kIota, DType::kInt64, c_strides(shape, 1)});
  sources_.emplace_back();
  return static_cast<Register>(plan_.inputs.size() - 1);
}

Register PlanBuilder::add_op(PlanOp op, const Node* maker) {
  plan_.ops.push_back(op);
  makers_.push_back(maker);
  return static_cast<Register>((plan_.ops.size() - 1) | kOpBit);
}

Register PlanBuilder::cast(Register value, DType from, DType to, const Node* maker) {
  if (from == to) return value;
  PlanOp op;
  op.kind = PlanOp::Kind::kCast;
  op.from = from;
  op.dtype = to;
  op.args[0] = value;
  return add_op(op, maker);
}

// Converts elements of `dtype` to the machine's byte order after a load, or back for a store.
Register PlanBuilder::reorder(Register value, DType dtype, const Node* maker) {
  if (dtype.is_native()) return value;
  const DType native[] = {dtype.native()};
  const Ufunc& byteswap = ufunc(Row::byteswap);
  PlanOp op;
  op.ufunc = byteswap.id;
  op.loop = static_cast<uint16_t>(resolve(byteswap, native) - byteswap.loops.data());
  op.dtype = native[0];
  op.args[0] = value;
  return add_op(op, maker);
}

Register PlanBuilder::load(const NodeInput& input, DType wanted, const Node* reader) {
  const DType dtype = wanted.native(), own = input.dtype();
  if (input.is_scalar()) {
    scalars_.push_back(input.scalar.cast(dtype));
    plan_.scalars.push_back(dtype);
    return static_cast<Register>((scalars_.size() - 1) | kScalarBit);
  }
  const Register loaded = fuses(input, place_)
                              ? compute(*input.value->node())
                              : reorder(add_input(PlanInput::Kind::kBuffer, input), own, reader);
  return cast(loaded, own.native(), dtype, reader);
}

Register PlanBuilder::compute(const Node& node) {
  for (const auto& [value, reg] : memo_) {
    if (value == node.owner) return reg;
  }
  Register result = kNoRegister;
  switch (node.kind) {
    case Node::Kind::kUfunc: {
      const UfuncLoop& loop = ufuncs()[node.op].loops[node.loop];
      PlanOp op;
      op.ufunc = node.op;
      op.loop = node.loop;
      op.dtype = loop.out;
      for (int i = 0; i < node.input_count; ++i)
        op.args[i] = load(node.inputs[i], loop.in[i], &node);
      result = cast(add_op(op, &node), loop.out, node.out.dtype.native(), &node);
      break;
    }
    case Node::Kind::kCast: result = load(node.inputs[0], node.out.dtype, &node); break;
    case Node::Kind::kIota: result = add_iota(node.out.shape); break;
    case Node::Kind::kGather: {
      PlanOp op;
      op.kind = PlanOp::Kind::kGather;
      op.dtype = node.out.dtype.native();
      op.args[0] = load(node.inputs[1], DType::kInt64, &node);
      op.input = add_input(PlanInput::Kind::kGather, node.inputs[0]);
      result = reorder(add_op(op, &node), node.inputs[0].layout.dtype, &node);
      break;
    }
    case Node::Kind::kReduce:
    case Node::Kind::kScan: break;  // never inside another plan: fuses() says no
  }
  memo_.emplace_back(node.owner, result);
  return result;
}

void PlanBuilder::store(Register value, const Layout& to, Register index) {
  plan_.outputs.push_back(
      {reorder(value, to.dtype, nullptr), to.dtype.native(), element_strides(to), index});
}

void PlanBuilder::reduce(const Node& node, Register value) {
  const ReductionLoop& loop = reductions()[node.op].loops[node.loop];
  PlanReduction reduction;
  reducer_ = &node;
  reduction.reduction = node.op;
  reduction.loop = node.loop;
  reduction.value = cast(value, dtype_of(value), loop.in, &node);
  reduction.dtype = loop.out;
  reduction.scan = node.kind == Node::Kind::kScan;
  reduction.strides = element_strides(node.out);
  for (int axis = domain_.size() - 1; axis >= 0 && node.reduced[axis]; --axis) {
    reduction.run *= domain_[axis];
  }
  // Kept axes first, reduced ones last, each in C order.
  Dims order;
  for (int axis = 0; axis < domain_.size(); ++axis) {
    if (!node.reduced[axis]) order.push_back(axis);
  }
  reduction.kept = order.size();
  for (int axis = 0; axis < domain_.size(); ++axis) {
    if (node.reduced[axis]) order.push_back(axis);
  }
  if (reduction.scan) {
    Dims strides = reduction.strides;
    for (int i = 0; i < order.size(); ++i) reduction.strides[i] = strides[order[i]];
  }
  plan_.reduction = std::move(reduction);
  permute(plan_, domain_, order);
}

std::vector<std::pair<Value*, Register>> PlanBuilder::kept_values() const {
  std::vector<std::pair<Value*, Register>> kept;
  for (const auto& [value, reg] : memo_) {
    // Readers outside this plan would compute it again.
    if (value->holders() > 0) kept.emplace_back(const_cast<Value*>(value), reg);
  }
  return kept;
}

void PlanBuilder::renumber(Register& value) const {
  if (value == kNoRegister) return;
  const int index = value & kIndexMask;
  if (value & kOpBit) {
    value = static_cast<Register>(plan_.inputs.size() + plan_.scalars.size() + index);
  } else if (value & kScalarBit) {
    value = static_cast<Register>(plan_.inputs.size() + index);
  }
}

Plan PlanBuilder::finish() {
  for (PlanOp& op : plan_.ops) {
    for (Register& arg : op.args) renumber(arg);
  }
  for (PlanOutput& output : plan_.outputs) {
    renumber(output.value);
    renumber(output.index);
  }
  if (plan_.reduction) renumber(plan_.reduction->value);
  if (plan_.extents.empty()) plan_.extents = domain_;
  collapse(plan_);
  return std::move(plan_);
}

}  // namespace gpy::rt
