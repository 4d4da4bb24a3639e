#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace gpy::fuzz {

using rt::Dims;
using rt::DType;

bool is_floating(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }

namespace {

bool compares(const std::string& op) { return op == "less" || op == "equal"; }

int64_t count_of(const Dims& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// What NumPy adds up in: small integers and bools in 64 bits of their own kind.
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
  switch (dtype) {
    case DType::kBool: return value != 0;
    case DType::kUInt8: return static_cast<uint8_t>(value);
    case DType::kInt32: return static_cast<int32_t>(value);
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

// Both of `dtype`; the result of compares is bool.
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

DType widest(DType a, DType b) { return rt::promote(a, b); }

}  // namespace

DType binary_dtype(const std::string& op, DType a, DType b) {
  const DType common = widest(a, b);
  return op == "divide" && !is_floating(common) ? DType::kFloat64 : common;
}

ModelArray Model::fresh(DType dtype, const Dims& shape, std::vector<Cell> cells) {
  ModelArray array{dtype, shape, std::make_shared<std::vector<Cell>>(std::move(cells)), {}};
  array.places.resize(count_of(shape));
  std::iota(array.places.begin(), array.places.end(), 0);
  return array;
}

std::vector<Cell> Model::read(const ModelArray& array) const {
  std::vector<Cell> cells;
  for (int64_t at : array.places) cells.push_back((*array.memory)[at]);
  return cells;
}

std::vector<Cell> Model::operand(const Statement& s, const Dims& shape, DType dtype) const {
  if (s.b < 0) {
    const Cell number =
        is_floating(dtype) ? real(s.number, dtype) : whole(static_cast<int64_t>(s.number), dtype);
    return std::vector<Cell>(count_of(shape), number);
  }
  const ModelArray& b = variables_.at(s.b);
  const std::vector<Cell> cells = read(b);
  std::vector<Cell> out;
  for (int64_t at : stretched(b.shape, shape)) out.push_back(cast(cells[at], b.dtype, dtype));
  return out;
}

ModelArray Model::binary(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  const DType other = s.b < 0 ? a.dtype : variables_.at(s.b).dtype;
  const DType work = binary_dtype(s.op, a.dtype, other);
  const Dims shape = s.b < 0 ? a.shape : broadcast(a.shape, variables_.at(s.b).shape);
  const std::vector<Cell> own = read(a), y = operand(s, shape, work);
  std::vector<Cell> cells;
  const std::vector<int64_t> places = stretched(a.shape, shape);
  for (size_t i = 0; i < places.size(); ++i) {
    cells.push_back(combine(s.op, cast(own[places[i]], a.dtype, work), y[i], work));
  }
  return const_cast<Model*>(this)->fresh(compares(s.op) ? DType::kBool : work, shape,
                                         std::move(cells));
}

// Which zero a reduction finds greatest or least is nobody's promise.
static void require_one_zero(const std::vector<Cell>& cells, DType dtype) {
  if (!is_floating(dtype)) return;
  bool zero[2] = {false, false};
  for (const Cell& cell : cells) {
    if (cell.f == 0) zero[std::signbit(cell.f)] = true;
  }
  if (zero[0] && zero[1]) throw std::domain_error("zeros of both signs");
}

ModelArray Model::reduce(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  const bool sums = s.op == "add";
  DType work = a.dtype;
  if (sums && !is_floating(work)) work = summed(work);
  std::vector<bool> reduced(a.shape.size(), false);
  for (int64_t axis : s.list) reduced[axis] = true;
  Dims kept, inner;
  int64_t run = 1;
  for (int i = 0; i < a.shape.size(); ++i) (reduced[i] ? inner : kept).push_back(a.shape[i]);
  for (int i = a.shape.size() - 1; i >= 0 && reduced[i]; --i) run *= a.shape[i];
  std::vector<std::vector<Cell>> groups(count_of(kept));
  const std::vector<Cell> own = read(a);
  const Dims kept_steps = c_steps(kept);
  size_t at = 0;
  each_index(a.shape, [&](const Dims& index) {
    Dims outer;
    for (int i = 0; i < index.size(); ++i) {
      if (!reduced[i]) outer.push_back(index[i]);
    }
    groups[place(outer, kept_steps)].push_back(cast(own[at++], a.dtype, work));
  });
  std::vector<Cell> cells;
  for (const std::vector<Cell>& group : groups) {
    Cell total = is_floating(work) ? real(0, work) : whole(0, work);
    if (sums && is_floating(work)) {
      // Runs along the last axes are summed pairwise, the runs one after another.
      for (size_t i = 0; i < group.size(); i += run) {
        const Cell part = pairwise(group.data() + i, run, work);
        total = combine("add", total, part, work);  // from 0, as NumPy does: -0 becomes 0
      }
    } else {
      require_one_zero(group, work);
      for (size_t i = 0; i < group.size(); ++i) {
        total = i == 0 ? group[0] : combine(s.op, total, group[i], work);
      }
    }
    cells.push_back(total);
  }
  return const_cast<Model*>(this)->fresh(work, kept, std::move(cells));
}

ModelArray Model::scan(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  DType work = a.dtype;
  if (s.op == "add" && !is_floating(work)) work = summed(work);
  std::vector<Cell> cells = read(a);
  for (Cell& cell : cells) cell = cast(cell, a.dtype, work);
  const Dims steps = c_steps(a.shape);
  const int64_t axis = s.list[0];
  size_t at = 0;
  each_index(a.shape, [&](const Dims& index) {
    if (index[axis] > 0) cells[at] = combine(s.op, cells[at - steps[axis]], cells[at], work);
    ++at;
  });
  return const_cast<Model*>(this)->fresh(work, a.shape, std::move(cells));
}

ModelArray Model::view(const Statement& s) const {
  const ModelArray& a = variables_.at(s.a);
  ModelArray out{a.dtype, {}, a.memory, {}};
  const Dims steps = c_steps(a.shape);
  switch (s.verb) {
    case Verb::kSlice: {
      Dims begin(a.shape.size(), 0), by(a.shape.size(), 1);
      for (int i = 0; i < a.shape.size(); ++i) {
        const Slice& slice = s.slices[i];
        const int64_t span = slice.step > 0 ? slice.stop - slice.start : slice.start - slice.stop;
        const int64_t step = std::abs(slice.step);
        out.shape.push_back(span > 0 ? (span + step - 1) / step : 0);
        begin[i] = slice.start;
        by[i] = slice.step;
      }
      each_index(out.shape, [&](Dims index) {
        for (int i = 0; i < index.size(); ++i) index[i] = begin[i] + index[i] * by[i];
        out.places.push_back(a.places[place(index, steps)]);
      });
      return out;
    }
    case Verb::kTranspose: {
      Dims moved(a.shape.size(), 0);
      for (int i = 0; i < a.shape.size(); ++i) {
        out.shape.push_back(a.shape[s.list[i]]);
        moved[i] = steps[s.list[i]];
      }
      each_index(out.shape,
                 [&](const Dims& index) { out.places.push_back(a.places[place(index, moved)]); });
      return out;
    }
    case Verb::kBroadcast:
      out.shape = s.list;
      for (int64_t at : stretched(a.shape, s.list)) out.places.push_back(a.places[at]);
      return out;
    default: return a;
  }
}

void Model::store(ModelArray& target, const std::vector<Cell>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) (*target.memory)[target.places[i]] = cells[i];
}

namespace {

bool stretches(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return false;
  for (int i = 0; i < from.size(); ++i) {
    const int64_t extent = from[from.size() - 1 - i];
    if (extent != 1 && extent != to[to.size() - 1 - i]) return false;
  }
  return true;
}

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

}  // namespace

void Model::require_valid(const Statement& s) const {
  auto need = [](bool fine) {
    if (!fine) throw std::invalid_argument("no program");
  };
  if (s.a < 0) return;
  const ModelArray& a = variables_.at(s.a);
  const ModelArray* b = s.b < 0 ? nullptr : &variables_.at(s.b);
  const auto axes_fit = [&] {
    return std::all_of(s.list.begin(), s.list.end(),
                       [&](int64_t axis) { return axis < a.shape.size(); });
  };
  switch (s.verb) {
    case Verb::kSlice: need(fits_slices(s, a.shape)); break;
    case Verb::kTranspose: need(s.list.size() == a.shape.size()); break;
    case Verb::kReshape: need(count_of(s.list) == static_cast<int64_t>(a.places.size())); break;
    case Verb::kBroadcast: need(stretches(a.shape, s.list)); break;
    case Verb::kUnary:
      need(a.dtype != DType::kBool && (s.op != "sqrt" || a.dtype != DType::kUInt8));
      break;
    case Verb::kBinary: {
      const DType other = b ? b->dtype : a.dtype;
      need(!b || stretches(b->shape, a.shape));
      need(s.op != "subtract" || a.dtype != DType::kBool || other != DType::kBool);
      need(b || a.dtype != DType::kBool);
      need(s.op != "divide" || is_floating(widest(a.dtype, other)));
      break;
    }
    case Verb::kReduce: need(axes_fit() && !a.places.empty()); break;
    case Verb::kScan: need(axes_fit() && a.shape.size() > 0); break;
    case Verb::kAssign:
      need(!b ||
           (stretches(b->shape, a.shape) && (is_floating(a.dtype) || !is_floating(b->dtype))));
      break;
    case Verb::kInPlace: {
      const DType common = widest(a.dtype, b ? b->dtype : a.dtype);
      need(!b || stretches(b->shape, a.shape));
      need(a.dtype != DType::kBool && rt::can_cast(common, a.dtype, rt::Casting::kSameKind));
      need(s.op != "divide" || is_floating(common));
      break;
    }
    case Verb::kGather:
    case Verb::kScatter:
      need(b && b->dtype == DType::kInt64 && a.shape.size() > 0);
      for (const Cell& at : read(*b)) need(at.i >= -a.shape[0] && at.i < a.shape[0]);
      break;
    case Verb::kMaskAssign: need(b && b->dtype == DType::kBool && b->shape == a.shape); break;
    case Verb::kBranch: need(s.list[0] < static_cast<int64_t>(a.places.size())); break;
    default: break;
  }
}

bool Model::run(const Statement& s) {
  require_valid(s);
  switch (s.verb) {
    case Verb::kCreate: {
      std::vector<Cell> cells;
      for (double x : contents(s.seed, count_of(s.list), s.dtype))
        cells.push_back(cast({0, x}, DType::kFloat64, s.dtype));
      variables_[s.dst] = fresh(s.dtype, s.list, std::move(cells));
      return true;
    }
    case Verb::kAlias:
    case Verb::kSlice:
    case Verb::kTranspose:
    case Verb::kBroadcast: {
      ModelArray seen = view(s);
      variables_[s.dst] = std::move(seen);
      return true;
    }
    case Verb::kReshape: {
      // A copy: the generator reshapes only what nobody writes through.
      variables_[s.dst] = fresh(variables_.at(s.a).dtype, s.list, read(variables_.at(s.a)));
      return true;
    }
    case Verb::kCopy:
    case Verb::kCast: {
      const ModelArray& a = variables_.at(s.a);
      const DType to = s.verb == Verb::kCopy ? a.dtype : s.dtype;
      std::vector<Cell> cells = read(a);
      for (Cell& cell : cells) cell = cast(cell, a.dtype, to);
      ModelArray made = fresh(to, a.shape, std::move(cells));
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kUnary: {
      const ModelArray& a = variables_.at(s.a);
      const DType work = s.op == "sqrt" && !is_floating(a.dtype) ? DType::kFloat64 : a.dtype;
      std::vector<Cell> cells = read(a);
      for (Cell& cell : cells) cell = unary(s.op, cast(cell, a.dtype, work), work);
      ModelArray made = fresh(work, a.shape, std::move(cells));
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kBinary: {
      ModelArray made = binary(s);
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kReduce: {
      ModelArray made = reduce(s);
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kScan: {
      ModelArray made = scan(s);
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kGather: {
      const ModelArray& a = variables_.at(s.a);
      const ModelArray& index = variables_.at(s.b);
      Dims shape = index.shape;
      for (int i = 1; i < a.shape.size(); ++i) shape.push_back(a.shape[i]);
      const int64_t row = a.shape[0] == 0 ? 0 : static_cast<int64_t>(a.places.size()) / a.shape[0];
      std::vector<Cell> cells;
      for (const Cell& at : read(index)) {
        const int64_t wanted = at.i < 0 ? at.i + a.shape[0] : at.i;
        for (int64_t k = 0; k < row; ++k) cells.push_back((*a.memory)[a.places[wanted * row + k]]);
      }
      ModelArray made = fresh(a.dtype, shape, std::move(cells));
      variables_[s.dst] = std::move(made);
      return true;
    }
    case Verb::kAssign: {
      ModelArray& a = variables_.at(s.a);
      store(a, operand(s, a.shape, a.dtype));
      return true;
    }
    case Verb::kInPlace: {
      ModelArray& a = variables_.at(s.a);
      const ModelArray result = binary(s);
      std::vector<Cell> cells = read(result);
      for (Cell& cell : cells) cell = cast(cell, result.dtype, a.dtype);
      store(a, cells);
      return true;
    }
    case Verb::kScatter:
    case Verb::kMaskAssign: {
      ModelArray& a = variables_.at(s.a);
      Statement number = s;
      number.b = -1;
      const std::vector<Cell> value = operand(number, Dims{1}, a.dtype);
      const std::vector<Cell> index = read(variables_.at(s.b));
      if (s.verb == Verb::kMaskAssign) {
        for (size_t i = 0; i < index.size(); ++i) {
          if (index[i].i) (*a.memory)[a.places[i]] = value[0];
        }
        return true;
      }
      const int64_t row = static_cast<int64_t>(a.places.size()) / a.shape[0];
      for (const Cell& at : index) {
        const int64_t wanted = at.i < 0 ? at.i + a.shape[0] : at.i;
        for (int64_t k = 0; k < row; ++k) (*a.memory)[a.places[wanted * row + k]] = value[0];
      }
      return true;
    }
    case Verb::kBranch: {
      const ModelArray& a = variables_.at(s.a);
      const Cell cell = (*a.memory)[a.places[s.list[0]]];
      const double value = cast(cell, a.dtype, DType::kFloat64).f;
      return (value > s.number) == s.taken;
    }
    case Verb::kForce: return true;
    case Verb::kDelete: variables_.erase(s.a); return true;
  }
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
