#pragma once

// The parts of stb that the PNG code stands on, kept out of every other file and of the library's
// symbols.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace gpy::rt {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

struct StbPicture {
  int width = 0;
  int height = 0;
  int channels = 0;
  int bytes_per_sample = 1;
  std::unique_ptr<void, FreeMemory> samples;  // in the machine's byte order; null: refused
  std::string problem;                        // why
};

StbPicture stb_decode_png(std::string_view bytes);

// A zlib stream. Empty if there is no memory for it.
std::string stb_deflate(std::string_view bytes);

}  // namespace gpy::rt
