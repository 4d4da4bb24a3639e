#include "runtime/kernel/elementwise_kernel.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/user_text.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

ElementwiseKernel::ElementwiseKernel(ElementwiseText text) : text_(std::move(text)) {
  if (text_.outputs.empty()) {
    fail(ErrorKind::kValue, "{}: a kernel needs at least one output", text_.name);
  }
}

namespace {

// A GPU's threads walk the elements with a stride. Blocks enough for 32 on each of 132
// multiprocessors (H100, H200), more than any of them holds at a time; further ones would only be
// started and ended.
constexpr unsigned kGpuThreads = 256;
constexpr int64_t kMaxGpuBlocks = 132 * 32;

// The arguments of the user's function, made from the argument block.
std::string variables(std::span<const Bound> bound) {
  std::string text;
  for (const Bound& each : bound) {
    const std::string& name = each.parameter->name;
    const std::string_view type = cuda_type(each.dtype);
    const char* constant = each.output ? "" : "const ";
    switch (each.passing) {
      case Passing::kNumber: text += fmt::format("_p._arg_{}, ", name); break;
      case Passing::kDense: text += element_text(each, "i") + ", "; break;
      case Passing::kStrided: text += element_text(each, "_at_" + name) + ", "; break;
      case Passing::kRaw:
        text +=
            fmt::format("_gpy_raw<{0}{1}>{{_p._arg_{2}, _p._size_{2}}}, ", constant, type, name);
        break;
    }
  }
  return text;
}

constexpr const char* kLoop = R"(
extern "C" __global__ void {entry}(_gpy_arguments _p) {{
#ifdef __CUDACC_RTC__
  const long long _first = blockIdx.x * (long long)blockDim.x + threadIdx.x, _end = _p._n;
  const long long _stride = gridDim.x * (long long)blockDim.x;
#else
  const long long _share = (_p._n + gridDim.x - 1) / gridDim.x, _first = blockIdx.x * _share;
  const long long _end = _first + _share < _p._n ? _first + _share : _p._n, _stride = 1;
  if (_gpy_here->marks) {{
    for (long long i = _first; i < _end; ++i) {{
      _gpy_mark(i);
{load}      _gpy_body({variables}i, _p._n);
    }}
    return;
  }}
  _GPY_INDEPENDENT
#endif
  for (long long i = _first; i < _end; i += _stride) {{
{load}    _gpy_body({variables}i, _p._n);
  }}
}}
)";

}  // namespace

std::string ElementwiseKernel::source(const Call& call, const std::string& fields, int rank) const {
  const std::span<const Bound> bound = call.bound;
  std::string out = generated_directive() + std::string(user_text());
  out += placeholder_text(call.types) + preamble_text(text_.preamble) + generated_directive();
  if (call.body) out += call.body->functions + generated_directive();
  out += fmt::format("struct _gpy_arguments {{\n{}}};\n", fields);
  out += fmt::format(
      "__device__ __forceinline__ void _gpy_body({}const long long i, const long long n) {{",
      formal_parameters(bound));
  out += call.body ? call.body->statements : placed_text(text_.body, text_.place) + ";";
  out += "}" + generated_directive();
  out += fmt::format(fmt::runtime(kLoop), fmt::arg("entry", entry_name(text_.name)),
                     fmt::arg("load", load_text(bound, rank, "i")),
                     fmt::arg("variables", variables(bound)));
  return out;
}

void ElementwiseKernel::launch(Session& session, const Call& call, const Dims& shape, Space space) {
  std::optional<NotesHeld> notes(std::in_place);
  const int64_t count = element_count(shape);
  if (count == 0) return;
  const Place place = session.place_of(space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const std::vector<LentMemory> lent = lend_arrays(session, call.bound, place);
  std::unique_lock lock(mutex_);
  std::shared_ptr<UserFunction>& known =
      compiled_[text_key(place, shape.size(), call.bound) + call.key];
  ArgumentBlock block(!known);
  block.add_int("_n", count);
  block.add_ints("_shape", shape);
  add_arguments(call.bound, lent, block);
  if (!known) {
    const std::string text = source(call, block.fields(), shape.size());
    known = backend.user_kernels()
                .compile(text, text_.name, text_.options)
                ->function(entry_name(text_.name));
  }
  const std::shared_ptr<UserFunction> function = known;
  lock.unlock();  // other threads may launch beside this one
  notes.reset();  // one may say that this launch cannot be interrupted
  void* const arguments[] = {block.data()};
  const int64_t pieces =
      backend.is_host() ? std::min<int64_t>((count + 16383) / 16384, 1024)
                        : std::min<int64_t>((count + kGpuThreads - 1) / kGpuThreads, kMaxGpuBlocks);
  function->launch({.grid = {static_cast<uint32_t>(pieces)},
                    .block = {backend.is_host() ? 1u : kGpuThreads},
                    .arguments = arguments,
                    .by_element = true,
                    .catches_faults = session.catches_kernel_faults});
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
  const Array typed = astype(session, argument.array(), dtype, Casting::kUnsafe, false);
  if (parameter.raw) {
    bound.passing = Passing::kRaw;
    bound.array = dense_in(session, typed, space);
    return bound;
  }
  const Array here = to_space(session, typed.as_array(), space);
  bound.array = here.with_layout(*try_broadcast(here.layout(), shape));
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
  if (parameter.raw) {
    if (is_c_contiguous(array.layout())) return;
    fail(ErrorKind::kValue, "{}: raw output '{}' must be C-contiguous", kernel, parameter.name);
  }
  if (!(array.shape() == shape)) {
    fail(ErrorKind::kValue, "{}: Out shape is mismatched: '{}' has shape {}, the call has {}",
         kernel, parameter.name, tuple_text(array.shape()), tuple_text(shape));
  }
  if (!array.writeable()) fail(ErrorKind::kValue, "{}: output array is read-only", kernel);
}

}  // namespace

void ElementwiseKernel::translate(Call& call, std::span<const Operand> arguments) {
  if (!text_.translate) return;
  ElementwiseTypes types;
  for (size_t i = 0; i < text_.inputs.size(); ++i) {
    const bool own = text_.inputs[i].type.empty() && !arguments[i].is_array();
    types.inputs.push_back({call.bound[i].dtype, own ? arguments[i].weakness() : Weak::kNo});
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
                                                   std::span<const Operand> given,
                                                   const Dims& shape, Space space) {
  std::vector<Array> results;
  for (size_t i = 0; i < text_.outputs.size(); ++i) {
    const KernelParameter& output = text_.outputs[i];
    const DType dtype = call.body ? call.body->outputs[i] : call.types.dtype_of(output);
    if (!given.empty()) {
      if (!given[i].is_array())
        fail(ErrorKind::kType, "{}: output '{}' must be an array", text_.name, output.name);
      results.push_back(given[i].array());
      check_output(text_.name, output, results.back(), dtype, shape);
    } else {
      if (output.raw)
        fail(ErrorKind::kValue, "{}: raw output '{}' must be given", text_.name, output.name);
      results.push_back(make_empty(session, dtype, shape, space));
    }
    call.bound.push_back(bind_output(output, results.back()));
  }
  return results;
}

std::vector<Array> ElementwiseKernel::operator()(Session& session,
                                                 std::span<const Operand> arguments,
                                                 std::optional<int64_t> size, Space fallback) {
  const size_t in = text_.inputs.size(), out = text_.outputs.size();
  if (arguments.size() != in && arguments.size() != in + out) {
    fail(ErrorKind::kType,
         "Wrong number of arguments for '{}'. It must be either {} or {} (with outputs), but given "
         "{}.",
         text_.name, in, in + out, arguments.size());
  }
  std::vector<KernelParameter> all = text_.inputs;
  all.insert(all.end(), text_.outputs.begin(), text_.outputs.end());
  const TypeBinding types(text_.name, all, arguments);
  const Space space = common_space(arguments, fallback);
  Dims shape = kernel_shape(all, arguments);
  bool sized = false;
  for (size_t i = 0; i < arguments.size(); ++i) sized |= arguments[i].is_array() && !all[i].raw;
  if (size) {
    if (sized)
      fail(ErrorKind::kValue,
           "{}: Specified 'size' can be used only if all of the arrays are 'raw'.", text_.name);
    shape = Dims{*size};
  } else if (!sized && std::any_of(all.begin(), all.end(), [](const auto& p) { return p.raw; })) {
    fail(ErrorKind::kValue, "{}: Loop size is undecided.", text_.name);
  }
  Call call{types, nullptr, {}, {}};
  for (size_t i = 0; i < in; ++i) {
    call.bound.push_back(bind_input(session, text_.inputs[i], arguments[i],
                                    types.dtype_of(text_.inputs[i]), shape, space));
  }
  if (text_.checks_numbers) check_numbers(text_.name, call.bound);
  translate(call, arguments);
  const std::vector<Array> results =
      bind_outputs(session, call, arguments.subspan(in), shape, space);
  launch(session, call, shape, space);
  return results;
}

}  // namespace gpy::rt
