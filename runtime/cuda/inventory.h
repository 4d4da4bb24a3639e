#pragma once

// The parts of CUDA that this machine has, for `gpy info`. Opens the libraries, makes no context.
// Needs no CUDA header, and links where the build has no CUDA.

#include <string>
#include <vector>

namespace gpy::rt {

struct CudaPart {
  std::string name;   // "driver", "NVRTC", "cuBLAS", ...
  std::string found;  // its version and file, or why it is not there
};

std::vector<CudaPart> cuda_inventory();

// The CUDA whose headers the build has, as 13000; 0 without.
int cuda_build_version();

}  // namespace gpy::rt
