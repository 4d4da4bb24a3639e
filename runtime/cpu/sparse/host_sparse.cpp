#include "runtime/cpu/sparse/host_sparse.h"

#include <algorithm>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sparse/factors.h"
#include "runtime/cpu/sparse/merging.h"
#include "runtime/cpu/sparse/ordering.h"
#include "runtime/cpu/sparse/products.h"
#include "runtime/cpu/sparse/triangular.h"
#include "runtime/cpu/sparse/turning.h"

namespace gpy::rt {
namespace {

// Multiplications that are worth a second thread, and those between two polls for interrupts.
constexpr int64_t kPieceWork = 32 * 1024;
constexpr int64_t kPolledWork = 16 << 20;

class HostSparse final : public Sparse {
 public:
  explicit HostSparse(ThreadPool& threads) : threads_(threads) {}

  void times_dense(const SparseRows& matrix, bool transposed, const void* dense, int64_t width,
                   void* out) override {
    with_types(matrix, [&]<class T, class I>(T, I) {
      const T* from = static_cast<const T*>(dense);
      T* to = static_cast<T*>(out);
      using Product = Products<T, I>;
      if (transposed && width == 1) return Product::transposed_times_vector(matrix, from, to);
      if (transposed) return Product::transposed_times(matrix, from, width, to);
      run_rows(matrix, width, [&](int64_t begin, int64_t end) {
        if (width == 1) return Product::times_vector(matrix, from, to, begin, end);
        if (width == 2) return Product::template times_narrow<2>(matrix, from, to, begin, end);
        if (width == 4) return Product::template times_narrow<4>(matrix, from, to, begin, end);
        Product::times_dense(matrix, from, width, to, begin, end);
      });
    });
  }

  void diagonal(const SparseRows& matrix, int64_t k, void* out) override {
    with_types(matrix, [&]<class T, class I>(T, I) {
      const int64_t length = diagonal_length(matrix.rows, matrix.columns, k);
      run_rows(matrix, length, 1, [&](int64_t begin, int64_t end) {
        Products<T, I>::diagonal(matrix, k, static_cast<T*>(out), begin, end);
      });
    });
  }

  int64_t count_product(const SparseRows& a, const SparseRows& b, void* indptr) override {
    int64_t total = 0;
    with_types(a, [&]<class T, class I>(T, I) {
      I* ends = static_cast<I*>(indptr);
      run_with_columns(a.rows, b.columns, [&](int64_t begin, int64_t end) {
        Products<T, I>::count(a, b, ends + 1, begin, end);
      });
      total = add_counts(ends, a.rows);
    });
    return total;
  }

  void fill_product(const SparseRows& a, const SparseRows& b, const void* indptr, void* indices,
                    void* data) override {
    with_types(a, [&]<class T, class I>(T, I) {
      run_with_columns(a.rows, b.columns, [&](int64_t begin, int64_t end) {
        Products<T, I>::fill(a, b, static_cast<const I*>(indptr), static_cast<I*>(indices),
                             static_cast<T*>(data), begin, end);
      });
    });
  }

  void turn(const SparseRows& matrix, void* indptr, void* indices, void* data) override {
    with_bytes(matrix, [&]<class V, class I>(V, I) {
      Turning<V, I>(threads_, matrix)
          .run(static_cast<I*>(indptr), static_cast<I*>(indices), static_cast<V*>(data));
    });
  }

  void sort(const SparseRows& matrix, void* indices, void* data) override {
    with_bytes(matrix, [&]<class V, class I>(V, I) {
      check_total(Rows<V, I>(matrix));
      run_rows(matrix, 1, [&](int64_t begin, int64_t end) {
        Ordering<V, I>(matrix).run(static_cast<I*>(indices), static_cast<V*>(data), begin, end);
      });
    });
  }

  int64_t count_union(const SparseRows& a, const SparseRows& b, void* indptr) override {
    int64_t total = 0;
    with_bytes(a, [&]<class V, class I>(V, I) {
      I* ends = static_cast<I*>(indptr);
      const Merging<V, I> merging(a, b);
      run_rows(a, 1, [&](int64_t begin, int64_t end) { merging.count(ends + 1, begin, end); });
      total = add_counts(ends, a.rows);
    });
    return total;
  }

  void fill_union(const SparseRows& a, const SparseRows& b, const void* indptr, void* indices,
                  void* left, void* right) override {
    with_bytes(a, [&]<class V, class I>(V, I) {
      const Merging<V, I> merging(a, b);
      run_rows(a, 1, [&](int64_t begin, int64_t end) {
        merging.fill(static_cast<const I*>(indptr), static_cast<I*>(indices), static_cast<V*>(left),
                     static_cast<V*>(right), begin, end);
      });
    });
  }

 private:
  // From counts at ends[1] and on to where rows end; the last of these.
  template <class I> static int64_t add_counts(I* ends, int64_t rows) {
    int64_t total = 0;
    ends[0] = 0;
    for (int64_t row = 1; row <= rows; ++row) {
      total += ends[row];
      ends[row] = static_cast<I>(total);
    }
    return total;
  }

  template <class Body> void run_rows(const SparseRows& matrix, int64_t width, Body&& body) {
    run_rows(matrix, matrix.rows, width, body);
  }
  template <class Body>
  void run_rows(const SparseRows& matrix, int64_t rows, int64_t width, Body&& body) {
    const int64_t each = (matrix.entries / std::max<int64_t>(matrix.rows, 1) + 1) * width;
    const int64_t polled = std::max<int64_t>(kPolledWork / each, 1);
    threads_.run(rows, std::max<int64_t>(kPieceWork / each, 1), [&](int64_t begin, int64_t end) {
      for (int64_t from = begin; from < end; from += polled) {
        poll_interrupt();
        body(from, std::min(from + polled, end));
      }
    });
  }

  // Each piece has notes as long as a row of the result, so it has many rows.
  template <class Body> void run_with_columns(int64_t rows, int64_t columns, Body&& body) {
    threads_.run(rows, std::max<int64_t>(rows / (4 * threads_.threads()), columns / 16 + 64),
                 [&](int64_t begin, int64_t end) {
                   poll_interrupt();
                   body(begin, end);
                 });
  }

  ThreadPool& threads_;
};

class HostSparseSystems final : public SparseSystems {
 public:
  void solve_triangular(const SparseRows& matrix, bool lower, bool unit, int64_t width,
                        void* x) override {
    with_types(matrix, [&]<class T, class I>(T, I) {
      if constexpr (std::is_same_v<T, int64_t>) {
        throw Error(ErrorKind::kType, "sparse triangular solve: no integers");
      } else {
        solve_triangular_rows<T, I>(matrix, lower, unit, width, static_cast<T*>(x));
      }
    });
  }

  std::optional<SparseFactors> factorise(const SparseRows& by_columns,
                                         const FactorOptions& options) override {
    return factorise_on_host(by_columns, options);
  }
};

}  // namespace

std::unique_ptr<Sparse> make_host_sparse(ThreadPool& threads) {
  return std::make_unique<HostSparse>(threads);
}

std::unique_ptr<SparseSystems> make_host_sparse_systems() {
  return std::make_unique<HostSparseSystems>();
}

}  // namespace gpy::rt
