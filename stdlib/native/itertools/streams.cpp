// Iterators over one iterable, and chain: accumulate, chain, dropwhile, filterfalse, islice,
// pairwise, starmap, takewhile.
#include "src/numbers/plus.h"
#include "src/typed_native.h"
#include "src/types/generic_alias.h"
#include "stdlib/native/itertools/itertools.h"

namespace gpy::lib {

namespace {

// A function applied to the items of an iterator, which most types of this file do.
struct Filtering : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Filtering(Type* type, Value function, Value iterator)
      : Object(type), function(std::move(function)), iterator(std::move(iterator)) {}
  Value function, iterator;
  bool settled = false;  // dropwhile: past the first; takewhile: at the end
  template <class F> void each_field(F&& f) { f(function), f(iterator); }
};

struct Accumulate : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  Value iterator, function, total, initial;
  template <class F> void each_field(F&& f) { f(iterator), f(function), f(total), f(initial); }
};

struct Chain : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Chain(Type* type, Value outer) : Object(type), outer(std::move(outer)) {}
  Value outer, inner;
  template <class F> void each_field(F&& f) { f(outer), f(inner); }
};

struct ISlice : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  Value iterator;
  int64_t taken = 0, next = 0, stop = -1, step = 1;  // stop -1: none
  template <class F> void each_field(F&& f) { f(iterator); }
};

struct Pairwise : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Pairwise(Type* type, Value iterator) : Object(type), iterator(std::move(iterator)) {}
  Value iterator, previous;
  Ref<Tuple> pair;
  template <class F> void each_field(F&& f) { f(iterator), f(previous), f(pair); }
};

}  // namespace

static bool accepts(Interpreter& vm, const Value& function, const Value& item) {
  if (function.is_none()) return vm.truth(item);
  return vm.truth(vm.call(function, CallArgs{&item, 1}));
}

// --- accumulate ----------------------------------------------------------------------------------

static Value make_accumulate(Interpreter& vm, Type& cls, const Value& iterable,
                             const Value& function, const Value& initial) {
  auto result = vm.make<Accumulate>(&cls);
  result->iterator = vm.iterate(iterable);
  result->function = function;
  if (!initial.is_none()) result->initial = initial;
  return result;
}

static Value accumulate_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Accumulate>();
  if (it.initial.is_defined()) return it.total = std::exchange(it.initial, Value());
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return item;
  if (it.total.is_undefined()) return it.total = item;
  Value total = it.total;
  it.total = it.function.is_none() ? plus(vm, total, item) : vm.call(it.function, {total, item});
  return it.total;
}

static const Native kAccumulate = {"accumulate", "(cls, iterable, func=None, *, initial=None)",
                                   typed<make_accumulate>,
                                   "Running totals, or what func makes of them."};

// --- chain ---------------------------------------------------------------------------------------

static Value make_chain(Interpreter& vm, Type& cls, const Value& iterables) {
  return vm.make<Chain>(&cls, vm.iterate(iterables));
}

static Value chain_next(Interpreter& vm, const Value& self) {
  auto& chain = *self.as<Chain>();
  while (chain.outer.is_defined()) {
    if (chain.inner.is_undefined()) {
      Value iterable = vm.next(chain.outer);
      if (iterable.is_undefined()) break;
      chain.inner = vm.iterate(iterable);
    }
    Value item = vm.next(chain.inner);
    if (item.is_defined()) return item;
    chain.inner = Value();
    vm.poll();
  }
  chain.outer = Value();
  return Value();
}

static const Native kChain = {"chain", "(cls, /, *iterables)", typed<make_chain>,
                              "The items of the first iterable, of the second and so on."};
static const Native kChainMethods[] = {
    {"from_iterable", "(cls, iterable, /)", typed<make_chain>,
     "chain of the iterables that an iterable gives, one at a time.", Native::class_method}};

// --- filters -------------------------------------------------------------------------------------

static Value make_filtering(Interpreter& vm, Type& cls, const Value& function,
                            const Value& iterable) {
  return vm.make<Filtering>(&cls, function, vm.iterate(iterable));
}

static Value dropwhile_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Filtering>();
  for (;;) {
    Value item = vm.next(it.iterator);
    if (item.is_undefined() || it.settled) return item;
    it.settled = !vm.truth(vm.call(it.function, CallArgs{&item, 1}));
    if (it.settled) return item;
    vm.poll();
  }
}

static Value takewhile_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Filtering>();
  if (it.settled) return Value();
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return item;
  if (vm.truth(vm.call(it.function, CallArgs{&item, 1}))) return item;
  it.settled = true;
  return Value();
}

static Value filterfalse_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Filtering>();
  for (;;) {
    Value item = vm.next(it.iterator);
    if (item.is_undefined() || !accepts(vm, it.function, item)) return item;
    vm.poll();
  }
}

static Value starmap_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Filtering>();
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return item;
  if (!item.is<Tuple>()) item = vm.tuple(vm.collect(item));
  auto arguments = item.as<Tuple>()->items();
  return vm.call(it.function, CallArgs{arguments.data(), static_cast<uint32_t>(arguments.size())});
}

static const Native kDropwhile = {"dropwhile", "(cls, predicate, iterable, /)",
                                  typed<make_filtering>,
                                  "The items from the first on for which predicate is false."};
static const Native kTakewhile = {"takewhile", "(cls, predicate, iterable, /)",
                                  typed<make_filtering>,
                                  "The items before the first for which predicate is false."};
static const Native kFilterfalse = {"filterfalse", "(cls, function, iterable, /)",
                                    typed<make_filtering>,
                                    "The items for which function gives something false."};
static const Native kStarmap = {"starmap", "(cls, function, iterable, /)", typed<make_filtering>,
                                "function(*item) for each item."};

// --- islice --------------------------------------------------------------------------------------

static int64_t slice_bound(Interpreter& vm, const Value& v, int64_t otherwise,
                           const char* message) {
  if (v.is_none() || v.is_undefined()) return otherwise;
  Value index = vm.has_index(v) ? vm.to_index_value(v) : Value();
  if (!index.is_integer() || index.as_integer() < 0) vm.raise(vm.types.value_error, message);
  return index.as_integer();
}

static Value make_islice(Interpreter& vm, Type& cls, const Value& iterable,
                         const Value& start_or_stop, const Value& stop, const Value& step) {
  constexpr const char* kBounds =
      "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
  constexpr const char* kStop =
      "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
  constexpr const char* kStep = "Step for islice() must be a positive integer or None.";
  auto slice = vm.make<ISlice>(&cls);
  bool only_stop = stop.is_undefined();
  slice->next = only_stop ? 0 : slice_bound(vm, start_or_stop, 0, kBounds);
  slice->stop = slice_bound(vm, only_stop ? start_or_stop : stop, -1, kStop);
  slice->step = slice_bound(vm, step, 1, kStep);
  if (slice->step == 0) vm.raise(vm.types.value_error, kStep);
  slice->iterator = vm.iterate(iterable);
  return slice;
}

static Value islice_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<ISlice>();
  if (it.iterator.is_undefined()) return Value();
  bool ended = false;
  for (; !ended && it.taken < it.next; ++it.taken) {
    ended = vm.next(it.iterator).is_undefined();
    vm.poll();
  }
  Value item;
  if (!ended && (it.stop < 0 || it.taken < it.stop)) item = vm.next(it.iterator);
  if (item.is_undefined()) {
    it.iterator = Value();
    return item;
  }
  ++it.taken;
  if (__builtin_add_overflow(it.next, it.step, &it.next)) it.next = INT64_MAX;
  if (it.stop >= 0) it.next = std::min(it.next, it.stop);
  return item;
}

static const Native kIslice = {
    "islice", "(cls, iterable, start_or_stop, stop=<omitted>, step=<omitted>, /)",
    typed<make_islice>,
    "islice(iterable, stop) or islice(iterable, start, stop[, step]): as a slice of a list."};

// --- pairwise ------------------------------------------------------------------------------------

static Value make_pairwise(Interpreter& vm, Type& cls, const Value& iterable) {
  return vm.make<Pairwise>(&cls, vm.iterate(iterable));
}

static Value pairwise_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Pairwise>();
  if (it.previous.is_undefined()) it.previous = vm.next(it.iterator);
  if (it.previous.is_undefined()) return Value();
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return item;
  Ref<Tuple> pair = fresh_tuple(vm, it.pair, 2);
  (*pair)[0] = std::exchange(it.previous, item);
  (*pair)[1] = std::move(item);
  return pair;
}

static const Native kPairwise = {"pairwise", "(cls, iterable, /)", typed<make_pairwise>,
                                 "Each item with the one after it."};

void add_streams(Interpreter& vm, Module& module) {
  add_iterator<Accumulate>(vm, module, kAccumulate, accumulate_next);
  take_type_arguments(
      add_iterator<Chain>(vm, module, kChain, chain_next, {.methods = kChainMethods}));
  add_iterator<Filtering>(vm, module, kDropwhile, dropwhile_next);
  add_iterator<Filtering>(vm, module, kTakewhile, takewhile_next);
  add_iterator<Filtering>(vm, module, kFilterfalse, filterfalse_next);
  add_iterator<Filtering>(vm, module, kStarmap, starmap_next);
  add_iterator<ISlice>(vm, module, kIslice, islice_next);
  add_iterator<Pairwise>(vm, module, kPairwise, pairwise_next);
}

}  // namespace gpy::lib
