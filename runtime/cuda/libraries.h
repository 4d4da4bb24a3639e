#pragma once

// The search for the toolkit's libraries at run time: GPY_CUDA_PATH, then the loader's own paths,
// then the usual toolkit folders, then the folders that pip's nvidia packages make.

#include <dlfcn.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt::cuda {

// An opened library; `path` is what was opened, for messages. `handle` is null if none was found.
struct SharedLibrary {
  void* handle = nullptr;
  std::string path;
};

// Opens the first of `names` ("libnvrtc.so.13", "libnvrtc.so.12") found, the best name first.
SharedLibrary open_cuda_library(std::initializer_list<const char*> names);

// The libraries that gpy uses, in the versions that it knows. Those that are no newer than the
// driver (13000: of CUDA 13.0, 0: any) are preferred.
SharedLibrary open_nvrtc(int driver_version = 0);
SharedLibrary open_cublas(int driver_version = 0);
SharedLibrary open_cusolver(int driver_version = 0);
SharedLibrary open_cufft(int driver_version = 0);

// A library that is built with gpy: from GPY_CUDA_PATH, from where gpy itself lies, or from the
// loader's paths.
SharedLibrary open_own_library(const char* name);

// The message that a library of CUDA `major` does not start because the driver is older. Empty if
// it is not.
std::string older_driver(std::string_view library, int major, int driver_version);

// Folders that hold the toolkit's headers, for user kernels that include them.
std::vector<std::string> cuda_include_folders();

// The toolkit's library of code for GPUs that launches kernels from kernels, libcudadevrt.a; empty
// if none was found.
std::string find_device_runtime();

// Folders that may hold the toolkit's programs.
std::vector<std::string> cuda_program_folders();

// False where the library has no such symbol.
template <class Function> bool load_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace gpy::rt::cuda
