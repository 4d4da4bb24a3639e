#pragma once

// All parts of a typed form, in the order in which they stand.

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

}  // namespace gpy::rt::typed
