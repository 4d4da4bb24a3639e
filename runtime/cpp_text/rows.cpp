#include "runtime/cpp_text/rows.h"

#include <fmt/format.h>

#include <string>

#include "runtime/cpp_text/names.h"

namespace gpy::rt {

namespace {

// Narrow floats are computed in float32 and rounded once, as the host's loops do.
std::string_view computed_in(DType dtype, bool widens) {
  return cpp_type_name(widens && is_narrow_float(dtype) ? DType::kFloat32 : dtype);
}

}  // namespace

void write_row_function(CppWriter& out, std::string_view name, const Ufunc& ufunc,
                        const UfuncLoop& loop) {
  const bool widens = !ufunc.narrow_natively;
  std::string parameters;
  for (int a = 0; a < ufunc.arity; ++a) {
    parameters += fmt::format("{}{} {}", a ? ", " : "", computed_in(loop.in[a], widens), "xyz"[a]);
  }
  out.open("GPY_FN {} {}({}) {{  // {}", cpp_type_name(loop.out), name, parameters, ufunc.name);
  out.line("typedef {} T;", computed_in(loop.in[ufunc.arity - 1], widens));
  out.line("typedef {} R;", computed_in(loop.out, widens));
  out.line("return {}(R({}));", cpp_type_name(loop.out), ufunc.expression);
  out.close();
}

}  // namespace gpy::rt
