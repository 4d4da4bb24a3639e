#include "runtime/io/folder.h"

#include <dirent.h>

#include <memory>
#include <string_view>

namespace gpy::rt {

std::vector<std::string> names_in_folder(const std::string& path, size_t most) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder) return names;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == most) break;
    names.emplace_back(name);
  }
  return names;
}

}  // namespace gpy::rt
