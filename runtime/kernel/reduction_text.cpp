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

// CuPy's names of places among the inputs, where what is reduced comes before what stays, and among
// the outputs.
constexpr const char* kIndices =
    "const _gpy_index<1> _in_ind{_outputs * _reduced, {_outputs * _reduced}, {_j}}, "
    "_out_ind{_outputs, {_outputs}, {_i}};";

constexpr const char* kText = R"(
__device__ __forceinline__ void _gpy_take(_gpy_reduced& _total, bool& _some, const _gpy_reduced& _next) {{
  _total = _some ? _gpy_reduce(_total, _next) : _next;
  _some = true;
}}
__device__ __forceinline__ _gpy_reduced _gpy_at(const _gpy_arguments& _p, long long _output, long long _j) {{
  const long long _k = _output * _p._reduced + _j;
{load}  return _gpy_map({variables}_p, _k, _output, _j, _p._outputs, _p._reduced);
}}
__device__ __forceinline__ void _gpy_finish(const _gpy_arguments& _p, long long _output, const _gpy_reduced& _total) {{
#ifndef __CUDACC_RTC__
  _gpy_mark(_output);
#endif
  _gpy_post({whole_variables}_p._result[_output], _total, _output, _p._outputs, _p._reduced);
}}
__device__ __forceinline__ void _gpy_give(const _gpy_arguments& _p, long long _output, long long _part, const _gpy_reduced& _total) {{
  if (_p._parts == 1) _gpy_finish(_p, _output, _total);
  else ((_gpy_reduced*)_p._partial)[_output * _p._parts + _part] = _total;
}}
struct _gpy_share {{ long long tile, part, begin, end; }};
__device__ __forceinline__ bool _gpy_find_share(const _gpy_arguments& _p, _gpy_share& _own) {{
  const long long _tiles = (_p._outputs + _p._lanes - 1) / _p._lanes;
  const long long _job = blockIdx.x + (long long)gridDim.x * blockIdx.y;
  if (_p._parts == 1) {{
    _own = {{_job, 0, 0, _p._reduced}};
    return _job < _tiles;
  }}
  if (_job >= _tiles * _p._parts) return false;
  const long long _length = (_p._reduced + _p._parts - 1) / _p._parts;
  _own.tile = _job / _p._parts;
  _own.part = _job % _p._parts;
  _own.begin = _own.part * _length;
  _own.end = _own.begin + _length < _p._reduced ? _own.begin + _length : _p._reduced;
  return true;
}}
#ifdef __CUDACC_RTC__
// Elements, `_step` apart, that are on their way at once; they are taken in their order.
template <int... _each>
__device__ __forceinline__ void _gpy_take_batch(const _gpy_arguments& _p, long long _output, long long _j, long long _step, _gpy_reduced& _total, bool& _some) {{
  const _gpy_reduced _next[] = {{_gpy_at(_p, _output, _j + _each * _step)...}};
#pragma unroll
  for (int _i = 0; _i < sizeof...(_each); ++_i) _gpy_take(_total, _some, _next[_i]);
}}
template <bool _by_eight>
__device__ __forceinline__ void _gpy_walk(const _gpy_arguments& _p, long long _output, long long _begin, long long _end, long long _step, _gpy_reduced& _total, bool& _some) {{
  long long _j = _begin;
  for (; _by_eight && _j + 7 * _step < _end; _j += 8 * _step) {{
    _gpy_take_batch<0, 1, 2, 3, 4, 5, 6, 7>(_p, _output, _j, _step, _total, _some);
  }}
  for (; _j + 3 * _step < _end; _j += 4 * _step) _gpy_take_batch<0, 1, 2, 3>(_p, _output, _j, _step, _total, _some);
  if (_j + _step < _end) {{
    _gpy_take_batch<0, 1>(_p, _output, _j, _step, _total, _some);
    _j += 2 * _step;
  }}
  if (_j < _end) _gpy_take(_total, _some, _gpy_at(_p, _output, _j));
}}
// What the thread `_distance` further has; threads exchange whole words.
__device__ __forceinline__ void _gpy_take_above(_gpy_reduced& _total, bool& _some, int _distance) {{
  unsigned _words[(sizeof(_gpy_reduced) + 3) / 4] = {{}};
  memcpy(_words, &_total, sizeof(_gpy_reduced));
#pragma unroll
  for (unsigned& _word : _words) _word = __shfl_down_sync(~0u, _word, _distance);
  const bool _have = __shfl_down_sync(~0u, (unsigned)_some, _distance);
  _gpy_reduced _next = _total;
  memcpy(&_next, _words, sizeof(_gpy_reduced));
  if (_have) _gpy_take(_total, _some, _next);
}}
// Combines what the block's threads have: those of each `_across` neighbours. The first gets it.
__device__ __forceinline__ void _gpy_gather_row(_gpy_reduced& _total, bool& _some, unsigned _across) {{
  __shared__ __align__(16) unsigned char _memory[{threads} / 32 * sizeof(_gpy_reduced)];
  __shared__ bool _have[{threads} / 32];
  _gpy_reduced* _totals = (_gpy_reduced*)_memory;
  for (int _half = (_across < 32 ? _across : 32) / 2; _half > 0; _half /= 2) _gpy_take_above(_total, _some, _half);
  if (_across <= 32) return;
  const unsigned _warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {{
    _totals[_warp] = _total;
    _have[_warp] = _some;
  }}
  __syncthreads();
  if (threadIdx.x % _across == 0) {{
    for (unsigned _next = 1; _next < _across / 32; ++_next) {{
      if (_have[_warp + _next]) _gpy_take(_total, _some, _totals[_warp + _next]);
    }}
  }}
}}
// Combines what the block's threads have: those that are multiples of `_lanes` apart. The first of
// them get it.
__device__ __forceinline__ void _gpy_gather_columns(_gpy_reduced& _total, bool& _some, unsigned _lanes) {{
  const unsigned _slot = threadIdx.x;
  __shared__ __align__(16) unsigned char _memory[{threads} * sizeof(_gpy_reduced)];
  __shared__ bool _have[{threads}];
  _gpy_reduced* _totals = (_gpy_reduced*)_memory;
  _totals[_slot] = _total;
  _have[_slot] = _some;
  for (unsigned _half = {threads} / 2; _half >= _lanes; _half /= 2) {{
    __syncthreads();
    if (_slot < _half && _have[_slot + _half]) _gpy_take(_totals[_slot], _have[_slot], _totals[_slot + _half]);
  }}
  _total = _totals[_slot];
  _some = _have[_slot];
}}
extern "C" __global__ void {entry}_parts(_gpy_arguments _p) {{
  _gpy_share _own;
  if (!_gpy_find_share(_p, _own)) return;
  const unsigned _lanes = _p._lanes, _across = {threads} / _lanes;
  const unsigned _lane = _p._columns ? threadIdx.x % _lanes : threadIdx.x / _across;
  const unsigned _along = _p._columns ? threadIdx.x / _lanes : threadIdx.x % _across;
  const long long _output = _own.tile * _lanes + _lane;
  const bool _is_there = _output < _p._outputs;
  _gpy_reduced _total{start};
  bool _some = {has_identity};
  if (_p._columns) {{
    if (_is_there) _gpy_walk<true>(_p, _output, _own.begin + _along, _own.end, _across, _total, _some);
    _gpy_gather_columns(_total, _some, _lanes);
  }} else {{
    if (_is_there) _gpy_walk<false>(_p, _output, _own.begin + _along, _own.end, _across, _total, _some);
    _gpy_gather_row(_total, _some, _across);
  }}
  if (_along == 0 && _is_there) _gpy_give(_p, _output, _own.part, _total);
}}
extern "C" __global__ void {entry}_finish(_gpy_arguments _p) {{
  for (long long _output = blockIdx.x; _output < _p._outputs; _output += gridDim.x) {{
    const _gpy_reduced* _partial = (const _gpy_reduced*)_p._partial + _output * _p._parts;
    _gpy_reduced _total{start};
    bool _some = false;
    for (long long _part = threadIdx.x; _part < _p._parts; _part += {threads}) _gpy_take(_total, _some, _partial[_part]);
    _gpy_gather_row(_total, _some, {threads});
    if (threadIdx.x == 0) _gpy_finish(_p, _output, _total);
    __syncthreads();
  }}
}}
#else
extern "C" __global__ void {entry}_parts(_gpy_arguments _p) {{
  _gpy_share _own;
  if (!_gpy_find_share(_p, _own)) return;
  const bool _marks = _gpy_here->marks;
  const long long _first = _own.tile * _p._lanes;
  if (_p._lanes == 1) {{
    _gpy_reduced _total{start};
    bool _some = {has_identity};
    for (long long _j = _own.begin; _j < _own.end; ++_j) {{
      if (_marks) _gpy_mark(_first * _p._reduced + _j);
      _gpy_take(_total, _some, _gpy_at(_p, _first, _j));
    }}
    return _gpy_give(_p, _first, _own.part, _total);
  }}
  const long long _count = _p._outputs - _first < _p._lanes ? _p._outputs - _first : _p._lanes;
  alignas(_gpy_reduced) unsigned char _memory[{host_lanes} * sizeof(_gpy_reduced)];
  _gpy_reduced* _totals = (_gpy_reduced*)_memory;
  bool _some = {has_identity};
  if (_some) for (long long _lane = 0; _lane < _count; ++_lane) {{ _gpy_reduced _total{start}; _totals[_lane] = _total; }}
  for (long long _j = _own.begin; _j < _own.end; ++_j) {{
    for (long long _lane = 0; _lane < _count; ++_lane) {{
      if (_marks) _gpy_mark((_first + _lane) * _p._reduced + _j);
      const _gpy_reduced _next = _gpy_at(_p, _first + _lane, _j);
      _totals[_lane] = _some ? _gpy_reduce(_totals[_lane], _next) : _next;
    }}
    _some = true;
  }}
  for (long long _lane = 0; _lane < _count; ++_lane) _gpy_give(_p, _first + _lane, _own.part, _totals[_lane]);
}}
extern "C" __global__ void {entry}_finish(_gpy_arguments _p) {{
  for (long long _output = blockIdx.x; _output < _p._outputs; _output += gridDim.x) {{
    _gpy_mark(_output);
    const _gpy_reduced* _partial = (const _gpy_reduced*)_p._partial + _output * _p._parts;
    _gpy_reduced _total = _partial[0];
    for (long long _part = 1; _part < _p._parts; ++_part) _total = _gpy_reduce(_total, _partial[_part]);
    _gpy_finish(_p, _output, _total);
  }}
}}
#endif
)";

constexpr const char* kWholeInput = R"(
struct _gpy_whole_{name} {{
  const _gpy_arguments& _p;
  __device__ __forceinline__ {type} operator[](const long long _at) const {{
    const long long _output = _at % _p._outputs, _j = _at / _p._outputs, _k = _output * _p._reduced + _j;
{load}    return {value};
  }}
  template <class _I> __device__ __forceinline__ {type} operator[](const _I (&_at)[1]) const {{ return (*this)[_at[0]]; }}
  __device__ __forceinline__ long long size() const {{ return _p._outputs * _p._reduced; }}
}};
)";

std::string load_of(std::span<const Bound> inputs, const ReductionSchedule& schedule, int rank) {
  return load_text(inputs, {{"_output", 0, schedule.kept_rank}, {"_j", schedule.kept_rank, rank}});
}

// CuPy's name of the whole of an input that is given by element: `_raw_x`.
struct WholeInputs {
  std::string types, variables;
};
WholeInputs whole_inputs(const std::string& map, std::span<const Bound> inputs,
                         const ReductionSchedule& schedule, int rank) {
  WholeInputs out;
  for (const Bound& each : inputs) {
    const std::string& name = each.parameter->name;
    const bool by_element = each.passing == Passing::kDense || each.passing == Passing::kStrided;
    if (!by_element || map.find("_raw_" + name) == map.npos) continue;
    out.types += fmt::format(fmt::runtime(kWholeInput), fmt::arg("name", name),
                             fmt::arg("type", cuda_type(each.dtype)),
                             fmt::arg("load", load_of(std::span(&each, 1), schedule, rank)),
                             fmt::arg("value", argument_value(each, "_k")));
    out.variables += fmt::format(" const _gpy_whole_{0} _raw_{0}{{_p}};", name);
  }
  return out;
}

std::string map_function(const ReductionText& text, std::span<const Bound> inputs,
                         const WholeInputs& whole) {
  const std::string head = fmt::format(
      "{}__device__ __forceinline__ _gpy_reduced _gpy_map({}const _gpy_arguments& _p, "
      "const long long i, const long long _i, const long long _J, const long long _outputs, "
      "const long long _reduced) {{ const long long n = _reduced, _j = _J * _outputs + _i; {}{}",
      whole.types, formal_parameters(inputs), kIndices, whole.variables);
  return combining_function(head, text.map, text.map_place);
}

std::string post_function(const ReductionText& text, std::span<const Bound> whole,
                          std::string_view type) {
  const std::string& output = text.outputs[0].name;
  return fmt::format(
      "__device__ __forceinline__ void _gpy_post({}{}& {}, const _gpy_reduced a, const long long "
      "i, const long long _outputs, const long long _reduced) {{ const long long n = _outputs, "
      "_i = i, _j = i; {} {};}}{}",
      formal_parameters(whole), type, output, kIndices,
      placed_text(text.post.empty() ? output + " = a" : text.post, text.post_place),
      generated_directive());
}

}  // namespace

std::string reduction_source(const ReductionText& text, const TypeBinding& types,
                             std::span<const Bound> inputs, const std::string& fields,
                             const ReductionSchedule& schedule, int rank) {
  const std::string type(cuda_type(types.dtype_of(text.outputs[0])));
  const std::vector<Bound> whole = whole_only(inputs);
  std::string out =
      combining_head(types, preamble_text(text.preamble, text.preamble_place),
                     text.reduce_type.empty() ? type : text.reduce_type, text.type_place, fields);
  out += identity_function(text.identity, text.identity_place) +
         map_function(text, inputs, whole_inputs(text.map, inputs, schedule, rank));
  out += combining_function(
      "__device__ __forceinline__ _gpy_reduced _gpy_reduce(const _gpy_reduced a, const "
      "_gpy_reduced b) {",
      text.reduce, text.reduce_place);
  out += post_function(text, whole, type);
  out += fmt::format(fmt::runtime(kText), fmt::arg("entry", entry_name(text.name)),
                     fmt::arg("start", initial_value(text.identity)),
                     fmt::arg("has_identity", text.identity.empty() ? "false" : "true"),
                     fmt::arg("threads", kReductionThreads), fmt::arg("host_lanes", kHostLanes),
                     fmt::arg("load", load_of(inputs, schedule, rank)),
                     fmt::arg("variables", actual_arguments(inputs, "_k")),
                     fmt::arg("whole_variables", actual_arguments(whole, "")));
  return out;
}

}  // namespace gpy::rt
