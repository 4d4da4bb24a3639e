#pragma once

// Declarations that the files of the fake driver share: its streams, memory and
// captures, and its functions.

#include <cuda.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>

struct FakeBlock {
  CUdeviceptr begin;
  size_t bytes;
  bool pinned, managed;
};

struct FakeStream {
  std::atomic<unsigned> flags;
  std::atomic<int> priority;
};

const FakeStream& fake_stream(CUstream stream);
CUresult fake_allocate(CUdeviceptr* address, size_t bytes, bool managed);
CUresult fake_free(CUdeviceptr address);
// What was taken from a pool is no more of it.
void fake_leave_pool(CUdeviceptr address);
// The block that holds an address.
CUresult fake_find(CUdeviceptr address, FakeBlock* found);
CUresult fake_pin(void* address, size_t bytes);
CUresult fake_unpin(void* address);

// Work for a stream that captures is a part of its graph: true.
bool fake_capture(CUstream stream, std::function<void()> work);
// A call that a capture does not take: true where the stream captures.
bool fake_invalidates(CUstream stream);

// The functions by the names that cuGetProcAddress is asked for.
std::map<std::string, void*> fake_memory_entries();
std::map<std::string, void*> fake_control_entries();
std::map<std::string, void*> fake_graph_entries();
std::map<std::string, void*> fake_texture_entries();

extern "C" int fake_cuda_enter(const char* function);

#define FAKE_ENTER(name) \
  if (const int code_ = fake_cuda_enter(name); code_) return static_cast<CUresult>(code_)

// Every entry must have the type that the driver's header gives it.
template <class Function> void* fake_address(Function* function, Function* checked) {
  static_cast<void>(checked);
  return reinterpret_cast<void*>(function);
}
#define FAKE_ENTRY(name, function) \
  { #name, fake_address(function, static_cast <decltype(&::name)>(nullptr)) }
