// Texts put together, cut and filled: numpy.strings' add, multiply, center, zfill, strip, slice.
#include "src/array/typed_arguments.h"
#include "src/objects/containers.h"
#include "stdlib/native/text/families.h"
#include "stdlib/native/text/units.h"

namespace gpy::lib {

namespace {

Value text_add(Interpreter& vm, const rt::Array& rows, const rt::Array& others) {
  RowLoop<2, 0> loop(vm, {rows, others});
  return loop.texts(loop.width(0) + loop.width(1), [](auto& sink, auto a, auto b) {
    sink.put(a);
    sink.put(b);
  });
}

Value text_repeat(Interpreter& vm, const rt::Array& rows, const rt::Array& times) {
  RowLoop<1, 1> loop(vm, {rows}, {times});
  int64_t width = 1;
  loop.run([&](auto text, int64_t count) {
    const auto size = static_cast<int64_t>(text.size());
    if (size > 0) width = std::max(width, rt::checked_product(size, count));
  });
  return loop.texts(static_cast<size_t>(width), [](auto& sink, auto text, int64_t count) {
    for (int64_t i = 0; i < count && !text.empty(); ++i) sink.put(text);
  });
}

// --- filling -------------------------------------------------------------------------------------

// Where a text stands in its width.
enum class Side { left, right, middle };

// The texts' lengths or the widths asked for, whichever is greater: that of the result.
template <class Loop> size_t filled_width(Loop& loop) {
  int64_t width = 1;
  loop.run([&](auto text, auto... rest) {
    const int64_t asked = std::get<sizeof...(rest) - 1>(std::tuple(rest...));
    width = std::max({width, static_cast<int64_t>(text.size()), asked});
  });
  return static_cast<size_t>(width);
}

int64_t fill_before(int64_t missing, int64_t width, Side side) {
  if (side == Side::middle) return missing / 2 + (missing & width & 1);
  return side == Side::right ? missing : 0;
}

Value text_pad(Interpreter& vm, const rt::Array& rows, const rt::Array& fills,
               const rt::Array& widths, int64_t side) {
  RowLoop<2, 1> loop(vm, {rows, fills}, {widths});
  return loop.texts(filled_width(loop), [&](auto& sink, auto text, auto fill, int64_t width) {
    using Unit = typename decltype(text)::value_type;
    const Unit unit = fill.empty() ? Unit{0} : fill[0];
    const int64_t missing = std::max<int64_t>(width - static_cast<int64_t>(text.size()), 0);
    const int64_t before = fill_before(missing, width, static_cast<Side>(side));
    sink.put(unit, before);
    sink.put(text);
    sink.put(unit, missing - before);
  });
}

Value text_zfill(Interpreter& vm, const rt::Array& rows, const rt::Array& widths) {
  RowLoop<1, 1> loop(vm, {rows}, {widths});
  return loop.texts(filled_width(loop), [](auto& sink, auto text, int64_t width) {
    const size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-');
    sink.put(text.substr(0, sign));
    sink.put('0', width - static_cast<int64_t>(text.size()));
    sink.put(text.substr(sign));
  });
}

// The columns begin anew behind an end of a line.
Value text_expand_tabs(Interpreter& vm, const rt::Array& rows, const rt::Array& tab_sizes) {
  RowLoop<1, 1> loop(vm, {rows}, {tab_sizes});
  return loop.texts([](auto& sink, auto text, int64_t tab) {
    int64_t column = 0;
    for (auto unit : text) {
      if (unit != '\t') {
        sink.put(unit);
        column = unit == '\n' || unit == '\r' ? 0 : column + 1;
      } else if (tab > 0) {
        const int64_t spaces = tab - column % tab;
        sink.put(' ', spaces);
        column += spaces;
      }
    }
  });
}

// --- cutting -------------------------------------------------------------------------------------

// A text without the units of which is_dropped(unit) is true at its ends.
template <class Text, class Dropped>
Text stripped(Text text, bool left, bool right, Dropped&& is_dropped) {
  while (left && !text.empty() && is_dropped(text.front())) text.remove_prefix(1);
  while (right && !text.empty() && is_dropped(text.back())) text.remove_suffix(1);
  return text;
}

Value text_strip(Interpreter& vm, const rt::Array& rows, bool left, bool right) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.texts(loop.width(0), [&](auto& sink, auto text) {
    sink.put(stripped(text, left, right, [](auto c) { return (unit_class(c) & kSpace) != 0; }));
  });
}

Value text_strip_units(Interpreter& vm, const rt::Array& rows, const rt::Array& units, bool left,
                       bool right) {
  RowLoop<2, 0> loop(vm, {rows, units});
  return loop.texts(loop.width(0), [&](auto& sink, auto text, auto dropped) {
    sink.put(stripped(text, left, right, [&](auto c) { return dropped.find(c) != dropped.npos; }));
  });
}

// A bound of a slice within a text, as Python clips it; `open`: it was left out.
int64_t clipped(int64_t at, int64_t size, bool backwards, bool open, bool is_start) {
  if (open) return backwards == is_start ? size - int64_t{backwards} : -int64_t{backwards};
  if (at < 0) at = std::max(at + size, backwards ? int64_t{-1} : int64_t{0});
  return std::min(at, backwards ? size - 1 : size);
}

// text[start:stop:step]; `open`: 1 and 2 stand for a start and a stop that were left out.
Value text_slice(Interpreter& vm, const rt::Array& rows, const rt::Array& start,
                 const rt::Array& stop, const rt::Array& step, int64_t open) {
  RowLoop<1, 3> loop(vm, {rows}, {start, stop, step});
  return loop.texts(
      loop.width(0), [&](auto& sink, auto text, int64_t from, int64_t to, int64_t by) {
        if (by == 0) vm.raise_value_error("slice step cannot be zero");
        const auto size = static_cast<int64_t>(text.size());
        const int64_t first = clipped(from, size, by < 0, (open & 1) != 0, true);
        const int64_t last = clipped(to, size, by < 0, (open & 2) != 0, false);
        const int64_t distance = by > 0 ? last - first : first - last;
        if (distance <= 0) return;
        if (by == 1)
          return sink.put(text.substr(static_cast<size_t>(first), static_cast<size_t>(distance)));
        const uint64_t stride = by > 0 ? static_cast<uint64_t>(by) : 0 - static_cast<uint64_t>(by);
        const auto most = static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride);
        for (int64_t i = 0; i <= most; ++i) sink.put(text[static_cast<size_t>(first + i * by)]);
      });
}

// The texts cut or filled up to a width.
Value text_resized(Interpreter& vm, const rt::Array& rows, int64_t width) {
  RowLoop<1, 0, Ends::kept> loop(vm, {rows});
  return loop.texts(static_cast<size_t>(width), [](auto& sink, auto row) { sink.put(row); });
}

const Native kRows[] = {
    {"_text_add", "(rows, others, /)", typed<text_add>, "Texts behind texts."},
    {"_text_repeat", "(rows, times, /)", typed<text_repeat>, "Texts several times."},
    {"_text_pad", "(rows, fills, widths, side, /)", typed<text_pad>,
     "Texts at the left, at the right or in the middle, 0 to 2, of a width."},
    {"_text_zfill", "(rows, widths, /)", typed<text_zfill>, "Texts with zeros behind their signs."},
    {"_text_expand_tabs", "(rows, tab_sizes, /)", typed<text_expand_tabs>,
     "Texts with spaces for tabs."},
    {"_text_strip", "(rows, left, right, /)", typed<text_strip>,
     "Texts without white space at their ends."},
    {"_text_strip_units", "(rows, units, left, right, /)", typed<text_strip_units>,
     "Texts without some characters at their ends."},
    {"_text_slice", "(rows, start, stop, step, open, /)", typed<text_slice>, "Slices of texts."},
    {"_text_resized", "(rows, width, /)", typed<text_resized>, "Rows cut or filled to a width."},
};

}  // namespace

std::span<const Native> text_layout_rows() { return kRows; }

}  // namespace gpy::lib
