#include "runtime/kernel/cache_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gpy::rt {
namespace fs = std::filesystem;
namespace {

constexpr size_t kDigitsOfSubfolder = 2, kDigitsOfFile = 30;
constexpr auto kAbandoned = std::chrono::hours(1);

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_subfolder(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code error;
  return name.size() == kDigitsOfSubfolder && is_hexadecimal(name) &&
         entry.symlink_status(error).type() == fs::file_type::directory;
}

// What a file's name says of it; nothing where it is not the cache's.
std::optional<CacheFile> named(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.size() < kDigitsOfFile || !is_hexadecimal(name.substr(0, kDigitsOfFile)))
    return std::nullopt;
  const std::string rest = name.substr(kDigitsOfFile);
  if (rest == ".cpu" || rest == ".cuda") return CacheFile{path, rest.substr(1), true};
  if (rest.empty()) return CacheFile{path, "other", true};
  if (rest[0] != '.' || !(rest.ends_with(".tmp") || rest.ends_with(".lock"))) return std::nullopt;
  return CacheFile{path, "", false};
}

std::optional<CacheFile> cache_file(const fs::directory_entry& entry) {
  std::error_code error;
  if (entry.symlink_status(error).type() != fs::file_type::regular) return std::nullopt;
  std::optional<CacheFile> file = named(entry.path());
  if (!file) return std::nullopt;
  file->bytes = static_cast<size_t>(entry.file_size(error));
  if (!error) file->used = entry.last_write_time(error);
  return error ? std::nullopt : file;  // it has gone meanwhile
}

template <class F> void for_each_in(const fs::path& folder, F&& f) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    f(*at);
}

// A file that somebody else has removed counts as removed.
bool remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  return !error;
}

void remove_empty_subfolders(const std::string& folder) {
  std::vector<fs::path> subfolders;
  for_each_in(folder, [&](const fs::directory_entry& entry) {
    if (is_subfolder(entry)) subfolders.push_back(entry.path());
  });
  for (const fs::path& each : subfolders) remove_file(each);
}

void remove_abandoned(const std::vector<CacheFile>& files) {
  const auto now = fs::file_time_type::clock::now();
  for (const CacheFile& file : files) {
    if (!file.is_kernel && now - file.used > kAbandoned) remove_file(file.path);
  }
}

}  // namespace

std::string cache_path(const std::string& folder, const KernelKey& key, std::string_view kind) {
  const std::string digits = key.text();
  return fmt::format("{}/{}/{}.{}", folder, digits.substr(0, kDigitsOfSubfolder),
                     digits.substr(kDigitsOfSubfolder), kind);
}

std::vector<CacheFile> cache_files(const std::string& folder) {
  std::vector<CacheFile> files;
  for_each_in(folder, [&](const fs::directory_entry& subfolder) {
    if (!is_subfolder(subfolder)) return;
    for_each_in(subfolder.path(), [&](const fs::directory_entry& entry) {
      if (auto file = cache_file(entry)) files.push_back(std::move(*file));
    });
  });
  return files;
}

Cleared clear_cache(const std::string& folder, std::optional<std::chrono::seconds> age) {
  Cleared cleared;
  const auto now = fs::file_time_type::clock::now();
  for (const CacheFile& file : cache_files(folder)) {
    if (age && (!file.is_kernel || now - file.used < *age)) continue;
    const bool removed = remove_file(file.path);
    cleared.left += !removed;
    if (!removed || !file.is_kernel) continue;
    ++cleared.kernels;
    cleared.bytes += file.bytes;
  }
  remove_empty_subfolders(folder);
  return cleared;
}

void shrink_cache(const std::string& folder, size_t bound) {
  std::vector<CacheFile> files = cache_files(folder);
  remove_abandoned(files);
  std::erase_if(files, [](const CacheFile& file) { return !file.is_kernel; });
  size_t total = 0;
  for (const CacheFile& file : files) total += file.bytes;
  if (total <= bound) return;
  std::ranges::sort(files, {}, &CacheFile::used);
  for (const CacheFile& file : files) {
    if (total <= bound / 4 * 3) return;
    remove_file(file.path);
    total -= file.bytes;
  }
}

}  // namespace gpy::rt
