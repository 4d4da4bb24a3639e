#pragma once

// BLAS and LAPACK, opened when first needed. The first that opens is taken:
//
// - what GPY_BLAS_PATH names: a library, or a folder that has one
// - what lies beside the program, or in lib/ there
// - what scripts/setup fetched (CMake's GPY_BLAS_FOLDER)
// - the system's OpenBLAS, then its reference libraries, as the loader finds them

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Allows environment variables, set while OpenBLAS is opened, that limit it to one thread where
// there is no room for all, and tell it of AVX-512 on CPUs that it may not know. For programs only,
// before anything computes: a host's environment is its own, and its threads may be reading it.
void let_blas_use_environment();

// The files to try for OpenBLAS, in their order, where GPY_BLAS_PATH is `wish`.
std::vector<std::string> openblas_files(const std::string& wish);

class Blas {
 public:
  // The one library of the process.
  static const Blas& get();

  bool has_blas() const { return blas_ != nullptr; }
  bool has_lapack() const { return lapack_ != nullptr; }
  const std::string& path() const { return path_; }
  // "OpenBLAS 0.3.34, SkylakeX kernels"; empty where the library does not tell.
  const std::string& version() const { return version_; }
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
  bool open_openblas(const std::string& file);
  void lack_memory(int threads);
  void* symbol(DType dtype, std::string_view name) const;

  void* blas_ = nullptr;
  void* lapack_ = nullptr;
  const char* prefix_ = "";  // of the names in the BLAS library
  int (*threads_)() = nullptr;
  std::string path_;
  std::string version_;
  std::string missing_;
  bool lacks_memory_ = false;
};

}  // namespace gpy::rt
