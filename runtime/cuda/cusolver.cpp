#include "runtime/cuda/cusolver.h"

#include <string_view>

#include "runtime/cuda/cublas.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {
namespace {

using Status = cusolverStatus_t;
using Handle = cusolverDnHandle_t;

cusolverEigMode_t mode_of(bool vectors) {
  return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}
cublasFillMode_t triangle_of(bool upper) {
  return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}

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
  decltype(&::cusolverDnDestroySyevjInfo) destroy_hermitian;
  if (hermitian_jacobi_ && load_symbol(library_, "cusolverDnDestroySyevjInfo", destroy_hermitian)) {
    destroy_hermitian(hermitian_jacobi_);
  }
  decltype(&::cusolverDnDestroyParams) destroy_params;
  if (params_ && load_symbol(library_, "cusolverDnDestroyParams", destroy_params)) {
    destroy_params(params_);
  }
  if (handle_ && load_symbol(library_, "cusolverDnDestroy", destroy)) destroy(handle_);
}

template <class Function> Function Cusolver::find(const std::string& symbol) const {
  Function function;
  if (!load_symbol(library_, symbol.c_str(), function)) {
    fail(ErrorKind::kNotImplemented, "this cuSOLVER has no {}", symbol);
  }
  return function;
}

template <class Function> Function Cusolver::find(DType dtype, const char* routine) const {
  return find<Function>(fmt::format("cusolverDn{}{}", library_letter(dtype), routine));
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
  return workspace(static_cast<size_t>(std::max(elements, 1)) * item_size(dtype));
}

void* Cusolver::workspace(size_t bytes) {
  const AccountScope nobody(nullptr);
  if (!workspace_ || workspace_->bytes() < bytes) workspace_ = backend_.allocate(bytes);
  backend_.will_write(*workspace_);
  return workspace_->data();
}

Cusolver::WorkRooms Cusolver::workspace(const WorkSizes& sizes) {
  if (host_workspace_.size() < sizes.on_host) host_workspace_.resize(sizes.on_host);
  return {workspace(std::max<size_t>(sizes.on_device, 1)), host_workspace_.data()};
}

cusolverDnParams_t Cusolver::params() {
  if (!params_) {
    using Create = decltype(&::cusolverDnCreateParams);
    check(find<Create>("cusolverDnCreateParams")(&params_), "cusolverDnCreateParams");
  }
  return params_;
}

syevjInfo_t Cusolver::hermitian_jacobi() {
  if (!hermitian_jacobi_) {
    using Create = decltype(&::cusolverDnCreateSyevjInfo);
    check(find<Create>("cusolverDnCreateSyevjInfo")(&hermitian_jacobi_),
          "cusolverDnCreateSyevjInfo");
  }
  return hermitian_jacobi_;
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
  const cublasFillMode_t triangle = triangle_of(upper);
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
  const cusolverEigMode_t mode = mode_of(vectors);
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
  const cublasFillMode_t triangle = triangle_of(upper);
  check(find<Run>(dtype, "potrfBatched")(handle(), triangle, n, a, n, infos, count),
        "potrfBatched");
}

void Cusolver::gesvdj_batched(DType dtype, bool vectors, int m, int n, void* a, void* s, void* u,
                              void* v, int* infos, int count) {
  using Size = Status (*)(Handle, cusolverEigMode_t, int, int, const void*, int, const void*,
                          const void*, int, const void*, int, int*, gesvdjInfo_t, int);
  using Run = Status (*)(Handle, cusolverEigMode_t, int, int, void*, int, void*, void*, int, void*,
                         int, void*, int, int*, gesvdjInfo_t, int);
  const cusolverEigMode_t mode = mode_of(vectors);
  int work = 0;
  check(find<Size>(dtype, "gesvdjBatched_bufferSize")(handle(), mode, m, n, a, m, s, u, m, v, n,
                                                      &work, jacobi_, count),
        "gesvdjBatched_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, "gesvdjBatched")(handle(), mode, m, n, a, m, s, u, m, v, n, room, work,
                                          infos, jacobi_, count),
        "gesvdjBatched");
}

namespace {

constexpr const char* kGeev = "cusolverDnXgeev";
constexpr const char* kSyevBatched = "cusolverDnXsyevBatched";

bool has_symbol(void* library, const char* name) {
  void* symbol;
  return load_symbol(library, name, symbol);
}

}  // namespace

bool Cusolver::has_geev() const { return has_symbol(library_, kGeev); }
bool Cusolver::has_syev_batched() const { return has_symbol(library_, kSyevBatched); }

void Cusolver::syevd(DType dtype, bool vectors, bool upper, int n, void* a, void* w, int* info) {
  using Size = Status (*)(Handle, cusolverEigMode_t, cublasFillMode_t, int, const void*, int,
                          const void*, int*);
  using Run = Status (*)(Handle, cusolverEigMode_t, cublasFillMode_t, int, void*, int, void*, void*,
                         int, int*);
  const bool complex = is_complex(dtype);
  const auto mode = mode_of(vectors);
  const auto triangle = triangle_of(upper);
  int work = 0;
  check(find<Size>(dtype, complex ? "heevd_bufferSize" : "syevd_bufferSize")(
            handle(), mode, triangle, n, a, n, w, &work),
        "syevd_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, complex ? "heevd" : "syevd")(handle(), mode, triangle, n, a, n, w, room,
                                                      work, info),
        "syevd");
}

void Cusolver::syevj_batched(DType dtype, bool vectors, bool upper, int n, void* a, void* w,
                             int* infos, int count) {
  using Size = Status (*)(Handle, cusolverEigMode_t, cublasFillMode_t, int, const void*, int,
                          const void*, int*, syevjInfo_t, int);
  using Run = Status (*)(Handle, cusolverEigMode_t, cublasFillMode_t, int, void*, int, void*, void*,
                         int, int*, syevjInfo_t, int);
  const bool complex = is_complex(dtype);
  const auto mode = mode_of(vectors);
  const auto triangle = triangle_of(upper);
  const syevjInfo_t jacobi = hermitian_jacobi();
  int work = 0;
  check(find<Size>(dtype, complex ? "heevjBatched_bufferSize" : "syevjBatched_bufferSize")(
            handle(), mode, triangle, n, a, n, w, &work, jacobi, count),
        "syevjBatched_bufferSize");
  void* room = workspace(work, dtype);
  check(find<Run>(dtype, complex ? "heevjBatched" : "syevjBatched")(
            handle(), mode, triangle, n, a, n, w, room, work, infos, jacobi, count),
        "syevjBatched");
}

// Its declaration, like that of geev, is not in the headers of older toolkits.
void Cusolver::syev_batched(DType dtype, bool vectors, bool upper, int n, void* a, void* w,
                            int* infos, int count) {
  using Size = Status (*)(Handle, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t, int64_t,
                          cudaDataType, const void*, int64_t, cudaDataType, const void*,
                          cudaDataType, size_t*, size_t*, int64_t);
  using Run = Status (*)(Handle, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t, int64_t,
                         cudaDataType, void*, int64_t, cudaDataType, void*, cudaDataType, void*,
                         size_t, void*, size_t, int*, int64_t);
  const auto mode = mode_of(vectors);
  const auto triangle = triangle_of(upper);
  const cudaDataType type = library_type(dtype), real = library_type(real_type(dtype));
  WorkSizes sizes;
  check(find<Size>("cusolverDnXsyevBatched_bufferSize")(handle(), params(), mode, triangle, n, type,
                                                        a, n, real, w, type, &sizes.on_device,
                                                        &sizes.on_host, count),
        "XsyevBatched_bufferSize");
  const WorkRooms rooms = workspace(sizes);
  check(find<Run>(kSyevBatched)(handle(), params(), mode, triangle, n, type, a, n, real, w, type,
                                rooms.on_device, sizes.on_device, rooms.on_host, sizes.on_host,
                                infos, count),
        "XsyevBatched");
}

void Cusolver::geev(DType dtype, int n, void* a, void* w, void* v, int* info) {
  using Size = Status (*)(Handle, cusolverDnParams_t, cusolverEigMode_t, cusolverEigMode_t, int64_t,
                          cudaDataType, const void*, int64_t, cudaDataType, const void*,
                          cudaDataType, const void*, int64_t, cudaDataType, const void*, int64_t,
                          cudaDataType, size_t*, size_t*);
  using Run =
      Status (*)(Handle, cusolverDnParams_t, cusolverEigMode_t, cusolverEigMode_t, int64_t,
                 cudaDataType, void*, int64_t, cudaDataType, void*, cudaDataType, void*, int64_t,
                 cudaDataType, void*, int64_t, cudaDataType, void*, size_t, void*, size_t, int*);
  const auto left = mode_of(false), right = mode_of(v != nullptr);
  const cudaDataType type = library_type(dtype), values = library_type(complex_type(dtype));
  WorkSizes sizes;
  check(find<Size>("cusolverDnXgeev_bufferSize")(handle(), params(), left, right, n, type, a, n,
                                                 values, w, type, nullptr, n, type, v, n, type,
                                                 &sizes.on_device, &sizes.on_host),
        "Xgeev_bufferSize");
  const WorkRooms rooms = workspace(sizes);
  check(find<Run>(kGeev)(handle(), params(), left, right, n, type, a, n, values, w, type, nullptr,
                         n, type, v, n, type, rooms.on_device, sizes.on_device, rooms.on_host,
                         sizes.on_host, info),
        "Xgeev");
}

}  // namespace gpy::rt::cuda
