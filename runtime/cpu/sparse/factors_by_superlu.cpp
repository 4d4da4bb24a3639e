#include <slu_ddefs.h>
#include <slu_zdefs.h>

#include <algorithm>
#include <complex>
#include <string>

#include "runtime/core/error.h"
#include "runtime/core/system_library.h"
#include "runtime/cpu/sparse/factors.h"
#include "runtime/cpu/sparse/rows.h"
#include "runtime/cpu/sparse/structural_rank.h"

namespace gpy::rt {
namespace {

// clang-format off
#define GPY_SUPERLU(X)                                                                      \
  X(set_default_options) X(ilu_set_default_options) X(get_perm_c) X(sp_preorder) X(sp_ienv) \
  X(StatInit) X(StatFree) X(Destroy_SuperMatrix_Store) X(Destroy_CompCol_Permuted)          \
  X(Destroy_SuperNode_Matrix) X(Destroy_CompCol_Matrix) X(dCreate_CompCol_Matrix)           \
  X(zCreate_CompCol_Matrix) X(dgstrf) X(zgstrf) X(dgsitrf) X(zgsitrf)
// clang-format on

// SuperLU as built with these headers, opened at the first use, so that one program runs where it
// is missing too.
class Library : SystemLibrary {
 public:
  static const Library& get() {
    static const Library library;
    if (library.is_whole()) return library;
    throw Error(ErrorKind::kNotImplemented,
                "sparse factors: " + kName + " is not there (Debian's package libsuperlu5)");
  }

#define GPY_SUPERLU_MEMBER(name) decltype(&::name) name;
  GPY_SUPERLU(GPY_SUPERLU_MEMBER)
#undef GPY_SUPERLU_MEMBER

 private:
  Library() : SystemLibrary(kName) {
#define GPY_SUPERLU_FIND(function) find(#function, function);
    GPY_SUPERLU(GPY_SUPERLU_FIND)
#undef GPY_SUPERLU_FIND
  }

  inline static const std::string kName = "libsuperlu.so." + std::to_string(SUPERLU_MAJOR_VERSION);
};
#undef GPY_SUPERLU

template <class T> struct Routines;
template <> struct Routines<double> {
  static constexpr Dtype_t kType = SLU_D;
  static auto make() { return Library::get().dCreate_CompCol_Matrix; }
  static auto factorise(bool incomplete) {
    return incomplete ? Library::get().dgsitrf : Library::get().dgstrf;
  }
  using Element = double;
};
template <> struct Routines<std::complex<double>> {
  static constexpr Dtype_t kType = SLU_Z;
  static auto make() { return Library::get().zCreate_CompCol_Matrix; }
  static auto factorise(bool incomplete) {
    return incomplete ? Library::get().zgsitrf : Library::get().zgstrf;
  }
  using Element = doublecomplex;
};

// A matrix of the library's, and what frees it.
struct Matrix : SuperMatrix {
  explicit Matrix(void (*destroy)(SuperMatrix*)) : SuperMatrix{}, destroy_(destroy) {}
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() {
    if (Store) destroy_(this);
  }

 private:
  void (*destroy_)(SuperMatrix*);
};

struct Statistics : SuperLUStat_t {
  Statistics() : SuperLUStat_t{} { Library::get().StatInit(this); }
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;
  ~Statistics() { Library::get().StatFree(this); }
};

template <class T> struct Entries {
  SparseFactors::Part part{{0}, {}, {}};

  void add(int32_t row, T value) {
    if (value == T()) return;
    part.indices.push_back(row);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    part.data.insert(part.data.end(), bytes, bytes + sizeof(T));
  }
  void end_column() { part.indptr.push_back(static_cast<int32_t>(part.indices.size())); }
};

// The library keeps columns of one shape as a dense block: the first rows of it are U's. The rest
// of U is by columns.
template <class T> void read(const SuperMatrix& l, const SuperMatrix& u, SparseFactors& factors) {
  const auto& blocks = *static_cast<const SCformat*>(l.Store);
  const auto& columns = *static_cast<const NCformat*>(u.Store);
  const T* block_values = static_cast<const T*>(blocks.nzval);
  const T* column_values = static_cast<const T*>(columns.nzval);
  Entries<T> lower, upper;
  for (int block = 0; block <= blocks.nsuper; ++block) {
    const int first = blocks.sup_to_col[block];
    const int* rows = blocks.rowind + blocks.rowind_colptr[first];
    const int height = blocks.rowind_colptr[first + 1] - blocks.rowind_colptr[first];
    for (int column = first; column < blocks.sup_to_col[block + 1]; ++column) {
      const T* values = block_values + blocks.nzval_colptr[column];
      const int diagonal = column - first;
      for (int i = columns.colptr[column]; i < columns.colptr[column + 1]; ++i) {
        upper.add(columns.rowind[i], column_values[i]);
      }
      for (int i = 0; i <= diagonal && i < height; ++i) upper.add(rows[i], values[i]);
      lower.add(rows[diagonal], T(1));
      for (int i = diagonal + 1; i < height; ++i) lower.add(rows[i], values[i]);
      lower.end_column();
      upper.end_column();
    }
  }
  factors.stored = int64_t{blocks.nnz} + columns.nnz;
  factors.lower = std::move(lower.part);
  factors.upper = std::move(upper.part);
}

superlu_options_t library_options(const FactorOptions& options) {
  superlu_options_t made;
  if (options.drop_rule) {
    Library::get().ilu_set_default_options(&made);
    made.ILU_DropRule = options.drop_rule;
    made.ILU_DropTol = options.drop_tolerance;
    made.ILU_FillFactor = options.fill_factor;
  } else {
    Library::get().set_default_options(&made);
  }
  made.ColPerm = static_cast<colperm_t>(options.order);
  made.DiagPivotThresh = options.threshold;
  made.SymmetricMode = options.symmetric ? YES : NO;
  return made;
}

template <class T>
std::optional<SparseFactors> factorise(const SparseRows& matrix, const FactorOptions& given) {
  using Of = Routines<T>;
  const Library& library = Library::get();
  const auto size = static_cast<int>(matrix.rows);
  if (size == 0) return SparseFactors{{{0}, {}, {}}, {{0}, {}, {}}, {}, {}, 0};
  const auto* starts = static_cast<const int32_t*>(matrix.indptr);
  const auto* places = static_cast<const int32_t*>(matrix.indices);
  const auto* values = static_cast<const typename Of::Element*>(matrix.data);
  // The library writes outside its arrays where a column is left without a row for its pivot.
  if (!RowsOfColumns(size, starts, places).has_full_rank()) return std::nullopt;
  // The library takes them as its own to write.
  std::vector<int> indptr(starts, starts + size + 1), indices(places, places + matrix.entries);
  std::vector<typename Of::Element> data(values, values + matrix.entries);
  superlu_options_t options = library_options(given);
  Matrix a(library.Destroy_SuperMatrix_Store), ordered(library.Destroy_CompCol_Permuted);
  Matrix l(library.Destroy_SuperNode_Matrix), u(library.Destroy_CompCol_Matrix);
  Of::make()(&a, size, size, static_cast<int>(matrix.entries), data.data(), indices.data(),
             indptr.data(), SLU_NC, Of::kType, SLU_GE);
  SparseFactors factors;
  factors.rows.resize(size);
  factors.columns.resize(size);
  std::vector<int> tree(size);
  library.get_perm_c(options.ColPerm, &a, factors.columns.data());
  library.sp_preorder(&options, &a, factors.columns.data(), tree.data(), &ordered);
  Statistics statistics;
  GlobalLU_t memory{};
  int info = 0;
  Of::factorise(given.drop_rule != 0)(
      &options, &ordered, given.relax ? given.relax : library.sp_ienv(2),
      given.panel ? given.panel : library.sp_ienv(1), tree.data(), nullptr, 0,
      factors.columns.data(), factors.rows.data(), &l, &u, &memory, &statistics, &info);
  if (info > size) throw Error(ErrorKind::kMemory, "sparse factors: out of memory");
  if (info != 0) return std::nullopt;
  read<T>(l, u, factors);
  return factors;
}

void check(const SparseRows& matrix) {
  const bool known = matrix.index == DType::kInt32 && matrix.rows == matrix.columns &&
                     (matrix.dtype == DType::kFloat64 || matrix.dtype == DType::kComplex128);
  if (!known) throw Error(ErrorKind::kValue, "sparse factors: no such matrix");
  const Rows<uint64_t, int32_t> rows(matrix);
  check_total(rows);
  for (int64_t i = 0; i < matrix.entries; ++i) {
    const int32_t row = static_cast<const int32_t*>(matrix.indices)[i];
    if (row < 0 || row >= matrix.rows) {
      throw Error(ErrorKind::kValue, "sparse matrix: an entry lies outside the matrix");
    }
  }
}

}  // namespace

std::optional<SparseFactors> factorise_on_host(const SparseRows& by_columns,
                                               const FactorOptions& options) {
  check(by_columns);
  if (by_columns.dtype == DType::kFloat64) return factorise<double>(by_columns, options);
  return factorise<std::complex<double>>(by_columns, options);
}

}  // namespace gpy::rt
