#pragma once
// What a for loop of compiled code goes through, other than a range: arrays of one axis, lists and
// tuples of numbers of one type, and enumerate and zip over those. An iterator is met when the
// loop's item has been taken from it.

#include <optional>
#include <vector>

#include "runtime/typed/words.h"
#include "src/interpreter.h"
#include "src/translate/loop_translator.h"

namespace gpy {

// Nullopt where compiled code cannot go through it.
std::optional<LoopItems> items_of(Interpreter& vm, const Value& iterator);

// The numbers that the items begin with, or the arrays from the present item on, as the parameters
// of compiled code. Of lists at most so many items are handed over, `copied`.
struct GivenItems {
  std::vector<rt::typed::Data> data;
  int64_t rounds = INT64_MAX;  // with the present one
};
std::optional<GivenItems> given_items(Interpreter& vm, const Value& iterator,
                                      const LoopItems& items, int64_t copied);

// The iterator stands behind so many more items.
void advance(Interpreter& vm, const Value& iterator, int64_t count);

}  // namespace gpy
