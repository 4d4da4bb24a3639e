#include "generate.h"

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

namespace gpy::fuzz {

using rt::Dims;
using rt::DType;

namespace {

constexpr DType kDTypes[] = {DType::kBool,  DType::kUInt8,   DType::kInt32,
                             DType::kInt64, DType::kFloat32, DType::kFloat64};
// Dtypes that the engine converts when it loads and stores them, and complex ones.
constexpr DType kRareDTypes[] = {DType::kInt32.swapped(),
                                 DType::kInt64.swapped(),
                                 DType::kFloat32.swapped(),
                                 DType::kFloat64.swapped(),
                                 DType::kFloat16,
                                 DType::kFloat16.swapped(),
                                 DType::kBFloat16,
                                 DType::kComplex64,
                                 DType::kComplex64.swapped(),
                                 DType::kComplex128.swapped()};
constexpr DType kIndexDTypes[] = {DType::kInt64, DType::kInt64.swapped(), DType::kInt32.swapped()};

class Generator {
 public:
  Generator(uint64_t seed, bool on_host) : random_(seed), on_host_(on_host) {}

  std::vector<Statement> program(int length) {
    for (int i = 0; i < 3; ++i) emit(create());
    while (static_cast<int>(trace_.size()) < length) step();
    return std::move(trace_);
  }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class List> auto pick(const List& list) {
    return list[below(static_cast<int64_t>(std::size(list)))];
  }

  DType any_dtype() { return chance(30) ? pick(kRareDTypes) : pick(kDTypes); }

  const ModelArray& array(int variable) const { return model_.variables().at(variable); }
  int any() {
    return std::next(model_.variables().begin(),
                     below(static_cast<int64_t>(model_.variables().size())))
        ->first;
  }

  // A variable that `accept` takes, by a few tries.
  template <class F> std::optional<int> find(F&& accept) {
    for (int i = 0; i < 12; ++i) {
      const int variable = any();
      if (accept(array(variable))) return variable;
    }
    return std::nullopt;
  }

  void emit(Statement s) {
    try {
      model_.run(s);
    } catch (const std::domain_error&) {
      return;  // its result is not specified
    }
    trace_.push_back(std::move(s));
  }

  int target() {
    // Sometimes a name is bound again: its old array may die or live on in views.
    if (model_.variables().size() > 12 || (!model_.variables().empty() && chance(15))) return any();
    return next_++;
  }

  Dims random_shape() {
    Dims shape;
    for (int64_t rank = below(4); rank > 0; --rank)
      shape.push_back(chance(4) ? 0 : 1 + below(chance(10) ? 40 : 5));
    if (chance(4)) shape = Dims{1 + below(3000)};
    return shape;
  }

  Statement create() {
    Statement s;
    s.verb = Verb::kCreate;
    s.dst = target();
    s.dtype = any_dtype();
    s.list = random_shape();
    s.seed = random_();
    return s;
  }

  Statement with(Verb verb, int a) {
    Statement s;
    s.verb = verb;
    s.a = a;
    return s;
  }

  void slice() {
    Statement s = with(Verb::kSlice, any());
    for (int64_t extent : array(s.a).shape) {
      const bool back = chance(25);
      const int64_t low = extent == 0 ? 0 : below(extent),
                    high = low + (extent == low ? 0 : below(extent - low) + 1);
      const int64_t step = chance(70) ? 1 : 1 + below(3);
      if (back && high > low) {
        s.slices.push_back({high - 1, low - 1, -step});
      } else {
        s.slices.push_back({low, high, step});
      }
    }
    s.dst = target();
    emit(s);
  }

  void transpose() {
    Statement s = with(Verb::kTranspose, any());
    for (int i = 0; i < array(s.a).shape.size(); ++i) s.list.push_back(i);
    std::shuffle(s.list.begin(), s.list.end(), random_);
    s.dst = target();
    emit(s);
  }

  void reshape() {
    Statement s = with(Verb::kReshape, any());
    int64_t count = static_cast<int64_t>(array(s.a).places.size());
    if (count == 0) return;
    for (int64_t d = 2; d <= 4 && s.list.size() < 3; ++d) {
      if (count % d == 0 && chance(60)) {
        s.list.push_back(d);
        count /= d;
      }
    }
    s.list.push_back(count);
    s.dst = target();
    emit(s);
  }

  void broadcast() {
    Statement s = with(Verb::kBroadcast, any());
    const Dims& shape = array(s.a).shape;
    if (shape.size() > 2 || array(s.a).places.size() > 200) return;
    if (chance(60)) s.list.push_back(1 + below(4));
    for (int64_t extent : shape) s.list.push_back(extent == 1 ? 1 + below(4) : extent);
    s.dst = target();
    emit(s);
  }

  void unary() {
    static const std::string kOps[] = {"negative", "square", "absolute", "sqrt"};
    const auto a = find([](const ModelArray& x) { return x.dtype != DType::kBool; });
    if (!a) return;
    Statement s = with(Verb::kUnary, *a);
    s.op = pick(kOps);
    if (!has_loop(s.op, array(*a).dtype)) s.op = "square";
    s.dst = target();
    emit(s);
  }

  std::string binary_op(DType a, DType b) {
    static const std::string kOps[] = {"add",     "subtract", "multiply", "divide",
                                       "maximum", "minimum",  "less",     "equal"};
    const std::string op = pick(kOps);
    return has_loop(op, a, b) ? op : op == "subtract" ? "add" : "multiply";
  }

  void binary() {
    Statement s = with(Verb::kBinary, any());
    const ModelArray& a = array(s.a);
    const auto b = find([&](const ModelArray& x) {
      return stretches(x.shape, a.shape) && have_common_type(a.dtype, x.dtype);
    });
    s.b = b && chance(75) ? *b : -1;
    s.number = static_cast<double>(below(6));
    if (s.b < 0 && a.dtype == DType::kBool) return;
    s.op = binary_op(a.dtype, s.b < 0 ? a.dtype : array(s.b).dtype);
    s.dst = target();
    emit(s);
  }

  bool adds_up(DType dtype) const { return on_host_ || is_exact(dtype); }

  // Complex numbers have no order that is looked at here.
  template <class List> std::string folding(const List& ops, DType dtype) {
    if (rt::is_complex(dtype)) return "add";
    return adds_up(dtype) ? pick(ops) : "maximum";
  }

  std::optional<int> foldable(int least_rank) {
    return find([&](const ModelArray& x) {
      return x.shape.size() >= least_rank && !x.places.empty() &&
             (adds_up(x.dtype) || !rt::is_complex(x.dtype));
    });
  }

  void reduce() {
    static const std::string kOps[] = {"add", "add", "maximum", "minimum"};
    const auto a = foldable(0);
    if (!a) return;
    Statement s = with(Verb::kReduce, *a);
    s.op = folding(kOps, array(*a).dtype);
    const bool all = chance(40);
    for (int i = 0; i < array(*a).shape.size(); ++i) {
      if (all || chance(50)) s.list.push_back(i);
    }
    s.dst = target();
    emit(s);
  }

  void scan() {
    static const std::string kOps[] = {"add", "maximum"};
    const auto a = foldable(1);
    if (!a) return;
    Statement s = with(Verb::kScan, *a);
    s.op = folding(kOps, array(*a).dtype);
    s.list.push_back(below(array(*a).shape.size()));
    s.dst = target();
    emit(s);
  }

  std::optional<int> writeable() {
    for (int i = 0; i < 12; ++i) {
      const int variable = any();
      if (!array(variable).read_only && !array(variable).places.empty()) return variable;
    }
    return std::nullopt;
  }

  void assign() {
    const auto a = writeable();
    if (!a) return;
    Statement s = with(Verb::kAssign, *a);
    const auto b = find([&](const ModelArray& x) {
      return stretches(x.shape, array(*a).shape) && castable(x.dtype, array(*a).dtype);
    });
    s.b = b && chance(70) ? *b : -1;
    s.number = static_cast<double>(below(6));
    emit(s);
  }

  void in_place() {
    const auto a = writeable();
    if (!a) return;
    Statement s = with(Verb::kInPlace, *a);
    const DType own = array(*a).dtype;
    if (own == DType::kBool) return;
    const auto b =
        find([&](const ModelArray& x) { return fits_in_place("multiply", array(*a), &x); });
    s.b = b && chance(75) ? *b : -1;
    s.number = static_cast<double>(1 + below(4));
    s.op = binary_op(own, s.b < 0 ? own : array(s.b).dtype);
    if (s.op == "less" || s.op == "equal") s.op = "add";
    emit(s);
  }

  std::optional<int> index_into(int64_t extent) {
    if (extent == 0) return std::nullopt;
    Statement s;
    s.verb = Verb::kCreate;
    s.dst = next_++;
    s.dtype = pick(kIndexDTypes);
    s.list = Dims{1 + below(6)};
    s.seed = random_();
    emit(s);
    // contents() gives -8..8: wrapped into range by remainder through a mask of compares is more
    // than an index needs, so small extents are skipped.
    const ModelArray& made = array(s.dst);
    for (const Cell& cell : cells_of(made)) {
      if (cell.i < -extent || cell.i >= extent) return std::nullopt;
    }
    return s.dst;
  }

  // Any array of integers, even a view: an index that is outside is refused.
  std::optional<int> any_index() {
    return find([&](const ModelArray& x) {
      if (!is_index(x) || x.places.empty()) return false;
      return x.shape.size() > 0 && x.shape.size() < 4 && x.places.size() <= 40;
    });
  }

  void gather_by(int a, int index) {
    const ModelArray& b = array(index);
    const bool halves = b.dtype == DType::kInt64 && has_whole_rows(b) && chance(30);
    Statement s = with(halves ? Verb::kGatherHalf : Verb::kGather, a);
    s.b = index;
    s.dst = next_++;
    emit(s);
  }

  // The first row, broadcast to the shape of all: as many bytes as before, but other numbers.
  int first_row_repeated(int of) {
    Statement first = with(Verb::kSlice, of);
    for (int64_t extent : array(of).shape) first.slices.push_back({0, extent, 1});
    first.slices[0].stop = 1;
    first.dst = next_++;
    Statement repeated = with(Verb::kBroadcast, first.dst);
    repeated.list = array(of).shape;
    repeated.dst = next_++;
    emit(first);
    emit(repeated);
    return repeated.dst;
  }

  void change(int variable) {
    if (array(variable).lent) return host_write(variable);
    if (array(variable).read_only) return;
    Statement s = with(Verb::kAssign, variable);
    s.number = static_cast<double>(below(12));
    emit(s);
  }

  // Indexes twice by the same array, through a view or with a write in between.
  void gather_by_any() {
    const auto a = find([](const ModelArray& x) {
      return x.shape.size() > 0 && x.shape.size() < 4 && x.shape[0] > 2 && x.places.size() <= 100;
    });
    const auto index = any_index();
    if (!a || !index) return;
    gather_by(*a, chance(30) ? first_row_repeated(*index) : *index);
    if (chance(30)) change(*index);
    gather_by(*a, *index);
  }

  void lend() {
    Statement s = create();
    s.verb = Verb::kLend;
    if (chance(60)) s.dtype = DType::kInt64;
    emit(s);
  }

  void host() {
    const auto a = find([](const ModelArray& x) { return x.lent; });
    if (!a) return;
    if (chance(75)) return host_write(*a);
    emit(with(Verb::kEndLoan, *a));
  }

  void host_write(int variable) {
    Statement s = with(Verb::kHostWrite, variable);
    s.dtype = array(variable).dtype;
    s.list = array(variable).shape;
    s.seed = random_();
    emit(s);
  }

  void gather(bool scatter) {
    if (!scatter && chance(60)) return gather_by_any();
    const auto a =
        scatter ? writeable() : find([](const ModelArray& x) { return x.shape.size() > 0; });
    if (!a || array(*a).shape.size() == 0) return;
    const auto index = index_into(array(*a).shape[0]);
    if (!index) return;
    Statement s = with(scatter ? Verb::kScatter : Verb::kGather, *a);
    s.b = *index;
    s.number = static_cast<double>(below(5));
    if (!scatter) s.dst = target();
    emit(s);
  }

  void mask_assign() {
    const auto a = writeable();
    if (!a) return;
    const auto mask = find(
        [&](const ModelArray& x) { return x.dtype == DType::kBool && x.shape == array(*a).shape; });
    if (!mask || array(*a).shape.size() == 0) return;
    Statement s = with(Verb::kMaskAssign, *a);
    s.b = *mask;
    s.number = static_cast<double>(below(2));
    emit(s);
  }

  void branch() {
    const auto a = find([](const ModelArray& x) { return !x.places.empty(); });
    if (!a) return;
    Statement s = with(Verb::kBranch, *a);
    s.list.push_back(below(static_cast<int64_t>(array(*a).places.size())));
    s.number = static_cast<double>(below(5));
    s.taken = true;
    s.taken = model_.run(s);
    emit(s);
  }

  void simple(Verb verb) {
    Statement s = with(verb, any());
    s.dst = target();
    s.dtype = any_dtype();
    if (verb == Verb::kCast && !castable(array(s.a).dtype, s.dtype)) return;
    emit(s);
  }

  // The same bytes as another type: mostly the other way round.
  void view() {
    Statement s = with(Verb::kView, any());
    const DType own = array(s.a).dtype;
    s.dtype = chance(70) ? own.swapped() : pick(kRareDTypes);
    if (!may_view(array(s.a), s.dtype)) return;
    s.dst = target();
    emit(s);
  }

  void step();

  std::mt19937_64 random_;
  bool on_host_;
  Model model_;
  std::vector<Statement> trace_;
  int next_ = 0;
};

void Generator::step() {
  if (on_host_ && chance(4)) return chance(40) ? lend() : host();
  const int64_t dice = below(100);
  if (dice < 5) emit(create());
  else if (dice < 17) slice();
  else if (dice < 21) transpose();
  else if (dice < 24) reshape();
  else if (dice < 27) broadcast();
  else if (dice < 34) unary();
  else if (dice < 54) binary();
  else if (dice < 60) reduce();
  else if (dice < 62) scan();
  else if (dice < 70) assign();
  else if (dice < 77) in_place();
  else if (dice < 83) gather(false);
  else if (dice < 86) gather(true);
  else if (dice < 88) mask_assign();
  else if (dice < 91) emit(with(Verb::kForce, any()));
  else if (dice < 93) branch();
  else if (dice < 95) simple(Verb::kCopy);
  else if (dice < 97) simple(Verb::kCast);
  else if (dice < 98) view();
  else if (dice < 99) simple(Verb::kAlias);
  else if (model_.variables().size() > 4) emit(with(Verb::kDelete, any()));
}

}  // namespace

std::vector<Statement> generate(uint64_t seed, int length, bool on_host) {
  return Generator(seed, on_host).program(length);
}

}  // namespace gpy::fuzz
