#include "stdlib/native/random/distributions.h"

#include <cmath>
#include <limits>

#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"

namespace gpy::lib {

namespace {

// --- conditions on several parameters ------------------------------------------------------------

// The values of one draw after another; calls test(i) until it is true.
class Values {
 public:
  Values(Interpreter& vm, const DrawnParameters& parameters) : parameters_(parameters) {
    for (const rt::Array& array : parameters.arrays) {
      if (parameters.single) break;
      reads_.push_back(std::make_unique<rt::HostRead>(session(vm), array));
    }
    count_ = parameters.single ? 1 : parameters.arrays[0].size();
  }
  double real(int place, int64_t i) const {
    return parameters_.single ? parameters_.reals[place]
                              : reinterpret_cast<const double*>(reads_[place]->data())[i];
  }
  int64_t integer(int place, int64_t i) const {
    return parameters_.single ? parameters_.integers[place]
                              : reinterpret_cast<const int64_t*>(reads_[place]->data())[i];
  }
  template <class Test> bool any(const Test& test) const {
    bool found = false;
    rt::for_each_polled(count_, [&](int64_t i) { found = found || test(i); });
    return found;
  }

 private:
  const DrawnParameters& parameters_;
  std::vector<std::unique_ptr<rt::HostRead>> reads_;
  int64_t count_;
};

using Api = rt::RandomApi;

void any(Interpreter&, const DrawnParameters&, Api) {}

void enough_items(Interpreter& vm, const DrawnParameters& parameters, Api api) {
  const Values values(vm, parameters);
  constexpr int64_t kMost = 1000000000;
  if (api == Api::kGenerator && values.any([&](int64_t i) {
        return values.integer(0, i) >= kMost || values.integer(1, i) >= kMost;
      })) {
    vm.raise_value_error("both ngood and nbad must be less than {}", kMost);
  }
  if (values.any([&](int64_t i) {
        return static_cast<rt::Int128>(values.integer(0, i)) + values.integer(1, i) <
               values.integer(2, i);
      })) {
    vm.raise_value_error("ngood + nbad < nsample");
  }
  if (api == Api::kLegacy && values.any([&](int64_t i) { return values.integer(2, i) < 1; })) {
    vm.raise_value_error("nsample < 1 or nsample is NaN");
  }
}

// The expected number of failures and ten deviations more must be an int64.
void few_failures(Interpreter& vm, const DrawnParameters& parameters, Api api) {
  if (api == Api::kLegacy) return;
  const Values values(vm, parameters);
  const double most = static_cast<double>(std::numeric_limits<int64_t>::max());
  if (values.any([&](int64_t i) {
        const double n = values.real(0, i), p = values.real(1, i);
        return (1 - p) / p * (n + 10 * std::sqrt(n)) > most - std::sqrt(most) * 10;
      })) {
    vm.raise_value_error("n too large or p too small, see Generator.negative_binomial Notes");
  }
}

void ordered(Interpreter& vm, const DrawnParameters& parameters, Api) {
  const Values values(vm, parameters);
  const auto refuse = [&](const char* what, auto test) {
    if (values.any(test)) vm.raise_value_error("{}", what);
  };
  refuse("left > mode", [&](int64_t i) { return values.real(0, i) > values.real(1, i); });
  refuse("mode > right", [&](int64_t i) { return values.real(1, i) > values.real(2, i); });
  refuse("left == right", [&](int64_t i) { return values.real(0, i) == values.real(2, i); });
}

void finite_range(Interpreter& vm, const DrawnParameters& parameters, Api api) {
  const Values values(vm, parameters);
  const auto range = [&](int64_t i) { return values.real(1, i) - values.real(0, i); };
  if (values.any([&](int64_t i) { return !std::isfinite(range(i)); })) {
    const bool words = api == Api::kGenerator && parameters.single;
    vm.raise(vm.types.overflow_error,
             words ? "high - low range exceeds valid bounds" : "Range exceeds valid bounds");
  }
  if (api == Api::kLegacy) return;
  if (values.any([&](int64_t i) { return std::signbit(range(i)); })) {
    vm.raise_value_error("high - low < 0");
  }
}

// --- the rows ------------------------------------------------------------------------------------

#define CHECKS(...) \
  { __VA_ARGS__ }
#define DISTRIBUTION(name, Result, signature, help, checks, pair, ...) \
  constexpr std::initializer_list<Constraint> kChecks_##name = checks;
using enum Constraint;
#include "runtime/random/distributions.def"
#undef DISTRIBUTION

constexpr bool is_integer_name(std::string_view type) { return type == "i64"; }

constexpr Constraint kGammaChecks[] = {Constraint::kNonNegative};

constexpr DistributionRow kRows[] = {
#define DISTRIBUTION(name, Result, signature, help, checks, pair, ...) \
  {rt::Distribution::name, is_integer_name(#Result),                   \
   std::span<const Constraint>(kChecks_##name.begin(), kChecks_##name.size()), pair},
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
#undef CHECKS
    {rt::Distribution::standard_gamma, false, kGammaChecks, any},
};

// --- parameters ----------------------------------------------------------------------------------

constexpr bool takes_ints(Constraint constraint) { return constraint == kNonNegativeInt; }

bool is_many(const Value& value) {
  const Ndarray* array = as_ndarray(value);
  return array ? array->array.rank() > 0 : value.is<List>() || value.is<Tuple>();
}

rt::Array host_elements(Interpreter& vm, const Value& value, rt::DType dtype) {
  const rt::Array given = to_array(vm, value, kNumpy);
  const auto rule = rt::is_integer(dtype) ? rt::Casting::kSafe : rt::Casting::kUnsafe;
  return rt::astype(session(vm), rt::to_space(session(vm), given, rt::Space::host()), dtype, rule,
                    false);
}

// Text that is no number is refused in the words of int() or float().
void refuse_text(Interpreter& vm, const Value& value, Type* number) {
  if (value.is<Str>()) vm.call(Value(static_cast<Object*>(number)), {value});
}

int64_t to_count(Interpreter& vm, const Value& value) {
  refuse_text(vm, value, vm.types.integer);
  if (value.is_real()) return static_cast<int64_t>(value.as_real());
  if (!vm.has_index(value)) return static_cast<int64_t>(vm.to_real(value));
  const Value index = vm.to_index_value(value);
  if (!index.is_integer()) vm.raise_overflow_error("Python int too large to convert to C long");
  return index.as_integer();
}

// Largest rate whose draws surely are int64s.
double largest_rate() {
  const double most = static_cast<double>(std::numeric_limits<int64_t>::max());
  return most - std::sqrt(most) * 10;
}

// What is wrong with x, an element of an array or a number; empty if nothing is.
std::string fault(Constraint constraint, double x, std::string_view name, bool is_array) {
  const char* nan = is_array ? "contains NaNs" : "is NaN";
  switch (constraint) {
    case kAny: return "";
    case kNonNegative:
    case kNonNegativeInt:
      return std::signbit(x) && !std::isnan(x) ? fmt::format("{} < 0", name) : "";
    case kPositiveNotNan:
      if (std::isnan(x)) return fmt::format("{} must not be NaN", name);
      [[fallthrough]];
    case kPositive: return x <= 0 ? fmt::format("{} <= 0", name) : "";
    case kChance:
      return x >= 0 && x <= 1 ? "" : fmt::format("{0} < 0, {0} > 1 or {0} {1}", name, nan);
    case kPositiveChance:
      return x > 0 && x <= 1 ? "" : fmt::format("{0} <= 0, {0} > 1 or {0} contains NaNs", name);
    case kChanceBelowOne:
      return x >= 0 && x < 1 ? "" : fmt::format("{0} < 0, {0} >= 1 or {0} {1}", name, nan);
    case kAboveOne: return x > 1 ? "" : fmt::format("{0} <= 1 or {0} {1}", name, nan);
    case kRate:
      if (x > largest_rate() || (std::isnan(x) && is_array)) {
        return fmt::format("{} value too large", name);
      }
      return x >= 0 ? "" : fmt::format("{0} < 0 or {0} {1}", name, nan);
  }
  return "";
}

template <class T>
std::string array_fault(Interpreter& vm, const rt::Array& array, std::string_view name,
                        Constraint constraint) {
  const rt::Array elements = rt::copy(session(vm), array, 'C');
  const rt::HostRead read(session(vm), elements);
  std::string found;
  rt::for_each_polled(elements.size(), [&](int64_t i) {
    if (!found.empty()) return;
    const auto x = static_cast<double>(reinterpret_cast<const T*>(read.data())[i]);
    found = fault(constraint, x, name, true);
  });
  return found;
}

void refuse(Interpreter& vm, const std::string& what) {
  if (!what.empty()) vm.raise_value_error("{}", what);
}

// RandomState lets NaN be a number of successes.
Constraint constraint_for(Constraint constraint, Api api) {
  return constraint == kPositiveNotNan && api == Api::kLegacy ? kPositive : constraint;
}

void read_numbers(Interpreter& vm, const DistributionRow& row, const Args& args, Api api,
                  DrawnParameters& parameters) {
  for (int i = 0; i < parameters.count; ++i) {
    const Constraint constraint = constraint_for(row.constraints[i], api);
    double x;
    if (takes_ints(constraint)) {
      parameters.integers[i] = to_count(vm, args[i + 1]);
      x = static_cast<double>(parameters.integers[i]);
    } else {
      refuse_text(vm, args[i + 1], vm.types.real);
      x = parameters.reals[i] = vm.to_real(args[i + 1]);
    }
    refuse(vm, fault(constraint, x, args.callee().parameter_name(i + 1), false));
  }
}

std::string shape_text(const rt::Dims& shape) {
  std::string text = "(";
  for (int i = 0; i < static_cast<int>(shape.size()); ++i) {
    text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

void read_arrays(Interpreter& vm, const DistributionRow& row, const Args& args, Api api,
                 const std::optional<rt::Dims>& size, DrawnParameters& parameters) {
  parameters.single = false;
  std::vector<rt::Array> given;
  for (int i = 0; i < parameters.count; ++i) {
    const Constraint constraint = constraint_for(row.constraints[i], api);
    const std::string_view name = args.callee().parameter_name(i + 1);
    const bool ints = takes_ints(constraint);
    given.push_back(host_elements(vm, args[i + 1], ints ? rt::DType::kInt64 : rt::DType::kFloat64));
    refuse(vm, ints ? array_fault<int64_t>(vm, given.back(), name, constraint)
                    : array_fault<double>(vm, given.back(), name, constraint));
  }
  parameters.shape = broadcast_size(vm, given, size);
  for (const rt::Array& array : given) {
    parameters.arrays.push_back(
        rt::copy(session(vm), rt::broadcast_to(array, *parameters.shape), 'C'));
  }
}

}  // namespace

const DistributionRow& row_of(rt::Distribution distribution) {
  return kRows[static_cast<size_t>(distribution)];
}

// Whether two shapes broadcast.
static bool agree(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const int64_t m = a[a.size() - i], n = b[b.size() - i];
    if (m != n && m != 1 && n != 1) return false;
  }
  return true;
}

static void check_shapes(Interpreter& vm, std::span<const rt::Dims> shapes) {
  for (size_t j = 1; j < shapes.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      if (agree(shapes[i], shapes[j])) continue;
      vm.raise_value_error(
          "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg "
          "{} with shape {} and arg {} with shape {}.",
          i, shape_text(shapes[i]), j, shape_text(shapes[j]));
    }
  }
}

rt::Dims broadcast_size(Interpreter& vm, const std::vector<rt::Array>& arrays,
                        const std::optional<rt::Dims>& size) {
  std::vector<rt::Dims> dims;
  if (size) dims.push_back(*size);
  for (const rt::Array& array : arrays) dims.push_back(array.shape());
  check_shapes(vm, dims);
  std::vector<std::span<const int64_t>> shapes(dims.begin() + (size ? 1 : 0), dims.end());
  const rt::Dims together = rt::broadcast_shapes(shapes);
  if (!size) return together;
  shapes.push_back(*size);
  const rt::Dims all = rt::broadcast_shapes(shapes);
  if (all == *size) return all;
  vm.raise_value_error("Output size {} is not compatible with broadcast dimensions of inputs {}.",
                       shape_text(*size), shape_text(together));
}

rt::Array real_array(Interpreter& vm, const Value& value) {
  return rt::copy(session(vm), host_elements(vm, value, rt::DType::kFloat64), 'C');
}

void check_constraint(Interpreter& vm, const Value& value, const rt::Array& array,
                      std::string_view name, Constraint constraint) {
  if (is_many(value)) return refuse(vm, array_fault<double>(vm, array, name, constraint));
  refuse(vm, fault(constraint, vm.to_real(value), name, false));
}

DrawnParameters read_parameters(Interpreter& vm, const DistributionRow& row, const Args& args,
                                rt::RandomApi api) {
  DrawnParameters parameters;
  parameters.count = static_cast<int>(row.constraints.size());
  const auto size = [&] { return to_size(vm, args[parameters.count + 1]); };
  bool many = false;
  for (int i = 1; i <= parameters.count; ++i) many = many || is_many(args[i]);
  if (many) {
    read_arrays(vm, row, args, api, size(), parameters);
  } else {
    read_numbers(vm, row, args, api, parameters);
  }
  row.check(vm, parameters, api);
  if (!many) parameters.shape = size();
  return parameters;
}

// The addresses of the parameters, for as long as it lives.
class ReadParameters {
 public:
  ReadParameters(Interpreter& vm, const DistributionRow& row, const DrawnParameters& drawn) {
    at_.single = drawn.single;
    for (int i = 0; i < drawn.count; ++i) {
      if (drawn.single) {
        const bool ints = takes_ints(row.constraints[i]);
        at_.at[i] = ints ? static_cast<const void*>(&drawn.integers[i]) : &drawn.reals[i];
      } else {
        reads_.push_back(std::make_unique<rt::HostRead>(session(vm), drawn.arrays[i]));
        at_.at[i] = reads_.back()->data();
      }
    }
  }
  const rt::Parameters& get() const { return at_; }

 private:
  std::vector<std::unique_ptr<rt::HostRead>> reads_;
  rt::Parameters at_;
};

Value draw_with(Interpreter& vm, const DistributionRow& row, const DrawnParameters& parameters,
                const DrawInto& draw) {
  const ReadParameters read(vm, row, parameters);
  if (!parameters.shape) {
    double real;
    int64_t integer;
    draw(read.get(), row.gives_ints ? static_cast<void*>(&integer) : &real, 1);
    return row.gives_ints ? Value::integer(integer) : Value::real(real);
  }
  const rt::DType dtype = row.gives_ints ? rt::DType::kInt64 : rt::DType::kFloat64;
  const rt::Array made = rt::empty(session(vm), *parameters.shape, dtype, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    draw(read.get(), access.data(), made.size());
  }
  return wrap_array(vm, made);
}

}  // namespace gpy::lib
