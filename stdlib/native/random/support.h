#pragma once
// Sizes, seeds, shuffles and bounds, as the generators of all namespaces read them.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/random/bit_generator.h"
#include "runtime/random/integer_range.h"
#include "runtime/random/seed_sequence.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

// size=None: nullopt, a single draw.
std::optional<rt::Dims> to_size(Interpreter& vm, const Value& value);
// rand(3, 2): extents as arguments; none is a single draw.
std::optional<rt::Dims> size_of_rest(Interpreter& vm, const Value& rest);

// The 32-bit words of a seed, the lowest first; a sequence of ints gives the words of each.
std::vector<uint32_t> seed_words(Interpreter& vm, const Value& seed);
// ValueError for negative ones.
rt::SeedSequence to_seed_sequence(Interpreter& vm, const Value& seed);

// The words as one int, the lowest first.
Value entropy_number(Interpreter& vm, const rt::SeedSequence& seed);

rt::Int128 to_wide(Interpreter& vm, const Value& value);

// `draw` fills a span of doubles; without a size one float is drawn.
Value draw_doubles(Interpreter& vm, const std::optional<rt::Dims>& size,
                   const std::function<void(std::span<double>)>& draw);
Value draw_floats(Interpreter& vm, const std::optional<rt::Dims>& size,
                  const std::function<void(std::span<float>)>& draw);

// Two parameters of a distribution: numbers, or arrays that have a draw for each element.
struct Parameter2 {
  rt::Operand first, second;
  bool numbers() const { return !first.is_array() && !second.is_array(); }
  double a() const { return first.scalar().as_double(); }
  double b() const { return second.scalar().as_double(); }
};
Parameter2 to_parameters(Interpreter& vm, const Value& first, const Value& second);
// The shape of the draws: `size`, or what the parameters broadcast to.
rt::Dims drawn_shape(Interpreter& vm, const Parameter2& parameters,
                     const std::optional<rt::Dims>& size);
// first + second * standard
Value scaled(Interpreter& vm, const Parameter2& parameters, rt::Array standard);

// Integers of [low, high): `draw(dtype, ranges)` is called with one range, or one an element.
struct IntegerRequest {
  rt::DType dtype;
  std::vector<rt::IntegerRange> ranges;
  std::optional<rt::Dims> size;
  bool single_range;
  int64_t count() const { return size ? rt::element_count(*size) : 1; }
};
IntegerRequest read_integers(Interpreter& vm, const Value& low, const Value& high,
                             const Value& size, rt::DType dtype, bool endpoint, const char* method);
// One drawn integer, as the dtype says: Python's where that is `int` or `bool`.
Value one_integer(Interpreter& vm, const rt::Array& drawn, const Value& dtype);

// Shuffles an array along an axis, or what has items to be set, by the exchanges that
// `shuffle(n, swap)` makes.
using Swap = std::function<void(int64_t, int64_t)>;
using Shuffle = std::function<void(int64_t, const Swap&)>;
void shuffle_in_place(Interpreter& vm, const Value& items, const Shuffle& shuffle,
                      int64_t axis = 0);
// The result of draw(), a list as long as an array of `count`. Where there is no room for it, the
// error is that array's, with its size.
std::vector<int64_t> drawn_indices(Interpreter& vm, int64_t count,
                                   const std::function<std::vector<int64_t>()>& draw);

Value drawn_bytes(Interpreter& vm, rt::BitGenerator& bits, int64_t length);

// permutation(int) or permutation(array), along an axis if the generator takes one.
Value permuted(Interpreter& vm, const Value& items,
               const std::function<std::vector<int64_t>(int64_t)>& permutation,
               std::optional<int64_t> axis = {});

// choice(): `choose` gives indices into a population of so many.
struct ChoiceCall {
  Value population;
  std::optional<rt::Dims> size;
  bool replace;
  std::vector<double> weights;
  bool has_weights;
  int64_t axis = 0;
  bool shuffle = true;

  int64_t count() const { return size ? rt::element_count(*size) : 1; }
};
ChoiceCall read_choice(Interpreter& vm, const Value& population, const Value& size,
                       const Value& replace, const Value& weights);
// The number of items to choose from; ValueError for a population without one.
int64_t population_size(Interpreter& vm, const ChoiceCall& call, bool legacy);
Value chosen(Interpreter& vm, const ChoiceCall& call, const std::vector<int64_t>& indices);

rt::Array host_array(Interpreter& vm, std::span<const int64_t> values, const rt::Dims& shape);

}  // namespace gpy::lib
