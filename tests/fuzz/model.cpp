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

namespace {

int64_t count_of(const Dims& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// NumPy's pairwise sum, from its description: eight running sums (of complex numbers four) up to 16
// elements each, halves above.
Cell pairwise(const Cell* cells, int64_t n, DType dtype) {
  auto add = [dtype](const Cell& a, const Cell& b) { return combine("add", a, b, dtype); };
  const int64_t lanes = rt::is_complex(dtype) ? 4 : 8;
  if (n < lanes) {
    Cell sum = real(-0.0, dtype);
    for (int64_t i = 0; i < n; ++i) sum = i == 0 ? cells[0] : add(sum, cells[i]);
    return sum;
  }
  if (n <= 16 * lanes) {
    Cell r[8];
    std::copy(cells, cells + lanes, r);
    int64_t i = lanes;
    for (; i < n - n % lanes; i += lanes) {
      for (int64_t k = 0; k < lanes; ++k) r[k] = add(r[k], cells[i + k]);
    }
    Cell sum = add(add(r[0], r[1]), add(r[2], r[3]));
    if (lanes == 8) sum = add(sum, add(add(r[4], r[5]), add(r[6], r[7])));
    for (; i < n; ++i) sum = add(sum, cells[i]);
    return sum;
  }
  int64_t half = n / 2;
  half -= half % lanes;
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

ModelArray fresh(DType dtype, const Dims& shape, const std::vector<Cell>& cells) {
  const int64_t count = count_of(shape), item = dtype.item_size();
  ModelArray array{dtype, shape, std::make_shared<Memory>(), {}};
  array.memory->bytes.resize(count * item);
  array.places.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    array.places[i] = i * item;
    store(cells[i], dtype, &array.memory->bytes[i * item]);
  }
  return array;
}

std::vector<Cell> read(const ModelArray& array, const std::vector<int64_t>& places) {
  std::vector<Cell> cells;
  cells.reserve(places.size());
  for (int64_t at : places) cells.push_back(array.cell(at));
  return cells;
}
std::vector<Cell> read(const ModelArray& array) { return read(array, array.places); }

std::vector<Cell> read_as(const ModelArray& array, DType dtype) {
  std::vector<Cell> cells = read(array);
  for (Cell& cell : cells) cell = cast(cell, array.dtype, dtype);
  return cells;
}

bool is_nan(const Cell& cell) { return std::isnan(cell.f) || std::isnan(cell.g); }

// The bits of a NaN are not specified, and so must not be read as other numbers.
void require_plain(const std::vector<Cell>& cells) {
  if (std::any_of(cells.begin(), cells.end(), is_nan)) throw std::domain_error("a NaN's bits");
}

void put(ModelArray& target, const std::vector<Cell>& cells) {
  if (target.memory->read_two_ways) require_plain(cells);
  for (size_t i = 0; i < cells.size(); ++i) {
    store(cells[i], target.dtype, &target.memory->bytes[target.places[i]]);
  }
}

void fill(ModelArray& target, const std::vector<int64_t>& places, const Cell& cell) {
  for (int64_t at : places) store(cell, target.dtype, &target.memory->bytes[at]);
}

// --- views ---------------------------------------------------------------------------------------

ModelArray view_of(const ModelArray& a) {
  return {
      .dtype = a.dtype, .shape = {}, .memory = a.memory, .places = {}, .read_only = a.read_only};
}

ModelArray viewed(const ModelArray& a, DType dtype) {
  ModelArray out = a;
  out.dtype = dtype;
  out.lent = false;
  if (!is_exact(dtype)) {
    require_plain(cells_of(a));
    require_plain(cells_of(out));
    a.memory->read_two_ways = true;
  }
  return out;
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

// Runs along the last axes are summed pairwise, those of narrow floats in float32, the runs one
// after another; from 0, as NumPy does, so that -0 becomes 0.
Cell float_sum(const std::vector<Cell>& group, int64_t run, DType dtype) {
  const DType work = rt::is_narrow_float(dtype) ? DType::kFloat32 : dtype;
  Cell total = number_as(0, dtype);
  for (size_t i = 0; i < group.size(); i += run) {
    total = cast(combine("add", total, pairwise(group.data() + i, run, work), work), work, dtype);
  }
  return total;
}

Cell folded(const std::string& op, const std::vector<Cell>& group, DType dtype) {
  require_one_zero(group, dtype);
  Cell total = number_as(0, dtype);
  for (size_t i = 0; i < group.size(); ++i) {
    total = i == 0 ? group[0] : combine(op, total, group[i], dtype);
  }
  return total;
}

// The dtype that NumPy accumulates in: of sums of integers and bools, 64 bits of their own kind.
DType accumulated(const std::string& op, DType dtype) {
  if (op != "add" || !is_exact(dtype)) return dtype.native();
  const bool natural = dtype.code() == TypeCode::kUInt8 || dtype.code() == TypeCode::kUInt64;
  return natural ? DType::kUInt64 : DType::kInt64;
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
  const bool pairs = s.op == "add" && !is_exact(work);
  std::vector<Cell> cells;
  for (const std::vector<Cell>& group : groups_of(a, reduced, kept, work)) {
    cells.push_back(pairs ? float_sum(group, run, work) : folded(s.op, group, work));
  }
  return fresh(work, kept, cells);
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
  return fresh(work, a.shape, cells);
}

// --- the others ----------------------------------------------------------------------------------

ModelArray created(const Statement& s) {
  std::vector<Cell> cells;
  const bool complex = rt::is_complex(s.dtype);
  for (double x : contents(s.seed, count_of(s.list), s.dtype)) {
    cells.push_back(cast({0, x, complex ? imaginary_beside(x) : 0}, DType::kComplex128, s.dtype));
  }
  return fresh(s.dtype, s.list, cells);
}

ModelArray unary_of(const std::string& op, const ModelArray& a) {
  const DType work = unary_dtype(op, a.dtype);
  std::vector<Cell> cells = read_as(a, work);
  for (Cell& cell : cells) cell = unary(op, cell, work);
  return fresh(work, a.shape, cells);
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
  return fresh(DType::kInt32, shape, cells);
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

std::vector<Cell> cells_of(const ModelArray& array) { return read(array); }

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
    if (i % row != 0 && array.places[i] != array.places[i - 1] + array.dtype.item_size())
      return false;
  }
  return true;
}

std::vector<Cell> Model::operand(const Statement& s, const Dims& shape, DType dtype) const {
  if (s.b < 0) return std::vector<Cell>(count_of(shape), number_as(s.number, dtype));
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
  const bool compares = s.op == "less" || s.op == "equal";
  return fresh(compares ? DType::kBool : work, shape, cells);
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
  return is_index(index) && a.shape.size() > 0;
}

bool may_index_by_halves(const ModelArray& a, const ModelArray& index) {
  return index.dtype == DType::kInt64 && a.shape.size() > 0 && has_whole_rows(index);
}

}  // namespace

bool is_index(const ModelArray& array) {
  return is_exact(array.dtype) && array.dtype != DType::kBool;
}

bool may_view(const ModelArray& a, DType dtype) {
  const bool alike = rt::kind(a.dtype) == rt::kind(dtype) && is_exact(a.dtype) == is_exact(dtype);
  return a.dtype.item_size() == dtype.item_size() && a.dtype.code() != TypeCode::kBool && alike;
}

bool fits_binary(const std::string& op, const ModelArray& a, const ModelArray* b) {
  const DType other = b ? b->dtype : a.dtype;
  const bool bools = a.dtype == DType::kBool && other == DType::kBool;
  return has_loop(op, a.dtype, other) && (b || !bools) && (!b || stretches(b->shape, a.shape));
}

bool fits_in_place(const std::string& op, const ModelArray& a, const ModelArray* b) {
  if (a.dtype == DType::kBool || !fits_binary(op, a, b)) return false;
  const DType common = rt::promote(a.dtype, b ? b->dtype : a.dtype);
  return rt::can_cast(common, a.dtype, rt::Casting::kSameKind) && castable(common, a.dtype);
}

namespace {

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
    case Verb::kUnary: return has_loop(s.op, a.dtype);
    case Verb::kView: return may_view(a, s.dtype);
    case Verb::kCast: return castable(a.dtype, s.dtype);
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
    case Verb::kView: return viewed(a, s.dtype);
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
    case Verb::kHostWrite: return put(a, read(created(s)));
    case Verb::kAssign: return put(a, operand(s, a.shape, a.dtype));
    case Verb::kInPlace: return put(a, read_as(binary(s), a.dtype));
    case Verb::kScatter:
      return fill(a, rows_of(a, variables_.at(s.b)), number_as(s.number, a.dtype));
    case Verb::kMaskAssign:
      return fill(a, masked_places(a, variables_.at(s.b)), number_as(s.number, a.dtype));
    default: throw std::logic_error("a statement that writes nothing");
  }
}

bool Model::is_greater(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  return cast(a.cell(a.places[s.list[0]]), a.dtype, DType::kFloat64).f > s.number;
}

void Model::end_loan(const Memory& memory) {
  for (auto& [variable, array] : variables_) {
    if (array.memory.get() == &memory) array.lent = false;
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
  if (s.verb == Verb::kEndLoan) end_loan(*variables_.at(s.a).memory);
  return true;
}

Content Model::content(int variable) {
  const ModelArray& a = variables_.at(variable);
  Content out{a.dtype, a.shape, {}};
  for (int64_t at : a.places) {
    const std::byte* const first = &a.memory->bytes[at];
    out.bytes.insert(out.bytes.end(), first, first + a.dtype.item_size());
  }
  return out;
}

}  // namespace gpy::fuzz
