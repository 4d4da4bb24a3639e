#include "runtime/cpu/blas.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/cpu/instruction_set.h"

namespace gpy::rt {

void choose_openblas_core_type() {
  if (instruction_set() == InstructionSet::kAvx512) setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
}

namespace {

using Int = int;  // Fortran's default integer

std::string executable_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::string whole(path, length > 0 ? static_cast<size_t>(length) : 0);
  return whole.substr(0, whole.rfind('/') + 1);
}

// Beside the program first, so that one can be carried along with it.
void* open_library() {
  const std::string folder = executable_folder();
  for (const std::string& name : {folder + "lib/libopenblas.so.0", folder + "libopenblas.so.0", std::string("libopenblas.so.0"),
                                  std::string("libopenblas.so"), std::string("liblapack.so.3")}) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <class T>
struct Prefix;
template <>
struct Prefix<float> { static constexpr char letter = 's'; using Real = float; };
template <>
struct Prefix<double> { static constexpr char letter = 'd'; using Real = double; };
template <>
struct Prefix<std::complex<float>> { static constexpr char letter = 'c'; using Real = float; };
template <>
struct Prefix<std::complex<double>> { static constexpr char letter = 'z'; using Real = double; };

template <class T>
constexpr bool kComplexType = !std::is_same_v<T, typename Prefix<T>::Real>;

class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}
  // "gesv" of type T: dgesv_.
  template <class T>
  void* find(const char* name) const {
    return found(std::string(1, Prefix<T>::letter) + name + "_");
  }

 private:
  void* found(const std::string& symbol) const {
    void* function = dlsym(library_, symbol.c_str());
    if (!function) fail(ErrorKind::kNotImplemented, "the linear algebra library has no {}", symbol);
    return function;
  }
  void* library_;
};

// Fortran takes everything by address.
template <class... A>
void call(void* function, A... arguments) {
  reinterpret_cast<void (*)(A...)>(function)(arguments...);
}

template <class T>
void gemm_once(const Symbols& symbols, const MatrixView& a, const MatrixView& b, const MatrixView& c) {
  // Row-major c = a b is column-major c' = b' a'.
  const T one = 1, zero = 0;
  const char transpose_b = b.col_stride == 1 ? 'N' : 'T', transpose_a = a.col_stride == 1 ? 'N' : 'T';
  const Int m = static_cast<Int>(c.cols), n = static_cast<Int>(c.rows), k = static_cast<Int>(a.cols);
  const auto leading = [](const MatrixView& x) {
    return static_cast<Int>(std::max<int64_t>({x.col_stride == 1 ? x.row_stride : x.col_stride, 1, x.col_stride == 1 ? x.cols : x.rows}));
  };
  const Int ldb = leading(b), lda = leading(a), ldc = static_cast<Int>(std::max<int64_t>(c.row_stride, c.cols));
  call(symbols.find<T>("gemm"), &transpose_b, &transpose_a, &m, &n, &k, &one, static_cast<const T*>(b.data), &ldb,
       static_cast<const T*>(a.data), &lda, &zero, static_cast<T*>(c.data), &ldc);
}

MatrixView moved(const MatrixView& view, int64_t bytes) {
  MatrixView out = view;
  out.data = static_cast<std::byte*>(view.data) + bytes;
  return out;
}

template <class T>
std::vector<T> workspace(T wanted) {
  return std::vector<T>(static_cast<size_t>(std::max(1.0, std::abs(std::real(std::complex<double>(wanted))))));
}

template <class T>
void qr_once(const Symbols& symbols, Int m, Int n, Int k, T* a, T* r) {
  const Int short_side = std::min(m, n), lda = std::max(m, 1), query = -1;
  std::vector<T> tau(std::max(short_side, 1));
  Int info = 0;
  T wanted = 0;
  void* factor = symbols.find<T>("geqrf");
  call(factor, &m, &n, a, &lda, tau.data(), &wanted, &query, &info);
  std::vector<T> work = workspace(wanted);
  Int length = static_cast<Int>(work.size());
  call(factor, &m, &n, a, &lda, tau.data(), work.data(), &length, &info);
  for (Int col = 0; col < n; ++col) {
    for (Int row = 0; row < k; ++row) r[col * k + row] = row <= col ? a[col * lda + row] : T(0);
  }
  void* make_q = symbols.find<T>(kComplexType<T> ? "ungqr" : "orgqr");
  call(make_q, &m, &k, &short_side, a, &lda, tau.data(), &wanted, &query, &info);
  work = workspace(wanted);
  length = static_cast<Int>(work.size());
  call(make_q, &m, &k, &short_side, a, &lda, tau.data(), work.data(), &length, &info);
}

template <class T>
Int svd_once(const Symbols& symbols, Int m, Int n, bool full, T* a, typename Prefix<T>::Real* s, T* u, T* vt) {
  using Real = typename Prefix<T>::Real;
  const Int k = std::min(m, n), query = -1;
  const char job = !u ? 'N' : full ? 'A' : 'S';
  const Int lda = std::max(m, 1), ldu = std::max(m, 1), ldvt = std::max(full ? n : k, 1);
  std::vector<Int> integers(8 * static_cast<size_t>(std::max(k, 1)));
  // LAPACK's bound for the complex routine's real workspace.
  const size_t real_size = static_cast<size_t>(k) * std::max(5 * k + 7, 2 * std::max(m, n) + 2 * k + 1) + 1;
  std::vector<Real> reals(kComplexType<T> ? real_size : 1);
  T wanted = 0, none = 0;
  T* const to_u = u ? u : &none;
  T* const to_vt = vt ? vt : &none;
  Int info = 0;
  void* decompose = symbols.find<T>("gesdd");
  auto run = [&](T* work, const Int* length) {
    if constexpr (kComplexType<T>) {
      call(decompose, &job, &m, &n, a, &lda, s, to_u, &ldu, to_vt, &ldvt, work, length, reals.data(), integers.data(), &info);
    } else {
      call(decompose, &job, &m, &n, a, &lda, s, to_u, &ldu, to_vt, &ldvt, work, length, integers.data(), &info);
    }
  };
  run(&wanted, &query);
  std::vector<T> work = workspace(wanted);
  const Int length = static_cast<Int>(work.size());
  run(work.data(), &length);
  return info;
}

template <class F>
void with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kFloat32: return f(float());
    case DType::kFloat64: return f(double());
    case DType::kComplex64: return f(std::complex<float>());
    case DType::kComplex128: return f(std::complex<double>());
    default: fail(ErrorKind::kType, "array type {} is unsupported in linalg", name(dtype));
  }
}

class HostLinalg final : public Linalg {
 public:
  HostLinalg() : library_(open_library()), symbols_(library_) {}

  bool available(const char** why) override {
    *why = "OpenBLAS was not found (install libopenblas0)";
    return library_ != nullptr;
  }
  bool supports_gemm(DType dtype) override {
    return library_ && is_inexact(dtype) && dtype != DType::kFloat16;
  }
  void gemm(DType dtype, const MatrixView& a, const MatrixView& b, const MatrixView& c, int64_t batch, int64_t a_step,
            int64_t b_step, int64_t c_step) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      constexpr int64_t item = sizeof(T);
      for (int64_t i = 0; i < batch; ++i) {
        gemm_once<T>(symbols_, moved(a, i * a_step * item), moved(b, i * b_step * item), moved(c, i * c_step * item));
      }
    });
  }
  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step, bool conjugate,
           void* result) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
      T sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        const T left = a[i * x_step];
        if constexpr (kComplexType<T>) {
          sum += (conjugate ? std::conj(left) : left) * b[i * y_step];
        } else {
          sum += left * b[i * y_step];
        }
      }
      *static_cast<T*>(result) = sum;
    });
  }
  void solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch, int* info) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      const Int order = static_cast<Int>(n), columns = static_cast<Int>(nrhs), leading = std::max(order, 1);
      std::vector<Int> pivots(std::max<int64_t>(n, 1));
      for (int64_t i = 0; i < batch; ++i) {
        call(symbols_.find<T>("gesv"), &order, &columns, static_cast<T*>(a) + i * n * n, &leading, pivots.data(),
             static_cast<T*>(b) + i * n * nrhs, &leading, &info[i]);
      }
    });
  }
  void lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch, int* info) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      const Int order = static_cast<Int>(n), leading = std::max(order, 1);
      for (int64_t i = 0; i < batch; ++i) {
        call(symbols_.find<T>("getrf"), &order, &order, static_cast<T*>(a) + i * n * n, &leading, pivots + i * n, &info[i]);
      }
    });
  }
  void qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r, int64_t batch) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = 0; i < batch; ++i) {
        qr_once<T>(symbols_, static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k),
                   static_cast<T*>(a) + i * m * std::max(n, k), static_cast<T*>(r) + i * k * n);
      }
    });
  }
  void svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u, void* vt, int64_t batch, int* info) override {
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      using Real = typename Prefix<T>::Real;
      const int64_t k = std::min(m, n);
      for (int64_t i = 0; i < batch; ++i) {
        T* own_u = u ? static_cast<T*>(u) + i * m * (full ? m : k) : nullptr;
        T* own_vt = vt ? static_cast<T*>(vt) + i * (full ? n : k) * n : nullptr;
        info[i] = svd_once<T>(symbols_, static_cast<Int>(m), static_cast<Int>(n), full, static_cast<T*>(a) + i * m * n,
                              static_cast<Real*>(s) + i * k, own_u, own_vt);
      }
    });
  }

 private:
  void* library_;
  Symbols symbols_;
};

}  // namespace

std::unique_ptr<Linalg> make_host_linalg() { return std::make_unique<HostLinalg>(); }

}  // namespace gpy::rt
