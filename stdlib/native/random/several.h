#pragma once
// Draws of several numbers at a time, for the functions of Generator and RandomState that are
// written in gpy (stdlib/numpy/generator).

#include "runtime/random/bit_generator.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

// Draws ints with parameters of a row: Generator's or RandomState's.
using DrawInt = std::function<int64_t(rt::Distribution, const rt::Parameters&)>;

// Of each row of chances a count of trials: how often each outcome came, as rows.
Value drawn_multinomials(Interpreter& vm, const rt::Array& counts, const rt::Array& chances,
                         const DrawInt& draw);
// So many rows: of `colors` items of each kind, how many are among `sample`.
Value drawn_colors(Interpreter& vm, rt::BitGenerator& bits, const rt::Array& colors, int64_t sample,
                   int64_t rows, bool by_count);
// So many rows of shuffled 0 .. n-1.
Value drawn_orders(Interpreter& vm, rt::BitGenerator& bits, int64_t rows, int64_t n);

// Calls the function of stdlib/numpy/generator that has the native's name after `prefix`.
Value call_in_gpy(Interpreter& vm, const Args& args, std::string_view prefix);

}  // namespace gpy::lib
