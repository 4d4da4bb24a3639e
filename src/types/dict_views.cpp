// keys(), values(), items(), and the iterator over them.
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/dict.h"
#include "src/types/sequence.h"
#include "src/types/set.h"

namespace gpy {

namespace {

struct DictIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  static constexpr size_t kAnother = SIZE_MAX;  // set for good after a change of size
  DictIterator(Type* type, Ref<Dict> dict, DictView::Kind kind, bool backward)
      : Object(type),
        dict(std::move(dict)),
        kind(kind),
        backward(backward),
        size(this->dict->size()),
        left(size),
        next(backward ? this->dict->entries().size() : 0) {}

  Ref<Dict> dict;  // null when exhausted
  DictView::Kind kind;
  bool backward;
  size_t size;  // of the dict, which must not change
  size_t left;  // items left
  size_t next;
  Ref<Tuple> pair;  // the last result; reused if nobody has kept it
};

}  // namespace

Value dict_iterator(Interpreter& vm, Ref<Dict> dict, DictView::Kind kind, bool backward) {
  return vm.make<DictIterator>(vm.types.dict_iterator, std::move(dict), kind, backward);
}

static Dict::Entry* next_entry(DictIterator& it) {
  auto entries = it.dict->entries();
  if (it.backward) {
    while (it.next > 0) {
      --it.next;
      if (it.next < entries.size() && entries[it.next].key.is_defined()) return &entries[it.next];
    }
    return nullptr;
  }
  while (it.next < entries.size()) {
    if (entries[it.next++].key.is_defined()) return &entries[it.next - 1];
  }
  return nullptr;
}

static Value pair_of(Interpreter& vm, DictIterator& it, const Dict::Entry& entry) {
  if (!it.pair || it.pair->refs != 1) it.pair = Tuple::make_uninitialised(vm, 2);
  (*it.pair)[0] = entry.key;
  (*it.pair)[1] = entry.value;
  return it.pair;
}

// The next entry; null at the end, which drops the dict. RuntimeError if the dict has changed.
static Dict::Entry* advance(Interpreter& vm, DictIterator& it) {
  if (!it.dict) return nullptr;
  if (it.dict->size() != it.size) {
    it.size = DictIterator::kAnother;
    vm.raise_runtime_error("dictionary changed size during iteration");
  }
  Dict::Entry* entry = next_entry(it);
  if (entry && it.left-- == 0) {
    it.dict = nullptr;
    vm.raise_runtime_error("dictionary keys changed during iteration");
  }
  if (!entry) it.dict = nullptr;
  return entry;
}

static Value dict_iterator_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<DictIterator>();
  Dict::Entry* entry = advance(vm, it);
  if (!entry) return Value();
  if (it.kind == DictView::items) return pair_of(vm, it, *entry);
  return it.kind == DictView::keys ? entry->key : entry->value;
}

Row next_item_row(Interpreter& vm, const Value& iterator, Value* to) {
  auto& it = *iterator.as<DictIterator>();
  if (it.kind != DictView::items) return Row::other;
  Dict::Entry* entry = advance(vm, it);
  if (!entry) return Row::end;
  Value key = entry->key, value = entry->value;
  to[0] = std::move(key);
  to[1] = std::move(value);
  return Row::taken;
}

// --- views ---------------------------------------------------------------------------------------

static DictView& view_of(const Value& v) { return *v.as<DictView>(); }

static int64_t view_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(view_of(self).dict->size());
}

static Value view_iter(Interpreter& vm, const Value& self) {
  return dict_iterator(vm, view_of(self).dict, view_of(self).kind);
}

static std::string view_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "...";
  return vm.type_of(self)->name + "(" + vm.repr(vm.list(vm.collect(self))) + ")";
}

static bool contains_item(Interpreter& vm, Dict& dict, const Value& item) {
  Tuple* pair = item.try_as<Tuple>();
  if (!pair || pair->size != 2) return false;
  Value* found = dict.find(vm, (*pair)[0]);
  Value held = found ? *found : Value();
  return held.is_defined() && vm.equal(held, (*pair)[1]);
}

static bool view_contains(Interpreter& vm, const Value& self, const Value& item) {
  DictView& view = view_of(self);
  if (view.kind == DictView::items) return contains_item(vm, *view.dict, item);
  return view.dict->find(vm, item) != nullptr;
}

// Whether it is a view that is also a set, as one of values is not.
static bool is_set_view(const Value& v) {
  return v.is<DictView>() && view_of(v).kind != DictView::values;
}

// A new set of an operand's items. A dict gives its size at once, which a view does not.
static Ref<Set> set_of_operand(Interpreter& vm, const Value& operand) {
  DictView* view = operand.try_as<DictView>();
  return set_from(vm, view && view->kind == DictView::keys ? Value(view->dict) : operand);
}

// Looks the other side's items up in the view, like CPython: a view's items need not be hashable.
static Value intersection(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const bool is_left = is_set_view(lhs), are_views = is_left && is_set_view(rhs);
  const bool swaps =
      !is_left || (are_views && view_of(rhs).dict->size() > view_of(lhs).dict->size());
  const Value &view = swaps ? rhs : lhs, &other = swaps ? lhs : rhs;
  if (vm.is_exactly(vm.types.set, other) && view_of(view).dict->size() <= set_of(other).size()) {
    return combine(vm, SetOp::intersect, set_of(other), view);
  }
  Ref<Set> both = vm.set();
  vm.for_each(other, [&](const Value& item) {
    if (view_contains(vm, view, item)) both->add(vm, item);
  });
  return both;
}

// The items that only one of two dicts has. Values that both have need no hash.
static Ref<Set> differing_items(Interpreter& vm, Dict& lhs, Dict& rhs) {
  Ref<Dict> rest = lhs.copy();
  Ref<Set> differing = vm.set();
  each_entry(rhs, [&](const Value& key, const Value& value) {
    const Value pair = vm.tuple({key, value});
    if (contains_item(vm, *rest, pair)) {
      rest->erase(vm, key);
    } else {
      differing->add(vm, pair);
    }
  });
  each_entry(*rest, [&](const Value& key, const Value& value) {
    differing->add(vm, vm.tuple({key, value}));
  });
  return differing;
}

static bool are_items(const Value& v) {
  return v.is<DictView>() && view_of(v).kind == DictView::items;
}

static Value view_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const auto operation = set_operation(op);
  if (!operation) return Value::not_implemented();
  if (operation == SetOp::intersect) return intersection(vm, lhs, rhs);
  if (operation == SetOp::symmetric && are_items(lhs) && are_items(rhs)) {
    return differing_items(vm, *view_of(lhs).dict, *view_of(rhs).dict);
  }
  Ref<Set> result = set_of_operand(vm, lhs);
  change_set(vm, *operation, *result, rhs);
  return result;
}

static bool all_in(Interpreter& vm, const Value& items, const Value& container) {
  Value iterator = vm.iterate(items);
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator)) {
    if (!vm.contains(container, item)) return false;
  }
  return true;
}

static Value view_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Set>() && !is_set_view(other)) return Value::not_implemented();
  const auto sizes = vm.length(self) <=> vm.length(other);
  const bool is_less = op == CompareOp::less || op == CompareOp::less_equal;
  const bool is_greater = op == CompareOp::greater || op == CompareOp::greater_equal;
  if (!is_less && !is_greater) {
    const bool equal = sizes == 0 && all_in(vm, self, other);
    return Value::boolean(equal == (op == CompareOp::equal));
  }
  const Value &inner = is_less ? self : other, &outer = is_less ? other : self;
  return Value::boolean(holds(op, sizes) && all_in(vm, inner, outer));
}

static Value view_isdisjoint(Interpreter& vm, const Value& self, const Value& other) {
  bool disjoint = true;
  vm.for_each(other, [&](const Value& item) { disjoint = disjoint && !vm.contains(self, item); });
  return Value::boolean(disjoint);
}

static Value view_reversed(Interpreter& vm, DictView& self) {
  return dict_iterator(vm, self.dict, self.kind, true);
}

static Value view_mapping(Interpreter&, const Value& self) { return view_of(self).dict; }

static const Native kSetMethods[] = {
    {"__reversed__", "(self, /)", typed<view_reversed>, "From the last to the first."},
    {"isdisjoint", "(self, other, /)", typed<view_isdisjoint>, "Whether nothing is in both."},
};
static const Native kValueMethods[] = {
    {"__reversed__", "(self, /)", typed<view_reversed>, "From the last to the first."},
};
static const NativeGetter kGetters[] = {{"mapping", view_mapping}};

void setup_dict_views(Interpreter& vm) {
  Slots slots{.repr = view_repr,
              .length = view_length,
              .iter = view_iter,
              .traverse = traverse<&DictView::dict>};
  vm.types.dict_values = vm.make_type<DictView>(
      {.name = "dict_values", .slots = slots, .methods = kValueMethods, .getters = kGetters});
  slots.contains = view_contains;
  slots.compare = view_compare;
  slots.binary = view_binary;
  vm.types.dict_keys = vm.make_type<DictView>(
      {.name = "dict_keys", .slots = slots, .methods = kSetMethods, .getters = kGetters});
  vm.types.dict_items = vm.make_type<DictView>(
      {.name = "dict_items", .slots = slots, .methods = kSetMethods, .getters = kGetters});
  vm.types.dict_iterator = vm.make_type<DictIterator>(
      {.name = "dict_iterator",
       .slots = {.iter = iterator_itself,
                 .next = dict_iterator_next,
                 .traverse = traverse<&DictIterator::dict, &DictIterator::pair>}});
}

}  // namespace gpy
