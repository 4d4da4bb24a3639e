#include "runtime/kernel/kernel_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/kernel/private_folder.h"

namespace gpy::rt {
namespace {

struct Header {
  char magic[8] = {'G', 'P', 'Y', 'K', 'E', 'R', 'N', '2'};
  KernelKey key;
  uint64_t bytes = 0;
  XXH64_hash_t checksum = 0;
};

class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  int get() const { return file_; }
  bool close() { return file_ < 0 || ::close(std::exchange(file_, -1)) == 0; }

 private:
  int file_;
};

// Reads as far as it can.
size_t read_all(int file, char* to, size_t bytes) {
  size_t have = 0;
  while (have < bytes) {
    const ssize_t count = read(file, to + have, bytes - have);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    have += static_cast<size_t>(count);
  }
  return have;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

Header header_of(const KernelKey& key, std::string_view content) {
  Header header;
  header.key = key;
  header.bytes = content.size();
  header.checksum = XXH3_64bits(content.data(), content.size());
  return header;
}

// The content behind the header; nothing where either is not as it was written.
std::optional<std::string> read_content(int file, size_t bytes, const KernelKey& key) {
  Header header;
  if (read_all(file, reinterpret_cast<char*>(&header), sizeof(header)) != sizeof(header) ||
      header.bytes + sizeof(header) != bytes)
    return std::nullopt;
  std::string content(header.bytes, '\0');
  if (read_all(file, content.data(), content.size()) != content.size()) return std::nullopt;
  const Header expected = header_of(key, content);
  if (std::memcmp(&header, &expected, sizeof(header)) != 0) return std::nullopt;
  return content;
}

}  // namespace

const size_t kKernelFileHeader = sizeof(Header);

KernelKey KernelKey::of(std::string_view identity) {
  const XXH128_hash_t hash = XXH3_128bits(identity.data(), identity.size());
  return {hash.high64, hash.low64};
}

std::string KernelKey::text() const { return fmt::format("{:016x}{:016x}", high, low); }

KernelFile read_kernel_file(const std::string& path, const KernelKey& key) {
  // A pipe that stands there must not be waited for.
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open())
    return {errno == ELOOP ? KernelFileState::kDamaged : KernelFileState::kAbsent};
  struct stat about {};
  if (fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return {KernelFileState::kDamaged};
  if (!is_users_alone(about)) return {KernelFileState::kForeign};
  auto content = read_content(file.get(), static_cast<size_t>(about.st_size), key);
  if (!content) return {KernelFileState::kDamaged};
  futimens(file.get(), nullptr);  // the least recently used go first
  return {KernelFileState::kGood, std::move(*content)};
}

bool write_kernel_file(const std::string& path, const KernelKey& key, std::string_view content) {
  std::string temporary = path + ".XXXXXX.tmp";
  OpenFile file(mkostemps(temporary.data(), 4, O_CLOEXEC));
  if (!file.is_open()) return false;
  const Header header = header_of(key, content);
  const bool written =
      write_all(file.get(), {reinterpret_cast<const char*>(&header), sizeof(header)}) &&
      write_all(file.get(), content);
  if (file.close() && written && std::rename(temporary.c_str(), path.c_str()) == 0) return true;
  unlink(temporary.c_str());
  return false;
}

}  // namespace gpy::rt
