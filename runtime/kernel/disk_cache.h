#pragma once

// Compiled kernels between processes: a folder of checksummed files named by the hash of what they
// were compiled from. A folder that cannot be used means no cache, never an error.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/process.h"

namespace gpy::rt {

class DiskCache {
 public:
  static constexpr size_t kDefaultBound = size_t{256} << 20;

  // An empty folder name: nothing is kept.
  explicit DiskCache(std::string folder, size_t bound = kDefaultBound)
      : folder_(std::move(folder)), bound_(bound) {}

  // $GPY_CACHE_DIR, $XDG_CACHE_HOME/gpy or ~/.cache/gpy; empty where there is no home.
  static std::string default_folder();

  // The content stored under `identity`. A damaged file is removed, with a warning for the first.
  std::optional<std::string> load(std::string_view identity);
  void store(std::string_view identity, std::string_view content);
  // Removes content that turned out to be of no use.
  void discard(std::string_view identity);

  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(std::string_view identity) const;
  void warn(const std::string& path, const char* what);
  void evict();

  std::string folder_;
  size_t bound_;
  ForkSafe<std::mutex> mutex_;
  bool warned_ = false;
  int stores_ = 0;
};

}  // namespace gpy::rt
