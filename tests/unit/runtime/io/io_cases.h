#pragma once

// Reading the stored cases of tests/make/io_files.py, and a folder for files to write.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "../text/case_text.h"
#include "runtime/core/dims.h"
#include "runtime/core/error.h"

namespace gpy::rt::io_test {

inline std::string hex_of(const void* data, size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string hex;
  for (size_t i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[bytes[i] >> 4];
    hex += "0123456789abcdef"[bytes[i] & 15];
  }
  return hex;
}

inline Dims dims_from(const std::string& text) {
  Dims dims;
  if (text.empty()) return dims;
  for (const std::string& part : split(text, ',')) dims.push_back(std::stoll(part));
  return dims;
}

inline std::string text_of(const Dims& dims) {
  std::string text;
  for (int i = 0; i < dims.size(); ++i) text += (i ? "," : "") + std::to_string(dims[i]);
  return text;
}

// Lines until the text ends.
inline void for_each_case(const char* cases, const std::function<void(std::string)>& check) {
  std::istringstream in(cases);
  for (std::string line; std::getline(in, line);) check(line);
}

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

// A fresh folder that is removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "gpy-io-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gpy::rt::io_test
