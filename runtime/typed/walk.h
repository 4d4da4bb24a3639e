#pragma once

// All parts of a typed form, in the order in which they stand.

#include <algorithm>
#include <vector>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

template <class F> void each_expression(const Expression& node, const F& f) {
  f(node);
  for (const Expression& each : node.args) each_expression(each, f);
}
template <class F> void each_statement(const std::vector<Statement>& list, const F& f) {
  for (const Statement& each : list) {
    f(each);
    each_statement(each.body, f);
    each_statement(each.otherwise, f);
  }
}

// Whether both are computed from the same variables in the same way.
inline bool is_same(const Expression& a, const Expression& b) {
  const bool alike = a.kind == b.kind && a.type == b.type && a.index == b.index &&
                     a.ufunc == b.ufunc && a.loop == b.loop && a.symbol == b.symbol &&
                     a.args.size() == b.args.size() && a.kind != Expression::Kind::kNumber;
  if (a.kind == Expression::Kind::kNumber && b.kind == Expression::Kind::kNumber)
    return a.type == b.type && a.number.as_complex() == b.number.as_complex();
  return alike && std::equal(a.args.begin(), a.args.end(), b.args.begin(), is_same);
}

}  // namespace gpy::rt::typed
