#pragma once

// .zip archives, as .npz files are: stored and deflated members, in either size of the format.

#include <optional>
#include <span>
#include <vector>

#include "runtime/io/deflate.h"

namespace gpy::rt {

struct ZipMember {
  std::string name;
  int method = 0;
  int flags = 0;
  uint32_t crc = 0;
  int64_t packed_size = 0;
  int64_t size = 0;
  int64_t offset = 0;  // of the member's own header
};

// What the directory at the end of an archive lists. Errors name the archive.
std::vector<ZipMember> read_zip_directory(ByteSource& archive);

// A member's content. Its size and checksum are those of the directory, or reading fails; a size
// that no compression reaches fails before anything is read.
class ZipMemberInput final : public ByteInput {
 public:
  ZipMemberInput(ByteSource& archive, const ZipMember& member);

  const std::string& path() const override { return path_; }
  int64_t left() const override { return left_; }
  size_t read(void* to, size_t bytes) override;

 private:
  // The bytes between two places of an archive.
  class Range final : public ByteInput {
   public:
    Range(ByteSource& archive, const std::string& path) : archive_(archive), path_(path) {}
    void set(int64_t at, int64_t end) { at_ = at, end_ = end; }
    const std::string& path() const override { return path_; }
    int64_t left() const override { return end_ - at_; }
    size_t read(void* to, size_t bytes) override;

   private:
    ByteSource& archive_;
    const std::string& path_;
    int64_t at_ = 0, end_ = 0;
  };

  void find_content(ByteSource& archive, const ZipMember& member);
  void check_whole();

  std::string path_;
  Range range_;
  std::optional<InflatedInput> inflated_;
  int64_t left_;
  const uint32_t crc_;
  uint32_t sum_ = 0;
};

class ZipWriter {
 public:
  explicit ZipWriter(ByteOutput& to) : to_(to) {}

  // The pieces are the content, one after another.
  void add(const std::string& name, std::span<const std::string_view> pieces, bool compresses);
  // Writes the directory.
  void finish();

 private:
  void write(std::string_view bytes);
  void write_deflated(ZipMember& member, std::span<const std::string_view> pieces);

  ByteOutput& to_;
  int64_t position_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace gpy::rt
