#include "runtime/cuda/context.h"

#include <iterator>

namespace gpy::rt::cuda {

Context::Context(std::unique_ptr<Driver> driver, int device)
    : driver_(std::move(driver)), place_(static_cast<Place>(1 + device)) {
  GPY_CU(*this, cuDeviceGet(&device_, device));
  compute_capability_ = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                        attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  GPY_CU(*this, cuDevicePrimaryCtxRetain(&context_, device_));
}

// Nothing can be done about a failure here; after a fault every call fails.
Context::~Context() {
  if (!is_of_parent()) driver_->cuDevicePrimaryCtxRelease(device_);
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

void Context::call_on(CUstream stream, std::function<void()> function) {
  HostCall* call = nullptr;
  {
    const std::lock_guard lock(calls_mutex_);
    call = &calls_.emplace_back(*this, std::move(function));
    call->place = std::prev(calls_.end());
  }
  const auto run = [](void* data) {
    auto& call = *static_cast<HostCall*>(data);
    call.function();
    call.context.forget(call);
  };
  const CUresult code = driver_->cuLaunchHostFunc(stream, run, call);
  if (code == CUDA_SUCCESS) return;
  forget(*call);
  raise(code, "cuLaunchHostFunc");
}

void Context::forget(HostCall& call) noexcept {
  std::list<HostCall> done;  // destroyed after the lock is released
  const std::lock_guard lock(calls_mutex_);
  done.splice(done.end(), calls_, call.place);
}

void Context::synchronize() { GPY_CU(*this, cuStreamSynchronize(stream())); }

void Context::synchronize_all() { GPY_CU(*this, cuCtxSynchronize()); }

void Context::raise(CUresult code, const char* call) {
  try {
    throw_driver_error(*driver_, code, call);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kDeviceLost) lose(error.message());
    throw;
  }
}

void Context::lose(const std::string& fault) {
  const std::lock_guard lock(fault_mutex_);
  if (lost()) return;
  fault_ = fault;
  lost_.store(true, std::memory_order_release);
}

void Context::require_alive() const {
  if (is_of_parent()) fail(ErrorKind::kDeviceLost, "{}", kNoGpuAfterFork);
  if (lost()) fail(ErrorKind::kDeviceLost, "the GPU is lost: {}", fault_);
}

Context::Scope::Scope(Context& context) {
  context.require_alive();
  CUcontext current = nullptr;
  GPY_CU(context, cuCtxGetCurrent(&current));
  if (current == context.context_) return;
  GPY_CU(context, cuCtxPushCurrent(context.context_));
  pushed_ = &context;
}

Context::Scope::~Scope() {
  if (pushed_) pushed_->driver().cuCtxPopCurrent(nullptr);
}

Context::Ending::Ending(Context& context) noexcept : context_(context) {
  if (!call_ || context.lost()) return;
  CUcontext current = nullptr;  // also where the driver does not tell
  context.driver().cuCtxGetCurrent(&current);
  entered_ = current == context.context_;
  if (!entered_) {
    entered_ = pushed_ = context.driver().cuCtxPushCurrent(context.context_) == CUDA_SUCCESS;
  }
}

Context::Ending::~Ending() {
  if (pushed_) context_.driver().cuCtxPopCurrent(nullptr);
}

}  // namespace gpy::rt::cuda
