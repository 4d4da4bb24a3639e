#include <algorithm>

#include "src/memory/pieces.h"
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

static Value list_append(Interpreter& vm, Args args) {
  append_item(vm, items_of(args[0]), args[1]);
  return Value::none();
}

static Value list_extend(Interpreter& vm, Args args) {
  extend_list(vm, args[0], args[1]);
  return Value::none();
}

// By name, the other side is not asked for its own answer.
static Value list_iadd(Interpreter& vm, Args args) {
  extend_list(vm, args[0], args[1]);
  return args[0];
}

static Value list_imul(Interpreter& vm, Args args) { return repeat_list(vm, args[0], args[1]); }

static Value list_insert(Interpreter& vm, Args args) {
  int64_t wanted = vm.to_index(args[1]);
  int64_t at = clip_bound(vm, Value::integer(wanted), vm.length(args[0]));
  items_of(args[0]).insert(items_of(args[0]).begin() + at, args[2]);
  return Value::none();
}

static Value list_pop(Interpreter& vm, Args args) {
  auto& items = items_of(args[0]);
  int64_t index = vm.to_index(args[1]);
  if (items.empty()) vm.raise_index_error("pop from empty list");
  if (index < 0) index += static_cast<int64_t>(items.size());
  if (index < 0 || index >= static_cast<int64_t>(items.size())) {
    vm.raise_index_error("pop index out of range");
  }
  Value taken = std::move(items[static_cast<size_t>(index)]);
  items.erase(items.begin() + index);
  return taken;
}

static Value list_remove(Interpreter& vm, Args args) {
  int64_t at = find_item(
      vm, [&]() -> auto& { return items_of(args[0]); }, args[1], 0, INT64_MAX);
  if (at < 0) vm.raise_value_error("list.remove(x): x not in list");
  auto& items = items_of(args[0]);
  if (at < static_cast<int64_t>(items.size())) {
    Value gone = std::move(items[static_cast<size_t>(at)]);
    items.erase(items.begin() + at);
  }
  return Value::none();
}

static Value list_clear(Interpreter& vm, Args args) {
  std::vector<Value> gone = std::exchange(items_of(args[0]), {});
  let_go_backwards(vm, gone);
  return Value::none();
}

static Value list_copy(Interpreter& vm, Args args) {
  return vm.list(copy_items(vm, items_of(args[0])));
}

static Value list_count(Interpreter& vm, Args args) {
  int64_t count = 0;
  for (size_t i = 0; i < items_of(args[0]).size(); ++i) {
    Value item = items_of(args[0])[i];
    count += vm.equal(item, args[1]);
  }
  return Value::integer(count);
}

static Value list_index(Interpreter& vm, Args args) {
  auto length = static_cast<int64_t>(items_of(args[0]).size());
  Bounds bounds = index_bounds(vm, args[2], args[3], length);
  int64_t at = find_item(
      vm, [&]() -> auto& { return items_of(args[0]); }, args[1], bounds.start,
      args.has(3) ? bounds.stop : INT64_MAX);
  if (at < 0) vm.raise_value_error("{} is not in list", vm.repr(args[1]));
  return Value::integer(at);
}

// An interrupt leaves the list with its ends turned round already.
static Value list_reverse(Interpreter& vm, Args args) {
  auto& items = items_of(args[0]);
  in_pieces(vm, items.size() / 2, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) items[i].swap(items[items.size() - 1 - i]);
  });
  return Value::none();
}

// The list is empty while it is being sorted, so that a comparison that looks at it finds no
// half-sorted state.
static Value list_sort(Interpreter& vm, Args args) {
  bool reverse = vm.to_index(args[2]) != 0;
  auto& items = items_of(args[0]);
  std::vector<Value> taken = std::exchange(items, {});
  auto put_back = [&] {
    std::swap(items, taken);
    return taken.empty();
  };
  try {
    sort_values(vm, taken, args[1], reverse);
  } catch (...) {
    put_back();
    throw;
  }
  if (!put_back()) vm.raise_value_error("list modified during sort");
  return Value::none();
}

static const Native kMethods[] = {
    {"__iadd__", "(self, value, /)", list_iadd, ""},
    {"__imul__", "(self, value, /)", list_imul, ""},
    {"append", "(self, object, /)", list_append, "Adds a value to the end."},
    {"clear", "(self, /)", list_clear, "Removes all items."},
    {"copy", "(self, /)", list_copy, "A new list of the same items."},
    {"count", "(self, value, /)", list_count, "How many items equal the value."},
    {"extend", "(self, iterable, /)", list_extend, "Adds all items of an iterable to the end."},
    {"index", "(self, value, start=<0>, stop=<end>, /)", list_index,
     "The first position of a value; ValueError if there is none."},
    {"insert", "(self, index, object, /)", list_insert, "Puts a value before a position."},
    {"pop", "(self, index=-1, /)", list_pop, "Removes an item, the last by default, and gives it."},
    {"remove", "(self, value, /)", list_remove, "Removes the first item that equals the value."},
    {"reverse", "(self, /)", list_reverse, "Turns the order round, in place."},
    {"sort", "(self, /, *, key=None, reverse=False)", list_sort,
     "Sorts in place; equal items keep their order."},
};

std::span<const Native> list_methods() { return kMethods; }

}  // namespace gpy
