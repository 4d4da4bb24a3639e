#pragma once

// Whole files in and out. A file is written beside its name and renamed when complete, so that
// nothing half-written is ever seen; errors are kOs in Python's words, "[Errno 2] No such ...".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/byte_stream.h"

namespace gpy::rt {

// A file open for reading.
class InputFile final : public ByteInput {
 public:
  explicit InputFile(std::string path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() override;

  const std::string& path() const override { return path_; }
  // The bytes it holds; of a pipe or a device, which cannot tell, -1.
  int64_t size() const;
  int64_t left() const override;
  size_t read(void* to, size_t bytes) override;
  std::string read_all();

 private:
  std::string path_;
  int descriptor_;
  int64_t position_ = 0;
};

// What is left of an input, or `most` bytes of it, all for a negative number.
std::string read_rest(ByteInput& input, int64_t most = -1);

std::string read_file(const std::string& path);

class OutputFile final : public ByteOutput {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // A file that was not committed disappears.
  ~OutputFile() override;

  using ByteOutput::write;
  void write(const void* from, size_t bytes) override;
  // Puts the file in its place.
  void commit();

 private:
  void close();

  std::string path_;
  std::string target_;     // where links lead to
  std::string temporary_;  // empty: written in place (a pipe, a device)
  int descriptor_ = -1;
};

void write_file(const std::string& path, std::string_view bytes);

}  // namespace gpy::rt
