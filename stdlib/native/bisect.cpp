// The module bisect.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

namespace {

// Where to look: items first..last of a sequence.
struct Span {
  int64_t first, last;
};

}  // namespace

static Span span_of(Interpreter& vm, Args args) {
  int64_t first = vm.to_index(args[2]);
  if (first < 0) vm.raise_value_error("lo must be non-negative");
  return {first, args[3].is_none() ? vm.length(args[0]) : vm.to_index(args[3])};
}

static Value item_at(Interpreter& vm, const Value& sequence, int64_t i) {
  if (List* list = sequence.try_as<List>(); list && list->type == vm.types.list) {
    if (static_cast<size_t>(i) < list->items.size()) return list->items[static_cast<size_t>(i)];
  }
  return vm.get_item(sequence, Value::integer(i));
}

// The first position whose item is not less than x (left), or is greater than x (right).
template <bool right> static int64_t position(Interpreter& vm, Args args, const Value& x) {
  Span span = span_of(vm, args);
  const Value& key = args[4];
  while (span.first < span.last) {
    int64_t middle = span.first + (span.last - span.first) / 2;
    Value item = item_at(vm, args[0], middle);
    if (!key.is_none()) item = vm.call(key, CallArgs{&item, 1});
    bool before = right ? !vm.less(x, item) : vm.less(item, x);
    if (before) {
      span.first = middle + 1;
    } else {
      span.last = middle;
    }
  }
  return span.first;
}

template <bool right> static Value bisect(Interpreter& vm, Args args) {
  return Value::integer(position<right>(vm, args, args[1]));
}

template <bool right> static Value insort(Interpreter& vm, Args args) {
  Value x = args[4].is_none() ? args[1] : vm.call(args[4], {args[1]});
  Value at = Value::integer(position<right>(vm, args, x));
  vm.call_method(args[0], "insert", {at, args[1]});
  return Value::none();
}

static const Native kRows[] = {
    {"bisect", "(a, x, lo=0, hi=None, *, key=None)", bisect<true>, "bisect_right"},
    {"bisect_left", "(a, x, lo=0, hi=None, *, key=None)", bisect<false>,
     "Where x belongs in a sorted sequence, before items equal to it."},
    {"bisect_right", "(a, x, lo=0, hi=None, *, key=None)", bisect<true>,
     "Where x belongs in a sorted sequence, behind items equal to it."},
    {"insort", "(a, x, lo=0, hi=None, *, key=None)", insort<true>, "insort_right"},
    {"insort_left", "(a, x, lo=0, hi=None, *, key=None)", insort<false>,
     "Puts x where it belongs, before items equal to it."},
    {"insort_right", "(a, x, lo=0, hi=None, *, key=None)", insort<true>,
     "Puts x where it belongs, behind items equal to it."},
};

Value open_bisect(Interpreter& vm) { return vm.make_module("bisect", kRows); }

}  // namespace gpy::lib
