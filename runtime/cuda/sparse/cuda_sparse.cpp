#include "runtime/cuda/sparse/cuda_sparse.h"

#include "runtime/core/error.h"
#include "runtime/cuda/ahead/kernel_library.h"
#include "runtime/cuda/sparse/table.h"

namespace gpy::rt::cuda {
namespace {

class CudaSparse final : public Sparse {
 public:
  CudaSparse(Context& context, Backend& backend, const SparseTable& table)
      : backend_(backend), calls_(context, backend), table_(table) {}

  void times_dense(const SparseRows& matrix, bool transposed, const void* dense, int64_t width,
                   void* out) override;
  void diagonal(const SparseRows& matrix, int64_t k, void* out) override;
  int64_t count_product(const SparseRows& a, const SparseRows& b, void* indptr) override;
  void fill_product(const SparseRows& a, const SparseRows& b, const void* indptr, void* indices,
                    void* data) override;
  void turn(const SparseRows& matrix, void* indptr, void* indices, void* data) override;
  void sort(const SparseRows& matrix, void* indices, void* data) override;
  int64_t count_union(const SparseRows& a, const SparseRows& b, void* indptr) override;
  void fill_union(const SparseRows& a, const SparseRows& b, const void* indptr, void* indices,
                  void* left, void* right) override;

 private:
  ProductSize size_of_product(const SparseRows& a, const SparseRows& b);

  Backend& backend_;
  KernelCalls calls_;
  const SparseTable& table_;
};

// A turned matrix is turned first: terms are then added in the order of rows, whatever runs first.
void CudaSparse::times_dense(const SparseRows& matrix, bool transposed, const void* dense,
                             int64_t width, void* out) {
  if (!transposed) {
    return calls_.call("sparse times dense", table_.times_dense, matrix, dense, width, out);
  }
  const auto room = [&](int64_t count, DType dtype) {
    return backend_.allocate(static_cast<size_t>(count) * item_size(dtype));
  };
  const Ref<Buffer> indptr = room(matrix.columns + 1, matrix.index),
                    indices = room(matrix.entries, matrix.index),
                    data = room(matrix.entries, matrix.dtype);
  turn(matrix, indptr->data(), indices->data(), data->data());
  const SparseRows turned{.dtype = matrix.dtype,
                          .index = matrix.index,
                          .rows = matrix.columns,
                          .columns = matrix.rows,
                          .entries = matrix.entries,
                          .indptr = indptr->data(),
                          .indices = indices->data(),
                          .data = data->data()};
  times_dense(turned, false, dense, width, out);
}

void CudaSparse::diagonal(const SparseRows& matrix, int64_t k, void* out) {
  calls_.call("sparse diagonal", table_.diagonal, matrix, k, out);
}

ProductSize CudaSparse::size_of_product(const SparseRows& a, const SparseRows& b) {
  return calls_.found<ProductSize>([&](ProductSize* to) {
    calls_.call("measure sparse product", table_.measure_product, a, b, to);
  });
}

int64_t CudaSparse::count_product(const SparseRows& a, const SparseRows& b, void* indptr) {
  const ProductSize size = size_of_product(a, b);
  return calls_.found<int64_t>([&](int64_t* to) {
    calls_.call("count sparse product", table_.count_product, a, b, size, indptr, to);
  });
}

void CudaSparse::fill_product(const SparseRows& a, const SparseRows& b, const void* indptr,
                              void* indices, void* data) {
  const ProductSize size = size_of_product(a, b);
  calls_.call("fill sparse product", table_.fill_product, a, b, size, indptr, indices, data);
}

void CudaSparse::turn(const SparseRows& matrix, void* indptr, void* indices, void* data) {
  calls_.call("turn sparse", table_.turn, matrix, indptr, indices, data);
}

void CudaSparse::sort(const SparseRows& matrix, void* indices, void* data) {
  calls_.call("sort sparse", table_.sort, matrix, indices, data);
}

int64_t CudaSparse::count_union(const SparseRows& a, const SparseRows& b, void* indptr) {
  return calls_.found<int64_t>([&](int64_t* to) {
    calls_.call("count sparse union", table_.count_union, a, b, indptr, to);
  });
}

void CudaSparse::fill_union(const SparseRows& a, const SparseRows& b, const void*, void* indices,
                            void* left, void* right) {
  calls_.call("fill sparse union", table_.fill_union, a, b, indices, left, right);
}

}  // namespace

std::unique_ptr<Sparse> make_cuda_sparse(Context& context, Backend& backend) {
  const auto* table = open_kernel_table<SparseTable>(context, "gpy_cuda_sparse");
  return table ? std::make_unique<CudaSparse>(context, backend, *table) : nullptr;
}

}  // namespace gpy::rt::cuda
