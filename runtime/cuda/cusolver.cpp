#include "runtime/cuda/cusolver.h"

#include <string_view>

#include "runtime/cuda/cublas.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {
namespace {

using Status = cusolverStatus_t;
using Handle = cusolverDnHandle_t;

}  // namespace

Cusolver::Cusolver(Context& context, Backend& backend) : context_(context), backend_(backend) {
  const SharedLibrary library = open_cusolver(context.driver().version());
  if (!library.handle) {
    fail(ErrorKind::kNotImplemented,
         "cuSOLVER was not found (libcusolver.so.12 or .11; install the CUDA toolkit or `pip "
         "install nvidia-cusolver`, or set GPY_CUDA_PATH)");
  }
  library_ = library.handle;
  decltype(&::cusolverDnCreateGesvdjInfo) create_jacobi;
  if (!load_symbol(library_, "cusolverDnSetStream", set_stream_) ||
      !load_symbol(library_, "cusolverDnCreateGesvdjInfo", create_jacobi)) {
    fail(ErrorKind::kNotImplemented, "{} is no cuSOLVER", library.path);
  }
  try {
    start(library.path);
    check(create_jacobi(&jacobi_), "cusolverDnCreateGesvdjInfo");
  } catch (...) {
    close();
    throw;
  }
}

void Cusolver::start(const std::string& path) {
  decltype(&::cusolverDnCreate) create;
  decltype(&::cusolverGetProperty) get_property;
  if (!load_symbol(library_, "cusolverDnCreate", create) ||
      !load_symbol(library_, "cusolverGetProperty", get_property)) {
    fail(ErrorKind::kNotImplemented, "{} is no cuSOLVER", path);
  }
  const Status status = create(&handle_);
  int major = 0;
  if (status == CUSOLVER_STATUS_NOT_INITIALIZED &&
      get_property(MAJOR_VERSION, &major) == CUSOLVER_STATUS_SUCCESS) {
    // Version 11 is of CUDA 12, and so on.
    const std::string why = older_driver("cuSOLVER", major + 1, context_.driver().version());
    if (!why.empty()) fail(ErrorKind::kNotImplemented, "{}", why);
  }
  check(status, "cusolverDnCreate");
}

Cusolver::~Cusolver() {
  if (!context_.gone()) close();
}

// Destroys the handles that were made.
void Cusolver::close() {
  decltype(&::cusolverDnDestroy) destroy;
  decltype(&::cusolverDnDestroyGesvdjInfo) destroy_jacobi;
  if (jacobi_ && load_symbol(library_, "cusolverDnDestroyGesvdjInfo", destroy_jacobi)) {
    destroy_jacobi(jacobi_);
  }
  if (handle_ && load_symbol(library_, "cusolverDnDestroy", destroy)) destroy(handle_);
}

template <class Function> Function Cusolver::find(DType dtype, const char* routine) const {
  const std::string symbol = fmt::format("cusolverDn{}{}", library_letter(dtype), routine);
  Function function;
  if (!load_symbol(library_, symbol.c_str(), function)) {
    fail(ErrorKind::kNotImplemented, "this cuSOLVER has no {}", symbol);
  }
  return function;
}

void Cusolver::check(Status status, const char* call) const {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  const ErrorKind kind =
      status == CUSOLVER_STATUS_ALLOC_FAILED ? ErrorKind::kMemory : ErrorKind::kRuntime;
  fail(kind, "cuSOLVER: status {} ({})", static_cast<int>(status), call);
}

Handle Cusolver::handle() {
  if (const CUstream now = context_.stream(); !stream_ || *stream_ != now) {
    check(set_stream_(handle_, now), "cusolverDnSetStream");
    stream_ = now;
  }
  return handle_;
}

// The workspace stays for the next call, so nobody is charged for it.
void* Cusolver::workspace(int elements, DType dtype) {
  const AccountScope nobody(nullptr);
  const size_t bytes = static_cast<size_t>(std::max(elements, 1)) * item_size(dtype);
  if (!workspace_ || workspace_->bytes() < bytes) workspace_ = backend_.allocate(bytes);
  backend_.will_write(*workspace_);
  return workspace_->data();
}

void Cusolver::getrf(DType dtype, int m, int n, void* a, int* pivots, int* info) {
  using Size = Status (*)(Handle, int, int, void*, int, int*);
  using Run = Status (*)(Handle, int, int, void*, int, void*, int*, int*);
  int work = 0;
  check(find<Size>(dtype, "getrf_bufferSize")(handle(), m, n, a, m, &work), "getrf_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "getrf")(handle(), m, n, a, m, room, pivots, info), "getrf");
}

void Cusolver::getrs(DType dtype, int n, int nrhs, const void* a, const int* pivots, void* b,
                     int* info) {
  using Run = Status (*)(Handle, cublasOperation_t, int, int, const void*, int, const int*, void*,
                         int, int*);
  check(find<Run>(dtype, "getrs")(handle(), CUBLAS_OP_N, n, nrhs, a, n, pivots, b, n, info),
        "getrs");
}

void Cusolver::potrf(DType dtype, bool upper, int n, void* a, int* info) {
  using Size = Status (*)(Handle, cublasFillMode_t, int, void*, int, int*);
  using Run = Status (*)(Handle, cublasFillMode_t, int, void*, int, void*, int, int*);
  const cublasFillMode_t triangle = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  int work = 0;
  check(find<Size>(dtype, "potrf_bufferSize")(handle(), triangle, n, a, n, &work),
        "potrf_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "potrf")(handle(), triangle, n, a, n, room, work, info), "potrf");
}

void Cusolver::geqrf(DType dtype, int m, int n, void* a, void* tau, int* info) {
  using Size = Status (*)(Handle, int, int, void*, int, int*);
  using Run = Status (*)(Handle, int, int, void*, int, void*, void*, int, int*);
  int work = 0;
  check(find<Size>(dtype, "geqrf_bufferSize")(handle(), m, n, a, m, &work), "geqrf_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "geqrf")(handle(), m, n, a, m, tau, room, work, info), "geqrf");
}

void Cusolver::orgqr(DType dtype, int m, int n, int k, void* a, const void* tau, int* info) {
  using Size = Status (*)(Handle, int, int, int, const void*, int, const void*, int*);
  using Run = Status (*)(Handle, int, int, int, void*, int, const void*, void*, int, int*);
  const bool complex = is_complex(dtype);
  int work = 0;
  check(find<Size>(dtype, complex ? "ungqr_bufferSize" : "orgqr_bufferSize")(handle(), m, n, k, a,
                                                                             m, tau, &work),
        "orgqr_bufferSize");
  void* room = workspace(work, dtype);
  check(
      find<Run>(dtype, complex ? "ungqr" : "orgqr")(handle(), m, n, k, a, m, tau, room, work, info),
      "orgqr");
}

void Cusolver::gesvdj(DType dtype, bool vectors, bool economic, int m, int n, void* a, void* s,
                      void* u, void* v, int* info) {
  using Size = Status (*)(Handle, cusolverEigMode_t, int, int, int, const void*, int, const void*,
                          const void*, int, const void*, int, int*, gesvdjInfo_t);
  using Run = Status (*)(Handle, cusolverEigMode_t, int, int, int, void*, int, void*, void*, int,
                         void*, int, void*, int, int*, gesvdjInfo_t);
  const cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  int work = 0;
  check(find<Size>(dtype, "gesvdj_bufferSize")(handle(), mode, economic, m, n, a, m, s, u, m, v, n,
                                               &work, jacobi_),
        "gesvdj_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "gesvdj")(handle(), mode, economic, m, n, a, m, s, u, m, v, n, room, work,
                                   info, jacobi_),
        "gesvdj");
}

void Cusolver::potrf_batched(DType dtype, bool upper, int n, void* const* a, int* infos,
                             int count) {
  using Run = Status (*)(Handle, cublasFillMode_t, int, void* const*, int, int*, int);
  const cublasFillMode_t triangle = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  check(find<Run>(dtype, "potrfBatched")(handle(), triangle, n, a, n, infos, count),
        "potrfBatched");
}

void Cusolver::gesvdj_batched(DType dtype, bool vectors, int m, int n, void* a, void* s, void* u,
                              void* v, int* infos, int count) {
  using Size = Status (*)(Handle, cusolverEigMode_t, int, int, const void*, int, const void*,
                          const void*, int, const void*, int, int*, gesvdjInfo_t, int);
  using Run = Status (*)(Handle, cusolverEigMode_t, int, int, void*, int, void*, void*, int, void*,
                         int, void*, int, int*, gesvdjInfo_t, int);
  const cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  int work = 0;
  check(find<Size>(dtype, "gesvdjBatched_bufferSize")(handle(), mode, m, n, a, m, s, u, m, v, n,
                                                      &work, jacobi_, count),
        "gesvdjBatched_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "gesvdjBatched")(handle(), mode, m, n, a, m, s, u, m, v, n, room, work,
                                          infos, jacobi_, count),
        "gesvdjBatched");
}

}  // namespace gpy::rt::cuda
