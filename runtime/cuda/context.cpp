#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

Context::Context(std::unique_ptr<Driver> driver, int device) : driver_(std::move(driver)) {
  GPY_CU(*this, cuDeviceGet(&device_, device));
  compute_capability_ = driver_->compute_capability(device);
  GPY_CU(*this, cuDevicePrimaryCtxRetain(&context_, device_));
  Scope scope(*this);
  GPY_CU(*this, cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
}

// Nothing can be done about a failure here; after a fault every call fails.
Context::~Context() {
  if (!gone()) {
    driver_->cuCtxPushCurrent(context_);
    driver_->cuStreamDestroy(stream_);
    driver_->cuCtxPopCurrent(nullptr);
  }
  driver_->cuDevicePrimaryCtxRelease(device_);
}

bool Context::gone() const {
  CUcontext current = nullptr;
  return lost() || driver_->cuCtxGetCurrent(&current) == CUDA_ERROR_DEINITIALIZED;
}

int Context::attribute(CUdevice_attribute which) const {
  int value = 0;
  const_cast<Context*>(this)->check(driver_->cuDeviceGetAttribute(&value, which, device_),
                                    "cuDeviceGetAttribute");
  return value;
}

void Context::synchronize() { GPY_CU(*this, cuStreamSynchronize(stream_)); }

void Context::raise(CUresult code, const char* call) {
  Error error = driver_error(*driver_, code, call);
  if (error.kind() == ErrorKind::kDeviceLost) lose(error.message());
  throw error;
}

void Context::lose(const std::string& fault) {
  const std::lock_guard lock(fault_mutex_);
  if (lost()) return;
  fault_ = fault;
  lost_.store(true, std::memory_order_release);
}

Context::Scope::Scope(Context& context) {
  if (context.lost()) fail(ErrorKind::kDeviceLost, "the GPU is lost: {}", context.fault_);
  CUcontext current = nullptr;
  GPY_CU(context, cuCtxGetCurrent(&current));
  if (current == context.context_) return;
  GPY_CU(context, cuCtxPushCurrent(context.context_));
  pushed_ = &context;
}

Context::Scope::~Scope() {
  if (pushed_) pushed_->driver().cuCtxPopCurrent(nullptr);
}

}  // namespace gpy::rt::cuda
