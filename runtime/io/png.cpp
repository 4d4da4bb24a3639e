// PNG in and out. stb decodes and compresses; the file around the picture is checked and made
// here: stb reads no checksums, believes any size, and writes 8 bits only.

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/io/image_formats.h"
#include "runtime/io/stb.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kMagic = "\x89PNG\r\n\x1a\n";

constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) ? 0xedb88320u : 0);
    table[i] = value;
  }
  return table;
}

uint32_t crc_of(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = make_crc_table();
  uint32_t crc = 0xffffffffu;
  for (char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return ~crc;
}

uint32_t big_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string big_endian_text(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

// Walks the chunks, from the first to IEND, and refuses what stb would not notice.
class PngChecker {
 public:
  PngChecker(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}
  uint64_t raw_bytes() const { return raw_bytes_; }  // of the unpacked data, once checked

  void check() {
    rest_.remove_prefix(kMagic.size());
    std::string_view type;
    for (bool first = true; type != "IEND"; first = false) {
      type = check_chunk();
      if (first && type != "IHDR") fail_image(name_, "broken PNG: the first chunk is not IHDR");
    }
    check_size();
  }

 private:
  std::string_view check_chunk() {
    if (rest_.size() < 12) fail_image(name_, "broken PNG: the file ends before its last chunk");
    const size_t size = big_endian(rest_);
    const std::string_view type = rest_.substr(4, 4);
    if (size > rest_.size() - 12) {
      fail_image(name_, fmt::format("broken PNG: chunk {} promises {} bytes, file holds {}",
                                    printable(type), size, rest_.size() - 12));
    }
    const bool is_critical = !(type[0] & 0x20);
    if (is_critical && crc_of(rest_.substr(4, size + 4)) != big_endian(rest_.substr(size + 8))) {
      fail_image(name_, fmt::format("broken PNG: checksum error in chunk {}", printable(type)));
    }
    if (type == "IHDR") check_header(rest_.substr(8, size));
    if (type == "IDAT") compressed_ += size;
    rest_.remove_prefix(size + 12);
    return type;
  }

  static std::string printable(std::string_view type) {
    std::string text;
    for (char c : type) text += std::isalpha(static_cast<unsigned char>(c)) ? c : '?';
    return text;
  }

  void check_header(std::string_view header) {
    if (header.size() != 13) fail_image(name_, "broken PNG: IHDR has the wrong size");
    const uint64_t width = big_endian(header);
    const uint64_t height = big_endian(header.substr(4));
    constexpr int kChannels[] = {1, 0, 3, 1, 2, 0, 4};
    const int colour = header[9];
    if (colour < 0 || colour > 6 || kChannels[colour] == 0) {
      fail_image(name_, "broken PNG: unknown colour type");
    }
    if (width >= 1u << 24 || height >= 1u << 24) {
      fail_image(name_, fmt::format("the picture is too large ({} x {})", width, height));
    }
    row_bytes_ = (width * kChannels[colour] * static_cast<unsigned char>(header[8]) + 7) / 8;
    raw_bytes_ = (row_bytes_ + 1) * height;
  }

  // Deflate compresses to a 1032nd at best. A header that promises more than the file's data can
  // hold would have gigabytes allocated for nothing.
  void check_size() {
    if (raw_bytes_ > INT_MAX / 2) fail_image(name_, "the picture is too large");
    if (raw_bytes_ > 1032 * (compressed_ + 16)) {
      fail_image(name_, "broken PNG: it holds less than its header promises");
    }
  }

  std::string_view rest_;
  const std::string& name_;
  uint64_t row_bytes_ = 0;
  uint64_t raw_bytes_ = 0;
  uint64_t compressed_ = 0;
};

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(kMagic); }

Image decode_png(std::string_view bytes, const std::string& name) {
  if (bytes.size() > INT_MAX) fail_image(name, "the file is too large");
  PngChecker checker(bytes, name);
  checker.check();
  const Charge scratch(3 * checker.raw_bytes());  // its rows, the picture, and the pixels from it
  const StbPicture picture = stb_decode_png(bytes);
  if (!picture.samples) fail_image(name, "broken PNG: " + picture.problem);
  Image image;
  const bool wide = picture.bytes_per_sample == 2;
  image.max_value = wide ? 65535 : 255;
  image.pixels.dtype = wide ? DType::kUInt16 : DType::kUInt8;
  image.pixels.shape = {picture.height, picture.width};
  if (picture.channels > 1) image.pixels.shape.push_back(picture.channels);
  image.pixels.data.resize(size_t{1} * picture.height * picture.width * picture.channels *
                           picture.bytes_per_sample);
  std::memcpy(image.pixels.data.data(), picture.samples.get(), image.pixels.data.size());
  return image;
}

namespace {

std::string chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  return big_endian_text(static_cast<uint32_t>(data.size())) + body + big_endian_text(crc_of(body));
}

// The nearest of the three neighbours to a + b - c (A. W. Paeth).
int paeth(int a, int b, int c) {
  const int to_a = std::abs(b - c);
  const int to_b = std::abs(a - c);
  const int to_c = std::abs(a + b - 2 * c);
  if (to_a <= to_b && to_a <= to_c) return a;
  return to_b <= to_c ? b : c;
}

int predicted(int filter, int left, int up, int corner) {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) / 2;
    case 4: return paeth(left, up, corner);
    default: return 0;
  }
}

// The row as differences from a prediction; `step` bytes are a pixel, `above` is zeros for the
// first row.
std::string filtered(int filter, std::string_view row, std::string_view above, size_t step) {
  std::string text(1, static_cast<char>(filter));
  auto byte = [](std::string_view bytes, size_t i) {
    return static_cast<int>(static_cast<unsigned char>(bytes[i]));
  };
  for (size_t i = 0; i < row.size(); ++i) {
    const int left = i < step ? 0 : byte(row, i - step);
    const int corner = i < step ? 0 : byte(above, i - step);
    text += static_cast<char>(byte(row, i) - predicted(filter, left, byte(above, i), corner));
  }
  return text;
}

// Uses a customary heuristic: the filter whose differences are the smallest compresses best.
std::string best_filtered(std::string_view row, std::string_view above, size_t step) {
  std::string best;
  int64_t best_cost = INT64_MAX;
  for (int filter = 0; filter < 5; ++filter) {
    std::string text = filtered(filter, row, above, step);
    int64_t cost = 0;
    for (size_t i = 1; i < text.size(); ++i) cost += std::abs(static_cast<signed char>(text[i]));
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = std::move(text);
  }
  return best;
}

// The samples with the high byte first.
std::string file_order(const HostArray& pixels) {
  std::string bytes(reinterpret_cast<const char*>(pixels.data.data()), pixels.data.size());
  if (item_size(pixels.dtype) == 1) return bytes;
  for (size_t i = 0; i < bytes.size(); i += 2) std::swap(bytes[i], bytes[i + 1]);
  return bytes;
}

std::string filtered_rows(const HostArray& pixels, size_t step) {
  const std::string bytes = file_order(pixels);
  const size_t row_size = pixels.shape[1] * step;
  const std::string zeros(row_size, '\0');
  std::string_view above = zeros;
  std::string rows;
  for (int64_t y = 0; y < pixels.shape[0]; ++y) {
    const std::string_view row = std::string_view(bytes).substr(y * row_size, row_size);
    rows += best_filtered(row, above, step);
    above = row;
  }
  return rows;
}

}  // namespace

std::string encode_png(const HostArray& pixels) {
  const int64_t channels = pixels.shape.size() == 3 ? pixels.shape[2] : 1;
  const int64_t sample = item_size(pixels.dtype);
  constexpr char kColours[] = {0, 4, 2, 6};
  const std::string rows = filtered_rows(pixels, channels * sample);
  if (rows.size() > INT_MAX / 2) fail(ErrorKind::kValue, "imsave: the picture is too large");
  const std::string stream = stb_deflate(rows);
  if (stream.empty()) fail(ErrorKind::kMemory, "imsave: no memory to compress the picture");
  const std::string header =
      big_endian_text(static_cast<uint32_t>(pixels.shape[1])) +
      big_endian_text(static_cast<uint32_t>(pixels.shape[0])) +
      std::string{static_cast<char>(8 * sample), kColours[channels - 1], '\0', '\0', '\0'};
  return std::string(kMagic) + chunk("IHDR", header) + chunk("IDAT", stream) + chunk("IEND", "");
}

}  // namespace gpy::rt
