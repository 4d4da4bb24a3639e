#include "runtime/graph/evaluate.h"

#include <algorithm>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/build_plan.h"
#include "runtime/graph/events.h"

namespace gpy::rt {

namespace {

Ref<Buffer> copy_to(Session& session, Value& value, Place place) {
  const Place from = value.any_place();
  if (from < 0) {
    throw HostMemoryError(
        fmt::format("Unable to allocate {} bytes to keep what was in lent memory", value.bytes()));
  }
  const InterruptScope scope(session.interrupt);
  Backend& target = session.backend(place);
  Ref<Buffer> copy = target.allocate(value.bytes());
  const void* source = value.at(from)->data();
  if (session.backend(from).is_host()) {
    target.upload(copy->data(), source, value.bytes());
  } else if (target.is_host()) {
    session.backend(from).download(copy->data(), source, value.bytes());
  } else {
    Ref<Buffer> host = session.backend(kHostPlace).allocate(value.bytes());
    session.backend(from).download(host->data(), source, value.bytes());
    target.upload(copy->data(), host->data(), value.bytes());
  }
  poll_interrupt();  // a copy waits for all that was launched before it
  return copy;
}

using Visited = std::vector<const Node*>;

void evaluate_loads(Session& session, const Node& node, Visited& visited) {
  if (std::ranges::find(visited, &node) != visited.end()) return;
  visited.push_back(&node);
  for (int i = 0; i < node.input_count; ++i) {
    const NodeInput& input = node.inputs[i];
    if (input.is_scalar() || !input.value->pending()) continue;
    const bool base = node.kind == Node::Kind::kGather && i == 0;
    if (!base && fuses(input, node.place)) {
      evaluate_loads(session, *input.value->node(), visited);
    } else {
      evaluate(session, *input.value);
    }
  }
}

// Everything pending that the plan of `node` must load rather than compute. Each node is visited
// once: a graph of n nodes can have 2^n paths.
void evaluate_loads(Session& session, const Node& node) {
  Visited visited;
  evaluate_loads(session, node, visited);
}

std::string_view op_name(const Plan& plan, size_t op) {
  if (op >= plan.ops.size())
    return plan.reduction && plan.reduction->scan ? "accumulate" : "reduce";
  return plan.ops[op].kind == PlanOp::Kind::kUfunc ? ufuncs()[plan.ops[op].ufunc].name : "cast";
}

void tell_warnings(Session& session, const Plan& plan, const RunReport& report,
                   const PlanBuilder& builder) {
  for (size_t op = 0; op < report.flags.size(); ++op) {
    if (report.flags[op] == 0) continue;
    const Node* maker = builder.maker(op);
    tell_events(session, maker ? maker->errors : session.errors, report.flags[op],
                op_name(plan, op), maker ? maker->origin : Origin());
  }
}

// A plan with its data in place.
struct Launch {
  Session& session;
  Place place;
  Bindings bindings;
  RunReport report;

  void bind_inputs(const PlanBuilder& builder) {
    for (const PlanBuilder::Source& source : builder.sources()) {
      if (!source.value) {
        bindings.inputs.push_back(nullptr);
        continue;
      }
      const Buffer& buffer = ready_at(session, *source.value, place);
      bindings.inputs.push_back(static_cast<const std::byte*>(buffer.data()) + source.offset);
    }
    for (const Scalar& scalar : builder.scalars()) {
      scalar.store(scalar.dtype(), bindings.scalars.emplace_back().data());
    }
  }

  void run(const Plan& plan, const PlanBuilder& builder) {
    Backend& backend = session.backend(place);
    const bool watch = backend.is_host();
    if (plan.count() > 0 || plan.reduction) backend.run(plan, bindings, watch ? &report : nullptr);
    session.counters.nodes_fused += builder.nodes_fused();
    if (watch) tell_warnings(session, plan, report, builder);
  }
};

}  // namespace

bool fuses(const NodeInput& input, Place place) {
  if (!input.value->pending()) return false;
  const Node& producer = *input.value->node();
  return producer.is_map() && !producer.alone && producer.place == place &&
         same_places(input.layout, producer.out);
}

const Buffer& ready_at(Session& session, Value& value, Place place) {
  evaluate(session, value);
  if (!value.valid_at(place)) {
    value.add_copy(place, with_reclaim(session, [&] { return copy_to(session, value, place); }));
  }
  return *value.at(place);
}

static void evaluate_pending(Session& session, Value& target) {
  const Node& node = *target.node();
  evaluate_loads(session, node);

  PlanBuilder builder(node.loop_shape(), node.place);
  std::vector<std::pair<Ref<Value>, Ref<Buffer>>> results;
  Launch launch{session, node.place, {}, {}};
  Backend& backend = session.backend(node.place);
  auto add_result = [&](Value& value) {
    const Node& made = *value.node();
    Ref<Buffer> buffer = allocate_array(backend, value.bytes(), made.out, made.origin);
    launch.bindings.outputs.push_back(buffer->data());
    results.emplace_back(Ref<Value>(&value), std::move(buffer));
  };

  Register root = kNoRegister;
  if (node.is_map()) {
    root = builder.compute(node);
    builder.store(root, node.out);
    add_result(target);
  } else {
    root = builder.load(node.inputs[0], node.inputs[0].dtype());
  }
  for (const auto& [value, reg] : builder.kept_values()) {
    if (value == &target) continue;
    builder.store(reg, value->node()->out);
    add_result(*value);
  }
  if (!node.is_map()) {
    builder.reduce(node, root);
    add_result(target);
  }
  const Plan plan = builder.finish();
  launch.bind_inputs(builder);
  {
    const InterruptScope scope(session.interrupt);
    launch.run(plan, builder);
  }
  const Place place = node.place;
  for (auto& [value, buffer] : results) value->become_ready(place, std::move(buffer));
}

void evaluate(Session& session, Value& target) {
  if (!target.pending()) return;
  const NotesHeld notes;
  ++session.counters.forces;
  const Ref<Value> keep(&target);
  with_reclaim(session, [&] { evaluate_pending(session, target); });
}

// Only what runs on the host tells of events.
static bool could_tell(const Node& node) {
  const bool computes = node.kind != Node::Kind::kIota && node.kind != Node::Kind::kGather;
  return computes && node.place == kHostPlace && !node.errors.ignores();
}

void settle_events(Session& session) {
  // Those that nothing pending reads come first, and take what is below them along.
  for (bool read : {false, true}) {
    std::vector<Ref<Value>> waiting;
    for (PendingRing* at = session.pending.after(); at != &session.pending; at = at->after()) {
      const Node& node = *static_cast<Node*>(at);
      if (could_tell(node) && (read || node.owner->readers().empty())) {
        waiting.emplace_back(node.owner);
      }
    }
    for (const Ref<Value>& value : waiting) evaluate(session, *value);
  }
}

void run_into(Session& session, const NodeInput& expression, const Region& region, Place place) {
  const NotesHeld notes;
  PlanBuilder builder(region.layout.shape, place);
  const bool fused = !expression.is_scalar() && fuses(expression, place);
  if (fused) {
    evaluate_loads(session, *expression.value->node());
  } else if (!expression.is_scalar()) {
    evaluate(session, *expression.value);
  }
  Register index = kNoRegister;
  if (region.index.value) {
    if (fuses(region.index, place)) {
      evaluate_loads(session, *region.index.value->node());
    } else {
      evaluate(session, *region.index.value);
    }
    index = builder.load(region.index, DType::kInt64);
  }
  const Register value = builder.load(expression, region.layout.dtype);
  builder.store(value, region.layout, index);
  Launch launch{session, place, {}, {}};
  launch.bindings.outputs.push_back(region.memory + region.layout.offset);
  const Plan plan = builder.finish();
  launch.bind_inputs(builder);
  launch.run(plan, builder);
}

}  // namespace gpy::rt
