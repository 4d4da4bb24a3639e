#pragma once
// The GPU of these tests, which computes nothing.

#include <string>
#include <string_view>

#include "src/embed/gpy.hpp"

namespace gpy::test::threads {

// Whether the GPU is there: main() looks for it.
bool has_device();
void open_device();

inline void silence(std::string_view) {}

// An interpreter's options that print nothing. `share`: whose devices it takes, null: its own.
inline host::Options quiet(const char* device, const host::Interpreter* share = nullptr) {
  return {.device = device, .out = silence, .err = silence, .share_devices_with = share};
}

}  // namespace gpy::test::threads
