#pragma once

// The children of every kind of node, for code that walks over a tree.
//
// A child is an expression or a statement directly below the node; `f` is called with it as
// `const Expr&` or `const Stmt&`. Children come in the order of the source, except that arguments
// given by position precede those given by name. Absent children are skipped. Parts that are not
// nodes give their children: a parameter its annotation and default, a clause of a comprehension
// its target, iterable and conditions, a handler its type and body.
//
// A new kind of node needs its row in `parts`; without one, this header does not compile for it.

#include <concepts>
#include <tuple>
#include <type_traits>

#include "grammar/ast.h"

namespace gpy::syntax {

// The fields that hold children or further parts.
// clang-format off
inline auto parts(const Parameter& p) { return std::tie(p.annotation, p.default_value); }
inline auto parts(const Parameters& p) {
  return std::tie(p.positional_only, p.regular, p.vararg, p.keyword_only, p.kwarg);
}
inline auto parts(const DictItem& p) { return std::tie(p.key, p.value); }
inline auto parts(const Comprehension& p) { return std::tie(p.target, p.iter, p.ifs); }
inline auto parts(const Comparison& p) { return std::tie(p.right); }
inline auto parts(const Keyword& p) { return std::tie(p.value); }
inline auto parts(const WithItem& p) { return std::tie(p.context_expr, p.optional_vars); }
inline auto parts(const ExceptHandler& p) { return std::tie(p.type, p.body); }

inline auto parts(const BoolOp& n) { return std::tie(n.values); }
inline auto parts(const NamedExpr& n) { return std::tie(n.target, n.value); }
inline auto parts(const BinOp& n) { return std::tie(n.left, n.right); }
inline auto parts(const UnaryOp& n) { return std::tie(n.operand); }
inline auto parts(const Lambda& n) { return std::tie(n.parameters, n.body); }
inline auto parts(const IfExp& n) { return std::tie(n.body, n.test, n.orelse); }
inline auto parts(const Dict& n) { return std::tie(n.items); }
inline auto parts(const Set& n) { return std::tie(n.elts); }
inline auto parts(const ListComp& n) { return std::tie(n.elt, n.generators); }
inline auto parts(const SetComp& n) { return std::tie(n.elt, n.generators); }
inline auto parts(const DictComp& n) { return std::tie(n.key, n.value, n.generators); }
inline auto parts(const GeneratorExp& n) { return std::tie(n.elt, n.generators); }
inline auto parts(const Yield& n) { return std::tie(n.value); }
inline auto parts(const YieldFrom& n) { return std::tie(n.value); }
inline auto parts(const Compare& n) { return std::tie(n.left, n.comparisons); }
inline auto parts(const Call& n) { return std::tie(n.func, n.args, n.keywords); }
inline auto parts(const FormattedValue& n) { return std::tie(n.value, n.format_spec); }
inline auto parts(const JoinedStr& n) { return std::tie(n.values); }
inline auto parts(const Constant&) { return std::tie(); }
inline auto parts(const Attribute& n) { return std::tie(n.value); }
inline auto parts(const Subscript& n) { return std::tie(n.value, n.slice); }
inline auto parts(const Starred& n) { return std::tie(n.value); }
inline auto parts(const Name&) { return std::tie(); }
inline auto parts(const List& n) { return std::tie(n.elts); }
inline auto parts(const Tuple& n) { return std::tie(n.elts); }
inline auto parts(const Slice& n) { return std::tie(n.lower, n.upper, n.step); }

inline auto parts(const FunctionDef& n) {
  return std::tie(n.decorators, n.parameters, n.returns, n.body);
}
inline auto parts(const ClassDef& n) {
  return std::tie(n.decorators, n.bases, n.keywords, n.body);
}
inline auto parts(const Return& n) { return std::tie(n.value); }
inline auto parts(const Delete& n) { return std::tie(n.targets); }
inline auto parts(const Assign& n) { return std::tie(n.targets, n.value); }
inline auto parts(const AugAssign& n) { return std::tie(n.target, n.value); }
inline auto parts(const AnnAssign& n) { return std::tie(n.target, n.annotation, n.value); }
inline auto parts(const For& n) { return std::tie(n.target, n.iter, n.body, n.orelse); }
inline auto parts(const While& n) { return std::tie(n.test, n.body, n.orelse); }
inline auto parts(const If& n) { return std::tie(n.test, n.body, n.orelse); }
inline auto parts(const With& n) { return std::tie(n.items, n.body); }
inline auto parts(const Raise& n) { return std::tie(n.exc, n.cause); }
inline auto parts(const Try& n) { return std::tie(n.body, n.handlers, n.orelse, n.finalbody); }
inline auto parts(const Assert& n) { return std::tie(n.test, n.message); }
inline auto parts(const Import&) { return std::tie(); }
inline auto parts(const ImportFrom&) { return std::tie(); }
inline auto parts(const Global&) { return std::tie(); }
inline auto parts(const Nonlocal&) { return std::tie(); }
inline auto parts(const ExprStmt& n) { return std::tie(n.value); }
inline auto parts(const Pass&) { return std::tie(); }
inline auto parts(const Break&) { return std::tie(); }
inline auto parts(const Continue&) { return std::tie(); }
inline auto parts(const KernelDef& n) { return std::tie(n.decorators, n.body); }
// clang-format on

template <class T>
concept AnyNode = std::derived_from<T, Expr> || std::derived_from<T, Stmt>;

// Calls `f` with the children in these fields until it returns true; tells whether it did.
template <class... Fields, class F> bool any_child(const std::tuple<Fields...>& fields, F&& f);

template <class Part, class F> bool any_child_in(const Part& part, F& f) {
  if constexpr (std::is_pointer_v<Part>) {
    return part && any_child_in(*part, f);
  } else if constexpr (AnyNode<Part>) {
    return f(part);
  } else if constexpr (requires { part.begin(); }) {
    for (const auto& each : part) {
      if (any_child_in(each, f)) return true;
    }
    return false;
  } else {
    return any_child(parts(part), f);
  }
}

template <class... Fields, class F> bool any_child(const std::tuple<Fields...>& fields, F&& f) {
  return std::apply([&](const auto&... each) { return (any_child_in(each, f) || ...); }, fields);
}

// Calls `f` with the node's children until it returns true; tells whether it did.
template <AnyNode Node, class F> bool any_child(const Node& node, F&& f) {
  if constexpr (std::same_as<Node, Expr> || std::same_as<Node, Stmt>) {
    return visit(node, [&](const auto& n) { return any_child(n, f); });
  } else {
    return any_child(parts(node), f);
  }
}

// Calls `f` with each of the node's children.
template <AnyNode Node, class F> void each_child(const Node& node, F&& f) {
  any_child(node, [&](const auto& child) {
    f(child);
    return false;
  });
}

}  // namespace gpy::syntax
