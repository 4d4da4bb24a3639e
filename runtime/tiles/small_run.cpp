#include "runtime/tiles/small_run.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/core/per_thread.h"
#include "runtime/tiles/aligned_bytes.h"
#include "runtime/tiles/rows.h"

namespace gpy::rt {

namespace {

// A number is copied for this many elements, and the loop called as often as it takes.
constexpr int64_t kNumberChunk = 512;
// Not a multiple of a page: the same element of several rooms would share cache sets.
constexpr int64_t kRoomBytes = kSmallCount * 16 + 192;

// Copies of a number, made once while a loop of a script uses it again and again.
struct NumberChunk {
  alignas(64) std::byte copies[kNumberChunk * 16];
  alignas(16) std::byte number[16];
  int size = 0;
  uint64_t used = 0;
};
// One more than a call can use: the least recently used one is never of this call.
constexpr int kNumberChunks = 4;

struct Chunks {
  std::unique_ptr<NumberChunk[]> all;
  uint64_t uses = 0;

  // The chunk that holds the number (`made`), or the one to fill with it.
  NumberChunk& of(const std::byte* number, int size, bool& made) {
    if (!all) all = std::make_unique<NumberChunk[]>(kNumberChunks);
    NumberChunk* chosen = &all[0];
    made = false;
    for (int i = 0; i < kNumberChunks && !made; ++i) {
      made = all[i].size == size && std::memcmp(all[i].number, number, 16) == 0;
      if (made || all[i].used < chosen->used) chosen = &all[i];
    }
    chosen->used = ++uses;
    return *chosen;
  }
};

struct Rooms {
  AlignedBytes bytes;

  std::byte* get() {
    if (!bytes) bytes = make_aligned_bytes(kSmallRooms * kRoomBytes);
    return bytes.get();
  }
};

// Calls row(place of its first element, stride in words, extent, done) for each row, `done`
// elements after the first. Rows lie along the last axis that has several elements.
template <class Word, class Byte, class Row>
void for_small_rows(const SmallPlaces<Byte>& view, const SmallShape& shape, Row&& row) {
  auto n = shape.extents;
  auto s = view.strides;
  for (int i = 1; i < kSmallRank && n[3] == 1; ++i) {
    std::rotate(n.begin(), n.end() - 1, n.end());
    std::rotate(s.begin(), s.end() - 1, s.end());
  }
  const int64_t stride = s[3] / static_cast<int64_t>(sizeof(Word));
  int64_t done = 0;
  for (int64_t i = 0; i < n[0]; ++i) {
    for (int64_t j = 0; j < n[1]; ++j) {
      Byte* at = view.data + i * s[0] + j * s[1];
      for (int64_t k = 0; k < n[2]; ++k, done += n[3], at += s[2]) {
        row(reinterpret_cast<Word*>(at), stride, n[3], done);
      }
    }
  }
}

}  // namespace

bool SmallShape::set(std::span<const int64_t> shape) {
  const int rank = static_cast<int>(shape.size());
  if (rank > kSmallRank) return false;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t extent = shape[axis];
    if (extent <= 0 || extent > kSmallCount) return false;
    extents[kSmallRank - rank + axis] = extent;
    count *= extent;
    if (count > kSmallCount) return false;
  }
  return true;
}

template <class Byte>
bool SmallPlaces<Byte>::set(const Layout& layout, Byte* memory, const SmallShape& shape) {
  dtype = layout.dtype;
  data = memory + layout.offset;
  const int rank = layout.rank();
  const int skip = kSmallRank - rank;
  if (skip < 0) return false;
  packed = single = true;
  int64_t step = layout.item_size();
  for (int axis = kSmallRank - 1; axis >= 0; --axis) {
    const int64_t extent = shape.extents[axis];
    const int64_t own = axis >= skip ? layout.shape[axis - skip] : 1;
    if (own != extent && own != 1) return false;
    strides[axis] = own == 1 ? 0 : layout.strides[axis - skip];
    if (extent == 1) continue;
    packed = packed && strides[axis] == step;
    single = single && strides[axis] == 0;
    step *= extent;
  }
  return true;
}

template <class Byte> bool SmallPlaces<Byte>::has_c_axis_order() const {
  int64_t last = INT64_MAX;
  for (int64_t stride : strides) {
    if (stride == 0) continue;
    if (std::abs(stride) > last) return false;
    last = std::abs(stride);
  }
  return true;
}

template struct SmallPlaces<const std::byte>;
template struct SmallPlaces<std::byte>;

std::byte* small_room(int number) { return of_this_thread<Rooms>().get() + number * kRoomBytes; }

void pack(const SmallView& view, const SmallShape& shape, std::byte* to) {
  const int64_t size = item_size(view.dtype);
  if (view.packed) {
    std::memmove(to, view.data, shape.count * size);
    return;
  }
  with_word(static_cast<int>(size), [&](auto word) {
    using Word = decltype(word);
    const auto load = [&](const Word* from, int64_t stride, int64_t count, int64_t done) {
      load_row(reinterpret_cast<Word*>(to) + done, from, stride, count);
    };
    for_small_rows<const Word>(view, shape, load);
  });
}

void unpack(const std::byte* from, const SmallShape& shape, const SmallRegion& region) {
  const int64_t size = item_size(region.dtype);
  if (region.packed) {
    std::memmove(region.data, from, shape.count * size);
    return;
  }
  with_word(static_cast<int>(size), [&](auto word) {
    using Word = decltype(word);
    const auto store = [&](Word* to, int64_t stride, int64_t count, int64_t done) {
      store_row(to, stride, reinterpret_cast<const Word*>(from) + done, count);
    };
    for_small_rows<Word>(region, shape, store);
  });
}

void fill(const SmallRegion& region, const SmallShape& shape, const Scalar& number) {
  alignas(16) std::byte bytes[16];
  number.store(region.dtype, bytes);
  with_word(static_cast<int>(item_size(region.dtype)), [&](auto word) {
    using Word = decltype(word);
    std::memcpy(&word, bytes, sizeof(word));
    if (region.packed) return repeat_row(reinterpret_cast<Word*>(region.data), word, shape.count);
    for_small_rows<Word>(region, shape, [&](Word* to, int64_t stride, int64_t count, int64_t) {
      for (int64_t i = 0; i < count; ++i) to[i * stride] = word;
    });
  });
}

SmallFeed feed(const SmallView& view, const SmallShape& shape, DType dtype, int room, int& events) {
  if (view.single && view.dtype == dtype && shape.count > 1) {
    return feed(Scalar::load(dtype, view.data), dtype);
  }
  const int64_t step = item_size(dtype);
  const std::byte* elements = view.data;
  if (!view.packed) {
    pack(view, shape, small_room(room));
    elements = small_room(room);
  }
  if (view.dtype == dtype) return {elements, step};
  const SmallFeed from[] = {{elements, item_size(view.dtype)}};
  events |= run_loop(cast_loop(view.dtype, dtype), from, small_room(room + 1), step, shape.count);
  return {small_room(room + 1), step};
}

SmallFeed feed(const Scalar& number, DType dtype) {
  alignas(16) std::byte bytes[16] = {};
  const int size = static_cast<int>(item_size(dtype));
  number.store(dtype, bytes);
  bool made;
  NumberChunk& chunk = of_this_thread<Chunks>().of(bytes, size, made);
  if (!made) {
    std::memcpy(chunk.number, bytes, sizeof(bytes));
    chunk.size = size;
    with_word(size, [&](auto word) {
      std::memcpy(&word, bytes, sizeof(word));
      repeat_row(reinterpret_cast<decltype(word)*>(chunk.copies), word, kNumberChunk);
    });
  }
  return {chunk.copies, 0};
}

int run_loop(TileLoop loop, std::span<const SmallFeed> feeds, std::byte* out, int64_t out_size,
             int64_t count) {
  int64_t chunk = count;
  for (const SmallFeed& feed : feeds) {
    if (feed.step == 0) chunk = std::min(chunk, kNumberChunk);
  }
  const void* in[3] = {};
  clear_events();
  for (int64_t at = 0; at < count; at += chunk) {
    for (size_t i = 0; i < feeds.size(); ++i) in[i] = feeds[i].data + at * feeds[i].step;
    loop(in, out + at * out_size, std::min(chunk, count - at));
  }
  return raised_events();
}

}  // namespace gpy::rt
