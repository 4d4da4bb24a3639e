#pragma once

// A session is one interpreter's view of the runtime: its current device, its laziness, its
// floating-point error state. The runtime below is shared and holds what is costly.

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "runtime/backend.h"
#include "runtime/core/array.h"
#include "runtime/core/error_state.h"
#include "runtime/core/hostile.h"
#include "runtime/core/process.h"
#include "runtime/graph/node.h"
#include "runtime/graph/prepared.h"
#include "runtime/memory/array_source.h"

namespace gpy::rt {

// The devices that a program may use. `kAuto` takes GPUs where there are any and the CPU otherwise.
struct DeviceChoice {
  enum class Kind : uint8_t { kAuto, kCpu, kCuda };
  Kind kind = Kind::kAuto;
  int index = 0;

  // "cpu", "cuda", "cuda:1"; throws kValue for anything else.
  static DeviceChoice parse(std::string_view text);
};

// The set of devices: pools, caches, threads. Thread-safe; made once and shared.
class Runtime {
 public:
  // Nothing of CUDA is touched until a device is first asked for. A device asked for by name that
  // is absent throws kValue at that moment.
  explicit Runtime(DeviceChoice choice = {}, const Hostile& hostile = {});
  ~Runtime();

  Backend& backend(Place place) {
    Backend* found = open_[place].load(std::memory_order_acquire);
    return found ? *found : open_backend(place);
  }
  // The place's linear algebra; by way of the host, and a note says so once, where the
  // place's own libraries cannot be used. Throws kNotImplemented where the host has none either.
  Linalg& linalg(Place place, LinalgPart part);
  int gpu_count() {
    const int counted = gpu_count_.load(std::memory_order_acquire);
    return counted >= 0 ? counted : count_gpus();
  }
  // Why there is no GPU, for `gpy info` and the note on stderr; empty if there is one.
  const std::string& no_gpu_reason();
  DeviceChoice choice() const { return choice_; }
  const Hostile& hostile() const { return hostile_; }
  // Waits for the devices in use. A fault that was thrown before is not thrown again.
  void synchronize();

 private:
  Backend& open_backend(Place place);
  bool open_gpu(int index);
  int count_gpus();

  DeviceChoice choice_;
  Hostile hostile_;
  ForkSafe<std::recursive_mutex> mutex_;
  std::atomic<int> gpu_count_{-1};  // -1: not counted yet
  std::string no_gpu_reason_;
  std::array<std::unique_ptr<Backend>, kMaxPlaces> backends_;
  std::array<std::atomic<Backend*>, kMaxPlaces> open_{};  // those asked for before: no lock
  std::array<std::unique_ptr<Linalg>, kMaxPlaces> host_fallbacks_;  // destroyed before the backends
};

// What users' kernels are checked for while they run. Checked kernels are compiled apart.
struct KernelChecks {
  bool on_host = false, on_devices = false;
  bool nan = false;  // also for NaNs that they store

  bool at(Place place) const { return place == kHostPlace ? on_host : on_devices; }
};

struct SessionCounters {
  uint64_t nodes_made = 0;
  uint64_t forces = 0;       // times something pending was needed
  uint64_t nodes_fused = 0;  // nodes that ran inside another one's plan
  uint64_t host_copies = 0;  // operations of a GPU array done by way of the host
};

class Session {
  std::shared_ptr<Runtime> runtime_;  // first, so destroyed last

 public:
  explicit Session(std::shared_ptr<Runtime> runtime);

  Runtime& runtime() { return *runtime_; }
  const std::shared_ptr<Runtime>& shared_runtime() { return runtime_; }
  Backend& backend(Place place) {
    if (first_stream_ != 0 && place != kHostPlace && !home[place]) set_home(place);
    return runtime_->backend(place);
  }

  // The backend that computes for arrays of a space.
  Place place_of(Space space);
  Backend& backend_of(Space space) { return backend(place_of(space)); }
  // The space of a GPU array made now; device 0 is the CPU where there is no GPU.
  Space device_space() const { return Space::on_device(current_device); }

  bool lazy = true;
  const bool at_once;  // small work runs without a plan: always, except in a hostile run
  int current_device = 0;
  ErrorState errors;
  KernelChecks kernel_checks;
  SessionCounters counters;
  PendingRing pending;  // the nodes made here that have not run
  PreparedCache prepared;
  QueueSet queues;  // where this session's work goes: graph/evaluate.h changes it
  // Where it goes first, which a script's null stream stands for; null: the device's own.
  QueueSet home;
  // Before anything is on a GPU: work goes to a queue of the session's own on each; on the device
  // that was chosen for it, to somebody else's stream, whose handle this is, unless kOwnStream.
  void start_on(uintptr_t stream) { first_stream_ = stream; }
  static constexpr uintptr_t kOwnStream = UINTPTR_MAX;
  // The source of its device arrays' memory; null: the device's own pool. Changed there too.
  std::shared_ptr<ArraySource> array_source;

  // The script's current position.
  Origin origin() const { return current_origin ? current_origin() : Origin(); }

  // Set by the language.
  std::function<Origin()> current_origin;
  // A floating-point event: "divide by zero encountered in log".
  std::function<void(const std::string& message, const Origin& origin)> warn;
  // An event of an operation that calls, prints or logs (`action`).
  std::function<void(OnError action, const FloatingPointEvent& event)> handle_event;
  // Called once, when a GPU was asked for by a script and the CPU stands in.
  std::function<void(const std::string& reason)> note_stand_in;
  // Called before a lack of memory becomes an error: releases unreachable arrays. True if there
  // were some, so that trying again may help. Runs no script's code.
  std::function<bool()> reclaim;
  // The language's flag, or none. While it is set, what is computed for the first time stops
  // between tiles with kInterrupt and stays pending; writes into arrays, and results in the memory
  // of an array that is read for the last time, are finished.
  const std::atomic<bool>* interrupt = nullptr;
  // A user kernel's fault on the host is an error, and not the end of the process. Whoever sets it
  // holds a FaultHandler.
  bool catches_kernel_faults = false;

 private:
  void set_home(Place place);

  uintptr_t first_stream_ = 0;  // 0: the device's own
};

}  // namespace gpy::rt
