// Products of arrays.
#include "runtime/ops/products.h"

#include "src/array/errors.h"
#include "src/array/typed_arguments.h"
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

Value trace(Interpreter& vm, const rt::Array& array, int64_t offset, int64_t axis1, int64_t axis2,
            std::optional<rt::DType> dtype, const Value& out) {
  if (dtype) warn_of_lost_parts(vm, array.dtype(), *dtype);
  return finish_unsafe(vm, rt::trace(session(vm), array, offset, axis1, axis2, dtype), out);
}

const Native kFunctions[] = {
    {"dot", "(a, b, out=None)", typed<dot>, "The dot product, or the matrix product."},
    {"vdot", "(a, b, /)", typed<product<rt::vdot>>,
     "The dot product of all elements, the first conjugated."},
    {"inner", "(a, b, /)", typed<product<rt::inner>>, "Sums over the last axes."},
    {"outer", "(a, b, out=None)", typed<product_to<rt::outer>>,
     "Every product of an element with another."},
    {"trace", "(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", typed<trace>,
     "The sum of a diagonal."},
};
const Native kMethods[] = {
    {"dot", "(self, /, b, out=None)", typed<dot>, "The dot product, or the matrix product."},
    {"trace", "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", typed<trace>,
     "The sum of a diagonal."},
};

}  // namespace

Family product_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
