#include "runtime/core/environment.h"

#include <cstdlib>
#include <mutex>

extern char** environ;

namespace gpy::rt {

static std::mutex mutex;

std::string environment_variable(const char* name) {
  const std::lock_guard lock(mutex);
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> environment() {
  const std::lock_guard lock(mutex);
  std::vector<std::string> entries;
  for (char** entry = ::environ; entry && *entry; ++entry) entries.emplace_back(*entry);
  return entries;
}

bool set_environment_variable(const std::string& name, const std::string& value) {
  const std::lock_guard lock(mutex);
  return ::setenv(name.c_str(), value.c_str(), 1) == 0;
}

void unset_environment_variable(const std::string& name) {
  const std::lock_guard lock(mutex);
  ::unsetenv(name.c_str());
}

}  // namespace gpy::rt
