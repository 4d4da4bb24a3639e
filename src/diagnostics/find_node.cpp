#include "src/diagnostics/find_node.h"

#include "grammar/children.h"

namespace gpy {

namespace {

using namespace syntax;

bool same(Span a, Span b) { return a.begin == b.begin && a.end == b.end; }
bool holds(Span outer, Span inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// Descends to the place.
class Search {
 public:
  explicit Search(Span span) : span_(span) {}

  bool in(StmtList list) {
    for (const Stmt* each : list) {
      if (in(*each)) return true;
    }
    return false;
  }
  NodePath take() { return std::move(path_); }

 private:
  bool in(const Expr& node) {
    if (!holds(node.span, span_)) return false;
    path_.expressions.push_back(&node);
    if (below(node) || same(node.span, span_)) return true;
    path_.expressions.pop_back();
    return false;
  }
  bool in(const Stmt& node) {
    const Stmt* outer = path_.statement;
    path_.statement = &node;
    if (below(node) || same(node.span, span_)) return true;
    path_.statement = outer;
    return false;
  }

  template <class Node> bool below(const Node& node) {
    return any_child(node, [this](const auto& child) { return in(child); });
  }

  Span span_;
  NodePath path_;
};

}  // namespace

NodePath find_node(const Tree& tree, Span span) {
  Search search(span);
  return search.in(tree.module.body) ? search.take() : NodePath{};
}

}  // namespace gpy
