// Products of arrays.
#include "runtime/ops/products.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

using Product = rt::Array (*)(rt::Session&, const rt::Array&, const rt::Array&);

template <Product kProduct> Value product(Interpreter& vm, const rt::Array& a, const rt::Array& b) {
  return wrap_result(vm, kProduct(session(vm), a, b));
}

template <Product kProduct>
Value product_to(Interpreter& vm, const rt::Array& a, const rt::Array& b, const Value& out) {
  return finish(vm, kProduct(session(vm), a, b), out);
}

// NumPy's dot casts nothing into `out`.
Value dot(Interpreter& vm, const rt::Array& a, const rt::Array& b, const Value& out) {
  const rt::Array result = rt::dot(session(vm), a, b);
  if (const Ndarray* target = to_out(vm, out)) {
    const rt::Array& into = target->array;
    if (into.dtype() != result.dtype() || into.rank() != result.rank() ||
        !rt::is_c_contiguous(into.layout())) {
      vm.raise_value_error(
          "output array is not acceptable (must have the right datatype, number of dimensions, and "
          "be a C-Array)");
    }
  }
  return finish(vm, result, out);
}

// The inputs are converted to the dtype asked for, not the result alone.
rt::Array matmul_input(Interpreter& vm, const rt::Array& array, int i, rt::DType dtype,
                       rt::Casting casting) {
  rt::check_cast("matmul", fmt::format("input {}", i), array.dtype(), dtype, casting);
  return rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
}

Value matmul(Interpreter& vm, rt::Array a, rt::Array b, const Value& out,
             std::optional<rt::DType> dtype, const Value& casting) {
  check_loop_dtype(dtype);
  if (dtype) {
    const rt::Casting allowed = to_casting(vm, casting, rt::Casting::kSameKind);
    a = matmul_input(vm, a, 0, *dtype, allowed);
    b = matmul_input(vm, b, 1, *dtype, allowed);
  }
  return finish(vm, rt::matmul(session(vm), a, b), out);
}

Value trace(Interpreter& vm, const rt::Array& array, int64_t offset, int64_t axis1, int64_t axis2,
            std::optional<rt::DType> dtype, const Value& out) {
  return finish(vm, rt::trace(session(vm), array, offset, axis1, axis2, dtype), out);
}

// --- others -------------------------------------------------------------------------------------

// Sums of products along an axis of stacks of vectors.
Value vecdot(Interpreter& vm, rt::Array a, rt::Array b, int64_t axis) {
  for (rt::Array* array : {&a, &b}) {
    if (array->rank() == 0) {
      vm.raise_value_error(
          "vecdot: Input operand {} does not have enough dimensions (has 0, gufunc core with "
          "signature (n),(n)->() requires 1)",
          array == &a ? 0 : 1);
    }
    const int64_t from[] = {axis}, to[] = {-1};
    *array = rt::move_axes(*array, from, to);
  }
  if (a.shape().back() != b.shape().back()) {
    vm.raise_value_error(
        "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n),(n)->() (size {} is different from {})",
        b.shape().back(), a.shape().back());
  }
  if (rt::is_complex(a.dtype())) a = ops::conjugate(vm, a);
  const rt::Array products = ops::multiply(vm, a, b);
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.dtype = products.dtype();
  const bool truth = products.dtype() == rt::DType::kBool;
  const rt::Fold fold = truth ? rt::Fold::logical_or : rt::Fold::add;
  return wrap_result(vm, rt::reduce(session(vm), fold, products, last));
}

const Native kFunctions[] = {
    {"dot", "(a, b, out=None)", typed<dot>, "The dot product, or the matrix product."},
    {"matmul", "(x1, x2, /, out=None, dtype=None, *, casting='same_kind')", typed<matmul>,
     "The matrix product; of stacks of matrices too."},
    {"vdot", "(a, b, /)", typed<product<rt::vdot>>,
     "The dot product of all elements, the first conjugated."},
    {"inner", "(a, b, /)", typed<product<rt::inner>>, "Sums over the last axes."},
    {"outer", "(a, b, out=None)", typed<product_to<rt::outer>>,
     "Every product of an element with another."},
    {"trace", "(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", typed<trace>,
     "The sum of a diagonal."},
    {"vecdot", "(x1, x2, /, *, axis=-1)", typed<vecdot>,
     "The dot products of vectors along an axis."},
};
const Native kMethods[] = {
    {"dot", "(self, b, /, out=None)", typed<dot>, "The dot product, or the matrix product."},
    {"trace", "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", typed<trace>,
     "The sum of a diagonal."},
};

}  // namespace

Family product_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
