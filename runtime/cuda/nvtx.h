#pragma once

// Marks and ranges for NVIDIA's profilers (NVTX 3). They do nothing unless a profiler runs the
// process, and where the build has no CUDA. Colours are ARGB: 0xff00ff00 is green.

#include <cstdint>
#include <string>

namespace gpy::rt {

bool has_nvtx() noexcept;
void nvtx_mark(const std::string& message, uint32_t color) noexcept;
// Ranges of this thread lie inside each other.
void nvtx_push(const std::string& message, uint32_t color) noexcept;
void nvtx_pop() noexcept;
// Other ranges are identified by a number.
uint64_t nvtx_start(const std::string& message, uint32_t color) noexcept;
void nvtx_end(uint64_t range) noexcept;

}  // namespace gpy::rt
