// Assignment to and deletion of slices of a list.
#include <algorithm>

#include "src/memory/pieces.h"
#include "src/types/list.h"
#include "src/types/sequence.h"

namespace gpy {

static std::vector<Value> collect_for_slice(Interpreter& vm, const Value& iterable, bool extended) {
  if (iterable.is<List>() || iterable.is<Tuple>()) return vm.collect(iterable);
  Value iterator;
  try {
    iterator = vm.iterate(iterable);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
    vm.raise_type_error(
        "{}", extended ? "must assign iterable to extended slice" : "can only assign an iterable");
  }
  return vm.collect(iterator);
}

static Slice::Indices indices_of(Interpreter& vm, const Value& list, const Slice& slice) {
  auto length = [](Interpreter&, const Value& self) {
    return static_cast<int64_t>(self.as<List>()->items.size());
  };
  return slice_indices(vm, slice, list, length);
}

// Replaces the items between two places, as far as the list still has them.
static void replace_items(Interpreter& vm, List& list, const Slice::Indices& indices,
                          std::vector<Value>& replacement) {
  auto& items = list.items;
  const int64_t size = std::ssize(items), start = std::min(indices.start, size);
  const auto first = items.begin() + start;
  const auto last = items.begin() + std::min(indices.start + indices.length, size);
  std::vector<Value> gone = copy_items(vm, {first, last});  // destroyed last, as below
  const auto at = items.erase(first, last);
  items.insert(at, std::make_move_iterator(replacement.begin()),
               std::make_move_iterator(replacement.end()));
  destroy_items_backwards(vm, gone);
}

static void replace_every(Interpreter& vm, List& list, const Slice::Indices& indices,
                          std::vector<Value>& replacement) {
  if (static_cast<int64_t>(replacement.size()) != indices.length) {
    vm.raise_value_error("attempt to assign sequence of size {} to extended slice of size {}",
                         replacement.size(), indices.length);
  }
  if (indices.length == 0) return;
  const int64_t end = indices.start + (indices.length - 1) * indices.step;
  if (std::max(indices.start, end) >= std::ssize(list.items)) {
    vm.raise_value_error("the list became shorter while its extended slice was assigned to");
  }
  for (int64_t i = 0; i < indices.length; ++i) {
    list.items[static_cast<size_t>(indices.start + i * indices.step)].swap(
        replacement[static_cast<size_t>(i)]);
  }
  destroy_items(vm, replacement);
}

// The slice is located before the items are collected, which may change the list, as in CPython.
void set_list_slice(Interpreter& vm, const Value& list, const Slice& slice, const Value& iterable) {
  const auto indices = indices_of(vm, list, slice);
  const bool extended = indices.step != 1;
  std::vector<Value> replacement = collect_for_slice(vm, iterable, extended);
  List& changed = *list.as<List>();
  extended ? replace_every(vm, changed, indices, replacement)
           : replace_items(vm, changed, indices, replacement);
}

void delete_list_slice(Interpreter& vm, const Value& list, const Slice& slice) {
  auto indices = indices_of(vm, list, slice);
  if (indices.length == 0) return;
  const bool extended = indices.step != 1;
  if (indices.step < 0) {
    indices.start += (indices.length - 1) * indices.step;
    indices.step = -indices.step;
  }
  auto& items = list.as<List>()->items;
  const auto start = static_cast<size_t>(indices.start), step = static_cast<size_t>(indices.step);
  const auto length = static_cast<size_t>(indices.length);
  std::vector<Value> gone;  // destroyed last: that may run code that uses the list
  gone.reserve(length);
  in_pieces(vm, length, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) gone.push_back(items[start + i * step]);
  });
  size_t kept = start;
  for (size_t i = start, next = start, left = length; i < items.size(); ++i) {
    if (i == next && left > 0) {
      next += step;
      --left;
    } else {
      items[kept++] = std::move(items[i]);
    }
  }
  items.resize(kept);
  extended ? destroy_items(vm, gone) : destroy_items_backwards(vm, gone);
}

}  // namespace gpy
