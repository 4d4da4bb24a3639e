#include "runtime/kernel/reduction_kernel.h"

#include <fmt/format.h>

#include <bitset>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/checks/checked_text.h"
#include "runtime/kernel/combining_arguments.h"
#include "runtime/kernel/launch.h"
#include "runtime/kernel/reduction_schedule.h"
#include "runtime/kernel/reduction_text.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/reduce.h"

namespace gpy::rt {

ReductionKernel::ReductionKernel(ReductionText text) : text_(std::move(text)) {
  if (text_.outputs.size() != 1) {
    fail(ErrorKind::kValue, "{}: a reduction kernel has one output (got {})", text_.name,
         text_.outputs.size());
  }
}

struct ReductionKernel::Call {
  TypeBinding types;
  Space space;
  std::vector<Bound> inputs;
  Array result;
  Dims shape;  // kept axes, then reduced ones
  int64_t kept_count = 1, reduced_count = 1;
  ReductionSchedule schedule = {};
};

void ReductionKernel::launch(Session& session, Call& call) {
  const NotesHeld notes;
  const Place place = session.place_of(call.space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const RecordedWorkOf records(session, call.space);
  const std::vector<LentMemory> lent = lend_arrays(session, call.inputs, place);
  const LentMemory result(session, call.result, place, LentMemory::Use::kWrite);
  const std::lock_guard lock(mutex_);
  std::optional<CheckedLaunch> checks = checked_launch(session, place, checked_, call.inputs, lent);
  if (checks) {
    checks->set_combining();
    checks->lend(text_.outputs[0].name, call.result, result.address());
  }
  const ReductionSchedule& schedule = call.schedule;
  const std::string key = text_key(place, call.shape.size(), call.inputs) +
                          fmt::format("{}:{}", schedule.kept_rank, name(call.result.dtype())) +
                          (checks ? "c" : "");
  std::shared_ptr<UserModule>& module = compiled_[key];
  ArgumentBlock block(!module);
  const int64_t tiles = (call.kept_count + schedule.lanes - 1) / schedule.lanes;
  const int64_t jobs = tiles * schedule.parts;
  const int64_t totals = schedule.parts > 1 ? call.kept_count * schedule.parts : 1;
  const int64_t reduced_bytes =
      text_.reduce_type.empty() ? call.result.item_size() : kMostReducedBytes;
  const Ref<Buffer> partial = backend.allocate(totals * reduced_bytes);
  backend.will_write(*partial);
  block.add_int("_outputs", call.kept_count);
  block.add_int("_reduced", call.reduced_count);
  block.add_int("_parts", schedule.parts);
  block.add_int("_lanes", schedule.lanes);
  block.add_int("_columns", schedule.columns);
  block.add_pointer("_partial", "void", partial->data());
  block.add_ints("_shape", call.shape);
  add_arguments(call.inputs, lent, block);
  block.add_pointer("_result", cuda_type(call.result.dtype()), result.address());
  if (!module) {
    const auto text_of = [&](std::span<const Bound> bound, bool) {
      return reduction_source(text_, call.types, bound, block.fields(), schedule,
                              call.shape.size());
    };
    module = compile_version(
        {backend.user_kernels(), text_.name, text_.options, call.inputs, place, "_parts"},
        checks.has_value(), text_of, versions_);
  }
  const uint32_t threads = backend.is_host() ? 1 : kReductionThreads;
  const auto wide = static_cast<uint32_t>(std::min<int64_t>(jobs, 65535));
  KernelLaunch launch = {.grid = {wide, static_cast<uint32_t>((jobs + wide - 1) / wide)},
                         .block = {threads},
                         .elements = std::max(jobs, call.kept_count * call.reduced_count),
                         .catches_faults = session.catches_kernel_faults,
                         .checks = checks ? checks->checks() : nullptr};
  launch_or_record(module->function(entry_name(text_.name) + "_parts"), launch, block.bytes());
  if (schedule.parts > 1) {
    launch.grid = {static_cast<uint32_t>(std::min<int64_t>(call.kept_count, 65535))};
    launch.elements = totals;
    launch_or_record(module->function(entry_name(text_.name) + "_finish"), launch, block.bytes());
  }
  if (checks) checks->report(text_.name);
}

Array ReductionKernel::operator()(Session& session, std::span<const Operand> arguments,
                                  const std::optional<std::vector<int64_t>>& axes, bool keepdims,
                                  const Array* out, Space fallback) {
  check_inputs(text_.name, text_.inputs, arguments);
  Call call{bind_types(text_.name, text_.inputs, text_.outputs[0], arguments, out),
            common_space(arguments, fallback),
            {},
            {},
            {}};
  const Dims shape = kernel_shape(text_.inputs, arguments);
  const std::bitset<kMaxRank> reduced = reduced_axes(axes, shape.size());
  Dims order, kept, given;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (!reduced[axis]) {
      order.push_back(axis);
      kept.push_back(shape[axis]);
    }
    if (!reduced[axis] || keepdims) given.push_back(reduced[axis] ? 1 : shape[axis]);
  }
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (reduced[axis]) order.push_back(axis);
  }
  if (out) check_out_shape(text_.name, text_.outputs[0], *out, given);
  for (int64_t axis : order) call.shape.push_back(shape[axis]);
  call.kept_count = element_count(kept);
  call.reduced_count = element_count(call.shape.span().subspan(kept.size()));
  if (call.reduced_count == 0 && text_.identity.empty() && call.kept_count > 0) {
    fail(ErrorKind::kValue, "zero-size array to reduction operation {} which has no identity",
         text_.name);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelParameter& parameter = text_.inputs[i];
    call.inputs.push_back(bind_arranged(session, parameter, arguments[i],
                                        call.types.dtype_of(parameter), shape, order, call.space));
  }
  if (text_.checks_numbers) check_numbers(text_.name, call.inputs);
  const bool host = session.backend(session.place_of(call.space)).is_host();
  call.schedule = schedule_reduction(call.inputs, call.shape, kept.size(), host);
  call.result = make_empty(session, call.types.dtype_of(text_.outputs[0]), kept, call.space);
  if (call.kept_count > 0) launch(session, call);
  const Array result = call.result.with_layout(
      {call.result.dtype(), given, c_strides(given, call.result.item_size()), 0});
  if (!out) return result;
  write(session, *out, result);
  return *out;
}

std::vector<CompiledVersion> ReductionKernel::versions() const {
  const std::lock_guard lock(mutex_);
  return versions_;
}

}  // namespace gpy::rt
