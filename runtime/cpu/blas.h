#pragma once

// BLAS and LAPACK, opened when first needed: what lies beside the program goes before what the
// loader finds, OpenBLAS before the reference libraries.

#include <string>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// OpenBLAS takes CPUs it does not know, those with AVX-512 among them, for slower ones. This tells
// it better through its environment variable, unless that is set. For programs only, before
// OpenBLAS is opened: a host's environment is its own.
void choose_openblas_core_type();

class Blas {
 public:
  // The one library of the process.
  static const Blas& get();

  bool has_blas() const { return blas_ != nullptr; }
  bool has_lapack() const { return lapack_ != nullptr; }
  const std::string& path() const { return path_; }
  const std::string& missing() const { return missing_; }  // what is not there, and how to get it

  // A routine by its name without the type's letter: "gemm" gives dgemm_ for float64. Throws
  // kNotImplemented where the library is missing. `Function` is its type: all arguments by address.
  template <class Function> Function* routine(DType dtype, std::string_view name) const {
    return reinterpret_cast<Function*>(symbol(dtype, name));
  }

 private:
  Blas();
  void* symbol(DType dtype, std::string_view name) const;

  void* blas_ = nullptr;
  void* lapack_ = nullptr;
  std::string path_;
  std::string missing_;
};

}  // namespace gpy::rt
