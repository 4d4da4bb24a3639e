#include "src/translate/variables.h"

#include <algorithm>
#include <utility>

#include "grammar/children.h"

namespace gpy {

namespace {

struct NameCollector {
  std::vector<std::string_view> names;

  void add(std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  void operator()(const syntax::Expr& node) {
    const auto* name = syntax::try_as<syntax::Name>(&node);
    if (name && name->context == syntax::Context::Store) add(name->id);
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Stmt& node) { syntax::each_child(node, *this); }
};

}  // namespace

std::vector<std::string_view> assigned_names(syntax::StmtList body) {
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

int Variables::find(std::string_view name) const {
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
