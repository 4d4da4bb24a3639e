#include "runtime/cuda/staging_lane.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstring>

namespace gpy::rt::cuda {
namespace {

CUdeviceptr address(const void* device) { return reinterpret_cast<CUdeviceptr>(device); }

// Copies past the caches: the device reads from memory. `to` is a pinned buffer, so aligned.
void stream_copy(char* to, const char* from, size_t bytes) {
  size_t i = 0;
  for (; i + 16 <= bytes; i += 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  std::memcpy(to + i, from + i, bytes - i);
  _mm_sfence();
}

size_t piece(size_t bytes, size_t at) { return std::min(StagingLane::kChunk, bytes - at); }

}  // namespace

StagingLane::StagingLane(Context& context) : context_(context), stream_(make_stream(context)) {
  for (int b = 0; b < kBuffers; ++b) {
    buffers_[b] = make_pinned(context, kChunk);
    done_[b] = make_event(context);
  }
}

void StagingLane::upload(char* device, const char* host, size_t bytes, int which, int count,
                         CUevent ready) {
  GPY_CU(context_, cuStreamWaitEvent(stream_.get(), ready, 0));
  int turn = 0;
  for (size_t at = which * kChunk; at < bytes; at += count * kChunk, ++turn) {
    const int b = turn % kBuffers;
    if (turn >= kBuffers) GPY_CU(context_, cuEventSynchronize(done_[b].get()));
    stream_copy(buffer(b), host + at, piece(bytes, at));
    GPY_CU(context_,
           cuMemcpyHtoDAsync(address(device + at), buffer(b), piece(bytes, at), stream_.get()));
    GPY_CU(context_, cuEventRecord(done_[b].get(), stream_.get()));
  }
  GPY_CU(context_, cuStreamSynchronize(stream_.get()));
}

void StagingLane::download(char* host, const char* device, size_t bytes, int which, int count,
                           CUevent ready) {
  GPY_CU(context_, cuStreamWaitEvent(stream_.get(), ready, 0));
  const size_t step = count * kChunk;
  auto fetch = [&](size_t at, int b) {
    if (at >= bytes) return;
    GPY_CU(context_,
           cuMemcpyDtoHAsync(buffer(b), address(device + at), piece(bytes, at), stream_.get()));
    GPY_CU(context_, cuEventRecord(done_[b].get(), stream_.get()));
  };
  const size_t first = which * kChunk;
  for (int b = 0; b < kBuffers; ++b) fetch(first + b * step, b);
  int turn = 0;
  for (size_t at = first; at < bytes; at += step, ++turn) {
    const int b = turn % kBuffers;
    GPY_CU(context_, cuEventSynchronize(done_[b].get()));
    std::memcpy(host + at, buffer(b), piece(bytes, at));
    fetch(at + kBuffers * step, b);
  }
}

}  // namespace gpy::rt::cuda
