#include "runtime/cuda/text/lanes.h"

#include <algorithm>

#include "runtime/cpp_text/names.h"
#include "runtime/cpp_text/rows.h"
#include "runtime/cuda/text/parameters.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt::cuda {

// --- declarations ---

void LaneWriter::declarations() {
  out_.line("typedef {} ix;", s_.wide ? "i64" : "i32");
  operation_functions();
  out_.raw(parameter_text(plan_, s_));
}

// The first operation that applies the same loop: its function serves all of them.
int LaneWriter::function_of(int op) const {
  const PlanOp& wanted = plan_.ops[op];
  for (int i = 0; i < op; ++i) {
    const PlanOp& other = plan_.ops[i];
    if (other.kind == wanted.kind && other.ufunc == wanted.ufunc && other.loop == wanted.loop) {
      return i;
    }
  }
  return op;
}

void LaneWriter::operation_functions() {
  for (int i = 0; i < static_cast<int>(plan_.ops.size()); ++i) {
    const PlanOp& op = plan_.ops[i];
    if (op.kind != PlanOp::Kind::kUfunc || function_of(i) != i) continue;
    const Ufunc& ufunc = ufuncs()[op.ufunc];
    write_row_function(out_, fmt::format("op{}", i), ufunc, ufunc.loops[op.loop]);
  }
}

std::string_view LaneWriter::input_type(int input) const {
  return cpp_memory_type_name(plan_.inputs[input].dtype);
}

// --- indices ---

void LaneWriter::decompose(std::string_view index, int from, int to, bool in_vectors) {
  if (from == to) return;
  const bool has_vector = s_.vectors && s_.vector_dim >= from && s_.vector_dim < to;
  if (to - from == 1) {
    const bool scaled = has_vector && in_vectors;
    return out_.line("const ix d{} = {}{};", from, index,
                     scaled ? fmt::format(" * {}", s_.lanes) : "");
  }
  const bool divides = has_vector && !in_vectors && s_.lanes > 1;
  std::string rest = fmt::format("rest{}", to);
  out_.line("const ix {} = {}{};", rest, index, divides ? fmt::format(" / {}", s_.lanes) : "");
  for (int d = to - 1; d > from; --d) {
    const std::string next = d == from + 1 ? fmt::format("q{}", d) : fmt::format("rest{}", d);
    out_.line("const ix {} = p.div{}.divide({});", next, d, rest);
    const bool scaled = has_vector && d == s_.vector_dim;
    out_.line("const ix d{} = ({} - {} * ix(p.div{}.divisor)){};", d, rest, next, d,
              scaled ? fmt::format(" * {}", s_.lanes) : "");
    rest = next;
  }
  const bool scaled = has_vector && from == s_.vector_dim;
  out_.line("const ix d{} = {}{};", from, rest, scaled ? fmt::format(" * {}", s_.lanes) : "");
}

std::string LaneWriter::offset_text(std::string_view prefix, Access access) const {
  if (access == Access::kVector && !s_.vectors) return "i";
  std::string text;
  for (int d = 0; d < s_.dims; ++d) {
    std::string term;
    if (access == Access::kIota) {
      term = fmt::format("i64(d{}) * p.{}_s{}", d, prefix, d);
    } else if (passes_stride(s_, access, d)) {
      term = fmt::format("d{} * p.{}_s{}", d, prefix, d);
    } else if (access == Access::kVector && d == s_.vector_dim) {
      term = fmt::format("d{}", d);
    } else {
      continue;
    }
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "0" : text;
}

void LaneWriter::offset(std::string_view name, std::string_view prefix, Access access) {
  out_.line("const ix {} = {};", name, offset_text(prefix, access));
}

// --- loads ---

void LaneWriter::shared_values() {
  for (int i = 0; i < static_cast<int>(plan_.inputs.size()); ++i) {
    if (s_.inputs[i] == Access::kOnce && plan_.inputs[i].kind == PlanInput::Kind::kBuffer) {
      out_.line("const {} x{} = *p.in{};", input_type(i), i, i);
    }
  }
}

void LaneWriter::load_vectors(std::string_view valid) {
  for (int i = 0; i < static_cast<int>(plan_.inputs.size()); ++i) load_vector(i, valid);
}

void LaneWriter::load_vector(int i, std::string_view valid) {
  const std::string_view type = input_type(i);
  const std::string prefix = fmt::format("in{}", i);
  const std::string at = offset_text(prefix, s_.inputs[i]);
  switch (s_.inputs[i]) {
    case Access::kOnce: return;
    case Access::kVector:
      out_.line("{} x{}[{}];", type, i, s_.lanes);
      return out_.line("load<{}>(p.in{} + ({}), {}, x{});", s_.lanes, i, at, valid, i);
    case Access::kRepeat: return out_.line("const {} x{} = p.in{}[{}];", type, i, i, at);
    case Access::kStrided:
      out_.line("{} x{}[{}];", type, i, s_.lanes);
      return out_.line("load_strided<{}>(p.in{} + ({}), p.in{}_s{}, {}, x{});", s_.lanes, i, at, i,
                       s_.vector_dim, valid, i);
    case Access::kIota:
      out_.line("i64 x{}[{}];", i, s_.lanes);
      out_.line("for (int k = 0; k < {}; ++k) x{}[k] = {}{};", s_.lanes, i, at,
                s_.dims ? fmt::format(" + k * p.in{}_s{}", i, s_.vector_dim) : "");
      return;
    case Access::kGather: return out_.line("const {}* const g{} = p.in{} + ({});", type, i, i, at);
    case Access::kTiled: return;  // only lanes with an index each are
  }
}

void LaneWriter::open_lane_loads() {
  for (int i = 0; i < static_cast<int>(plan_.inputs.size()); ++i) {
    const std::string_view type = input_type(i);
    if (s_.inputs[i] == Access::kOnce) continue;
    if (s_.inputs[i] == Access::kGather) {
      out_.line("const {}* g{}[{}];", type, i, s_.lanes);
    } else {
      out_.line("{} x{}[{}];", type, i, s_.lanes);
    }
  }
  for (size_t o = 0; o < plan_.outputs.size(); ++o) out_.line("ix o{}[{}];", o, s_.lanes);
  out_.line("bool live[{}];", s_.lanes);
  out_.raw("#pragma unroll\n");
  out_.open("for (int k = 0; k < {}; ++k) {{", s_.lanes);
}

void LaneWriter::fill_tiles() {
  for (int i = 0; i < static_cast<int>(plan_.inputs.size()); ++i) {
    if (s_.inputs[i] != Access::kTiled) continue;
    out_.line("tile{}[row][column] = p.in{}[{}];", i, i,
              offset_text(fmt::format("in{}", i), Access::kTiled));
  }
}

void LaneWriter::close_lane_loads() {
  for (int i = 0; i < static_cast<int>(plan_.inputs.size()); ++i) load_lane(i);
  for (size_t o = 0; o < plan_.outputs.size(); ++o) {
    out_.line("o{}[k] = {};", o, offset_text(fmt::format("out{}", o), s_.outputs[o]));
  }
  out_.close();
}

void LaneWriter::load_lane(int i) {
  const std::string at = offset_text(fmt::format("in{}", i), s_.inputs[i]);
  switch (s_.inputs[i]) {
    case Access::kOnce: return;
    case Access::kIota: return out_.line("x{}[k] = {};", i, at);
    case Access::kGather: return out_.line("g{}[k] = p.in{} + ({});", i, i, at);
    case Access::kTiled: return out_.line("x{}[k] = tile{}[column][row];", i, i);
    default: return out_.line("x{}[k] = p.in{}[{}];", i, i, at);
  }
}

// --- operations ---

// True for a loaded or gathered value, which is as it lies in memory.
bool LaneWriter::is_moved(Register value) const {
  if (value < plan_.inputs.size()) return true;
  const size_t computed = plan_.inputs.size() + plan_.scalars.size();
  return value >= computed && plan_.ops[value - computed].kind == PlanOp::Kind::kGather;
}

std::string LaneWriter::register_name(Register value) const {
  const std::string name = stored_name(value);
  const bool is_byte = is_moved(value) && plan_.dtype_of(value) == DType::kBool;
  return is_byte ? fmt::format("({} != 0)", name) : name;
}

std::string LaneWriter::stored_name(Register value) const {
  const size_t inputs = plan_.inputs.size();
  if (value < inputs) {
    const Access access = s_.inputs[value];
    const bool one = access == Access::kOnce || access == Access::kRepeat;
    return fmt::format("x{}{}", value, one ? "" : "[k]");
  }
  const size_t scalar = value - inputs;
  if (scalar < plan_.scalars.size()) return fmt::format("p.s{}", scalar);
  return fmt::format("v{}", scalar - plan_.scalars.size());
}

void LaneWriter::gather(int index) {
  const PlanOp& op = plan_.ops[index];
  const int i = op.input;
  std::string from;
  if (s_.inputs[i] == Access::kOnce) {
    from = fmt::format("p.in{}[{}]", i, register_name(op.args[0]));
  } else if (s_.vectors) {
    from = fmt::format("g{}[i64(k) * p.in{}_s{} + {}]", i, i, s_.vector_dim,
                       register_name(op.args[0]));
  } else {
    from = fmt::format("g{}[k][{}]", i, register_name(op.args[0]));
  }
  out_.line("const {} v{} = {};", cpp_memory_type_name(op.dtype), index, from);
}

void LaneWriter::operation(int index) {
  const PlanOp& op = plan_.ops[index];
  if (op.kind == PlanOp::Kind::kGather) return gather(index);
  if (op.kind == PlanOp::Kind::kCast) {
    const std::string_view to = cpp_type_name(op.dtype);
    return out_.line("const {} v{} = cast<{}>({});", to, index, to, register_name(op.args[0]));
  }
  std::string arguments;
  for (int a = 0; a < ufuncs()[op.ufunc].arity; ++a) {
    arguments += (a ? ", " : "") + register_name(op.args[a]);
  }
  out_.line("const {} v{} = op{}({});", cpp_type_name(op.dtype), index, function_of(index),
            arguments);
}

bool LaneWriter::gathers() const {
  return std::ranges::any_of(plan_.ops,
                             [](const PlanOp& op) { return op.kind == PlanOp::Kind::kGather; });
}

void LaneWriter::compute(std::string_view valid) {
  const bool scatters = std::ranges::any_of(
      plan_.outputs, [](const PlanOutput& output) { return output.index != kNoRegister; });
  for (size_t o = 0; o < plan_.outputs.size(); ++o) {
    out_.line("{} y{}[{}];", cpp_memory_type_name(plan_.outputs[o].dtype), o, s_.lanes);
    if (plan_.outputs[o].index != kNoRegister) out_.line("i64 to{}[{}];", o, s_.lanes);
  }
  out_.raw("#pragma unroll\n");
  out_.open("for (int k = 0; k < {}; ++k) {{", s_.lanes);
  // A lane without an element must not follow its index. It still gets a value, which is not
  // counted.
  const char* skip = plan_.reduction ? "{ value[k] = Reduce::Value(); continue; }" : "continue;";
  if (!s_.vectors) out_.line("if (!live[k]) {}", skip);
  else if (gathers() || scatters) out_.line("if (k >= {}) {}", valid, skip);
  for (int i = 0; i < static_cast<int>(plan_.ops.size()); ++i) operation(i);
  for (size_t o = 0; o < plan_.outputs.size(); ++o) {
    out_.line("y{}[k] = {};", o, stored_name(plan_.outputs[o].value));
    if (plan_.outputs[o].index != kNoRegister) {
      out_.line("to{}[k] = {};", o, register_name(plan_.outputs[o].index));
    }
  }
  if (plan_.reduction) out_.line("value[k] = {};", register_name(plan_.reduction->value));
  out_.close();
}

// --- stores ---

void LaneWriter::store(std::string_view valid) {
  for (size_t o = 0; o < plan_.outputs.size(); ++o) {
    const std::string index =
        plan_.outputs[o].index == kNoRegister ? "" : fmt::format(" + to{}[k]", o);
    if (!s_.vectors) {
      out_.raw("#pragma unroll\n");
      out_.line("for (int k = 0; k < {}; ++k) if (live[k]) p.out{}[o{}[k]{}] = y{}[k];", s_.lanes,
                o, o, index, o);
      continue;
    }
    const std::string at = offset_text(fmt::format("out{}", o), s_.outputs[o]);
    const std::string stride = s_.dims ? fmt::format("p.out{}_s{}", o, s_.vector_dim) : "0";
    if (!index.empty()) {
      out_.line("for (int k = 0; k < {}; ++k) if (k < {}) p.out{}[{} + k * {}{}] = y{}[k];",
                s_.lanes, valid, o, at, stride, index, o);
    } else if (s_.outputs[o] == Access::kVector) {
      out_.line("store<{}>(p.out{} + ({}), {}, y{});", s_.lanes, o, at, valid, o);
    } else {
      out_.line("store_strided<{}>(p.out{} + ({}), {}, {}, y{});", s_.lanes, o, at, stride, valid,
                o);
    }
  }
}

}  // namespace gpy::rt::cuda
