#include "runtime/text/array_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/interrupt.h"
#include "runtime/core/scalar.h"
#include "runtime/memory/account.h"
#include "runtime/text/element_format.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {
namespace {

// Saturates: only its order against the threshold and zero matters.
int64_t element_count(const Dims& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return INT64_MAX;
  }
  return count;
}

bool is_summarised(const Dims& shape, const PrintOptions& options) {
  return element_count(shape) > options.threshold;
}

// With no edge items NumPy's slice of "the last 0" is the whole axis, and sets the width.
bool is_cut(int64_t extent, const PrintOptions& options) {
  return options.edgeitems > 0 && extent > 2 * options.edgeitems;
}

}  // namespace

Dims printed_shape(const Dims& shape, const PrintOptions& options) {
  Dims result = shape;
  if (!is_summarised(shape, options)) return result;
  for (int64_t& extent : result) {
    if (is_cut(extent, options)) extent = 2 * options.edgeitems;
  }
  return result;
}

std::vector<PrintedBox> printed_boxes(const Dims& shape, const PrintOptions& options) {
  const int rank = shape.size();
  std::vector<PrintedBox> boxes = {{Dims(rank, 0), shape, Dims(rank, 0)}};
  if (element_count(shape) == 0) return {};
  if (!is_summarised(shape, options)) return boxes;
  for (int axis = 0; axis < rank; ++axis) {
    if (!is_cut(shape[axis], options)) continue;
    const size_t count = boxes.size();
    for (size_t i = 0; i < count; ++i) {
      boxes[i].extent[axis] = options.edgeitems;
      PrintedBox last = boxes[i];
      last.start[axis] = shape[axis] - options.edgeitems;
      last.target[axis] = options.edgeitems;
      boxes.push_back(std::move(last));
    }
  }
  return boxes;
}

namespace {

// Walks the shown indices; `from` follows the strides.
void gather_axis(const HostView& view, const Dims& printed, int axis, const std::byte* from,
                 std::byte*& to) {
  const int64_t size = item_size(view.dtype);
  if (axis == printed.size()) {
    std::memcpy(to, from, size);
    to += size;
    return;
  }
  const int64_t skipped = view.shape[axis] - printed[axis];
  for_each_polled(printed[axis], [&](int64_t i) {
    const int64_t index = skipped > 0 && i >= printed[axis] / 2 ? i + skipped : i;
    gather_axis(view, printed, axis + 1, from + index * view.strides[axis], to);
  });
}

}  // namespace

std::vector<std::byte> gather_printed(const HostView& view, const PrintOptions& options) {
  const Dims printed = printed_shape(view.shape, options);
  const int64_t count = element_count(printed);
  const Charge scratch(count * item_size(view.dtype));
  std::vector<std::byte> elements(count * item_size(view.dtype));
  std::byte* to = elements.data();
  if (count > 0) gather_axis(view, printed, 0, static_cast<const std::byte*>(view.data), to);
  return elements;
}

namespace {

// numpy's _formatArray. Extents are the shown ones; an axis is `cut_` where "..." stands for the
// elements between its edges.
class ArrayFormatter {
 public:
  ArrayFormatter(const ElementFormat& format, const Dims& shape, const PrintOptions& options,
                 const std::string& separator)
      : format_(format),
        printed_(printed_shape(shape, options)),
        separator_(separator),
        bare_separator_(separator.substr(0, separator.find_last_not_of(' ') + 1)),
        is_oldest_(options.legacy == LegacyLayout::k1_13) {
    const bool summarised = is_summarised(shape, options);
    for (int64_t extent : shape) {
      const bool cut = summarised && extent > 2 * options.edgeitems;
      leading_.push_back(cut ? options.edgeitems : 0);
      trailing_.push_back(cut ? std::max<int64_t>(options.edgeitems, 1) : extent);
      cut_.push_back(cut);
    }
  }

  // `first` is the flat index, among the shown elements, of the block's first element.
  std::string text(int axis, int64_t first, const std::string& indent, int64_t width) const {
    if (axis == printed_.size()) return format_.text(first);
    const bool is_row = axis == printed_.size() - 1;
    std::string body = is_row ? row(first, indent, width) : blocks(axis, first, indent, width);
    return "[" + body.substr(indent.size()) + "]";
  }

 private:
  // Calls visit(index) for the shown indices of an axis, and gap() between its edges.
  template <class Visit, class Gap>
  void for_each(int axis, const Visit& visit, const Gap& gap) const {
    for (int64_t i = 0; i < leading_[axis]; ++i) visit(i);
    if (cut_[axis]) gap();
    for (int64_t i = trailing_[axis]; i > 0; --i) visit(printed_[axis] - i);
  }

  // Columns of a text, a code point each.
  static int64_t columns(const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  }

  std::string row(int64_t first, const std::string& indent, int64_t width) const {
    const int axis = printed_.size() - 1;
    int64_t limit =
        width - std::max<int64_t>(static_cast<int64_t>(bare_separator_.size()), is_oldest_ ? 0 : 1);
    std::string done;
    std::string line = indent;
    auto filled = static_cast<int64_t>(indent.size());
    auto extend = [&](const std::string& word) {
      room_.add(kCopies * word.size());
      const int64_t wide = columns(word);
      if ((is_oldest_ || line.size() > indent.size()) && filled + wide > limit) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
        filled = static_cast<int64_t>(indent.size());
      }
      line += word;
      filled += wide;
    };
    const auto separate = [&](const std::string& separator) {
      line += separator;
      filled += static_cast<int64_t>(separator.size());
    };
    for_each(
        axis,
        [&](int64_t i) {
          if (i % 1024 == 0) poll_interrupt();
          const bool is_last = i + 1 == printed_[axis];
          if (is_last && is_oldest_) limit = width;
          extend(format_.text(first + i));
          if (!is_last) separate(separator_);
        },
        [&] {
          extend("...");
          separate(is_oldest_ ? ", " : separator_);
        });
    return done + line;
  }

  std::string blocks(int axis, int64_t first, const std::string& indent, int64_t width) const {
    const std::string separator = bare_separator_ + std::string(printed_.size() - axis - 1, '\n');
    int64_t block = 1;
    for (int i = axis + 1; i < printed_.size(); ++i) block *= printed_[i];
    std::string all;
    for_each(
        axis,
        [&](int64_t i) {
          all += indent +
                 text(axis + 1, first + i * block, indent + ' ', width - (is_oldest_ ? 0 : 1));
          if (i + 1 < printed_[axis]) all += separator;
        },
        [&] { all += indent + "..." + (is_oldest_ ? ", \n" : separator); });
    return all;
  }

  static constexpr size_t kCopies = 3;  // of the text, while it is put together

  const ElementFormat& format_;
  mutable Charge room_;
  Dims printed_;
  Dims leading_;
  Dims trailing_;
  Dims cut_;
  const std::string& separator_;
  std::string bare_separator_;
  bool is_oldest_;  // numpy 1.13 counts a row's columns otherwise
};

int64_t row_width(const PrintOptions& options, size_t suffix_size) {
  const bool counts_suffix = options.legacy != LegacyLayout::k1_13;
  return options.linewidth - (counts_suffix ? static_cast<int64_t>(suffix_size) : 0);
}

// An array without axes, which numpy 1.13 writes as the Python number.
bool is_oldest_item(const Dims& shape, const PrintOptions& options) {
  return shape.empty() && options.legacy == LegacyLayout::k1_13;
}

}  // namespace

std::string array_to_string(DType dtype, const Dims& shape, const void* elements,
                            const PrintOptions& options, const std::string& separator,
                            size_t prefix_size, size_t suffix_size) {
  if (is_oldest_item(shape, options)) return item_repr(Scalar::load(dtype, elements));
  if (element_count(shape) == 0) return "[]";
  const int64_t count = element_count(printed_shape(shape, options));
  const Charge scratch(count * (item_size(dtype) + 2 * sizeof(double)));
  auto format = make_element_format(dtype, elements, count, shape.empty(), options);
  return ArrayFormatter(*format, shape, options, separator)
      .text(0, 0, std::string(prefix_size + 1, ' '), row_width(options, suffix_size));
}

namespace {

class GivenTexts : public ElementFormat {
 public:
  explicit GivenTexts(std::span<const std::string> texts) : texts_(texts) {}
  std::string text(int64_t index) const override { return texts_[static_cast<size_t>(index)]; }

 private:
  std::span<const std::string> texts_;
};

}  // namespace

std::string texts_to_string(std::span<const std::string> texts, const Dims& shape,
                            const PrintOptions& options, const std::string& separator,
                            size_t prefix_size, size_t suffix_size) {
  if (element_count(shape) == 0) return "[]";
  return ArrayFormatter(GivenTexts(texts), shape, options, separator)
      .text(0, 0, std::string(prefix_size + 1, ' '), row_width(options, suffix_size));
}

std::string array_str(DType dtype, const Dims& shape, const void* elements,
                      const PrintOptions& options) {
  const bool oldest = is_oldest_item(shape, options);
  if (shape.empty() && !oldest) return scalar_str(Scalar::load(dtype, elements), options.legacy);
  return array_to_string(dtype, shape, elements, options, " ", 0, 0);
}

std::string shape_text(const Dims& shape) {
  std::string text = "(";
  for (int i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace {

bool is_dtype_implied(DType dtype, const PrintOptions& options) {
  if (dtype == DType::kBool) return options.legacy != LegacyLayout::k1_13;
  return dtype == DType::kInt64 || dtype == DType::kFloat64 || dtype == DType::kComplex128;
}

// The facts that the elements alone do not tell: "shape=(0, 3), dtype=float32".
std::string repr_extras(DType dtype, const Dims& shape, const PrintOptions& options) {
  const int64_t count = element_count(shape);
  std::string extras;
  const bool tells_cut = options.legacy == LegacyLayout::kNone;
  if ((count == 0 && shape.size() != 1) || (tells_cut && count > options.threshold)) {
    extras = "shape=" + shape_text(shape);
  }
  if (!is_dtype_implied(dtype, options) || count == 0) {
    if (!extras.empty()) extras += ", ";
    extras += dtype.is_native() ? fmt::format("dtype={}", name(dtype))
                                : fmt::format("dtype='{}'", name(dtype));
  }
  return extras;
}

}  // namespace

std::string array_repr(DType dtype, const Dims& shape, const void* elements,
                       const PrintOptions& options, const std::string& opening) {
  const std::string body =
      array_to_string(dtype, shape, elements, options, ", ", opening.size(), 1);
  return array_repr_of(body, dtype, shape, options, opening);
}

std::string array_repr_of(const std::string& body, DType dtype, const Dims& shape,
                          const PrintOptions& options, const std::string& opening) {
  std::string text = opening + body;
  const std::string extras = repr_extras(dtype, shape, options);
  if (extras.empty()) return text + ")";
  text += ",";
  const size_t last_line = text.size() - (text.rfind('\n') + 1);
  const bool fits = options.legacy == LegacyLayout::k1_13 ||
                    static_cast<int64_t>(last_line + extras.size() + 2) <= options.linewidth;
  return text + (fits ? " " : "\n" + std::string(opening.size(), ' ')) + extras + ")";
}

}  // namespace gpy::rt
