#pragma once

// The file of one compiled kernel on disk: a header with the kernel's key and a checksum, then the
// code. It appears under its name whole or not at all, and is believed only if this user alone can
// have written it, since what it holds is run.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpy::rt {

// The hash of what a kernel was compiled from.
struct KernelKey {
  uint64_t high = 0, low = 0;
  bool operator==(const KernelKey&) const = default;

  static KernelKey of(std::string_view identity);
  // 32 hexadecimal digits.
  std::string text() const;
};

enum class KernelFileState : uint8_t { kGood, kAbsent, kDamaged, kForeign };

// The content, and whether it can be used: a foreign file belongs to another user, or others can
// write it.
struct KernelFile {
  KernelFileState state = KernelFileState::kAbsent;
  std::string content = {};
};

KernelFile read_kernel_file(const std::string& path, const KernelKey& key);
// False where it cannot be written; nothing is left behind then.
bool write_kernel_file(const std::string& path, const KernelKey& key, std::string_view content);

// Bytes of a file beside the content.
extern const size_t kKernelFileHeader;

}  // namespace gpy::rt
