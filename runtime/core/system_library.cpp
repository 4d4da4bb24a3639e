#include "runtime/core/system_library.h"

#include <dlfcn.h>

namespace gpy::rt {

SystemLibrary::SystemLibrary(const std::string& name)
    : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)), is_whole_(handle_ != nullptr) {}

void* SystemLibrary::address_of(const char* name) {
  void* const address = handle_ ? dlsym(handle_, name) : nullptr;
  is_whole_ = is_whole_ && address;
  return address;
}

}  // namespace gpy::rt
