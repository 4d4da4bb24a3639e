#include "runtime/typed/function_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/cpp_text/names.h"
#include "runtime/typed/selection.h"
#include "runtime/typed/walk.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

bool may_fail(const Expression& node) {
  return node.fails || node.kind == Expression::Kind::kElementwise ||
         std::ranges::any_of(node.args, may_fail);
}

// Threads count no references: the arrays of the loop's surroundings outlive it.
std::string shared_type(Type type) {
  type.owned = false;
  return cpp_type(type);
}

std::string_view joining(Reduction::Kind kind) {
  switch (kind) {
    case Reduction::Kind::kSum: return "add";
    case Reduction::Kind::kProduct: return "multiply";
    case Reduction::Kind::kLeast: return "smaller";
    case Reduction::Kind::kGreatest: return "greater";
  }
  return "";
}

}  // namespace

std::string FunctionWriter::head(const Function& function) {
  std::string parameters;
  for (int i = 0; i < function.parameters + function.outputs; ++i) {
    parameters += fmt::format("{}{}{} v{}", i ? ", " : "",
                              cpp_type(function.variables[static_cast<size_t>(i)].type),
                              i < function.parameters ? "" : "&", i);
  }
  return fmt::format("GPY_FUNCTION {} {}({})", cpp_type(function.result), function.symbol,
                     parameters);
}

void FunctionWriter::write() {
  for (size_t i = 0; i < function_.storages.size(); ++i) constant(i, function_.storages[i]);
  out_.open("{} {{", head(function_));
  for (size_t i = static_cast<size_t>(function_.parameters + function_.outputs);
       i < function_.variables.size(); ++i) {
    out_.line("{} v{} = {{}};", cpp_type(function_.variables[i].type), i);
  }
  for (size_t i = 0; i < function_.storages.size(); ++i) storage(i, function_.storages[i]);
  block(function_.body);
  if (!function_.result.is_none()) out_.line("return {{}};");
  out_.close();
}

// The bytes of a constant array are words, whatever its elements are.
void FunctionWriter::constant(size_t index, const Storage& storage) {
  if (storage.kind == Storage::Kind::kDynamic)
    return out_.line("extern __shared__ u64 gpy_dynamic_shared[];");
  if (storage.kind != Storage::Kind::kConstant) return;
  std::string words;
  for (size_t at = 0; at < storage.bytes.size() || at == 0; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, storage.bytes.data() + at, std::min<size_t>(8, storage.bytes.size() - at));
    words += fmt::format("{:#x}ull, ", word);
  }
  out_.line("__constant__ u64 {}[] = {{{}}};", expressions_.storage_name(index), words);
}

void FunctionWriter::storage(size_t index, const Storage& storage) {
  const bool shared = storage.kind == Storage::Kind::kShared;
  if (!shared && storage.kind != Storage::Kind::kLocal) return;
  out_.line("{}alignas(16) {} {}[{}];", shared ? "__shared__ " : "",
            cpp_memory_type_name(storage.dtype), expressions_.storage_name(index),
            std::max<int64_t>(storage.count, 1));
  if (shared && checked_)
    out_.line("_gpy_declare({}, {});", expressions_.storage_name(index),
              expressions_.name_number(name_of(index)));
}

// The variable that a storage is assigned to.
std::string FunctionWriter::name_of(size_t storage) const {
  std::string name = "memory";
  each_statement(function_.body, [&](const Statement& each) {
    const bool assigns =
        each.kind == Statement::Kind::kAssign && each.values[0].kind == Expression::Kind::kMemory;
    if (assigns && each.values[0].index == static_cast<int>(storage))
      name = function_.variables[static_cast<size_t>(each.variable)].name;
  });
  return name;
}

void FunctionWriter::block(const std::vector<Statement>& statements) {
  for (const Statement& each : statements) statement(each);
}

void FunctionWriter::place(int line) {
  if (line <= 0 || function_.file.empty()) return;
  std::string file;
  for (const char c : function_.file)
    file += (c == '\\' || c == '"') ? fmt::format("\\{}", c) : std::string(1, c);
  out_.raw(fmt::format("#line {} \"{}\"\n", line, file));
}

// What fails without a line of its own has failed at this one.
void FunctionWriter::note_line(const Statement& node) {
  if (std::ranges::any_of(node.values, may_fail)) out_.line("call_frame->line = {};", node.line);
}

void FunctionWriter::statement(const Statement& node) {
  place(node.line);
  note_line(node);
  switch (node.kind) {
    case Statement::Kind::kAssign:
      return out_.line("v{} = {};", node.variable, text(node.values[0]));
    case Statement::Kind::kStore:
      return out_.line("{} = {};", place_text(node.values[0]), text(node.values[1]));
    case Statement::Kind::kIf: return branch(node);
    case Statement::Kind::kWhile:
      out_.open("while ({}) {{", text(node.values[0]));
      block(node.body);
      return out_.close();
    case Statement::Kind::kRange: return any_range(node);
    case Statement::Kind::kBreak: return out_.line("break;");
    case Statement::Kind::kContinue: return out_.line("continue;");
    case Statement::Kind::kReturn:
      if (node.values.empty()) return out_.line("return;");
      return out_.line("return {};", text(node.values[0]));
    case Statement::Kind::kEvaluate: return out_.line("{};", text(node.values[0]));
  }
}

void FunctionWriter::branch(const Statement& node) {
  if (const auto selection = try_selection(function_, node, one_thread_ && !in_parallel_))
    return statement(*selection);
  out_.open("if ({}) {{", text(node.values[0]));
  block(node.body);
  if (!node.otherwise.empty()) {
    out_.turn("} else {");
    block(node.otherwise);
  }
  out_.close();
}

void FunctionWriter::any_range(const Statement& node) {
  const bool may_share = node.parallel && !in_parallel_;
  const auto plan = may_share ? plan_parallel(function_, node) : std::nullopt;
  return plan ? parallel_range(node, *plan) : range(node);
}

std::string FunctionWriter::first_value(const Reduction& reduction) const {
  const std::string type = cpp_type(variable_type(reduction.variable));
  if (reduction.kind == Reduction::Kind::kSum) return type + "(0)";
  if (reduction.kind == Reduction::Kind::kProduct) return type + "(1)";
  return fmt::format("p{}", reduction.variable);
}

void FunctionWriter::parallel_range(const Statement& node, const ParallelPlan& plan) {
  const int depth = loops_++;
  in_parallel_ = true;
  out_.open("{{");
  out_.line(
      "const i64 first{0} = {1}, step{0} = {3}, rounds{0} = range_count(first{0}, {2}, "
      "step{0}), parts{0} = part_count(rounds{0});",
      depth, text(node.values[0]), text(node.values[1]), text(node.values[2]));
  for (const int each : plan.shared)
    out_.line("const {} p{} = v{};", shared_type(variable_type(each)), each, each);
  for (const Reduction& each : plan.reductions)
    out_.line("{0} p{1} = v{1}, partial{1}[kMostParts]; {0}* const all{1} = partial{1};",
              cpp_type(variable_type(each.variable)), each.variable);
  part(node, plan, depth);
  out_.line("run_parallel(part{0}, rounds{0}, parts{0});", depth);
  for (const Reduction& each : plan.reductions)
    out_.line("for (i64 k = 0; k < parts{0}; ++k) v{1} = {2}(v{1}, partial{1}[k]);", depth,
              each.variable, joining(each.kind));
  out_.close();
  in_parallel_ = false;
}

// The rounds [low, high) with variables of their own.
void FunctionWriter::part(const Statement& node, const ParallelPlan& plan, int depth) {
  out_.open("auto part{} = [=](i64 low, i64 high, i64 number) {{", depth);
  for (const int each : plan.shared)
    out_.line("const {} v{} = p{};", shared_type(variable_type(each)), each, each);
  for (const int each : plan.own) out_.line("{} v{} = {{}};", cpp_type(variable_type(each)), each);
  for (const Reduction& each : plan.reductions)
    out_.line("{} v{} = {};", cpp_type(variable_type(each.variable)), each.variable,
              first_value(each));
  out_.open("for (i64 round = low; round < high; ++round) {{");
  out_.line("v{} = {}(range_item(first{}, step{}, round));", node.variable,
            cpp_type(variable_type(node.variable)), depth, depth);
  block(node.body);
  out_.close();
  for (const Reduction& each : plan.reductions) out_.line("all{0}[number] = v{0};", each.variable);
  out_.line("(void)number;");
  out_.close("};");
}

// The number of rounds is known before the first, as Python's range knows it, and the variable
// keeps its last value.
void FunctionWriter::range(const Statement& node) {
  const int depth = loops_++;
  const Expression& step = node.values[2];
  out_.line("const i64 first{0} = {1}, end{0} = {2};", depth, text(node.values[0]),
            text(node.values[1]));
  const bool by_one = step.kind == Expression::Kind::kNumber && step.number.as_int() == 1;
  if (by_one && one_thread_ && !in_parallel_ && !node.unroll) {
    if (const auto plan = plan_strips(function_, node)) return strips(node, *plan, depth);
  }
  if (!by_one)
    out_.line("const i64 step{0} = {1}, rounds{0} = range_count(first{0}, end{0}, step{0});", depth,
              text(step));
  if (node.unroll) out_.line("GPY_UNROLL({})", node.unroll);
  if (by_one) {
    out_.open("for (i64 at{0} = first{0}; at{0} < end{0}; ++at{0}) {{", depth);
  } else {
    out_.open(
        "for (i64 round{0} = 0, at{0} = first{0}; round{0} < rounds{0}; ++round{0}, "
        "at{0} = next_of_range(at{0}, step{0})) {{",
        depth);
  }
  out_.line("v{} = {}(at{});", node.variable, cpp_type(variable_type(node.variable)), depth);
  block(node.body);
  out_.close();
}

}  // namespace gpy::rt::typed
