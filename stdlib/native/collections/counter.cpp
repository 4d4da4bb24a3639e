// collections.Counter: the number of times that each item is there.
#include <algorithm>

#include "src/classes/class_slots.h"
#include "src/numbers/plus.h"
#include "src/typed_native.h"
#include "stdlib/native/collections/collections.h"

namespace gpy::lib {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

static Value zero() { return Value::integer(0); }

static bool is_counter(Interpreter& vm, const Value& v);

static Value count_of(Interpreter& vm, Dict& dict, const Value& key) {
  Value* found = dict.find(vm, key);
  return found ? *found : zero();
}

static bool positive(Interpreter& vm, const Value& count) { return vm.less(zero(), count); }

// --- counting ------------------------------------------------------------------------------------

static void count_item(Interpreter& vm, Dict& dict, const Value& key, int64_t step) {
  Value& count = dict.find_or_insert(vm, key, zero());
  int64_t sum;
  if (count.is_integer() && !__builtin_add_overflow(count.as_integer(), step, &sum)) {
    count = Value::integer(sum);
    return;
  }
  Value old = count;
  dict.set(vm, key, plus(vm, old, Value::integer(step)));
}

static bool is_mapping(Interpreter& vm, const Value& v) {
  if (v.is<Dict>()) return true;
  if (v.is<Str>() || v.is<List>() || v.is<Tuple>()) return false;
  return vm.try_get_attribute(v, vm.intern("keys")).is_defined() &&
         vm.try_get_attribute(v, vm.intern("items")).is_defined();
}

static void take_mapping(Interpreter& vm, Dict& dict, const Value& mapping, bool subtract) {
  Ref<Dict> counts = vm.dict();
  update_dict(vm, *counts, mapping);
  const bool as_they_are = !subtract && dict.size() == 0;
  each_entry(*counts, [&](const Value& key, const Value& count) {
    if (as_they_are) return dict.set(vm, key, count);
    Value old = count_of(vm, dict, key);
    dict.set(vm, key, subtract ? vm.binary(BinaryOp::subtract, old, count) : plus(vm, count, old));
  });
}

static void take(Interpreter& vm, Dict& dict, const Value& source, bool subtract) {
  if (source.is_none() || source.is_undefined()) return;
  if (is_mapping(vm, source)) return take_mapping(vm, dict, source, subtract);
  vm.for_each(source, [&](const Value& item) {
    count_item(vm, dict, item, subtract ? -1 : 1);
    vm.poll();
  });
}

static Value update(Interpreter& vm, Dict& self, const Value& iterable, const Value& kwds) {
  take(vm, self, iterable, false);
  if (kwds.as<Dict>()->size() > 0) take(vm, self, kwds, false);
  return Value::none();
}

static Value make_counter(Interpreter& vm, Type& cls, const Value& iterable, const Value& kwds) {
  auto dict = vm.make<Dict>(&cls);
  update(vm, *dict, iterable, kwds);
  return dict;
}

static Value subtract(Interpreter& vm, Dict& self, const Value& iterable, const Value& kwds) {
  take(vm, self, iterable, true);
  take(vm, self, kwds, true);
  return Value::none();
}

// --- methods -------------------------------------------------------------------------------------

static std::vector<std::pair<Value, Value>> by_count(Interpreter& vm, Dict& dict) {
  std::vector<std::pair<Value, Value>> pairs;
  each_entry(dict, [&](const Value& key, const Value& count) { pairs.emplace_back(key, count); });
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return vm.less(b.second, a.second); });
  return pairs;
}

static Value most_common(Interpreter& vm, Dict& self, const Value& n) {
  auto pairs = by_count(vm, self);
  if (!n.is_none()) {
    auto most = static_cast<size_t>(std::max<int64_t>(vm.to_index(n), 0));
    pairs.resize(std::min(most, pairs.size()));
  }
  std::vector<Value> items;
  for (const auto& [key, count] : pairs) items.push_back(vm.tuple({key, count}));
  return vm.list(std::move(items));
}

// Each item repeated by its count, one after the other.
static Value elements(Interpreter& vm, const Value& self) {
  Value itertools = vm.import_module("itertools");
  Value repeated = vm.call_method(
      itertools, "starmap", {vm.get_attribute(itertools, "repeat"), vm.call_method(self, "items")});
  return vm.call_method(vm.get_attribute(itertools, "chain"), "from_iterable", {repeated});
}

static Value total(Interpreter& vm, Dict& self) {
  Value sum = zero();
  each_entry(self, [&](const Value&, const Value& count) { sum = plus(vm, sum, count); });
  return sum;
}

static Value copy(Interpreter& vm, const Value& self) {
  return vm.call(Value(vm.type_of(self)), {self});
}

static Value missing(Interpreter&, const Value&, const Value&) { return zero(); }

static Value fromkeys(Interpreter& vm, const Value&, const Value&, const Value&) {
  vm.raise_not_implemented_error(
      "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.");
}

// --- slots ---------------------------------------------------------------------------------------

static Value counter_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (Value* found = dict_of(self).find(vm, key)) return *found;
  if (!vm.type_of(self)->is_class) return zero();
  return vm.call_method(self, "__missing__", {key});
}

static void counter_delitem(Interpreter& vm, const Value& self, const Value& key) {
  dict_of(self).erase(vm, key);
}

// The largest counts first, if counts can be compared.
static Ref<Dict> shown_in_order(Interpreter& vm, Dict& dict) {
  Ref<Dict> sorted = vm.dict();
  try {
    for (const auto& [key, count] : by_count(vm, dict)) sorted->set(vm, key, count);
  } catch (Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
    return dict.copy();
  }
  return sorted;
}

static std::string counter_repr(Interpreter& vm, const Value& self) {
  Dict& dict = dict_of(self);
  const std::string& name = dict.type->name;
  if (dict.size() == 0) return name + "()";
  return name + "(" + vm.repr(shown_in_order(vm, dict)) + ")";
}

static Value new_counter(Interpreter& vm, const Value& like) {
  return vm.make<Dict>(native_base(vm.type_of(like)));
}

// f(count in left, count in right) for each key of both, kept where positive.
template <class F>
static Value combine(Interpreter& vm, const Value& left, const Value& right, F&& f) {
  Value result = new_counter(vm, left);
  Dict &a = dict_of(left), &b = dict_of(right);
  auto put = [&](const Value& key, const Value& count) {
    if (positive(vm, count)) dict_of(result).set(vm, key, count);
  };
  each_entry(
      a, [&](const Value& key, const Value& count) { put(key, f(count, count_of(vm, b, key))); });
  each_entry(b, [&](const Value& key, const Value& count) {
    if (!a.find(vm, key)) put(key, f(zero(), count));
  });
  return result;
}

static Value combined(Interpreter& vm, BinaryOp op, const Value& a, const Value& b) {
  switch (op) {
    case BinaryOp::add: return plus(vm, a, b);
    case BinaryOp::subtract: return vm.binary(op, a, b);
    case BinaryOp::bit_or: return vm.less(a, b) ? b : a;
    default: return vm.less(a, b) ? a : b;
  }
}

static bool is_set_operation(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::subtract || op == BinaryOp::bit_or ||
         op == BinaryOp::bit_and;
}

static Value counter_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (!is_set_operation(op) || !is_counter(vm, lhs) || !is_counter(vm, rhs)) {
    return Value::not_implemented();
  }
  return combine(vm, lhs, rhs,
                 [&](const Value& a, const Value& b) { return combined(vm, op, a, b); });
}

static void keep_positive(Interpreter& vm, Dict& dict) {
  std::vector<Value> gone;
  each_entry(dict, [&](const Value& key, const Value& count) {
    if (!positive(vm, count)) gone.push_back(key);
  });
  for (const Value& key : gone) dict.erase(vm, key);
}

static Value counter_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (!is_set_operation(op) || !is_mapping(vm, rhs)) return Value::not_implemented();
  Dict& dict = dict_of(lhs);
  Ref<Dict> other = vm.dict();
  update_dict(vm, *other, rhs);
  Ref<Dict> keys = op == BinaryOp::bit_and ? dict.copy() : other;
  each_entry(*keys, [&](const Value& key, const Value&) {
    dict.set(vm, key, combined(vm, op, count_of(vm, dict, key), count_of(vm, *other, key)));
  });
  keep_positive(vm, dict);
  return lhs;
}

static Value counter_unary(Interpreter& vm, UnaryOp op, const Value& self) {
  if (op == UnaryOp::invert) return Value::not_implemented();
  Value none = new_counter(vm, self);
  bool negative = op == UnaryOp::negative;
  return combine(vm, self, none, [&](const Value& count, const Value&) {
    return negative ? vm.binary(BinaryOp::subtract, zero(), count) : count;
  });
}

// Whether `holds` is true of the two counts of every key of either Counter.
template <class F> static bool for_all(Interpreter& vm, Dict& a, Dict& b, F&& holds) {
  bool all = true;
  for (Dict* each : {&a, &b}) {
    each_entry(*each, [&](const Value& key, const Value&) {
      all = all && holds(count_of(vm, a, key), count_of(vm, b, key));
    });
  }
  return all;
}

static Value counter_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!is_counter(vm, other)) return Value::not_implemented();
  Dict &a = dict_of(self), &b = dict_of(other);
  bool equal = for_all(vm, a, b, [&](const Value& x, const Value& y) { return vm.equal(x, y); });
  if (op == CompareOp::equal) return Value::boolean(equal);
  if (op == CompareOp::not_equal) return Value::boolean(!equal);
  bool strict = op == CompareOp::less || op == CompareOp::greater;
  CompareOp weak = op == CompareOp::less      ? CompareOp::less_equal
                   : op == CompareOp::greater ? CompareOp::greater_equal
                                              : op;
  bool holds = for_all(
      vm, a, b, [&](const Value& x, const Value& y) { return vm.truth(vm.compare(weak, x, y)); });
  return Value::boolean(holds && !(strict && equal));
}

static bool is_counter(Interpreter& vm, const Value& v) {
  return native_base(vm.type_of(v))->slots.delitem == counter_delitem;
}

static Value reduce(Interpreter& vm, const Value& self) {
  Value counts = vm.call(Value(vm.types.dict), {self});
  return vm.tuple({Value(vm.type_of(self)), vm.tuple({counts})});
}

static const Native kMethods[] = {
    {"__init__", "(self, iterable=None, /, **kwds)", typed<update>, "Counts the items."},
    {"__missing__", "(self, key, /)", typed<missing>, "0, of what was never counted."},
    {"__reduce__", "(self)", typed<reduce>, "How it is made once more."},
    {"copy", "(self)", typed<copy>, "A Counter of the same counts."},
    {"elements", "(self)", typed<elements>, "Each item as often as it counts."},
    {"fromkeys", "(cls, iterable, v=None)", typed<fromkeys>, "Not for a Counter.",
     Native::class_method},
    {"most_common", "(self, n=None)", typed<most_common>,
     "The n items that count most, with counts."},
    {"subtract", "(self, iterable=None, /, **kwds)", typed<subtract>, "Counts down."},
    {"total", "(self)", typed<total>, "The sum of the counts."},
    {"update", "(self, iterable=None, /, **kwds)", typed<update>, "Counts more."},
};
static const Native kConstructor = {"Counter", "(cls, iterable=None, /, **kwds)",
                                    typed<make_counter>,
                                    "How often each item of an iterable is there."};

void add_counter(Interpreter& vm, Module& module) {
  add_dict_type<Dict>(vm, module,
                      {.slots = {.repr = counter_repr,
                                 .compare = counter_compare,
                                 .getitem = counter_getitem,
                                 .delitem = counter_delitem,
                                 .unary = counter_unary,
                                 .binary = counter_binary,
                                 .inplace = counter_inplace},
                       .methods = kMethods,
                       .constructor = &kConstructor});
}

}  // namespace gpy::lib
