#include "runtime/ops/small_index.h"

#include <cstring>

#include "runtime/graph/events.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/at_once.h"
#include "runtime/tiles/small_run.h"

namespace gpy::rt {

namespace {

// Rooms of the thread: two for the index, two for what is stored.
constexpr int kIndexRoom = 0;
constexpr int kSourceRoom = 2;
// Larger results are left to the general path.
constexpr int64_t kMostBytes = kSmallCount * 16;

// The elements of an index array, checked: each is in [0, extent).
class SmallIndex {
 public:
  bool read(const Array& index, int64_t extent) {
    const bool integers = is_integer(index.dtype()) && index.dtype() != DType::kUInt64;
    const std::byte* first = integers ? try_elements(index) : nullptr;
    if (!first || index.rank() == 0 || !shape_.set(index.shape())) return false;
    SmallView view;
    if (!view.set(index.layout(), first - index.offset(), shape_)) return false;
    view.single = false;  // one for all is read as many
    int events = 0;
    const SmallFeed elements = feed(view, shape_, DType::kInt64, kIndexRoom, events);
    if (reinterpret_cast<uintptr_t>(elements.data) % alignof(int64_t) != 0) return false;
    at_ = reinterpret_cast<const int64_t*>(elements.data);
    return all_within(extent) || count_from_end(extent);
  }
  // Two storages may share memory: what is written must not reach the indices that were checked.
  void copy() {
    std::byte* const own = small_room(kIndexRoom + 1);
    std::memmove(own, at_, shape_.count * sizeof *at_);
    at_ = reinterpret_cast<const int64_t*>(own);
  }
  const SmallShape& shape() const { return shape_; }
  std::span<const int64_t> all() const { return {at_, static_cast<size_t>(shape_.count)}; }

 private:
  // By the signs alone, which takes a vector at a time.
  bool all_within(int64_t extent) const {
    uint64_t signs = 0;
    for (int64_t i = 0; i < shape_.count; ++i) {
      const auto at = static_cast<uint64_t>(at_[i]);
      signs |= at | (static_cast<uint64_t>(extent - 1) - at);
    }
    return signs >> 63 == 0;
  }

  // Puts what counts from the end where it is. False where an index fits neither way.
  bool count_from_end(int64_t extent) {
    int64_t* const to = reinterpret_cast<int64_t*>(small_room(kIndexRoom + 1));
    bool fits = true;
    for (int64_t i = 0; i < shape_.count; ++i) {
      const int64_t at = at_[i] + (at_[i] < 0 ? extent : 0);
      fits &= static_cast<uint64_t>(at) < static_cast<uint64_t>(extent);
      to[i] = at;
    }
    at_ = to;
    return fits;
  }

  SmallShape shape_;
  const int64_t* at_ = nullptr;
};

// Elements of a known size are moved faster than bytes.
template <class F> void with_size(int64_t bytes, F&& move) {
  switch (bytes) {
    case 1: return move(std::integral_constant<size_t, 1>());
    case 2: return move(std::integral_constant<size_t, 2>());
    case 4: return move(std::integral_constant<size_t, 4>());
    case 8: return move(std::integral_constant<size_t, 8>());
    case 16: return move(std::integral_constant<size_t, 16>());
    default: return move(static_cast<size_t>(bytes));
  }
}

// Bytes of one row of the array, if its elements lie one after another; 0 where they do not.
int64_t row_bytes(const Array& array) {
  int64_t bytes = array.item_size();
  for (int axis = array.rank() - 1; axis > 0; --axis) {
    if (array.strides()[axis] != bytes && array.shape()[axis] != 1) return 0;
    bytes *= array.shape()[axis];
  }
  return bytes;
}

}  // namespace

std::optional<Array> try_gather_at_once(Session& session, const Array& array, const Array& index) {
  const std::byte* first = try_elements(array);
  if (!acts_at_once(session) || !first || array.rank() == 0) return std::nullopt;
  const int64_t bytes = row_bytes(array), stride = array.strides()[0];
  if (bytes == 0 || bytes > kMostBytes) return std::nullopt;
  SmallIndex rows;
  if (!rows.read(index, array.shape()[0])) return std::nullopt;
  const int64_t count = rows.shape().count;
  if (count * bytes > kMostBytes) return std::nullopt;
  Dims shape = index.shape();
  for (int axis = 1; axis < array.rank(); ++axis) shape.push_back(array.shape()[axis]);
  auto fill = [&](std::byte* to) {
    with_size(bytes, [&](auto size) {
#pragma GCC unroll 8
      for (const int64_t row : rows.all()) {
        std::memcpy(to, first + row * stride, size);
        to += static_cast<int64_t>(size);
      }
    });
  };
  return make_filled(session, array.dtype(), shape, Space::host(), fill);
}

bool try_scatter_at_once(Session& session, const Array& array, const Array& index,
                         const Term& source) {
  const bool shares = index.storage_ref() == array.storage_ref() ||
                      (source.is_array() && source.array().storage_ref() == array.storage_ref());
  if (!acts_at_once(session) || shares || array.rank() != 1) return false;
  SmallIndex at;
  if (!at.read(index, array.shape()[0])) return false;
  at.copy();
  int events = 0;
  SmallFeed elements;
  if (source.is_array()) {
    SmallView view;
    const std::byte* first = try_elements(source.array());
    if (!first) return false;
    if (!view.set(source.array().layout(), first - source.array().offset(), at.shape())) {
      return false;
    }
    view.single = false;  // one for all is stored as many
    elements = feed(view, at.shape(), array.dtype(), kSourceRoom, events);
  } else {
    std::byte* one = small_room(kSourceRoom);
    source.scalar().cast(array.dtype()).store(array.dtype(), one);
    elements = {one, 0};
  }
  std::byte* memory = WriteAccess::try_memory(array);
  if (!memory) return false;
  std::byte* to = memory + array.offset();
  const int64_t stride = array.strides()[0];
  with_size(array.item_size(), [&](auto size) {
    const std::byte* from = elements.data;
    for (const int64_t row : at.all()) {
      std::memcpy(to + row * stride, from, size);
      from += elements.step;
    }
  });
  if (events) tell_events(session, events, "cast", session.origin());
  return true;
}

}  // namespace gpy::rt
