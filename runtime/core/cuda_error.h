#pragma once

// Errors with CUDA's numbers, names and texts, wherever they arise: on the CPU, which stands in for
// a GPU, calls fail as they would there.

#include <string>

#include "runtime/core/error.h"

namespace gpy::rt {

// The codes that gpy itself fails with; CUDA has more (cuda_errors.def).
enum class CudaCode : int {
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidPitchValue = 12,
  kInvalidMemcpyDirection = 21,
  kInvalidDevice = 101,
  kUnsupportedLimit = 215,
  kInvalidResourceHandle = 400,
  kIllegalState = 401,
  kNotReady = 600,
  kPeerAccessAlreadyEnabled = 704,
  kPeerAccessNotEnabled = 705,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kNotSupported = 801,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureMerge = 902,
  kStreamCaptureUnmatched = 903,
  kStreamCaptureUnjoined = 904,
  kStreamCaptureIsolation = 905,
  kStreamCaptureImplicit = 906,
  kCapturedEvent = 907,
};

// "cudaErrorInvalidValue: invalid argument"
std::string cuda_error_text(int code);
// "CUDA_ERROR_INVALID_VALUE: invalid argument", as the driver's interface names it.
std::string cuda_driver_error_text(int code);

// A failed call of CUDA; its kind is kRuntime.
class CudaError : public Error {
 public:
  // `facts`: further details, such as the driver function that reported the error.
  explicit CudaError(int code, std::string facts = "")
      : Error(ErrorKind::kRuntime, cuda_error_text(code)), code_(code), facts_(std::move(facts)) {}
  explicit CudaError(CudaCode code, std::string facts = "")
      : CudaError(static_cast<int>(code), std::move(facts)) {}

  int code() const { return code_; }
  const std::string& facts() const { return facts_; }

 private:
  int code_;
  std::string facts_;
};

}  // namespace gpy::rt
