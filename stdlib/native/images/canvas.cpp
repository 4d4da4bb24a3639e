// The type Canvas, over the runtime's. Colours are tuples of red, green, blue and opacity, or rows
// of an array; all else is in pixels from the lower left corner.
#include "runtime/drawing/canvas.h"

#include "runtime/core/interrupt.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/images/elements.h"
#include "stdlib/native/images/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct CanvasObject : Object {
  static constexpr ObjectLayout kLayout = kCanvasLayout;
  CanvasObject(Type* type, rt::SheetKind kind, double width, double height)
      : Object(type), canvas(kind, width, height) {}
  rt::Canvas canvas;
};

template <size_t N> std::array<double, N> numbers(Interpreter& vm, const Value& value) {
  std::array<double, N> found = {};
  size_t count = 0;
  vm.for_each(value, [&](const Value& item) {
    if (count < N) found[count] = vm.to_real(item);
    ++count;
  });
  if (count != N) vm.raise_value_error("expected {} numbers, got {}", N, count);
  return found;
}

std::optional<rt::Rgba> to_colour(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return numbers<4>(vm, value);
}

std::vector<rt::Rgba> to_colours(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return {};
  const std::vector<double> flat = elements<double>(vm, to_array(vm, value, kGp));
  std::vector<rt::Rgba> colours(flat.size() / 4);
  for (size_t i = 0; i < colours.size(); ++i) {
    std::copy_n(flat.begin() + static_cast<int64_t>(4 * i), 4, colours[i].begin());
  }
  return colours;
}

template <class Kind, size_t N>
Kind named(Interpreter& vm, std::string_view name, const char* what,
           const std::string_view (&names)[N]) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Kind>(i);
  }
  std::string all;
  for (std::string_view each : names) all += fmt::format("{}'{}'", all.empty() ? "" : ", ", each);
  vm.raise_value_error("'{}' is not a valid value for {}; supported values are {}", name, what,
                       all);
}

constexpr std::string_view kCaps[] = {"butt", "round", "projecting"};
constexpr std::string_view kJoins[] = {"miter", "round", "bevel"};

rt::LineCap to_cap(Interpreter& vm, std::string_view name) {
  return named<rt::LineCap>(vm, name, "capstyle", kCaps);
}
rt::LineJoin to_join(Interpreter& vm, std::string_view name) {
  return named<rt::LineJoin>(vm, name, "joinstyle", kJoins);
}

struct Points {
  std::vector<double> x, y;
  Points(Interpreter& vm, const rt::Array& xs, const rt::Array& ys)
      : x(elements<double>(vm, xs)), y(elements<double>(vm, ys)) {
    if (x.size() != y.size()) {
      vm.raise_value_error("x and y must be the same size (got {} and {})", x.size(), y.size());
    }
  }
  rt::Polylines lines(bool is_closed) const { return {x, y, is_closed}; }
};

Value make_canvas(Interpreter& vm, Type& cls, std::string_view kind, double width, double height) {
  constexpr std::string_view kKinds[] = {"pixels", "svg", "pdf"};
  return vm.make<CanvasObject>(&cls, named<rt::SheetKind>(vm, kind, "format", kKinds), width,
                               height);
}

std::optional<rt::Canvas::Box> to_box(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  const auto box = numbers<4>(vm, value);
  return rt::Canvas::Box{box[0], box[1], box[2], box[3]};
}

Value clip(Interpreter& vm, CanvasObject& self, const Value& box) {
  self.canvas.clip(to_box(vm, box));
  return Value::none();
}

Value path(Interpreter& vm, CanvasObject& self, const rt::Array& x, const rt::Array& y, bool closed,
           const Value& fill, const Value& edge, double width, const Value& dash, double offset,
           std::string_view cap, std::string_view join, bool smooth, bool snap) {
  const Points points(vm, x, y);
  rt::Look look{.fill = to_colour(vm, fill), .is_smooth = smooth, .snaps = snap};
  if (const auto colour = to_colour(vm, edge)) {
    rt::Pen pen{.colour = *colour, .width = width, .dash_offset = offset};
    if (is_given(dash)) {
      vm.for_each(dash, [&](const Value& each) { pen.dash.push_back(vm.to_real(each)); });
    }
    pen.cap = to_cap(vm, cap), pen.join = to_join(vm, join);
    look.pen = std::move(pen);
  }
  const rt::InterruptScope scope(&vm.interrupt_flag());
  self.canvas.draw(points.lines(closed), look);
  return Value::none();
}

// The shape: (x, y, is it closed), or None for a circle.
struct Outline {
  std::optional<Points> points;
  bool is_closed = false;
  Outline(Interpreter& vm, const Value& value) {
    if (!is_given(value)) return;
    const Value at[] = {Value::integer(0), Value::integer(1), Value::integer(2)};
    points.emplace(vm, to_array(vm, vm.get_item(value, at[0]), kGp),
                   to_array(vm, vm.get_item(value, at[1]), kGp));
    is_closed = vm.truth(vm.get_item(value, at[2]));
  }
};

Value stamp(Interpreter& vm, CanvasObject& self, const Value& shape, const rt::Array& x,
            const rt::Array& y, const rt::Array& size, const Value& fill, const Value& edge,
            const rt::Array& width, std::string_view join, std::string_view cap, bool snap) {
  const Points at(vm, x, y);
  const Outline outline(vm, shape);
  const std::vector<double> sizes = elements<double>(vm, size),
                            widths = elements<double>(vm, width);
  const std::vector<rt::Rgba> fills = to_colours(vm, fill), edges = to_colours(vm, edge);
  auto check = [&](size_t count, bool may_be_none, const char* what) {
    if (count == 1 || count == at.x.size() || (may_be_none && count == 0)) return;
    vm.raise_value_error("{} must be one or as many as points ({}), not {}", what, at.x.size(),
                         count);
  };
  check(sizes.size(), false, "sizes"), check(widths.size(), false, "linewidths");
  check(fills.size(), true, "facecolors"), check(edges.size(), true, "edgecolors");
  rt::Stamps stamps;
  if (outline.points) stamps.shape = outline.points->lines(outline.is_closed);
  stamps.x = at.x, stamps.y = at.y;
  stamps.size = sizes, stamps.edge_width = widths;
  stamps.fill = fills, stamps.edge = edges;
  stamps.join = to_join(vm, join), stamps.cap = to_cap(vm, cap);
  stamps.snaps = snap;
  const rt::InterruptScope scope(&vm.interrupt_flag());
  self.canvas.stamp(stamps);
  return Value::none();
}

rt::Font to_font(Interpreter& vm, double size, std::string_view family, bool bold, bool slanted) {
  constexpr std::string_view kFamilies[] = {"sans-serif", "serif", "monospace"};
  constexpr const char* kFonts[] = {"DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"};
  return {kFonts[named<int>(vm, family, "fontfamily", kFamilies)], size, bold, slanted};
}

Value text(Interpreter& vm, CanvasObject& self, std::string_view text, double x, double y,
           double size, double angle, const Value& colour, std::string_view family, bool bold,
           bool slanted) {
  self.canvas.text(std::string(text), to_font(vm, size, family, bold, slanted), x, y, angle,
                   numbers<4>(vm, colour));
  return Value::none();
}

Value extent(Interpreter& vm, CanvasObject& self, std::string_view text, double size,
             std::string_view family, bool bold, bool slanted) {
  const rt::TextExtent found =
      self.canvas.extent(std::string(text), to_font(vm, size, family, bold, slanted));
  return vm.tuple({Value::real(found.left), Value::real(found.bottom), Value::real(found.right),
                   Value::real(found.top), Value::real(found.advance)});
}

Value image(Interpreter& vm, CanvasObject& self, const rt::Array& pixels, const Value& box,
            bool smooth) {
  if (pixels.rank() != 3 || pixels.shape()[2] != 4) {
    vm.raise_value_error("pixels have shape (rows, columns, 4), not {}",
                         rt::tuple_text(pixels.shape()));
  }
  const auto at = to_box(vm, box);
  if (!at) vm.raise_value_error("an image needs its box");
  self.canvas.image(elements<uint8_t>(vm, pixels), static_cast<int>(pixels.shape()[0]),
                    static_cast<int>(pixels.shape()[1]), *at, smooth);
  return Value::none();
}

Value pixels(Interpreter& vm, CanvasObject& self) {
  const std::vector<uint8_t> found = self.canvas.pixels();
  return array_of_elements<uint8_t>(vm, found, {self.canvas.rows(), self.canvas.columns(), 4});
}

Value finish(Interpreter& vm, CanvasObject& self) { return vm.bytes(self.canvas.finish()); }

const Native kMethods[] = {
    {"clip", "(self, box, /)", typed<clip>,
     "Draws within (left, bottom, right, top) alone from now on; None: anywhere."},
    {"path",
     "(self, x, y, closed=False, fill=None, edge=None, width=1.0, dash=None, offset=0.0, "
     "cap='butt', join='round', smooth=True, snap=True)",
     typed<path>, "Fills and draws lines; a NaN ends one and begins the next."},
    {"stamp", "(self, shape, x, y, size, fill, edge, width, join='miter', cap='butt', snap=False)",
     typed<stamp>, "Draws (x, y, is it closed), or a circle for None, at many places."},
    {"text",
     "(self, text, x, y, size, angle, colour, family='sans-serif', bold=False, slanted=False)",
     typed<text>, "Writes a line that begins at (x, y) on its base line."},
    {"extent", "(self, text, size, family='sans-serif', bold=False, slanted=False)", typed<extent>,
     "(left, bottom, right, top, advance) of a line that begins at 0."},
    {"image", "(self, pixels, box, smooth)", typed<image>,
     "Draws pixels of red, green, blue and opacity into a box."},
    {"pixels", "(self)", typed<pixels>, "What has been drawn on 'pixels'."},
    {"finish", "(self)", typed<finish>, "The bytes of a file of SVG or PDF, which is then closed."},
};

const Native kMake = {"Canvas", "(cls, kind, width, height)", typed<make_canvas>,
                      "A sheet to draw on; kind: 'pixels', 'svg' or 'pdf'."};

Type* canvas_type(Interpreter& vm) {
  return kept_type(vm, "_Canvas", [&] {
    return vm.make_type<CanvasObject>({.name = "Canvas",
                                       .module = "_canvas",
                                       .doc = kMake.doc,
                                       .methods = kMethods,
                                       .constructor = &kMake});
  });
}

Value open_canvas(Interpreter& vm) {
  static const std::vector<Native> rows = [] {
    std::vector<Native> all;
    for (auto part : {contour_rows(), picture_file_rows(), terminal_rows()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  Ref<Module> module = vm.make_module("_canvas", rows);
  module->set(vm, "Canvas", Value(static_cast<Object*>(canvas_type(vm))));
  return module;
}

}  // namespace

void register_canvas_module(Interpreter& vm) { vm.register_module("_canvas", open_canvas); }

}  // namespace gpy::lib
