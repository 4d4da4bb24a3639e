#include "runtime/io/image.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/io/file.h"
#include "runtime/io/image_formats.h"
#include "runtime/memory/account.h"
#include "runtime/text/array_text.h"

namespace gpy::rt {

void fail_image(const std::string& name, const std::string& problem) {
  throw Error(ErrorKind::kValue, name + ": " + problem);
}

Image decode_image(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) fail_image(name, "the file is empty");
  if (is_png(bytes)) return decode_png(bytes, name);
  if (is_pnm(bytes)) return decode_pnm(bytes, name);
  fail_image(name, "not a PNG, PGM or PPM image");
}

Image read_image(const std::string& path) { return decode_image(read_file(path), path); }

namespace {

enum class Format { kPng, kPgm, kPpm, kPnm };

Format format_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  const bool has_name = dot != path.npos && path.find('/', dot) == path.npos;
  std::string extension = has_name ? path.substr(dot + 1) : "";
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (extension == "png") return Format::kPng;
  if (extension == "pgm") return Format::kPgm;
  if (extension == "ppm") return Format::kPpm;
  if (extension == "pnm") return Format::kPnm;
  fail(ErrorKind::kValue, "Format '{}' is not supported (supported formats: pgm, png, pnm, ppm)",
       extension);
}

int64_t channels_of(const HostView& pixels) {
  return pixels.shape.size() == 3 ? pixels.shape[2] : 1;
}

bool has_channels(Format format, int64_t channels) {
  switch (format) {
    case Format::kPng: return channels >= 1 && channels <= 4;
    case Format::kPgm: return channels == 1;
    case Format::kPpm: return channels == 3;
    case Format::kPnm: return channels == 1 || channels == 3;
  }
  return false;
}

void check_pixels(const HostView& pixels, Format format) {
  constexpr int64_t kMaxExtent = 1 << 24;
  if (pixels.dtype != DType::kUInt8 && pixels.dtype != DType::kUInt16) {
    fail(ErrorKind::kType, "imsave: pixels are uint8 or uint16 (got {})", name(pixels.dtype));
  }
  const int rank = pixels.shape.size();
  if ((rank != 2 && rank != 3) || !has_channels(format, channels_of(pixels))) {
    fail(ErrorKind::kValue, "imsave: shape {} is no picture of this format",
         shape_text(pixels.shape));
  }
  if (std::min(pixels.shape[0], pixels.shape[1]) < 1) {
    fail(ErrorKind::kValue, "imsave: the picture is empty (shape {})", shape_text(pixels.shape));
  }
  if (std::max(pixels.shape[0], pixels.shape[1]) > kMaxExtent) {
    fail(ErrorKind::kValue, "imsave: the picture is too large (shape {})",
         shape_text(pixels.shape));
  }
}

HostArray contiguous(const HostView& view) {
  HostArray result{view.dtype, view.shape, {}};
  const int64_t item = item_size(view.dtype);
  const int64_t channels = channels_of(view);
  const int64_t channel_stride = view.shape.size() == 3 ? view.strides[2] : 0;
  const Charge scratch(view.shape[0] * view.shape[1] * channels * item);
  result.data.resize(view.shape[0] * view.shape[1] * channels * item);
  std::byte* to = result.data.data();
  for (int64_t y = 0; y < view.shape[0]; ++y) {
    for (int64_t x = 0; x < view.shape[1]; ++x) {
      for (int64_t c = 0; c < channels; ++c, to += item) {
        const auto offset = y * view.strides[0] + x * view.strides[1] + c * channel_stride;
        std::memcpy(to, static_cast<const std::byte*>(view.data) + offset, item);
      }
    }
  }
  return result;
}

}  // namespace

void write_image(const std::string& path, const HostView& pixels) {
  const Format format = format_of(path);
  check_pixels(pixels, format);
  const HostArray array = contiguous(pixels);
  write_file(path, format == Format::kPng ? encode_png(array) : encode_pnm(array));
}

}  // namespace gpy::rt
