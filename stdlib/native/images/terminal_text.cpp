#include <algorithm>
#include <map>

#include "runtime/io/image_formats.h"
#include "stdlib/native/images/terminal.h"

namespace gpy::lib {

namespace {

struct Colour {
  uint8_t red = 0, green = 0, blue = 0;
  auto operator<=>(const Colour&) const = default;
};

// On white, as paper is.
Colour colour_of(const uint8_t* pixel) {
  auto on_white = [&](int channel) {
    return static_cast<uint8_t>((pixel[channel] * pixel[3] + 255 * (255 - pixel[3])) / 255);
  };
  return {on_white(0), on_white(1), on_white(2)};
}

Colour mean_colour(const Picture& picture, int64_t top, int64_t bottom, int64_t left,
                   int64_t right) {
  int64_t sums[3] = {}, count = 0;
  for (int64_t row = top; row < bottom; ++row) {
    for (int64_t column = left; column < right; ++column, ++count) {
      const Colour colour = colour_of(picture.at(row, column));
      sums[0] += colour.red, sums[1] += colour.green, sums[2] += colour.blue;
    }
  }
  auto mean = [&](int channel) { return static_cast<uint8_t>(sums[channel] / count); };
  return {mean(0), mean(1), mean(2)};
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    auto byte = [&](size_t at) {
      return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
    };
    const uint32_t word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kLetters[word >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

// --- sixels --------------------------------------------------------------------------------------

// A colour's nearest place in a cube of 6 x 7 x 6.
Colour coarse(const Colour& colour) {
  auto step = [](int value, int steps) {
    return static_cast<uint8_t>((value * (steps - 1) + 127) / 255 * 255 / (steps - 1));
  };
  return {step(colour.red, 6), step(colour.green, 7), step(colour.blue, 6)};
}

struct Palette {
  std::map<Colour, int> numbers;
  bool is_coarse = false;

  explicit Palette(const Picture& picture) {
    if (!collect(picture)) is_coarse = true, collect(picture);
  }
  Colour shown(const uint8_t* pixel) const {
    const Colour colour = colour_of(pixel);
    return is_coarse ? coarse(colour) : colour;
  }

 private:
  bool collect(const Picture& picture) {
    numbers.clear();
    for (size_t i = 0; i < picture.pixels.size(); i += 4) {
      numbers.try_emplace(shown(&picture.pixels[i]), static_cast<int>(numbers.size()));
      if (numbers.size() > 256) return false;
    }
    return true;
  }
};

void add_run(std::string& text, char sixel, int64_t count) {
  if (count > 3) {
    text += fmt::format("!{}{}", count, sixel);
  } else {
    text.append(static_cast<size_t>(count), sixel);
  }
}

// One colour's dots in six rows.
void add_colour(std::string& text, const std::vector<uint8_t>& dots) {
  int64_t run = 0;
  for (size_t i = 0; i < dots.size(); ++i) {
    ++run;
    if (i + 1 < dots.size() && dots[i + 1] == dots[i]) continue;
    if (i + 1 < dots.size() || dots[i] != 0) add_run(text, static_cast<char>('?' + dots[i]), run);
    run = 0;
  }
}

void add_band(std::string& text, const Picture& picture, const Palette& palette, int64_t top) {
  std::map<int, std::vector<uint8_t>> bands;
  for (int64_t row = top; row < std::min(top + 6, picture.rows); ++row) {
    for (int64_t column = 0; column < picture.columns; ++column) {
      const int number = palette.numbers.at(palette.shown(picture.at(row, column)));
      auto& dots = bands[number];
      dots.resize(static_cast<size_t>(picture.columns));
      dots[static_cast<size_t>(column)] |= static_cast<uint8_t>(1 << (row - top));
    }
  }
  for (const auto& [number, dots] : bands) {
    text += fmt::format("#{}", number);
    add_colour(text, dots);
    text += '$';
  }
  text += '-';
}

}  // namespace

std::string block_text(const Picture& picture, int64_t columns) {
  const int64_t cols = std::min(columns, picture.columns);
  if (cols == 0 || picture.rows == 0) return "";
  const int64_t rows = std::max<int64_t>(2, picture.rows * cols / picture.columns);
  auto mean = [&](int64_t row, int64_t col) {
    const int64_t top = std::min(picture.rows - 1, row * picture.rows / rows);
    const int64_t left = col * picture.columns / cols;
    const Colour colour = mean_colour(
        picture, top, std::max(top + 1, std::min(picture.rows, (row + 1) * picture.rows / rows)),
        left, std::max(left + 1, (col + 1) * picture.columns / cols));
    return fmt::format("2;{};{};{}", colour.red, colour.green, colour.blue);
  };
  std::string text;
  for (int64_t row = 0; row + 1 < rows; row += 2) {
    for (int64_t col = 0; col < cols; ++col) {
      text += fmt::format("\x1b[38;{}m\x1b[48;{}m\u2580", mean(row, col), mean(row + 1, col));
    }
    text += "\x1b[0m\n";
  }
  return text;
}

std::string kitty_text(const Picture& picture) {
  constexpr size_t kPiece = 4096;
  const auto* bytes = reinterpret_cast<const std::byte*>(picture.pixels.data());
  const std::string data = base64(rt::encode_png({rt::DType::kUInt8,
                                                  {picture.rows, picture.columns, 4},
                                                  {bytes, bytes + picture.pixels.size()}}));
  std::string text;
  for (size_t at = 0; at < data.size(); at += kPiece) {
    const bool is_last = at + kPiece >= data.size();
    text += fmt::format("\x1b_G{}m={};{}\x1b\\", at == 0 ? "a=T,f=100,q=2," : "", is_last ? 0 : 1,
                        std::string_view(data).substr(at, kPiece));
  }
  return text + "\n";
}

std::string sixel_text(const Picture& picture) {
  const Palette palette(picture);
  std::string text = fmt::format("\x1bP0;1q\"1;1;{};{}", picture.columns, picture.rows);
  for (const auto& [colour, number] : palette.numbers) {
    auto percent = [](int value) { return (value * 100 + 127) / 255; };
    text += fmt::format("#{};2;{};{};{}", number, percent(colour.red), percent(colour.green),
                        percent(colour.blue));
  }
  for (int64_t top = 0; top < picture.rows; top += 6) add_band(text, picture, palette, top);
  return text + "\x1b\\\n";
}

}  // namespace gpy::lib
