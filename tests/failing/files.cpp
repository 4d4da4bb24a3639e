// Files that fail: gpy's system calls come here by the linker's --wrap. Where a stream is
// concerned the call is carried out on a full device, or on a folder, so that the C library says of
// reports the failure as it does a real one.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "tests/failing/switch.h"

using gpy::test::failing::failing;
using gpy::test::failing::What;

namespace {

template <class T> T refuse(int number, T result) {
  errno = number;
  return result;
}

// Replaces the stream's file by one on which all calls of a kind fail, while this lives.
class Broken {
 public:
  Broken(FILE* stream, const char* path, int flags) : at_(fileno(stream)), before_(dup(at_)) {
    const int other = ::openat(AT_FDCWD, path, flags);
    dup2(other, at_);
    ::close(other);
  }
  ~Broken() {
    dup2(before_, at_);
    ::close(before_);
  }
  Broken(const Broken&) = delete;
  Broken& operator=(const Broken&) = delete;

 private:
  int at_, before_;
};

struct FullDisk : Broken {
  explicit FullDisk(FILE* stream) : Broken(stream, "/dev/full", O_WRONLY) {}
};
struct BadDisk : Broken {
  explicit BadDisk(FILE* stream) : Broken(stream, "/", O_RDONLY) {}
};

}  // namespace

extern "C" {

#define GPY_WRAPPED(result, name, ...) \
  result __real_##name(__VA_ARGS__);   \
  result __wrap_##name(__VA_ARGS__)

GPY_WRAPPED(int, open, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return failing(What::files) ? refuse(EMFILE, -1) : __real_open(path, flags, mode);
}

GPY_WRAPPED(ssize_t, read, int file, void* to, size_t bytes) {
  return failing(What::files) ? refuse(EIO, -1) : __real_read(file, to, bytes);
}

GPY_WRAPPED(ssize_t, write, int file, const void* from, size_t bytes) {
  return failing(What::files) ? refuse(ENOSPC, -1) : __real_write(file, from, bytes);
}

GPY_WRAPPED(int, rename, const char* from, const char* to) {
  return failing(What::files) ? refuse(ENOSPC, -1) : __real_rename(from, to);
}

GPY_WRAPPED(int, mkdir, const char* path, mode_t mode) {
  return failing(What::files) ? refuse(ENOSPC, -1) : __real_mkdir(path, mode);
}

GPY_WRAPPED(int, ftruncate, int file, off_t bytes) {
  return failing(What::files) ? refuse(EIO, -1) : __real_ftruncate(file, bytes);
}

GPY_WRAPPED(void*, mmap, void* at, size_t bytes, int protection, int flags, int file, off_t from) {
  if (failing(What::files)) return refuse(ENOMEM, MAP_FAILED);
  return __real_mmap(at, bytes, protection, flags, file, from);
}

GPY_WRAPPED(FILE*, fopen, const char* path, const char* mode) {
  return failing(What::files) ? refuse<FILE*>(EMFILE, nullptr) : __real_fopen(path, mode);
}

GPY_WRAPPED(size_t, fread, void* to, size_t size, size_t count, FILE* stream) {
  if (!failing(What::files)) return __real_fread(to, size, count, stream);
  const BadDisk broken(stream);
  return __real_fread(to, size, count, stream);
}

GPY_WRAPPED(size_t, fwrite, const void* from, size_t size, size_t count, FILE* stream) {
  if (!failing(What::files)) return __real_fwrite(from, size, count, stream);
  const FullDisk broken(stream);
  return __real_fwrite(from, size, count, stream);
}

GPY_WRAPPED(int, fflush, FILE* stream) {
  if (!stream || !failing(What::files)) return __real_fflush(stream);
  const FullDisk broken(stream);
  return __real_fflush(stream);
}

GPY_WRAPPED(int, fseek, FILE* stream, long offset, int whence) {
  return failing(What::files) ? refuse(EIO, -1) : __real_fseek(stream, offset, whence);
}

// The text still to be written is lost, and the file is closed all the same.
GPY_WRAPPED(int, fclose, FILE* stream) {
  if (!failing(What::files)) return __real_fclose(stream);
  int flushed;
  {
    const FullDisk broken(stream);
    flushed = __real_fflush(stream);
  }
  const int number = errno;
  __real_fclose(stream);
  return flushed == 0 ? 0 : refuse(number, flushed);
}

#undef GPY_WRAPPED
}
