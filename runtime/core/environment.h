#pragma once

// The environment of the process. Scripts of one interpreter may change it while another one reads
// it on another thread, which the C library's functions do not allow: here, one lock is around
// them, and around calls of others that read it. What libraries and the host itself read is not
// under it.

#include <mutex>
#include <string>
#include <vector>

namespace gpy::rt {

// Empty where there is none.
std::string environment_variable(const char* name);
// All of them: "NAME=value".
std::vector<std::string> environment();
// False where it cannot be, as errno says.
bool set_environment_variable(const char* name, const char* value);
void unset_environment_variable(const char* name);

// Nobody changes it while one lives. None of the above may be called meanwhile.
class EnvironmentLock {
 public:
  EnvironmentLock();

 private:
  const std::lock_guard<std::mutex> lock_;
};

}  // namespace gpy::rt
