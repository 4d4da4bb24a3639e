#pragma once

// What each function of the library of kernels that are compiled ahead of time is given first. The
// functions stand in tables, one a family; they give work to a stream of the current context and
// return the CUDA runtime's code, 0 for success.

#include <cstddef>

namespace gpy::rt::cuda {

// The stream, and a lender of device memory until the call returns; null: there is none left.
struct DeviceCall {
  void* stream;
  void* owner;
  void* (*lend)(void* owner, size_t bytes);
};

}  // namespace gpy::rt::cuda
