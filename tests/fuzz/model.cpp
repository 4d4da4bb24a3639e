#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace gpy::fuzz {

using rt::Dims;
using rt::DType;
using rt::TypeCode;

bool is_floating(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }

namespace {

bool compares(const std::string& op) { return op == "less" || op == "equal"; }

int64_t count_of(const Dims& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// The dtype that NumPy adds up in: uint64 for unsigned integers, int64 for others and bools.
DType summed(DType dtype) {
  return dtype == DType::kUInt8 || dtype == DType::kUInt64 ? DType::kUInt64 : DType::kInt64;
}

// A cell's integer holds the bits of a uint64; order and value are those of its own type.
bool is_less(Cell x, Cell y, DType dtype) {
  if (is_floating(dtype)) return x.f < y.f;
  if (dtype == DType::kUInt64) return static_cast<uint64_t>(x.i) < static_cast<uint64_t>(y.i);
  return x.i < y.i;
}

int64_t wrap(int64_t value, DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kBool: return value != 0;
    case TypeCode::kUInt8: return static_cast<uint8_t>(value);
    case TypeCode::kInt32: return static_cast<int32_t>(value);
    default: return value;
  }
}

Cell cast(Cell cell, DType from, DType to) {
  Cell out;
  if (is_floating(to)) {
    const double number = is_floating(from) ? cell.f
                          : from == DType::kUInt64
                              ? static_cast<double>(static_cast<uint64_t>(cell.i))
                              : static_cast<double>(cell.i);
    out.f = to == DType::kFloat32 ? static_cast<float>(number) : number;
  } else if (to == DType::kBool) {
    out.i = is_floating(from) ? cell.f != 0 : cell.i != 0;
  } else {
    out.i = wrap(is_floating(from) ? static_cast<int64_t>(cell.f) : cell.i, to);
  }
  return out;
}

Cell whole(int64_t i, DType dtype) { return {wrap(i, dtype), 0}; }
Cell real(double f, DType dtype) {
  return {0, dtype == DType::kFloat32 ? static_cast<float>(f) : f};
}

int64_t integer_op(const std::string& op, int64_t x, int64_t y, DType dtype) {
  const auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  if (dtype == DType::kBool) {
    if (op == "add" || op == "maximum") return x | y;
    if (op == "multiply" || op == "minimum") return x & y;
  }
  if (op == "add") return static_cast<int64_t>(a + b);
  if (op == "subtract") return static_cast<int64_t>(a - b);
  if (op == "multiply") return static_cast<int64_t>(a * b);
  const bool less = is_less({x, 0}, {y, 0}, dtype);
  return (op == "maximum") == less ? y : x;
}

double real_op(const std::string& op, double x, double y) {
  if (op == "add") return x + y;
  if (op == "subtract") return x - y;
  if (op == "multiply") return x * y;
  if (op == "divide") return x / y;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? x : y;
  if (op == "maximum") return x > y ? x : y;  // of two zeros the second
  return x < y ? x : y;
}

// Both cells are of `dtype`; the result of comparisons is bool.
Cell combine(const std::string& op, Cell x, Cell y, DType dtype) {
  const bool floating = is_floating(dtype);
  if (op == "less") return {is_less(x, y, dtype), 0};
  if (op == "equal") return {floating ? x.f == y.f : x.i == y.i, 0};
  return floating ? real(real_op(op, x.f, y.f), dtype)
                  : whole(integer_op(op, x.i, y.i, dtype), dtype);
}

Cell unary(const std::string& op, Cell x, DType dtype) {
  if (op == "negative")
    return is_floating(dtype) ? Cell{0, -x.f}
                              : whole(static_cast<int64_t>(-static_cast<uint64_t>(x.i)), dtype);
  if (op == "square") return combine("multiply", x, x, dtype);
  if (op == "sqrt")
    return real(dtype == DType::kFloat32 ? std::sqrt(static_cast<float>(x.f)) : std::sqrt(x.f),
                dtype);
  return is_floating(dtype) ? Cell{0, std::fabs(x.f)}
                            : whole(is_less(x, {}, dtype) ? -x.i : x.i, dtype);
}

// NumPy's pairwise sum, from its description: eight running sums up to 128 elements, halves above.
Cell pairwise(const Cell* cells, int64_t n, DType dtype) {
  auto add = [dtype](Cell a, Cell b) { return combine("add", a, b, dtype); };
  if (n < 8) {
    Cell sum = real(-0.0, dtype);
    for (int64_t i = 0; i < n; ++i) sum = i == 0 ? cells[0] : add(sum, cells[i]);
    return sum;
  }
  if (n <= 128) {
    Cell r[8];
    std::copy(cells, cells + 8, r);
    int64_t i = 8;
    for (; i < n - n % 8; i += 8) {
      for (int k = 0; k < 8; ++k) r[k] = add(r[k], cells[i + k]);
    }
    Cell sum = add(add(add(r[0], r[1]), add(r[2], r[3])), add(add(r[4], r[5]), add(r[6], r[7])));
    for (; i < n; ++i) sum = add(sum, cells[i]);
    return sum;
  }
  int64_t half = n / 2;
  half -= half % 8;
  return add(pairwise(cells, half, dtype), pairwise(cells + half, n - half, dtype));
}

Dims c_steps(const Dims& shape) {
  Dims steps(shape.size(), 1);
  for (int i = shape.size() - 2; i >= 0; --i) steps[i] = steps[i + 1] * shape[i + 1];
  return steps;
}

// Calls f(index) for every index of `shape` in C order.
template <class F> void each_index(const Dims& shape, F&& f) {
  Dims index(shape.size(), 0);
  for (int64_t n = count_of(shape); n > 0; --n) {
    f(index);
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

int64_t place(const Dims& index, const Dims& steps) {
  int64_t at = 0;
  for (int i = 0; i < index.size(); ++i) at += index[i] * steps[i];
  return at;
}

Dims broadcast(const Dims& a, const Dims& b) {
  const int rank = std::max(a.size(), b.size());
  Dims out(rank, 1);
  for (int i = 0; i < rank; ++i) {
    const int ai = i - (rank - a.size()), bi = i - (rank - b.size());
    const int64_t x = ai < 0 ? 1 : a[ai], y = bi < 0 ? 1 : b[bi];
    out[i] = x == 1 ? y : x;
  }
  return out;
}

// Positions in C order of `from` for each element of `to`.
std::vector<int64_t> stretched(const Dims& from, const Dims& to) {
  Dims steps(to.size(), 0);
  const Dims own = c_steps(from);
  for (int i = 0; i < from.size(); ++i) {
    if (from[i] != 1) steps[to.size() - from.size() + i] = own[i];
  }
  std::vector<int64_t> out;
  each_index(to, [&](const Dims& index) { out.push_back(place(index, steps)); });
  return out;
}

ModelArray fresh(DType dtype, const Dims& shape, std::vector<Cell> cells) {
  ModelArray array{dtype, shape, std::make_shared<std::vector<Cell>>(std::move(cells)), {}};
  array.places.resize(count_of(shape));
  std::iota(array.places.begin(), array.places.end(), 0);
  return array;
}

std::vector<Cell> read(const ModelArray& array, const std::vector<int64_t>& places) {
  std::vector<Cell> cells;
  for (int64_t at : places) cells.push_back((*array.memory)[at]);
  return cells;
}
std::vector<Cell> read(const ModelArray& array) { return read(array, array.places); }

std::vector<Cell> read_as(const ModelArray& array, DType dtype) {
  std::vector<Cell> cells = read(array);
  for (Cell& cell : cells) cell = cast(cell, array.dtype, dtype);
  return cells;
}

void store(ModelArray& target, const std::vector<Cell>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) (*target.memory)[target.places[i]] = cells[i];
}

void fill(ModelArray& target, const std::vector<int64_t>& places, Cell cell) {
  for (int64_t at : places) (*target.memory)[at] = cell;
}

Cell number_of(const Statement& s, DType dtype) {
  return is_floating(dtype) ? real(s.number, dtype) : whole(static_cast<int64_t>(s.number), dtype);
}

// --- views ---------------------------------------------------------------------------------------

ModelArray view_of(const ModelArray& a) {
  return {
      .dtype = a.dtype, .shape = {}, .memory = a.memory, .places = {}, .read_only = a.read_only};
}

ModelArray sliced(const ModelArray& a, const std::vector<Slice>& slices) {
  ModelArray out = view_of(a);
  for (const Slice& slice : slices) {
    const int64_t span = slice.step > 0 ? slice.stop - slice.start : slice.start - slice.stop;
    const int64_t step = std::abs(slice.step);
    out.shape.push_back(span > 0 ? (span + step - 1) / step : 0);
  }
  const Dims steps = c_steps(a.shape);
  each_index(out.shape, [&](Dims index) {
    for (int i = 0; i < index.size(); ++i) {
      index[i] = slices[i].start + index[i] * slices[i].step;
    }
    out.places.push_back(a.places[place(index, steps)]);
  });
  return out;
}

ModelArray transposed(const ModelArray& a, const Dims& axes) {
  ModelArray out = view_of(a);
  const Dims steps = c_steps(a.shape);
  Dims moved;
  for (int64_t axis : axes) {
    out.shape.push_back(a.shape[axis]);
    moved.push_back(steps[axis]);
  }
  each_index(out.shape,
             [&](const Dims& index) { out.places.push_back(a.places[place(index, moved)]); });
  return out;
}

ModelArray broadcast_to(const ModelArray& a, const Dims& shape) {
  ModelArray out = view_of(a);
  out.shape = shape;
  out.read_only = true;
  for (int64_t at : stretched(a.shape, shape)) out.places.push_back(a.places[at]);
  return out;
}

// --- reductions and scans ------------------------------------------------------------------------

// It is unspecified which zero a reduction finds greatest or least.
void require_one_zero(const std::vector<Cell>& cells, DType dtype) {
  if (!is_floating(dtype)) return;
  bool zero[2] = {false, false};
  for (const Cell& cell : cells) {
    if (cell.f == 0) zero[std::signbit(cell.f)] = true;
  }
  if (zero[0] && zero[1]) throw std::domain_error("zeros of both signs");
}

// Runs along the last axes are summed pairwise, the runs one after another; from 0, as NumPy does,
// so that -0 becomes 0.
Cell float_sum(const std::vector<Cell>& group, int64_t run, DType dtype) {
  Cell total = real(0, dtype);
  for (size_t i = 0; i < group.size(); i += run) {
    total = combine("add", total, pairwise(group.data() + i, run, dtype), dtype);
  }
  return total;
}

Cell folded(const std::string& op, const std::vector<Cell>& group, DType dtype) {
  require_one_zero(group, dtype);
  Cell total = is_floating(dtype) ? real(0, dtype) : whole(0, dtype);
  for (size_t i = 0; i < group.size(); ++i) {
    total = i == 0 ? group[0] : combine(op, total, group[i], dtype);
  }
  return total;
}

DType accumulated(const std::string& op, DType dtype) {
  return op == "add" && !is_floating(dtype) ? summed(dtype) : dtype;
}

// The cells that become one, for each element of a result of shape `kept`.
std::vector<std::vector<Cell>> groups_of(const ModelArray& a, const std::vector<bool>& reduced,
                                         const Dims& kept, DType dtype) {
  std::vector<std::vector<Cell>> groups(count_of(kept));
  const std::vector<Cell> cells = read_as(a, dtype);
  const Dims steps = c_steps(kept);
  size_t at = 0;
  each_index(a.shape, [&](const Dims& index) {
    Dims outer;
    for (int i = 0; i < index.size(); ++i) {
      if (!reduced[i]) outer.push_back(index[i]);
    }
    groups[place(outer, steps)].push_back(cells[at++]);
  });
  return groups;
}

ModelArray reduce(const Statement& s, const ModelArray& a) {
  const DType work = accumulated(s.op, a.dtype);
  std::vector<bool> reduced(a.shape.size(), false);
  for (int64_t axis : s.list) reduced[axis] = true;
  Dims kept;
  for (int i = 0; i < a.shape.size(); ++i) {
    if (!reduced[i]) kept.push_back(a.shape[i]);
  }
  int64_t run = 1;
  for (int i = a.shape.size() - 1; i >= 0 && reduced[i]; --i) run *= a.shape[i];
  const bool pairs = s.op == "add" && is_floating(work);
  std::vector<Cell> cells;
  for (const std::vector<Cell>& group : groups_of(a, reduced, kept, work)) {
    cells.push_back(pairs ? float_sum(group, run, work) : folded(s.op, group, work));
  }
  return fresh(work, kept, std::move(cells));
}

ModelArray scan(const Statement& s, const ModelArray& a) {
  const DType work = accumulated(s.op, a.dtype);
  std::vector<Cell> cells = read_as(a, work);
  const Dims steps = c_steps(a.shape);
  const int64_t axis = s.list[0];
  size_t at = 0;
  each_index(a.shape, [&](const Dims& index) {
    if (index[axis] > 0) cells[at] = combine(s.op, cells[at - steps[axis]], cells[at], work);
    ++at;
  });
  return fresh(work, a.shape, std::move(cells));
}

// --- the others ----------------------------------------------------------------------------------

ModelArray created(const Statement& s) {
  std::vector<Cell> cells;
  for (double x : contents(s.seed, count_of(s.list), s.dtype)) {
    cells.push_back(cast({0, x}, DType::kFloat64, s.dtype));
  }
  return fresh(s.dtype, s.list, std::move(cells));
}

ModelArray unary_of(const std::string& op, const ModelArray& a) {
  const DType work = op == "sqrt" && !is_floating(a.dtype) ? DType::kFloat64 : a.dtype;
  std::vector<Cell> cells = read_as(a, work);
  for (Cell& cell : cells) cell = unary(op, cell, work);
  return fresh(work, a.shape, std::move(cells));
}

// The places of the rows that `index` names, one row after another.
std::vector<int64_t> rows_of(const ModelArray& a, const ModelArray& index) {
  std::vector<int64_t> places;
  for (const Cell& at : read(index)) {
    const int64_t row = static_cast<int64_t>(a.places.size()) / a.shape[0];
    const auto first = a.places.begin() + row * (at.i < 0 ? at.i + a.shape[0] : at.i);
    places.insert(places.end(), first, first + row);
  }
  return places;
}

bool has_rows(const ModelArray& a, const ModelArray& index) {
  const std::vector<Cell> cells = read(index);
  return std::all_of(cells.begin(), cells.end(),
                     [&](const Cell& at) { return at.i >= -a.shape[0] && at.i < a.shape[0]; });
}

// An int64 array's elements as two int32 each, the lower half first.
ModelArray halves_of(const ModelArray& a) {
  std::vector<Cell> cells;
  for (const Cell& cell : read(a)) {
    cells.push_back(whole(cell.i, DType::kInt32));
    cells.push_back(whole(cell.i >> 32, DType::kInt32));
  }
  Dims shape = a.shape;
  shape.back() *= 2;
  return fresh(DType::kInt32, shape, std::move(cells));
}

ModelArray gathered(const ModelArray& a, const ModelArray& index) {
  Dims shape = index.shape;
  for (int i = 1; i < a.shape.size(); ++i) shape.push_back(a.shape[i]);
  return fresh(a.dtype, shape, read(a, rows_of(a, index)));
}

std::vector<int64_t> masked_places(const ModelArray& a, const ModelArray& mask) {
  const std::vector<Cell> truths = read(mask);
  std::vector<int64_t> places;
  for (size_t i = 0; i < truths.size(); ++i) {
    if (truths[i].i) places.push_back(a.places[i]);
  }
  return places;
}

}  // namespace

bool stretches(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return false;
  for (int i = 0; i < from.size(); ++i) {
    const int64_t extent = from[from.size() - 1 - i];
    if (extent != 1 && extent != to[to.size() - 1 - i]) return false;
  }
  return true;
}

bool has_whole_rows(const ModelArray& array) {
  if (array.shape.size() == 0 || array.places.empty()) return false;
  const auto row = static_cast<size_t>(array.shape.back());
  for (size_t i = 1; i < array.places.size(); ++i) {
    if (i % row != 0 && array.places[i] != array.places[i - 1] + 1) return false;
  }
  return true;
}

bool castable(DType from, DType to) { return !is_floating(from) || is_floating(to); }

DType binary_dtype(const std::string& op, DType a, DType b) {
  const DType common = rt::promote(a, b);
  return op == "divide" && !is_floating(common) ? DType::kFloat64 : common;
}

std::vector<Cell> Model::operand(const Statement& s, const Dims& shape, DType dtype) const {
  if (s.b < 0) return std::vector<Cell>(count_of(shape), number_of(s, dtype));
  const ModelArray& b = variables_.at(s.b);
  const std::vector<Cell> cells = read_as(b, dtype);
  std::vector<Cell> out;
  for (int64_t at : stretched(b.shape, shape)) out.push_back(cells[at]);
  return out;
}

ModelArray Model::binary(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  const DType other = s.b < 0 ? a.dtype : variables_.at(s.b).dtype;
  const DType work = binary_dtype(s.op, a.dtype, other);
  const Dims shape = s.b < 0 ? a.shape : broadcast(a.shape, variables_.at(s.b).shape);
  const std::vector<Cell> x = read_as(a, work), y = operand(s, shape, work);
  std::vector<Cell> cells;
  const std::vector<int64_t> places = stretched(a.shape, shape);
  for (size_t i = 0; i < places.size(); ++i) {
    cells.push_back(combine(s.op, x[places[i]], y[i], work));
  }
  return fresh(compares(s.op) ? DType::kBool : work, shape, std::move(cells));
}

namespace {

bool fits_slices(const Statement& s, const Dims& shape) {
  if (static_cast<int>(s.slices.size()) != shape.size()) return false;
  for (int i = 0; i < shape.size(); ++i) {
    const Slice& slice = s.slices[i];
    const bool empty = slice.start == slice.stop;
    const bool inside =
        slice.start >= 0 && slice.start < shape[i] && slice.stop >= -1 && slice.stop <= shape[i];
    if (!empty && !inside) return false;
  }
  return true;
}

bool fits_axes(const Dims& axes, const ModelArray& a) {
  return std::all_of(axes.begin(), axes.end(), [&](int64_t axis) { return axis < a.shape.size(); });
}

bool may_index(const ModelArray& a, const ModelArray& index) {
  return !is_floating(index.dtype) && index.dtype != DType::kBool && a.shape.size() > 0;
}

bool may_index_by_halves(const ModelArray& a, const ModelArray& index) {
  return index.dtype == DType::kInt64 && a.shape.size() > 0 && has_whole_rows(index);
}

bool fits_binary(const std::string& op, const ModelArray& a, const ModelArray* b) {
  const DType other = b ? b->dtype : a.dtype;
  const bool bools = a.dtype == DType::kBool && other == DType::kBool;
  if (bools && (!b || op == "subtract")) return false;
  if (op == "divide" && !is_floating(rt::promote(a.dtype, other))) return false;
  return !b || stretches(b->shape, a.shape);
}

bool fits_in_place(const std::string& op, const ModelArray& a, const ModelArray* b) {
  const DType common = rt::promote(a.dtype, b ? b->dtype : a.dtype);
  return a.dtype != DType::kBool && fits_binary(op, a, b) &&
         rt::can_cast(common, a.dtype, rt::Casting::kSameKind);
}

bool writes(Verb verb) {
  return verb == Verb::kAssign || verb == Verb::kInPlace || verb == Verb::kScatter ||
         verb == Verb::kMaskAssign || verb == Verb::kHostWrite;
}

// `b` is null where a number stands for it.
bool is_valid(const Statement& s, const ModelArray& a, const ModelArray* b) {
  if (writes(s.verb) && a.read_only) return false;
  const auto count = static_cast<int64_t>(a.places.size());
  switch (s.verb) {
    case Verb::kSlice: return fits_slices(s, a.shape);
    case Verb::kTranspose: return s.list.size() == a.shape.size();
    case Verb::kReshape: return count_of(s.list) == count;
    case Verb::kBroadcast: return stretches(a.shape, s.list);
    case Verb::kUnary:
      return a.dtype != DType::kBool && (s.op != "sqrt" || a.dtype != DType::kUInt8);
    case Verb::kBinary: return fits_binary(s.op, a, b);
    case Verb::kReduce: return fits_axes(s.list, a) && count > 0;
    case Verb::kScan: return fits_axes(s.list, a) && a.shape.size() > 0;
    case Verb::kAssign: return !b || (stretches(b->shape, a.shape) && castable(b->dtype, a.dtype));
    case Verb::kInPlace: return fits_in_place(s.op, a, b);
    case Verb::kGather: return b && may_index(a, *b);
    case Verb::kGatherHalf: return b && may_index_by_halves(a, *b);
    case Verb::kHostWrite:
    case Verb::kEndLoan: return a.lent;
    case Verb::kScatter: return b && may_index(a, *b) && has_rows(a, *b);
    case Verb::kMaskAssign: return b && b->dtype == DType::kBool && b->shape == a.shape;
    case Verb::kBranch: return s.list[0] < count;
    default: return true;
  }
}

}  // namespace

void Model::require_valid(const Statement& s) const {
  if (s.a < 0) return;
  const ModelArray* b = s.b < 0 ? nullptr : &variables_.at(s.b);
  if (!is_valid(s, variables_.at(s.a), b)) throw std::invalid_argument("no program");
}

// A reshape copies: programs must not write through it.
ModelArray Model::made(const Statement& s) const {
  if (s.verb == Verb::kCreate) return created(s);
  if (s.verb == Verb::kLend) {
    ModelArray array = created(s);
    array.lent = true;
    return array;
  }
  const ModelArray& a = variables_.at(s.a);
  switch (s.verb) {
    case Verb::kAlias: return a;
    case Verb::kSlice: return sliced(a, s.slices);
    case Verb::kTranspose: return transposed(a, s.list);
    case Verb::kBroadcast: return broadcast_to(a, s.list);
    case Verb::kReshape: return fresh(a.dtype, s.list, read(a));
    case Verb::kCopy: return fresh(a.dtype, a.shape, read(a));
    case Verb::kCast: return fresh(s.dtype, a.shape, read_as(a, s.dtype));
    case Verb::kUnary: return unary_of(s.op, a);
    case Verb::kBinary: return binary(s);
    case Verb::kReduce: return reduce(s, a);
    case Verb::kScan: return scan(s, a);
    case Verb::kGather: return gathered(a, variables_.at(s.b));
    case Verb::kGatherHalf: return gathered(a, halves_of(variables_.at(s.b)));
    default: throw std::logic_error("a statement that makes nothing");
  }
}

void Model::write(const Statement& s) {
  ModelArray& a = variables_.at(s.a);
  switch (s.verb) {
    case Verb::kHostWrite: return store(a, read(created(s)));
    case Verb::kAssign: return store(a, operand(s, a.shape, a.dtype));
    case Verb::kInPlace: return store(a, read_as(binary(s), a.dtype));
    case Verb::kScatter: return fill(a, rows_of(a, variables_.at(s.b)), number_of(s, a.dtype));
    case Verb::kMaskAssign:
      return fill(a, masked_places(a, variables_.at(s.b)), number_of(s, a.dtype));
    default: throw std::logic_error("a statement that writes nothing");
  }
}

bool Model::is_greater(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  return cast((*a.memory)[a.places[s.list[0]]], a.dtype, DType::kFloat64).f > s.number;
}

void Model::end_loan(const std::shared_ptr<std::vector<Cell>>& memory) {
  for (auto& [variable, array] : variables_) {
    if (array.memory == memory) array.lent = false;
  }
}

bool Model::is_refused(const Statement& s) const {
  if (s.verb != Verb::kGather && s.verb != Verb::kGatherHalf) return false;
  const ModelArray& b = variables_.at(s.b);
  return !has_rows(variables_.at(s.a), s.verb == Verb::kGather ? b : halves_of(b));
}

bool Model::run(const Statement& s) {
  require_valid(s);
  if (s.verb == Verb::kBranch) return is_greater(s) == s.taken;
  if (is_refused(s)) return false;
  if (s.dst >= 0) variables_[s.dst] = made(s);
  if (writes(s.verb)) write(s);
  if (s.verb == Verb::kDelete) variables_.erase(s.a);
  if (s.verb == Verb::kEndLoan) end_loan(variables_.at(s.a).memory);
  return true;
}

Content Model::content(int variable) {
  const ModelArray& a = variables_.at(variable);
  Content out{a.dtype, a.shape, {}};
  const int64_t item = rt::item_size(a.dtype);
  for (const Cell& cell : read(a)) {
    std::byte bytes[8];
    const float narrow = static_cast<float>(cell.f);
    if (a.dtype == DType::kFloat64) {
      std::memcpy(bytes, &cell.f, 8);
    } else if (a.dtype == DType::kFloat32) {
      std::memcpy(bytes, &narrow, 4);
    } else {
      std::memcpy(bytes, &cell.i, 8);  // little-endian: the low bytes come first
    }
    out.bytes.insert(out.bytes.end(), bytes, bytes + item);
  }
  return out;
}

}  // namespace gpy::fuzz
