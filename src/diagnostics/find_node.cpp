#include "src/diagnostics/find_node.h"

namespace gpy {

namespace {

using namespace syntax;

bool same(Span a, Span b) { return a.begin == b.begin && a.end == b.end; }
bool holds(Span outer, Span inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// Goes down to the place; each node says what is below it.
class Search {
 public:
  explicit Search(Span span) : span_(span) {}

  bool in(StmtList list) {
    for (const Stmt* each : list) {
      if (in(*each)) return true;
    }
    return false;
  }
  bool in(const Expr& node) {
    if (!holds(node.span, span_)) return false;
    path_.expressions.push_back(&node);
    if (visit(node, [this](const auto& n) { return below(n); }) || same(node.span, span_)) {
      return true;
    }
    path_.expressions.pop_back();
    return false;
  }
  NodePath take() { return std::move(path_); }

 private:
  bool in(const Stmt& node) {
    const Stmt* outer = path_.statement;
    path_.statement = &node;
    if (visit(node, [this](const auto& n) { return below(n); })) return true;
    if (same(node.span, span_)) return true;
    path_.statement = outer;
    return false;
  }
  bool in(const Expr* node) { return node && in(*node); }
  bool in(ExprList list) {
    for (const Expr* each : list) {
      if (in(each)) return true;
    }
    return false;
  }
  bool in(std::span<const Keyword> list) {
    for (const Keyword& each : list) {
      if (in(each.value)) return true;
    }
    return false;
  }
  bool in(ParameterList list) {
    for (const Parameter& each : list) {
      if (in(each.annotation) || in(each.default_value)) return true;
    }
    return false;
  }
  bool in(const Parameters& p) {
    return in(p.positional_only) || in(p.regular) || in(p.keyword_only);
  }
  bool in(ComprehensionList list) {
    for (const Comprehension& each : list) {
      if (in(each.target) || in(each.iter) || in(each.ifs)) return true;
    }
    return false;
  }

  // clang-format off
  bool below(const BoolOp& n) { return in(n.values); }
  bool below(const NamedExpr& n) { return in(n.value); }
  bool below(const BinOp& n) { return in(n.left) || in(n.right); }
  bool below(const syntax::UnaryOp& n) { return in(n.operand); }
  bool below(const Lambda& n) { return in(n.parameters) || in(n.body); }
  bool below(const IfExp& n) { return in(n.test) || in(n.body) || in(n.orelse); }
  bool below(const syntax::Set& n) { return in(n.elts); }
  bool below(const ListComp& n) { return in(n.elt) || in(n.generators); }
  bool below(const SetComp& n) { return in(n.elt) || in(n.generators); }
  bool below(const DictComp& n) { return in(n.key) || in(n.value) || in(n.generators); }
  bool below(const GeneratorExp& n) { return in(n.elt) || in(n.generators); }
  bool below(const Yield& n) { return in(n.value); }
  bool below(const YieldFrom& n) { return in(n.value); }
  bool below(const Call& n) { return in(n.func) || in(n.args) || in(n.keywords); }
  bool below(const FormattedValue& n) {
    return in(n.value) || (n.format_spec && in(n.format_spec->values));
  }
  bool below(const JoinedStr& n) { return in(n.values); }
  bool below(const Constant&) { return false; }
  bool below(const Attribute& n) { return in(n.value); }
  bool below(const Subscript& n) { return in(n.value) || in(n.slice); }
  bool below(const Starred& n) { return in(n.value); }
  bool below(const Name&) { return false; }
  bool below(const syntax::List& n) { return in(n.elts); }
  bool below(const syntax::Tuple& n) { return in(n.elts); }
  bool below(const Slice& n) { return in(n.lower) || in(n.upper) || in(n.step); }
  bool below(const syntax::Dict& n) {
    for (const DictItem& each : n.items) {
      if (in(each.key) || in(each.value)) return true;
    }
    return false;
  }
  bool below(const Compare& n) {
    if (in(n.left)) return true;
    for (const Comparison& each : n.comparisons) {
      if (in(each.right)) return true;
    }
    return false;
  }

  bool below(const FunctionDef& n) {
    return in(n.decorators) || in(n.parameters) || in(n.returns) || in(n.body);
  }
  bool below(const ClassDef& n) {
    return in(n.decorators) || in(n.bases) || in(n.keywords) || in(n.body);
  }
  bool below(const Return& n) { return in(n.value); }
  bool below(const Delete& n) { return in(n.targets); }
  bool below(const Assign& n) { return in(n.value) || in(n.targets); }
  bool below(const AugAssign& n) { return in(n.value) || in(n.target); }
  bool below(const AnnAssign& n) { return in(n.value) || in(n.target) || in(n.annotation); }
  bool below(const For& n) { return in(n.iter) || in(n.target) || in(n.body) || in(n.orelse); }
  bool below(const While& n) { return in(n.test) || in(n.body) || in(n.orelse); }
  bool below(const If& n) { return in(n.test) || in(n.body) || in(n.orelse); }
  bool below(const With& n) {
    for (const WithItem& each : n.items) {
      if (in(each.context_expr) || in(each.optional_vars)) return true;
    }
    return in(n.body);
  }
  bool below(const Raise& n) { return in(n.exc) || in(n.cause); }
  bool below(const Try& n) {
    if (in(n.body)) return true;
    for (const ExceptHandler& each : n.handlers) {
      if (in(each.type) || in(each.body)) return true;
    }
    return in(n.orelse) || in(n.finalbody);
  }
  bool below(const Assert& n) { return in(n.test) || in(n.message); }
  bool below(const Import&) { return false; }
  bool below(const ImportFrom&) { return false; }
  bool below(const Global&) { return false; }
  bool below(const Nonlocal&) { return false; }
  bool below(const ExprStmt& n) { return in(n.value); }
  bool below(const Pass&) { return false; }
  bool below(const Break&) { return false; }
  bool below(const Continue&) { return false; }
  bool below(const KernelDef& n) { return in(n.decorators) || in(n.body); }
  // clang-format on

  Span span_;
  NodePath path_;
};

}  // namespace

NodePath find_node(const Tree& tree, Span span) {
  Search search(span);
  return search.in(tree.module.body) ? search.take() : NodePath{};
}

}  // namespace gpy
