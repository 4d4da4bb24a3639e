#pragma once

// A part of a file as memory.

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpy::rt {

enum class MapMode : uint8_t {
  kRead,         // writing to the memory is a fault
  kReadWrite,    // what is written reaches the file, which grows where it is too short
  kCreate,       // the same over a new file, or one that is emptied
  kCopyOnWrite,  // what is written stays in memory
};

class MappedFile {
 public:
  // `bytes` from `offset` on; -1: all that the file holds behind it. Throws kOs, kValue where the
  // file is too short to be read.
  MappedFile(std::string path, MapMode mode, int64_t offset, int64_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::byte* data() const { return memory_ + lead_; }
  int64_t bytes() const { return bytes_; }
  // Writes what has changed to the file.
  void flush();

 private:
  void map(int descriptor, MapMode mode, int64_t offset);

  std::string path_;
  std::byte* memory_ = nullptr;  // from a border of pages on
  int64_t lead_ = 0;             // bytes from there to the offset
  int64_t bytes_ = 0;
};

}  // namespace gpy::rt
