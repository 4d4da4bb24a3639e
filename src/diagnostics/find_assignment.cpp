#include "src/diagnostics/find_assignment.h"

#include <span>

#include "grammar/children.h"

namespace gpy {

namespace {

using namespace syntax;

bool holds(Span outer, Span inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// Goes over the statements of one function, or of the module, in their order.
class Search {
 public:
  explicit Search(const Name& place) : place_(place) {}

  void in(StmtList list) {
    for (const Stmt* each : list) in(*each);
  }
  std::vector<const Expr*> take() {
    std::vector<const Expr*> values(before_.rbegin(), before_.rend());
    values.insert(values.end(), behind_.begin(), behind_.end());
    return values;
  }

 private:
  void in(const Stmt& node) {
    visit(node, [this](const auto& n) { look(n); });
  }
  void in(const Expr&) {}
  template <class N> void below(const N& node) {
    each_child(node, [this](const auto& child) { in(child); });
  }

  void note(Span at, const Expr* value) {
    if (is_final_) return;
    (at.end <= place_.span.begin ? before_ : behind_).push_back(value);
  }
  bool is_it(const Expr* target) const {
    const auto* name = target ? try_as<Name>(target) : nullptr;
    return name && name->id == place_.id;
  }
  // Whether `a, b = ...` has the name among its targets; its own value is not searched.
  bool is_in(const Expr* target) const {
    if (is_it(target)) return true;
    const auto* tuple = target ? try_as<syntax::Tuple>(target) : nullptr;
    if (!tuple) return false;
    for (const Expr* each : tuple->elts) {
      if (is_in(each)) return true;
    }
    return false;
  }

  void look(const Assign& n) {
    for (const Expr* target : n.targets) {
      if (is_in(target)) note(n.span, is_it(target) ? n.value : nullptr);
    }
  }
  void look(const AnnAssign& n) {
    if (n.value && is_it(n.target)) note(n.span, n.value);
  }
  void look(const AugAssign& n) {
    if (is_it(n.target)) note(n.span, nullptr);
  }
  void look(const FunctionDef& n) {
    if (n.name == place_.id) note(n.name_span, nullptr);
    if (holds(n.span, place_.span)) inside(n.body);
  }
  void look(const ClassDef& n) {
    if (n.name == place_.id) note(n.name_span, nullptr);
    if (holds(n.span, place_.span)) inside(n.body);
  }
  // Names bound in a function around the place hide those further out.
  void inside(StmtList body) {
    Search inner(place_);
    inner.in(body);
    if (inner.before_.empty() && inner.behind_.empty()) return;
    before_ = std::move(inner.before_);
    behind_ = std::move(inner.behind_);
    is_final_ = true;
  }
  void look(const For& n) {
    if (is_in(n.target)) note(n.target->span, nullptr);
    below(n);
  }
  void look(const With& n) {
    for (const WithItem& each : n.items) {
      if (is_in(each.optional_vars)) note(each.optional_vars->span, nullptr);
    }
    below(n);
  }
  void look(const KernelDef&) {}
  template <class N> void look(const N& n) { below(n); }

  const Name& place_;
  bool is_final_ = false;
  std::vector<const Expr*> before_, behind_;
};

}  // namespace

std::vector<const Expr*> find_assigned(const Tree& tree, const Name& place) {
  Search search(place);
  search.in(tree.module.body);
  return search.take();
}

}  // namespace gpy
