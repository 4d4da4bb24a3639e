#pragma once

// What the driver's memory pools tell, where the CPU stands in for a GPU: which are there, and how
// much was taken from each. They keep nothing, since what is free is the system's. The caller
// locks. Whatever fails throws CudaError, as the driver would.

#include <array>
#include <cstdint>
#include <map>

namespace gpy::rt {

class HostMemoryPools {
 public:
  static constexpr uintptr_t kDefault = 1;

  uintptr_t make();
  // One that still has blocks goes with the last of them.
  void destroy(uintptr_t pool);
  void check(uintptr_t pool) { at(pool); }
  uintptr_t current() const { return current_; }
  void set_current(uintptr_t pool);
  // So many bytes were taken, or given back: less than 0.
  void count(uintptr_t pool, int64_t bytes) noexcept;

  // By CUDA's numbers, cudaMemPoolAttr...
  uint64_t attribute(uintptr_t pool, int which);
  // Of the counts, only the highest can be set, and only to 0.
  void set_attribute(uintptr_t pool, int which, uint64_t value);

 private:
  struct Pool {
    // 1 to 3 are switches for reuse; then follow the threshold of release and the counts.
    std::array<uint64_t, 9> attributes = {0, 1, 1, 1};
    bool destroyed = false;
  };
  Pool& at(uintptr_t pool);

  std::map<uintptr_t, Pool> pools_{{kDefault, {}}};
  uintptr_t current_ = kDefault, next_ = kDefault + 1;
};

}  // namespace gpy::rt
