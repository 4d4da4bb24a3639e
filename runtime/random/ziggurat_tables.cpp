#include "runtime/random/ziggurat_tables.h"

#include <array>

#include "runtime/random/wide.h"

// The published construction (G. Marsaglia, W. W. Tsang, "The ziggurat method for generating
// random variables", 2000): from the edge of the tail inwards, every layer has the same area.
// NumPy's tables fix how each step was rounded, and draws follow them to the last bit, so the
// same steps are taken here. The tests compare with NumPy's draws.

namespace gpy::rt {
namespace {

constexpr double round_to_integer(double value) {
  const auto below = static_cast<uint64_t>(value);
  const double rest = value - static_cast<double>(below);
  const bool up = rest > 0.5 || (rest == 0.5 && below % 2 == 1);
  return static_cast<double>(below + up);
}

// Rounds as NumPy's float exponential tables were, by text of nine digits, "%.8e".
constexpr float through_nine_digits(double value) {
  Wide scale = 1;
  while (value * scale.high < 1e8) scale = scale * Wide(10);
  return static_cast<float>((Wide(round_to_integer((Wide(value) * scale).high)) / scale).high);
}

struct Layers {
  std::array<double, 256> x = {};
  std::array<double, 256> height = {};
};

constexpr double kNormalArea = 0.0049286732339746519;

constexpr Layers normal_layers() {
  Layers layers;
  layers.x[255] = kNormalEdge;
  for (int i = 255; i >= 0; --i) {
    const double x = layers.x[i];
    double height = exp(Wide(-0.5 * x * x)).rounded();
    // 0.498 of the last place from a tie: the library that made NumPy's tables rounded up.
    if (i == 38) height += 0x1p-53;
    layers.height[i] = height;
    if (i < 2) continue;
    const double density = height + kNormalArea / x;
    const double square = -2 * log(Wide(density), Wide(-0.5 * x * x)).rounded();
    layers.x[i - 1] = sqrt(Wide(square), Wide(x)).rounded();
  }
  return layers;
}

// The width of the lowest layer, tail included, and the others.
constexpr double normal_width(const Layers& layers, int i) {
  return i == 0 ? kNormalArea / layers.height[255] : layers.x[i];
}

constexpr double normal_inside(const Layers& layers, int i, double draws) {
  const double share =
      i == 0 ? layers.x[255] * layers.height[255] / kNormalArea : layers.x[i - 1] / layers.x[i];
  return round_to_integer(share * draws);
}

template <class Integer, class Real>
constexpr ZigguratTable<Integer, Real> normal_table(const Layers& layers, double draws) {
  ZigguratTable<Integer, Real> table = {};
  for (int i = 0; i < 256; ++i) {
    table.inside[i] = static_cast<Integer>(normal_inside(layers, i, draws));
    table.width[i] = static_cast<Real>(normal_width(layers, i) / draws);
    table.height[i] = static_cast<Real>(layers.height[i]);
  }
  return table;
}

struct WideLayers {
  std::array<Wide, 256> x = {};
  std::array<Wide, 256> height = {};
  Wide lowest_width;

  constexpr double width(int i) const { return i == 0 ? lowest_width.high : x[i].high; }
};

// The edge with the digits that a double lacks.
constexpr Wide kWideExponentialEdge = {kExponentialEdge, -3.624870366239748e-16};

constexpr WideLayers exponential_layers() {
  WideLayers layers;
  Wide x = kWideExponentialEdge;
  Wide height = exp(-x);
  const Wide area = (x + Wide(1)) * height;
  layers.lowest_width = area / height;
  for (int i = 255; i > 0; --i) {
    layers.x[i] = x;
    layers.height[i] = height;
    height = height + area / x;
    x = -log(height, -x);
  }
  layers.x[0] = 0;
  layers.height[0] = 1;
  return layers;
}

constexpr Wide exponential_share(const WideLayers& layers, int i) {
  if (i == 0) return layers.x[255] / layers.lowest_width;
  return layers.x[i - 1] / layers.x[i];
}

constexpr uint64_t truncated(Wide value) {
  const auto whole = static_cast<uint64_t>(value.high);
  return static_cast<double>(whole) == value.high && value.low < 0 ? whole - 1 : whole;
}

constexpr ZigguratTable<uint64_t, double> exponential_table(const WideLayers& layers) {
  ZigguratTable<uint64_t, double> table = {};
  for (int i = 0; i < 256; ++i) {
    table.inside[i] = 2 * truncated(exponential_share(layers, i) * Wide(0x1p52));
    table.width[i] = layers.width(i) * 0x1p-53;
    table.height[i] = layers.height[i].rounded();
  }
  return table;
}

constexpr ZigguratTable<uint32_t, float> exponential_table_float(const WideLayers& layers) {
  ZigguratTable<uint32_t, float> table = {};
  for (int i = 0; i < 256; ++i) {
    const double inside = exponential_share(layers, i).rounded() * 0x1p23;
    table.inside[i] = static_cast<uint32_t>(round_to_integer(inside));
    table.width[i] = through_nine_digits(layers.width(i) * 0x1p-23);
    table.height[i] = through_nine_digits(layers.height[i].rounded());
  }
  return table;
}

constexpr Layers kNormalLayers = normal_layers();
constexpr WideLayers kExponentialLayers = exponential_layers();

}  // namespace

constexpr ZigguratTable<uint64_t, double> kNormalTable =
    normal_table<uint64_t, double>(kNormalLayers, 0x1p52);
constexpr ZigguratTable<uint32_t, float> kNormalTableFloat =
    normal_table<uint32_t, float>(kNormalLayers, 0x1p23);
constexpr ZigguratTable<uint64_t, double> kExponentialTable = exponential_table(kExponentialLayers);
constexpr ZigguratTable<uint32_t, float> kExponentialTableFloat =
    exponential_table_float(kExponentialLayers);

}  // namespace gpy::rt
