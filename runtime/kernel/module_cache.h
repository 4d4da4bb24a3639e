#pragma once

// The compiled modules of one process by what they were compiled from. A text that is compiled
// again while a kernel of it lives gives the same module, and so the same variables of the kernels;
// of those that nobody uses any more, the least recently asked for go.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// A lock that another thread may hold as long as it likes: waiting for it can be interrupted. In
// the child of a fork nobody holds it.
class LongLock {
 public:
  // Throws kInterrupt.
  void lock();
  void unlock();

 private:
  struct Holding {
    std::mutex mutex;
    std::condition_variable freed;
    bool held = false;
  };
  PerProcess<Holding> holding_;
};

// A module whose functions keep its code alive.
class SharedModule : public UserModule {
 public:
  // Whether a function of it is in use.
  virtual bool is_used() = 0;
};

class ModuleCache {
 public:
  // A loop that makes kernels of ever new texts keeps no more than these.
  static constexpr size_t kMost = 512;
  // Keeps `most` modules; more only while these are in use.
  explicit ModuleCache(size_t most = kMost) : most_(most) {}

  struct Entry {
    LongLock compiling;  // held while the module is read or made
    std::shared_ptr<SharedModule> module;
    uint64_t asked = 0;
  };
  // Never null; its module is null if it has to be made.
  std::shared_ptr<Entry> entry(const std::string& key);

 private:
  using Entries = std::unordered_map<std::string, std::shared_ptr<Entry>>;
  std::vector<std::shared_ptr<Entry>> take_unused();

  size_t most_;
  ForkSafe<std::mutex> mutex_;
  Entries entries_;
  uint64_t asked_ = 0;
};

}  // namespace gpy::rt
