// What makes and walks indices: ix_, the indices of triangles, ndindex, ndenumerate, s_.
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

// --- s_ and index_exp ----------------------------------------------------------------------------

struct IndexExpression : Object {
  static constexpr Layout kLayout = kIndexExpressionLayout;
  IndexExpression(Type* type, bool always_tuple) : Object(type), always_tuple(always_tuple) {}
  bool always_tuple;
};

Value expression_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (!self.as<IndexExpression>()->always_tuple || key.is<Tuple>()) return key;
  return vm.tuple({key});
}

// --- ndindex and ndenumerate ---------------------------------------------------------------------

struct IndexIterator : Object {
  static constexpr Layout kLayout = kIndexIteratorLayout;
  IndexIterator(Type* type, rt::Dims shape, Value array)
      : Object(type), shape(shape), count(rt::element_count(shape)), array(std::move(array)) {}
  rt::Dims shape;
  int64_t count, next = 0;
  Value array;  // undefined: the indices alone
};

Value itself(Interpreter&, const Value& self) { return self; }

Value next_index(Interpreter& vm, const Value& self) {
  auto* iterator = self.as<IndexIterator>();
  if (iterator->next >= iterator->count) return Value();
  rt::Dims at(iterator->shape.size(), 0);
  int64_t rest = iterator->next++;
  for (int axis = iterator->shape.size() - 1; axis >= 0; --axis) {
    at[axis] = rest % iterator->shape[axis];
    rest /= iterator->shape[axis];
  }
  const Value index = shape_tuple(vm, at);
  if (iterator->array.is_undefined()) return index;
  return vm.tuple({index, vm.get_item(iterator->array, index)});
}

Value make_index_iterator(Interpreter& vm, const rt::Dims& shape, Value array) {
  Type* type = kept_type(vm, "_index_iterator", [&] {
    return vm.make_type<IndexIterator>(
        {.name = "ndindex", .module = "numpy", .slots = {.iter = itself, .next = next_index}});
  });
  return vm.make<IndexIterator>(type, shape, std::move(array));
}

Value ndindex(Interpreter& vm, Args args) {
  const rt::Dims shape = dims_of_rest(vm, args[0]);
  for (int64_t extent : shape) {
    if (extent < 0) vm.raise_value_error("negative dimensions are not allowed");
  }
  return make_index_iterator(vm, shape, Value());
}

Value ndenumerate(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  return make_index_iterator(vm, array.shape(), wrap_array(vm, array));
}

// --- arrays of indices ---------------------------------------------------------------------------

Value ix(Interpreter& vm, Args args) {
  std::vector<rt::Array> rows = array_list(vm, args[0], namespace_or_numpy(args));
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].rank() != 1) vm.raise_value_error("Cross index must be 1 dimensional");
    if (rows[i].size() == 0) rows[i] = rt::astype(session(vm), rows[i], rt::DType::kInt64);
    if (rows[i].dtype() == rt::DType::kBool) rows[i] = rt::nonzero(session(vm), rows[i])[0];
    rt::Dims shape(static_cast<int>(rows.size()), 1);
    shape[static_cast<int>(i)] = rows[i].size();
    rows[i] = rt::reshape(session(vm), rows[i], shape);
  }
  return wrap_list(vm, rows, true);
}

// Where a triangle is: (n, k, m).
template <bool kLower> Value triangle_indices(Interpreter& vm, Args args) {
  const Value module = vm.import_module(namespace_or_numpy(args).name);
  const Value columns = is_given(args[2]) ? args[2] : args[0];
  Value k = vm.to_index_value(args[1]);
  if (!kLower) k = vm.binary(BinaryOp::subtract, k, Value::integer(1));
  Value below =
      vm.call_method(module, "tri", {args[0], columns, k, vm.get_attribute(module, "bool")});
  if (!kLower) below = vm.call_method(module, "logical_not", {below});
  return vm.call_method(module, "nonzero", {below});
}

// Of an array's shape: (arr, k).
template <bool kLower> Value triangle_indices_from(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  if (array.rank() != 2) vm.raise_value_error("input array must be 2-d");
  const Value module = vm.import_module(namespace_or_numpy(args).name);
  return vm.call_method(
      module, kLower ? "tril_indices" : "triu_indices",
      {Value::integer(array.shape()[0]), args[1], Value::integer(array.shape()[1])});
}

Value diag_indices(Interpreter& vm, Args args) {
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  const rt::Array index = rt::iota(session(vm), {vm.to_index(args[0])}, space);
  const auto rank = static_cast<size_t>(std::max<int64_t>(vm.to_index(args[1]), 0));
  return wrap_list(vm, std::vector<rt::Array>(rank, index), true);
}

const Native kFunctions[] = {
    {"ix_", "(*args)", ix, "Index arrays that pick rows by columns."},
    {"ndindex", "(*shape)", ndindex, "All indices of a shape, one after another."},
    {"ndenumerate", "(arr)", ndenumerate, "Pairs of index and element."},
    {"tril_indices", "(n, k=0, m=None)", triangle_indices<true>,
     "The indices on and below a diagonal."},
    {"triu_indices", "(n, k=0, m=None)", triangle_indices<false>,
     "The indices on and above a diagonal."},
    {"tril_indices_from", "(arr, k=0)", triangle_indices_from<true>,
     "The indices on and below a diagonal of an array."},
    {"triu_indices_from", "(arr, k=0)", triangle_indices_from<false>,
     "The indices on and above a diagonal of an array."},
    {"diag_indices", "(n, ndim=2)", diag_indices, "The indices of a main diagonal."},
};

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

Family index_tool_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
