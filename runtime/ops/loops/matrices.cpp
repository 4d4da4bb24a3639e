#include "runtime/ops/matrix_loops.h"

#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

// A few rows at a time share each load of b; a strip of columns stays in the first-level cache.
constexpr int64_t kRows = 4;
constexpr int64_t kStrip = 256;

template <class T> struct MatrixProduct {
  using A = typename Compute<T>::Type;

  template <int64_t rows>
  static void strip(const T* a, int64_t a_row, int64_t a_column, const T* b, int64_t b_row, T* c,
                    int64_t c_row, int64_t n, int64_t k) {
    A sums[rows][kStrip];
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < n; ++j) sums[r][j] = A(0);
    }
    for (int64_t l = 0; l < k; ++l) {
      const T* from = b + l * b_row;
      A left[rows];
      for (int64_t r = 0; r < rows; ++r) left[r] = A(load(a, r * a_row + l * a_column));
      GPY_INDEPENDENT
      for (int64_t j = 0; j < n; ++j) {
        const A right = A(load(from, j));
        for (int64_t r = 0; r < rows; ++r) sums[r][j] = add(sums[r][j], multiply(left[r], right));
      }
    }
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < n; ++j) c[r * c_row + j] = T(sums[r][j]);
    }
  }

  static void run(const void* a_data, int64_t a_row, int64_t a_column, const void* b_data,
                  int64_t b_row, void* c_data, int64_t c_row, int64_t m, int64_t n, int64_t k) {
    const T* a = static_cast<const T*>(a_data);
    const T* b = static_cast<const T*>(b_data);
    T* c = static_cast<T*>(c_data);
    for (int64_t j = 0; j < n; j += kStrip) {
      const int64_t width = n - j < kStrip ? n - j : kStrip;
      int64_t i = 0;
      for (; i + kRows <= m; i += kRows) {
        strip<kRows>(a + i * a_row, a_row, a_column, b + j, b_row, c + i * c_row + j, c_row, width,
                     k);
      }
      for (; i < m; ++i) {
        strip<1>(a + i * a_row, a_row, a_column, b + j, b_row, c + i * c_row + j, c_row, width, k);
      }
    }
  }
};

// Whether any pair is true: rows of b where a is true, or-ed by bytes.
template <> struct MatrixProduct<bool> {
  static void run(const void* a_data, int64_t a_row, int64_t a_column, const void* b_data,
                  int64_t b_row, void* c_data, int64_t c_row, int64_t m, int64_t n, int64_t k) {
    const bool* a = static_cast<const bool*>(a_data);
    const u8* b = static_cast<const u8*>(b_data);
    u8* c = static_cast<u8*>(c_data);
    for (int64_t i = 0; i < m; ++i) {
      u8* const to = c + i * c_row;
      for (int64_t j = 0; j < n; ++j) to[j] = 0;
      for (int64_t l = 0; l < k; ++l) {
        if (!load(a, i * a_row + l * a_column)) continue;
        const u8* const from = b + l * b_row;
        GPY_INDEPENDENT
        for (int64_t j = 0; j < n; ++j) to[j] = u8(to[j] | (from[j] != 0));
      }
    }
  }
};

template <size_t... indices>
constexpr std::array<MatrixLoop, sizeof...(indices)> all_products(std::index_sequence<indices...>) {
  return {MatrixProduct<typename CType<static_cast<TypeCode>(indices)>::Type>::run...};
}

}  // namespace

namespace GPY_ISA {
extern const std::array<MatrixLoop, kTypeCodes> matrix_loops;
constexpr std::array<MatrixLoop, kTypeCodes> matrix_loops =
    all_products(std::make_index_sequence<kTypeCodes>());
}  // namespace GPY_ISA
}  // namespace gpy::rt
