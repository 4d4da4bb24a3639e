#include "runtime/io/image.h"

#include <doctest/doctest.h>

#include <random>

#include "io_cases.h"
#include "runtime/io/file.h"

namespace gpy::rt {
namespace {

using namespace io_test;

constexpr const char* kCases =
#include "image_cases.inc"
    ;

std::vector<std::string> picture_files() {
  std::vector<std::string> files;
  for_each_case(kCases, [&](const std::string& line) {
    files.push_back(bytes_from_hex(split(line, '|')[1]));
  });
  return files;
}

HostView view_of(const HostArray& array) {
  Dims strides(array.shape.size(), item_size(array.dtype));
  for (int i = array.shape.size() - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * array.shape[i + 1];
  }
  return {array.dtype, array.shape, strides, array.data.data()};
}

HostArray noise(DType dtype, const Dims& shape) {
  HostArray array{dtype, shape, {}};
  int64_t bytes = item_size(dtype);
  for (int64_t extent : shape) bytes *= extent;
  std::mt19937 dice(3);
  for (int64_t i = 0; i < bytes; ++i) array.data.push_back(static_cast<std::byte>(dice() >> 26));
  return array;
}

std::string problem(const std::string& bytes) {
  return error_of([&] { decode_image(bytes, "x"); });
}

}  // namespace

TEST_CASE("image: PNG, PGM and PPM of every kind are read") {
  for_each_case(kCases, [&](const std::string& line) {
    CAPTURE(line);
    const std::vector<std::string> fields = split(line, '|');
    Image image;
    CHECK(error_of([&] { image = decode_image(bytes_from_hex(fields[1]), "x"); }) == "none");
    CHECK(name(image.pixels.dtype) == fields[2]);
    CHECK(text_of(image.pixels.shape) == fields[3]);
    CHECK(hex_of(image.pixels.data.data(), image.pixels.data.size()) == fields[4]);
  });
}

TEST_CASE("image: what is written is read back") {
  TemporaryFolder folder;
  for (DType dtype : {DType::kUInt8, DType::kUInt16}) {
    for (const Dims& shape : {Dims{1, 1}, Dims{5, 300}, Dims{40, 3, 1}, Dims{9, 7, 2},
                              Dims{6, 8, 3}, Dims{20, 31, 4}}) {
      for (const std::string format : {"png", "pgm", "ppm", "pnm"}) {
        const int64_t channels = shape.size() == 2 ? 1 : shape[2];
        const bool fits = format == "png" || (format != "ppm" && channels == 1) ||
                          (format != "pgm" && channels == 3);
        const HostArray array = noise(dtype, shape);
        const std::string path = folder / ("a." + format);
        const std::string error = error_of([&] { write_image(path, view_of(array)); });
        CHECK((error == "none") == fits);
        if (!fits) continue;
        const Image back = read_image(path);
        CHECK(back.pixels.dtype == dtype);
        CHECK(back.pixels.data == array.data);
        CHECK(back.pixels.shape == (channels == 1 ? Dims{shape[0], shape[1]} : shape));
      }
    }
  }
}

TEST_CASE("image: a view with any strides is written") {
  TemporaryFolder folder;
  const HostArray array = noise(DType::kUInt8, {4, 6});
  HostView flipped = view_of(array);
  flipped.data = array.data.data() + 23;
  flipped.strides = {-6, -1};
  write_image(folder / "a.png", flipped);
  std::vector<std::byte> reversed(array.data.rbegin(), array.data.rend());
  CHECK(read_image(folder / "a.png").pixels.data == reversed);
}

TEST_CASE("image: broken files are named, and what is wrong with them") {
  CHECK(problem("") == "x: the file is empty");
  CHECK(problem("GIF89a") == "x: not a PNG, PGM or PPM image");
  CHECK(problem("P5 3") == "x: the file ends before the height");
  CHECK(problem("P5 x 3 255 ") == "x: the width is not a number");
  CHECK(problem("P5 0 3 255 ") == "x: width 0 is not within 1 to 16777216");
  CHECK(problem("P5 3 3 70000 ") == "x: maximum 70000 is not within 1 to 65535");
  CHECK(problem("P5 3 3 255\n12345") == "x: header promises 9 bytes, file holds 5");
  CHECK(problem("P2 16000000 16000000 255\n1 2") ==
        "x: header promises 511999999999999 bytes, file holds 4");
  CHECK(problem("P2 2 1 100\n1 200") == "x: a pixel of 200 exceeds the maximum 100");
  const std::string png = picture_files()[2];
  CHECK(problem(png.substr(0, 8)) == "x: broken PNG: the file ends before its last chunk");
  CHECK(problem(png.substr(0, png.size() - 12)) ==
        "x: broken PNG: the file ends before its last chunk");
  std::string damaged = png;
  damaged[20] ^= 1;
  CHECK(problem(damaged) == "x: broken PNG: checksum error in chunk IHDR");
  damaged = png;
  damaged[png.size() - 20] ^= 1;
  CHECK(problem(damaged) == "x: broken PNG: checksum error in chunk IDAT");
}

TEST_CASE("image: what is no picture is not written") {
  TemporaryFolder folder;
  auto problem_of = [&](const std::string& name, const HostArray& array) {
    return error_of([&] { write_image(folder / name, view_of(array)); });
  };
  CHECK(problem_of("a.gif", noise(DType::kUInt8, {2, 2})) ==
        "Format 'gif' is not supported (supported formats: pgm, png, pnm, ppm)");
  CHECK(problem_of("a.png", noise(DType::kFloat64, {2, 2})) ==
        "imsave: pixels are uint8 or uint16 (got float64)");
  CHECK(problem_of("a.png", noise(DType::kUInt8, {2, 2, 5})) ==
        "imsave: shape (2, 2, 5) is no picture of this format");
  CHECK(problem_of("a.png", noise(DType::kUInt8, {0, 2})) ==
        "imsave: the picture is empty (shape (0, 2))");
}

// Checksums put right again, so that the damage reaches the decoder.
namespace {

uint32_t crc_of(const std::string& bytes) {
  uint32_t crc = 0xffffffffu;
  for (unsigned char c : bytes) {
    crc ^= c;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) ? 0xedb88320u : 0);
  }
  return ~crc;
}

void repair_checksums(std::string& png) {
  size_t at = 8;
  while (at + 12 <= png.size()) {
    size_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(png[at + i]);
    if (size > png.size() - at - 12) return;
    const uint32_t crc = crc_of(png.substr(at + 4, size + 4));
    for (int i = 0; i < 4; ++i) png[at + 8 + size + i] = static_cast<char>(crc >> (24 - 8 * i));
    at += size + 12;
  }
}

}  // namespace

TEST_CASE("image: damaged files give an error or a picture, never a crash") {
  std::mt19937 dice(4);
  const std::vector<std::string> files = picture_files();
  for (int i = 0; i < 6000; ++i) {
    std::string bytes = files[dice() % files.size()];
    for (unsigned n = dice() % 4; n > 0; --n) {
      bytes[2 + dice() % (bytes.size() - 2)] = static_cast<char>(dice());
    }
    if (dice() % 5 == 0) bytes.resize(dice() % bytes.size());
    if (dice() % 4) repair_checksums(bytes);
    CHECK(problem(bytes) != "");
  }
}

}  // namespace gpy::rt
