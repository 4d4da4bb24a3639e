#pragma once

// Order, search, choice and counting of elements in a backend's memory: each result is written to
// memory that the caller gives, which overlaps no input, and workspaces come from the backend. All
// elements begin at multiples of their size. The order is NumPy's: NaN after everything, complex
// numbers by their real part, then by their imaginary one. All may throw kInterrupt; their outputs
// are then undefined.

#include <cstdint>
#include <span>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// Rows of elements, one after another.
struct Rows {
  DType dtype;
  int64_t count;
  int64_t length;
};

// The place of a value among equal ones.
enum class Side : uint8_t { kLeft, kRight };

// The terms that are added up in bins: ones, as int64_t, or weights, one an element, as double.
struct Tally {
  const double* weights = nullptr;
  void* totals = nullptr;
};

// The operation of a value on an element; kAnd, kOr and kXor take bools and integers alone.
enum class Combine : uint8_t { kAdd, kMultiply, kMinimum, kMaximum, kAnd, kOr, kXor };

// Elements that are changed at the given positions (from 0, less than `extent`).
struct Scattered {
  DType dtype;
  Combine how;
  const int64_t* positions;
  int64_t count;
  const void* values;
  bool one_value;  // for all positions; else there are `count`
  int64_t extent;
  void* elements;
};

// Points of a function, of rising x, and its values beyond the ends where these are not f's own.
struct Knots {
  const double *x, *f;
  int64_t count;  // at least 1
  bool has_left, has_right;
  double left, right;
};

struct Extremes {
  int64_t least, greatest;
};

// Whether a place for each position up to `extent` costs less than a sort of `count` of them.
inline bool has_place_for_each(int64_t count, int64_t extent) {
  return extent <= 8 * count + (1 << 16);
}

class Sorting {
 public:
  virtual ~Sorting() = default;

  // Sorts each row; equal elements keep their order.
  virtual void sort(const Rows& rows, const void* from, void* to) = 0;
  // Gives the positions in the row that would sort it; those of equal elements increase.
  virtual void argsort(const Rows& rows, const void* from, int64_t* order) = 0;
  // Partitions each row: the elements at `kths` (on the host, increasing) are those of the sorted
  // row, nothing before one of them is greater and nothing behind it less; NaNs come last.
  virtual void partition(const Rows& rows, const void* from, void* to,
                         std::span<const int64_t> kths) = 0;
  // Gives the positions in the row that would partition it.
  virtual void argpartition(const Rows& rows, const void* from, int64_t* order,
                            std::span<const int64_t> kths) = 0;

  // Sets a flag for each element of a sorted row: 1 where it differs from the one before, as the
  // first does. All NaNs are equal, and all complex numbers that have one.
  virtual void mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) = 0;
  // numbers[order[i]] is the number of flags before and at i, less 1.
  virtual void number_runs(const uint8_t* firsts, const int64_t* order, int64_t count,
                           int64_t* numbers) = 0;

  // Finds for each value its first or last possible position in `sorted` (increasing).
  virtual void search(DType dtype, const void* sorted, int64_t length, const void* values,
                      int64_t count, Side side, int64_t* positions) = 0;
  // Whether each value equals one of the set, which is in any order. NaN equals nothing.
  virtual void contains(DType dtype, const void* set, int64_t length, const void* values,
                        int64_t count, bool* found) = 0;

  // Interpolates linearly at each value.
  virtual void interpolate(const Knots& knots, const double* values, int64_t count, double* to) = 0;

  // Takes at least one number.
  virtual Extremes extremes(const int64_t* values, int64_t count) = 0;
  // Bin i gets the values that equal i. All are at least 0 and less than `bins`.
  virtual void count_values(const int64_t* values, int64_t count, int64_t bins,
                            const Tally& tally) = 0;
  // Bin i gets the values from edge i on and below edge i + 1, the last bin those at its right edge
  // too. There are `bins` + 1 edges, increasing.
  virtual void count_between(DType dtype, const void* values, int64_t count, const void* edges,
                             int64_t bins, const Tally& tally) = 0;

  // Each element at a position is combined with the position's value; those of equal positions are
  // combined in an order that is the same each time.
  virtual void combine(const Scattered& scattered) = 0;

  // Finds for each position (from 0, less than `extent`) the number of the last one equal to it.
  virtual void last_equal(const int64_t* positions, int64_t count, int64_t extent,
                          int64_t* numbers) = 0;

  // Writes the value (of `size` bytes) of each position, times the size, from `to` on; of equal
  // positions the last one's. They are from 0 on, less than `extent`.
  virtual void put_last(const int64_t* positions, int64_t count, int64_t extent, const void* values,
                        int64_t size, void* to) = 0;

  // A flag is set if it is not 0.
  virtual int64_t count_set(const uint8_t* flags, int64_t count) = 0;
  // Writes the positions of the set flags; `chosen` is their number.
  virtual void positions_set(const uint8_t* flags, int64_t count, int64_t chosen, int64_t* to) = 0;
  // Repeats each element, of `size` bytes: `times` (on the host) holds one number for all of them,
  // or one for each.
  virtual void repeat(const void* elements, int64_t count, int64_t size,
                      std::span<const int64_t> times, void* to) = 0;
  // Copies the elements, `size` bytes each, whose flag is set.
  virtual void select_set(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                          int64_t size, void* to) = 0;
};

}  // namespace gpy::rt
