#include <algorithm>

#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/list.h"
#include "src/types/list_sort.h"
#include "src/types/sequence.h"

namespace gpy {

static std::vector<Value>& items_of(const Value& self) { return self.as<List>()->items; }

void extend_list(Interpreter& vm, const Value& list, const Value& iterable) {
  auto& items = items_of(list);
  if (iterable.is<List>() || iterable.is<Tuple>()) {
    std::vector<Value> more = vm.collect(iterable);
    if (items.size() + more.size() > kPiece) return append_items(vm, items, more);
    items.insert(items.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
    return;
  }
  vm.claim(vm.expected_length(iterable), sizeof(Value));
  vm.for_each(iterable, [&](Value item) { append_item(vm, items_of(list), std::move(item)); });
}

static Value list_append(Interpreter& vm, List& self, const Value& object) {
  append_item(vm, self.items, object);
  return Value::none();
}

static Value list_extend(Interpreter& vm, const Value& self, const Value& iterable) {
  extend_list(vm, self, iterable);
  return Value::none();
}

// A call by name does not ask the other operand for its own result.
static Value list_iadd(Interpreter& vm, const Value& self, const Value& value) {
  extend_list(vm, self, value);
  return self;
}

static Value list_insert(Interpreter& vm, List& self, int64_t index, const Value& object) {
  auto& items = self.items;
  int64_t at = clip_bound(vm, Value::integer(index), static_cast<int64_t>(items.size()));
  items.insert(items.begin() + at, object);
  return Value::none();
}

static Value list_pop(Interpreter& vm, List& self, int64_t index) {
  auto& items = self.items;
  if (items.empty()) vm.raise_index_error("pop from empty list");
  if (index < 0) index += static_cast<int64_t>(items.size());
  if (index < 0 || index >= static_cast<int64_t>(items.size())) {
    vm.raise_index_error("pop index out of range");
  }
  Value taken = std::move(items[static_cast<size_t>(index)]);
  items.erase(items.begin() + index);
  return taken;
}

static Value list_remove(Interpreter& vm, List& self, const Value& value) {
  auto& items = self.items;
  int64_t at = find_item(
      vm, [&]() -> auto& { return items; }, value, 0, INT64_MAX);
  if (at < 0) vm.raise_value_error("list.remove(x): x not in list");
  if (at < static_cast<int64_t>(items.size())) {
    Value gone = std::move(items[static_cast<size_t>(at)]);
    items.erase(items.begin() + at);
  }
  return Value::none();
}

static Value list_clear(Interpreter& vm, List& self) {
  std::vector<Value> gone = std::exchange(self.items, {});
  destroy_items_backwards(vm, gone);
  return Value::none();
}

static Value list_copy(Interpreter& vm, List& self) { return vm.list(copy_items(vm, self.items)); }

static Value list_count(Interpreter& vm, List& self, const Value& value) {
  int64_t count = 0;
  for (size_t i = 0; i < self.items.size(); ++i) {
    Value item = self.items[i];
    count += vm.equal(item, value);
  }
  return Value::integer(count);
}

static Value list_index(Interpreter& vm, List& self, const Value& value, const Value& start,
                        const Value& stop) {
  auto length = static_cast<int64_t>(self.items.size());
  Bounds bounds = index_bounds(vm, start, stop, length);
  int64_t at = find_item(
      vm, [&]() -> auto& { return self.items; }, value, bounds.start,
      stop.is_defined() ? bounds.stop : INT64_MAX);
  if (at < 0) vm.raise_value_error("{} is not in list", vm.repr(value));
  return Value::integer(at);
}

// An interrupt leaves the list with some items at both ends swapped already.
static Value list_reverse(Interpreter& vm, List& self) {
  auto& items = self.items;
  in_pieces(vm, items.size() / 2, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) items[i].swap(items[items.size() - 1 - i]);
  });
  return Value::none();
}

// The list is empty while it is being sorted, so that a comparison that looks at it finds no
// half-sorted state.
static Value list_sort(Interpreter& vm, List& self, const Value& key, int64_t reverse) {
  auto& items = self.items;
  std::vector<Value> taken = std::exchange(items, {});
  auto put_back = [&] {
    std::swap(items, taken);
    return taken.empty();
  };
  try {
    sort_values(vm, taken, key, reverse != 0);
  } catch (...) {
    put_back();
    throw;
  }
  if (!put_back()) vm.raise_value_error("list modified during sort");
  return Value::none();
}

static const Native kMethods[] = {
    {"__iadd__", "(self, value, /)", typed<list_iadd>, ""},
    {"__imul__", "(self, value, /)", typed<repeat_list>, ""},
    {"append", "(self, object, /)", typed<list_append>, "Adds a value to the end."},
    {"clear", "(self, /)", typed<list_clear>, "Removes all items."},
    {"copy", "(self, /)", typed<list_copy>, "A new list of the same items."},
    {"count", "(self, value, /)", typed<list_count>, "How many items equal the value."},
    {"extend", "(self, iterable, /)", typed<list_extend>,
     "Adds all items of an iterable to the end."},
    {"index", "(self, value, start=<0>, stop=<end>, /)", typed<list_index>,
     "The first position of a value; ValueError if there is none."},
    {"insert", "(self, index, object, /)", typed<list_insert>, "Puts a value before a position."},
    {"pop", "(self, index=-1, /)", typed<list_pop>,
     "Removes an item, the last by default, and gives it."},
    {"remove", "(self, value, /)", typed<list_remove>,
     "Removes the first item that equals the value."},
    {"reverse", "(self, /)", typed<list_reverse>, "Turns the order round, in place."},
    {"sort", "(self, /, *, key=None, reverse=False)", typed<list_sort>,
     "Sorts in place; equal items keep their order."},
};

std::span<const Native> list_methods() { return kMethods; }

}  // namespace gpy
