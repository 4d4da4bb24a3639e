#include "runtime/ops/reduction.h"

#include <algorithm>
#include <vector>

#include "runtime/core/instruction_set.h"
#include "runtime/ops/reduction_loops.h"
#include "runtime/ops/type_rules.h"

namespace gpy::rt {

#define REDUCTION(name, rule, ...) \
  extern const std::array<ReductionTiles, loop_count(type_rule::rule)> reduce_##name##_tiles;
namespace base {
#include "runtime/ops/reductions.def"
}
#define REDUCTION(name, rule, ...) \
  extern const std::array<ReductionTiles, loop_count(type_rule::rule)> reduce_##name##_tiles;
namespace avx2 {
#include "runtime/ops/reductions.def"
}
#define REDUCTION(name, rule, ...) \
  extern const std::array<ReductionTiles, loop_count(type_rule::rule)> reduce_##name##_tiles;
namespace avx512 {
#include "runtime/ops/reductions.def"
}

namespace {

struct Source {
  std::string_view name;
  const TypeRule* rule;
  int traits;
  std::array<std::string_view, 5> text;        // accumulator, identity, lift, combine, finish
  std::array<const ReductionTiles*, 3> tiles;  // by InstructionSet
};

#define REDUCTION(name, rule, traits, A, identity, lift, combine, finish)   \
  {#name,                                                                   \
   &type_rule::rule,                                                        \
   traits,                                                                  \
   {#A, #identity, #lift, #combine, #finish},                               \
   {base::reduce_##name##_tiles.data(), avx2::reduce_##name##_tiles.data(), \
    avx512::reduce_##name##_tiles.data()}},
const Source kRows[] = {
#include "runtime/ops/reductions.def"
};

struct Table {
  std::vector<ReductionLoop> loops;
  std::vector<Reduction> reductions;

  Table() {
    size_t total = 0;
    for (const Source& row : kRows) total += loop_count(*row.rule);
    loops.reserve(total);  // spans into it stay valid
    for (const Source& row : kRows) add(row);
  }

  void add(const Source& row) {
    const size_t first = loops.size(), count = loop_count(*row.rule);
    for (size_t i = 0; i < count; ++i) {
      const Signature types = signature(*row.rule, 1, i);
      loops.push_back({types.in[0], types.out});
    }
    reductions.push_back({row.name, (row.traits & kIdentity) != 0, (row.traits & kScans) != 0,
                          (row.traits & kWidens) != 0, (row.traits & kIsArg) != 0,
                          std::span(loops).subspan(first, count),
                          static_cast<uint16_t>(reductions.size()), find_ufunc(row.name),
                          row.text[0], row.text[1], row.text[2], row.text[3], row.text[4]});
  }
};

const Table& table() {
  static const Table& table = *new Table;  // threads may outlive the end of main
  return table;
}

}  // namespace

std::span<const Reduction> reductions() { return table().reductions; }

const Reduction* reduction_of(const Ufunc& ufunc) {
  const auto& rows = table().reductions;
  const auto found = std::ranges::find(rows, &ufunc, &Reduction::ufunc);
  return found == rows.end() ? nullptr : &*found;
}

Scalar identity_of(const Reduction& reduction, int loop) {
  const ReductionTiles& tiles = reduction_tiles(reduction, loop);
  alignas(32) std::array<std::byte, 32> accumulator;
  alignas(16) std::array<std::byte, 16> result;
  tiles.start(accumulator.data(), 1);
  tiles.finish(accumulator.data(), result.data(), 1);
  return Scalar::load(reduction.loops[loop].out, result.data());
}

const ReductionTiles& reduction_tiles(const Reduction& reduction, int loop) {
  return kRows[reduction.id].tiles[static_cast<int>(instruction_set())][loop];
}

}  // namespace gpy::rt
