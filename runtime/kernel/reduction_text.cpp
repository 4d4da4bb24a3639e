#include "runtime/kernel/reduction_text.h"

#include <fmt/format.h>

#include "runtime/kernel/user_text.h"

namespace gpy::rt {

std::string combining_head(const TypeBinding& types, const std::string& preamble,
                           const std::string& type, const KernelPlace& type_place,
                           const std::string& fields) {
  return fmt::format(
      "{0}{1}{2}{3}{0}typedef {4}{0} _gpy_reduced;\n"
      "static_assert(sizeof(_gpy_reduced) <= {5}, \"a reduce_type has at most {5} bytes\");\n"
      "struct _gpy_arguments {{\n{6}}};\n",
      generated_directive(), user_text(), placeholder_text(types), preamble,
      placed_text(type, type_place), kMostReducedBytes, fields);
}

// The code of the function itself counts as the expression's first line.
std::string combining_function(const std::string& head, const std::string& expression,
                               const KernelPlace& place) {
  return fmt::format("{} return (_gpy_reduced)({}{}{});}}{}", head, line_directive(place),
                     expression, place.line > 0 ? line_directive(place) : "\n",
                     generated_directive());
}

// A type of several members takes an identity of several expressions.
std::string identity_function(const std::string& identity, const KernelPlace& place) {
  if (identity.empty()) return "";
  return fmt::format(
      "__device__ __forceinline__ _gpy_reduced _gpy_identity() {{ return _gpy_reduced({}{}{});}}{}",
      line_directive(place), identity, place.line > 0 ? line_directive(place) : "\n",
      generated_directive());
}

std::string initial_value(const std::string& identity) {
  return identity.empty() ? "" : " = _gpy_identity()";
}

namespace {

// CuPy's names of the sizes of what is reduced and of what comes out.
constexpr const char* kSizes =
    "const _gpy_index<0> _in_ind{_outputs * _reduced, {0}, {0}}, _out_ind{_outputs, {0}, {0}};";

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
{load}    _gpy_take(_total, _some, _gpy_map({variables}_k, _j, _p._outputs, _p._reduced));
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
    _gpy_post({whole_variables}_p._result[i], a, i, _p._outputs, _p._reduced);
  }}
}}
)";

std::string map_function(const ReductionText& text, std::span<const Bound> inputs) {
  const std::string head = fmt::format(
      "__device__ __forceinline__ _gpy_reduced _gpy_map({}const long long i, const long long _J, "
      "const long long _outputs, const long long _reduced) {{ const long long n = _reduced; {}",
      formal_parameters(inputs), kSizes);
  return combining_function(head, text.map, text.map_place);
}

std::string post_function(const ReductionText& text, std::span<const Bound> whole,
                          std::string_view type) {
  const std::string& output = text.outputs[0].name;
  return fmt::format(
      "__device__ __forceinline__ void _gpy_post({}{}& {}, const _gpy_reduced a, const long long "
      "i, "
      "const long long _outputs, const long long _reduced) {{ const long long n = _outputs; {} "
      "{};}}{}",
      formal_parameters(whole), type, output, kSizes,
      placed_text(text.post.empty() ? output + " = a" : text.post, text.post_place),
      generated_directive());
}

}  // namespace

std::string reduction_source(const ReductionText& text, const TypeBinding& types,
                             std::span<const Bound> inputs, const std::string& fields, int rank) {
  const std::string type(cuda_type(types.dtype_of(text.outputs[0])));
  const std::vector<Bound> whole = whole_only(inputs);
  std::string out =
      combining_head(types, preamble_text(text.preamble, text.preamble_place),
                     text.reduce_type.empty() ? type : text.reduce_type, text.type_place, fields);
  out += identity_function(text.identity, text.identity_place) + map_function(text, inputs);
  out += combining_function(
      "__device__ __forceinline__ _gpy_reduced _gpy_reduce(const _gpy_reduced a, const "
      "_gpy_reduced b) {",
      text.reduce, text.reduce_place);
  out += post_function(text, whole, type);
  out += fmt::format(fmt::runtime(kText), fmt::arg("entry", entry_name(text.name)),
                     fmt::arg("start", initial_value(text.identity)),
                     fmt::arg("has_identity", text.identity.empty() ? "false" : "true"),
                     fmt::arg("load", load_text(inputs, rank, "_k")),
                     fmt::arg("variables", actual_arguments(inputs, "_k")),
                     fmt::arg("whole_variables", actual_arguments(whole, "")));
  return out;
}

}  // namespace gpy::rt
