#include "src/diagnostics/chain.h"

#include <unordered_set>

#include "src/interpreter.h"

namespace gpy {

// The exception before `e`: its cause by `from`, or the one that was being handled.
static Exception* earlier_than(const Exception* e) {
  const bool by_context = e->cause.is_none() && !e->suppress_context;
  return (by_context ? e->context : e->cause).try_as<Exception>();
}

static Diagnostic::Link link_of(const Exception* e) {
  return e->cause.is_none() ? Diagnostic::context : Diagnostic::cause;
}

// Exceptions may lead to one another in a cycle.
static std::vector<Exception*> all_of(Exception* exception) {
  std::vector<Exception*> all;
  std::unordered_set<const Exception*> seen;
  for (Exception* e = exception; e && seen.insert(e).second; e = earlier_than(e)) all.push_back(e);
  return all;
}

std::vector<Chained> chain_of(Exception* exception) {
  constexpr size_t kEach = 50;  // at each end of the chain
  const std::vector<Exception*> all = all_of(exception);
  const size_t left_out = all.size() > 2 * kEach ? all.size() - 2 * kEach : 0;
  std::vector<Chained> shown;
  for (size_t i = 0; i < all.size(); ++i) {
    shown.push_back({Ref<Exception>(all[i]), link_of(all[i])});
    if (left_out == 0 || i + 1 != kEach) continue;
    shown.back().left_out = left_out;
    i += left_out;
  }
  shown.back().link = Diagnostic::none;
  return shown;
}

}  // namespace gpy
