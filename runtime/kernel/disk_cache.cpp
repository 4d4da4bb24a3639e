#include "runtime/kernel/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "runtime/core/environment.h"
#include "runtime/core/notes.h"

namespace gpy::rt {
namespace fs = std::filesystem;
namespace {

// Scanning the folder is slow; it may exceed the bound by what this many stores add to it.
constexpr int kStoresBetweenEvictions = 64;
constexpr auto kAbandoned = std::chrono::hours(1);
constexpr std::string_view kTemporary = ".tmp";

struct Header {
  char magic[8] = {'G', 'P', 'Y', 'K', 'E', 'R', 'N', '1'};
  uint64_t bytes = 0;
  XXH64_hash_t checksum = 0;
};

// Reads a whole file, as far as it can; nothing of a folder.
std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

std::optional<std::string> checked(const std::string& bytes) {
  Header found;
  if (bytes.size() < sizeof(found)) return std::nullopt;
  std::memcpy(&found, bytes.data(), sizeof(found));
  std::string content = bytes.substr(sizeof(found));
  if (std::memcmp(found.magic, Header().magic, sizeof(found.magic)) != 0) return std::nullopt;
  if (found.bytes != content.size()) return std::nullopt;
  if (found.checksum != XXH3_64bits(content.data(), content.size())) return std::nullopt;
  return content;
}

// The file appears under its name whole or not at all, whoever else writes it at the same time.
bool write_atomically(const std::string& path, std::string_view content) {
  static std::atomic<int> serial{0};
  const std::string temporary = fmt::format("{}.{}.{}{}", path, getpid(), serial++, kTemporary);
  Header header;
  header.bytes = content.size();
  header.checksum = XXH3_64bits(content.data(), content.size());
  std::ofstream file(temporary, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof(header));
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  std::error_code error;
  if (file) fs::rename(temporary, path, error);
  if (!file || error) {
    fs::remove(temporary, error);
    return false;
  }
  return true;
}

}  // namespace

std::string DiskCache::default_folder() {
  if (std::string own = environment_variable("GPY_CACHE_DIR"); !own.empty()) return own;
  if (std::string xdg = environment_variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/gpy";
  if (std::string home = environment_variable("HOME"); !home.empty()) return home + "/.cache/gpy";
  return "";
}

std::string DiskCache::path_of(std::string_view identity) const {
  const XXH128_hash_t hash = XXH3_128bits(identity.data(), identity.size());
  const std::string name = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  return fmt::format("{}/{}/{}", folder_, name.substr(0, 2), name.substr(2));
}

std::optional<std::string> DiskCache::load(std::string_view identity) {
  if (folder_.empty()) return std::nullopt;
  const std::string path = path_of(identity);
  if (access(path.c_str(), F_OK) != 0) return std::nullopt;
  std::optional<std::string> content = checked(read_file(path));
  if (!content) {
    warn(path, "is damaged and will be made again");
    discard(identity);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // the least recently used go first
  return content;
}

void DiskCache::store(std::string_view identity, std::string_view content) {
  if (folder_.empty()) return;
  const std::string path = path_of(identity);
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error || !write_atomically(path, content)) return;
  const std::lock_guard lock(mutex_);
  if (stores_++ % kStoresBetweenEvictions == 0) evict();
}

void DiskCache::discard(std::string_view identity) {
  std::error_code error;
  if (!folder_.empty()) fs::remove(path_of(identity), error);
}

void DiskCache::warn(const std::string& path, const char* what) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(warned_, true)) return;
  }
  note_warning(fmt::format("the cached kernel {} {}", path, what));
}

// Removes the oldest files first, down to three quarters, so that the next store need not.
void DiskCache::evict() {
  struct Entry {
    fs::file_time_type used;
    size_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  size_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    Entry entry{at->last_write_time(gone), static_cast<size_t>(at->file_size(gone)), at->path()};
    if (gone) continue;
    if (entry.path.extension() == kTemporary) {
      if (now - entry.used > kAbandoned) fs::remove(entry.path, gone);
      continue;
    }
    total += entry.bytes;
    entries.push_back(std::move(entry));
  }
  if (total <= bound_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= bound_ / 4 * 3) break;
    std::error_code gone;
    fs::remove(entry.path, gone);
    total -= entry.bytes;
  }
}

}  // namespace gpy::rt
