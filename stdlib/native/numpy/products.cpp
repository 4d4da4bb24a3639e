// Products of arrays.
#include "runtime/ops/products.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Pair {
  rt::Array a, b;
};

Pair pair_of(Interpreter& vm, const Args& args) {
  return {array_argument(vm, args, 0), array_argument(vm, args, 1)};
}

using Product = rt::Array (*)(rt::Session&, const rt::Array&, const rt::Array&);

// (a, b, out)
template <Product kProduct> Value product(Interpreter& vm, Args args) {
  const Pair pair = pair_of(vm, args);
  return finish(vm, kProduct(session(vm), pair.a, pair.b), args.size() > 2 ? args[2] : Value());
}

// (x1, x2, out, ...)
// What is multiplied is of the dtype asked for, not the result alone.
rt::Array matmul_input(Interpreter& vm, const rt::Array& array, int i, rt::DType dtype,
                       rt::Casting casting) {
  rt::check_cast("matmul", fmt::format("input {}", i), array.dtype(), dtype, casting);
  return rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
}

Value matmul(Interpreter& vm, Args args) {
  Pair pair = pair_of(vm, args);
  if (auto dtype = to_optional_dtype(vm, args[3])) {
    const rt::Casting casting = to_casting(vm, args[4], rt::Casting::kSameKind);
    pair.a = matmul_input(vm, pair.a, 0, *dtype, casting);
    pair.b = matmul_input(vm, pair.b, 1, *dtype, casting);
  }
  return finish(vm, rt::matmul(session(vm), pair.a, pair.b), args[2]);
}

// (a, offset, axis1, axis2, dtype, out)
Value trace(Interpreter& vm, Args args) {
  rt::Array result =
      rt::trace(session(vm), array_argument(vm, args), vm.to_index(args[1]), vm.to_index(args[2]),
                vm.to_index(args[3]), to_optional_dtype(vm, args[4]));
  return finish(vm, std::move(result), args[5]);
}

// --- others -------------------------------------------------------------------------------------

// (x1, x2, axis): sums of products along an axis of stacks of vectors.
Value vecdot(Interpreter& vm, Args args) {
  Pair pair = pair_of(vm, args);
  const int64_t axis = vm.to_index(args[2]);
  for (rt::Array* array : {&pair.a, &pair.b}) {
    if (array->rank() == 0) {
      vm.raise_value_error(
          "vecdot: Input operand {} does not have enough dimensions (has 0, gufunc core with "
          "signature (n),(n)->() requires 1)",
          array == &pair.a ? 0 : 1);
    }
    const int64_t from[] = {axis}, to[] = {-1};
    *array = rt::move_axes(*array, from, to);
  }
  if (pair.a.shape().back() != pair.b.shape().back()) {
    vm.raise_value_error(
        "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n),(n)->() (size {} is different from {})",
        pair.b.shape().back(), pair.a.shape().back());
  }
  if (rt::is_complex(pair.a.dtype())) pair.a = ops::conjugate(vm, pair.a);
  const rt::Array products = ops::multiply(vm, pair.a, pair.b);
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.dtype = products.dtype();
  const char* fold = products.dtype() == rt::DType::kBool ? "logical_or" : "add";
  return wrap_result(vm, rt::reduce(session(vm), fold, products, last));
}

const Native kFunctions[] = {
    {"dot", "(a, b, out=None)", product<rt::dot>, "The dot product, or the matrix product."},
    {"matmul", "(x1, x2, /, out=None, dtype=None, *, casting='same_kind')", matmul,
     "The matrix product; of stacks of matrices too."},
    {"vdot", "(a, b, /)", product<rt::vdot>,
     "The dot product of all elements, the first conjugated."},
    {"inner", "(a, b, /)", product<rt::inner>, "Sums over the last axes."},
    {"outer", "(a, b, out=None)", product<rt::outer>, "Every product of an element with another."},
    {"trace", "(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", trace,
     "The sum of a diagonal."},
    {"vecdot", "(x1, x2, /, *, axis=-1)", vecdot, "The dot products of vectors along an axis."},
};
const Native kMethods[] = {
    {"dot", "(self, b, /, out=None)", product<rt::dot>, "The dot product, or the matrix product."},
    {"trace", "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", trace,
     "The sum of a diagonal."},
};

}  // namespace

Family product_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
