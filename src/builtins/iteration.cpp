// Builtins that iterate over values.
#include "src/builtins/rows.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/run/run.h"
#include "src/typed_native.h"
#include "src/types/iterators.h"
#include "src/types/list_sort.h"

namespace gpy {

static Value len(Interpreter& vm, const Value& object) { return Value::integer(vm.length(object)); }

static Value iter(Interpreter& vm, const Value& source, const Value& sentinel) {
  if (sentinel.is_undefined()) return vm.iterate(source);
  if (!vm.is_callable(source)) vm.raise_type_error("iter(v, w): v must be callable");
  return make_callable_iterator(vm, source, sentinel);
}

static Value next(Interpreter& vm, const Value& iterator, const Value& fallback) {
  Value item = vm.next(iterator);
  if (item.is_defined()) return item;
  if (fallback.is_defined()) return fallback;
  raise_stop_iteration(vm, iterator);
}

static Value all(Interpreter& vm, const Value& iterable) {
  Value iterator = vm.iterate(iterable);
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator)) {
    if (!vm.truth(item)) return Value::boolean(false);
  }
  return Value::boolean(true);
}

static Value any(Interpreter& vm, const Value& iterable) {
  Value iterator = vm.iterate(iterable);
  for (Value item = vm.next(iterator); item.is_defined(); item = vm.next(iterator)) {
    if (vm.truth(item)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

// --- sum -----------------------------------------------------------------------------------------

// Adds items to `total` while both stay small ints; gives the first item that is not added, which
// is undefined at the end.
static Value add_ints(Interpreter& vm, const Value& iterator, Value& total) {
  int64_t sum = total.as_integer(), next_sum;
  Value item = vm.next(iterator);
  while ((item.is_integer() || item.is_boolean()) &&
         !__builtin_add_overflow(sum, item.as_integer(), &next_sum)) {
    sum = next_sum;
    item = vm.next(iterator);
  }
  total.set_integer(sum);
  return item;
}

// The same for floats, to which ints may be added.
static Value add_reals(Interpreter& vm, const Value& iterator, Value& total) {
  double sum = total.as_real();
  Value item = vm.next(iterator);
  while (item.is_real() || item.is_integer()) {
    sum += item.is_real() ? item.as_real() : static_cast<double>(item.as_integer());
    item = vm.next(iterator);
  }
  total.set_real(sum);
  return item;
}

static Value next_after(Interpreter& vm, const Value& iterator, Value& total) {
  if (total.is_integer()) return add_ints(vm, iterator, total);
  if (total.is_real()) return add_reals(vm, iterator, total);
  return vm.next(iterator);
}

static Value sum(Interpreter& vm, const Value& iterable, const Value& start) {
  Value total = start;
  Value iterator = vm.iterate(iterable);
  if (total.is<Str>()) vm.raise_type_error("sum() can't sum strings [use ''.join(seq) instead]");
  if (total.is<Bytes>()) vm.raise_type_error("sum() can't sum bytes [use b''.join(seq) instead]");
  for (;;) {
    Value item = next_after(vm, iterator, total);
    if (item.is_undefined()) return total;
    total = vm.binary(BinaryOp::add, total, item);
  }
}

// --- min, max ------------------------------------------------------------------------------------

static bool better(Interpreter& vm, CompareOp op, const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) {
    return op == CompareOp::less ? a.as_integer() < b.as_integer()
                                 : a.as_integer() > b.as_integer();
  }
  return vm.truth(vm.compare(op, a, b));
}

static Value best_of(Interpreter& vm, std::span<const Value> items, CompareOp op) {
  const Value* found = &items[0];
  InterruptPoll poll(vm);
  for (const Value& item : items.subspan(1)) {
    poll.step();
    if (better(vm, op, item, *found)) found = &item;
  }
  return *found;
}

static Value quick_min(Interpreter& vm, std::span<const Value> arguments) {
  return arguments.size() > 1 ? best_of(vm, arguments, CompareOp::less) : Value();
}

static Value quick_max(Interpreter& vm, std::span<const Value> arguments) {
  return arguments.size() > 1 ? best_of(vm, arguments, CompareOp::greater) : Value();
}

// `arguments`: the tuple of what was given by position, several values or one iterable.
static Value best(Interpreter& vm, const Value& arguments, const Value& key, const Value& fallback,
                  CompareOp op, const char* name) {
  Tuple& given = *arguments.as<Tuple>();
  if (given.size == 0) vm.raise_type_error("{} expected at least 1 argument, got 0", name);
  if (given.size > 1 && fallback.is_defined()) {
    vm.raise_type_error("Cannot specify a default for {}() with multiple positional arguments",
                        name);
  }
  if (given.size > 1 && key.is_none()) return best_of(vm, given.items(), op);
  Value found, found_key;
  vm.for_each(given.size == 1 ? given[0] : arguments, [&](Value item) {
    Value item_key = key.is_none() ? item : vm.call(key, {item});
    if (found.is_defined() && !better(vm, op, item_key, found_key)) return;
    found = std::move(item);
    found_key = std::move(item_key);
  });
  if (found.is_defined()) return found;
  if (fallback.is_defined()) return fallback;
  vm.raise_value_error("{}() arg is an empty sequence", name);
}

static Value min(Interpreter& vm, const Value& arguments, const Value& key, const Value& fallback) {
  return best(vm, arguments, key, fallback, CompareOp::less, "min");
}

static Value max(Interpreter& vm, const Value& arguments, const Value& key, const Value& fallback) {
  return best(vm, arguments, key, fallback, CompareOp::greater, "max");
}

static Value sorted(Interpreter& vm, const Value& iterable, const Value& key,
                    const Value& reverse) {
  Value items = vm.list(vm.collect(iterable));
  sort_values(vm, items.as<List>()->items, key, vm.to_index(reverse) != 0);
  return items;
}

static const Native kRows[] = {
    {"all", "(iterable, /)", typed<all>, "Whether every item is true."},
    {"any", "(iterable, /)", typed<any>, "Whether some item is true."},
    {"iter", "(iterable, sentinel=<omitted>, /)", typed<iter>,
     "An iterator; iter(f, sentinel) calls f until it gives the sentinel."},
    {"len", "(obj, /)", typed<len>, "How many items it has."},
    {"max", "(*args, key=None, default=<omitted>)", typed<max>,
     "The largest of several values or of an iterable.", Native::instance, quick_max},
    {"min", "(*args, key=None, default=<omitted>)", typed<min>,
     "The smallest of several values or of an iterable.", Native::instance, quick_min},
    {"next", "(iterator, default=<omitted>, /)", typed<next>,
     "The next item; at the end the default, or StopIteration."},
    {"sorted", "(iterable, /, *, key=None, reverse=False)", typed<sorted>,
     "A new list of the items in order."},
    {"sum", "(iterable, /, start=0)", typed<sum>, "start plus all items."},
};

std::span<const Native> iteration_rows() { return kRows; }

}  // namespace gpy
