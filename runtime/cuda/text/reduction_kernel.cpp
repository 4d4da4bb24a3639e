#include "runtime/cpp_text/names.h"
#include "runtime/cuda/text/lanes.h"
#include "runtime/cuda/text/reduction.h"
#include "runtime/ops/reduction.h"

namespace gpy::rt::cuda {
namespace {

// The lanes' values, and the stores of whatever else the plan computes on the way.
void write_fetch(const Plan& plan, const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  out.line("template <bool stores>");
  out.open(
      "GPY_FN void fetch(const Params& p, ix row, ix r, int m, Reduce::Value (&value)[kLanes]) {{");
  lanes.shared_values();
  if (!s.vectors) {
    lanes.open_lane_loads();
    out.line("live[k] = k < m;");
    out.line("if (!live[k]) continue;");
    out.line("const ix at = r + k;");
    out.line("const ix i = row * p.length + at;");
    lanes.decompose("row", 0, s.kept, false);
    lanes.decompose("at", s.kept, s.dims, false);
    lanes.close_lane_loads();
  } else {
    lanes.decompose("row", 0, s.kept, false);
    lanes.decompose("r", s.kept, s.dims, false);
    lanes.load_vectors("m");
  }
  lanes.compute("m");
  if (!plan.outputs.empty()) {
    out.open("if (stores) {{");
    lanes.store("m");
    out.close();
  }
  out.close();
}

// The offset of the result of `row`; of a scan, of its index r. `row` may be any lane's.
void write_result_offset(const Plan& plan, const Schedule& s, CppWriter& out, LaneWriter& lanes) {
  out.open("GPY_FN ix result_offset(const Params& p, ix row, ix r = 0) {{");
  lanes.decompose("row", 0, s.kept, false);
  std::string offset;
  for (int d = 0; d < s.kept; ++d) {
    offset += fmt::format("{}d{} * p.result_s{}", d ? " + " : "", d, d);
  }
  const bool rounded = s.vectors && s.lanes > 1 && s.kept > 1 && s.vector_dim < s.kept;
  if (rounded) offset += fmt::format(" + row % {} * p.result_s{}", s.lanes, s.vector_dim);
  if (plan.reduction->scan)
    offset += fmt::format("{}r * p.result_s{}", offset.empty() ? "" : " + ", s.kept);
  out.line("return {};", offset.empty() ? "0" : offset);
  out.close();
}

// Stores a scan's results of the lanes at (row, r).
void write_keep(const Plan& plan, const Schedule& s, CppWriter& out) {
  out.open(
      "GPY_FN void keep(const Params& p, ix row, ix r, int m, const Reduce::Result (&y)[kLanes]) "
      "{{");
  if (s.result == Access::kVector) {
    out.line("store<kLanes>(p.result + result_offset(p, row, r), m, y);");
  } else {
    const bool columns = s.form == Form::kScanColumns;
    out.raw("#pragma unroll\n");
    out.line(
        "for (int k = 0; k < kLanes; ++k) if (k < m) p.result[result_offset(p, {}, {})] = y[k];",
        columns ? "row + k" : "row", columns ? "r" : "r + k");
  }
  out.close();
  static_cast<void>(plan);
}

const char* form_function(Form form) {
  switch (form) {
    case Form::kThreadRow: return "reduce_thread_row";
    case Form::kWarpRow: return "reduce_warp_row";
    case Form::kBlockRow: return "reduce_block_row";
    case Form::kColumns: return "reduce_columns";
    case Form::kScanRows: return "scan_rows";
    default: return "scan_columns";
  }
}

}  // namespace

void write_reduction(const Plan& plan, const Schedule& s, CppWriter& out) {
  LaneWriter lanes(plan, s, out);
  lanes.declarations();
  out.line("constexpr int kLanes = {};", s.lanes);
  out.line("constexpr int kColumns = {};", std::max(s.columns, 1));
  out.line("constexpr int kThreads = {};", s.threads);
  out.line("constexpr bool kSplits = {};", s.splits > 1);
  write_reduce_struct(plan, out);
  write_fetch(plan, s, out, lanes);
  write_result_offset(plan, s, out, lanes);
  const bool scan = plan.reduction->scan;
  if (scan) write_keep(plan, s, out);
  out.raw(reduction_device_text());
  if (scan) out.raw(scan_device_text());
  write_entry(s, out, kEntries[0], form_function(s.form));
  if (scan && s.splits > 1) {
    write_entry(s, out, kEntries[1],
                s.form == Form::kScanRows ? "sum_row_tiles" : "sum_column_tiles");
  }
}

}  // namespace gpy::rt::cuda
