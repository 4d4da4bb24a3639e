#include "runtime/kernel/reduction_kernel.h"

#include <fmt/format.h>

#include <bitset>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/user_text.h"
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
  int64_t kept_count = 1, reduced_count = 1, parts = 1;
};

namespace {

// The elements of one part: enough that a GPU's block has work, few enough that one output of many
// elements fills the device.
constexpr int64_t kPart = 8192;
constexpr int64_t kMaxParts = 512;
// The most bytes of a reduce_type that the kernel names: only the compiler knows its size.
constexpr int64_t kMostReducedBytes = 64;

std::string map_variables(std::span<const Bound> bound) {
  std::string text;
  for (const Bound& each : bound) {
    const std::string& name = each.parameter->name;
    if (each.passing == Passing::kNumber) {
      text += fmt::format("_p._arg_{}, ", name);
    } else if (each.passing == Passing::kRaw) {
      text += fmt::format("_gpy_raw<const {0}>{{_p._arg_{1}, _p._size_{1}}}, ",
                          cuda_type(each.dtype), name);
    } else if (each.passing == Passing::kDense) {
      text += element_text(each, "_k") + ", ";
    } else {
      text += element_text(each, "_at_" + name) + ", ";
    }
  }
  return text;
}

// The parameters that the post expression may name: numbers, and arrays as a whole.
std::vector<Bound> whole_only(std::span<const Bound> bound) {
  std::vector<Bound> out;
  for (const Bound& each : bound) {
    if (each.passing == Passing::kNumber || each.passing == Passing::kRaw) out.push_back(each);
  }
  return out;
}

// The end of a function that returns the user's expression. The code of the function itself counts
// as the expression's first line.
std::string expression(const std::string& text, const KernelPlace& place) {
  return line_directive(place) + text + (place.line > 0 ? line_directive(place) : "\n") + ");}";
}

constexpr const char* kText = R"(
__device__ __forceinline__ void _gpy_take(_gpy_reduced& _total, bool& _some, const _gpy_reduced& _next) {{
  _total = _some ? _gpy_reduce(_total, _next) : _next;
  _some = true;
}}
extern "C" __global__ void {entry}_parts(_gpy_arguments _p) {{
  const long long _job = blockIdx.x + (long long)gridDim.x * blockIdx.y;
  if (_job >= _p._outputs * _p._parts) return;
  const long long _output = _job / _p._parts, _part = _job % _p._parts;
  const long long _length = (_p._reduced + _p._parts - 1) / _p._parts;
  const long long _begin = _part * _length;
  const long long _end = _begin + _length < _p._reduced ? _begin + _length : _p._reduced;
  _gpy_reduced _total{start};
  bool _some = {has_identity};
#ifndef __CUDACC_RTC__
  const bool _marks = _gpy_here->marks;
#endif
  for (long long _j = _begin + threadIdx.x; _j < _end; _j += blockDim.x) {{
    const long long _k = _output * _p._reduced + _j;
#ifndef __CUDACC_RTC__
    if (_marks) _gpy_mark(_k);
#endif
{load}    _gpy_take(_total, _some, _gpy_map({variables}_k, _p._reduced));
  }}
#ifdef __CUDACC_RTC__
  __shared__ __align__(16) unsigned char _memory[256 * sizeof(_gpy_reduced)];
  __shared__ bool _have[256];
  _gpy_reduced* _totals = (_gpy_reduced*)_memory;
  _totals[threadIdx.x] = _total;
  _have[threadIdx.x] = _some;
  for (int _half = 128; _half > 0; _half /= 2) {{
    __syncthreads();
    if (threadIdx.x < _half && _have[threadIdx.x + _half]) {{
      _gpy_take(_totals[threadIdx.x], _have[threadIdx.x], _totals[threadIdx.x + _half]);
    }}
  }}
  if (threadIdx.x != 0) return;
  _total = _totals[0];
  _some = _have[0];
#endif
  ((_gpy_reduced*)_p._partial)[_job] = _total;
}}
extern "C" __global__ void {entry}_finish(_gpy_arguments _p) {{
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < _p._outputs;
       i += gridDim.x * (long long)blockDim.x) {{
#ifndef __CUDACC_RTC__
    _gpy_mark(i);
#endif
    const _gpy_reduced* _partial = (const _gpy_reduced*)_p._partial + i * _p._parts;
    _gpy_reduced a = _partial[0];
    for (long long _part = 1; _part < _p._parts; ++_part) a = _gpy_reduce(a, _partial[_part]);
    _gpy_post({whole_variables}_p._result[i], a, i, _p._outputs);
  }}
}}
)";

}  // namespace

std::string ReductionKernel::source(const Call& call, const std::string& fields) const {
  const KernelParameter& output = text_.outputs[0];
  const std::string type(cuda_type(call.types.dtype_of(output)));
  const std::vector<Bound> whole = whole_only(call.inputs);
  std::string reduced = text_.reduce_type.empty() ? type : text_.reduce_type;
  std::string out = generated_directive() + std::string(user_text());
  out += placeholder_text(call.types) + preamble_text(text_.preamble) + generated_directive();
  out += fmt::format("typedef {} _gpy_reduced;\n", reduced);
  out += fmt::format(
      "static_assert(sizeof(_gpy_reduced) <= {0}, \"a reduce_type has at most {0} bytes\");\n",
      kMostReducedBytes);
  out += fmt::format("struct _gpy_arguments {{\n{}}};\n", fields);
  out += fmt::format(
      "__device__ __forceinline__ _gpy_reduced _gpy_map({}const long long i, const long long n) {{ "
      "return (_gpy_reduced)(",
      formal_parameters(call.inputs));
  out += expression(text_.map, text_.map_place) + generated_directive();
  out +=
      "__device__ __forceinline__ _gpy_reduced _gpy_reduce(const _gpy_reduced a, const "
      "_gpy_reduced b) { return (_gpy_reduced)(";
  out += expression(text_.reduce, text_.reduce_place) + generated_directive();
  out += fmt::format(
      "__device__ __forceinline__ void _gpy_post({}{}& {}, const _gpy_reduced a, const long long "
      "i, const long long n) {{",
      formal_parameters(whole), type, output.name);
  out += placed_text(text_.post.empty() ? output.name + " = a" : text_.post, text_.post_place) +
         ";}" + generated_directive();
  const std::string start =
      text_.identity.empty() ? "" : fmt::format(" = _gpy_reduced({})", text_.identity);
  out += fmt::format(fmt::runtime(kText), fmt::arg("entry", entry_name(text_.name)),
                     fmt::arg("start", start),
                     fmt::arg("has_identity", text_.identity.empty() ? "false" : "true"),
                     fmt::arg("load", load_text(call.inputs, call.shape.size(), "_k")),
                     fmt::arg("variables", map_variables(call.inputs)),
                     fmt::arg("whole_variables", map_variables(whole)));
  return out;
}

void ReductionKernel::launch(Session& session, Call& call) {
  const NotesHeld notes;
  const Place place = session.place_of(call.space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const std::vector<LentMemory> lent = lend_arrays(session, call.inputs, place);
  const LentMemory result(session, call.result, place, LentMemory::Use::kWrite);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<UserModule>& module = compiled_[text_key(place, call.shape.size(), call.inputs)];
  ArgumentBlock block(!module);
  const int64_t jobs = call.kept_count * call.parts;
  const int64_t reduced_bytes =
      text_.reduce_type.empty() ? call.result.item_size() : kMostReducedBytes;
  const Ref<Buffer> partial = backend.allocate(std::max<int64_t>(jobs, 1) * reduced_bytes);
  block.add_int("_outputs", call.kept_count);
  block.add_int("_reduced", call.reduced_count);
  block.add_int("_parts", call.parts);
  block.add_pointer("_partial", "void", partial->data());
  block.add_ints("_shape", call.shape);
  add_arguments(call.inputs, lent, block);
  block.add_pointer("_result", cuda_type(call.result.dtype()), result.address());
  if (!module) {
    module =
        backend.user_kernels().compile(source(call, block.fields()), text_.name, text_.options);
  }
  void* const arguments[] = {block.data()};
  const uint32_t threads = backend.is_host() ? 1 : 256;
  const auto wide = static_cast<uint32_t>(std::min<int64_t>(jobs, 65535));
  KernelLaunch launch = {.grid = {wide, static_cast<uint32_t>((jobs + wide - 1) / wide)},
                         .block = {threads},
                         .arguments = arguments,
                         .by_element = true,
                         .catches_faults = session.catches_kernel_faults};
  module->function(entry_name(text_.name) + "_parts")->launch(launch);
  const auto blocks =
      static_cast<uint32_t>(std::min<int64_t>((call.kept_count + threads - 1) / threads, 65535));
  launch.grid = {blocks};
  module->function(entry_name(text_.name) + "_finish")->launch(launch);
}

namespace {

// `array` broadcast to `shape`, with the reduced axes moved behind the kept ones.
Array arranged(const Array& array, const Dims& shape, const Dims& order) {
  Layout layout = *try_broadcast(array.layout(), shape);
  Layout out{layout.dtype, {}, {}, layout.offset};
  for (int64_t axis : order) {
    out.shape.push_back(layout.shape[axis]);
    out.strides.push_back(layout.strides[axis]);
  }
  return array.with_layout(std::move(out));
}

}  // namespace

Array ReductionKernel::operator()(Session& session, std::span<const Operand> arguments,
                                  const std::optional<std::vector<int64_t>>& axes, bool keepdims,
                                  const Array* out, Space fallback) {
  if (arguments.size() != text_.inputs.size()) {
    fail(ErrorKind::kType, "Wrong number of arguments for '{}'. It must be {}, but given {}.",
         text_.name, text_.inputs.size(), arguments.size());
  }
  Call call{TypeBinding(text_.name, text_.inputs, arguments),
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
  for (int64_t axis : order) call.shape.push_back(shape[axis]);
  call.kept_count = element_count(kept);
  call.reduced_count = element_count(call.shape.span().subspan(kept.size()));
  call.parts = std::clamp<int64_t>((call.reduced_count + kPart - 1) / kPart, 1, kMaxParts);
  if (call.reduced_count == 0 && text_.identity.empty() && call.kept_count > 0) {
    fail(ErrorKind::kValue, "zero-size array to reduction operation {} which has no identity",
         text_.name);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    Bound bound(text_.inputs[i], call.types.dtype_of(text_.inputs[i]));
    if (arguments[i].is_array()) {
      const Array here = to_space(
          session,
          astype(session, arguments[i].array().as_array(), bound.dtype, Casting::kUnsafe, false),
          call.space);
      bound.array =
          bound.parameter->raw ? dense_in(session, here, call.space) : arranged(here, shape, order);
      bound.passing = bound.parameter->raw                    ? Passing::kRaw
                      : is_c_contiguous(bound.array.layout()) ? Passing::kDense
                                                              : Passing::kStrided;
    } else {
      bound.number = arguments[i].scalar();
    }
    call.inputs.push_back(std::move(bound));
  }
  if (text_.checks_numbers) check_numbers(text_.name, call.inputs);
  call.result = make_empty(session, call.types.dtype_of(text_.outputs[0]), kept, call.space);
  if (call.kept_count > 0) launch(session, call);
  const Array result = call.result.with_layout(
      {call.result.dtype(), given, c_strides(given, call.result.item_size()), 0});
  if (!out) return result;
  write(session, *out, result);
  return *out;
}

}  // namespace gpy::rt
