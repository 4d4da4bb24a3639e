// The products of scipy.sparse and cupyx.scipy.sparse, whose matrices are classes in gpy.
#include "runtime/ops/sparse.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/scipy/sparse.h"

namespace gpy::lib {

namespace {

Value times_dense(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
                  const rt::Array& indptr, int64_t columns, bool transposed,
                  const rt::Array& dense) {
  return wrap_array(
      vm, rt::sparse_times_dense(session(vm), {data, indices, indptr, columns}, transposed, dense));
}

Value times_sparse(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
                   const rt::Array& indptr, const rt::Array& data2, const rt::Array& indices2,
                   const rt::Array& indptr2, int64_t columns) {
  const rt::SparseArrays made =
      rt::sparse_times_sparse(session(vm), {data, indices, indptr, indptr2.size() - 1},
                              {data2, indices2, indptr2, columns});
  return vm.tuple(
      {wrap_array(vm, made.data), wrap_array(vm, made.indices), wrap_array(vm, made.indptr)});
}

Value has_products(Interpreter& vm, const rt::Array& data) {
  return Value::boolean(rt::has_sparse_products(session(vm), data));
}

const Native kProducts[] = {
    {"_has_sparse_products", "(data, /)", typed<has_products>,
     "Whether the array's device multiplies sparse matrices itself."},
    {"_sparse_times_dense", "(data, indices, indptr, columns, transposed, dense, /)",
     typed<times_dense>, "A matrix by rows, or that one turned, times a dense one or a vector."},
    {"_sparse_times_sparse", "(data, indices, indptr, data2, indices2, indptr2, columns, /)",
     typed<times_sparse>,
     "(data, indices, indptr) of the product of two matrices by rows; `columns`: of the second."},
};

}  // namespace

std::span<const Native> sparse_products() { return kProducts; }

}  // namespace gpy::lib
