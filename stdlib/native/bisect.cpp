// The module bisect.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

namespace {

// The range to search: items first..last of a sequence.
struct Span {
  int64_t first, last;
};

}  // namespace

static Span span_of(Interpreter& vm, const Value& sequence, int64_t low, const Value& high) {
  if (low < 0) vm.raise_value_error("lo must be non-negative");
  return {low, high.is_none() ? vm.length(sequence) : vm.to_index(high)};
}

static Value item_at(Interpreter& vm, const Value& sequence, int64_t i) {
  if (List* list = sequence.try_as<List>(); list && list->type == vm.types.list) {
    if (static_cast<size_t>(i) < list->items.size()) return list->items[static_cast<size_t>(i)];
  }
  return vm.get_item(sequence, Value::integer(i));
}

// The first position whose item is not less than x (left), or is greater than x (right).
template <bool right>
static int64_t position(Interpreter& vm, const Value& sequence, const Value& x, Span span,
                        const Value& key) {
  while (span.first < span.last) {
    int64_t middle = span.first + (span.last - span.first) / 2;
    Value item = item_at(vm, sequence, middle);
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

template <bool right>
static Value bisect(Interpreter& vm, const Value& sequence, const Value& x, int64_t low,
                    const Value& high, const Value& key) {
  const Span span = span_of(vm, sequence, low, high);
  return Value::integer(position<right>(vm, sequence, x, span, key));
}

template <bool right>
static Value insort(Interpreter& vm, const Value& sequence, const Value& item, const Value& low,
                    const Value& high, const Value& key) {
  Value x = key.is_none() ? item : vm.call(key, {item});
  const Span span = span_of(vm, sequence, vm.to_index(low), high);
  Value at = Value::integer(position<right>(vm, sequence, x, span, key));
  vm.call_method(sequence, "insert", {at, item});
  return Value::none();
}

static const Native kRows[] = {
    {"bisect", "(a, x, lo=0, hi=None, *, key=None)", typed<bisect<true>>, "bisect_right"},
    {"bisect_left", "(a, x, lo=0, hi=None, *, key=None)", typed<bisect<false>>,
     "Where x belongs in a sorted sequence, before items equal to it."},
    {"bisect_right", "(a, x, lo=0, hi=None, *, key=None)", typed<bisect<true>>,
     "Where x belongs in a sorted sequence, behind items equal to it."},
    {"insort", "(a, x, lo=0, hi=None, *, key=None)", typed<insort<true>>, "insort_right"},
    {"insort_left", "(a, x, lo=0, hi=None, *, key=None)", typed<insort<false>>,
     "Puts x where it belongs, before items equal to it."},
    {"insort_right", "(a, x, lo=0, hi=None, *, key=None)", typed<insort<true>>,
     "Puts x where it belongs, behind items equal to it."},
};

Value open_bisect(Interpreter& vm) { return vm.make_module("bisect", kRows); }

}  // namespace gpy::lib
