#include "runtime/kernel/scan_text.h"

#include <fmt/format.h>

#include "runtime/kernel/reduction_text.h"

namespace gpy::rt {

namespace {

// Of one thread: what a run of elements of a row comes to, and the results of such a run.
constexpr const char* kRun = R"(
__device__ __forceinline__ void _gpy_take(_gpy_reduced& _total, bool& _some, const _gpy_reduced& _next) {{
  _total = _some ? _gpy_scan(_total, _next) : _next;
  _some = true;
}}
__device__ __forceinline__ void _gpy_note(long long _k) {{
#ifndef __CUDACC_RTC__
  if (_gpy_here->marks) _gpy_mark(_k);
#endif
}}
__device__ __forceinline__ void _gpy_sum(const _gpy_arguments& _p, long long _row, long long _begin, long long _end, _gpy_reduced& _total, bool& _some) {{
  for (long long i = _begin; i < _end; ++i) {{
    const long long _k = _row * _p._length + i;
    _gpy_note(_k);
{load_inputs}    _gpy_take(_total, _some, _gpy_map({inputs}i, _p._length));
  }}
}}
__device__ __forceinline__ void _gpy_write(const _gpy_arguments& _p, long long _row, long long _begin, long long _end, _gpy_reduced& _total, bool& _some) {{
  for (long long i = _begin; i < _end; ++i) {{
    const long long _k = _row * _p._length + i;
    _gpy_note(_k);
{load_all}    const _gpy_reduced _next = _gpy_map({inputs}i, _p._length);
    if (_p._exclusive) {{
      _gpy_post({all}_total, i, _p._length);
      _gpy_take(_total, _some, _next);
    }} else {{
      _gpy_take(_total, _some, _next);
      _gpy_post({all}_total, i, _p._length);
    }}
  }}
}}
)";

// A row a thread.
constexpr const char* kRows = R"(
extern "C" __global__ void {entry}_rows(_gpy_arguments _p) {{
  for (long long _row = blockIdx.x * (long long)blockDim.x + threadIdx.x; _row < _p._rows;
       _row += gridDim.x * (long long)blockDim.x) {{
    _gpy_reduced _total{start};
    bool _some = {has_identity};
    _gpy_write(_p, _row, 0, _p._length, _total, _some);
  }}
}}
)";

// A part of a row a block, and a run of it a thread. On the host a block has one thread.
constexpr const char* kParts = R"(
struct _gpy_part {{
  long long job, row, number, begin, end;  // begin, end: of the thread's run
}};
__device__ __forceinline__ bool _gpy_find_part(const _gpy_arguments& _p, _gpy_part& _at) {{
  _at.job = blockIdx.x + (long long)gridDim.x * blockIdx.y;
  if (_at.job >= _p._rows * _p._parts) return false;
  _at.row = _at.job / _p._parts;
  _at.number = _at.job % _p._parts;
  const long long _begin = _at.number * _p._share;
  const long long _end = _begin + _p._share < _p._length ? _begin + _p._share : _p._length;
  const long long _each = (_p._share + blockDim.x - 1) / blockDim.x;
  _at.begin = _begin + threadIdx.x * _each < _end ? _begin + threadIdx.x * _each : _end;
  _at.end = _at.begin + _each < _end ? _at.begin + _each : _end;
  return true;
}}
#ifdef __CUDACC_RTC__
struct _gpy_block {{
  _gpy_reduced* totals;
  bool* have;
}};
// Each thread's total becomes that of the block's threads up to it.
__device__ __forceinline__ void _gpy_scan_block(const _gpy_block& _all, const _gpy_reduced& _total, bool _some) {{
  const int _me = threadIdx.x;
  _all.totals[_me] = _total;
  _all.have[_me] = _some;
  for (int _step = 1; _step < {threads}; _step *= 2) {{
    __syncthreads();
    _gpy_reduced _mine = _all.totals[_me];
    bool _any = _all.have[_me];
    if (_me >= _step && _all.have[_me - _step]) {{
      _mine = _any ? _gpy_scan(_all.totals[_me - _step], _mine) : _all.totals[_me - _step];
      _any = true;
    }}
    __syncthreads();
    _all.totals[_me] = _mine;
    _all.have[_me] = _any;
  }}
  __syncthreads();
}}
#define _GPY_BLOCK \
  __shared__ __align__(16) unsigned char _memory[{threads} * sizeof(_gpy_reduced)]; \
  __shared__ bool _have[{threads}]; \
  const _gpy_block _all = {{(_gpy_reduced*)_memory, _have}}
#endif
extern "C" __global__ void {entry}_totals(_gpy_arguments _p) {{
  _gpy_part _at;
  if (!_gpy_find_part(_p, _at)) return;
  _gpy_reduced _total{start};
  bool _some = {has_identity};
  _gpy_sum(_p, _at.row, _at.begin, _at.end, _total, _some);
#ifdef __CUDACC_RTC__
  _GPY_BLOCK;
  _gpy_scan_block(_all, _total, _some);
  if (threadIdx.x != 0) return;
  _total = _all.totals[{threads} - 1];
#endif
  ((_gpy_reduced*)_p._partial)[_at.job] = _total;
}}
extern "C" __global__ void {entry}_carry(_gpy_arguments _p) {{
  const long long _row = blockIdx.x + (long long)gridDim.x * blockIdx.y;
  if (_row >= _p._rows) return;
  _gpy_reduced* _partial = (_gpy_reduced*)_p._partial + _row * _p._parts;
  const long long _each = (_p._parts + blockDim.x - 1) / blockDim.x;
  const long long _begin = threadIdx.x * _each;
  const long long _end = _begin + _each < _p._parts ? _begin + _each : _p._parts;
  _gpy_reduced _before{start};
  bool _any = {has_identity};
#ifdef __CUDACC_RTC__
  _GPY_BLOCK;
  _gpy_reduced _total{start};
  bool _some = {has_identity};
  for (long long _part = _begin; _part < _end; ++_part) _gpy_take(_total, _some, _partial[_part]);
  _gpy_scan_block(_all, _total, _some);
  if (threadIdx.x > 0 && _have[threadIdx.x - 1]) _gpy_take(_before, _any, _all.totals[threadIdx.x - 1]);
#endif
  for (long long _part = _begin; _part < _end; ++_part) {{
    const _gpy_reduced _next = _partial[_part];
    if (_any) _partial[_part] = _before;
    _gpy_take(_before, _any, _next);
  }}
}}
extern "C" __global__ void {entry}_apply(_gpy_arguments _p) {{
  _gpy_part _at;
  if (!_gpy_find_part(_p, _at)) return;
  _gpy_reduced _before{start};
  bool _any = {has_identity};
  if (_at.number > 0) _gpy_take(_before, _any, ((_gpy_reduced*)_p._partial)[_at.job]);
#ifdef __CUDACC_RTC__
  _GPY_BLOCK;
  _gpy_reduced _total{start};
  bool _some = {has_identity};
  _gpy_sum(_p, _at.row, _at.begin, _at.end, _total, _some);
  _gpy_scan_block(_all, _total, _some);
  if (threadIdx.x > 0 && _have[threadIdx.x - 1]) _gpy_take(_before, _any, _all.totals[threadIdx.x - 1]);
#endif
  _gpy_write(_p, _at.row, _at.begin, _at.end, _before, _any);
}}
)";

std::string functions(const ScanText& text, std::span<const Bound> bound) {
  const std::string& output = text.outputs[0].name;
  std::string out = identity_function(text.identity, text.identity_place);
  out += combining_function(
      fmt::format(
          "__device__ __forceinline__ _gpy_reduced _gpy_map({}const long long i, const long "
          "long n) {{",
          formal_parameters(bound.first(bound.size() - 1))),
      text.map, text.map_place);
  out += combining_function(
      "__device__ __forceinline__ _gpy_reduced _gpy_scan(const _gpy_reduced a, const _gpy_reduced "
      "b) {",
      text.scan, text.scan_place);
  out += fmt::format(
      "__device__ __forceinline__ void _gpy_post({}const _gpy_reduced a, const long long i, const "
      "long long n) {{{};}}{}",
      formal_parameters(bound),
      placed_text(text.post.empty() ? output + " = a" : text.post, text.post_place),
      generated_directive());
  return out;
}

}  // namespace

std::string scan_source(const ScanText& text, const TypeBinding& types,
                        std::span<const Bound> bound, const std::string& fields, int rank) {
  const std::span<const Bound> inputs = bound.first(bound.size() - 1);
  const std::string type(cuda_type(bound.back().dtype));
  const std::string kernels = std::string(kRun) + kRows + kParts;
  std::string out = combining_head(types, preamble_text(text.preamble, text.preamble_place),
                                   text.type.empty() ? type : text.type, text.type_place, fields);
  out += functions(text, bound);
  out += fmt::format(fmt::runtime(kernels), fmt::arg("entry", entry_name(text.name)),
                     fmt::arg("threads", kScanThreads),
                     fmt::arg("start", initial_value(text.identity)),
                     fmt::arg("has_identity", text.identity.empty() ? "false" : "true"),
                     fmt::arg("load_inputs", load_text(inputs, rank, "_k")),
                     fmt::arg("load_all", load_text(bound, rank, "_k")),
                     fmt::arg("inputs", actual_arguments(inputs, "_k")),
                     fmt::arg("all", actual_arguments(bound, "_k")));
  return out;
}

}  // namespace gpy::rt
