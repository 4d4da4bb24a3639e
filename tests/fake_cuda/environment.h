#pragma once
// The fake GPU for programs that a test starts, where the build has the fakes.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gpy::test {

#ifdef GPY_FAKE_CUDA
// `cache`: a folder for compiled kernels, which no real GPU could run.
inline std::vector<std::pair<std::string, std::string>> fake_gpu_environment(
    const std::string& cache) {
  return {{"LD_PRELOAD", GPY_FAKE_CUDA},
          {"GPY_CUDA_PATH", std::filesystem::path(GPY_FAKE_CUDA).parent_path()},
          {"GPY_CACHE_DIR", cache}};
}
#endif

}  // namespace gpy::test
