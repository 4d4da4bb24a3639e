// numpy.testing: assertions on arrays, with NumPy's messages.
#include <algorithm>
#include <cmath>

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "runtime/text/number_text.h"
#include "src/array/print.h"
#include "stdlib/native/numpy/comparison.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

[[noreturn]] void fail(Interpreter& vm, const std::string& message) {
  vm.raise(vm.types.assertion_error, message);
}

// Errors of comparing are no news here.
class Quiet {
 public:
  explicit Quiet(rt::Session& session) : session_(session), before_(session.errors) {
    session.errors = {rt::OnError::kIgnore, rt::OnError::kIgnore, rt::OnError::kIgnore,
                      rt::OnError::kIgnore};
  }
  ~Quiet() { session_.errors = before_; }

 private:
  rt::Session& session_;
  rt::ErrorState before_;
};

struct Report {
  Interpreter& vm;
  ComparedPair pair;
  std::string header;
  std::string note = {};  // err_msg
  bool verbose = true;
  const char* names[2] = {"ACTUAL", "DESIRED"};

  [[noreturn]] void fail_with(const std::string& reason) const {
    std::string text = "\n" + header + "\n" + note + (reason.empty() ? "" : "\n" + reason);
    if (verbose) {
      text += fmt::format("\n {}: {}", names[0], show(pair.a));
      text += fmt::format("\n {}: {}", names[1], show(pair.b));
    }
    fail(vm, text);
  }
  std::string show(const rt::Array& array) const {
    return array_repr_text(arrays(vm), array, arrays(vm).print_options);
  }
};

rt::Array all(Interpreter& vm, const rt::Array& array) {
  return rt::reduce(session(vm), "logical_and", array, {});
}
bool is_true(Interpreter& vm, const rt::Array& array) {
  return rt::item(session(vm), array).truth();
}

std::string element_text(Interpreter& vm, const rt::Array& array, std::span<const int64_t> at) {
  const std::vector<rt::IndexItem> items(at.begin(), at.end());
  const rt::Array element = rt::get_items(session(vm), array, items);
  return rt::scalar_str(rt::item(session(vm), element).cast(array.dtype()));
}

// Up to five of the places that differ.
std::string mismatch_places(const Report& report, const rt::Array& wrong) {
  Interpreter& vm = report.vm;
  const std::vector<rt::Array> where = rt::nonzero(session(vm), wrong);
  if (where.empty()) return "";
  const int64_t count = where[0].size();
  std::string text = count > 5    ? "First 5 mismatches are at indices:"
                     : count == 1 ? "Mismatch at index:"
                                  : "Mismatch at indices:";
  const rt::Array a = rt::broadcast_to(report.pair.a, wrong.shape());
  const rt::Array b = rt::broadcast_to(report.pair.b, wrong.shape());
  for (int64_t i = 0; i < std::min<int64_t>(count, 5); ++i) {
    std::vector<int64_t> at;
    std::string place;
    for (const rt::Array& axis : where) {
      const std::vector<rt::IndexItem> item{i};
      at.push_back(rt::item(session(vm), rt::get_items(session(vm), axis, item)).as_int());
      place += fmt::format("{}{}", place.empty() ? "" : ", ", at.back());
    }
    text += fmt::format("\n [{}]: {} ({}), {} ({})", place, element_text(vm, a, at),
                        report.names[0], element_text(vm, b, at), report.names[1]);
  }
  return text + "\n";
}

std::string number_text(Interpreter& vm, const rt::Array& number) {
  return array_to_text(arrays(vm), number, arrays(vm).print_options, " ", 0, 0);
}

// The largest differences among the elements that differ.
std::string largest_differences(const Report& report, const rt::Array& wrong) {
  Interpreter& vm = report.vm;
  rt::Session& state = session(vm);
  const bool truths =
      report.pair.a.dtype() == rt::DType::kBool && report.pair.b.dtype() == rt::DType::kBool;
  if (truths) return "";
  auto picked = [&](const rt::Array& array) {
    return rt::get_items(state, array, std::vector<rt::IndexItem>{wrong});
  };
  const rt::Array a = rt::broadcast_to(report.pair.a, wrong.shape());
  const rt::Array b = rt::broadcast_to(report.pair.b, wrong.shape());
  rt::Array difference = apply(vm, "absolute", {apply(vm, "subtract", {a, b})});
  if (rt::kind(a.dtype()) == rt::Kind::kUnsigned || rt::kind(b.dtype()) == rt::Kind::kUnsigned) {
    difference =
        apply(vm, "minimum", {difference, apply(vm, "absolute", {apply(vm, "subtract", {b, a})})});
  }
  const rt::Array violations = picked(difference);
  std::string text = "Max absolute difference among violations: " +
                     number_text(vm, rt::reduce(state, "maximum", violations, {}));
  const rt::Array sizes = picked(apply(vm, "absolute", {b}));
  const rt::Array nonzero = apply(vm, "not_equal", {sizes, rt::Scalar::weak(int64_t{0})});
  const std::vector<rt::IndexItem> mask{nonzero};
  const rt::Array divisors = rt::get_items(state, sizes, mask);
  if (divisors.size() == 0) return text + "\nMax relative difference among violations: inf";
  const rt::Array ratios = apply(vm, "divide", {rt::get_items(state, violations, mask), divisors});
  return text + "\nMax relative difference among violations: " +
         number_text(vm, rt::reduce(state, "maximum", ratios, {}));
}

void require_equal_places(const Report& report, std::string_view test, const char* what) {
  Interpreter& vm = report.vm;
  auto flags = [&](const rt::Array& array) {
    if (what[0] == 'n') return apply(vm, "isnan", {array});
    return apply(vm, "equal", {array, rt::Scalar::weak(test == "+inf" ? INFINITY : -INFINITY)});
  };
  const rt::Array same = apply(vm, "equal", {flags(report.pair.a), flags(report.pair.b)});
  if (!is_true(vm, all(vm, same))) report.fail_with(fmt::format("{} location mismatch:", what));
}

bool any_inexact(const ComparedPair& pair) {
  return rt::is_inexact(pair.a.dtype()) || rt::is_inexact(pair.b.dtype());
}

void check_shapes(const Report& report) {
  const ComparedPair& pair = report.pair;
  const bool scalar = pair.a.rank() == 0 || pair.b.rank() == 0;
  if (scalar || pair.a.shape() == pair.b.shape()) return;
  report.fail_with(fmt::format("(shapes {}, {} mismatch)", rt::tuple_text(pair.a.shape()),
                               rt::tuple_text(pair.b.shape())));
}

// numpy.testing.assert_array_compare: `holds` is true where elements are as they should be.
void check(const Report& report, const rt::Array& holds, bool nans_must_match) {
  Interpreter& vm = report.vm;
  if (nans_must_match && any_inexact(report.pair)) {
    require_equal_places(report, "nan", "nan");
    require_equal_places(report, "+inf", "inf");
    require_equal_places(report, "-inf", "inf");
  }
  rt::Array good = holds;
  if (any_inexact(report.pair)) {
    const rt::Array nans =
        apply(vm, "logical_and",
              {apply(vm, "isnan", {report.pair.a}), apply(vm, "isnan", {report.pair.b})});
    if (nans_must_match) good = apply(vm, "logical_or", {good, nans});
  }
  if (is_true(vm, all(vm, good))) return;
  const rt::Array wrong = apply(vm, "logical_not", {good});
  const int64_t count =
      rt::item(session(vm), rt::reduce(session(vm), "count_nonzero", wrong, {})).as_int();
  const double percent =
      100.0 * static_cast<double>(count) / static_cast<double>(std::max<int64_t>(wrong.size(), 1));
  std::string reason =
      fmt::format("Mismatched elements: {} / {} ({:.3g}%)\n", count, wrong.size(), percent);
  if (wrong.rank() > 0) reason += mismatch_places(report, wrong);
  reason += largest_differences(report, wrong);
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  report.fail_with(reason);
}

Report make_report(Interpreter& vm, const Args& args, std::string header, size_t note,
                   size_t verbose) {
  Report report{vm, compared_pair(vm, args[0], args[1]), std::move(header)};
  if (is_given(args[note])) report.note = vm.to_text(args[note], "err_msg");
  report.verbose = truth_or(vm, args[verbose], true);
  return report;
}

// (actual, desired, rtol, atol, equal_nan, err_msg, verbose)
Value assert_allclose(Interpreter& vm, Args args) {
  const Quiet quiet(session(vm));
  const Tolerance tolerance{vm.to_real(args[2]), vm.to_real(args[3]), vm.truth(args[4])};
  const std::string header = fmt::format("Not equal to tolerance rtol={:g}, atol={:g}",
                                         tolerance.relative, tolerance.absolute);
  const Report report = make_report(vm, args, header, 5, 6);
  check_shapes(report);
  check(report, close_elements(vm, report.pair, tolerance), tolerance.equal_nan);
  return Value::none();
}

void require_equal_arrays(const Report& report, bool strict) {
  Interpreter& vm = report.vm;
  const ComparedPair& pair = report.pair;
  if (strict && !(pair.a.shape() == pair.b.shape())) {
    report.fail_with(fmt::format("(shapes {}, {} mismatch)", rt::tuple_text(pair.a.shape()),
                                 rt::tuple_text(pair.b.shape())));
  }
  if (strict && pair.a.dtype() != pair.b.dtype()) {
    report.fail_with(fmt::format("(dtypes {}, {} mismatch)", rt::name(pair.a.dtype()),
                                 rt::name(pair.b.dtype())));
  }
  check_shapes(report);
  check(report, apply(vm, "equal", {pair.a, pair.b}), true);
}

constexpr const char* kArraysHeader = "Arrays are not equal";

// (actual, desired, err_msg, verbose, strict)
Value assert_array_equal(Interpreter& vm, Args args) {
  const Quiet quiet(session(vm));
  const Report report = make_report(vm, args, kArraysHeader, 2, 3);
  require_equal_arrays(report, truth_or(vm, args[4], false));
  return Value::none();
}

// (actual, desired, decimal, err_msg, verbose)
Value assert_array_almost_equal(Interpreter& vm, Args args) {
  const Quiet quiet(session(vm));
  const int64_t decimal = vm.to_index(args[2]);
  const Report report = make_report(
      vm, args, fmt::format("Arrays are not almost equal to {} decimals", decimal), 3, 4);
  check_shapes(report);
  const double limit = 1.5 * std::pow(10.0, -static_cast<double>(decimal));
  const ComparedPair& pair = report.pair;
  const rt::Array difference = apply(vm, "absolute", {apply(vm, "subtract", {pair.a, pair.b})});
  rt::Array good = apply(vm, "less", {difference, rt::Scalar::weak(limit)});
  good = apply(vm, "logical_or", {good, apply(vm, "equal", {pair.a, pair.b})});
  check(report, good, true);
  return Value::none();
}

// (x, y, err_msg, verbose)
Value assert_array_less(Interpreter& vm, Args args) {
  const Quiet quiet(session(vm));
  Report report = make_report(vm, args, "Arrays are not strictly ordered `x < y`", 2, 3);
  report.names[0] = "x";
  report.names[1] = "y";
  check_shapes(report);
  check(report, apply(vm, "less", {report.pair.a, report.pair.b}), false);
  return Value::none();
}

std::string short_repr(Interpreter& vm, const Value& value) {
  std::string text = vm.repr(value);
  if (std::count(text.begin(), text.end(), '\n') <= 3) return text;
  size_t end = 0;
  for (int line = 0; line < 3; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end - 1) + "...";
}

// What is said of two values that are no arrays.
struct ValueReport {
  Interpreter& vm;
  std::string header;
  std::string note;  // err_msg
  bool verbose;

  [[noreturn]] void fail_with(const Value& actual, const Value& desired) const {
    std::string text = "\n" + header;
    const bool is_short = note.find('\n') == std::string::npos && note.size() + header.size() < 79;
    if (!note.empty()) text += (is_short ? " " : "\n") + note;
    if (verbose) {
      text += fmt::format("\n ACTUAL: {}\n DESIRED: {}", short_repr(vm, actual),
                          short_repr(vm, desired));
    }
    fail(vm, text);
  }
};

bool is_floating(const Value& value) {
  Generic* number = as_generic(value);
  return value.is_real() || (number && rt::kind(number->dtype()) == rt::Kind::kFloat);
}
bool is_real_number(const Value& value) {
  Generic* number = as_generic(value);
  return value.is_real() || value.is_integer() || value.is_boolean() ||
         (number && rt::kind(number->dtype()) != rt::Kind::kComplex);
}
bool is_complex(Interpreter& vm, const Value& value) {
  Generic* number = as_generic(value);
  return vm.is_instance(value, vm.types.complex) ||
         (number && rt::kind(number->dtype()) == rt::Kind::kComplex);
}

// NaNs are equal, and zeros of different signs are not.
bool are_equal(Interpreter& vm, const Value& a, const Value& b) {
  const bool numbers =
      (is_complex(vm, a) || is_real_number(a)) && (is_complex(vm, b) || is_real_number(b));
  if (numbers && (is_complex(vm, a) || is_complex(vm, b))) {
    return are_equal(vm, vm.get_attribute(a, "real"), vm.get_attribute(b, "real")) &&
           are_equal(vm, vm.get_attribute(a, "imag"), vm.get_attribute(b, "imag"));
  }
  if (numbers && (is_floating(a) || is_floating(b))) {
    const double x = vm.to_real(a), y = vm.to_real(b);
    if (std::isnan(x) && std::isnan(y)) return true;
    if (x == 0 && y == 0 && std::signbit(x) != std::signbit(y)) return false;
  }
  return vm.equal(a, b);
}

bool is_row(const Value& value) { return value.is<List>() || value.is<Tuple>(); }

void require_equal(const ValueReport& report, const Value& actual, const Value& desired,
                   bool strict);

void require_equal_lengths(const ValueReport& report, const Value& actual, const Value& desired) {
  Interpreter& vm = report.vm;
  require_equal(report, Value::integer(vm.length(actual)), Value::integer(vm.length(desired)),
                false);
}

void require_equal_dicts(const ValueReport& report, const Value& actual, const Value& desired) {
  Interpreter& vm = report.vm;
  if (!actual.is<Dict>()) fail(vm, vm.repr(Value(vm.type_of(actual))));
  require_equal_lengths(report, actual, desired);
  for (const Value& key : vm.collect(desired)) {
    if (!vm.contains(actual, key)) fail(vm, vm.repr(key));
    ValueReport inner = report;
    inner.note = fmt::format("key={}\n{}", vm.repr(key), report.note);
    require_equal(inner, vm.get_item(actual, key), vm.get_item(desired, key), false);
  }
}

void require_equal_rows(const ValueReport& report, const Value& actual, const Value& desired) {
  require_equal_lengths(report, actual, desired);
  const std::vector<Value> a = report.vm.collect(actual), b = report.vm.collect(desired);
  for (size_t i = 0; i < a.size(); ++i) {
    ValueReport inner = report;
    inner.note = fmt::format("item={}\n{}", i, report.note);
    require_equal(inner, a[i], b[i], false);
  }
}

void require_equal(const ValueReport& report, const Value& actual, const Value& desired,
                   bool strict) {
  Interpreter& vm = report.vm;
  if (desired.is<Dict>()) return require_equal_dicts(report, actual, desired);
  if (is_row(actual) && is_row(desired)) return require_equal_rows(report, actual, desired);
  if (as_ndarray(actual) || as_ndarray(desired)) {
    const Report arrays{vm, compared_pair(vm, actual, desired), kArraysHeader, report.note,
                        report.verbose};
    return require_equal_arrays(arrays, strict);
  }
  if (!are_equal(vm, actual, desired)) report.fail_with(actual, desired);
}

// (actual, desired, err_msg, verbose, strict)
Value assert_equal(Interpreter& vm, Args args) {
  const Quiet quiet(session(vm));
  const ValueReport report{vm, "Items are not equal:", vm.to_str(args[2]), vm.truth(args[3])};
  require_equal(report, args[0], args[1], vm.truth(args[4]));
  return Value::none();
}

// (actual, desired, decimal, err_msg, verbose)
Value assert_almost_equal(Interpreter& vm, Args args) {
  const bool many =
      as_ndarray(args[0]) || as_ndarray(args[1]) || args[0].is<List>() || args[1].is<List>();
  if (many) return assert_array_almost_equal(vm, args);
  const int64_t decimal = vm.to_index(args[2]);
  const double a = vm.to_real(args[0]), b = vm.to_real(args[1]);
  const bool both_nan = a != a && b != b;
  if (both_nan || std::fabs(b - a) < 1.5 * std::pow(10.0, -static_cast<double>(decimal)))
    return Value::none();
  ValueReport{vm, fmt::format("Arrays are not almost equal to {} decimals", decimal),
              vm.to_str(args[3]), vm.truth(args[4])}
      .fail_with(args[0], args[1]);
}

const Native kFunctions[] = {
    {"assert_allclose",
     "(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg='', verbose=True)",
     assert_allclose, "Raises AssertionError unless arrays are equal within a tolerance."},
    {"assert_array_equal", "(actual, desired, err_msg='', verbose=True, *, strict=False)",
     assert_array_equal, "Raises AssertionError unless arrays are equal."},
    {"assert_array_almost_equal", "(actual, desired, decimal=6, err_msg='', verbose=True)",
     assert_array_almost_equal, "Raises AssertionError unless arrays are equal to decimals."},
    {"assert_array_less", "(x, y, err_msg='', verbose=True)", assert_array_less,
     "Raises AssertionError unless each element is less."},
    {"assert_equal", "(actual, desired, err_msg='', verbose=True, *, strict=False)", assert_equal,
     "Raises AssertionError unless two values are equal."},
    {"assert_almost_equal", "(actual, desired, decimal=7, err_msg='', verbose=True)",
     assert_almost_equal, "Raises AssertionError unless numbers are equal to decimals."},
};

}  // namespace

Value open_testing(Interpreter& vm, const Namespace& names) {
  return make_part(vm, names, "testing", kFunctions);
}

Value open_exceptions(Interpreter& vm, const Namespace& names) {
  Ref<Module> module = make_part(vm, names, "exceptions", {});
  module->set(vm, "AxisError", Value(static_cast<Object*>(arrays(vm).axis_error)));
  return module;
}

}  // namespace gpy::lib
