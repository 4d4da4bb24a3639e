#include "runtime/graph/evaluate.h"

#include <algorithm>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/build_plan.h"
#include "runtime/graph/events.h"
#include "runtime/graph/prepared.h"

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
using Values = std::vector<Ref<Value>>;

void add_loads(const Node& node, Visited& visited, Values& loads) {
  if (std::ranges::find(visited, &node) != visited.end()) return;
  visited.push_back(&node);
  for (int i = 0; i < node.input_count; ++i) {
    const NodeInput& input = node.inputs[i];
    if (input.is_scalar() || !input.value->pending()) continue;
    const bool base = node.kind == Node::Kind::kGather && i == 0;
    if (!base && fuses(input, node.place)) {
      add_loads(*input.value->node(), visited, loads);
    } else {
      loads.push_back(input.value);
    }
  }
}

// Everything pending that the plan of `node` must load rather than compute. Each node is visited
// once: a graph of n nodes can have 2^n paths.
Values pending_loads(const Node& node) {
  Visited visited;
  Values loads;
  add_loads(node, visited, loads);
  return loads;
}

// A script that is told of a warning meanwhile may need `target` itself: then it is not pending any
// more.
void evaluate_loads(Session& session, Value& target) {
  while (target.pending()) {
    const Values loads = pending_loads(*target.node());
    if (loads.empty()) return;
    for (const Ref<Value>& each : loads) evaluate(session, *each);
  }
}

std::string_view op_name(const Plan& plan, size_t op) {
  if (op >= plan.ops.size())
    return plan.reduction && plan.reduction->scan ? "accumulate" : "reduce";
  return plan.ops[op].kind == PlanOp::Kind::kUfunc ? ufuncs()[plan.ops[op].ufunc].name : "cast";
}

// What the ops of a run have raised. It is told when the results are there: a script that is told
// may look at them.
class Warnings {
 public:
  // maker_of(op): the node that it is of, or null. A report that nobody asked for is empty.
  template <class MakerOf>
  Warnings(const Session& session, const Plan& plan, const RunReport& report, MakerOf&& maker_of) {
    for (size_t op = 0; op < report.flags.size(); ++op) {
      if (report.flags[op] == 0) continue;
      const Node* maker = maker_of(op);
      warnings_.push_back({maker ? maker->errors : session.errors, report.flags[op],
                           op_name(plan, op), maker ? maker->origin : Origin()});
    }
  }
  void tell(Session& session) const {
    for (const Warning& each : warnings_) {
      tell_events(session, each.errors, each.flags, each.op, each.origin);
    }
  }

 private:
  struct Warning {
    ErrorState errors;
    int flags;
    std::string_view op;
    Origin origin;
  };
  std::vector<Warning> warnings_;
};

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
    Warnings(session, plan, report, [&](size_t op) { return builder.maker(op); }).tell(session);
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
  const Ref<Value> keep(&value);
  evaluate(session, value);
  if (!value.valid_at(place)) {
    value.add_copy(place, with_reclaim(session, [&] { return copy_to(session, value, place); }));
  }
  return *value.at(place);
}

namespace {

std::shared_ptr<const PreparedExpression> prepared_for(Session& session,
                                                       const Expression& expression) {
  if (auto found = session.prepared.find(expression.key())) return found;
  auto made = prepare(session.backend(expression.nodes()[0]->place), expression);
  session.prepared.add(made);
  return made;
}

using Room = PreparedCache::Lease;

void allocate_results(Session& session, const PreparedExpression& prepared, const Room& room) {
  for (int number : prepared.stored) {
    const Node& made = *room->expression.nodes()[number];
    Ref<Buffer> buffer =
        allocate_array(session.backend(made.place), static_cast<int64_t>(made.owner->bytes()),
                       made.out, made.origin);
    room->bindings.outputs.push_back(buffer->data());
    room->results.emplace_back(Ref<Value>(made.owner), std::move(buffer));
  }
}

void bind(Session& session, const PreparedExpression& prepared, const Room& room, Place place) {
  for (int leaf : prepared.inputs) {
    if (leaf < 0) {
      room->bindings.inputs.push_back(nullptr);
      continue;
    }
    const NodeInput& input = *room->expression.leaves()[leaf];
    const Buffer& buffer = ready_at(session, *input.value, place);
    room->bindings.inputs.push_back(static_cast<const std::byte*>(buffer.data()) +
                                    input.layout.offset);
  }
  const std::span<const Scalar* const> numbers = room->expression.numbers();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const DType dtype = prepared.plan.scalars[i];
    numbers[i]->cast(dtype).store(dtype, room->bindings.scalars.emplace_back().data());
  }
}

Warnings run(Session& session, const PreparedExpression& prepared, const Room& room, Place place) {
  const InterruptScope scope(session.interrupt);
  const bool watch = session.backend(place).is_host();
  const Plan& plan = prepared.plan;
  room->report.flags.clear();
  if (plan.count() > 0 || plan.reduction) {
    prepared.run->run(room->bindings, watch ? &room->report : nullptr);
  }
  session.counters.nodes_fused += prepared.nodes_fused;
  return Warnings(session, plan, room->report, [&](size_t op) {
    const int maker = prepared.makers[op];
    return maker < 0 ? nullptr : room->expression.nodes()[maker];
  });
}

}  // namespace

static void evaluate_pending(Session& session, Value& target) {
  evaluate_loads(session, target);
  if (!target.pending()) return;
  const Place place = target.node()->place;
  const Room room(session.prepared);
  room->expression.read(*target.node());
  const auto prepared = prepared_for(session, room->expression);
  allocate_results(session, *prepared, room);
  bind(session, *prepared, room, place);
  const Warnings warnings = run(session, *prepared, room, place);
  for (auto& [value, buffer] : room->results) value->become_ready(place, std::move(buffer));
  warnings.tell(session);
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
  for (const NodeInput* input : {&expression, &region.index}) {
    if (input->is_scalar()) continue;
    if (fuses(*input, place)) evaluate_loads(session, *input->value);
    else evaluate(session, *input->value);
  }
  Register index = kNoRegister;
  if (region.index.value) index = builder.load(region.index, DType::kInt64);
  const Register value = builder.load(expression, region.layout.dtype);
  builder.store(value, region.layout, index);
  Launch launch{session, place, {}, {}};
  launch.bindings.outputs.push_back(region.memory + region.layout.offset);
  const Plan plan = builder.finish();
  launch.bind_inputs(builder);
  launch.run(plan, builder);
}

}  // namespace gpy::rt
