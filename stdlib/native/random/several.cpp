#include "stdlib/native/random/several.h"

#include <numeric>

#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "stdlib/native/numpy/library.h"

namespace gpy::lib {

namespace {

// Rows of int64s that are written on the host.
template <class Write>
Value int_rows(Interpreter& vm, int64_t rows, int64_t width, const Write& write) {
  const rt::Array made =
      rt::empty(session(vm), {rows, width}, rt::DType::kInt64, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    auto* out = reinterpret_cast<int64_t*>(access.data());
    std::fill(out, out + made.size(), 0);
    rt::for_each_polled(rows, [&](int64_t row) { write(row, out + row * width); });
  }
  return wrap_array(vm, made);
}

// Each outcome but the last is a binomial of the trials that are left.
void draw_multinomial(int64_t trials, const double* chances, int64_t outcomes, int64_t* out,
                      const DrawInt& draw) {
  double rest = 1.0;
  for (int64_t j = 0; j + 1 < outcomes && trials > 0; ++j) {
    const double chance = chances[j] / rest;
    out[j] = draw(rt::Distribution::binomial, {{&trials, &chance}});
    trials -= out[j];
    rest -= chances[j];
  }
  if (trials > 0) out[outcomes - 1] = trials;
}

struct Urn {
  const int64_t* colors;
  int64_t kinds;
  int64_t total;
  int64_t sample;
};

void draw_by_marginals(rt::BitGenerator& bits, const Urn& urn, int64_t* out) {
  int64_t left = urn.sample, rest = urn.total;
  for (int64_t j = 0; j + 1 < urn.kinds && left > 0; ++j) {
    rest -= urn.colors[j];
    const rt::Parameters parameters{{&urn.colors[j], &rest, &left}};
    bits.draw(rt::Distribution::hypergeometric, parameters, &out[j], 1);
    left -= out[j];
  }
  if (left > 0) out[urn.kinds - 1] = left;
}

void draw_by_count(rt::BitGenerator& bits, const Urn& urn, std::vector<int64_t>& items,
                   int64_t* out) {
  for (int64_t j = 0; j < urn.sample; ++j) {
    std::swap(items[j], items[j + static_cast<int64_t>(bits.interval(urn.total - j - 1))]);
    ++out[items[j]];
  }
}

std::vector<int64_t> all_items(const Urn& urn) {
  std::vector<int64_t> items;
  items.reserve(urn.total);
  for (int64_t j = 0; j < urn.kinds; ++j) items.insert(items.end(), urn.colors[j], j);
  return items;
}

}  // namespace

Value drawn_multinomials(Interpreter& vm, const rt::Array& counts, const rt::Array& chances,
                         const DrawInt& draw) {
  const rt::HostRead trials(session(vm), counts), rows(session(vm), chances);
  const int64_t width = chances.shape()[1];
  const int64_t step = chances.shape()[0] == 1 ? 0 : width;
  return int_rows(vm, counts.size(), width, [&](int64_t row, int64_t* out) {
    draw_multinomial(reinterpret_cast<const int64_t*>(trials.data())[row],
                     reinterpret_cast<const double*>(rows.data()) + row * step, width, out, draw);
  });
}

Value drawn_colors(Interpreter& vm, rt::BitGenerator& bits, const rt::Array& colors, int64_t sample,
                   int64_t rows, bool by_count) {
  const rt::HostRead read(session(vm), colors);
  Urn urn{reinterpret_cast<const int64_t*>(read.data()), colors.size(), 0, sample};
  urn.total = std::accumulate(urn.colors, urn.colors + urn.kinds, int64_t{0});
  const bool rest = sample > urn.total / 2;  // what is not drawn is less
  if (rest) urn.sample = urn.total - sample;
  const rt::Charge scratch(by_count ? urn.total * sizeof(int64_t) : 0);
  std::vector<int64_t> items;
  if (by_count) items = all_items(urn);
  return int_rows(vm, rows, urn.kinds, [&](int64_t, int64_t* out) {
    if (by_count) draw_by_count(bits, urn, items, out);
    else draw_by_marginals(bits, urn, out);
    for (int64_t j = 0; rest && j < urn.kinds; ++j) out[j] = urn.colors[j] - out[j];
  });
}

Value drawn_orders(Interpreter& vm, rt::BitGenerator& bits, int64_t rows, int64_t n) {
  return int_rows(vm, rows, n, [&](int64_t, int64_t* out) {
    std::iota(out, out + n, int64_t{0});
    bits.shuffle(n, [&](int64_t i, int64_t j) { std::swap(out[i], out[j]); });
  });
}

Value call_in_gpy(Interpreter& vm, const Args& args, std::string_view prefix) {
  const std::string name = std::string(prefix) + args.callee().row->name;
  const Value function = find_in_library(vm, kNumpy, "generator", name);
  return vm.call(function, {args.begin(), static_cast<uint32_t>(args.size()), {}});
}

}  // namespace gpy::lib
