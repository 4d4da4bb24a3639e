#pragma once

// The environment of the process. Scripts of one interpreter may change it while another one reads
// it on another thread, which the C library's functions do not allow: here one lock guards them,
// and calls of other functions that read it. Reads by libraries and by the host itself are not
// guarded.

#include <mutex>
#include <string>
#include <vector>

namespace gpy::rt {

// The value of a variable; empty where there is none.
std::string environment_variable(const char* name);
// All variables: "NAME=value".
std::vector<std::string> environment();
// False where the variable cannot be set; errno says why.
bool set_environment_variable(const char* name, const char* value);
void unset_environment_variable(const char* name);

// Nobody changes the environment while one lives. None of the above may be called meanwhile.
class EnvironmentLock {
 public:
  EnvironmentLock();

 private:
  const std::lock_guard<std::mutex> lock_;
};

}  // namespace gpy::rt
