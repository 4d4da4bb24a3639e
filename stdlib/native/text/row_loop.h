#pragma once
// Loops over the elements of arrays of text. An element is a row of units, code points (uint32) or
// bytes (uint8), with zeros after its end; the row is the array's last axis. Other arguments of the
// loop are int64. All are broadcast together, without that last axis.
//
//   RowLoop<2, 1> loop(vm, {rows, parts}, {start});
//   return loop.numbers<bool>([](auto text, auto part, int64_t start) { ... });
//
// A body takes a text as a std::basic_string_view of char32_t or of char, so one body does both.

#include <array>
#include <deque>
#include <string_view>
#include <utility>

#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "src/array/convert.h"
#include "src/memory/pieces.h"

namespace gpy::lib {

template <class Unit> using TextView = std::basic_string_view<Unit>;
template <class Unit> inline constexpr bool kIsWide = sizeof(Unit) > 1;

template <class Unit> TextView<Unit> text_in_row(const std::byte* row, size_t width) {
  const auto* units = reinterpret_cast<const Unit*>(row);
  while (width > 0 && units[width - 1] == 0) --width;
  return {units, width};
}

// Where a body puts a text: into a row that it fills or is cut at, or nowhere, to be counted.
template <class Unit> class RowSink {
 public:
  RowSink(Unit* row, size_t width) : at_(row), end_(row + width) {}
  void put(TextView<Unit> text) {
    const size_t count = std::min(text.size(), room());
    std::copy_n(text.data(), count, at_);
    at_ += count;
  }
  void put(Unit unit, int64_t count = 1) {
    if (count <= 0) return;
    const size_t fitting = std::min(static_cast<size_t>(count), room());
    at_ = std::fill_n(at_, fitting, unit);
  }
  void finish() { at_ = std::fill_n(at_, room(), Unit{0}); }

 private:
  size_t room() const { return static_cast<size_t>(end_ - at_); }
  Unit* at_;
  Unit* end_;
};

template <class Unit> class CountingSink {
 public:
  void put(TextView<Unit> text) { count_ += static_cast<int64_t>(text.size()); }
  void put(Unit, int64_t count = 1) { count_ += std::max<int64_t>(count, 0); }
  int64_t count() const { return count_; }

 private:
  int64_t count_ = 0;
};

// What the loop knows of one argument.
struct LoopArgument {
  LoopArgument(Interpreter& vm, const rt::Array& array, bool is_text);

  rt::Array array;
  rt::HostRead read;
  rt::Dims shape;    // without the axis of the units
  rt::Dims strides;  // of the loop's axes, in bytes
  size_t width = 0;  // units of a row
  size_t used = 0;   // those that may be other than 0
};

// A width of rows of text; ValueError where it is negative.
int64_t checked_width(Interpreter& vm, int64_t width);

// Raises where the first arguments, texts, do not have units of one size.
void check_units(Interpreter& vm, const std::deque<LoopArgument>& arguments, size_t texts);

// The shape of a loop over arguments, and the axes along which it runs: those that lie behind one
// another in all arguments are one.
struct LoopShape {
  explicit LoopShape(std::deque<LoopArgument>& arguments);

  rt::Dims shape, axes;
};

// Whether a body takes texts without the zeros after their ends, or whole rows.
enum class Ends { cut, kept };

template <size_t kTexts, size_t kNumbers, Ends kEnds = Ends::cut> class RowLoop {
 public:
  RowLoop(Interpreter& vm, const std::array<rt::Array, kTexts>& texts,
          const std::array<rt::Array, kNumbers>& numbers = {})
      : vm_(vm) {
    for (const rt::Array& each : texts) arguments_.emplace_back(vm, each, true);
    for (const rt::Array& each : numbers) arguments_.emplace_back(vm, each, false);
    check_units(vm, arguments_, kTexts);
    const LoopShape found(arguments_);
    shape_ = found.shape;
    axes_ = found.axes;
  }

  Interpreter& vm() const { return vm_; }
  size_t width(size_t text) const { return arguments_[text].width; }

  // Calls body(texts..., numbers...) for each element, in C order.
  template <class Body> void run(Body&& body) {
    if (is_wide()) return run_units<char32_t>(body);
    run_units<char>(body);
  }

  // An array of what the body gives.
  template <class T, class Body> Value numbers(rt::DType dtype, Body&& body) {
    return filled(dtype, shape_, [&](std::byte* memory) {
      T* out = reinterpret_cast<T*>(memory);
      run([&](auto... given) { *out++ = static_cast<T>(body(given...)); });
    });
  }

  // Rows of a width with what body(sink, texts..., numbers...) puts into each.
  template <class Body> Value texts(size_t width, Body&& body) {
    rt::Dims shape = shape_;
    shape.push_back(checked_width(vm_, static_cast<int64_t>(width)));
    return filled(is_wide() ? rt::DType::kUInt32 : rt::DType::kUInt8, shape,
                  [&](std::byte* memory) {
                    if (is_wide())
                      return put_texts(reinterpret_cast<char32_t*>(memory), width, body);
                    put_texts(reinterpret_cast<char*>(memory), width, body);
                  });
  }

  // The same as wide as the longest text; the body runs twice.
  template <class Body> Value texts(Body&& body) { return texts(longest(body), body); }

 private:
  bool is_wide() const { return arguments_[0].array.dtype() == rt::DType::kUInt32; }

  template <class Fill> Value filled(rt::DType dtype, const rt::Dims& shape, Fill&& fill) {
    return wrap_array(vm_, rt::make_filled(session(vm_), dtype, shape, rt::Space::host(), fill));
  }

  template <class Unit, class Body> void put_texts(Unit* out, size_t width, Body& body) {
    run_units<Unit>([&](auto... given) {
      RowSink<Unit> sink(out, width);
      body(sink, given...);
      sink.finish();
      out += width;
    });
  }

  template <class Body> size_t longest(Body& body) {
    int64_t width = 1;
    run([&](auto text, auto... given) {
      CountingSink<typename decltype(text)::value_type> sink;
      body(sink, text, given...);
      width = std::max(width, sink.count());
    });
    return static_cast<size_t>(width);
  }

  using Places = std::array<const std::byte*, kTexts + kNumbers>;

  template <class Unit, class Body> void run_units(Body&& body) {
    if (rt::element_count(shape_) == 0) return;
    Places places;
    for (size_t i = 0; i < places.size(); ++i) places[i] = arguments_[i].read.data();
    InterruptPoll poll(vm_);
    run_axis<Unit>(0, places, poll, body);
  }

  template <class Unit, class Body>
  void run_axis(int axis, Places places, InterruptPoll& poll, Body& body) {
    const bool is_last = axis + 1 >= axes_.size();
    std::array<int64_t, kTexts + kNumbers> steps = {};
    for (size_t k = 0; k < steps.size() && !axes_.empty(); ++k) {
      steps[k] = arguments_[k].strides[axis];
    }
    const int64_t count = axes_.empty() ? 1 : axes_[axis];
    for (int64_t i = 0; i < count; ++i) {
      poll.step();
      if (is_last) {
        call<Unit>(places, body, std::make_index_sequence<kTexts>(),
                   std::make_index_sequence<kNumbers>());
      } else {
        run_axis<Unit>(axis + 1, places, poll, body);
      }
      for (size_t k = 0; k < places.size(); ++k) places[k] += steps[k];
    }
  }

  template <class Unit> static TextView<Unit> text_at(const std::byte* row, size_t width) {
    if constexpr (kEnds == Ends::cut) return text_in_row<Unit>(row, width);
    return {reinterpret_cast<const Unit*>(row), width};
  }

  template <class Unit, class Body, size_t... t, size_t... n>
  void call(const Places& places, Body& body, std::index_sequence<t...>,
            std::index_sequence<n...>) {
    body(text_at<Unit>(places[t], arguments_[t].used)...,
         *reinterpret_cast<const int64_t*>(places[kTexts + n])...);
  }

  Interpreter& vm_;
  std::deque<LoopArgument> arguments_;
  rt::Dims shape_, axes_;
};

}  // namespace gpy::lib
