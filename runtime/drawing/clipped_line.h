#pragma once

// A line's points, thinned and cut to what can be seen, in device coordinates. Of a run of points
// in one column of pixels the first, the lowest, the highest and the last are kept: that looks the
// same, and a line of a million points is drawn as fast as one of a thousand.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace gpy::rt {

class ClippedLine {
 public:
  using Emit = std::function<void(bool begins, double x, double y)>;
  ClippedLine(double width, double height, double line_width, Emit emit)
      : margin_(kMargin + line_width), width_(width), height_(height), emit_(std::move(emit)) {}

  void add(double x, double y) {
    if (count_ > 0 && std::floor(x) == column_) {
      last_ = {x, y};
      if (y < low_.y) low_ = last_, low_is_later_ = true;
      if (y > high_.y) high_ = last_, low_is_later_ = false;
      ++count_;
      return;
    }
    flush();
    column_ = std::floor(x);
    first_ = last_ = low_ = high_ = {x, y};
    count_ = 1;
  }

  // The line is over; the next point begins another one.
  void end() {
    flush();
    has_previous_ = is_drawn_ = false;
  }

 private:
  struct Point {
    double x, y;
    bool operator==(const Point&) const = default;
  };
  static constexpr double kMargin = 200;

  void flush() {
    if (count_ == 0) return;
    send(first_);
    if (count_ > 2) {
      const Point& earlier = low_is_later_ ? high_ : low_;
      const Point& later = low_is_later_ ? low_ : high_;
      if (earlier != first_) send(earlier);
      if (later != earlier && later != last_) send(later);
    }
    if (count_ > 1) send(last_);
    count_ = 0;
  }

  void send(const Point& to) {
    if (has_previous_) segment(previous_, to);
    previous_ = to;
    has_previous_ = true;
  }

  // Liang and Barsky's: the part of a segment that lies within the sheet and its margin.
  void segment(const Point& from, const Point& to) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    double begin = 0, end = 1;
    const std::array<std::pair<double, double>, 4> edges = {{{-dx, from.x + margin_},
                                                             {dx, width_ + margin_ - from.x},
                                                             {-dy, from.y + margin_},
                                                             {dy, height_ + margin_ - from.y}}};
    for (const auto& [p, q] : edges) {
      if (p == 0 && q < 0) begin = 2;
      if (p < 0) begin = std::max(begin, q / p);
      if (p > 0) end = std::min(end, q / p);
    }
    if (begin > end) {
      is_drawn_ = false;
      return;
    }
    if (!is_drawn_ || begin > 0) emit_(true, from.x + begin * dx, from.y + begin * dy);
    emit_(false, from.x + end * dx, from.y + end * dy);
    is_drawn_ = end == 1;
  }

  double margin_, width_, height_;
  Emit emit_;
  double column_ = 0;
  Point first_ = {}, last_ = {}, low_ = {}, high_ = {}, previous_ = {};
  bool low_is_later_ = false;
  int64_t count_ = 0;  // of points in the column
  bool has_previous_ = false;
  bool is_drawn_ = false;  // up to the previous point
};

}  // namespace gpy::rt
