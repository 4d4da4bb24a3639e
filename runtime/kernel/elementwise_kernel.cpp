#include "runtime/kernel/elementwise_kernel.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/checks/checked_text.h"
#include "runtime/kernel/elementwise_text.h"
#include "runtime/kernel/launch.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

ElementwiseKernel::ElementwiseKernel(ElementwiseText text) : text_(std::move(text)) {
  if (text_.outputs.empty()) {
    fail(ErrorKind::kValue, "{}: a kernel needs at least one output", text_.name);
  }
  parameters_ = text_.inputs;
  parameters_.insert(parameters_.end(), text_.outputs.begin(), text_.outputs.end());
}

namespace {

constexpr int64_t kGpuThreads = 256;
constexpr int64_t kMostGpuThreads = 1024;

}  // namespace

void ElementwiseKernel::launch(Session& session, const Call& call, const Dims& shape, Space space) {
  std::optional<NotesHeld> notes(std::in_place);
  const int64_t count = element_count(shape);
  if (count == 0) return;
  const Place place = session.place_of(space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const RecordedWorkOf records(session, space);
  const std::vector<LentMemory> lent = lend_arrays(session, call.bound, place);
  std::unique_lock lock(mutex_);
  std::optional<CheckedLaunch> checks =
      checks_generated(session, place)
          ? checked_launch(session, place, checked_[call.key], call.bound, lent,
                           call.body ? call.body->names : nullptr)
          : std::nullopt;
  std::shared_ptr<UserFunction>& known =
      compiled_[text_key(place, shape.size(), call.bound) + call.key + (checks ? "c" : "")];
  ArgumentBlock block(!known);
  block.add_int("_n", count);
  block.add_ints("_shape", shape);
  add_arguments(call.bound, lent, block);
  if (!known) {
    const auto text_of = [&](std::span<const Bound> bound, bool checked) {
      return elementwise_source(text_, call.body.get(), call.types, bound, block.fields(),
                                shape.size(), checked);
    };
    known = compile_version({backend.user_kernels(), text_.name, text_.options, call.bound, place},
                            checks.has_value(), text_of, versions_)
                ->function(entry_name(text_.name));
  }
  const std::shared_ptr<UserFunction> function = known;
  lock.unlock();  // other threads may launch beside this one
  notes.reset();  // one may say that this launch cannot be interrupted
  KernelLaunch launch = launch_of_elements(count, backend.is_host(), call.threads);
  launch.catches_faults = session.catches_kernel_faults;
  launch.checks = checks ? checks->checks() : nullptr;
  launch_or_record(function, launch, block.bytes());
  if (checks) checks->report(text_.name);
}

namespace {

Bound bind_input(Session& session, const KernelParameter& parameter, const Operand& argument,
                 DType dtype, const Dims& shape, Space space) {
  Bound bound(parameter, dtype);
  if (!argument.is_array()) {
    if (parameter.raw) fail(ErrorKind::kType, "raw parameter '{}' needs an array", parameter.name);
    bound.number = argument.scalar();
    return bound;
  }
  const Array& given = argument.array();
  const bool fits = given.dtype() == dtype && given.space() == space && given.shape() == shape;
  bound.array =
      fits ? given.as_array()
           : to_space(session, astype(session, given, dtype, Casting::kUnsafe, false).as_array(),
                      space);
  if (parameter.raw) {
    bound.passing = Passing::kRaw;
    bound.array = dense_in(session, bound.array, space);
    return bound;
  }
  if (!fits) bound.array = bound.array.with_layout(*try_broadcast(bound.array.layout(), shape));
  bound.passing = is_c_contiguous(bound.array.layout()) ? Passing::kDense : Passing::kStrided;
  return bound;
}

Bound bind_output(const KernelParameter& parameter, const Array& array) {
  Bound bound(parameter, array.dtype());
  bound.output = true;
  bound.array = array;
  bound.passing = parameter.raw                     ? Passing::kRaw
                  : is_c_contiguous(array.layout()) ? Passing::kDense
                                                    : Passing::kStrided;
  return bound;
}

void check_output(const std::string& kernel, const KernelParameter& parameter, const Array& array,
                  DType dtype, const Dims& shape) {
  if (array.dtype() != dtype) {
    fail(ErrorKind::kType, "{}: output '{}' is {}, but the array given for it is {}", kernel,
         parameter.name, name(dtype), name(array.dtype()));
  }
  if (!parameter.raw && !(array.shape() == shape)) {
    fail(ErrorKind::kValue, "{}: Out shape is mismatched: '{}' has shape {}, the call has {}",
         kernel, parameter.name, tuple_text(array.shape()), tuple_text(shape));
  }
  if (!array.writeable()) fail(ErrorKind::kValue, "{}: output array is read-only", kernel);
}

// The arguments that a call gives, beside their parameters.
class Given {
 public:
  Given(std::span<const KernelParameter> all, const ElementwiseCall& call)
      : parameters_(all.first(call.arguments.size())), arguments_(call.arguments) {
    if (!call.missing.empty()) leave_out(call.missing);
    for (size_t i = 0; i < arguments_.size(); ++i) {
      has_sized |= arguments_[i].is_array() && !parameters_[i].raw;
      has_raw |= parameters_[i].raw;
    }
  }
  std::span<const KernelParameter> parameters() const { return parameters_; }
  std::span<const Operand> arguments() const { return arguments_; }

  bool has_sized = false, has_raw = false;  // arrays that say how many elements there are, or not

 private:
  void leave_out(const std::vector<bool>& missing) {
    for (size_t i = 0; i < missing.size(); ++i) {
      if (missing[i]) continue;
      own_parameters_.push_back(parameters_[i]);
      own_arguments_.push_back(arguments_[i]);
    }
    parameters_ = own_parameters_;
    arguments_ = own_arguments_;
  }

  std::vector<KernelParameter> own_parameters_;  // where some are left out
  std::vector<Operand> own_arguments_;
  std::span<const KernelParameter> parameters_;
  std::span<const Operand> arguments_;
};

bool gives(const ElementwiseCall& call, size_t i) {
  return i < call.arguments.size() && (call.missing.empty() || !call.missing[i]);
}

void check_arguments(const ElementwiseText& text, const ElementwiseCall& call) {
  const size_t in = text.inputs.size(), out = text.outputs.size();
  const size_t count = call.arguments.size();
  if (count != in && count != in + out) {
    fail(ErrorKind::kType,
         "Wrong number of arguments for '{}'. It must be either {} or {} (with outputs), but given "
         "{}.",
         text.name, in, in + out, count);
  }
  for (size_t i = in; i < count; ++i) {
    if (gives(call, i) && !call.arguments[i].is_array())
      fail(ErrorKind::kType, "{}: output '{}' must be an array", text.name,
           text.outputs[i - in].name);
  }
}

Dims shape_of(const std::string& kernel, const Given& given, std::optional<int64_t> size) {
  if (size && given.has_sized) {
    fail(ErrorKind::kValue, "{}: Specified 'size' can be used only if all of the arrays are 'raw'.",
         kernel);
  }
  if (size && *size < 0) fail(ErrorKind::kValue, "{}: size is negative (got {})", kernel, *size);
  if (size) return Dims{*size};
  if (!given.has_sized && given.has_raw)
    fail(ErrorKind::kValue, "{}: Loop size is undecided.", kernel);
  return kernel_shape(given.parameters(), given.arguments());
}

unsigned threads_of(const ElementwiseCall& call) {
  const int64_t threads = call.threads_a_block.value_or(kGpuThreads);
  if (threads <= 0) fail(ErrorKind::kValue, "block_size must be greater than zero");
  if (threads > kMostGpuThreads)
    fail(ErrorKind::kValue, "block_size is at most {} (got {})", kMostGpuThreads, threads);
  return static_cast<unsigned>(threads);
}

Array make_output(Session& session, const ElementwiseText& text, const KernelParameter& parameter,
                  DType dtype, const Dims& shape, bool sized, Space space) {
  if (parameter.raw && !sized) {
    fail(ErrorKind::kValue, "{}: Output array size is Undecided: give an array for raw output '{}'",
         text.name, parameter.name);
  }
  return make_empty(session, dtype, shape, space);
}

// Raw arrays are dense in a kernel: one that is not is written by way of a copy.
bool needs_copy(const Bound& bound) {
  return bound.passing == Passing::kRaw && !is_c_contiguous(bound.array.layout());
}

bool is_one_axis(std::span<const Bound> bound) {
  return std::ranges::none_of(bound, [](const Bound& b) { return b.passing == Passing::kStrided; });
}

}  // namespace

void ElementwiseKernel::translate(Call& call, std::span<const Operand> inputs) {
  if (!text_.translate) return;
  ElementwiseTypes types;
  for (size_t i = 0; i < text_.inputs.size(); ++i) {
    const bool own = text_.inputs[i].type.empty() && !inputs[i].is_array();
    types.inputs.push_back({call.bound[i].dtype, own ? inputs[i].weakness() : Weak::kNo});
    call.key += fmt::format("{}:{} ", name(types.inputs.back().dtype),
                            static_cast<int>(types.inputs.back().weak));
  }
  for (size_t i = 0; i < text_.outputs.size(); ++i) {
    types.outputs.push_back(call.types.try_dtype_of(text_.outputs[i]));
    call.key += types.outputs[i] ? fmt::format("{} ", name(*types.outputs[i])) : "? ";
  }
  {
    const std::lock_guard lock(mutex_);
    call.body = translated_[call.key];
  }
  if (call.body) return;
  call.body = std::make_shared<const ElementwiseBody>(text_.translate(types));
  const std::lock_guard lock(mutex_);
  translated_[call.key] = call.body;
}

std::vector<Array> ElementwiseKernel::bind_outputs(Session& session, Call& call,
                                                   const ElementwiseCall& given, const Dims& shape,
                                                   Space space) {
  std::vector<Array> results;
  results.reserve(text_.outputs.size());
  for (size_t i = 0; i < text_.outputs.size(); ++i) {
    const KernelParameter& parameter = text_.outputs[i];
    const DType dtype = call.body ? call.body->outputs[i] : call.types.dtype_of(parameter);
    if (const size_t at = text_.inputs.size() + i; gives(given, at)) {
      results.push_back(given.arguments[at].array());
      check_output(text_.name, parameter, results.back(), dtype, shape);
    } else {
      results.push_back(
          make_output(session, text_, parameter, dtype, shape, given.size.has_value(), space));
    }
    call.bound.push_back(bind_output(parameter, results.back()));
    Bound& bound = call.bound.back();
    if (needs_copy(bound)) bound.array = copy(session, bound.array, 'C');
  }
  return results;
}

std::vector<Array> ElementwiseKernel::operator()(Session& session, const ElementwiseCall& call,
                                                 Space fallback) {
  check_arguments(text_, call);
  const Given given(parameters_, call);
  const TypeBinding types(text_.name, given.parameters(), given.arguments());
  const Space space = common_space(given.arguments(), fallback);
  Dims shape = shape_of(text_.name, given, call.size);
  Call bound{types, nullptr, {}, {}, threads_of(call)};
  bound.bound.reserve(parameters_.size());
  for (size_t i = 0; i < text_.inputs.size(); ++i) {
    const KernelParameter& parameter = text_.inputs[i];
    bound.bound.push_back(
        bind_input(session, parameter, call.arguments[i], types.dtype_of(parameter), shape, space));
  }
  if (text_.checks_numbers) check_numbers(text_.name, bound.bound);
  translate(bound, call.arguments);
  const std::vector<Array> results = bind_outputs(session, bound, call, shape, space);
  if (text_.reduce_dims && is_one_axis(bound.bound)) shape = Dims{element_count(shape)};
  launch(session, bound, shape, space);
  for (size_t i = 0; i < results.size(); ++i) {
    const Array& written = bound.bound[text_.inputs.size() + i].array;
    if (&written.storage() != &results[i].storage()) write(session, results[i], written);
  }
  return results;
}

std::vector<CompiledVersion> ElementwiseKernel::versions() const {
  const std::lock_guard lock(mutex_);
  return versions_;
}

}  // namespace gpy::rt
