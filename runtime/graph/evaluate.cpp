#include "runtime/graph/evaluate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/device_control.h"
#include "runtime/graph/allocate.h"
#include "runtime/graph/events.h"
#include "runtime/graph/prepared.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/reuse.h"
#include "runtime/graph/write_access.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt {

namespace {

// The queues of both devices wait for each other, on the devices: the source is neither overwritten
// nor reused before it has been copied.
void copy_between(Backend& target, Backend& source, Buffer& to, const Buffer& from, size_t bytes) {
  const auto point_of = [](Backend& backend) {
    Ref<Event> event = backend.make_event({.timed = false});
    event->record(backend.queue());
    return event;
  };
  target.control().open_way(source.place() - 1);
  point_of(source)->hold(target.queue());
  target.raw_memory().copy(to.data(), from.data(), bytes, &target.queue());
  point_of(target)->hold(source.queue());
  target.counters.bytes_copied += bytes;
}

}  // namespace

Ref<Buffer> copy_to(Session& session, const Value& value, Place place) {
  const Place from = value.any_place();
  for (const Place each : {place, from}) {
    if (each > kHostPlace) require_content(session, Space::on_device(each - 1));
  }
  Ref<Buffer> copy = allocate_copy(session, place, value.bytes());
  if (from < 0) {
    throw HostMemoryError(
        fmt::format("Unable to allocate {} bytes to keep what was in lent memory", value.bytes()));
  }
  const InterruptScope scope(session.interrupt);
  Backend& target = session.backend(place);
  const void* source = value.at(from)->data();
  session.backend(from).will_read(*value.at(from));
  if (session.backend(from).is_host()) {
    target.upload(copy->data(), source, value.bytes());
  } else if (target.is_host()) {
    session.backend(from).download(copy->data(), source, value.bytes());
  } else {
    copy_between(target, session.backend(from), *copy, *value.at(from), value.bytes());
  }
  poll_interrupt();  // a copy waits for all that was launched before it
  return copy;
}

namespace {

std::string_view op_name(const Plan& plan, size_t op) {
  if (op >= plan.ops.size())
    return plan.reduction && plan.reduction->scan ? "accumulate" : "reduce";
  return plan.ops[op].kind == PlanOp::Kind::kUfunc ? ufuncs()[plan.ops[op].ufunc].name : "cast";
}

// The events that the ops of a run have raised. They are reported when the results are there: a
// script's handler may look at them.
class Warnings {
 public:
  // maker_of(op): the node of an op, or null. A report that nobody asked for is empty.
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
  if (!value.valid_at(place) && !value.try_share(place)) {
    value.add_copy(place, with_reclaim(session, [&] { return copy_to(session, value, place); }));
  }
  session.backend(place).will_read(*value.at(place));
  return *value.at(place);
}

namespace {

std::shared_ptr<const PreparedExpression> prepared_for(Session& session,
                                                       const Expression& expression) {
  if (auto found = session.prepared.find(expression.key())) return found;
  auto made = prepare(session.backend(expression.place()), expression);
  session.prepared.add(made);
  return made;
}

using Room = PreparedCache::Lease;
using Values = std::vector<Ref<Value>>;

// The pending values that must be computed before the expression.
Values pending_loads(const Expression& expression) {
  Values loads;
  for (const NodeInput* leaf : expression.leaves()) {
    if (leaf->value->pending()) loads.push_back(leaf->value);
  }
  return loads;
}

// The values to bring to a device before the expression runs there: bringing one may run the
// script's allocator. Without an allocator of the script they are brought on the way.
Values loads_elsewhere(const Session& session, const Expression& expression) {
  Values loads;
  if (!session.array_source || expression.place() == kHostPlace) return loads;
  for (const NodeInput* leaf : expression.leaves()) {
    if (!leaf->value->valid_at(expression.place())) loads.push_back(leaf->value);
  }
  return loads;
}

void find_leaves(Session& session, const Room& room) {
  for (const NodeInput* leaf : room->expression.leaves()) {
    const Buffer& buffer = ready_at(session, *leaf->value, room->expression.place());
    room->leaves.push_back(static_cast<const std::byte*>(buffer.data()) + leaf->layout.offset);
    if (recording()) leaf->value->set_captured();
  }
}

// An array of the host's own is computed now: what it is made of must be there.
void require_contents(Session& session, const Expression& expression) {
  if (!recording_queue(session, kHostPlace)) return;
  const auto is_recorded = [](const NodeInput* leaf) { return leaf->value->captured(); };
  if (std::ranges::any_of(expression.nodes(), &Node::queued) ||
      std::ranges::any_of(expression.leaves(), is_recorded)) {
    require_content(session, Space::automatic());
  }
}

// Memory of the session's source for results, taken before anything is begun: the source may run a
// script, which may compute the same values.
struct SourceMemory {
  ArraySource* source = nullptr;
  std::vector<Ref<Buffer>> buffers;
};

// The values that an attempt to evaluate needs first; empty if it succeeded.
struct Needs {
  Values loads = {};      // to be computed
  Values of_source = {};  // results that want memory of the session's source
  Values elsewhere = {};  // to be brought to the place, into memory of the source
  Place place = kHostPlace;

  bool empty() const { return loads.empty() && of_source.empty() && elsewhere.empty(); }
};

Needs needs_of_loads(const Session& session, const Expression& expression) {
  Values loads = pending_loads(expression);
  if (!loads.empty()) return {.loads = std::move(loads)};
  return {.elsewhere = loads_elsewhere(session, expression), .place = expression.place()};
}

void provide_loads(Session& session, const Needs& needs) {
  for (const Ref<Value>& each : needs.loads) evaluate(session, *each);
  for (const Ref<Value>& each : needs.elsewhere) ready_at(session, *each, needs.place);
}

Values results_of_source(const Session& session, const PreparedExpression& prepared,
                         const Room& room) {
  Values results;
  if (!session.array_source) return results;
  for (int number : prepared.stored) {
    const Node& made = *room->expression.nodes()[number];
    if (made.of_device) results.emplace_back(made.owner);
  }
  return results;
}

bool fits(const SourceMemory& memory, const Session& session, const Values& results) {
  return memory.source == session.array_source.get() &&
         std::ranges::equal(memory.buffers, results, [](const auto& buffer, const auto& value) {
           return buffer->bytes() >= value->bytes();
         });
}

void take_memory(Session& session, const Values& results, SourceMemory& memory) {
  const std::shared_ptr<ArraySource> source = session.array_source;
  memory = {source.get(), {}};
  for (const Ref<Value>& value : results) {
    if (!source || !value->pending()) return;  // a script has changed that meanwhile
    const Node& made = *value->node();
    memory.buffers.push_back(allocate_array(session.backend(made.place),
                                            static_cast<int64_t>(value->bytes()), made.out,
                                            {source.get(), made.origin}));
  }
}

// A plan whose result takes the memory of an array that it reads, and that memory.
struct InPlace {
  std::shared_ptr<const PreparedExpression> prepared;
  Ref<Buffer> memory;
};

// Null where there is none, or where a run that fails could leave the array half overwritten, as
// one on several threads could. The expression's key stands for that plan, or is read anew.
InPlace find_in_place(Session& session, const Room& room, const Node& root) {
  Ref<Buffer> memory = find_reusable(session, room->expression);
  if (!memory) return {};
  room->expression.shares_memory();
  auto prepared = prepared_for(session, room->expression);
  if (prepared->run->is_all_or_nothing()) return {std::move(prepared), std::move(memory)};
  room->expression.read(root);
  return {};
}

void take_memory_over(Session& session, const Room& room, Ref<Buffer> memory) {
  const Node& root = *room->expression.nodes().front();
  session.backend(root.place).will_write(*memory);
  room->bindings.outputs.push_back(memory->data());
  room->results.emplace_back(Ref<Value>(root.owner), std::move(memory));
}

void allocate_results(Session& session, const PreparedExpression& prepared, const Room& room,
                      SourceMemory& memory) {
  size_t used = 0;
  for (int number : prepared.stored) {
    const Node& made = *room->expression.nodes()[number];
    const bool given = made.of_device && session.array_source;
    Ref<Buffer> buffer = given ? memory.buffers[used++]
                               : allocate_array(session.backend(made.place),
                                                static_cast<int64_t>(made.owner->bytes()), made.out,
                                                {nullptr, made.origin});
    if (Capture* capture = recording()) capture->use(*buffer, true);
    room->bindings.outputs.push_back(buffer->data());
    room->results.emplace_back(Ref<Value>(made.owner), std::move(buffer));
  }
}

void bind(const PreparedExpression& prepared, const Room& room) {
  for (int leaf : prepared.inputs) {
    room->bindings.inputs.push_back(leaf < 0 ? nullptr : room->leaves[leaf]);
  }
  const std::span<const Scalar* const> numbers = room->expression.numbers();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const DType dtype = prepared.plan.scalars[i];
    numbers[i]->cast(dtype).store(dtype, room->bindings.scalars.emplace_back().data());
  }
}

Warnings run(Session& session, const std::shared_ptr<const PreparedExpression>& prepared,
             const Room& room) {
  const bool watch = session.backend(room->expression.place()).is_host();
  const Plan& plan = prepared->plan;
  room->report.flags.clear();
  bind(*prepared, room);
  if (plan.count() > 0 || plan.reduction) {
    if (recording()) prepared->run->record(room->bindings, prepared);
    else prepared->run->run(room->bindings, watch ? &room->report : nullptr);
  }
  session.counters.nodes_fused += prepared->nodes_fused;
  return Warnings(session, plan, room->report, [&](size_t op) {
    const int maker = prepared->makers[op];
    return maker < 0 ? nullptr : room->expression.nodes()[maker];
  });
}

// Arrays of zeros on the host come from the memory's source: few bytes are set sooner than a plan
// begins, and many are not touched, since the system supplies pages of zeros when they are.
constexpr size_t kSetUpTo = size_t{1} << 20, kUntouchedFrom = size_t{4} << 20;

bool comes_as_zeros(const Node& node, size_t bytes) {
  if (node.kind != Node::Kind::kCast || node.place != kHostPlace || node.of_device ||
      (bytes > kSetUpTo && bytes < kUntouchedFrom) || !node.inputs[0].is_scalar()) {
    return false;
  }
  std::array<std::byte, 16> element{};
  node.inputs[0].scalar.cast(node.out.dtype).store(node.out.dtype, element.data());
  return std::ranges::all_of(element, [](std::byte each) { return each == std::byte{0}; });
}

// If something is needed first, returns that and does nothing.
Needs try_evaluate(Session& session, Value& target, SourceMemory& memory) {
  const RecordScope records(target.node()->queued ? session.queues[target.node()->place].get()
                                                  : nullptr);
  if (const Node& node = *target.node(); !recording() && comes_as_zeros(node, target.bytes())) {
    Ref<Buffer> zeros =
        allocate_array(session.backend(kHostPlace), static_cast<int64_t>(target.bytes()), node.out,
                       {nullptr, node.origin, true});
    target.become_ready(kHostPlace, std::move(zeros));
    return {};
  }
  const Room room(session.prepared);
  room->expression.read(*target.node());
  const Place place = room->expression.place();
  if (Needs needs = needs_of_loads(session, room->expression); !needs.empty()) return needs;
  if (!target.node()->queued) require_contents(session, room->expression);
  find_leaves(session, room);
  InPlace in_place = recording() ? InPlace() : find_in_place(session, room, *target.node());
  const auto prepared =
      in_place.memory ? in_place.prepared : prepared_for(session, room->expression);
  Values of_source = results_of_source(session, *prepared, room);
  if (!of_source.empty() && !fits(memory, session, of_source)) {
    return {.of_source = std::move(of_source)};
  }
  const bool overwrites = static_cast<bool>(in_place.memory);
  if (overwrites) take_memory_over(session, room, std::move(in_place.memory));
  else allocate_results(session, *prepared, room, memory);
  const Warnings warnings = [&] {
    // Half an array cannot be computed again: what overwrites one is finished.
    const InterruptScope scope(overwrites ? nullptr : session.interrupt);
    return run(session, prepared, room);
  }();
  for (auto& [value, buffer] : room->results) {
    value->become_ready(place, std::move(buffer));
    if (recording()) value->set_captured();
  }
  warnings.tell(session);
  return {};
}

// True where a loaded array overlaps the region's memory, even if it is another host's array.
bool shares_memory(const Region& region, const Room& room) {
  const auto [first, end] = byte_range(region.layout);
  const auto leaves = room->expression.leaves();
  for (size_t i = 0; i < leaves.size(); ++i) {
    const std::byte* base = room->leaves[i] - leaves[i]->layout.offset;
    if (base < region.memory + end && region.memory + first < base + leaves[i]->value->bytes()) {
      return true;
    }
  }
  return false;
}

Needs try_run_into(Session& session, NodeInput& expression, const Region& region, Place place) {
  std::optional<Room> room_of_run(std::in_place, session.prepared);
  const Room& room = *room_of_run;
  room->expression.read(expression, region, place);
  if (Needs needs = needs_of_loads(session, room->expression); !needs.empty()) return needs;
  if (!recording()) require_contents(session, room->expression);
  find_leaves(session, room);
  if (shares_memory(region, room)) room->expression.shares_memory();
  const auto prepared = prepared_for(session, room->expression);
  room->bindings.outputs.push_back(region.memory + region.layout.offset);
  const Warnings warnings = run(session, prepared, room);
  room_of_run.reset();
  expression = {};
  warnings.tell(session);
  return {};
}

// A script's handler of a warning may need `target` itself meanwhile: then it is not pending any
// more.
void evaluate_pending(Session& session, Value& target) {
  SourceMemory memory;
  while (target.pending()) {
    const Needs needs = try_evaluate(session, target, memory);
    provide_loads(session, needs);
    if (!needs.of_source.empty()) take_memory(session, needs.of_source, memory);
  }
}

}  // namespace

void evaluate(Session& session, Value& target) {
  if (!target.pending()) return;
  const NotesHeld notes;
  ++session.counters.forces;
  const Ref<Value> keep(&target);
  with_reclaim(session, [&] { evaluate_pending(session, target); });
}

// Only operations on the host report events.
static bool could_tell(const Node& node) {
  const bool computes = node.kind != Node::Kind::kIota && node.kind != Node::Kind::kGather;
  return computes && node.place == kHostPlace && !node.errors.ignores();
}

// Nodes that nothing pending reads run first, and take the nodes below them along.
template <class Chosen> static void run_pending(Session& session, Chosen&& chosen) {
  for (bool read : {false, true}) {
    std::vector<Ref<Value>> waiting;
    for (PendingRing* at = session.pending.after(); at != &session.pending; at = at->after()) {
      const Node& node = *static_cast<Node*>(at);
      if (chosen(node) && (read || node.owner->readers().empty())) waiting.emplace_back(node.owner);
    }
    for (const Ref<Value>& value : waiting) evaluate(session, *value);
  }
}

void settle_events(Session& session) { run_pending(session, could_tell); }

void launch_pending(Session& session, Place place) {
  run_pending(session, [place](const Node& node) { return node.place == place; });
}

void launch_all_pending(Session& session) {
  run_pending(session, [](const Node&) { return true; });
}

void use_queue(Session& session, Place place, Ref<Queue> queue) {
  if (session.queues[place] == queue) return;
  try {
    launch_pending(session, place);
  } catch (...) {  // values that could not run stay pending and go to the new queue
    session.queues[place] = std::move(queue);
    throw;
  }
  session.queues[place] = std::move(queue);
}

void use_device(Session& session, int index) {
  const int before = std::exchange(session.current_device, index);
  if (before != index) launch_pending(session, session.place_of(Space::on_device(before)));
}

void use_source(Session& session, std::shared_ptr<ArraySource> source) {
  if (session.array_source == source) return;
  try {
    run_pending(session, [](const Node& node) { return node.of_device; });
  } catch (const Error& error) {
    session.array_source = std::move(source);
    // Values without memory are still pending, and take it from the new source.
    if (error.kind() != ErrorKind::kMemory) throw;
    return;
  } catch (...) {
    session.array_source = std::move(source);
    throw;
  }
  session.array_source = std::move(source);
}

void run_into(Session& session, NodeInput expression, const Region& region, Place place) {
  const NotesHeld notes;
  while (true) {
    const Needs needs = try_run_into(session, expression, region, place);
    if (needs.empty()) return;
    provide_loads(session, needs);
  }
}

}  // namespace gpy::rt
