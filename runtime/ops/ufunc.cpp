#include "runtime/ops/ufunc.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "runtime/core/instruction_set.h"
#include "runtime/ops/number_loops.h"
#include "runtime/ops/row_facts.h"
#include "runtime/ops/type_rules.h"

namespace gpy::rt {

// The loops of every row, as the folder loops/ compiles them for each instruction set.
#define ROW(name, arity, rule, ...) \
  extern const std::array<TileLoop, loop_count(type_rule::rule)> name;
namespace base {
#include "runtime/ops/ufuncs.def"
extern const std::array<TileLoop, kTypeCodes * kTypeCodes> cast_loops;
}  // namespace base
#define ROW(name, arity, rule, ...) \
  extern const std::array<TileLoop, loop_count(type_rule::rule)> name;
namespace avx2 {
#include "runtime/ops/ufuncs.def"
extern const std::array<TileLoop, kTypeCodes * kTypeCodes> cast_loops;
}  // namespace avx2
#define ROW(name, arity, rule, ...) \
  extern const std::array<TileLoop, loop_count(type_rule::rule)> name;
namespace avx512 {
#include "runtime/ops/ufuncs.def"
extern const std::array<TileLoop, kTypeCodes * kTypeCodes> cast_loops;
}  // namespace avx512

namespace {

struct Source {
  std::string_view name;
  int arity;
  const TypeRule* rule;
  std::string_view doc;
  std::string_view expression;
  bool quiet;
  std::array<const TileLoop*, 3> tiles;  // by InstructionSet
};

#define GPY_ROW(name, arity, rule, doc, quiet, expression) \
  {#name,                                                  \
   arity,                                                  \
   &type_rule::rule,                                       \
   doc,                                                    \
   expression,                                             \
   quiet,                                                  \
   {base::name.data(), avx2::name.data(), avx512::name.data()}},
#define ROW(name, arity, rule, doc, expression, ...) \
  GPY_ROW(name, arity, rule, doc, false, #expression)
#define QUIET_ROW(name, arity, rule, doc, expression, ...) \
  GPY_ROW(name, arity, rule, doc, true, #expression)
const Source kRows[] = {
#include "runtime/ops/ufuncs.def"
};
#undef GPY_ROW

struct Table {
  struct Named {
    std::string_view name;
    const Ufunc* ufunc;
  };
  std::vector<UfuncLoop> loops;
  std::vector<Ufunc> ufuncs;
  std::vector<Named> by_name;

  Table() {
    size_t total = 0;
    for (const Source& row : kRows) total += loop_count(*row.rule);
    loops.reserve(total);  // spans into it stay valid
    for (const Source& row : kRows) add(row);
    for (const Ufunc& ufunc : ufuncs) add_names(ufunc);
    std::ranges::sort(by_name, {}, &Named::name);
  }

  void add_names(const Ufunc& ufunc) {
    by_name.push_back({ufunc.name, &ufunc});
    for (std::string_view name : facts_of(ufunc).also) {
      if (!name.empty()) by_name.push_back({name, &ufunc});
    }
  }

  void add(const Source& row) {
    const TileLoop* tiles = row.tiles[static_cast<int>(instruction_set())];
    const size_t first = loops.size(), count = loop_count(*row.rule);
    for (size_t i = 0; i < count; ++i) {
      const Signature types = signature(*row.rule, row.arity, i);
      const TileLoop number = number_loop(static_cast<Row>(ufuncs.size()), types.out);
      loops.push_back({types.in, types.out, tiles[i], number ? number : tiles[i]});
    }
    ufuncs.push_back({row.name, row.arity, row.expression, row.doc,
                      std::span(loops).subspan(first, count), static_cast<uint16_t>(ufuncs.size()),
                      row.quiet, row.rule->refuses_bool, row.rule->narrow_natively,
                      row.rule->mixed_compare});
  }
};

const Table& table() {
  static const Table& table = *new Table;  // threads may outlive the end of main
  return table;
}

}  // namespace

std::span<const Ufunc> ufuncs() { return table().ufuncs; }

const Ufunc* find_ufunc(std::string_view name) {
  const auto& names = table().by_name;
  auto found = std::ranges::lower_bound(names, name, {}, &Table::Named::name);
  return found != names.end() && found->name == name ? found->ufunc : nullptr;
}

namespace {

// The results of searches for one or two inputs: 0 not searched yet, -1 none, else one more than
// the loop's index.
class Found {
 public:
  std::atomic<int8_t>* of(const Ufunc& ufunc, std::span<const DType> inputs) {
    if (inputs.size() > 2) return nullptr;
    const size_t first = inputs[0].index(), second = inputs.size() > 1 ? inputs[1].index() : 0;
    return &loops_[ufunc.id][first * kTypeCodes + second];
  }

 private:
  std::array<std::array<std::atomic<int8_t>, kTypeCodes * kTypeCodes>, std::size(kRows)> loops_{};
};
Found found_loops;

const UfuncLoop* search(const Ufunc& ufunc, std::span<const DType> inputs) {
  auto is_bool = [](DType type) { return type == DType::kBool; };
  if (ufunc.refuses_bool && std::ranges::all_of(inputs, is_bool)) return nullptr;
  auto serves = [&](const UfuncLoop& loop) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!can_cast(inputs[i], loop.in[i], Casting::kSafe)) return false;
    }
    return true;
  };
  if (!std::ranges::all_of(inputs, is_numpys_own)) {
    for (const UfuncLoop& loop : ufunc.loops) {
      if (!is_numpys_own(loop.in[ufunc.arity - 1]) && serves(loop)) return &loop;
    }
  }
  const auto found = std::ranges::find_if(ufunc.loops, serves);
  return found == ufunc.loops.end() ? nullptr : &*found;
}

}  // namespace

const UfuncLoop* resolve(const Ufunc& ufunc, std::span<const DType> inputs) {
  std::atomic<int8_t>* const note = found_loops.of(ufunc, inputs);
  if (!note) return search(ufunc, inputs);
  int8_t noted = note->load(std::memory_order_relaxed);
  if (noted == 0) {
    const UfuncLoop* loop = search(ufunc, inputs);
    noted = loop ? static_cast<int8_t>(loop - ufunc.loops.data() + 1) : -1;
    note->store(noted, std::memory_order_relaxed);
  }
  return noted < 0 ? nullptr : &ufunc.loops[noted - 1];
}

TileLoop cast_loop(DType from, DType to) {
  const std::array<TileLoop, kTypeCodes * kTypeCodes>* tables[] = {
      &base::cast_loops, &avx2::cast_loops, &avx512::cast_loops};
  return (*tables[static_cast<int>(instruction_set())])[from.index() * kTypeCodes + to.index()];
}

}  // namespace gpy::rt
