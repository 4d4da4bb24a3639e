#pragma once

// One GPU's primary context and its own stream. Every entry of the backend opens a
// Scope: the context is current inside it and the caller's is back after it, and the process does
// not end meanwhile.

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/cuda/driver.h"

namespace gpy::rt::cuda {

class Context {
 public:
  // Throws where the context cannot be made.
  Context(std::unique_ptr<Driver> driver, int device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return *driver_; }
  CUdevice device() const { return device_; }
  CUcontext handle() const { return context_; }
  Place place() const { return place_; }
  // The stream of this thread's launches: its current queue's, else the device's own.
  CUstream stream() const {
    const Queue* queue = current_queue(place_);
    return queue ? reinterpret_cast<CUstream>(queue->handle()) : own_stream_;
  }
  CUstream own_stream() const { return own_stream_; }
  int attribute(CUdevice_attribute which) const;
  int compute_capability() const { return compute_capability_; }  // 90 for 9.0

  // Waits for everything that was launched on stream(), and on any stream.
  void synchronize();
  void synchronize_all();

  // Has the driver call `function` once the work of `stream` so far is done, on a thread of its
  // own, where no driver function may be called. It is not called if the device is lost meanwhile.
  void call_on(CUstream stream, std::function<void()> function);

  // Throws unless `code` is success; a sticky fault loses the device for good.
  void check(CUresult code, const char* call) {
    if (code != CUDA_SUCCESS) raise(code, call);
  }
  // Throws kDeviceLost after a fault.
  void require_alive() const;
  bool lost() const { return lost_.load(std::memory_order_acquire) || is_of_parent(); }
  // Lost, or shut down by the driver already at the process's end: nothing can be given back.
  bool gone() const;

  class Scope {
   public:
    explicit Scope(Context& context);  // throws kDeviceLost after a fault
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    const LibraryCall call_{Library::kGpu};
    Context* pushed_ = nullptr;
  };

  // The same for destructors that give something back, which cannot throw: false where nothing can
  // be given back.
  class Ending {
   public:
    explicit Ending(Context& context) noexcept;
    ~Ending();
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    explicit operator bool() const { return entered_; }

   private:
    const LibraryCall call_{Library::kGpu, std::nothrow};
    Context& context_;
    bool entered_ = false, pushed_ = false;
  };

 private:
  // A function that the driver is to call. Owned here, since a lost device calls none.
  struct HostCall {
    HostCall(Context& context, std::function<void()> function)
        : context(context), function(std::move(function)) {}
    Context& context;
    std::function<void()> function;
    std::list<HostCall>::iterator place;
  };

  void forget(HostCall& call) noexcept;
  // This process is the child of a fork: the driver's state stayed with the parent.
  bool is_of_parent() const { return made_in_ != fork_count(); }
  [[noreturn]] void raise(CUresult code, const char* call);
  void lose(const std::string& fault);

  std::unique_ptr<Driver> driver_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  Place place_;
  CUstream own_stream_ = nullptr;  // the driver's legacy stream
  int compute_capability_ = 0;
  const uint32_t made_in_ = fork_count();
  std::atomic<bool> lost_{false};
  std::string fault_;  // written once, under the mutex, before lost_ is set
  ForkSafe<std::mutex> fault_mutex_;
  ForkSafe<std::mutex> calls_mutex_;
  std::list<HostCall> calls_;
};

// The stream that a queue of a GPU is.
inline CUstream stream_of(const Queue& queue) { return reinterpret_cast<CUstream>(queue.handle()); }

// `call` is a call of one driver function: GPY_CU(context, cuMemFree(pointer)).
#define GPY_CU(context, call) (context).check((context).driver().call, #call)

}  // namespace gpy::rt::cuda
