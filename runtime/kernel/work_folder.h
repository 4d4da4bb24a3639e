#pragma once

// A folder for a compiler's files, in the system's temporary one. It is removed with the object; a
// later process removes the folders of killed ones.

#include <filesystem>
#include <string>

namespace gpy::rt {

class WorkFolder {
 public:
  // Throws kOs with the system's reason.
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

// Both throw kOs with the file's name and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view text);
std::string read_file(const std::filesystem::path& path);

}  // namespace gpy::rt
