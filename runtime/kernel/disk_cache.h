#pragma once

// Compiled kernels between processes: a folder of checksummed files named by the hash of what they
// were compiled from. A folder that cannot be used means no cache, never an error; one that others
// could write is not used, with a note, since what it holds is run.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/process.h"
#include "runtime/kernel/cache_settings.h"
#include "runtime/kernel/compile_turn.h"

namespace gpy::rt {

class DiskCache {
 public:
  // `kind` of what is kept: "cpu" or "cuda". An empty folder name, or no bytes: nothing is kept.
  DiskCache(std::string folder, std::string kind, size_t bound = cache_bytes());

  // $GPY_CACHE_DIR, $XDG_CACHE_HOME/gpy or ~/.cache/gpy; empty where there is no home.
  static std::string default_folder();

  // The content stored under `identity`. A damaged file is removed, with a warning for the first.
  std::optional<std::string> load(std::string_view identity);
  void store(std::string_view identity, std::string_view content);
  // Removes content that turned out to be of no use.
  void discard(std::string_view identity);

  // The turn to make what `identity` names, once nobody else is at it: load() again then. Throws
  // kInterrupt.
  CompileTurn turn(std::string_view identity);

  const std::string& folder() const { return folder_; }

 private:
  bool is_usable();
  std::string path_of(std::string_view identity) const;
  void warn(const std::string& what);

  std::string folder_, kind_;
  size_t bound_;
  ForkSafe<std::mutex> mutex_;
  bool warned_ = false;
  int stores_ = 0;
};

}  // namespace gpy::rt
