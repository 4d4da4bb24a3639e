#pragma once

// The evaluator: the only code that decides to run something. It turns a pending value into a
// plan, together with every pending value below it that fits the same loop nest, and runs it.

#include "runtime/session.h"

namespace gpy::rt {

// Makes the value ready. If it fails, everything stays as it was and may be tried again.
void evaluate(Session& session, Value& value);

// The buffer of a value in a place: computed, and copied there if need be.
const Buffer& ready_at(Session& session, Value& value, Place place);

// A ready value's bytes as they are now, in memory of that place that is nobody else's. May run a
// script, which gives that memory.
Ref<Buffer> copy_to(Session& session, const Value& value, Place place);

// Runs `expression` (a view of a value, or a number, seen with the region's shape) into memory. The
// caller has made sure that no write destroys elements of the region that are read later.
// The expression is dropped before anybody is told of events: whoever is told may compute what is
// pending.
void run_into(Session& session, NodeInput expression, const Region& region, Place place);

// True where the node that reads `input` can compute it on the fly instead of loading it.
bool fuses(const NodeInput& input, Place place);

// Computes pending values that could raise floating-point events, so that they raise them now.
void settle_events(Session& session);

// Gives all that is pending in a place to its queue, without waiting for it.
void launch_pending(Session& session, Place place);
void launch_all_pending(Session& session);
// Sends later work in a place to `queue`; null: the device's own. Pending work there is given to
// the previous queue first.
void use_queue(Session& session, Place place, Ref<Queue> queue);
// Makes another GPU the current one. What is pending on the one before is given to its queue, so
// that the devices work side by side; if that fails, the device is the current one all the same.
void use_device(Session& session, int index);
// Later results take their memory from `source`; null: the devices' own pools. Pending values take
// it from the previous one.
void use_source(Session& session, std::shared_ptr<ArraySource> source);

// The pending graph below a value and the plan that would run it, as text for gp.explain.
std::string explain(Session& session, Value& value);

}  // namespace gpy::rt
