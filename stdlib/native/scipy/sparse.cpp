// What scipy.sparse and cupyx.scipy.sparse do an entry at a time; their matrices are classes in
// gpy.
#include "runtime/graph/facts.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/sparse.h"
#include "src/array/nested.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/scipy/sparse.h"

namespace gpy::lib {

namespace {

Value times_dense(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
                  const rt::Array& indptr, int64_t columns, bool transposed,
                  const rt::Array& dense) {
  return wrap_array(
      vm, rt::sparse_times_dense(session(vm), {data, indices, indptr, columns}, transposed, dense));
}

Value diagonal(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
               const rt::Array& indptr, int64_t columns, int64_t k) {
  return wrap_array(vm, rt::sparse_diagonal(session(vm), {data, indices, indptr, columns}, k));
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

Value turned(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
             const rt::Array& indptr, int64_t columns) {
  const rt::SparseArrays made = rt::turned_sparse(session(vm), {data, indices, indptr, columns});
  return vm.tuple(
      {wrap_array(vm, made.data), wrap_array(vm, made.indices), wrap_array(vm, made.indptr)});
}

Value sorted(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
             const rt::Array& indptr, int64_t columns) {
  const rt::SparseArrays made = rt::sorted_sparse(session(vm), {data, indices, indptr, columns});
  return vm.tuple({wrap_array(vm, made.data), wrap_array(vm, made.indices)});
}

Value lie_within(Interpreter& vm, const rt::Array& indices, int64_t end) {
  return Value::boolean(rt::lie_within(session(vm), indices, end));
}

Value both(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
           const rt::Array& indptr, const rt::Array& data2, const rt::Array& indices2,
           const rt::Array& indptr2, int64_t columns) {
  const rt::SparseUnion made = rt::sparse_union(session(vm), {data, indices, indptr, columns},
                                                {data2, indices2, indptr2, columns});
  return vm.tuple({wrap_array(vm, made.left), wrap_array(vm, made.right),
                   wrap_array(vm, made.indices), wrap_array(vm, made.indptr)});
}

Value triangular(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
                 const rt::Array& indptr, bool lower, bool unit, const rt::Array& right) {
  return wrap_array(
      vm, rt::solve_sparse_triangular(session(vm), {data, indices, indptr, indptr.size() - 1},
                                      lower, unit, right));
}

Value factors(Interpreter& vm, const rt::Array& data, const rt::Array& indices,
              const rt::Array& indptr, int64_t order, double threshold, bool symmetric,
              int64_t relax, int64_t panel, int64_t drop_rule, double drop_tolerance,
              double fill_factor) {
  const auto made = rt::factorise_sparse(
      session(vm), {data, indices, indptr, indptr.size() - 1},
      {static_cast<int>(order), threshold, symmetric, static_cast<int>(relax),
       static_cast<int>(panel), static_cast<int>(drop_rule), drop_tolerance, fill_factor});
  if (!made) return Value::none();
  const auto part = [&](const rt::SparseArrays& each) {
    return vm.tuple(
        {wrap_array(vm, each.data), wrap_array(vm, each.indices), wrap_array(vm, each.indptr)});
  };
  return vm.tuple({part(made->lower), part(made->upper), wrap_array(vm, made->rows),
                   wrap_array(vm, made->columns), Value::integer(made->stored)});
}

Value numbers_of_lists(Interpreter& vm, const Value& lists, rt::DType dtype) {
  return wrap_array(vm, array_of_lists(vm, listed(vm, lists), dtype));
}

Value ends_of_lists(Interpreter& vm, const Value& lists, rt::DType dtype) {
  std::vector<Value> ends{Value::integer(0)};
  InterruptPoll poll(vm);
  for (const Value& each : listed(vm, lists)) {
    poll.step();
    ends.push_back(
        Value::integer(ends.back().as_integer() + static_cast<int64_t>(listed(vm, each).size())));
  }
  return wrap_array(vm, array_from_nested(vm, vm.list(std::move(ends)), dtype, rt::Space::host()));
}

Value is_on_host(Interpreter& vm, const rt::Array& data) {
  return Value::boolean(session(vm).backend_of(data.space()).is_host());
}

Value content(Interpreter&, const rt::Array& array) {
  return Value::integer(static_cast<int64_t>(rt::Facts(array).content()));
}

const Native kSparse[] = {
    {"_is_on_host", "(data, /)", typed<is_on_host>, "Whether the host's memory has the array."},
    {"_numbers_of_lists", "(lists, dtype, /)", typed<numbers_of_lists>,
     "The items of a list of lists, one list after the other, as an array."},
    {"_ends_of_lists", "(lists, dtype, /)", typed<ends_of_lists>,
     "Where each of the lists begins among those items, and the last one ends."},
    {"_content", "(array, /)", typed<content>,
     "A number of the array's whole content, which a write changes; 0 where none is known."},
    {"_sparse_times_dense", "(data, indices, indptr, columns, transposed, dense, /)",
     typed<times_dense>, "A matrix by rows, or that one turned, times a dense one or a vector."},
    {"_sparse_diagonal", "(data, indices, indptr, columns, k, /)", typed<diagonal>,
     "The k-th diagonal of a matrix by rows, of a dtype that is multiplied."},
    {"_sparse_times_sparse", "(data, indices, indptr, data2, indices2, indptr2, columns, /)",
     typed<times_sparse>,
     "(data, indices, indptr) of the product of two matrices by rows; `columns`: of the second."},
    {"_sparse_turned", "(data, indices, indptr, columns, /)", typed<turned>,
     "(data, indices, indptr) of a matrix by rows turned to one by columns, in order."},
    {"_sparse_sorted", "(data, indices, indptr, columns, /)", typed<sorted>,
     "(data, indices) with each row's entries in the order of columns, equal places in theirs."},
    {"_lie_within", "(indices, end, /)", typed<lie_within>,
     "Whether all ints are from 0 on and less than `end`; their bounds are remembered."},
    {"_sparse_triangular", "(data, indices, indptr, lower, unit, right, /)", typed<triangular>,
     "The solution for a triangular matrix by rows, of its dtype."},
    {"_sparse_factors",
     "(data, indices, indptr, order, threshold, symmetric, relax, panel, drop_rule, "
     "drop_tolerance, fill_factor, /)",
     typed<factors>,
     "(L, U, rows, columns, entries kept) of a square matrix by columns, or None where it is "
     "singular; a rule "
     "that is not 0 drops small entries."},
    {"_sparse_union", "(data, indices, indptr, data2, indices2, indptr2, columns, /)", typed<both>,
     "(values of the first, of the second, indices, indptr) of the places that either of two "
     "matrices by rows has, whose entries are in order, each place once; 0 where there is none."},
};

}  // namespace

std::span<const Native> sparse_products() { return kSparse; }

}  // namespace gpy::lib
