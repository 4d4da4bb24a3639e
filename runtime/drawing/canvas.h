#pragma once

// A sheet to draw on: pixels, or a page of SVG or PDF. Coordinates are in pixels (of a page:
// points) from the lower left corner, y upwards.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/drawing/cairo.h"
#include "runtime/memory/account.h"

namespace gpy::rt {

enum class SheetKind { kPixels, kSvg, kPdf };

// Red, green, blue and opacity, from 0 to 1.
using Rgba = std::array<double, 4>;

enum class LineCap { kButt, kRound, kSquare };
enum class LineJoin { kMiter, kRound, kBevel };

struct Pen {
  Rgba colour = {0, 0, 0, 1};
  double width = 1;
  std::vector<double> dash = {};  // lengths of lines and gaps in turn; empty: no gaps
  double dash_offset = 0;
  LineCap cap = LineCap::kButt;
  LineJoin join = LineJoin::kRound;
};

// Curves of straight segments. A point that is not finite ends one and begins the next.
struct Polylines {
  std::span<const double> x, y;
  bool is_closed = false;  // each of them
};

struct Look {
  std::optional<Rgba> fill = std::nullopt;
  std::optional<Pen> pen = std::nullopt;
  bool is_smooth = true;  // at the edges of what is filled
  bool snaps = true;      // lines along the axes lie on whole pixels
};

struct Font {
  const char* family = "DejaVu Sans";
  double size = 10;
  bool is_bold = false;
  bool is_slanted = false;
};

struct TextExtent {
  double left, bottom, right, top;  // of the ink, from the point where the text begins
  double advance;                   // to the point where it would go on
};

// The same shape at many places. A span of one item holds for all of them.
struct Stamps {
  std::optional<Polylines> shape;  // of size 1; none: a circle of radius 1
  std::span<const double> x, y;
  std::span<const double> size;
  std::span<const Rgba> fill;  // empty: none
  std::span<const Rgba> edge;
  std::span<const double> edge_width;
  LineJoin join = LineJoin::kMiter;
  LineCap cap = LineCap::kButt;
  bool snaps = false;
};

class Canvas {
 public:
  // ValueError for a size that is not positive or more than 32767 pixels.
  Canvas(SheetKind kind, double width, double height);
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas();

  // Nothing outside of it is drawn from now on; none: the whole sheet.
  struct Box {
    double left, bottom, right, top;
  };
  void clip(const std::optional<Box>& box);

  void draw(const Polylines& lines, const Look& look);
  void stamp(const Stamps& stamps);
  void text(const std::string& text, const Font& font, double x, double y, double degrees,
            const Rgba& colour);
  TextExtent extent(const std::string& text, const Font& font);
  // `pixels`: 8-bit red, green, blue and opacity, from the top row. They fill the box; `smooth`:
  // means of neighbours where they are not drawn one to one.
  void image(std::span<const uint8_t> pixels, int rows, int columns, const Box& box, bool smooth);

  // The pixels so far, as image() takes them.
  std::vector<uint8_t> pixels();
  int rows() const { return static_cast<int>(height_); }
  int columns() const { return static_cast<int>(width_); }
  // The file of a page, which is then closed.
  std::string finish();

 private:
  void destroy();
  void check();
  double down(double y) const { return height_ - y; }
  bool is_pixels() const { return kind_ == SheetKind::kPixels; }
  void trace(const Polylines& lines, bool as_area, double snap);
  void trace(const Polylines& shape, double x, double y, double size);
  void stamp_one(const Stamps& stamps, size_t i, double x, double y);
  void stroke(const Polylines& lines, const Pen& pen, double snap);
  void set_colour(const Rgba& colour);
  void set_pen(const Pen& pen);
  void set_font(const Font& font);

  const Cairo& cairo_;
  SheetKind kind_;
  double width_, height_;
  Charge memory_;
  std::string file_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* context_ = nullptr;
};

}  // namespace gpy::rt
