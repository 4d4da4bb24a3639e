#pragma once

// A shared library that not every system has: opened when it is first needed, and kept for the life
// of the process.

#include <string>

namespace gpy::rt {

class SystemLibrary {
 public:
  explicit SystemLibrary(const std::string& name);

  // Points `function` at the library's function of a name; at null where there is none.
  template <class Function> void find(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(address_of(name));
  }
  // False where the library, or a function that was looked for, is not there.
  bool is_whole() const { return is_whole_; }

 private:
  void* address_of(const char* name);

  void* const handle_;
  bool is_whole_;
};

}  // namespace gpy::rt
