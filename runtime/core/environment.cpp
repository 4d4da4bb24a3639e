#include "runtime/core/environment.h"

#include <cstdlib>
#include <mutex>

#include "runtime/core/process.h"

extern char** environ;

namespace gpy::rt {

static std::mutex& mutex() {
  static ForkSafe<std::mutex>& one = *new ForkSafe<std::mutex>;
  return one;
}

std::string environment_variable(const char* name) {
  const std::lock_guard lock(mutex());
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> environment() {
  const std::lock_guard lock(mutex());
  std::vector<std::string> entries;
  for (char** entry = ::environ; entry && *entry; ++entry) entries.emplace_back(*entry);
  return entries;
}

bool set_environment_variable(const char* name, const char* value) {
  const std::lock_guard lock(mutex());
  return ::setenv(name, value, 1) == 0;
}

void unset_environment_variable(const char* name) {
  const std::lock_guard lock(mutex());
  ::unsetenv(name);
}

EnvironmentLock::EnvironmentLock() : lock_(mutex()) {}

}  // namespace gpy::rt
