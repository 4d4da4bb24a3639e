#include "stdlib/native/numpy/testing_arrays.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "runtime/text/number_text.h"
#include "src/array/print.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

void fail_assertion(Interpreter& vm, const std::string& message) {
  vm.raise(vm.types.assertion_error, message);
}

std::string first_lines(std::string text) {
  if (std::count(text.begin(), text.end(), '\n') <= 3) return text;
  size_t end = 0;
  for (int line = 0; line < 3; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end - 1) + "...";
}

namespace {

std::string shown(const ArrayReport& report, const rt::Array& array) {
  Arrays& state = arrays(report.vm);
  rt::PrintOptions options = state.print_options;
  options.precision = report.precision;
  return first_lines(array_repr_text(state, array, options));
}

[[noreturn]] void fail(const ArrayReport& report, const ComparedPair& pair,
                       const std::string& reason) {
  std::string text = fmt::format("\n{}\n{}\n{}", report.header, report.note, reason);
  if (report.verbose) {
    text += fmt::format("\n {}: {}", report.names[0], shown(report, pair.a));
    text += fmt::format("\n {}: {}", report.names[1], shown(report, pair.b));
  }
  fail_assertion(report.vm, text);
}

bool all_true(Interpreter& vm, const rt::Array& array) {
  return rt::item(session(vm), rt::reduce(session(vm), rt::Fold::logical_and, array, {})).truth();
}

rt::Array picked(Interpreter& vm, const rt::Array& array, const rt::Array& mask) {
  return rt::get_items(session(vm), array, std::vector<rt::IndexItem>{mask});
}

// --- shapes, NaNs and infinities -----------------------------------------------------------------

void require_shapes(const ArrayReport& report, bool strict) {
  const rt::Array &a = report.pair.a, &b = report.pair.b;
  const bool scalar = !strict && (a.rank() == 0 || b.rank() == 0);
  if (!scalar && !(a.shape() == b.shape())) {
    fail(report, report.pair,
         fmt::format("(shapes {}, {} mismatch)", rt::tuple_text(a.shape()),
                     rt::tuple_text(b.shape())));
  }
  if (strict && a.dtype() != b.dtype()) {
    fail(report, report.pair,
         fmt::format("(dtypes {}, {} mismatch)", rt::name(a.dtype()), rt::name(b.dtype())));
  }
}

// The elements where `test` is true, which must be the same in both; a 0-d truth is that of all.
template <class Test>
rt::Array same_places(const ArrayReport& report, const char* what, const Test& test) {
  const rt::Array a = test(report.pair.a), b = test(report.pair.b);
  if (!all_true(report.vm, ops::equal(report.vm, a, b))) {
    fail(report, report.pair, fmt::format("{} location mismatch:", what));
  }
  return a.rank() == 0 ? a : b;
}

void require_same_infinities(const ArrayReport& report, const rt::Array& infinities) {
  Interpreter& vm = report.vm;
  if (all_true(vm, ops::logical_not(vm, infinities))) return;
  ComparedPair pair = report.pair;
  if (pair.a.rank() > 0 && pair.b.rank() > 0) {
    pair.a = picked(vm, pair.a, infinities);
    pair.b = picked(vm, pair.b, infinities);
  }
  if (!all_true(vm, ops::equal(vm, pair.a, pair.b))) {
    fail(report, pair, "inf values mismatch:");
  }
}

// The NaNs and infinities that the demands have compared; nullopt where they ask for nothing.
std::optional<rt::Array> settled_elements(const ArrayReport& report, const Demands& demands) {
  Interpreter& vm = report.vm;
  std::optional<rt::Array> nans;
  if (demands.equal_nan) {
    nans = same_places(report, "nan", [&](const rt::Array& x) { return ops::isnan(vm, x); });
  }
  if (!demands.equal_inf) return nans;
  const rt::Array infinities = same_places(report, "inf", [&](const rt::Array& x) {
    const rt::Array infinite = ops::isinf(vm, x);
    return nans ? ops::greater(vm, infinite, *nans) : infinite;
  });
  require_same_infinities(report, infinities);
  return nans ? ops::logical_or(vm, *nans, infinities) : infinities;
}

bool any_inexact(const ComparedPair& pair) {
  return rt::is_inexact(pair.a.dtype()) || rt::is_inexact(pair.b.dtype());
}

// --- differences ---------------------------------------------------------------------------------

std::string count_text(Interpreter& vm, const rt::Array& wrong) {
  const int64_t count =
      rt::item(session(vm), rt::reduce(session(vm), rt::Fold::count_nonzero, wrong, {})).as_int();
  const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(wrong.size());
  return fmt::format("Mismatched elements: {} / {} ({:.3g}%)", count, wrong.size(), percent);
}

// The element as a Python number, which has the digits of a double.
std::string element_text(Interpreter& vm, const rt::Array& array, std::span<const int64_t> at) {
  const std::vector<rt::IndexItem> items(at.begin(), at.end());
  const rt::Scalar element = rt::item(session(vm), rt::get_items(session(vm), array, items));
  if (!rt::is_inexact(array.dtype())) return rt::scalar_str(element);
  const bool complex = rt::is_complex(array.dtype());
  return rt::scalar_str(element.cast(complex ? rt::DType::kComplex128 : rt::DType::kFloat64));
}

std::vector<int64_t> place(Interpreter& vm, const std::vector<rt::Array>& places, int64_t i) {
  std::vector<int64_t> at;
  for (const rt::Array& axis : places) {
    const std::vector<rt::IndexItem> item{i};
    at.push_back(rt::item(session(vm), rt::get_items(session(vm), axis, item)).as_int());
  }
  return at;
}

std::string places_text(const ArrayReport& report, const rt::Array& wrong) {
  constexpr int64_t kMost = 5;
  Interpreter& vm = report.vm;
  const std::vector<rt::Array> places = rt::nonzero(session(vm), wrong);
  const int64_t count = places[0].size();
  std::string text = count > kMost ? "First 5 mismatches are at indices:"
                     : count == 1  ? "Mismatch at index:"
                                   : "Mismatch at indices:";
  const rt::Array a = rt::broadcast_to(report.pair.a, wrong.shape());
  const rt::Array b = rt::broadcast_to(report.pair.b, wrong.shape());
  for (int64_t i = 0; i < std::min(count, kMost); ++i) {
    const std::vector<int64_t> at = place(vm, places, i);
    text += fmt::format("\n [{}]: {} ({}), {} ({})", fmt::join(at, ", "), element_text(vm, a, at),
                        report.names[0], element_text(vm, b, at), report.names[1]);
  }
  return text;
}

// Unsigned differences wrap around on one side; like NumPy, this looks at the first array alone.
rt::Array distances(Interpreter& vm, const rt::Array& a, const rt::Array& b) {
  const auto distance = [&](const rt::Array& x, const rt::Array& y) {
    return ops::absolute(vm, ops::subtract(vm, x, y));
  };
  const bool wraps = rt::kind(a.dtype()) == rt::DTypeKind::kUnsigned;
  return wraps ? ops::minimum(vm, distance(a, b), distance(b, a)) : distance(a, b);
}

std::string largest_text(Interpreter& vm, const rt::Array& numbers) {
  const rt::Array largest = rt::reduce(session(vm), rt::Fold::maximum, numbers, {});
  return array_to_text(arrays(vm), largest, arrays(vm).print_options, " ", 0, 0);
}

std::string largest_differences(const ArrayReport& report, const rt::Array& wrong) {
  Interpreter& vm = report.vm;
  const rt::Array a = picked(vm, rt::broadcast_to(report.pair.a, wrong.shape()), wrong);
  const rt::Array b = picked(vm, rt::broadcast_to(report.pair.b, wrong.shape()), wrong);
  const rt::Array errors = distances(vm, a, b);
  const rt::Array sizes = ops::absolute(vm, b);
  const rt::Array nonzero = ops::not_equal(vm, sizes, rt::Scalar::weak(int64_t{0}));
  const rt::Array divisors = picked(vm, sizes, nonzero);
  const std::string ratio =
      divisors.size() == 0
          ? "inf"
          : largest_text(vm, ops::divide(vm, picked(vm, errors, nonzero), divisors));
  return fmt::format(
      "Max absolute difference among violations: {}\n"
      "Max relative difference among violations: {}",
      largest_text(vm, errors), ratio);
}

std::string mismatch_text(const ArrayReport& report, const rt::Array& wrong) {
  std::string text = count_text(report.vm, wrong);
  if (wrong.rank() > 0) text += "\n" + places_text(report, wrong);
  const bool truths =
      report.pair.a.dtype() == rt::DType::kBool && report.pair.b.dtype() == rt::DType::kBool;
  return truths ? text : text + "\n" + largest_differences(report, wrong);
}

}  // namespace

void require_elements(const ArrayReport& report, const Demands& demands, const Holds& holds) {
  require_shapes(report, demands.strict);
  std::optional<rt::Array> settled;
  if (any_inexact(report.pair)) settled = settled_elements(report, demands);
  rt::Array good = holds(report.pair);
  if (settled) good = ops::logical_or(report.vm, good, *settled);
  if (all_true(report.vm, good)) return;
  fail(report, report.pair, mismatch_text(report, ops::logical_not(report.vm, good)));
}

}  // namespace gpy::lib
