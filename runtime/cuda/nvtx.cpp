#include "runtime/cuda/nvtx.h"

// The header is a package of its own beside CUDA's others.
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace gpy::rt {
namespace {

nvtxEventAttributes_t attributes(const std::string& message, uint32_t color) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = color;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = message.c_str();
  return attributes;
}

}  // namespace

bool has_nvtx() noexcept { return true; }

void nvtx_mark(const std::string& message, uint32_t color) noexcept {
  const nvtxEventAttributes_t event = attributes(message, color);
  nvtxMarkEx(&event);
}

void nvtx_push(const std::string& message, uint32_t color) noexcept {
  const nvtxEventAttributes_t event = attributes(message, color);
  nvtxRangePushEx(&event);
}

void nvtx_pop() noexcept { nvtxRangePop(); }

uint64_t nvtx_start(const std::string& message, uint32_t color) noexcept {
  const nvtxEventAttributes_t event = attributes(message, color);
  return nvtxRangeStartEx(&event);
}

void nvtx_end(uint64_t range) noexcept { nvtxRangeEnd(range); }

}  // namespace gpy::rt

#else

namespace gpy::rt {

bool has_nvtx() noexcept { return false; }
void nvtx_mark(const std::string&, uint32_t) noexcept {}
void nvtx_push(const std::string&, uint32_t) noexcept {}
void nvtx_pop() noexcept {}
uint64_t nvtx_start(const std::string&, uint32_t) noexcept { return 0; }
void nvtx_end(uint64_t) noexcept {}

}  // namespace gpy::rt

#endif
