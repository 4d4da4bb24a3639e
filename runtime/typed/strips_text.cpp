// The writing of loops in strips (strips.h).

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "runtime/cpp_text/names.h"
#include "runtime/typed/function_writer.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

// The longest strip whose checks are made ahead: what it reads is still near when it is run.
static constexpr int kStrip = 512;

void FunctionWriter::strips(const Statement& node, const Strips& plan, int depth) {
  out_.open("for (i64 part{0} = first{0}; part{0} < end{0};) {{", depth);
  plan.sums.empty() ? store_strip(node, plan, depth) : sum_strip(node, plan, depth);
  out_.line("part{0} = stop{0};", depth);
  out_.close();
}

void FunctionWriter::store_strip(const Statement& node, const Strips& plan, int depth) {
  out_.line("i64 stop{0} = {1};", depth,
            plan.has_checks() ? fmt::format("smaller(end{0}, part{0} + {1})", depth, kStrip)
                              : fmt::format("end{}", depth));
  out_.line("i64 strays{} = 0;", depth);
  const size_t known = expressions_.known.size();
  std::vector<KnownElement> known_here = known_elements(plan, depth);
  look_at_addresses(node, plan, depth, known_here);
  std::ranges::move(known_here, std::back_inserter(expressions_.known));
  if (plan.has_checks()) sweep(node, plan, depth);
  if (plan.has_checks()) out_.open("if (strays{} == 0) {{", depth);
  rounds(node, plan.unchecked, depth);
  if (plan.has_checks()) {
    out_.turn("} else {");
    rounds(node, node.body, depth);
    out_.close();
  }
  expressions_.known.resize(known);
}

// What must hold in the strip, looked at ahead.
void FunctionWriter::sweep(const Statement& node, const Strips& plan, int depth) {
  for (const Expression& each : plan.polls) out_.line("strays{} |= -i64(!{});", depth, text(each));
  if (plan.stays.empty()) return;
  out_.open("if (strays{} == 0) {{", depth);
  own_variables(plan);
  open_rounds(node, depth);
  block(plan.sweep);
  for (const Expression& each : plan.stays)
    out_.line("strays{} |= {} ? i64(0) : i64(-1);", depth, text(each));
  out_.close();
  out_.close();
}

void FunctionWriter::sum_strip(const Statement& node, const Strips& plan, int depth) {
  out_.line("const i64 stop{0} = smaller(end{0}, part{0} + {1});", depth, kStrip);
  for (const int each : plan.own) out_.line("const auto w{0}_{1} = v{1};", depth, each);
  out_.line("bool holds{} = true;", depth);
  for (const Expression& each : plan.polls)
    out_.line("holds{0} = holds{0} && {1};", depth, text(each));
  out_.open("if (holds{}) {{", depth);
  rounds(node, plan.unchecked, depth);
  for (const Expression& each : plan.sums)
    out_.line("holds{0} = holds{0} && {1};", depth, text(each));
  out_.close();
  out_.open("if (!holds{}) {{", depth);
  for (const int each : plan.own) out_.line("v{1} = w{0}_{1};", depth, each);
  rounds(node, node.body, depth);
  out_.close();
}

void FunctionWriter::rounds(const Statement& node, const std::vector<Statement>& body, int depth) {
  open_rounds(node, depth);
  block(body);
  out_.close();
}

void FunctionWriter::open_rounds(const Statement& node, int depth) {
  out_.open("for (i64 at{0} = part{0}; at{0} < stop{0}; ++at{0}) {{", depth);
  out_.line("v{} = {}(at{});", node.variable, cpp_type(variable_type(node.variable)), depth);
}

// What is computed ahead changes no variable of the function.
void FunctionWriter::own_variables(const Strips& plan) {
  for (const int each : plan.own) out_.line("{} v{} = {{}};", cpp_type(variable_type(each)), each);
}

std::vector<KnownElement> FunctionWriter::known_elements(const Strips& plan, int depth) {
  std::vector<KnownElement> out;
  const auto add = [&](const Expression& element, bool moves) {
    const std::string name = fmt::format("{}{}_{}", moves ? "m" : "h", depth, out.size());
    out_.line("{}{} {};", cpp_memory_type_name(element.type.dtype), moves ? "*" : "", name);
    out.push_back(
        {&element, name, moves ? fmt::format("{0}[at{1} - part{1}]", name, depth) : name});
  };
  for (const Expression& each : plan.fixed) add(each, false);
  for (const Expression& each : plan.moving) add(each, true);
  add(plan.stored, true);
  return out;
}

void FunctionWriter::look_at_addresses(const Statement& node, const Strips& plan, int depth,
                                       const std::vector<KnownElement>& known) {
  out_.open("{{");
  own_variables(plan);
  out_.line("v{} = {}(part{});", node.variable, cpp_type(variable_type(node.variable)), depth);
  block(plan.head);
  const size_t fixed = plan.fixed.size();
  for (size_t i = fixed; i < known.size(); ++i)
    out_.line("{} = &{};", known[i].name, place_text(*known[i].element));
  const std::string& stored = known.back().name;
  for (const Expression& each : plan.fixed)
    out_.line("stop{0} = strip_end({1}, &{2}, part{0}, stop{0});", depth, stored, place_text(each));
  for (size_t i = 0; i < fixed; ++i)
    out_.line("{} = {};", known[i].name, place_text(plan.fixed[i]));
  for (size_t i = fixed; plan.has_checks() && i + 1 < known.size(); ++i)
    out_.line("strays{0} |= -i64(!reads_ahead({1}, {2}, stop{0} - part{0}));", depth, stored,
              known[i].name);
  out_.close();
}

}  // namespace gpy::rt::typed
