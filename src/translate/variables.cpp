#include "src/translate/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/children.h"

namespace gpy {

namespace {

// Functions inside have names of their own, and so have comprehensions.
struct NameCollector {
  std::vector<std::string> names;
  std::string suffix;

  void add(std::string_view name) {
    std::string own = std::string(name) + suffix;
    if (std::ranges::find(names, own) == names.end()) names.push_back(std::move(own));
  }
  void operator()(const syntax::Expr& node) {
    const auto* name = syntax::try_as<syntax::Name>(&node);
    if (name && name->context == syntax::Context::Store) add(name->id);
    if (node.kind == syntax::ExprKind::Lambda) return;
    const bool is_scope = node.kind == syntax::ExprKind::ListComp;
    const std::string outer = suffix;
    if (is_scope) suffix += scope_suffix(node);
    syntax::each_child(node, *this);
    suffix = outer;
  }
  void operator()(const syntax::Stmt& node) {
    if (node.kind != syntax::StmtKind::FunctionDef) syntax::each_child(node, *this);
  }
};

struct AssignmentCounter {
  std::string_view name;
  int count = 0;

  void operator()(const syntax::Expr& node) {
    const auto* stored = syntax::try_as<syntax::Name>(&node);
    count += stored && stored->context == syntax::Context::Store && stored->id == name;
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Stmt& node) { syntax::each_child(node, *this); }
};

}  // namespace

const syntax::Expr* only_value(syntax::StmtList body, std::string_view name) {
  AssignmentCounter counter{name};
  const syntax::Expr* value = nullptr;
  for (const syntax::Stmt* each : body) {
    counter(*each);
    const auto* assign = syntax::try_as<syntax::Assign>(each);
    if (!assign || assign->targets.size() != 1) continue;
    const auto* target = syntax::try_as<syntax::Name>(assign->targets[0]);
    if (target && target->id == name) value = assign->value;
  }
  return counter.count == 1 ? value : nullptr;
}

std::string scope_suffix(const syntax::Expr& node) { return fmt::format("@{}", node.span.begin); }

bool is_of_comprehension(const std::string& name) { return name.find('@') != std::string::npos; }

std::vector<std::string> assigned_names(syntax::StmtList body) {
  NameCollector collector;
  for (const syntax::Stmt* each : body) collector(*each);
  return std::move(collector.names);
}

void Flow::meet(const Flow& other) {
  if (!other.reachable) return;
  if (!reachable) {
    *this = other;
    return;
  }
  for (size_t i = 0; i < maybe.size(); ++i) {
    maybe[i] = maybe[i] || other.maybe[i];
    surely[i] = surely[i] && other.surely[i];
  }
}

int Variables::add(std::string name, std::optional<TypedType> type, syntax::Span place,
                   bool nonnegative) {
  const int index = static_cast<int>(all_.size());
  by_name_.emplace(name, index);
  all_.push_back({std::move(name), std::move(type), place, false, nonnegative});
  return index;
}

std::string Variables::enter_scope(std::string suffix) {
  std::string outer = suffix_;
  suffix_ += suffix;
  return outer;
}

int Variables::find(std::string_view name) const {
  for (std::string suffix = suffix_; !suffix.empty(); suffix.resize(suffix.rfind('@'))) {
    const auto inner = by_name_.find(std::string(name) + suffix);
    if (inner != by_name_.end()) return inner->second;
  }
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? -1 : at->second;
}

void Variables::shrink(size_t count) {
  while (all_.size() > count) {
    by_name_.erase(all_.back().name);
    all_.pop_back();
  }
}

void Variables::may_be_negative(int variable) {
  Local& local = all_[static_cast<size_t>(variable)];
  changed_ = changed_ || local.nonnegative;
  local.nonnegative = false;
}

bool Variables::widen(Dialect dialect, int variable, const TypedType& type, syntax::Span place) {
  Local& local = all_[static_cast<size_t>(variable)];
  if (!local.type) {
    local.type = type;
    local.place = place;
    changed_ = true;
    return true;
  }
  if (local.fixed) return (local.type->is_number() && type.is_number()) || *local.type == type;
  const std::optional<TypedType> both = try_join(dialect, *local.type, type);
  if (!both) return false;
  if (*both == *local.type) return true;
  local.type = both;
  local.place = place;
  changed_ = true;
  return true;
}

}  // namespace gpy
