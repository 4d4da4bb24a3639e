#pragma once

// Bytes in order and at any place, wherever they come from: a file, an archive's member, an open
// file of a script.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpy::rt {

class ByteInput {
 public:
  virtual ~ByteInput() = default;
  // What errors call it.
  virtual const std::string& path() const = 0;
  // The bytes that are left to read; -1 where nobody can tell.
  virtual int64_t left() const = 0;
  // Fills what it can; less than asked for only at the end.
  virtual size_t read(void* to, size_t bytes) = 0;
};

class ByteOutput {
 public:
  virtual ~ByteOutput() = default;
  virtual void write(const void* from, size_t bytes) = 0;
  void write(std::string_view text) { write(text.data(), text.size()); }
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual const std::string& path() const = 0;
  virtual int64_t size() const = 0;
  // As many bytes as there are at `at`, at most `bytes`.
  virtual size_t read_at(int64_t at, void* to, size_t bytes) = 0;
};

}  // namespace gpy::rt
