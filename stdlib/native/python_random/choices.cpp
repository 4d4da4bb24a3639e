// random.choice, choices, sample, shuffle.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "src/numbers/number.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "stdlib/native/collections/deque.h"
#include "stdlib/native/python_random/source.h"

namespace gpy::lib {

static Value item_at(Interpreter& vm, const Value& sequence, uint64_t i) {
  if (sequence.is<List>()) return sequence.as<List>()->items.at(i);
  return vm.get_item(sequence, Value::integer(static_cast<int64_t>(i)));
}

static Value choice(Interpreter& vm, RandomSource& source, const Value& sequence) {
  int64_t length = vm.length(sequence);
  if (length == 0) vm.raise_index_error("Cannot choose from an empty sequence");
  return item_at(vm, sequence, random_below(source, static_cast<uint64_t>(length)));
}

static Value shuffle(Interpreter& vm, RandomSource& source, const Value& x) {
  List* list = x.is<List>() && vm.type_of(x) == vm.types.list ? x.as<List>() : nullptr;
  InterruptPoll poll(vm);
  for (int64_t i = vm.length(x) - 1; i > 0; --i) {
    poll.step();
    auto j = static_cast<int64_t>(random_below(source, static_cast<uint64_t>(i) + 1));
    if (list) {
      list->items[static_cast<size_t>(i)].swap(list->items[static_cast<size_t>(j)]);
      continue;
    }
    Value a = vm.get_item(x, Value::integer(i)), b = vm.get_item(x, Value::integer(j));
    vm.set_item(x, Value::integer(i), b);
    vm.set_item(x, Value::integer(j), a);
  }
  return Value::none();
}

// --- sample --------------------------------------------------------------------------------------

static bool is_sequence(const Value& v) {
  return v.is<List>() || v.is<Tuple>() || v.is<Str>() || v.is<Bytes>() || v.is<Range>() ||
         is_deque(v);
}

// k different numbers below n, as CPython draws them.
static std::vector<uint64_t> different(Interpreter& vm, RandomSource& source, uint64_t n,
                                       uint64_t k) {
  double set_size = 21;  // the size of a set in words, compared to a list's
  if (k > 5) set_size += std::pow(4, std::ceil(std::log(static_cast<double>(k * 3)) / std::log(4)));
  std::vector<uint64_t> chosen;
  InterruptPoll poll(vm);
  if (static_cast<double>(n) <= set_size) {
    std::vector<uint64_t> pool;
    for (uint64_t i = 0; i < n; ++i) {
      poll.step();
      append_item(vm, pool, i);
    }
    for (uint64_t i = 0; i < k; ++i) {
      poll.step();
      uint64_t j = random_below(source, n - i);
      append_item(vm, chosen, pool[j]);
      pool[j] = pool[n - i - 1];
    }
    return chosen;
  }
  constexpr size_t kSeenBytes = 48;  // a number in the set, and its place in the row
  std::unordered_set<uint64_t> seen;
  NotedBytes held(vm.heap);
  while (chosen.size() < k) {
    poll.step();
    vm.poll();
    uint64_t j = random_below(source, n);
    if (!seen.insert(j).second) continue;
    append_item(vm, chosen, j);
    held.set(chosen.size() * kSeenBytes);
  }
  return chosen;
}

static std::vector<uint64_t> checked_sample(Interpreter& vm, RandomSource& source, int64_t n,
                                            const Value& k) {
  int64_t count = vm.to_index(k);
  if (count < 0 || count > n) {
    vm.raise_value_error("Sample larger than population or is negative");
  }
  return different(vm, source, static_cast<uint64_t>(n), static_cast<uint64_t>(count));
}

static std::vector<int64_t> running_counts(Interpreter& vm, const Value& counts, int64_t length) {
  std::vector<int64_t> sums;
  int64_t total = 0;
  vm.for_each(counts, [&](const Value& count) {
    if (!is_int(count)) vm.raise_type_error("Counts must be integers");
    append_item(vm, sums, total += vm.to_index(count));
  });
  if (static_cast<int64_t>(sums.size()) != length) {
    vm.raise_value_error("The number of counts does not match the population");
  }
  if (total <= 0) vm.raise_value_error("Total of counts must be greater than zero");
  return sums;
}

static Value sample(Interpreter& vm, RandomSource& source, const Value& population, const Value& k,
                    const Value& counts) {
  if (!is_sequence(population)) {
    vm.raise_type_error("Population must be a sequence.  For dicts or sets, use sorted(d).");
  }
  int64_t length = vm.length(population);
  std::vector<Value> items;
  InterruptPoll poll(vm);
  if (counts.is_none()) {
    for (uint64_t i : checked_sample(vm, source, length, k)) {
      poll.step();
      append_item(vm, items, item_at(vm, population, i));
    }
    return vm.list(std::move(items));
  }
  auto sums = running_counts(vm, counts, length);
  for (uint64_t i : checked_sample(vm, source, sums.back(), k)) {
    poll.step();
    auto at = std::upper_bound(sums.begin(), sums.end(), static_cast<int64_t>(i));
    append_item(vm, items, item_at(vm, population, static_cast<uint64_t>(at - sums.begin())));
  }
  return vm.list(std::move(items));
}

// --- choices -------------------------------------------------------------------------------------

static std::vector<double> running_weights(Interpreter& vm, const Value& weights) {
  if (is_int(weights)) {
    vm.raise_type_error("The number of choices must be a keyword argument: k={}", vm.repr(weights));
  }
  std::vector<double> sums;
  Value total;
  vm.for_each(weights, [&](const Value& weight) {
    total = total.is_undefined() ? weight : vm.binary(BinaryOp::add, total, weight);
    append_item(vm, sums, vm.to_real(total));
  });
  return sums;
}

static std::vector<double> reals(Interpreter& vm, const Value& values) {
  std::vector<double> numbers;
  vm.for_each(values, [&](const Value& each) { append_item(vm, numbers, vm.to_real(each)); });
  return numbers;
}

static void check_weights(Interpreter& vm, const std::vector<double>& sums, int64_t length) {
  if (static_cast<int64_t>(sums.size()) != length) {
    vm.raise_value_error("The number of weights does not match the population");
  }
  if (sums.empty()) vm.raise_index_error("list index out of range");
  if (sums.back() <= 0) vm.raise_value_error("Total of weights must be greater than zero");
  if (!std::isfinite(sums.back())) vm.raise_value_error("Total of weights must be finite");
}

// The running sums of the weights; empty where all items are alike.
static std::vector<double> weight_sums(Interpreter& vm, const Value& weights, const Value& sums,
                                       int64_t length) {
  if (weights.is_none() && sums.is_none()) return {};
  if (!weights.is_none() && !sums.is_none()) {
    vm.raise_type_error("Cannot specify both weights and cumulative weights");
  }
  std::vector<double> all = sums.is_none() ? running_weights(vm, weights) : reals(vm, sums);
  check_weights(vm, all, length);
  return all;
}

static uint64_t drawn(RandomSource& source, const std::vector<double>& sums, int64_t length) {
  if (sums.empty()) {
    return static_cast<uint64_t>(source.uniform() * static_cast<double>(length));
  }
  const double at = source.uniform() * sums.back();
  return static_cast<uint64_t>(std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin());
}

static Value choices(Interpreter& vm, RandomSource& source, const Value& population,
                     const Value& weights, const Value& running, const Value& k) {
  int64_t length = vm.length(population), count = vm.to_index(k);
  const auto sums = weight_sums(vm, weights, running, length);
  std::vector<Value> items;
  for (; count > 0; --count) {
    const uint64_t i = drawn(source, sums, length);
    if (length == 0) vm.raise_index_error("list index out of range");
    append_item(vm, items, item_at(vm, population, i));
    vm.poll();
  }
  return vm.list(std::move(items));
}

static const Native kRows[] = {
    {"choice", "(self, seq)", typed<choice>, "An item of a sequence."},
    {"choices", "(self, population, weights=None, *, cum_weights=None, k=1)", typed<choices>,
     "k items, each drawn from all, as likely as its weight."},
    {"sample", "(self, population, k, *, counts=None)", typed<sample>, "k different items."},
    {"shuffle", "(self, x)", typed<shuffle>, "Mixes the items of a list."},
};

std::span<const Native> random_choice_rows() { return kRows; }

}  // namespace gpy::lib
