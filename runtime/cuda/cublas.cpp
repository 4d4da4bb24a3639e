#include "runtime/cuda/cublas.h"

#include <algorithm>
#include <climits>

#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {
namespace {

#define GPY_CUBLAS(call) check(call, #call)

int as_int(int64_t value) {
  if (value > INT_MAX)
    fail(ErrorKind::kNotImplemented, "cuBLAS: an extent of {} is too large", value);
  return static_cast<int>(value);
}

// Products are accumulated in float32 for float16, in their own precision (no TF32) else.
cublasComputeType_t compute_type(DType dtype) {
  const bool wide = dtype == DType::kFloat64 || dtype == DType::kComplex128;
  return wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

// A factor as the type that scales products of `dtype`.
struct Scale {
  explicit Scale(DType dtype, double value) {
    if (compute_type(dtype) == CUBLAS_COMPUTE_64F) {
      wide[0] = value;
    } else {
      narrow[0] = static_cast<float>(value);
    }
  }
  union {
    double wide[2] = {0, 0};
    float narrow[4];
  };
};

// A matrix as column-major cuBLAS sees it.
struct CublasMatrix {
  cublasOperation_t operation;
  int leading;
};

CublasMatrix cublas_matrix(const ConstMatrixView& m) {
  if ((m.row_stride == 1 || m.rows == 1) && (m.cols == 1 || m.col_stride >= m.rows)) {
    return {CUBLAS_OP_N, as_int(m.cols == 1 ? std::max<int64_t>(m.rows, 1) : m.col_stride)};
  }
  if ((m.col_stride == 1 || m.cols == 1) && (m.rows == 1 || m.row_stride >= m.cols)) {
    return {CUBLAS_OP_T, as_int(m.rows == 1 ? std::max<int64_t>(m.cols, 1) : m.row_stride)};
  }
  fail(ErrorKind::kNotImplemented, "cuBLAS: a matrix of strides ({}, {}) must be copied first",
       m.row_stride, m.col_stride);
}

// BLAS counts from the far end when a step is negative.
const void* first_of(const void* x, int64_t n, int64_t step, DType dtype) {
  return static_cast<const char*>(x) + (step < 0 ? (n - 1) * step * item_size(dtype) : 0);
}

}  // namespace

cudaDataType_t library_type(DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kFloat16: return CUDA_R_16F;
    case TypeCode::kBFloat16: return CUDA_R_16BF;
    case TypeCode::kFloat32: return CUDA_R_32F;
    case TypeCode::kFloat64: return CUDA_R_64F;
    case TypeCode::kComplex64: return CUDA_C_32F;
    case TypeCode::kComplex128: return CUDA_C_64F;
    default: fail(ErrorKind::kNotImplemented, "cuBLAS: no arithmetic of {}", name(dtype));
  }
}

char library_letter(DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kFloat32: return 'S';
    case TypeCode::kFloat64: return 'D';
    case TypeCode::kComplex64: return 'C';
    case TypeCode::kComplex128: return 'Z';
    default: fail(ErrorKind::kNotImplemented, "no factorisation of {}", name(dtype));
  }
}

Cublas::Cublas(Context& context) : context_(context) {
  const SharedLibrary library = open_cublas(context.driver().version());
  if (!library.handle) {
    fail(ErrorKind::kNotImplemented,
         "cuBLAS was not found (libcublas.so.13 or .12; install the CUDA toolkit or `pip install "
         "nvidia-cublas`, or set GPY_CUDA_PATH)");
  }
  resolve(library.handle);
  start();
}

void Cublas::start() {
  const cublasStatus_t status = cublasCreate_v2(&handle_);
  int major = 0;
  if (status == CUBLAS_STATUS_NOT_INITIALIZED &&
      cublasGetProperty(MAJOR_VERSION, &major) == CUBLAS_STATUS_SUCCESS) {
    const std::string why = older_driver("cuBLAS", major, context_.driver().version());
    if (!why.empty()) fail(ErrorKind::kNotImplemented, "{}", why);
  }
  check(status, "cublasCreate_v2");
}

Cublas::~Cublas() {
  if (handle_ && !context_.gone()) cublasDestroy_v2(handle_);
}

void Cublas::resolve(void* library) {
  library_ = library;
#define GPY_RESOLVE(name)                                          \
  if (!load_symbol(library, #name, this->name)) {                  \
    fail(ErrorKind::kNotImplemented, "this cuBLAS has no " #name); \
  }
  GPY_CUBLAS_FUNCTIONS(GPY_RESOLVE)
#undef GPY_RESOLVE
  if (!load_symbol(library, "cublasGemmStridedBatchedEx", gemm_strided_batched_)) {
    fail(ErrorKind::kNotImplemented, "this cuBLAS has no cublasGemmStridedBatchedEx");
  }
}

void Cublas::check(cublasStatus_t status, const char* call) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string_view whole = call;
  const ErrorKind kind =
      status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorKind::kMemory : ErrorKind::kRuntime;
  fail(kind, "{} ({})", cublasGetStatusString(status), whole.substr(0, whole.find('(')));
}

// A row-major result is the column-major transpose: b^T a^T.
void Cublas::gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                  const MatrixView& c, int64_t batch, int64_t a_step, int64_t b_step,
                  int64_t c_step) {
  const CublasMatrix result = cublas_matrix(c);
  if (result.operation == CUBLAS_OP_T) {
    return gemm(dtype, transposed(b), transposed(a), transposed(c), batch, b_step, a_step, c_step);
  }
  const CublasMatrix left = cublas_matrix(a), right = cublas_matrix(b);
  const Scale one(dtype, 1), zero(dtype, 0);
  const cudaDataType_t type = library_type(dtype);
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  GPY_CUBLAS(gemm_strided_batched_(
      handle_, left.operation, right.operation, as_int(c.rows), as_int(c.cols), as_int(a.cols),
      &one, a.data, type, left.leading, a_step, b.data, type, right.leading, b_step, &zero, c.data,
      type, result.leading, c_step, as_int(batch), compute_type(dtype), CUBLAS_GEMM_DEFAULT));
}

void Cublas::dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y,
                 int64_t y_step, bool conjugate, void* result) {
  const cudaDataType_t type = library_type(dtype);
  const cudaDataType_t work = is_narrow_float(dtype) ? CUDA_R_32F : type;
  const void* first_x = first_of(x, n, x_step, dtype);
  const void* first_y = first_of(y, n, y_step, dtype);
  const auto function = conjugate && is_complex(dtype) ? cublasDotcEx : cublasDotEx;
  prepare_call(CUBLAS_POINTER_MODE_DEVICE);
  check(function(handle_, as_int(n), first_x, type, as_int(x_step), first_y, type, as_int(y_step),
                 result, type, work),
        "cublasDotEx(");
}

// Sets the stream, and whether scalars passed by address are on the device. Both are recorded only
// once the library has accepted them: no call is made that would read from the wrong place.
void Cublas::prepare_call(cublasPointerMode_t where) {
  if (const CUstream now = context_.stream(); !stream_ || *stream_ != now) {
    GPY_CUBLAS(cublasSetStream_v2(handle_, now));
    stream_ = now;
  }
  if (numbers_ == where) return;
  GPY_CUBLAS(cublasSetPointerMode_v2(handle_, where));
  numbers_ = where;
}

template <class Function> Function Cublas::find(DType dtype, const char* routine) const {
  const std::string symbol = fmt::format("cublas{}{}", library_letter(dtype), routine);
  Function function;
  if (!load_symbol(library_, symbol.c_str(), function)) {
    fail(ErrorKind::kNotImplemented, "this cuBLAS has no {}", symbol);
  }
  return function;
}

void Cublas::getrf(DType dtype, int n, void* const* a, int* pivots, int* infos, int count) {
  using Run = cublasStatus_t (*)(cublasHandle_t, int, void* const*, int, int*, int*, int);
  const Run run = find<Run>(dtype, "getrfBatched");
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  check(run(handle_, n, a, n, pivots, infos, count), "getrfBatched(");
}

void Cublas::getrs(DType dtype, int n, int nrhs, const void* const* a, const int* pivots,
                   void* const* b, int count) {
  using Run = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, int, int, const void* const*,
                                 int, const int*, void* const*, int, int*, int);
  const Run run = find<Run>(dtype, "getrsBatched");
  int refused = 0;
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  check(run(handle_, CUBLAS_OP_N, n, nrhs, a, n, pivots, b, n, &refused, count), "getrsBatched(");
  if (refused != 0) fail(ErrorKind::kRuntime, "cuBLAS: getrsBatched gave info {}", refused);
}

void Cublas::matinv(DType dtype, int n, const void* const* a, void* const* inverses, int* infos,
                    int count) {
  using Run = cublasStatus_t (*)(cublasHandle_t, int, const void* const*, int, void* const*, int,
                                 int*, int);
  const Run run = find<Run>(dtype, "matinvBatched");
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  check(run(handle_, n, a, n, inverses, n, infos, count), "matinvBatched(");
}

void Cublas::geqrf(DType dtype, int m, int n, void* const* a, void* const* tau, int count) {
  using Run =
      cublasStatus_t (*)(cublasHandle_t, int, int, void* const*, int, void* const*, int*, int);
  const Run run = find<Run>(dtype, "geqrfBatched");
  int refused = 0;
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  check(run(handle_, m, n, a, m, tau, &refused, count), "geqrfBatched(");
  if (refused != 0) fail(ErrorKind::kRuntime, "cuBLAS: geqrfBatched gave info {}", refused);
}

void Cublas::solve_upper(DType dtype, int order, int cols, const void* const* a, void* const* b,
                         int count) {
  using Run = cublasStatus_t (*)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                                 cublasOperation_t, cublasDiagType_t, int, int, const void*,
                                 const void* const*, int, void* const*, int, int);
  const Run run = find<Run>(dtype, "trsmBatched");
  const Scale one(dtype, 1);
  prepare_call(CUBLAS_POINTER_MODE_HOST);
  check(run(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, order,
            cols, &one, a, order, b, order, count),
        "trsmBatched(");
}

}  // namespace gpy::rt::cuda
