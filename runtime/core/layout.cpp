#include "runtime/core/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include "runtime/core/error_facts.h"

namespace gpy::rt {

namespace {

[[noreturn]] void fail_too_big() {
  fail(ErrorKind::kValue,
       "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible "
       "size.");
}

}  // namespace

// Whether the shape has at most two axes of moderate extents, whose product fits in any case.
static bool is_moderate(std::span<const int64_t> shape, int64_t item_size) {
  constexpr uint64_t kModerate = uint64_t{1} << 28;
  for (const int64_t extent : shape) {
    if (static_cast<uint64_t>(extent) >= kModerate) return false;
  }
  return shape.size() <= 2 && item_size <= 64;
}

std::optional<int64_t> try_element_count(std::span<const int64_t> shape, int64_t item_size) {
  int64_t count = 1;
  int64_t bytes = item_size;
  bool zero = false;
  for (int64_t extent : shape) {
    zero |= extent == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes)) return std::nullopt;
    count *= extent == 0 ? 1 : extent;
  }
  return zero ? 0 : count;
}

int64_t element_count(std::span<const int64_t> shape, int64_t item_size) {
  if (is_moderate(shape, item_size)) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies());
  }
  for (int64_t extent : shape) {
    if (extent < 0) fail(ErrorKind::kValue, "negative dimensions are not allowed");
  }
  const std::optional<int64_t> count = try_element_count(shape, item_size);
  if (!count) fail_too_big();
  return *count;
}

int64_t checked_product(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) fail_too_big();
  return result;
}

int64_t checked_sum(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) fail_too_big();
  return result;
}

// Strides of an array without elements may exceed 64 bits; they address no element then.
static int64_t next_stride(int64_t stride, int64_t extent) {
  int64_t next;
  (void)__builtin_mul_overflow(stride, std::max<int64_t>(extent, 1), &next);
  return next;
}

Dims c_strides(std::span<const int64_t> shape, int64_t item_size) {
  Dims strides(static_cast<int64_t>(shape.size()), item_size);
  for (int i = strides.size() - 2; i >= 0; --i) {
    strides[i] = next_stride(strides[i + 1], shape[i + 1]);
  }
  return strides;
}

Dims f_strides(std::span<const int64_t> shape, int64_t item_size) {
  Dims strides(static_cast<int64_t>(shape.size()), item_size);
  for (int i = 1; i < strides.size(); ++i) {
    strides[i] = next_stride(strides[i - 1], shape[i - 1]);
  }
  return strides;
}

namespace {

// -1: axis `a` goes outside `b`; 1: inside; 0: the operands do not say.
int axis_order(std::span<const Dims* const> like, int64_t a, int64_t b) {
  int order = 0;
  for (const Dims* strides : like) {
    const int64_t sa = std::abs((*strides)[a]);
    const int64_t sb = std::abs((*strides)[b]);
    if (sa == 0 || sb == 0) continue;
    if (sa >= sb) return -1;
    order = 1;
  }
  return order;
}

}  // namespace

Dims k_strides(std::span<const int64_t> shape, int64_t item_size,
               std::span<const Dims* const> like) {
  const int rank = static_cast<int>(shape.size());
  if (rank <= 1) return Dims(rank, item_size);
  Dims order(rank, 0);
  std::iota(order.begin(), order.end(), 0);
  // NumPy's insertion sort: an axis that nothing decides about is stepped over, not stopped at.
  for (int i = 1; i < rank; ++i) {
    const int64_t axis = order[i];
    int at = i;
    for (int j = i - 1; j >= 0; --j) {
      const int decided = axis_order(like, order[j], axis);
      if (decided < 0) break;
      if (decided > 0) at = j;
    }
    for (int j = i; j > at; --j) order[j] = order[j - 1];
    order[at] = axis;
  }
  Dims strides(rank, item_size);
  int64_t step = item_size;
  for (int i = rank - 1; i >= 0; --i) {
    strides[order[i]] = step;
    step *= std::max<int64_t>(shape[order[i]], 1);
  }
  return strides;
}

Dims k_strides(std::span<const int64_t> shape, int64_t item_size, const Dims& like) {
  const Dims* const one[] = {&like};
  return k_strides(shape, item_size, one);
}

namespace {

bool matches(const Layout& layout, const Dims& strides) {
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.shape[i] == 0) return true;
  }
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.shape[i] != 1 && layout.strides[i] != strides[i]) return false;
  }
  return true;
}

}  // namespace

bool is_c_contiguous(const Layout& layout) {
  return matches(layout, c_strides(layout.shape, layout.item_size()));
}

bool is_f_contiguous(const Layout& layout) {
  return matches(layout, f_strides(layout.shape, layout.item_size()));
}

bool is_dense(const Layout& layout) {
  if (is_c_contiguous(layout)) return true;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.strides[i] < 0 && layout.shape[i] > 1) return false;
  }
  return matches(layout, k_strides(layout.shape, layout.item_size(), layout.strides));
}

bool covers(const Layout& layout, int64_t bytes) {
  if (layout.offset != 0 || element_count(layout.shape) * layout.item_size() != bytes) return false;
  return is_dense(layout);
}

bool same_places(const Layout& a, const Layout& b) {
  if (a.dtype != b.dtype || a.offset != b.offset || !(a.shape == b.shape)) return false;
  return matches(a, b.strides);
}

std::pair<int64_t, int64_t> byte_range(const Layout& layout) {
  int64_t low = layout.offset;
  int64_t high = layout.offset;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.shape[i] == 0) return {layout.offset, layout.offset};
    const int64_t reach = (layout.shape[i] - 1) * layout.strides[i];
    (reach < 0 ? low : high) += reach;
  }
  return {low, high + layout.item_size()};
}

Dims broadcast_shapes(std::span<const std::span<const int64_t>> shapes) {
  if (shapes.empty()) return {};
  Dims out(shapes[0]);
  for (const auto& shape : shapes.subspan(1)) {
    if (std::ranges::equal(shape, out)) continue;
    const int rank = static_cast<int>(shape.size());
    while (out.size() < rank) out.insert(0, 1);
    const int skip = out.size() - rank;
    for (int i = 0; i < rank; ++i) {
      int64_t& extent = out[skip + i];
      if (extent == 1) {
        extent = shape[i];
      } else if (shape[i] != 1 && shape[i] != extent) {
        std::string all;
        for (const auto& each : shapes) all += shape_text(each) + " ";
        fail(ErrorKind::kValue, "operands could not be broadcast together with shapes {}", all);
      }
    }
  }
  return out;
}

std::optional<Layout> try_broadcast(const Layout& layout, std::span<const int64_t> shape) {
  const int rank = static_cast<int>(shape.size());
  const int skip = rank - layout.rank();
  if (skip < 0) return std::nullopt;
  std::optional<Layout> broadcast(std::in_place, layout.dtype, Dims(shape), Dims(rank, 0),
                                  layout.offset);
  Layout& out = *broadcast;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.shape[i] == shape[skip + i]) {
      out.strides[skip + i] = layout.shape[i] == 1 ? 0 : layout.strides[i];
    } else if (layout.shape[i] != 1) {
      return std::nullopt;
    }
  }
  return broadcast;
}

std::optional<Dims> try_reshape(const Layout& layout, std::span<const int64_t> shape) {
  const int64_t item = layout.item_size();
  if (is_c_contiguous(layout)) return c_strides(shape, item);
  Dims old_shape;
  Dims old_strides;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.shape[i] == 1) continue;
    old_shape.push_back(layout.shape[i]);
    old_strides.push_back(layout.strides[i]);
  }
  // Match groups of axes with equal products; each group must be one run in memory.
  Dims strides(static_cast<int64_t>(shape.size()), item);
  int oi = 0;
  int ni = 0;
  while (ni < strides.size() && oi < old_shape.size()) {
    int oj = oi + 1;
    int nj = ni + 1;
    int64_t old_count = old_shape[oi];
    int64_t new_count = shape[ni];
    while (old_count != new_count) {
      if (new_count < old_count) {
        new_count *= shape[nj++];
      } else {
        old_count *= old_shape[oj++];
      }
    }
    for (int k = oi; k + 1 < oj; ++k) {
      if (old_strides[k] != old_shape[k + 1] * old_strides[k + 1]) return std::nullopt;
    }
    strides[nj - 1] = old_strides[oj - 1];
    for (int k = nj - 1; k > ni; --k) strides[k - 1] = strides[k] * shape[k];
    oi = oj;
    ni = nj;
  }
  const int64_t last = ni > 0 ? strides[ni - 1] : item;
  for (; ni < strides.size(); ++ni) strides[ni] = last;
  return strides;
}

std::string shape_text(std::span<const int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ","), shape.size() == 1 ? "," : "");
}

std::string tuple_text(std::span<const int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

int normalize_axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) throw AxisError(axis, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace gpy::rt
