// Kernels of plans that only map: one vector of neighbours a thread, or a few scattered elements.

#include "runtime/cuda/text/kernel_source.h"
#include "runtime/cuda/text/lanes.h"
#include "runtime/cpp_text/names.h"

namespace gpy::rt::cuda {
namespace {

void write_flat(const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  out.line("const ix d0 = (ix(block) * {} + threadIdx.x) * {};", s.threads, s.lanes);
  out.line("if (d0 >= p.count) return;");
  out.line("const int m = p.count - d0 < {} ? int(p.count - d0) : {};", s.lanes, s.lanes);
  lanes.shared_values();
  lanes.load_vectors("m");
  lanes.compute("m");
  lanes.store("m");
}

// The inner extent is a multiple of the vector, so every vector is whole and in one row.
void write_rows(const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  out.line("const ix i = ix(block) * {} + threadIdx.x;", s.threads);
  out.line("if (i >= p.count / {}) return;", s.lanes);
  lanes.decompose("i", 0, s.dims, true);
  const std::string whole = std::to_string(s.lanes);
  lanes.shared_values();
  lanes.load_vectors(whole);
  lanes.compute(whole);
  lanes.store(whole);
}

// Neighbouring threads take neighbouring elements; a thread's own are a block apart.
void write_scattered(const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  out.line("const ix first = ix(block) * {} + threadIdx.x;", s.threads * s.lanes);
  lanes.shared_values();
  lanes.open_lane_loads();
  out.line("const ix i = first + k * {};", s.threads);
  out.line("live[k] = i < p.count;");
  out.line("if (!live[k]) continue;");
  lanes.decompose("i", 0, s.dims, false);
  lanes.close_lane_loads();
  lanes.compute("");
  lanes.store("");
}

// A block owns a square of the plane of the last dimension and the one that some inputs lie along:
// those are read along their own direction into shared memory, whose odd row length keeps its banks
// apart, then read across.
void write_tiled(const Plan& plan, const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  const int inner = s.dims - 1, side = s.columns, across = side / 32;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    if (s.inputs[i] != Access::kTiled) continue;
    out.line("__shared__ {} tile{}[{}][{}];", cpp_memory_type_name(plan.inputs[i].dtype), i, side,
             side + 1);
  }
  out.line("ix rest = block;");
  out.line("const ix across = (p.extent{} + {}) / {};", inner, side - 1, side);
  out.line("const ix down = (p.extent{} + {}) / {};", s.vector_dim, side - 1, side);
  out.line("const ix first_column = rest % across * {};", side);
  out.line("rest /= across;");
  out.line("const ix first_row = rest % down * {};", side);
  out.line("rest /= down;");
  for (int d = inner - 1; d >= 0; --d) {
    if (d == s.vector_dim) continue;
    out.line("const ix d{} = rest % p.extent{};", d, d);
    out.line("rest /= p.extent{};", d);
  }
  const std::string place = fmt::format(
      "const int column = threadIdx.x % 32 + k % {} * 32, row = threadIdx.x / 32 + k / {} * {};",
      across, across, s.threads / 32);
  out.raw("#pragma unroll\n");
  out.open("for (int k = 0; k < {}; ++k) {{", s.lanes);
  out.line("{}", place);
  out.line("const ix d{} = first_row + column, d{} = first_column + row;", s.vector_dim, inner);
  out.open("if (d{} < p.extent{} && d{} < p.extent{}) {{", s.vector_dim, s.vector_dim, inner,
           inner);
  lanes.fill_tiles();
  out.close();
  out.close();
  out.line("__syncthreads();");
  lanes.shared_values();
  lanes.open_lane_loads();
  out.line("{}", place);
  out.line("const ix d{} = first_row + row, d{} = first_column + column;", s.vector_dim, inner);
  out.line("live[k] = d{} < p.extent{} && d{} < p.extent{};", s.vector_dim, s.vector_dim, inner,
           inner);
  out.line("if (!live[k]) continue;");
  lanes.close_lane_loads();
  lanes.compute("");
  lanes.store("");
}

}  // namespace

void write_map(const Plan& plan, const Schedule& s, CppWriter& out) {
  LaneWriter lanes(plan, s, out);
  lanes.declarations();
  out.open("GPY_FN void map_block(const Params& p, u32 block) {{");
  switch (s.form) {
    case Form::kRows: write_rows(s, out, lanes); break;
    case Form::kScattered: write_scattered(s, out, lanes); break;
    case Form::kTiled: write_tiled(plan, s, out, lanes); break;
    default: write_flat(s, out, lanes);
  }
  out.close();
  write_entry(s, out, kEntries[0], "map_block");
}

}  // namespace gpy::rt::cuda
