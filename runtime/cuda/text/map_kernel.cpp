// Kernels of plans that only map: one vector of neighbours a thread, or a few scattered elements.

#include "runtime/cuda/text/kernel_source.h"
#include "runtime/cuda/text/lanes.h"

namespace gpy::rt::cuda {
namespace {

void write_flat(const Schedule& s, Writer& out, LaneWriter& lanes) {
  out.line("const ix d0 = (ix(blockIdx.x) * {} + threadIdx.x) * {};", kThreads, s.lanes);
  out.line("if (d0 >= p.count) return;");
  out.line("const int m = p.count - d0 < {} ? int(p.count - d0) : {};", s.lanes, s.lanes);
  lanes.shared_values();
  lanes.load_vectors("m");
  lanes.compute("m");
  lanes.store("m");
}

// The inner extent is a multiple of the vector, so every vector is whole and in one row.
void write_rows(const Schedule& s, Writer& out, LaneWriter& lanes) {
  out.line("const ix i = ix(blockIdx.x) * {} + threadIdx.x;", kThreads);
  out.line("if (i >= p.count / {}) return;", s.lanes);
  lanes.decompose("i", 0, s.dims, true);
  const std::string whole = std::to_string(s.lanes);
  lanes.shared_values();
  lanes.load_vectors(whole);
  lanes.compute(whole);
  lanes.store(whole);
}

// Neighbouring threads take neighbouring elements; a thread's own are a block apart.
void write_scattered(const Schedule& s, Writer& out, LaneWriter& lanes) {
  out.line("const ix first = ix(blockIdx.x) * {} + threadIdx.x;", kThreads * s.lanes);
  lanes.shared_values();
  lanes.open_lane_loads();
  out.line("const ix i = first + k * {};", kThreads);
  out.line("live[k] = i < p.count;");
  out.line("if (!live[k]) continue;");
  lanes.decompose("i", 0, s.dims, false);
  lanes.close_lane_loads();
  lanes.compute("");
  lanes.store("");
}

}  // namespace

void write_map(const Plan& plan, const Schedule& s, Writer& out) {
  LaneWriter lanes(plan, s, out);
  lanes.declarations();
  out.open("extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ Params p) {{",
           kThreads, kEntries[0]);
  switch (s.form) {
    case Form::kRows:
      write_rows(s, out, lanes);
      break;
    case Form::kScattered:
      write_scattered(s, out, lanes);
      break;
    default:
      write_flat(s, out, lanes);
  }
  out.close();
}

}  // namespace gpy::rt::cuda
