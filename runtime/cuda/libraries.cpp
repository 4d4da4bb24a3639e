#include "runtime/cuda/libraries.h"

#include <glob.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string_view>

#include "runtime/core/environment.h"
#include "runtime/core/process.h"

namespace gpy::rt::cuda {
namespace {

std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t result;
  if (glob(pattern.c_str(), 0, nullptr, &result) == 0) {
    found.assign(result.gl_pathv, result.gl_pathv + result.gl_pathc);
  }
  globfree(&result);
  return found;
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// The newest first: /usr/local/cuda, then cuda-13.1, cuda-13.0, ...
std::vector<std::string> toolkit_roots() {
  std::vector<std::string> roots = matches("/usr/local/cuda-*");
  std::reverse(roots.begin(), roots.end());
  roots.insert(roots.begin(), "/usr/local/cuda");
  roots.push_back("/opt/cuda");
  return roots;
}

// `nvidia/<package>/` of every Python that may be on this machine.
std::vector<std::string> pip_roots() {
  std::vector<std::string> patterns = {
      "/usr/lib/python3*/*-packages", "/usr/local/lib/python3*/*-packages",
      "/opt/*/lib/python3*/site-packages", "/opt/python3*/lib/python3*/site-packages"};
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string prefix = environment_variable(variable);
    if (!prefix.empty()) patterns.insert(patterns.begin(), prefix + "/lib/python3*/site-packages");
  }
  const std::string home = environment_variable("HOME");
  if (!home.empty()) patterns.push_back(home + "/.local/lib/python3*/site-packages");
  std::vector<std::string> roots;
  for (const std::string& pattern : patterns) append(roots, matches(pattern + "/nvidia/*"));
  return roots;
}

std::vector<std::string> own_folders() {
  const std::string root = environment_variable("GPY_CUDA_PATH");
  if (root.empty()) return {};
  return {root, root + "/lib64", root + "/lib", root + "/targets/x86_64-linux/lib"};
}

std::vector<std::string> known_folders() {
  std::vector<std::string> folders;
  for (const std::string& root : toolkit_roots()) {
    folders.push_back(root + "/lib64");
    folders.push_back(root + "/targets/x86_64-linux/lib");
  }
  for (const std::string& root : pip_roots()) folders.push_back(root + "/lib");
  return folders;
}

SharedLibrary open_in(const std::vector<std::string>& folders,
                      std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const std::string& folder : folders) {
      const std::string path = folder + "/" + name;
      if (access(path.c_str(), R_OK) != 0) continue;
      if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, path};
    }
  }
  return {};
}

}  // namespace

static SharedLibrary find_cuda_library(std::initializer_list<const char*> names) {
  if (SharedLibrary own = open_in(own_folders(), names); own.handle) return own;
  // A GPY_CUDA_PATH that names no folder at all turns the search off, which tests rely on.
  if (environment_variable("GPY_CUDA_PATH") == "none") return {};
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return {handle, name};
  }
  return open_in(known_folders(), names);
}

// Registers an opened library with install_exit_handler() once.
static SharedLibrary installed(SharedLibrary found) {
  if (!found.handle) return found;
  static std::set<void*>& seen = *new std::set<void*>;
  static ForkSafe<std::mutex>& mutex = *new ForkSafe<std::mutex>;
  const std::lock_guard lock(mutex);
  if (seen.insert(found.handle).second) install_exit_handler();
  return found;
}

SharedLibrary open_cuda_library(std::initializer_list<const char*> names) {
  return installed(find_cuda_library(names));
}

// The folder of the program or library that this code is in, and gpy's library folder below it.
static std::vector<std::string> gpys_folders() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<const void*>(&gpys_folders), &here) || !here.dli_fname) return {};
  std::string path = here.dli_fname;
  char program[PATH_MAX];
  if (const ssize_t length = readlink("/proc/self/exe", program, sizeof(program));
      length > 0 && access(path.c_str(), R_OK) != 0) {
    path.assign(program, length);
  }
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  return {folder, folder + "/" GPY_LIBRARY_FOLDER};
}

SharedLibrary open_own_library(const char* name) {
  if (SharedLibrary own = open_in(own_folders(), {name}); own.handle) return installed(own);
  if (environment_variable("GPY_CUDA_PATH") == "none") return {};
  if (SharedLibrary near = open_in(gpys_folders(), {name}); near.handle) return installed(near);
  void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  return installed({handle, name});
}

// Opens the newest version, except for a driver that is older than that.
static SharedLibrary open_for(int driver_version, const char* of_cuda_13, const char* of_cuda_12,
                              const char* any) {
  if (driver_version > 0 && driver_version < 13000) {
    if (SharedLibrary fitting = open_cuda_library({of_cuda_12}); fitting.handle) return fitting;
  }
  return open_cuda_library({of_cuda_13, of_cuda_12, any});
}

SharedLibrary open_nvrtc(int driver_version) {
  return open_for(driver_version, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");
}

SharedLibrary open_cublas(int driver_version) {
  return open_for(driver_version, "libcublas.so.13", "libcublas.so.12", "libcublas.so");
}

SharedLibrary open_cusolver(int driver_version) {
  return open_for(driver_version, "libcusolver.so.12", "libcusolver.so.11", "libcusolver.so");
}

SharedLibrary open_cufft(int driver_version) {
  return open_for(driver_version, "libcufft.so.12", "libcufft.so.11", "libcufft.so");
}

std::string older_driver(std::string_view library, int major, int driver_version) {
  if (driver_version >= major * 1000) return "";
  return fmt::format(
      "the NVIDIA driver (for CUDA {}.{}) is older than {} of CUDA {}, which does not start",
      driver_version / 1000, driver_version % 1000 / 10, library, major);
}

// The user's own choice first.
static std::vector<std::string> all_roots() {
  std::vector<std::string> roots = toolkit_roots();
  append(roots, pip_roots());
  const std::string own = environment_variable("GPY_CUDA_PATH");
  if (!own.empty()) roots.insert(roots.begin(), own);
  return roots;
}

std::vector<std::string> cuda_program_folders() {
  std::vector<std::string> folders = all_roots();
  for (std::string& each : folders) each += "/bin";
  return folders;
}

std::string find_device_runtime() {
  std::vector<std::string> folders = own_folders();
  append(folders, known_folders());
  for (const std::string& root : toolkit_roots()) folders.push_back(root + "/lib");
  folders.emplace_back("/usr/lib/x86_64-linux-gnu");
  for (const std::string& folder : folders) {
    std::string path = folder + "/libcudadevrt.a";
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

std::vector<std::string> cuda_include_folders() {
  for (const std::string& root : all_roots()) {
    for (const char* folder : {"/include", "/targets/x86_64-linux/include"}) {
      const std::string include = root + folder;
      if (access((include + "/cuda_fp16.h").c_str(), R_OK) != 0) continue;
      return {include, include + "/cccl"};
    }
  }
  return {};
}

}  // namespace gpy::rt::cuda
