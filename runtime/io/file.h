#pragma once

// Whole files in and out. A file is written beside its name and renamed when complete, so that
// nothing half-written is ever seen; errors are kOs in Python's words, "[Errno 2] No such ...".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpy::rt {

// A file open for reading.
class InputFile {
 public:
  explicit InputFile(std::string path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }
  // The bytes it holds; of a pipe or a device, which cannot tell, -1.
  int64_t size() const;
  // Fills what it can; less than asked for only at the end of the file.
  size_t read(void* to, size_t bytes);
  std::string read_all();

 private:
  std::string path_;
  int descriptor_;
};

std::string read_file(const std::string& path);

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // A file that was not committed disappears.
  ~OutputFile();

  void write(const void* from, size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
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
