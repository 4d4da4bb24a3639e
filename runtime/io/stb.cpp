#include "runtime/io/stb.h"

#include <climits>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace gpy::rt {

StbPicture stb_decode_png(std::string_view bytes) {
  StbPicture picture;
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int* width = &picture.width;
  int* height = &picture.height;
  int* channels = &picture.channels;
  if (stbi_is_16_bit_from_memory(data, size)) {
    picture.bytes_per_sample = 2;
    picture.samples.reset(stbi_load_16_from_memory(data, size, width, height, channels, 0));
  } else {
    picture.samples.reset(stbi_load_from_memory(data, size, width, height, channels, 0));
  }
  if (!picture.samples) picture.problem = stbi_failure_reason();
  return picture;
}

std::string stb_deflate(std::string_view bytes) {
  constexpr int kQuality = 8;  // stb_image_write's own for PNG
  auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  int size = 0;
  std::unique_ptr<unsigned char, FreeMemory> stream(
      stbi_zlib_compress(data, static_cast<int>(bytes.size()), &size, kQuality));
  return stream ? std::string(reinterpret_cast<char*>(stream.get()), size) : std::string();
}

}  // namespace gpy::rt
