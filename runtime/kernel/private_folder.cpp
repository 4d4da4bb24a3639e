#include "runtime/kernel/private_folder.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace gpy::rt {

static constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;

bool is_users_alone(const struct stat& about) {
  return about.st_uid == geteuid() && !(about.st_mode & kWritableByOthers);
}

std::string why_untrusted(const std::string& folder) {
  struct stat about {};
  if (stat(folder.c_str(), &about) != 0) return "";
  if (!S_ISDIR(about.st_mode)) return "is no folder";
  if (about.st_uid != geteuid()) return "belongs to another user";
  return is_users_alone(about) ? "" : "can be written by other users";
}

bool make_private_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), S_IRWXU) == 0) return true;
  if (errno == EEXIST) return std::filesystem::is_directory(folder);
  if (errno != ENOENT) return false;
  const std::string above = std::filesystem::path(folder).parent_path().string();
  return !above.empty() && above != folder && make_private_folder(above) &&
         (mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

}  // namespace gpy::rt
