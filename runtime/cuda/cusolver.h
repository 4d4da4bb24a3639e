#pragma once

// The part of cuSOLVER that gpy uses, for one context's streams. A routine has one symbol an
// element type ("cusolverDnSgetrf"); all of them differ in their pointers' types alone.

#include <cusolverDn.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/dtype.h"
#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

class Cusolver {
 public:
  // Throws kNotImplemented where the library is not found, or is too new for the driver.
  Cusolver(Context& context, Backend& backend);
  ~Cusolver();

  // Column-major with leading dimension = rows, one matrix. `info` is one int on the device.
  void getrf(DType dtype, int m, int n, void* a, int* pivots, int* info);
  void getrs(DType dtype, int n, int nrhs, const void* a, const int* pivots, void* b, int* info);
  void potrf(DType dtype, bool upper, int n, void* a, int* info);
  void geqrf(DType dtype, int m, int n, void* a, void* tau, int* info);
  // The first n columns of q from k reflectors.
  void orgqr(DType dtype, int m, int n, int k, void* a, const void* tau, int* info);
  // v (n x n, or n x min(m, n) if `economic`), not its adjoint.
  void gesvdj(DType dtype, bool vectors, bool economic, int m, int n, void* a, void* s, void* u,
              void* v, int* info);

  // A hermitian a becomes its eigenvectors; w: its eigenvalues, ascending.
  void syevd(DType dtype, bool vectors, bool upper, int n, void* a, void* w, int* info);
  // Eigenvalues of any matrix, complex, and right eigenvectors (v may be null) in the type of a.
  bool has_geev() const;
  void geev(DType dtype, int n, void* a, void* w, void* v, int* info);

  // Many matrices at once: `a` holds their addresses, on the device; `infos` one int each.
  void potrf_batched(DType dtype, bool upper, int n, void* const* a, int* infos, int count);
  // Many one after another, of at most kBatchedSvd rows and columns: u is m x m, v is n x n.
  static constexpr int64_t kBatchedSvd = 32;
  void gesvdj_batched(DType dtype, bool vectors, int m, int n, void* a, void* s, void* u, void* v,
                      int* infos, int count);
  // As syevd, many one after another: by Jacobi's method, or by one for somewhat larger matrices
  // that the library has since CUDA 12.6.
  void syevj_batched(DType dtype, bool vectors, bool upper, int n, void* a, void* w, int* infos,
                     int count);
  bool has_syev_batched() const;
  void syev_batched(DType dtype, bool vectors, bool upper, int n, void* a, void* w, int* infos,
                    int count);

 private:
  struct WorkSizes {
    size_t on_device = 0, on_host = 0;  // bytes
  };
  struct WorkRooms {
    void *on_device, *on_host;
  };
  void start(const std::string& path);
  void close();
  // The symbol of `routine` for a type: "cusolverDn" + its letter + routine.
  template <class Function> Function find(DType dtype, const char* routine) const;
  template <class Function> Function find(const std::string& symbol) const;
  void check(cusolverStatus_t status, const char* call) const;
  // The handle, set to the current stream.
  cusolverDnHandle_t handle();
  // Memory for a routine's work; valid until the next call.
  void* workspace(int elements, DType dtype);
  void* workspace(size_t bytes);
  WorkRooms workspace(const WorkSizes& sizes);
  // What the routines without a type's letter read of their parameters; made at first use.
  cusolverDnParams_t params();
  syevjInfo_t hermitian_jacobi();

  Context& context_;
  Backend& backend_;
  void* library_ = nullptr;
  cusolverDnHandle_t handle_ = nullptr;
  decltype(&::cusolverDnSetStream) set_stream_ = nullptr;
  std::optional<CUstream> stream_;  // that the handle is set to
  gesvdjInfo_t jacobi_ = nullptr;
  syevjInfo_t hermitian_jacobi_ = nullptr;
  cusolverDnParams_t params_ = nullptr;
  Ref<Buffer> workspace_;
  std::vector<std::byte> host_workspace_;
};

}  // namespace gpy::rt::cuda
