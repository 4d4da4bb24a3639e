// The portable grey and colour maps of netpbm: P2 and P3 (text), P5 and P6 (binary).

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/io/image_formats.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

constexpr int64_t kMaxExtent = 1 << 24;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PnmReader {
 public:
  PnmReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Image decode() {
    const char kind = bytes_[1];
    at_ = 2;
    const int64_t width = read_extent("width");
    const int64_t height = read_extent("height");
    const int64_t max_value = read_number("maximum");
    if (max_value < 1 || max_value > 65535) {
      fail_image(name_, fmt::format("maximum {} is not within 1 to 65535", max_value));
    }
    Image image;
    image.max_value = static_cast<int>(max_value);
    image.pixels.dtype = max_value < 256 ? DType::kUInt8 : DType::kUInt16;
    image.pixels.shape = {height, width};
    if (kind == '3' || kind == '6') image.pixels.shape.push_back(3);
    const int64_t count = height * width * (kind == '3' || kind == '6' ? 3 : 1);
    kind < '4' ? read_text(image, count) : read_binary(image, count);
    return image;
  }

 private:
  void skip_space() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '#') {
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      } else if (is_space(bytes_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  int64_t read_number(const char* what) {
    skip_space();
    const size_t start = at_;
    int64_t value = 0;
    for (; at_ < bytes_.size() && is_digit(bytes_[at_]) && at_ - start < 10; ++at_) {
      value = value * 10 + (bytes_[at_] - '0');
    }
    if (at_ == start && at_ == bytes_.size()) {
      fail_image(name_, fmt::format("the file ends before the {}", what));
    }
    if (at_ == start) fail_image(name_, fmt::format("the {} is not a number", what));
    return value;
  }

  int64_t read_extent(const char* what) {
    const int64_t value = read_number(what);
    if (value >= 1 && value <= kMaxExtent) return value;
    fail_image(name_, fmt::format("{} {} is not within 1 to {}", what, value, kMaxExtent));
  }

  void check_held(int64_t promised, size_t held) {
    if (static_cast<int64_t>(held) >= promised) return;
    fail_image(name_, fmt::format("header promises {} bytes, file holds {}", promised, held));
  }

  void check_value(int64_t value, const Image& image) {
    if (value <= image.max_value) return;
    fail_image(name_, fmt::format("a pixel of {} exceeds the maximum {}", value, image.max_value));
  }

  void read_text(Image& image, int64_t count) {
    // Every number takes a digit and, but for the last, a space.
    check_held(2 * count - 1, bytes_.size() - std::min(at_, bytes_.size()));
    const bool wide = image.max_value > 255;
    const Charge scratch(count * (wide ? 2 : 1));
    image.pixels.data.resize(count * (wide ? 2 : 1));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t value = read_number("last pixel");
      check_value(value, image);
      store(image, i, static_cast<uint16_t>(value), wide);
    }
  }

  void read_binary(Image& image, int64_t count) {
    const bool wide = image.max_value > 255;
    ++at_;  // the one white space after the maximum
    const std::string_view data = bytes_.substr(std::min(at_, bytes_.size()));
    check_held(count * (wide ? 2 : 1), data.size());
    const Charge scratch(count * (wide ? 2 : 1));
    image.pixels.data.resize(count * (wide ? 2 : 1));
    for (int64_t i = 0; i < count; ++i) {
      const auto high = static_cast<unsigned char>(data[wide ? 2 * i : i]);
      const auto low = wide ? static_cast<unsigned char>(data[2 * i + 1]) : 0;
      const int value = wide ? high << 8 | low : high;
      check_value(value, image);
      store(image, i, static_cast<uint16_t>(value), wide);
    }
  }

  static void store(Image& image, int64_t i, uint16_t value, bool wide) {
    if (wide) {
      std::memcpy(&image.pixels.data[2 * i], &value, 2);
    } else {
      image.pixels.data[i] = static_cast<std::byte>(value);
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  size_t at_ = 0;
};

}  // namespace

bool is_pnm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' &&
         std::string_view("2356").find(bytes[1]) != std::string_view::npos && is_space(bytes[2]);
}

Image decode_pnm(std::string_view bytes, const std::string& name) {
  return PnmReader(bytes, name).decode();
}

std::string encode_pnm(const HostArray& pixels) {
  const bool colour = pixels.shape.size() == 3 && pixels.shape[2] == 3;
  const bool wide = pixels.dtype == DType::kUInt16;
  std::string text = fmt::format("{}\n{} {}\n{}\n", colour ? "P6" : "P5", pixels.shape[1],
                                 pixels.shape[0], wide ? 65535 : 255);
  const size_t start = text.size();
  text.append(reinterpret_cast<const char*>(pixels.data.data()), pixels.data.size());
  for (size_t i = start; wide && i < text.size(); i += 2) std::swap(text[i], text[i + 1]);
  return text;
}

}  // namespace gpy::rt
