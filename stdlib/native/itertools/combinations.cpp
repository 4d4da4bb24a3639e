// product, permutations, combinations, combinations_with_replacement: positions into rows of items,
// moved on as an odometer is.
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "stdlib/native/itertools/itertools.h"

namespace gpy::lib {

namespace {

// The state of the three iterators that choose from one row.
struct Choice : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  explicit Choice(Type* type) : Object(type), noted(type->vm->heap) {}
  std::vector<Value> pool;
  NotedBytes noted;
  std::vector<size_t> indices, cycles;
  size_t count = 0;  // how many are chosen
  Ref<Tuple> last;
  bool started = false, ended = false;
  template <class F> void each_field(F&& f) { f(pool), f(last); }
};

struct Product : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  explicit Product(Type* type) : Object(type), noted(type->vm->heap) {}
  std::vector<std::vector<Value>> pools;
  NotedBytes noted;
  std::vector<size_t> indices;
  Ref<Tuple> last;
  bool started = false, ended = false;
  template <class F> void each_field(F&& f) {
    for (auto& pool : pools) f(pool);
    f(last);
  }
};

}  // namespace

// --- product -------------------------------------------------------------------------------------

static Value make_product(Interpreter& vm, Type& cls, std::span<const Value> iterables,
                          int64_t repeat) {
  if (repeat < 0) vm.raise_value_error("repeat argument cannot be negative");
  auto product = vm.make<Product>(&cls);
  size_t bytes = 0;
  auto add = [&](std::vector<Value> pool) {
    bytes += sizeof(pool) + pool.size() * sizeof(Value);
    product->noted.set(bytes);
    append_item(vm, product->pools, std::move(pool));
    vm.poll();
  };
  for (const Value& each : iterables) add(vm.collect(each));
  size_t given = product->pools.size();
  if (given > 0 && repeat > (1 << 20) / static_cast<int64_t>(given)) {
    vm.raise_overflow_error("repeat argument too large");
  }
  size_t count = given * static_cast<size_t>(repeat);
  product->pools.resize(repeat == 0 ? 0 : given);
  for (size_t i = product->pools.size(); i < count; ++i) {
    vm.claim(product->pools[i - given].size(), sizeof(Value));
    add(product->pools[i - given]);
  }
  product->indices.resize(count);
  return product;
}

// The tuple to change: the last one, or a copy of it if somebody kept that. No user code runs until
// it is given out.
static Tuple& writable(Interpreter& vm, Ref<Tuple>& last) {
  if (last->refs != 1) last = Tuple::make(vm, last->items());
  return *last;
}

static Value product_start(Interpreter& vm, Product& it) {
  it.started = true;
  for (const auto& pool : it.pools) it.ended |= pool.empty();
  if (it.ended) return Value();
  it.last = Tuple::make_uninitialised(vm, it.pools.size());
  for (size_t i = 0; i < it.pools.size(); ++i) (*it.last)[i] = it.pools[i][0];
  return it.last;
}

static Value product_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Product>();
  if (it.ended) return Value();
  if (!it.started) return product_start(vm, it);
  size_t i = it.pools.size();
  while (i > 0 && it.indices[i - 1] + 1 == it.pools[i - 1].size()) --i;
  if (i == 0) {
    it.ended = true;
    return Value();
  }
  Tuple& row = writable(vm, it.last);
  row[i - 1] = it.pools[i - 1][++it.indices[i - 1]];
  for (; i < it.pools.size(); ++i) {
    it.indices[i] = 0;
    row[i] = it.pools[i][0];
  }
  return Value(&row);
}

static const Native kProduct = {"product", "(cls, /, *iterables, repeat=1)", typed<make_product>,
                                "Every tuple of one item from each iterable."};

// --- choices from one row ------------------------------------------------------------------------

static Ref<Choice> make_choice(Interpreter& vm, Type& cls, const Value& iterable) {
  auto choice = vm.make<Choice>(&cls);
  choice->pool = vm.collect(iterable);
  choice->noted.set(choice->pool.size() * sizeof(Value));
  return choice;
}

static void set_count(Interpreter& vm, Choice& choice, const Value& r) {
  int64_t count = vm.to_index(r);
  if (count < 0) vm.raise_value_error("r must be non-negative");
  choice.count = static_cast<size_t>(count);
}

// Charges for so many numbers of items, as long as `choice` lives.
static void claim_indices(Interpreter& vm, Choice& choice, size_t count) {
  vm.claim(count, sizeof(size_t));
  choice.noted.set(choice.pool.size() * sizeof(Value) + count * sizeof(size_t));
}

// Ends the iterator at once if more items are to be chosen than there are.
static void set_bounded_count(Interpreter& vm, Choice& choice, const Value& r) {
  set_count(vm, choice, r);
  choice.ended = choice.count > choice.pool.size();
  if (choice.ended) choice.count = 0;
}

// Puts the items at the indices from `from` on into the tuple given last.
static Value chosen(Interpreter& vm, Choice& it, size_t from) {
  if (!it.started) {
    it.started = true;
    it.last = Tuple::make_uninitialised(vm, it.count);
    from = 0;
  }
  Tuple& row = writable(vm, it.last);
  for (size_t i = from; i < row.size; ++i) row[i] = it.pool[it.indices[i]];
  return Value(&row);
}

static Value ended(Choice& it) {
  it.ended = true;
  return Value();
}

static Value make_combinations(Interpreter& vm, Type& cls, const Value& iterable, const Value& r) {
  auto choice = make_choice(vm, cls, iterable);
  set_bounded_count(vm, *choice, r);
  claim_indices(vm, *choice, choice->count);
  choice->indices.resize(choice->count);
  for (size_t i = 0; i < choice->indices.size(); ++i) choice->indices[i] = i;
  return choice;
}

static Value combinations_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Choice>();
  if (it.ended) return Value();
  if (!it.started) return chosen(vm, it, 0);
  size_t i = it.indices.size(), beyond = it.pool.size() - it.indices.size();
  while (i > 0 && it.indices[i - 1] == beyond + i - 1) --i;
  if (i == 0) return ended(it);
  ++it.indices[i - 1];
  for (size_t j = i; j < it.indices.size(); ++j) it.indices[j] = it.indices[j - 1] + 1;
  return chosen(vm, it, i - 1);
}

static const Native kCombinations = {"combinations", "(cls, iterable, r)", typed<make_combinations>,
                                     "Every choice of r items, in order."};

static Value make_with_replacement(Interpreter& vm, Type& cls, const Value& iterable,
                                   const Value& r) {
  auto choice = make_choice(vm, cls, iterable);
  set_count(vm, *choice, r);
  choice->ended = choice->pool.empty() && choice->count > 0;
  if (choice->ended) return choice;
  claim_indices(vm, *choice, choice->count);
  choice->indices.resize(choice->count);
  return choice;
}

static Value with_replacement_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Choice>();
  if (it.ended) return Value();
  if (!it.started) return chosen(vm, it, 0);
  size_t i = it.indices.size();
  while (i > 0 && it.indices[i - 1] + 1 == it.pool.size()) --i;
  if (i == 0) return ended(it);
  size_t index = it.indices[i - 1] + 1;
  for (size_t j = i - 1; j < it.indices.size(); ++j) it.indices[j] = index;
  return chosen(vm, it, i - 1);
}

static const Native kWithReplacement = {"combinations_with_replacement", "(cls, iterable, r)",
                                        typed<make_with_replacement>,
                                        "Every choice of r items, each as often as one likes."};

static Value make_permutations(Interpreter& vm, Type& cls, const Value& iterable, const Value& r) {
  auto choice = make_choice(vm, cls, iterable);
  size_t size = choice->pool.size();
  if (!r.is_none() && !is_int(r)) vm.raise_type_error("Expected int as r");
  choice->count = size;
  if (!r.is_none()) set_bounded_count(vm, *choice, r);
  claim_indices(vm, *choice, size + choice->count);
  for (size_t i = 0; i < size; ++i) choice->indices.push_back(i);
  for (size_t i = 0; i < choice->count; ++i) choice->cycles.push_back(size - i);
  return choice;
}

static Value permutations_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Choice>();
  if (it.ended) return Value();
  if (!it.started) return chosen(vm, it, 0);
  size_t size = it.pool.size();
  for (size_t i = it.cycles.size(); i-- > 0;) {
    if (--it.cycles[i] > 0) {
      std::swap(it.indices[i], it.indices[size - it.cycles[i]]);
      return chosen(vm, it, i);
    }
    auto at = it.indices.begin() + static_cast<int64_t>(i);
    std::rotate(at, at + 1, it.indices.end());
    it.cycles[i] = size - i;
  }
  return ended(it);
}

static const Native kPermutations = {"permutations", "(cls, iterable, r=None)",
                                     typed<make_permutations>, "Every row of r of the items."};

void add_combinations(Interpreter& vm, Module& module) {
  add_iterator<Product>(vm, module, kProduct, product_next);
  add_iterator<Choice>(vm, module, kPermutations, permutations_next);
  add_iterator<Choice>(vm, module, kCombinations, combinations_next);
  add_iterator<Choice>(vm, module, kWithReplacement, with_replacement_next);
}

}  // namespace gpy::lib
