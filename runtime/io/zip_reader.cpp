#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/io/zip.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

constexpr uint32_t kLocalMark = 0x04034b50, kEntryMark = 0x02014b50, kEndMark = 0x06054b50,
                   kWideEndMark = 0x06064b50, kWideLocatorMark = 0x07064b50;
constexpr int64_t kLocalSize = 30, kEntrySize = 46, kEndSize = 22, kWideEndSize = 56,
                  kWideLocatorSize = 20;
constexpr int64_t kMaxComment = 0xffff;
constexpr uint32_t kInWide = 0xffffffff;  // the field's value is in the record of 64-bit sizes
constexpr int kStored = 0, kDeflated = 8;
constexpr int kEncrypted = 1;
constexpr int64_t kBestRatio = 1032;  // of DEFLATE

template <class... Args>
[[noreturn]] void fail_archive(const std::string& path, fmt::format_string<Args...> text,
                               Args&&... args) {
  fail(ErrorKind::kValue, "{}: {}", path, fmt::format(text, std::forward<Args>(args)...));
}

uint64_t number_at(std::string_view bytes, int64_t at, int size) {
  uint64_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
int half(std::string_view bytes, int64_t at) { return static_cast<int>(number_at(bytes, at, 2)); }
uint32_t word(std::string_view bytes, int64_t at) {
  return static_cast<uint32_t>(number_at(bytes, at, 4));
}

std::string bytes_at(ByteSource& archive, int64_t at, int64_t size) {
  if (at < 0 || size < 0 || at > archive.size() || size > archive.size() - at) {
    fail_archive(archive.path(), "the archive is damaged or ends early");
  }
  const Charge room(static_cast<size_t>(size));
  std::string bytes(static_cast<size_t>(size), '\0');
  bytes.resize(archive.read_at(at, bytes.data(), bytes.size()));
  if (std::ssize(bytes) < size) fail_archive(archive.path(), "the archive ends early");
  return bytes;
}

// Where the directory lies, by what the archive's end says.
struct Directory {
  uint64_t count, size, offset;
  int64_t end;  // where the records about it begin
};

void read_wide(ByteSource& archive, Directory& directory) {
  const int64_t locator = directory.end - kWideLocatorSize;
  if (locator < kWideEndSize) return;
  const std::string found = bytes_at(archive, locator, kWideLocatorSize);
  if (word(found, 0) != kWideLocatorMark) return;
  const int64_t at = locator - kWideEndSize;
  const std::string end = bytes_at(archive, at, kWideEndSize);
  if (word(end, 0) != kWideEndMark) fail_archive(archive.path(), "the archive is damaged");
  directory = {number_at(end, 32, 8), number_at(end, 40, 8), number_at(end, 48, 8), at};
}

Directory find_directory(ByteSource& archive) {
  const int64_t start = std::max<int64_t>(archive.size() - kEndSize - kMaxComment, 0);
  const std::string tail = bytes_at(archive, start, archive.size() - start);
  for (int64_t at = std::ssize(tail) - kEndSize; at >= 0; --at) {
    if (word(tail, at) != kEndMark) continue;
    if (at + kEndSize + half(tail, at + 20) != std::ssize(tail)) continue;
    Directory directory{number_at(tail, at + 10, 2), word(tail, at + 12), word(tail, at + 16),
                        start + at};
    read_wide(archive, directory);
    return directory;
  }
  fail_archive(archive.path(), "not a .zip archive, or one that ends early");
}

// Replaces the fields that did not fit by those of the extra field with number 1.
void read_wide_fields(std::string_view extra, ZipMember& member, uint32_t packed, uint32_t size,
                      uint32_t offset) {
  while (extra.size() >= 4) {
    const size_t length = half(extra, 2);
    if (extra.size() < 4 + length) return;
    std::string_view field = extra.substr(4, length);
    const bool is_wide = half(extra, 0) == 1;
    extra.remove_prefix(4 + length);
    if (!is_wide) continue;
    const auto take = [&](uint32_t narrow, int64_t& value) {
      if (narrow != kInWide || field.size() < 8) return;
      value = static_cast<int64_t>(number_at(field, 0, 8));
      field.remove_prefix(8);
    };
    take(size, member.size);
    take(packed, member.packed_size);
    take(offset, member.offset);
  }
}

// The entry at `at`, which moves behind it.
ZipMember read_entry(std::string_view entries, int64_t& at, const std::string& path) {
  const auto left = std::ssize(entries) - at;
  if (left < kEntrySize || word(entries, at) != kEntryMark) {
    fail_archive(path, "the archive's directory is damaged");
  }
  const int name = half(entries, at + 28), extra = half(entries, at + 30),
            comment = half(entries, at + 32);
  if (left < kEntrySize + name + extra + comment) {
    fail_archive(path, "the archive's directory is damaged");
  }
  const uint32_t packed = word(entries, at + 20), size = word(entries, at + 24),
                 offset = word(entries, at + 42);
  ZipMember member{.name = std::string(entries.substr(at + kEntrySize, name)),
                   .method = half(entries, at + 10),
                   .flags = half(entries, at + 8),
                   .crc = word(entries, at + 16),
                   .packed_size = packed,
                   .size = size,
                   .offset = offset};
  read_wide_fields(entries.substr(at + kEntrySize + name, extra), member, packed, size, offset);
  at += kEntrySize + name + extra + comment;
  return member;
}

}  // namespace

std::vector<ZipMember> read_zip_directory(ByteSource& archive) {
  const Directory directory = find_directory(archive);
  const auto end = static_cast<uint64_t>(directory.end);
  if (directory.size > end || directory.offset > end - directory.size) {
    fail_archive(archive.path(), "the archive's directory is damaged");
  }
  // Something may stand before an archive; places are counted from its own start.
  const auto before = static_cast<int64_t>(end - directory.size - directory.offset);
  const std::string entries =
      bytes_at(archive, before + static_cast<int64_t>(directory.offset), directory.size);
  std::vector<ZipMember> members;
  for (int64_t at = 0; at < std::ssize(entries);) {
    poll_interrupt();
    members.push_back(read_entry(entries, at, archive.path()));
    if (members.back().offset < 0 || members.back().offset > directory.end - before) {
      fail_archive(archive.path(), "the archive's directory is damaged");
    }
    members.back().offset += before;
  }
  if (members.size() != directory.count) {
    fail_archive(archive.path(), "the archive's directory is damaged");
  }
  return members;
}

ZipMemberInput::ZipMemberInput(ByteSource& archive, const ZipMember& member)
    : path_(archive.path() + ": " + member.name),
      range_(archive, path_),
      left_(member.size),
      crc_(member.crc) {
  if (member.flags & kEncrypted) fail_archive(path_, "the member is encrypted");
  if (member.method != kStored && member.method != kDeflated) {
    fail_archive(path_, "compression method {} is not supported", member.method);
  }
  find_content(archive, member);
  if (member.method == kDeflated) inflated_.emplace(range_, Wrapping::kNone);
  check_whole();
}

void ZipMemberInput::find_content(ByteSource& archive, const ZipMember& member) {
  const std::string header = bytes_at(archive, member.offset, kLocalSize);
  if (word(header, 0) != kLocalMark) fail_archive(path_, "the archive is damaged");
  const int64_t start = member.offset + kLocalSize + half(header, 26) + half(header, 28);
  if (member.packed_size < 0 || start > archive.size() ||
      member.packed_size > archive.size() - start) {
    fail_archive(path_, "the archive ends within the member");
  }
  const int64_t most = member.method == kStored ? member.packed_size
                       : member.packed_size > INT64_MAX / kBestRatio
                           ? INT64_MAX
                           : member.packed_size * kBestRatio;
  if (member.size < 0 || member.size > most) {
    fail_archive(path_, "{} bytes cannot hold a member of {}", member.packed_size, member.size);
  }
  range_.set(start, start + member.packed_size);
}

size_t ZipMemberInput::Range::read(void* to, size_t bytes) {
  const size_t wanted = std::min(bytes, static_cast<size_t>(left()));
  const size_t got = archive_.read_at(at_, to, wanted);
  at_ += static_cast<int64_t>(got);
  return got;
}

size_t ZipMemberInput::read(void* to, size_t bytes) {
  const size_t wanted = std::min(bytes, static_cast<size_t>(left_));
  if (wanted == 0) return 0;
  const size_t got = inflated_ ? inflated_->read(to, wanted) : range_.read(to, wanted);
  if (got < wanted) fail_archive(path_, "the member ends before the size that is declared");
  sum_ = crc32_of(sum_, to, got);
  left_ -= static_cast<int64_t>(got);
  check_whole();
  return got;
}

void ZipMemberInput::check_whole() {
  if (left_ > 0) return;
  char more;
  if (inflated_ ? inflated_->read(&more, 1) > 0 : range_.left() > 0) {
    fail_archive(path_, "the member is larger than the size that is declared");
  }
  if (sum_ != crc_) fail_archive(path_, "the checksum is wrong: the archive is damaged");
}

}  // namespace gpy::rt
