#include "runtime/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/core/error_facts.h"

namespace gpy::rt {

namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags, 0666)) {
    if (number_ < 0) throw OsError(errno, path);
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

int flags_of(MapMode mode) {
  switch (mode) {
    case MapMode::kRead:
    case MapMode::kCopyOnWrite: return O_RDONLY | O_CLOEXEC;
    case MapMode::kReadWrite: return O_RDWR | O_CLOEXEC;
    case MapMode::kCreate: break;
  }
  return O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
}

int64_t size_of(int descriptor, const std::string& path) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) throw OsError(errno, path);
  return status.st_size;
}

}  // namespace

MappedFile::MappedFile(std::string path, MapMode mode, int64_t offset, int64_t bytes)
    : path_(std::move(path)) {
  const Descriptor file(path_, flags_of(mode));
  const int64_t held = size_of(file.number(), path_);
  bytes_ = bytes < 0 ? held - offset : bytes;
  if (bytes_ < 0) throw Error(ErrorKind::kValue, "offset is greater than file size");
  if (offset + bytes_ > held) {
    if (mode == MapMode::kRead || mode == MapMode::kCopyOnWrite) {
      throw Error(ErrorKind::kValue, "mmap length is greater than file size");
    }
    if (ftruncate(file.number(), offset + bytes_) != 0) throw OsError(errno, path_);
  }
  if (bytes_ > 0) map(file.number(), mode, offset);
}

void MappedFile::map(int descriptor, MapMode mode, int64_t offset) {
  lead_ = offset % sysconf(_SC_PAGESIZE);
  const int protection = mode == MapMode::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  const int sharing = mode == MapMode::kCopyOnWrite ? MAP_PRIVATE : MAP_SHARED;
  void* memory = mmap(nullptr, static_cast<size_t>(lead_ + bytes_), protection, sharing, descriptor,
                      offset - lead_);
  if (memory == MAP_FAILED) throw OsError(errno, path_);
  memory_ = static_cast<std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (memory_) munmap(memory_, static_cast<size_t>(lead_ + bytes_));
}

void MappedFile::flush() {
  if (memory_ && msync(memory_, static_cast<size_t>(lead_ + bytes_), MS_SYNC) != 0) {
    throw OsError(errno, path_);
  }
}

}  // namespace gpy::rt
