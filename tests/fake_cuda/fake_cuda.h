#pragma once

// Controls of the fakes, found by dlsym in the library that was opened as libcuda.so.1. The driver
// keeps device memory on the host, records calls and launches, runs no kernel, and fails on demand.
// A process can also be configured by its environment: GPY_FAKE_CUDA_DEVICES (default 1),
// GPY_FAKE_CUDA_MEMORY (bytes of one device), GPY_FAKE_CUDA_VERSION (default 13000: of CUDA 13.0;
// it loads cubins of its own major version, and PTX of its own version or an older one) and
// GPY_FAKE_CUDA_FAIL ("cuMemAlloc:3:2": the third call returns error 2). A program that has it in
// LD_PRELOAD finds the driver's device nodes as well.

#include <cstddef>
#include <cstdint>

extern "C" {

struct FakeLaunch {
  const char* kernel;
  unsigned grid[3], block[3], shared_bytes;
  const unsigned char* parameters;  // the packed buffer; null if addresses were given
  size_t parameter_bytes;
};

struct FakeCuda {
  void (*reset)();
  void (*set_devices)(int count);
  void (*set_memory)(size_t bytes);
  // The n-th call of `function` from now on (1: the next) returns `code`, once.
  void (*fail)(const char* function, int n, int code);
  // The n-th call from now on of any function, of the libraries' fakes too (1: the next), fails:
  // the driver's with `code`, a library's with an error of that library. `stays`: all after it fail
  // too. 0: none fails.
  void (*fail_any)(int n, int code, bool stays);
  // The number of calls of any function since then, and the first that failed; null: none has.
  int (*calls_of_any)();
  const char* (*first_failed)();
  // Every call but cuGetError* returns `code`, as in a faulted context. 0 heals.
  void (*lose)(int code);
  // False: calls and launches are not counted, none fails, and none takes a lock, whose order
  // would hide from ThreadSanitizer that nothing else orders what two threads do.
  void (*set_counting)(bool counts);
  int (*calls)(const char* function);
  size_t (*memory_held)();     // bytes by cuMemAlloc
  size_t (*memory_largest)();  // by one cuMemAlloc
  int (*contexts_pushed)();    // and not popped
  int (*launches)();
  const FakeLaunch* (*launch)(int index);
};

// "fake_cuda_controls".
const FakeCuda* fake_cuda_controls();
// For the fakes of the libraries that stand on the driver: counts a call. Not 0: it must fail.
int fake_cuda_enter(const char* function);
// Whether the driver is of a CUDA older than that of the libraries.
bool fake_cuda_is_older();
}
