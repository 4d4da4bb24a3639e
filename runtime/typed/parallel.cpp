#include "runtime/typed/parallel.h"

#include <algorithm>
#include <set>

#include "runtime/typed/walk.h"

namespace gpy::rt::typed {

namespace {

using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;

bool is_loop(const Statement& node) {
  return node.kind == StatementKind::kWhile || node.kind == StatementKind::kRange;
}

// Whether a statement leaves the loop that `list` is the body of.
bool leaves(const std::vector<Statement>& list, bool inner = false) {
  return std::ranges::any_of(list, [&](const Statement& each) {
    if (each.kind == StatementKind::kReturn) return true;
    if (each.kind == StatementKind::kBreak && !inner) return true;
    const bool below = inner || is_loop(each);
    return leaves(each.body, below) || leaves(each.otherwise, below);
  });
}

const Expression& without_casts(const Expression& node) {
  return node.kind == ExpressionKind::kCast ? without_casts(node.args[0]) : node;
}
bool is_variable(const Expression& node, int variable) {
  const Expression& bare = without_casts(node);
  return bare.kind == ExpressionKind::kVariable && bare.index == variable;
}
int count_reads(const Expression& node, int variable) {
  int count = 0;
  each_expression(node, [&](const Expression& each) {
    count += each.kind == ExpressionKind::kVariable && each.index == variable;
  });
  return count;
}

// `v = v + x`, and kin.
std::optional<Reduction::Kind> reduction_of(const Statement& node) {
  if (node.kind != StatementKind::kAssign) return std::nullopt;
  const Expression& value = without_casts(node.values[0]);
  if (value.args.size() != 2 || count_reads(value, node.variable) != 1) return std::nullopt;
  const bool first = is_variable(value.args[0], node.variable);
  const bool either = first || is_variable(value.args[1], node.variable);
  if (value.kind == ExpressionKind::kRow) {
    if (value.ufunc->is(Row::add) && either) return Reduction::Kind::kSum;
    if (value.ufunc->is(Row::subtract) && first) return Reduction::Kind::kSum;
    if (value.ufunc->is(Row::multiply) && either) return Reduction::Kind::kProduct;
  }
  if (value.kind != ExpressionKind::kSupport || !either) return std::nullopt;
  if (value.symbol == "smaller") return Reduction::Kind::kLeast;
  if (value.symbol == "greater") return Reduction::Kind::kGreatest;
  return std::nullopt;
}

// What cannot be done by several threads at once: what changes lists, prints, or is assigned to
// the whole of an array.
bool is_serial(const Expression& node) {
  if (node.type.is_list() || node.type.is_map() || node.type.is_instance()) return true;
  if (node.kind == ExpressionKind::kSupport)
    return node.symbol.starts_with("list_") || node.symbol.starts_with("print_");
  return node.kind == ExpressionKind::kElementwise && node.type.is_none() &&
         node.args[1].kind == ExpressionKind::kVariable;
}

class Planner {
 public:
  Planner(const Function& function, const Statement& loop) : function_(function), loop_(loop) {
    assigned_.insert(loop.variable);
    each_statement(loop.body, [&](const Statement& each) {
      if (each.kind == StatementKind::kAssign || each.kind == StatementKind::kRange)
        assigned_.insert(each.variable);
    });
  }

  std::optional<ParallelPlan> plan() {
    if (leaves(loop_.body) || has_serial()) return std::nullopt;
    find_reductions();
    std::set<int> known = {loop_.variable};
    if (!follow(loop_.body, known)) return std::nullopt;
    for (const int each : used_) {
      if (!assigned_.contains(each)) plan_.shared.push_back(each);
    }
    for (const int each : assigned_) {
      if (!is_reduced(each)) plan_.own.push_back(each);
    }
    return std::move(plan_);
  }

 private:
  bool has_serial() const {
    bool found = false;
    each_statement(loop_.body, [&](const Statement& statement) {
      for (const Expression& value : statement.values)
        each_expression(value, [&](const Expression& each) { found = found || is_serial(each); });
    });
    return found;
  }

  bool is_reduced(int variable) const {
    return std::ranges::any_of(plan_.reductions,
                               [&](const Reduction& each) { return each.variable == variable; });
  }

  // A variable is reduced where each statement that has it reduces it in the same way.
  void find_reductions() {
    for (const int variable : assigned_) {
      std::optional<Reduction::Kind> kind;
      bool all = true;
      each_statement(loop_.body, [&](const Statement& each) {
        int reads = each.kind == StatementKind::kRange && each.variable == variable;
        for (const Expression& value : each.values) reads += count_reads(value, variable);
        const bool assigns = each.kind == StatementKind::kAssign && each.variable == variable;
        if (reads == 0 && !assigns) return;
        const auto one = assigns ? reduction_of(each) : std::nullopt;
        all = all && one && (!kind || kind == one);
        kind = one;
      });
      const bool is_number = function_.variables[static_cast<size_t>(variable)].type.is_number();
      if (all && kind && is_number) plan_.reductions.push_back({variable, *kind});
    }
  }

  // Whether all that is read has a value of this round, or of before the loop.
  bool follow(const Expression& node, const std::set<int>& known) {
    bool fits = true;
    each_expression(node, [&](const Expression& each) {
      if (each.kind != ExpressionKind::kVariable) return;
      used_.insert(each.index);
      fits = fits && (!assigned_.contains(each.index) || known.contains(each.index) ||
                      is_reduced(each.index));
    });
    return fits;
  }
  bool follow(const std::vector<Statement>& list, std::set<int>& known) {
    return std::ranges::all_of(list, [&](const Statement& each) { return follow(each, known); });
  }
  bool follow(const Statement& node, std::set<int>& known) {
    for (const Expression& each : node.values) {
      if (!follow(each, known)) return false;
    }
    std::set<int> in_body = known, in_rest = known;
    if (node.kind == StatementKind::kRange) in_body.insert(node.variable);
    if (!follow(node.body, in_body) || !follow(node.otherwise, in_rest)) return false;
    if (node.kind == StatementKind::kAssign) known.insert(node.variable);
    if (node.kind == StatementKind::kIf)
      std::ranges::set_intersection(in_body, in_rest, std::inserter(known, known.end()));
    return true;
  }

  const Function& function_;
  const Statement& loop_;
  std::set<int> assigned_, used_;
  ParallelPlan plan_;
};

}  // namespace

std::optional<ParallelPlan> plan_parallel(const Function& function, const Statement& loop) {
  return Planner(function, loop).plan();
}

bool has_parallel_loop(const std::vector<Statement>& statements) {
  bool found = false;
  each_statement(statements, [&](const Statement& each) { found = found || each.parallel; });
  return found;
}

}  // namespace gpy::rt::typed
