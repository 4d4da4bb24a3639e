#pragma once

// The files of a cache's folder: kernels in subfolders by the first two digits of their keys, and
// what stores in progress have there. All else in the folder is somebody else's and not touched.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel/kernel_file.h"

namespace gpy::rt {

struct CacheFile {
  std::filesystem::path path;
  std::string kind;        // of a kernel: "cpu", "cuda"; "other": of another version of gpy
  bool is_kernel = false;  // false: a lock, or a kernel that is being written
  size_t bytes = 0;
  std::filesystem::file_time_type used = {};
};

// FOLDER/0a/1b...f.cpu
std::string cache_path(const std::string& folder, const KernelKey& key, std::string_view kind);

// Links are not followed. Nothing where the folder cannot be read.
std::vector<CacheFile> cache_files(const std::string& folder);

struct Cleared {
  size_t kernels = 0, bytes = 0;
  size_t left = 0;  // that could not be removed
};
// Removes the kernels that were not used within `age` (all: nullopt), and with all of them what
// else the cache has there, subfolders included.
Cleared clear_cache(const std::string& folder, std::optional<std::chrono::seconds> age);

// Removes the least recently used kernels of a folder that holds more than `bound` bytes, down to
// three quarters of it, and what killed processes left.
void shrink_cache(const std::string& folder, size_t bound);

}  // namespace gpy::rt
