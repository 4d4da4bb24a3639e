#include "runtime/kernel/disk_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "runtime/core/environment.h"
#include "runtime/core/notes.h"
#include "runtime/kernel/cache_files.h"
#include "runtime/kernel/kernel_file.h"
#include "runtime/kernel/private_folder.h"

namespace gpy::rt {
namespace {

// Scanning the folder is slow; it may exceed the bound by what this many stores add to it.
constexpr int kStoresBetweenScans = 64;

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

}  // namespace

DiskCache::DiskCache(std::string folder, std::string kind, size_t bound)
    : folder_(std::move(folder)), kind_(std::move(kind)), bound_(bound) {}

std::string DiskCache::default_folder() {
  if (std::string own = environment_variable("GPY_CACHE_DIR"); !own.empty()) return own;
  if (std::string xdg = environment_variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/gpy";
  if (std::string home = environment_variable("HOME"); !home.empty()) return home + "/.cache/gpy";
  return "";
}

// Asked each time: the folder may have been made, or its owner changed, meanwhile.
bool DiskCache::is_usable() {
  if (folder_.empty() || bound_ == 0) return false;
  const std::string why_not = why_untrusted(folder_);
  if (why_not.empty()) return true;
  const bool is_folder = std::filesystem::is_directory(folder_);
  if (is_folder) warn(fmt::format("compiled kernels are not kept: {} {}", folder_, why_not));
  return false;
}

std::string DiskCache::path_of(std::string_view identity) const {
  return cache_path(folder_, KernelKey::of(identity), kind_);
}

std::optional<std::string> DiskCache::load(std::string_view identity) {
  if (!is_usable()) return std::nullopt;
  const std::string path = path_of(identity);
  KernelFile file = read_kernel_file(path, KernelKey::of(identity));
  if (file.state == KernelFileState::kGood) return std::move(file.content);
  if (file.state == KernelFileState::kAbsent) return std::nullopt;
  const bool damaged = file.state == KernelFileState::kDamaged;
  warn(fmt::format("the cached kernel {} {} and will be made again", path,
                   damaged ? "is damaged" : "may be another user's"));
  discard(identity);
  return std::nullopt;
}

// A kernel that would take most of the room is not kept: all others would have to go.
void DiskCache::store(std::string_view identity, std::string_view content) {
  if (!is_usable() || content.size() + kKernelFileHeader > bound_ / 4 * 3) return;
  const std::string path = path_of(identity);
  if (!make_private_folder(folder_of(path))) return;
  if (!write_kernel_file(path, KernelKey::of(identity), content)) return;
  const std::lock_guard lock(mutex_);
  if (stores_++ % kStoresBetweenScans == 0) shrink_cache(folder_, bound_);
}

void DiskCache::discard(std::string_view identity) {
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove(path_of(identity), error);
}

CompileTurn DiskCache::turn(std::string_view identity) {
  if (!is_usable()) return {};
  const std::string path = path_of(identity);
  if (!make_private_folder(folder_of(path))) return {};
  return {path + ".lock", compile_seconds()};
}

void DiskCache::warn(const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(warned_, true)) return;
  }
  note_warning(what);
}

}  // namespace gpy::rt
