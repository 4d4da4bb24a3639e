// Plans and pending graphs as text: for golden tests and gp.explain.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/graph/build_plan.h"
#include "runtime/graph/evaluate.h"

namespace gpy::rt {

namespace {

std::string dims_text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

std::string arguments(const PlanOp& op) {
  std::string text;
  for (Register arg : op.args) {
    if (arg != kNoRegister) text += fmt::format("{}r{}", text.empty() ? "" : ", ", arg);
  }
  return text;
}

std::string op_text(const Plan& plan, const PlanOp& op) {
  switch (op.kind) {
    case PlanOp::Kind::kUfunc: return fmt::format("{}({})", ufuncs()[op.ufunc].name, arguments(op));
    case PlanOp::Kind::kCast: return fmt::format("cast({}: {})", arguments(op), name(op.from));
    case PlanOp::Kind::kGather:
      return fmt::format("gather(in{} at {}) strides {}", op.input, arguments(op),
                         dims_text(plan.inputs[op.input].strides));
  }
  return "";
}

const char* input_kind(PlanInput::Kind kind) {
  switch (kind) {
    case PlanInput::Kind::kBuffer: return "load";
    case PlanInput::Kind::kIota: return "iota";
    case PlanInput::Kind::kGather: return "base";
  }
  return "";
}

}  // namespace

std::string Plan::describe() const {
  std::string text = fmt::format("loop {}", dims_text(extents));
  if (reduction) text += fmt::format(" keeping {}", reduction->kept);
  text += "\n";
  int reg = 0;
  for (const PlanInput& input : inputs) {
    text += fmt::format("  r{} = {} {} strides {}\n", reg++, input_kind(input.kind),
                        name(input.dtype), dims_text(input.strides));
  }
  for (DType dtype : scalars) text += fmt::format("  r{} = scalar {}\n", reg++, name(dtype));
  for (const PlanOp& op : ops) {
    text += fmt::format("  r{} = {} -> {}\n", reg++, op_text(*this, op), name(op.dtype));
  }
  for (const PlanOutput& output : outputs) {
    text += fmt::format("  store r{} {} strides {}", output.value, name(output.dtype),
                        dims_text(output.strides));
    text += output.index == kNoRegister ? "\n" : fmt::format(" at r{}\n", output.index);
  }
  if (reduction) {
    text +=
        fmt::format("  {} {} r{} run {} -> {} strides {}\n", reduction->scan ? "scan" : "reduce",
                    reductions()[reduction->reduction].name, reduction->value, reduction->run,
                    name(reduction->dtype), dims_text(reduction->strides));
  }
  return text;
}

namespace {

std::string node_name(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kUfunc: return std::string(ufuncs()[node.op].name);
    case Node::Kind::kCast: return node.inputs[0].is_scalar() ? "fill" : "cast";
    case Node::Kind::kIota: return "iota";
    case Node::Kind::kGather: return "gather";
    case Node::Kind::kReduce: return fmt::format("reduce {}", reductions()[node.op].name);
    case Node::Kind::kScan: return fmt::format("scan {}", reductions()[node.op].name);
  }
  return "";
}

class GraphText {
 public:
  // Numbers nodes in the order they would run; shared ones appear once.
  int number(const Value& value) {
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] == &value) return static_cast<int>(i);
    }
    const Node& node = *value.node();
    std::string inputs;
    for (int i = 0; i < node.input_count; ++i) {
      inputs += fmt::format("{}{}", i ? ", " : "", input_text(node.inputs[i]));
    }
    seen_.push_back(&value);
    text_ += fmt::format("  %{} = {}({}) -> {} {}\n", seen_.size() - 1, node_name(node), inputs,
                         name(node.out.dtype), tuple_text(node.out.shape));
    return static_cast<int>(seen_.size() - 1);
  }
  const std::string& text() const { return text_; }

 private:
  std::string input_text(const NodeInput& input) {
    if (input.is_scalar()) {
      const Scalar& scalar = input.scalar;
      return is_inexact(scalar.dtype()) ? fmt::format("{}", scalar.as_double())
                                        : fmt::format("{}", scalar.as_int());
    }
    if (input.value->pending()) return fmt::format("%{}", number(*input.value));
    return fmt::format("{} {}", name(input.layout.dtype), tuple_text(input.layout.shape));
  }

  std::vector<const Value*> seen_;
  std::string text_;
};

}  // namespace

std::string explain(Session& session, Value& value) {
  if (!value.pending()) return "ready\n";
  const Node& node = *value.node();
  GraphText graph;
  graph.number(value);
  PlanBuilder builder(node.loop_shape(), node.place);
  if (node.is_map()) {
    builder.store(builder.compute(node), node.out);
  } else {
    builder.reduce(node, builder.load(node.inputs[0], node.inputs[0].dtype()));
  }
  return fmt::format("graph\n{}plan on {}\n{}", graph.text(),
                     session.backend(node.place).device_info().kind, builder.finish().describe());
}

}  // namespace gpy::rt
