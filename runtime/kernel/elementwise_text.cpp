#include "runtime/kernel/elementwise_text.h"

#include <fmt/format.h>

#include "runtime/kernel/user_text.h"

namespace gpy::rt {

namespace {

// An element is a function, which may return; `continue` ends the element too.
constexpr const char* kFunction = R"(
__device__ __forceinline__ void _gpy_body({formal}const long long i, const long long n) {{ do {{{body};}} while (0);}}
{generated}
extern "C" __global__ void {entry}(_gpy_arguments _p) {{{share}
{index}
#ifndef __CUDACC_RTC__
  if (_marks) {{
    for (long long i = _first; i < _end; ++i) {{
      _gpy_mark(i);
{load}      _gpy_body({actual}i, _p._n);
    }}
    return;
  }}
  _GPY_INDEPENDENT
#endif
  for (long long i = _first; i < _end; i += _stride) {{
{load}    _gpy_body({actual}i, _p._n);
  }}
}}
)";

// The texts before, in and after the loop share their variables.
constexpr const char* kLoop = R"(
extern "C" __global__ void {entry}(_gpy_arguments _p) {{{share}
  const long long n = _p._n;
{index}{wholes}
  {before};
{generated}
  for (long long i = _first; i < _end; i += _stride) {{
#ifndef __CUDACC_RTC__
    if (_marks) _gpy_mark(i);
#endif
{load}{elements}    {{{body};}}
{generated}
  }}
  {after};
{generated}
}}
)";

bool is_whole(const Bound& bound) {
  return bound.passing == Passing::kNumber || bound.passing == Passing::kRaw;
}

// "const T& x = _p._arg_x[i];" for each parameter that is there as a whole, or by element.
std::string declarations(std::span<const Bound> bound, bool whole) {
  std::string text;
  for (const Bound& each : bound) {
    if (is_whole(each) == whole)
      text += fmt::format("    {} = {};\n", parameter_text(each), argument_value(each, "i"));
  }
  return text;
}

// Whether the user's text asks for the place in the loop's shape.
bool uses_index(const ElementwiseText& text) {
  for (const std::string* part : {&text.preamble, &text.loop_prep, &text.body, &text.after_loop}) {
    if (part->find("_ind") != std::string::npos) return true;
  }
  return false;
}

std::string index_variable(int rank) {
  std::string extents;
  for (int axis = 0; axis < rank; ++axis) extents += fmt::format("_p._shape[{}], ", axis);
  return fmt::format("  _gpy_index<{}> _ind{{_p._n, {{{}}}, {{0}}}};\n", rank, extents);
}

}  // namespace

std::string elementwise_source(const ElementwiseText& text, const ElementwiseBody* body,
                               const TypeBinding& types, std::span<const Bound> bound,
                               const std::string& fields, int rank, bool checked) {
  const bool indexed = uses_index(text);
  const std::string index_formal = fmt::format("const _gpy_index<{}>& _ind, ", rank);
  const std::string load = (indexed ? "    _ind.set(i);\n" : "") + load_text(bound, rank, "i");
  std::string out = generated_directive() + std::string(user_text());
  out += placeholder_text(types) + preamble_text(text.preamble, text.preamble_place) +
         generated_directive();
  if (body) out += (checked ? body->checked_functions : body->functions) + generated_directive();
  out += fmt::format("struct _gpy_arguments {{\n{}}};\n", fields);
  out +=
      fmt::format(fmt::runtime(text.has_loop_parts() ? kLoop : kFunction),
                  fmt::arg("formal", formal_parameters(bound) + (indexed ? index_formal : "")),
                  fmt::arg("actual", actual_arguments(bound, "i") + (indexed ? "_ind, " : "")),
                  fmt::arg("entry", entry_name(text.name)), fmt::arg("share", elements_of_thread()),
                  fmt::arg("generated", generated_directive()), fmt::arg("load", load),
                  fmt::arg("index", indexed ? index_variable(rank) : ""),
                  fmt::arg("wholes", declarations(bound, true)),
                  fmt::arg("elements", declarations(bound, false)),
                  fmt::arg("before", placed_text(text.loop_prep, text.loop_prep_place)),
                  fmt::arg("body", body ? body->statements : placed_text(text.body, text.place)),
                  fmt::arg("after", placed_text(text.after_loop, text.after_loop_place)));
  return out;
}

}  // namespace gpy::rt
