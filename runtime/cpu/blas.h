#pragma once

// BLAS and LAPACK, opened when first needed: a library beside the program comes before the
// loader's, OpenBLAS before the reference libraries.

#include <string>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Allows environment variables, set while OpenBLAS is opened, that limit it to one thread where
// there is no room for all, and tell it of AVX-512 on CPUs that it may not know. For programs only,
// before anything computes: a host's environment is its own, and its threads may be reading it.
void let_blas_use_environment();

class Blas {
 public:
  // The one library of the process.
  static const Blas& get();

  bool has_blas() const { return blas_ != nullptr; }
  bool has_lapack() const { return lapack_ != nullptr; }
  const std::string& path() const { return path_; }
  // The number of threads of a call now; 0 where the library does not tell.
  int threads() const { return threads_ ? threads_() : 0; }
  // The missing library, and how to get it. Where there was no room for OpenBLAS at its first use,
  // the process goes on without it.
  const std::string& missing() const { return missing_; }
  bool lacks_memory() const { return lacks_memory_; }
  // Throws kMemory where memory was lacking, else kNotImplemented.
  [[noreturn]] void fail_missing() const;

  // A routine by its name without the type's letter: "gemm" gives dgemm_ for float64. Throws
  // kNotImplemented where the library is missing. `Function` is its type: all arguments by address.
  template <class Function> Function* routine(DType dtype, std::string_view name) const {
    return reinterpret_cast<Function*>(symbol(dtype, name));
  }

 private:
  Blas();
  void find_libraries();
  void lack_memory(int threads);
  void* symbol(DType dtype, std::string_view name) const;

  void* blas_ = nullptr;
  void* lapack_ = nullptr;
  int (*threads_)() = nullptr;
  std::string path_;
  std::string missing_;
  bool lacks_memory_ = false;
};

}  // namespace gpy::rt
