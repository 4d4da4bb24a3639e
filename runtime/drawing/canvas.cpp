#include "runtime/drawing/canvas.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/drawing/clipped_line.h"
#include "runtime/drawing/pixels.h"

namespace gpy::rt {
namespace {

constexpr int kArgb32 = 0;
constexpr int kNoAntialias = 1, kGrey = 2;
constexpr int kGoodFilter = 1, kNearestFilter = 3;
constexpr int kExtendPad = 3;
constexpr int kHintSlightly = 2, kExactMetrics = 1;
constexpr int kNoMemory = 1, kWriteError = 11;
constexpr double kMaxPixels = 32767;  // cairo's own limit of an image

int append(void* file, const unsigned char* data, unsigned length) {
  try {
    static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(data), length);
    return 0;
  } catch (const std::bad_alloc&) {
    return kWriteError;  // no exception may pass through the library
  }
}

// Whether all segments are horizontal or vertical. Long curves are not asked.
bool is_rectilinear(const Polylines& lines) {
  constexpr size_t kMost = 1024;
  constexpr double kSame = 1e-4;
  if (lines.x.size() > kMost) return false;
  for (size_t i = 1; i < lines.x.size(); ++i) {
    const double dx = std::abs(lines.x[i] - lines.x[i - 1]);
    const double dy = std::abs(lines.y[i] - lines.y[i - 1]);
    if (dx >= kSame && dy >= kSame) return false;
  }
  return true;
}

bool is_point(double x, double y) { return std::isfinite(x) && std::isfinite(y); }

// Where a line of this width has sharp edges: the middles of pixels, or their borders.
double snap_of(double width) { return std::lround(width) % 2 == 1 ? 0.5 : 0; }

template <class T> const T& item(std::span<const T> items, size_t at) {
  return items.size() == 1 ? items[0] : items[at];
}

constexpr double kNoSnap = -1;
double snapped(double at, double snap) { return snap < 0 ? at : std::floor(at + 0.5) + snap; }

}  // namespace

Canvas::Canvas(SheetKind kind, double width, double height)
    : cairo_(Cairo::get()), kind_(kind), width_(width), height_(height) {
  if (!(width > 0 && height > 0 && width <= kMaxPixels && height <= kMaxPixels)) {
    fail(ErrorKind::kValue,
         "a picture of {:.0f} x {:.0f} pixels cannot be drawn: each side must be from 1 to {:.0f}",
         width, height, kMaxPixels);
  }
  if (is_pixels()) {
    width_ = std::max(1.0, std::floor(width));
    height_ = std::max(1.0, std::floor(height));
    memory_ = Charge(static_cast<size_t>(width_ * height_ * 4));
    surface_ = cairo_.cairo_image_surface_create(kArgb32, columns(), rows());
  } else if (kind == SheetKind::kSvg) {
    surface_ = cairo_.cairo_svg_surface_create_for_stream(append, &file_, width, height);
  } else {
    surface_ = cairo_.cairo_pdf_surface_create_for_stream(append, &file_, width, height);
  }
  context_ = cairo_.cairo_create(surface_);
  try {
    check();
  } catch (...) {
    destroy();
    throw;
  }
}

Canvas::~Canvas() { destroy(); }

void Canvas::destroy() {
  cairo_.cairo_destroy(context_);
  cairo_.cairo_surface_destroy(surface_);
}

void Canvas::check() {
  const int status = cairo_.cairo_status(context_);
  if (status == 0) return;
  const ErrorKind kind =
      status == kNoMemory || status == kWriteError ? ErrorKind::kMemory : ErrorKind::kRuntime;
  fail(kind, "drawing: {}", cairo_.cairo_status_to_string(status));
}

void Canvas::clip(const std::optional<Box>& box) {
  cairo_.cairo_reset_clip(context_);
  if (!box) return;
  const double snap = is_pixels() ? 0 : kNoSnap;
  const double left = snapped(box->left, snap), top = snapped(down(box->top), snap);
  const double right = snapped(box->right, snap), bottom = snapped(down(box->bottom), snap);
  cairo_.cairo_new_path(context_);
  cairo_.cairo_rectangle(context_, left, top, right - left, bottom - top);
  cairo_.cairo_clip(context_);
}

void Canvas::set_colour(const Rgba& colour) {
  cairo_.cairo_set_source_rgba(context_, colour[0], colour[1], colour[2], colour[3]);
}

void Canvas::set_pen(const Pen& pen) {
  set_colour(pen.colour);
  cairo_.cairo_set_line_width(context_, pen.width);
  cairo_.cairo_set_line_cap(context_, static_cast<int>(pen.cap));
  cairo_.cairo_set_line_join(context_, static_cast<int>(pen.join));
  cairo_.cairo_set_dash(context_, pen.dash.data(), static_cast<int>(pen.dash.size()),
                        pen.dash_offset);
}

// Makes the path of areas, whose far points are brought within what the library can hold.
void Canvas::trace(const Polylines& lines, bool as_area, double snap) {
  cairo_.cairo_new_path(context_);
  bool is_open = false;
  for (size_t i = 0; i < lines.x.size(); ++i) {
    if (i % 4096 == 0) poll_interrupt();
    if (!is_point(lines.x[i], lines.y[i])) {
      if (is_open && (as_area || lines.is_closed)) cairo_.cairo_close_path(context_);
      is_open = false;
      continue;
    }
    constexpr double kFar = 1e6;
    const double x = std::clamp(snapped(lines.x[i], snap), -kFar, kFar);
    const double y = std::clamp(snapped(down(lines.y[i]), snap), -kFar, kFar);
    if (is_open) {
      cairo_.cairo_line_to(context_, x, y);
    } else {
      cairo_.cairo_move_to(context_, x, y);
    }
    is_open = true;
  }
  if (is_open && (as_area || lines.is_closed)) cairo_.cairo_close_path(context_);
}

void Canvas::stroke(const Polylines& lines, const Pen& pen, double snap) {
  set_pen(pen);
  if (lines.is_closed) {
    trace(lines, false, snap);
    cairo_.cairo_stroke(context_);
    return;
  }
  // The library's time for one stroke grows faster than its length, so an opaque line is drawn in
  // pieces. Where it is not opaque their ends would show.
  constexpr size_t kPiece = 2000;
  const bool in_pieces = pen.dash.empty() && pen.colour[3] >= 1;
  size_t points = 0;
  ClippedLine line(width_, height_, pen.width, [&](bool begins, double x, double y) {
    if (begins) {
      cairo_.cairo_move_to(context_, x, y);
    } else {
      cairo_.cairo_line_to(context_, x, y);
    }
    if (++points % kPiece != 0) return;
    poll_interrupt();
    if (!in_pieces || begins) return;
    cairo_.cairo_stroke(context_);
    cairo_.cairo_move_to(context_, x, y);
  });
  cairo_.cairo_new_path(context_);
  for (size_t i = 0; i < lines.x.size(); ++i) {
    if (is_point(lines.x[i], lines.y[i])) {
      line.add(snapped(lines.x[i], snap), snapped(down(lines.y[i]), snap));
    } else {
      line.end();
    }
  }
  line.end();
  cairo_.cairo_stroke(context_);
}

void Canvas::draw(const Polylines& lines, const Look& look) {
  const bool snaps = is_pixels() && look.snaps && is_rectilinear(lines);
  const double snap = !snaps ? kNoSnap : look.pen ? snap_of(look.pen->width) : 0;
  if (look.fill) {
    set_colour(*look.fill);
    cairo_.cairo_set_antialias(context_, look.is_smooth ? kGrey : kNoAntialias);
    trace(lines, true, snap);
    cairo_.cairo_fill(context_);
    cairo_.cairo_set_antialias(context_, kGrey);
  }
  if (look.pen && look.pen->width > 0) stroke(lines, *look.pen, snap);
  check();
}

// A marker's path around (x, y).
void Canvas::trace(const Polylines& shape, double x, double y, double size) {
  bool is_open = false;
  for (size_t i = 0; i < shape.x.size(); ++i) {
    const bool is_end = !is_point(shape.x[i], shape.y[i]);
    if (!is_end) {
      (is_open ? cairo_.cairo_line_to : cairo_.cairo_move_to)(context_, x + shape.x[i] * size,
                                                              y - shape.y[i] * size);
    }
    if (shape.is_closed && is_open && (is_end || i + 1 == shape.x.size())) {
      cairo_.cairo_close_path(context_);
    }
    is_open = !is_end;
  }
}

void Canvas::stamp_one(const Stamps& stamps, size_t i, double x, double y) {
  const double size = item(stamps.size, i);
  const bool is_filled = !stamps.fill.empty();
  const bool has_edge = !stamps.edge.empty() && item(stamps.edge_width, i) > 0;
  // A disc with an opaque edge of its own colour is a larger disc, drawn in half the time.
  const bool is_disc = !stamps.shape && has_edge && is_filled && item(stamps.edge, i)[3] >= 1 &&
                       item(stamps.fill, i) == item(stamps.edge, i);
  cairo_.cairo_new_path(context_);
  if (stamps.shape) {
    trace(*stamps.shape, x, y, size);
  } else {
    const double more = is_disc ? item(stamps.edge_width, i) / 2 : 0;
    cairo_.cairo_arc(context_, x, y, std::abs(size) + more, 0, 2 * std::numbers::pi);
    cairo_.cairo_close_path(context_);
  }
  if (is_filled) {
    set_colour(item(stamps.fill, i));
    (has_edge && !is_disc ? cairo_.cairo_fill_preserve : cairo_.cairo_fill)(context_);
  }
  if (!has_edge || is_disc) return;
  Pen pen{.colour = item(stamps.edge, i), .width = item(stamps.edge_width, i)};
  pen.join = stamps.join, pen.cap = stamps.cap;
  set_pen(pen);
  cairo_.cairo_stroke(context_);
}

void Canvas::stamp(const Stamps& stamps) {
  for (size_t i = 0; i < stamps.x.size(); ++i) {
    if (i % 1024 == 0) poll_interrupt();
    double x = stamps.x[i], y = down(stamps.y[i]);
    const double size = item(stamps.size, i);
    if (!is_point(x, y) || !std::isfinite(size)) continue;
    const double reach = 10 + std::abs(size) * 2;
    if (x < -reach || y < -reach || x > width_ + reach || y > height_ + reach) continue;
    if (stamps.snaps && is_pixels()) x = std::floor(x + 0.5), y = std::floor(y + 0.5);
    stamp_one(stamps, i, x, y);
  }
  check();
}

void Canvas::set_font(const Font& font) {
  cairo_font_options_t* options = cairo_.cairo_font_options_create();
  cairo_.cairo_font_options_set_antialias(options, kGrey);
  cairo_.cairo_font_options_set_hint_style(options, kHintSlightly);
  cairo_.cairo_font_options_set_hint_metrics(options, kExactMetrics);
  cairo_.cairo_set_font_options(context_, options);
  cairo_.cairo_font_options_destroy(options);
  cairo_.cairo_select_font_face(context_, font.family, font.is_slanted, font.is_bold);
  cairo_.cairo_set_font_size(context_, font.size);
}

void Canvas::text(const std::string& text, const Font& font, double x, double y, double degrees,
                  const Rgba& colour) {
  if (!is_point(x, y) || !(font.size > 0)) return;
  set_font(font);
  set_colour(colour);
  cairo_.cairo_save(context_);
  cairo_.cairo_translate(context_, x, down(y));
  cairo_.cairo_rotate(context_, -degrees * std::numbers::pi / 180);
  cairo_.cairo_move_to(context_, 0, 0);
  cairo_.cairo_show_text(context_, text.c_str());
  cairo_.cairo_restore(context_);
  cairo_.cairo_new_path(context_);
  check();
}

TextExtent Canvas::extent(const std::string& text, const Font& font) {
  if (!(font.size > 0)) return {};
  set_font(font);
  cairo_text_extents_t found = {};
  cairo_.cairo_text_extents(context_, text.c_str(), &found);
  check();
  return {found.x_bearing, -(found.y_bearing + found.height), found.x_bearing + found.width,
          -found.y_bearing, found.x_advance};
}

void Canvas::image(std::span<const uint8_t> pixels, int rows, int columns, const Box& box,
                   bool smooth) {
  if (rows < 1 || columns < 1 || !is_point(box.left, box.bottom) || !is_point(box.right, box.top)) {
    return;
  }
  std::vector<uint8_t> premultiplied = to_cairo_pixels(pixels);
  cairo_surface_t* picture = cairo_.cairo_image_surface_create_for_data(
      premultiplied.data(), kArgb32, columns, rows, columns * 4);
  cairo_.cairo_save(context_);
  cairo_.cairo_rectangle(context_, box.left, down(box.top), box.right - box.left,
                         box.top - box.bottom);
  cairo_.cairo_clip(context_);
  cairo_.cairo_translate(context_, box.left, down(box.top));
  cairo_.cairo_scale(context_, (box.right - box.left) / columns, (box.top - box.bottom) / rows);
  cairo_.cairo_set_source_surface(context_, picture, 0, 0);
  cairo_pattern_t* source = cairo_.cairo_get_source(context_);
  cairo_.cairo_pattern_set_filter(source, smooth ? kGoodFilter : kNearestFilter);
  cairo_.cairo_pattern_set_extend(source, kExtendPad);
  cairo_.cairo_rectangle(context_, 0, 0, columns, rows);
  cairo_.cairo_fill(context_);
  cairo_.cairo_restore(context_);
  cairo_.cairo_new_path(context_);
  // A page may hold on to the picture until it is finished; this makes it take a copy.
  cairo_.cairo_surface_finish(picture);
  cairo_.cairo_surface_destroy(picture);
  check();
}

std::vector<uint8_t> Canvas::pixels() {
  if (!is_pixels()) fail(ErrorKind::kValue, "a page of SVG or PDF has no pixels");
  cairo_.cairo_surface_flush(surface_);
  return from_cairo_pixels(cairo_.cairo_image_surface_get_data(surface_), rows(), columns(),
                           cairo_.cairo_image_surface_get_stride(surface_));
}

std::string Canvas::finish() {
  if (is_pixels()) fail(ErrorKind::kValue, "pixels are no file");
  cairo_.cairo_surface_finish(surface_);
  check();
  const int status = cairo_.cairo_surface_status(surface_);
  if (status != 0) fail(ErrorKind::kMemory, "drawing: {}", cairo_.cairo_status_to_string(status));
  return std::move(file_);
}

}  // namespace gpy::rt
