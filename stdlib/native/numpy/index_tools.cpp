// s_ and index_exp.
#include "stdlib/native/numpy/index_tools.h"

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct IndexExpression : Object {
  static constexpr ObjectLayout kLayout = kIndexExpressionLayout;
  IndexExpression(Type* type, bool always_tuple) : Object(type), always_tuple(always_tuple) {}
  bool always_tuple;
};

Value expression_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (!self.as<IndexExpression>()->always_tuple || key.is<Tuple>()) return key;
  return vm.tuple({key});
}

}  // namespace

Value make_index_expression(Interpreter& vm, bool always_tuple) {
  Type* type = kept_type(vm, "_index_expression", [&] {
    return vm.make_type<IndexExpression>({.name = "IndexExpression",
                                          .module = "numpy",
                                          .doc = "What stands between the brackets: s_[1:2, ...].",
                                          .slots = {.getitem = expression_getitem}});
  });
  return vm.make<IndexExpression>(type, always_tuple);
}

}  // namespace gpy::lib
