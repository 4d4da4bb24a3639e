#include "runtime/kernel/stencil_kernel.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/checks/checked_text.h"
#include "runtime/kernel/launch.h"
#include "runtime/kernel/stencil_text.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

StencilKernel::StencilKernel(StencilText text)
    : text_(std::move(text)), boundaries_(parse_boundaries(text_.boundary, text_.boundary_place)) {
  if (text_.outputs.empty())
    fail(ErrorKind::kValue, "{}: a kernel needs at least one output", text_.name);
}

namespace {

constexpr int64_t kGpuThreads = 256;

std::vector<Boundary> boundaries_for(const std::string& kernel, std::vector<Boundary> boundaries,
                                     int rank) {
  if (boundaries.size() == 1) return {static_cast<size_t>(rank), boundaries[0]};
  if (boundaries.size() == static_cast<size_t>(rank)) return boundaries;
  fail(ErrorKind::kValue, "{}: {} boundaries for {} axes: give one, or one for each axis", kernel,
       boundaries.size(), rank);
}

// Inputs keep their axes: an offset along each is a stride.
Bound bind_input(Session& session, const KernelParameter& parameter, const Operand& argument,
                 DType dtype, const Dims& shape, Space space) {
  Bound bound(parameter, dtype);
  if (!argument.is_array()) {
    if (parameter.raw) fail(ErrorKind::kType, "raw parameter '{}' needs an array", parameter.name);
    bound.number = argument.scalar();
    return bound;
  }
  const Array typed = astype(session, argument.array().as_array(), dtype, Casting::kUnsafe, false);
  bound.passing = parameter.raw ? Passing::kRaw : Passing::kStrided;
  if (parameter.raw) {
    bound.array = dense_in(session, typed, space);
  } else {
    const Array here = to_space(session, typed, space);
    bound.array = here.with_layout(*try_broadcast(here.layout(), shape));
  }
  return bound;
}

Bound bind_output(const KernelParameter& parameter, const Array& array) {
  Bound bound(parameter, array.dtype());
  bound.output = true;
  bound.array = array;
  bound.passing = is_c_contiguous(array.layout()) ? Passing::kDense : Passing::kStrided;
  return bound;
}

void check_output(const std::string& kernel, const KernelParameter& parameter,
                  const Operand& argument, DType dtype, const Dims& shape) {
  if (!argument.is_array())
    fail(ErrorKind::kType, "{}: output '{}' must be an array", kernel, parameter.name);
  const Array& array = argument.array();
  if (array.dtype() != dtype) {
    fail(ErrorKind::kType, "{}: output '{}' is {}, but the array given for it is {}", kernel,
         parameter.name, name(dtype), name(array.dtype()));
  }
  if (!(array.shape() == shape)) {
    fail(ErrorKind::kValue, "{}: Out shape is mismatched: '{}' has shape {}, the call has {}",
         kernel, parameter.name, tuple_text(array.shape()), tuple_text(shape));
  }
  if (!array.writeable()) fail(ErrorKind::kValue, "{}: output array is read-only", kernel);
}

// An output that shares memory with an input is written by way of another: its neighbours are read
// while it is.
bool shares_memory(const Array& output, std::span<const Bound> inputs) {
  return std::ranges::any_of(inputs, [&](const Bound& each) {
    return each.passing != Passing::kNumber && &each.array.storage() == &output.storage();
  });
}

void check_counts(const StencilText& text, const StencilCall& call) {
  const size_t in = text.inputs.size(), out = text.outputs.size();
  const size_t given = call.inputs.size() + call.outputs.size();
  if (given == in || given == in + out) return;
  fail(ErrorKind::kType,
       "Wrong number of arguments for '{}'. It must be either {} or {} (with outputs), but given "
       "{}.",
       text.name, in, in + out, given);
}

std::string key_of(const std::string& text_key, std::span<const Boundary> boundaries) {
  std::string key = text_key;
  for (const Boundary& each : boundaries) {
    key += '\0' + std::to_string(static_cast<int>(each.mode)) + each.value;
  }
  return key;
}

// The message, where it is about a neighbour with more or fewer offsets than axes, in plain words.
std::string about_offsets(const std::string& message, int rank) {
  constexpr std::string_view kError = ": error: ";
  const size_t error = message.find(kError);
  if (error == std::string::npos) return message;
  const size_t begin = error + kError.size();
  const std::string said = message.substr(begin, message.find('\n', begin) - begin);
  const bool is_call = said.find("call") != std::string::npos;
  if (!is_call || (said.find("_gpy_neighbours") == std::string::npos &&
                   said.find("arguments in function") == std::string::npos))
    return message;
  return message.substr(0, begin) +
         fmt::format("a neighbour has an offset for each axis: {} here", rank);
}

}  // namespace

void StencilKernel::launch(Session& session, const TypeBinding& types, std::span<const Bound> bound,
                           const Dims& shape, std::span<const Boundary> boundaries, Space space) {
  const NotesHeld notes;
  const int64_t count = element_count(shape);
  if (count == 0) return;
  const Place place = session.place_of(space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const RecordedWorkOf records(session, space);
  const std::vector<LentMemory> lent = lend_arrays(session, bound, place);
  const std::lock_guard lock(mutex_);
  std::optional<CheckedLaunch> checks = checked_launch(session, place, checked_, bound, lent);
  std::shared_ptr<UserFunction>& known =
      compiled_[key_of(text_key(place, shape.size(), bound), boundaries) + (checks ? "c" : "")];
  ArgumentBlock block(!known);
  block.add_int("_n", count);
  block.add_ints("_shape", shape);
  add_arguments(bound, lent, block);
  if (!known) try {
      const auto text_of = [&](std::span<const Bound> given, bool) {
        return stencil_source(text_, types, given, boundaries, block.fields());
      };
      known = compile_version({backend.user_kernels(), text_.name, {}, bound, place},
                              checks.has_value(), text_of, versions_)
                  ->function(entry_name(text_.name));
    } catch (const Error& error) {
      fail(error.kind(), "{}", about_offsets(error.message(), shape.size()));
    }
  KernelLaunch launch = launch_of_elements(count, backend.is_host(), kGpuThreads);
  launch.catches_faults = session.catches_kernel_faults;
  launch.checks = checks ? checks->checks() : nullptr;
  launch_or_record(known, launch, block.bytes());
  if (checks) checks->report(text_.name);
}

std::vector<Array> StencilKernel::operator()(Session& session, const StencilCall& call,
                                             Space fallback) {
  check_counts(text_, call);
  std::vector<KernelParameter> parameters = text_.inputs;
  std::vector<Operand> given = call.inputs;
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (!call.outputs[i]) continue;
    parameters.push_back(text_.outputs[i]);
    given.push_back(*call.outputs[i]);
  }
  const TypeBinding types(text_.name, parameters, given);
  const Space space = common_space(given, fallback);
  const Dims shape = kernel_shape(text_.inputs, call.inputs);
  const std::vector<Boundary> boundaries = boundaries_for(
      text_.name, call.boundary ? parse_boundaries(*call.boundary) : boundaries_, shape.size());
  std::vector<Bound> bound;
  for (size_t i = 0; i < text_.inputs.size(); ++i) {
    const KernelParameter& parameter = text_.inputs[i];
    bound.push_back(
        bind_input(session, parameter, call.inputs[i], types.dtype_of(parameter), shape, space));
  }
  check_numbers(text_.name, bound);
  const std::vector<Bound> inputs = bound;
  std::vector<Array> results;
  for (size_t i = 0; i < text_.outputs.size(); ++i) {
    const KernelParameter& parameter = text_.outputs[i];
    const DType dtype = types.dtype_of(parameter);
    const bool made = i >= call.outputs.size() || !call.outputs[i];
    if (!made) check_output(text_.name, parameter, *call.outputs[i], dtype, shape);
    results.push_back(made ? full(session, shape, Scalar(0), dtype, space)
                           : call.outputs[i]->array());
    const bool apart = !made && shares_memory(results.back(), inputs);
    bound.push_back(
        bind_output(parameter, apart ? copy(session, results.back(), 'C') : results.back()));
  }
  launch(session, types, bound, shape, boundaries, space);
  for (size_t i = 0; i < results.size(); ++i) {
    const Array& written = bound[inputs.size() + i].array;
    if (&written.storage() != &results[i].storage()) write(session, results[i], written);
  }
  return results;
}

std::vector<CompiledVersion> StencilKernel::versions() const {
  const std::lock_guard lock(mutex_);
  return versions_;
}

}  // namespace gpy::rt
