// Lines and areas of equal height over a grid of heights: marching squares. A square whose opposite
// corners are high is cut into four triangles at its middle, whose height is the corners' mean.
#include <cmath>

#include "src/array/typed_arguments.h"
#include "stdlib/native/images/elements.h"
#include "stdlib/native/images/open.h"

namespace gpy::lib {

namespace {

struct Point {
  double x, y, z;
};

class Grid {
 public:
  Grid(Interpreter& vm, const rt::Array& x, const rt::Array& y, const rt::Array& z)
      : x_(elements<double>(vm, x)),
        y_(elements<double>(vm, y)),
        z_(elements<double>(vm, z)),
        rows_(z.rank() == 2 ? z.shape()[0] : 0),
        columns_(z.rank() == 2 ? z.shape()[1] : 0) {
    if (z.rank() != 2 || x.shape() != z.shape() || y.shape() != z.shape()) {
      vm.raise_type_error("contours need x, y and z of one shape with two axes");
    }
  }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  Point at(int64_t row, int64_t column) const {
    const auto i = static_cast<size_t>(row * columns_ + column);
    return {x_[i], y_[i], z_[i]};
  }
  bool is_whole(int64_t row, int64_t column) const {
    return std::isfinite(at(row, column).z + at(row, column + 1).z + at(row + 1, column).z +
                         at(row + 1, column + 1).z);
  }
  // Counter-clockwise.
  std::array<Point, 4> corners(int64_t row, int64_t column) const {
    return {at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)};
  }

 private:
  std::vector<double> x_, y_, z_;
  int64_t rows_, columns_;
};

Point between(const Point& a, const Point& b, double level) {
  const double part = (level - a.z) / (b.z - a.z);
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), level};
}

bool is_saddle(const std::array<Point, 4>& c, double level) {
  const bool high[] = {c[0].z >= level, c[1].z >= level, c[2].z >= level, c[3].z >= level};
  return high[0] == high[2] && high[1] == high[3] && high[0] != high[1];
}

Point middle(const std::array<Point, 4>& c) {
  return {(c[0].x + c[1].x + c[2].x + c[3].x) / 4, (c[0].y + c[1].y + c[2].y + c[3].y) / 4,
          (c[0].z + c[1].z + c[2].z + c[3].z) / 4};
}

// Lists of x and y in which a NaN parts one curve from the next.
struct Curves {
  std::vector<double> x, y;
  void add(const Point& point) { x.push_back(point.x), y.push_back(point.y); }
  void part() { x.push_back(std::nan("")), y.push_back(std::nan("")); }
  Value wrapped(Interpreter& vm) const {
    const rt::Dims shape = {std::ssize(x)};
    return vm.tuple(
        {array_of_elements<double>(vm, x, shape), array_of_elements<double>(vm, y, shape)});
  }
};

// --- lines ---------------------------------------------------------------------------------------

// The edges of the grid that a line crosses, by number: those along rows, then those along columns.
// A square is crossed from edge to edge; each crossing knows the squares' edges it leads to.
class Lines {
 public:
  Lines(const Grid& grid, double level) : grid_(grid), level_(level) {
    const size_t edges = 2 * static_cast<size_t>(grid.rows() * grid.columns());
    next_.assign(edges, {kNone, kNone});
  }

  Curves traced(Interpreter& vm) {
    for (int64_t row = 0; row + 1 < grid_.rows(); ++row) {
      vm.poll();
      for (int64_t column = 0; column + 1 < grid_.columns(); ++column) cross(row, column);
    }
    Curves curves;
    for (const bool ends_only : {true, false}) {  // open lines from an end; what is left is closed
      for (size_t edge = 0; edge < next_.size(); ++edge) {
        const bool is_end = (next_[edge][0] == kNone) != (next_[edge][1] == kNone);
        const bool is_start = ends_only ? is_end : next_[edge][0] != kNone;
        if (is_start) follow(edge, curves);
      }
    }
    return curves;
  }

 private:
  static constexpr int64_t kNone = -1;

  int64_t along_row(int64_t row, int64_t column) const { return row * grid_.columns() + column; }
  int64_t along_column(int64_t row, int64_t column) const {
    return grid_.rows() * grid_.columns() + row * grid_.columns() + column;
  }

  void join(int64_t a, int64_t b) {
    for (auto [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      auto& links = next_[static_cast<size_t>(from)];
      (links[0] == kNone ? links[0] : links[1]) = to;
    }
  }

  void cross(int64_t row, int64_t column) {
    if (!grid_.is_whole(row, column)) return;
    const auto corners = grid_.corners(row, column);
    const int64_t edges[] = {along_row(row, column), along_column(row, column + 1),
                             along_row(row + 1, column), along_column(row, column)};
    std::vector<int64_t> crossed;
    for (size_t i = 0; i < 4; ++i) {
      if ((corners[i].z >= level_) != (corners[(i + 1) % 4].z >= level_)) {
        crossed.push_back(edges[i]);
      }
    }
    if (crossed.size() == 2) join(crossed[0], crossed[1]);
    if (crossed.size() != 4) return;
    // Lines part the corners that are not joined by the middle.
    const bool first_is_joined = (middle(corners).z >= level_) == (corners[0].z >= level_);
    const size_t shift = first_is_joined ? 0 : 1;
    join(crossed[shift], crossed[(1 + shift) % 4]);
    join(crossed[(2 + shift) % 4], crossed[(3 + shift) % 4]);
  }

  Point point(size_t edge) const {
    const auto half = static_cast<size_t>(grid_.rows() * grid_.columns());
    const auto at = static_cast<int64_t>(edge % half);
    const int64_t row = at / grid_.columns(), column = at % grid_.columns();
    const Point a = grid_.at(row, column);
    return between(a, edge < half ? grid_.at(row, column + 1) : grid_.at(row + 1, column), level_);
  }

  void unlink(size_t edge, int64_t to) {
    auto& links = next_[edge];
    if (links[0] == to) {
      links = {links[1], kNone};
    } else if (links[1] == to) {
      links[1] = kNone;
    }
  }

  void follow(size_t edge, Curves& curves) {
    if (!curves.x.empty()) curves.part();
    curves.add(point(edge));
    while (next_[edge][0] != kNone) {
      const auto to = static_cast<size_t>(next_[edge][0]);
      unlink(edge, static_cast<int64_t>(to));
      unlink(to, static_cast<int64_t>(edge));
      edge = to;
      curves.add(point(edge));
    }
  }

  const Grid& grid_;
  double level_;
  std::vector<std::array<int64_t, 2>> next_;
};

Value contour_lines(Interpreter& vm, const rt::Array& x, const rt::Array& y, const rt::Array& z,
                    double level) {
  const Grid grid(vm, x, y, z);
  return Lines(grid, level).traced(vm).wrapped(vm);
}

// --- areas ---------------------------------------------------------------------------------------

class Areas {
 public:
  Areas(const Grid& grid, double low, double high) : grid_(grid), low_(low), high_(high) {}

  Curves traced(Interpreter& vm) {
    for (int64_t row = 0; row + 1 < grid_.rows(); ++row) {
      vm.poll();
      int64_t begin = 0;  // of squares that are wholly inside, which are drawn as one strip
      for (int64_t column = 0; column + 1 < grid_.columns(); ++column) {
        if (is_inside(row, column)) continue;
        add_strip(row, begin, column);
        begin = column + 1;
        if (grid_.is_whole(row, column)) add_square(grid_.corners(row, column));
      }
      add_strip(row, begin, grid_.columns() - 1);
    }
    return std::move(curves_);
  }

 private:
  bool holds(double z) const { return z >= low_ && z <= high_; }

  bool is_inside(int64_t row, int64_t column) const {
    for (const Point& corner : grid_.corners(row, column)) {
      if (!holds(corner.z)) return false;
    }
    return true;
  }

  void begin_shape() {
    if (!curves_.x.empty()) curves_.part();
  }

  void add_strip(int64_t row, int64_t begin, int64_t end) {
    if (begin >= end) return;
    begin_shape();
    for (int64_t column = begin; column <= end; ++column) curves_.add(grid_.at(row, column));
    for (int64_t column = end; column >= begin; --column) curves_.add(grid_.at(row + 1, column));
  }

  void add_square(const std::array<Point, 4>& corners) {
    if (!is_saddle(corners, low_) && !is_saddle(corners, high_)) return add_shape(corners);
    const Point center = middle(corners);
    for (size_t i = 0; i < 4; ++i) {
      add_shape(std::array{corners[i], corners[(i + 1) % 4], center});
    }
  }

  // The part of a shape without saddle that lies between the two heights.
  void add_shape(std::span<const Point> corners) {
    std::vector<Point> kept;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Point& a = corners[i];
      const Point& b = corners[(i + 1) % corners.size()];
      if (holds(a.z)) kept.push_back(a);
      const double first = a.z < b.z ? low_ : high_, second = a.z < b.z ? high_ : low_;
      for (double level : {first, second}) {
        if ((a.z < level && level < b.z) || (b.z < level && level < a.z)) {
          kept.push_back(between(a, b, level));
        }
      }
    }
    if (kept.size() < 3) return;
    begin_shape();
    for (const Point& point : kept) curves_.add(point);
  }

  const Grid& grid_;
  double low_, high_;
  Curves curves_;
};

Value contour_area(Interpreter& vm, const rt::Array& x, const rt::Array& y, const rt::Array& z,
                   double low, double high) {
  const Grid grid(vm, x, y, z);
  return Areas(grid, low, high).traced(vm).wrapped(vm);
}

const Native kRows[] = {
    {"contour_lines", "(x, y, z, level, /)", typed<contour_lines>,
     "The lines of one height: (x, y), parted by NaN."},
    {"contour_area", "(x, y, z, low, high, /)", typed<contour_area>,
     "The polygons between two heights: (x, y), parted by NaN."},
};

}  // namespace

std::span<const Native> contour_rows() { return kRows; }

}  // namespace gpy::lib
