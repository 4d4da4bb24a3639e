#include "src/types/iterators.h"

#include "src/classes/class_slots.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/dict.h"
#include "src/types/sequence.h"

namespace gpy {

namespace {

struct Map : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  Value function;
  std::vector<Value> iterators;
};

struct Filter : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Filter(Type* type, Value function, Value iterator)
      : Object(type), function(std::move(function)), iterator(std::move(iterator)) {}
  Value function, iterator;
};

struct Reversed : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Reversed(Type* type, Value sequence, int64_t next)
      : Object(type), sequence(std::move(sequence)), next(next) {}
  Value sequence;
  int64_t next;
};

struct CallableIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  CallableIterator(Type* type, Value callable, Value sentinel)
      : Object(type), callable(std::move(callable)), sentinel(std::move(sentinel)) {}
  Value callable, sentinel;
};

}  // namespace

static std::vector<Value> iterators_of(Interpreter& vm, std::span<const Value> iterables) {
  std::vector<Value> iterators;
  iterators.reserve(iterables.size());
  for (const Value& each : iterables) iterators.push_back(vm.iterate(each));
  return iterators;
}

// A tuple to fill: the last result if nobody has kept it.
static Ref<Tuple> fresh(Interpreter& vm, Ref<Tuple>& last, size_t size) {
  if (!last || last->refs != 1) last = Tuple::make_uninitialised(vm, size);
  return last;
}

// --- enumerate -----------------------------------------------------------------------------------

static Value make_enumerate(Interpreter& vm, Type& cls, const Value& iterable, const Value& start) {
  return vm.make<Enumerate>(&cls, vm.iterate(iterable), vm.to_index_value(start));
}

static Value count_on(Interpreter& vm, const Value& number) {
  bool small = number.is_integer() && number.as_integer() < INT64_MAX;
  return small ? Value::integer(number.as_integer() + 1)
               : number_binary(vm, BinaryOp::add, number, Value::integer(1));
}

static Row enumerate_row(Interpreter& vm, Enumerate& it, Value* to) {
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return Row::end;
  to[0] = it.next;
  to[1] = std::move(item);
  it.next = count_on(vm, it.next);
  return Row::taken;
}

static Value enumerate_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Enumerate>();
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return item;
  Ref<Tuple> pair = fresh(vm, it.pair, 2);
  (*pair)[0] = it.next;
  (*pair)[1] = std::move(item);
  it.next = count_on(vm, it.next);
  return pair;
}

static const Native kEnumerate = {"enumerate", "(cls, iterable, start=0)", typed<make_enumerate>,
                                  "Pairs (number, item), counted from start."};

// --- zip -----------------------------------------------------------------------------------------

static Value make_zip(Interpreter& vm, Type& cls, std::span<const Value> iterables,
                      const Value& strict) {
  auto zip = vm.make<Zip>(&cls);
  zip->iterators = iterators_of(vm, iterables);
  zip->strict = vm.truth(strict);
  return zip;
}

static Value quick_zip(Interpreter& vm, std::span<const Value> arguments) {
  auto zip = vm.make<Zip>(arguments[0].as<Type>());
  zip->iterators = iterators_of(vm, arguments.subspan(1));
  return zip;
}

static std::string earlier_arguments(size_t count) {
  return count == 1 ? "argument 1" : fmt::format("arguments 1-{}", count);
}

// Iterator `ended` was the first to end: all others must end in the same row.
static void check_ends(Interpreter& vm, Zip& zip, size_t ended) {
  if (ended > 0) {
    vm.raise_value_error("zip() argument {} is shorter than {}", ended + 1,
                         earlier_arguments(ended));
  }
  for (size_t i = 1; i < zip.iterators.size(); ++i) {
    if (vm.next(zip.iterators[i]).is_undefined()) continue;
    vm.raise_value_error("zip() argument {} is longer than {}", i + 1, earlier_arguments(i));
  }
}

static Value zip_next(Interpreter& vm, const Value& self) {
  auto& zip = *self.as<Zip>();
  size_t count = zip.iterators.size();
  if (count == 0) return Value();
  Ref<Tuple> row = fresh(vm, zip.row, count);
  for (size_t i = 0; i < count; ++i) {
    Value item = vm.next(zip.iterators[i]);
    if (item.is_undefined()) {
      if (zip.strict) check_ends(vm, zip, i);
      return item;
    }
    (*row)[i] = std::move(item);
  }
  return row;
}

// Interpreter::next, with a short path for lists and tuples.
static Value next_of(Interpreter& vm, const Value& iterator) {
  if (auto* at = iterator.try_as<SequenceIterator>()) {
    if (const Value* item = next_in_row(*at)) return *item;
  }
  return vm.next(iterator);
}

static Row zip_row(Interpreter& vm, Zip& zip, Value* to, size_t count) {
  Value items[4];
  if (count == 0 || count > std::size(items)) return Row::other;
  // All items are taken before the first is stored: at the end the last row stays.
  for (size_t i = 0; i < count; ++i) {
    items[i] = next_of(vm, zip.iterators[i]);
    if (items[i].is_defined()) continue;
    if (zip.strict) check_ends(vm, zip, i);
    return Row::end;
  }
  std::move(items, items + count, to);
  return Row::taken;
}

static const Native kZip = {"zip",
                            "(cls, /, *iterables, strict=False)",
                            typed<make_zip>,
                            "Tuples of the items that stand at the same place.",
                            Native::instance,
                            quick_zip};

// The next item of an iterator over a list or tuple; null at the end and for all others.
static const Value* peek(const Value& iterator) {
  auto* at = iterator.try_as<SequenceIterator>();
  return at ? peek_in_row(*at) : nullptr;
}

static void put_next(const Value& iterator, const Value& item, Value& to) {
  ++iterator.as<SequenceIterator>()->index;
  to = item;
}

static bool take_plain_pair(const Zip& zip, Value* to) {
  const Value* first = peek(zip.iterators[0]);
  const Value* second = peek(zip.iterators[1]);
  if (!first || !second || holds_last_reference(to[0]) || holds_last_reference(to[1])) return false;
  if (zip.iterators[0].same(zip.iterators[1])) return false;
  put_next(zip.iterators[0], *first, to[0]);
  put_next(zip.iterators[1], *second, to[1]);
  return true;
}

static bool take_plain_count(Enumerate& it, Value* to) {
  const Value* item = peek(it.iterator);
  if (!item || !it.next.is_integer() || it.next.as_integer() == INT64_MAX) return false;
  if (holds_last_reference(to[0]) || holds_last_reference(to[1])) return false;
  to[0] = it.next;
  put_next(it.iterator, *item, to[1]);
  it.next.set_integer(it.next.as_integer() + 1);
  return true;
}

bool take_plain_pair(const Interpreter& vm, const Value& iterator, Value* to) {
  const Type* type = iterator.unchecked_object()->type;
  if (type == vm.types.enumerate) return take_plain_count(*iterator.unchecked<Enumerate>(), to);
  return type == vm.types.zip && iterator.unchecked<Zip>()->iterators.size() == 2 &&
         take_plain_pair(*iterator.unchecked<Zip>(), to);
}

Row next_row(Interpreter& vm, const Value& iterator, Value* to, size_t count) {
  if (!iterator.is_object()) return Row::other;
  const Type* type = iterator.unchecked_object()->type;
  if (type == vm.types.enumerate && count == 2) {
    return enumerate_row(vm, *iterator.unchecked<Enumerate>(), to);
  }
  if (type == vm.types.zip && iterator.unchecked<Zip>()->iterators.size() == count) {
    return zip_row(vm, *iterator.unchecked<Zip>(), to, count);
  }
  if (type == vm.types.dict_iterator && count == 2) return next_item_row(vm, iterator, to);
  return Row::other;
}

// --- map and filter ------------------------------------------------------------------------------

static Value make_map(Interpreter& vm, Type& cls, std::span<const Value> given) {
  if (given.size() < 2) vm.raise_type_error("map() must have at least two arguments.");
  auto map = vm.make<Map>(&cls);
  map->function = given[0];
  map->iterators = iterators_of(vm, given.subspan(1));
  return map;
}

static Value map_next(Interpreter& vm, const Value& self) {
  auto& map = *self.as<Map>();
  if (map.iterators.size() == 1) {
    Value item = vm.next(map.iterators[0]);
    if (item.is_undefined()) return item;
    return vm.call(map.function, CallArgs{&item, 1});
  }
  std::vector<Value> arguments;
  for (const Value& iterator : map.iterators) {
    arguments.push_back(vm.next(iterator));
    if (arguments.back().is_undefined()) return Value();
  }
  return vm.call(map.function, CallArgs{arguments.data(), static_cast<uint32_t>(arguments.size())});
}

static const Native kMap = {"map", "(cls, /, *args)", typed<make_map>,
                            "map(function, iterable, ...): what the function gives for each item."};

static Value make_filter(Interpreter& vm, Type& cls, const Value& function, const Value& iterable) {
  return vm.make<Filter>(&cls, function, vm.iterate(iterable));
}

static Value filter_next(Interpreter& vm, const Value& self) {
  auto& filter = *self.as<Filter>();
  for (;;) {
    Value item = vm.next(filter.iterator);
    if (item.is_undefined()) return item;
    Value verdict = filter.function.is_none() ? item : vm.call(filter.function, CallArgs{&item, 1});
    if (vm.truth(verdict)) return item;
  }
}

static const Native kFilter = {"filter", "(cls, function, iterable, /)", typed<make_filter>,
                               "The items for which the function gives something true."};

// --- reversed ------------------------------------------------------------------------------------

static Value make_reversed(Interpreter& vm, Type& cls, const Value& sequence) {
  Type* type = vm.type_of(sequence);
  const Value* own = type->lookup(vm.intern("__reversed__"));
  if (own && !own->is_none()) return call_special(vm, *own, sequence);
  const Slots& slots = type->slots;
  if (!own && slots.getitem && !slots.length && type->is_class) vm.length(sequence);
  if (own || !slots.length || !slots.getitem || sequence.is<Set>() || sequence.is<Dict>()) {
    vm.raise_type_error("'{}' object is not reversible", vm.type_name(sequence));
  }
  return vm.make<Reversed>(&cls, sequence, vm.length(sequence) - 1);
}

static Value reversed_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Reversed>();
  if (it.next < 0) return Value();
  if (const List* list = it.sequence.try_as<List>()) {
    auto index = static_cast<size_t>(it.next--);
    return index < list->items.size() ? list->items[index] : Value();
  }
  return vm.get_item(it.sequence, Value::integer(it.next--));
}

static const Native kReversed = {"reversed", "(cls, sequence, /)", typed<make_reversed>,
                                 "The items from the last to the first."};

// --- iter(callable, sentinel) --------------------------------------------------------------------

Value make_callable_iterator(Interpreter& vm, const Value& callable, const Value& sentinel) {
  return vm.make<CallableIterator>(vm.types.callable_iterator, callable, sentinel);
}

static Value callable_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<CallableIterator>();
  if (it.callable.is_undefined()) return Value();
  Value item = vm.call(it.callable);
  if (!vm.equal(item, it.sentinel)) return item;
  it.callable = Value();
  return Value();
}

void setup_iterators(Interpreter& vm) {
  Types& t = vm.types;
  auto slots = [](Value (*next)(Interpreter&, const Value&),
                  void (*traverse)(Object*, Visit, void*)) {
    return Slots{.iter = iterator_itself, .next = next, .traverse = traverse};
  };
  t.enumerate = vm.make_type<Enumerate>(
      {.name = "enumerate",
       .slots = slots(enumerate_next, traverse<&Enumerate::iterator, &Enumerate::pair>),
       .constructor = &kEnumerate});
  t.zip = vm.make_type<Zip>({.name = "zip",
                             .slots = slots(zip_next, traverse<&Zip::iterators, &Zip::row>),
                             .constructor = &kZip});
  t.map = vm.make_type<Map>({.name = "map",
                             .slots = slots(map_next, traverse<&Map::function, &Map::iterators>),
                             .constructor = &kMap});
  t.filter = vm.make_type<Filter>(
      {.name = "filter",
       .slots = slots(filter_next, traverse<&Filter::function, &Filter::iterator>),
       .constructor = &kFilter});
  t.reversed = vm.make_type<Reversed>({.name = "reversed",
                                       .slots = slots(reversed_next, traverse<&Reversed::sequence>),
                                       .constructor = &kReversed});
  t.callable_iterator = vm.make_type<CallableIterator>(
      {.name = "callable_iterator",
       .slots = slots(callable_next,
                      traverse<&CallableIterator::callable, &CallableIterator::sentinel>)});
}

}  // namespace gpy
