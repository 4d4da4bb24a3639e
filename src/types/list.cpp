// The type list, its slots and construction; methods are in list_methods.cpp.
#include "src/types/list.h"

#include "src/memory/pieces.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static const SequenceWords kWords = {"list indices must be integers or slices",
                                     "list index out of range"};
static const SequenceWords kAssignWords = {"list indices must be integers or slices",
                                           "list assignment index out of range"};

static std::vector<Value>& items_of(const Value& self) { return self.as<List>()->items; }

static Value make_list(Interpreter& vm, Type& cls, const Value& iterable) {
  auto list = vm.make<List>(&cls);
  if (iterable.is_defined()) list->items = vm.collect(iterable);
  return list;
}

static const Native kConstructor = {"list", "(cls, iterable=<()>, /)", typed<make_list>,
                                    "A row of values that can change."};

static std::string list_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "[...]";
  return repr_items(vm, "[", "]", [&](size_t i, std::string& text) {
    if (i >= items_of(self).size()) return false;
    Value item = items_of(self)[i];
    append_bytes(vm, text, vm.repr(item));
    return true;
  });
}

static Value list_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<List>()) return Value::not_implemented();
  vm.check_stack();
  return compare_rows(
      vm,
      op, [&]() -> auto& { return items_of(self); }, [&]() -> auto& { return items_of(other); });
}

static int64_t list_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(items_of(self).size());
}

static bool list_contains(Interpreter& vm, const Value& self, const Value& item) {
  return find_item(
             vm, [&]() -> auto& { return items_of(self); }, item, 0, INT64_MAX) >= 0;
}

static Value list_slice(Interpreter& vm, const Value& self, const Slice& slice) {
  auto indices = slice_indices(vm, slice, self, list_length);
  const auto& items = items_of(self);
  std::vector<Value> taken;
  taken.reserve(static_cast<size_t>(indices.length));
  InterruptPoll poll(vm);
  for (int64_t i = 0, at = indices.start; i < indices.length; ++i, at += indices.step) {
    poll.step();
    taken.push_back(items[static_cast<size_t>(at)]);
  }
  return vm.list(std::move(taken));
}

static Value list_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (const Slice* slice = key.try_as<Slice>()) return list_slice(vm, self, *slice);
  const int64_t index = sequence_index(vm, key, self, list_length, kWords);
  return items_of(self)[static_cast<size_t>(index)];
}

static void list_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  if (const Slice* slice = key.try_as<Slice>()) return set_list_slice(vm, self, *slice, item);
  const int64_t index = sequence_index(vm, key, self, list_length, kAssignWords);
  items_of(self)[static_cast<size_t>(index)] = item;
}

static void list_delitem(Interpreter& vm, const Value& self, const Value& key) {
  if (const Slice* slice = key.try_as<Slice>()) return delete_list_slice(vm, self, *slice);
  const int64_t index = sequence_index(vm, key, self, list_length, kAssignWords);
  Value gone = std::move(items_of(self)[static_cast<size_t>(index)]);
  items_of(self).erase(items_of(self).begin() + index);
}

static Value list_iter(Interpreter& vm, const Value& self) {
  return vm.make<SequenceIterator>(vm.types.list_iterator, self);
}

static std::vector<Value> repeated(Interpreter& vm, const std::vector<Value>& items, size_t count) {
  std::vector<Value> result;
  result.reserve(items.size() * count);
  if (items.size() == 1) {
    in_pieces(vm, count, [&](size_t, size_t to) { result.resize(to, items[0]); });
    return result;
  }
  for (size_t i = 0; i < count; ++i) {
    append_items(vm, result, items);
    vm.poll();
  }
  return result;
}

static Value add_lists(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const auto &a = items_of(lhs), &b = items_of(rhs);
  vm.claim(a.size() + b.size(), sizeof(Value));
  std::vector<Value> joined;
  joined.reserve(a.size() + b.size());
  append_items(vm, joined, a);
  append_items(vm, joined, b);
  return vm.list(std::move(joined));
}

static Value list_add(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (!lhs.is<List>()) return Value::not_implemented();
  if (rhs.is<List>()) return add_lists(vm, lhs, rhs);
  Value answer = let_other_answer(vm, BinaryOp::add, lhs, rhs, rhs);
  if (answer.is_defined()) return answer;
  raise_concatenation(vm, "list", rhs);
}

static Value list_multiply(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const Value& list = lhs.is<List>() ? lhs : rhs;
  const Value& times = lhs.is<List>() ? rhs : lhs;
  Value answer =
      times.is<List>() ? Value() : let_other_answer(vm, BinaryOp::multiply, lhs, rhs, times);
  if (answer.is_defined()) return answer;
  return vm.list(
      repeated(vm, items_of(list), repeat_count(vm, times, items_of(list).size(), sizeof(Value))));
}

Value repeat_list(Interpreter& vm, const Value& list, const Value& times) {
  size_t count = repeat_count(vm, times, items_of(list).size(), sizeof(Value));
  items_of(list) = repeated(vm, items_of(list), count);
  return list;
}

static Value list_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add) return list_add(vm, lhs, rhs);
  if (op == BinaryOp::multiply) return list_multiply(vm, lhs, rhs);
  return Value::not_implemented();
}

static Value list_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::add && op != BinaryOp::multiply) return Value::not_implemented();
  // For a class over list, += is list's own method, as in CPython.
  const bool asks = op == BinaryOp::multiply || vm.type_of(lhs) == vm.types.list;
  Value answer = asks ? let_other_answer(vm, op, lhs, rhs, rhs) : Value();
  if (answer.is_defined()) return answer;
  if (op == BinaryOp::multiply) return repeat_list(vm, lhs, rhs);
  extend_list(vm, lhs, rhs);
  return lhs;
}

static void list_traverse(Object* self, Visit visit, void* context) {
  for (const Value& item : static_cast<List*>(self)->items) {
    if (item.is_object()) visit(item.as_object(), context);
  }
}

void setup_list(Interpreter& vm) {
  vm.types.list = vm.make_type<List>({.name = "list",
                                      .doc = "A row of values that can change.",
                                      .slots = {.repr = list_repr,
                                                .compare = list_compare,
                                                .length = list_length,
                                                .getitem = list_getitem,
                                                .setitem = list_setitem,
                                                .delitem = list_delitem,
                                                .contains = list_contains,
                                                .iter = list_iter,
                                                .binary = list_binary,
                                                .inplace = list_inplace,
                                                .traverse = list_traverse},
                                      .methods = list_methods(),
                                      .constructor = &kConstructor,
                                      .is_final = false});
  vm.types.list_iterator = vm.make_type<SequenceIterator>(
      {.name = "list_iterator",
       .slots = {.iter = iterator_itself,
                 .next = row_iterator_next,
                 .traverse = traverse<&SequenceIterator::sequence>}});
}

}  // namespace gpy
