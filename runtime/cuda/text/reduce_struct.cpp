#include "runtime/cpp_text/names.h"
#include "runtime/cuda/text/reduction.h"
#include "runtime/ops/reduction.h"

namespace gpy::rt::cuda {

namespace {

// Rows require that a's elements come first. The indices decide that, whichever thread combines.
void write_combine(const Reduction& row, CppWriter& out) {
  if (!row.is_arg) {
    return out.line("static GPY_MEMBER A combine(A a, A b) {{ return {}; }}", row.combine);
  }
  out.open("static GPY_MEMBER A combine(A a, A b) {{");
  out.open("if (u64(b.index) < u64(a.index)) {{");
  out.line("const A first = b;");
  out.line("b = a;");
  out.line("a = first;");
  out.close();
  out.line("return {};", row.combine);
  out.close();
}

}  // namespace

void write_reduce_struct(const Plan& plan, CppWriter& out) {
  const Reduction& row = reductions()[plan.reduction->reduction];
  const ReductionLoop& loop = row.loops[plan.reduction->loop];
  out.open("struct Reduce {{  // {}", row.name);
  out.line("typedef {} T;", cpp_type_name(loop.in));
  out.line("typedef {} R;", cpp_type_name(loop.out));
  out.line("typedef {} A;", row.accumulator);
  out.line("typedef T Value;");
  out.line("typedef A Acc;");
  out.line("typedef R Result;");
  out.line("static GPY_MEMBER A identity() {{ return {}; }}", row.identity);
  out.line("static GPY_MEMBER A lift(T x, i64 i) {{ return {}; }}", row.lift);
  write_combine(row, out);
  out.line("static GPY_MEMBER R finish(A a) {{ return {}; }}", row.finish);
  out.close("};");
}

bool is_order_free(const Plan& plan) {
  const Reduction& row = reductions()[plan.reduction->reduction];
  const ReductionLoop& loop = row.loops[plan.reduction->loop];
  return row.is_arg || loop.out == DType::kBool || !is_inexact(loop.in);
}

}  // namespace gpy::rt::cuda
