#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/io/zip.h"

namespace gpy::rt {
namespace {

constexpr int64_t kMaxNarrow = 0xfffffffe;
constexpr uint64_t kInWide = 0xffffffff;
constexpr size_t kMaxName = 0xffff;
constexpr size_t kMaxNarrowCount = 0xfffe;
constexpr int kStored = 0, kDeflated = 8;
constexpr int kSizesFollow = 8, kUtf8Name = 0x800;
constexpr int kVersion = 20, kWideVersion = 45;
constexpr int kMadeOnUnix = 3 << 8;
constexpr uint64_t kDate = 0x21;  // 1 January 1980, as NumPy's archives have it
constexpr uint64_t kReadableByAll = uint64_t{0600} << 16;

// Numbers of `size` bytes each, in the format's order.
class Record {
 public:
  Record& put(uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> 8 * i);
    return *this;
  }
  Record& put(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

uint64_t narrow(int64_t value) {
  return value > kMaxNarrow ? kInWide : static_cast<uint64_t>(value);
}

// Deflating may make a member that just fits too large: half of the range is left for that.
bool has_wide_sizes(const ZipMember& member) { return member.size > kMaxNarrow / 2; }

Record start_of(const ZipMember& member, bool is_wide) {
  Record record;
  record.put(is_wide ? kWideVersion : kVersion, 2).put(member.flags, 2).put(member.method, 2);
  return record.put(0, 2).put(kDate, 2);
}

std::string local_header(const ZipMember& member) {
  const bool follow = member.flags & kSizesFollow, is_wide = has_wide_sizes(member);
  const uint64_t size = follow ? 0 : member.size, packed = follow ? 0 : member.packed_size;
  Record record;
  record.put("PK\3\4").put(start_of(member, is_wide).bytes()).put(follow ? 0 : member.crc, 4);
  record.put(is_wide ? kInWide : packed, 4).put(is_wide ? kInWide : size, 4);
  record.put(member.name.size(), 2).put(is_wide ? 20 : 0, 2).put(member.name);
  if (is_wide) record.put(1, 2).put(16, 2).put(size, 8).put(packed, 8);
  return record.bytes();
}

std::string sizes_after(const ZipMember& member) {
  const int width = has_wide_sizes(member) ? 8 : 4;
  Record record;
  record.put("PK\7\10").put(member.crc, 4).put(member.packed_size, width).put(member.size, width);
  return record.bytes();
}

std::string directory_entry(const ZipMember& member) {
  Record wide;
  for (const int64_t value : {member.size, member.packed_size, member.offset}) {
    if (value > kMaxNarrow) wide.put(static_cast<uint64_t>(value), 8);
  }
  const size_t extra = wide.bytes().empty() ? 0 : 4 + wide.bytes().size();
  const bool is_wide = extra > 0 || has_wide_sizes(member);
  Record record;
  record.put("PK\1\2").put(kMadeOnUnix | kVersion, 2).put(start_of(member, is_wide).bytes());
  record.put(member.crc, 4).put(narrow(member.packed_size), 4).put(narrow(member.size), 4);
  record.put(member.name.size(), 2).put(extra, 2).put(0, 2).put(0, 2).put(0, 2);
  record.put(kReadableByAll, 4).put(narrow(member.offset), 4).put(member.name);
  if (extra > 0) record.put(1, 2).put(wide.bytes().size(), 2).put(wide.bytes());
  return record.bytes();
}

// What holds the numbers that the record at the end has no room for.
std::string wide_end(uint64_t count, uint64_t size, uint64_t offset) {
  Record record;
  record.put(std::string_view("PK\6\6", 4)).put(44, 8).put(kWideVersion, 2).put(kWideVersion, 2);
  record.put(0, 4).put(0, 4).put(count, 8).put(count, 8).put(size, 8).put(offset, 8);
  return record.put(std::string_view("PK\6\7", 4))
      .put(0, 4)
      .put(offset + size, 8)
      .put(1, 4)
      .bytes();
}

std::string end_of(uint64_t count, uint64_t size, uint64_t offset) {
  Record record;
  record.put("PK\5\6").put(0, 2).put(0, 2);
  for (int i = 0; i < 2; ++i) record.put(std::min<uint64_t>(count, 0xffff), 2);
  return record.put(narrow(size), 4).put(narrow(offset), 4).put(0, 2).bytes();
}

class CountingOutput final : public ByteOutput {
 public:
  explicit CountingOutput(ByteOutput& to) : to_(to) {}
  using ByteOutput::write;
  void write(const void* from, size_t bytes) override {
    to_.write(from, bytes);
    count_ += static_cast<int64_t>(bytes);
  }
  int64_t count() const { return count_; }

 private:
  ByteOutput& to_;
  int64_t count_ = 0;
};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  to_.write(bytes);
  position_ += std::ssize(bytes);
}

void ZipWriter::write_deflated(ZipMember& member, std::span<const std::string_view> pieces) {
  CountingOutput counted(to_);
  DeflatedOutput deflated(counted, Wrapping::kNone);
  for (const std::string_view piece : pieces) deflated.write(piece);
  deflated.finish();
  member.packed_size = counted.count();
  position_ += counted.count();
  write(sizes_after(member));
}

void ZipWriter::add(const std::string& name, std::span<const std::string_view> pieces,
                    bool compresses) {
  if (name.size() > kMaxName) {
    fail(ErrorKind::kValue, "the name of a member has at most {} bytes", kMaxName);
  }
  ZipMember member{.name = name, .method = compresses ? kDeflated : kStored, .offset = position_};
  member.flags = (compresses ? kSizesFollow : 0) | (is_ascii(name) ? 0 : kUtf8Name);
  for (const std::string_view piece : pieces) {
    member.crc = crc32_of(member.crc, piece.data(), piece.size());
    member.size += std::ssize(piece);
  }
  member.packed_size = member.size;
  write(local_header(member));
  if (compresses) {
    write_deflated(member, pieces);
  } else {
    for (const std::string_view piece : pieces) write(piece);
  }
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const auto offset = static_cast<uint64_t>(position_);
  for (const ZipMember& member : members_) write(directory_entry(member));
  const uint64_t size = static_cast<uint64_t>(position_) - offset, count = members_.size();
  const auto is_wide = [](uint64_t value) { return value > static_cast<uint64_t>(kMaxNarrow); };
  if (count > kMaxNarrowCount || is_wide(size) || is_wide(offset)) {
    write(wide_end(count, size, offset));
  }
  write(end_of(count, size, offset));
}

}  // namespace gpy::rt
