#include "stdlib/native/images/picture.h"

#include <algorithm>
#include <cmath>

#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/read_arguments.h"
#include "stdlib/native/images/colormap.h"

namespace gpy::lib {

namespace {

Colormap to_colormap(Interpreter& vm, const Value& cmap) {
  const std::string_view name = is_given(cmap) ? vm.to_text(cmap, "cmap") : "viridis";
  if (auto map = find_colormap(name)) return *map;
  vm.raise_value_error(
      "'{}' is not a valid value for cmap: viridis and gray are there, each also with _r", name);
}

// Elements in C order on the host, as Real.
template <class Real>
std::vector<Real> elements(Interpreter& vm, const rt::Array& array, rt::DType dtype) {
  const rt::Array dense = rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* data = reinterpret_cast<const Real*>(read.data());
  return {data, data + dense.size()};
}

template <class Real>
void colour_matrix(Interpreter& vm, const std::vector<Real>& values, const Colormap& map,
                   const Value& vmin, const Value& vmax, Picture& picture) {
  double low = 0, high = 0;
  if (!values.empty()) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    low = static_cast<double>(*least), high = static_cast<double>(*greatest);
  }
  if (is_given(vmin)) low = vm.to_real(vmin);
  if (is_given(vmax)) high = vm.to_real(vmax);
  if (low > high) vm.raise_value_error("minvalue must be less than or equal to maxvalue");
  const Real width = static_cast<Real>(high - low);
  for (Real value : values) {
    const Real at = low == high ? Real{0} : (value - static_cast<Real>(low)) / width;
    const auto colour = colour_at(map, at);
    picture.pixels.insert(picture.pixels.end(), colour.begin(), colour.end());
  }
}

void map_matrix(Interpreter& vm, const rt::Array& array, const Value& cmap, const Value& vmin,
                const Value& vmax, Picture& picture) {
  const Colormap map = to_colormap(vm, cmap);
  const bool narrow = rt::promote(array.dtype(), rt::DType::kFloat32) == rt::DType::kFloat32;
  if (narrow) {
    colour_matrix(vm, elements<float>(vm, array, rt::DType::kFloat32), map, vmin, vmax, picture);
  } else {
    colour_matrix(vm, elements<double>(vm, array, rt::DType::kFloat64), map, vmin, vmax, picture);
  }
}

std::vector<uint8_t> channel_bytes(Interpreter& vm, const rt::Array& array) {
  if (array.dtype() == rt::DType::kUInt8) return elements<uint8_t>(vm, array, rt::DType::kUInt8);
  if (!rt::is_float(array.dtype())) {
    vm.raise_value_error("Image RGB array must be uint8 or floating point; found {}",
                         rt::name(array.dtype()));
  }
  std::vector<uint8_t> bytes;
  const bool narrow = array.dtype().native() != rt::DType::kFloat64;
  auto add = [&](auto value) {
    if (!(value >= 0 && value <= 1)) {
      vm.raise_value_error("Floating point image RGB values must be in the [0,1] range");
    }
    bytes.push_back(static_cast<uint8_t>(value * 255));
  };
  if (narrow) {
    for (float value : elements<float>(vm, array, rt::DType::kFloat32)) add(value);
  } else {
    for (double value : elements<double>(vm, array, rt::DType::kFloat64)) add(value);
  }
  return bytes;
}

}  // namespace

Picture picture_of(Interpreter& vm, const rt::Array& array, const Value& cmap, const Value& vmin,
                   const Value& vmax) {
  if (array.rank() != 2 && array.rank() != 3) {
    vm.raise_type_error("Invalid shape {} for image data", rt::tuple_text(array.shape()));
  }
  if (rt::is_complex(array.dtype())) {
    vm.raise_type_error("Image data of dtype {} cannot be converted to float",
                        rt::name(array.dtype()));
  }
  Picture picture{array.shape()[0], array.shape()[1], {}};
  picture.pixels.reserve(static_cast<size_t>(picture.rows * picture.cols * 4));
  if (array.rank() == 2) {
    map_matrix(vm, array, cmap, vmin, vmax, picture);
    return picture;
  }
  const int64_t channels = array.shape()[2];
  if (channels != 3 && channels != 4) vm.raise_value_error("Third dimension must be 3 or 4");
  const std::vector<uint8_t> bytes = channel_bytes(vm, array);
  for (size_t i = 0; i < bytes.size(); ++i) {
    picture.pixels.push_back(bytes[i]);
    if (channels == 3 && i % 3 == 2) picture.pixels.push_back(255);
  }
  return picture;
}

void flip_rows(Picture& picture) {
  const int64_t row = picture.cols * 4;
  for (int64_t i = 0; i < picture.rows / 2; ++i) {
    auto* top = picture.pixels.data() + i * row;
    auto* bottom = picture.pixels.data() + (picture.rows - 1 - i) * row;
    std::swap_ranges(top, top + row, bottom);
  }
}

std::string terminal_text(const Picture& picture, int64_t columns) {
  const int64_t cols = std::min(columns, picture.cols);
  if (cols == 0 || picture.rows == 0) return "";
  const int64_t rows = std::max<int64_t>(2, picture.rows * cols / picture.cols);
  auto pixel = [&](int64_t row, int64_t col) {
    const int64_t r = std::min(picture.rows - 1, row * picture.rows / rows);
    const uint8_t* at = picture.pixels.data() + (r * picture.cols + col * picture.cols / cols) * 4;
    return fmt::format("2;{};{};{}", at[0], at[1], at[2]);
  };
  std::string text;
  for (int64_t row = 0; row + 1 < rows; row += 2) {
    for (int64_t col = 0; col < cols; ++col) {
      text += fmt::format("\x1b[38;{}m\x1b[48;{}m\u2580", pixel(row, col), pixel(row + 1, col));
    }
    text += "\x1b[0m\n";
  }
  return text;
}

}  // namespace gpy::lib
