#include "src/types/list_sort.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "src/memory/pieces.h"

namespace gpy {

namespace {

using Rank = uint32_t;

// Merges ranks, never values: no value is lost when a comparison throws.
template <class Less> class Merge {
 public:
  Merge(Interpreter& vm, std::span<Rank> order, Less less)
      : vm_(vm),
        order_(order),
        less_(less),
        spare_(std::make_unique_for_overwrite<Rank[]>(order.size())) {}

  void sort() {
    if (order_.size() < 2 || is_sorted_or_reversed()) return;
    sort(0, order_.size());
  }

 private:
  static constexpr size_t kRun = 12;  // insertion is faster up to here

  // One pass that is enough for most sorted and reversed input; a descending run is strict, so its
  // reversal keeps equal items in order.
  bool is_sorted_or_reversed() {
    size_t i = 1;
    bool down = less_(order_[1], order_[0]);
    InterruptPoll poll(vm_);
    while (++i < order_.size() && less_(order_[i], order_[i - 1]) == down) poll.step();
    if (i < order_.size()) return false;
    if (down) std::reverse(order_.begin(), order_.end());
    return true;
  }

  void sort(size_t begin, size_t end) {
    vm_.poll();
    if (end - begin <= kRun) return insert_each(begin, end);
    size_t middle = begin + (end - begin) / 2;
    sort(begin, middle);
    sort(middle, end);
    if (less_(order_[middle], order_[middle - 1])) merge(begin, middle, end);
  }

  void insert_each(size_t begin, size_t end) {
    for (size_t i = begin + 1; i < end; ++i) {
      Rank moving = order_[i];
      size_t low = begin, high = i;
      while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (less_(moving, order_[middle])) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      std::copy_backward(order_.begin() + low, order_.begin() + i, order_.begin() + i + 1);
      order_[low] = moving;
    }
  }

  void merge(size_t begin, size_t middle, size_t end) {
    std::copy(order_.begin() + begin, order_.begin() + middle, spare_.get() + begin);
    size_t left = begin, right = middle, to = begin;
    while (left < middle && right < end) {
      // Each step takes one item of either side.
      const size_t steps = std::min({middle - left, end - right, kPiece});
      for (size_t i = 0; i < steps; ++i) {
        bool take_right = less_(order_[right], spare_[left]);
        order_[to++] = take_right ? order_[right++] : spare_[left++];
      }
      if (steps == kPiece) poll_interrupt(vm_);
    }
    std::copy(spare_.get() + left, spare_.get() + middle, order_.begin() + to);
  }

  Interpreter& vm_;
  std::span<Rank> order_;
  Less less_;
  std::unique_ptr<Rank[]> spare_;
};

enum class KeyKind { integers, reals, texts, rows, mixed };

}  // namespace

// The kind of a key. Objects of classes over str and tuple may have an order of their own.
static KeyKind kind_of(const Interpreter& vm, const Value& v) {
  if (v.is_integer()) return KeyKind::integers;
  if (v.is_real()) return KeyKind::reals;
  if (vm.is_exactly(vm.types.tuple, v)) return KeyKind::rows;
  return vm.is_text(v) ? KeyKind::texts : KeyKind::mixed;
}

// Sets `order` to the sign of a - b where both are small ints or texts.
static bool compare_simply(const Interpreter& vm, const Value& a, const Value& b, int& order) {
  if (a.is_integer() && b.is_integer()) {
    order = (a.as_integer() > b.as_integer()) - (a.as_integer() < b.as_integer());
    return true;
  }
  if (!vm.is_text(a) || !vm.is_text(b)) return false;
  order = a.unchecked<Str>()->view().compare(b.unchecked<Str>()->view());
  return true;
}

// Whether one tuple comes before another: the first items that differ decide.
static bool row_less(Interpreter& vm, const Value& lhs, const Value& rhs) {
  Tuple &a = *lhs.unchecked<Tuple>(), &b = *rhs.unchecked<Tuple>();
  for (size_t i = 0; i < a.size && i < b.size; ++i) {
    int order;
    if (compare_simply(vm, a[i], b[i], order)) {
      if (order != 0) return order < 0;
    } else if (!vm.equal(a[i], b[i])) {
      return vm.less(a[i], b[i]);
    }
  }
  return a.size < b.size;
}

static KeyKind common_kind(Interpreter& vm, const std::vector<Value>& keys) {
  KeyKind kind = keys.empty() ? KeyKind::mixed : kind_of(vm, keys[0]);
  InterruptPoll poll(vm);
  for (const Value& key : keys) {
    poll.step();
    if (kind_of(vm, key) != kind) return KeyKind::mixed;
  }
  return kind;
}

template <class Less>
static void merge_sort(Interpreter& vm, std::span<Rank> order, bool reverse, Less less) {
  if (reverse) {
    Merge sorter(vm, order, [&](Rank a, Rank b) { return less(b, a); });
    sorter.sort();
  } else {
    Merge sorter(vm, order, less);
    sorter.sort();
  }
}

static void sort_positions(Interpreter& vm, std::span<Rank> order, const std::vector<Value>& keys,
                           bool reverse) {
  switch (common_kind(vm, keys)) {
    case KeyKind::integers:
      return merge_sort(vm, order, reverse, [&](Rank a, Rank b) {
        return keys[a].unchecked_integer() < keys[b].unchecked_integer();
      });
    case KeyKind::reals:
      return merge_sort(vm, order, reverse, [&](Rank a, Rank b) {
        return keys[a].unchecked_real() < keys[b].unchecked_real();
      });
    case KeyKind::texts:  // the order of UTF-8 bytes is that of code points
      return merge_sort(vm, order, reverse, [&](Rank a, Rank b) {
        return keys[a].unchecked<Str>()->view() < keys[b].unchecked<Str>()->view();
      });
    case KeyKind::rows:
      return merge_sort(vm, order, reverse,
                        [&](Rank a, Rank b) { return row_less(vm, keys[a], keys[b]); });
    case KeyKind::mixed:
      return merge_sort(vm, order, reverse,
                        [&](Rank a, Rank b) { return vm.less(keys[a], keys[b]); });
  }
}

// The keys are kept in a list, which is destroyed in pieces.
static Value keys_of(Interpreter& vm, const std::vector<Value>& items, const Value& key) {
  Value list = vm.list();
  std::vector<Value>& keys = list.as<List>()->items;
  keys.reserve(items.size());
  InterruptPoll poll(vm);
  for (const Value& item : items) {
    poll.step();
    keys.push_back(vm.call(key, {item}));
  }
  return list;
}

// Item order[i] becomes item i. Values are moved as bytes, so that only `items` ever owns them:
// after an interrupt it is as it was.
static void reorder(Interpreter& vm, std::vector<Value>& items, std::span<const Rank> order) {
  struct Bytes {
    alignas(Value) std::byte of_value[sizeof(Value)];
  };
  const auto moved = std::make_unique_for_overwrite<Bytes[]>(items.size());
  in_pieces(vm, items.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) std::memcpy(&moved[i], &items[order[i]], sizeof(Value));
  });
  std::memcpy(static_cast<void*>(items.data()), moved.get(), items.size() * sizeof(Value));
}

void sort_values(Interpreter& vm, std::vector<Value>& items, const Value& key, bool reverse) {
  if (items.empty()) return;
  const Value keys = key.is_none() ? Value() : keys_of(vm, items, key);
  const auto ranks = std::make_unique_for_overwrite<Rank[]>(items.size());
  const std::span<Rank> order(ranks.get(), items.size());
  in_pieces(vm, order.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) order[i] = static_cast<Rank>(i);
  });
  sort_positions(vm, order, keys.is_defined() ? keys.as<List>()->items : items, reverse);
  reorder(vm, items, order);
}

}  // namespace gpy
