#include "runtime/kernel/stencil_text.h"

#include <fmt/format.h>

#include "runtime/kernel/user_text.h"

namespace gpy::rt {

namespace {

// A place along an axis, folded into its extent; -1: outside, -2: outside and not computed.
constexpr const char* kNeighbours = R"(
__device__ __forceinline__ long long _gpy_cycle(long long at, long long period) {{
  const long long rest = at % period;
  return rest < 0 ? rest + period : rest;
}}
__device__ __forceinline__ long long _gpy_fold(int axis, long long at, long long extent) {{
  switch (axis) {{
{folds}    default: return at;
  }}
}}
template <class T> __device__ __forceinline__ T _gpy_load(const T* at) {{ return *at; }}
__device__ __forceinline__ bool _gpy_load(const bool* at) {{ return *(const unsigned char*)at != 0; }}
template <class T> __device__ __forceinline__ T _gpy_outside(int axis) {{
  switch (axis) {{
{values}    default: return T();
  }}
}}
template <class T> struct _gpy_neighbours {{
  const T* data;
  const long long steps[{axes}];
  const _gpy_index<{rank}>& here;
  bool& skipped;
  __device__ __forceinline__ T operator()({offsets}) const {{
    const long long by[] = {{{by}0}};
    long long place = 0;
#ifdef __CUDACC_RTC__
#pragma unroll
#endif
    for (int axis = 0; axis < {rank}; ++axis) {{
      long long at = here.at[axis] + by[axis];
      if (at < 0 || at >= here.extents[axis]) at = _gpy_fold(axis, at, here.extents[axis]);
      if (at < 0) {{
        skipped |= at == -2;
        return _gpy_outside<T>(axis);
      }}
      place += at * steps[axis];
    }}
    return _gpy_load(data + place);
  }}
  // The element itself.
  __device__ __forceinline__ operator T() const {{
    long long place = 0;
    for (int axis = 0; axis < {rank}; ++axis) place += here.at[axis] * steps[axis];
    return _gpy_load(data + place);
  }}
}};
)";

constexpr const char* kKernel = R"(
__device__ __forceinline__ void _gpy_body({formal}const _gpy_index<{rank}>& _ind, const long long i, const long long n) {{ do {{{body};}} while (0);}}
{generated}
extern "C" __global__ void {entry}(_gpy_arguments _p) {{
  _gpy_index<{rank}> _ind{{_p._n, {{{extents}}}, {{0}}}};
{share}
#ifndef __CUDACC_RTC__
  _ind.set(_first);
#endif
  for (long long i = _first; i < _end; i += _stride) {{
#ifdef __CUDACC_RTC__
    _ind.set(i);
#else
    if (_marks) _gpy_mark(i);
#endif
    bool _skipped = false;
{load}{outputs}    _gpy_body({actual}_ind, i, _p._n);
    if (!_skipped) {{
{stores}    }}
#ifndef __CUDACC_RTC__
    _ind.next();
#endif
  }}
}}
)";

bool is_neighbour(const Bound& bound) {
  return !bound.output && (bound.passing == Passing::kDense || bound.passing == Passing::kStrided);
}

std::string fold_text(Boundary::Mode mode) {
  switch (mode) {
    case Boundary::Mode::kConstant: return "-1";
    case Boundary::Mode::kSkip: return "-2";
    case Boundary::Mode::kNearest: return "at < 0 ? 0 : extent - 1";
    case Boundary::Mode::kWrap: return "_gpy_cycle(at, extent)";
    case Boundary::Mode::kReflect:
      return "(at = _gpy_cycle(at, 2 * extent)) < extent ? at : 2 * extent - 1 - at";
    case Boundary::Mode::kMirror: break;
  }
  return "extent == 1 ? 0 : (at = _gpy_cycle(at, 2 * extent - 2)) < extent ? at : 2 * extent - 2 - "
         "at";
}

std::string neighbours_text(const StencilText& text, std::span<const Boundary> boundaries) {
  std::string folds, values;
  for (size_t axis = 0; axis < boundaries.size(); ++axis) {
    const Boundary& each = boundaries[axis];
    folds += fmt::format("    case {}: return {};\n", axis, fold_text(each.mode));
    if (each.value.empty()) continue;
    values += fmt::format("    case {}: return T({}{});{}", axis,
                          line_directive(text.boundary_place), each.value, generated_directive());
  }
  std::string offsets, by;
  for (size_t axis = 0; axis < boundaries.size(); ++axis) {
    offsets += fmt::format("{}long long by_{}", axis ? ", " : "", axis);
    by += fmt::format("by_{}, ", axis);
  }
  return fmt::format(fmt::runtime(kNeighbours), fmt::arg("offsets", offsets), fmt::arg("by", by),
                     fmt::arg("folds", folds), fmt::arg("values", values),
                     fmt::arg("rank", boundaries.size()),
                     fmt::arg("axes", std::max<size_t>(boundaries.size(), 1)));
}

// "_p._step_x[0], _p._step_x[1], "
std::string listed(const std::string& field, int count) {
  std::string text;
  for (int axis = 0; axis < count; ++axis) text += fmt::format("_p.{}[{}], ", field, axis);
  return text;
}

std::string formal(const Bound& bound) {
  if (!is_neighbour(bound)) return parameter_text(bound);
  return fmt::format("const _gpy_neighbours<{}>& {}", cuda_type(bound.dtype),
                     bound.parameter->name);
}

std::string actual(const Bound& bound) {
  const std::string& name = bound.parameter->name;
  if (bound.output && bound.passing != Passing::kRaw) return "_new_" + name;
  if (!is_neighbour(bound)) return argument_value(bound, "i");
  return fmt::format("_gpy_neighbours<{}>{{_p._arg_{}, {{{}}}, _ind, _skipped}}",
                     cuda_type(bound.dtype), name, listed("_step_" + name, bound.array.rank()));
}

struct Lists {
  std::string formal, actual, outputs, stores;
};

// Outputs are variables until it is known that no neighbour was missing.
Lists lists_of(std::span<const Bound> bound) {
  Lists out;
  for (const Bound& each : bound) {
    out.formal += formal(each) + ", ";
    out.actual += actual(each) + ", ";
    if (!each.output || each.passing == Passing::kRaw) continue;
    const std::string& name = each.parameter->name;
    const std::string element = argument_value(each, "i");
    out.outputs += fmt::format("    {} _new_{} = {};\n", cuda_type(each.dtype), name, element);
    out.stores += fmt::format("      {} = _new_{};\n", element, name);
  }
  return out;
}

}  // namespace

std::string stencil_source(const StencilText& text, const TypeBinding& types,
                           std::span<const Bound> bound, std::span<const Boundary> boundaries,
                           const std::string& fields) {
  const int rank = static_cast<int>(boundaries.size());
  std::vector<Bound> outputs;
  for (const Bound& each : bound) {
    if (each.output) outputs.push_back(each);
  }
  const Lists lists = lists_of(bound);
  std::string out = generated_directive() + std::string(user_text());
  out += placeholder_text(types) + preamble_text(text.preamble, text.preamble_place) +
         generated_directive();
  out += fmt::format("struct _gpy_arguments {{\n{}}};\n", fields);
  out += neighbours_text(text, boundaries);
  out += fmt::format(
      fmt::runtime(kKernel), fmt::arg("formal", lists.formal), fmt::arg("rank", rank),
      fmt::arg("body", placed_text(text.body, text.place)),
      fmt::arg("generated", generated_directive()), fmt::arg("entry", entry_name(text.name)),
      fmt::arg("extents", listed("_shape", rank)), fmt::arg("load", load_text(outputs, rank, "i")),
      fmt::arg("share", elements_of_thread()), fmt::arg("outputs", lists.outputs),
      fmt::arg("actual", lists.actual), fmt::arg("stores", lists.stores));
  return out;
}

}  // namespace gpy::rt
