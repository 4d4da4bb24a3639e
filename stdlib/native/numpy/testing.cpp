// numpy.testing: assertions on arrays, and on values with arrays among them.
#include <algorithm>
#include <cmath>

#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/calls/override.h"
#include "stdlib/native/numpy/dtypes.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/numpy/open.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/numpy/testing_arrays.h"

namespace gpy::lib {

namespace {

// --- arrays --------------------------------------------------------------------------------------

constexpr const char* kArraysHeader = "Arrays are not equal";

std::string almost_header(int64_t decimal) {
  return fmt::format("Arrays are not almost equal to {} decimals", decimal);
}

double almost_limit(int64_t decimal) { return 1.5 * std::pow(10.0, -static_cast<double>(decimal)); }

ArrayReport make_report(Interpreter& vm, const Value& actual, const Value& desired,
                        std::string header, const Value& note, bool verbose) {
  return {vm, compared_pair(vm, actual, desired), std::move(header), vm.to_str(note), verbose};
}

void require_equal_arrays(const ArrayReport& report, bool strict) {
  require_elements(report, {.strict = strict},
                   [&](const ComparedPair& pair) { return ops::equal(report.vm, pair.a, pair.b); });
}

void require_almost_equal_arrays(ArrayReport report, int64_t decimal) {
  Interpreter& vm = report.vm;
  const rt::Scalar limit = rt::Scalar::weak(almost_limit(decimal));
  report.precision = static_cast<int>(std::clamp<int64_t>(decimal, 0, 100));
  require_elements(report, {}, [&](const ComparedPair& pair) {
    const rt::Array difference = ops::subtract(vm, pair.a, as_inexact(vm, pair.b));
    return ops::less(vm, ops::absolute(vm, difference), limit);
  });
}

Value assert_allclose(Interpreter& vm, const Value& actual, const Value& desired, double rtol,
                      double atol, bool equal_nan, const Value& note, bool verbose, bool strict) {
  const Quiet quiet(session(vm));
  const Tolerance tolerance{rt::Scalar::weak(rtol), rt::Scalar::weak(atol), equal_nan};
  const std::string header = fmt::format("Not equal to tolerance rtol={:g}, atol={:g}", rtol, atol);
  const Demands demands{.strict = strict, .equal_nan = equal_nan};
  require_elements(make_report(vm, actual, desired, header, note, verbose), demands,
                   [&](const ComparedPair& pair) { return close_elements(vm, pair, tolerance); });
  return Value::none();
}

Value assert_array_equal(Interpreter& vm, const Value& actual, const Value& desired,
                         const Value& note, bool verbose, bool strict) {
  const Quiet quiet(session(vm));
  require_equal_arrays(make_report(vm, actual, desired, kArraysHeader, note, verbose), strict);
  return Value::none();
}

Value assert_array_almost_equal(Interpreter& vm, const Value& actual, const Value& desired,
                                int64_t decimal, const Value& note, bool verbose) {
  const Quiet quiet(session(vm));
  require_almost_equal_arrays(
      make_report(vm, actual, desired, almost_header(decimal), note, verbose), decimal);
  return Value::none();
}

Value assert_array_less(Interpreter& vm, const Value& x, const Value& y, const Value& note,
                        bool verbose, bool strict) {
  const Quiet quiet(session(vm));
  ArrayReport report =
      make_report(vm, x, y, "Arrays are not strictly ordered `x < y`", note, verbose);
  report.names[0] = "x";
  report.names[1] = "y";
  const Demands demands{.strict = strict, .equal_inf = false};
  require_elements(report, demands,
                   [&](const ComparedPair& pair) { return ops::less(vm, pair.a, pair.b); });
  return Value::none();
}

// `comparison` gets the elements at which neither nan nor inf decides.
Value assert_array_compare(Interpreter& vm, const Value& comparison, const Value& x, const Value& y,
                           const Value& note, bool verbose, const Value& header, int64_t precision,
                           bool equal_nan, bool equal_inf, bool strict, const Value& names) {
  const Quiet quiet(session(vm));
  ArrayReport report = make_report(vm, x, y, vm.to_str(header), note, verbose);
  report.precision = static_cast<int>(std::clamp<int64_t>(precision, 0, 100));
  const std::vector<Value> both = is_given(names) ? vm.collect(names) : std::vector<Value>();
  for (size_t i = 0; i < 2 && i < both.size(); ++i) report.names[i] = vm.to_text(both[i]);
  const Demands demands{.strict = strict, .equal_nan = equal_nan, .equal_inf = equal_inf};
  require_elements(report, demands, [&](const ComparedPair& pair) {
    const Value told = vm.call(comparison, {wrap_array(vm, pair.a), wrap_array(vm, pair.b)});
    return to_array(vm, told, kNumpy);
  });
  return Value::none();
}

// --- messages about values -----------------------------------------------------------------------

std::string shown(Interpreter& vm, const Value& value) {
  try {
    return first_lines(vm.repr(value));
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.exception)) throw;
    return fmt::format("[repr failed for <{}>: {}]", vm.type_of(value)->name,
                       vm.to_str(raised.exception));
  }
}

// The message about two values that are not arrays. It names the places of items within others,
// which are put together only when something differs.
struct ValueReport {
  Interpreter& vm;
  std::string_view header;
  std::string note;  // err_msg
  bool verbose;
  const ValueReport* around = nullptr;
  std::string place = {};  // the place within `around`: "item=3"

  ValueReport within(std::string at) const {
    return {vm, header, {}, verbose, this, std::move(at)};
  }
  std::string whole_note() const {
    std::string text;
    const ValueReport* each = this;
    for (; each->around; each = each->around) text += each->place + "\n";
    return text + each->note;
  }
  [[noreturn]] void fail_with(const Value& actual, const Value& desired) const {
    const std::string said = whole_note();
    const bool is_short = said.find('\n') == std::string::npos && said.size() + header.size() < 79;
    std::string text = fmt::format("\n{}", header);
    if (!said.empty()) text += (is_short ? " " : "\n") + said;
    if (verbose) {
      text += fmt::format("\n ACTUAL: {}\n DESIRED: {}", shown(vm, actual), shown(vm, desired));
    }
    fail_assertion(vm, text);
  }
};

// --- numbers -------------------------------------------------------------------------------------

bool is_floating(const Value& value) {
  Generic* number = as_generic(value);
  return value.is_real() || (number && rt::kind(number->dtype()) == rt::DTypeKind::kFloat);
}
bool is_real_number(const Value& value) {
  Generic* number = as_generic(value);
  return value.is_real() || value.is_integer() || value.is_boolean() ||
         (number && rt::kind(number->dtype()) != rt::DTypeKind::kComplex);
}
bool is_complex(Interpreter& vm, const Value& value) {
  if (Generic* number = as_generic(value)) return rt::is_complex(number->dtype());
  if (auto* array = as_ndarray(value)) return rt::is_complex(array->array.dtype());
  return vm.is_instance(value, vm.types.complex);
}
// Whether at least one is complex, and the other a number too.
bool are_complex(Interpreter& vm, const Value& a, const Value& b) {
  const bool complex_a = is_complex(vm, a), complex_b = is_complex(vm, b);
  return (complex_a && (complex_b || is_real_number(b))) || (complex_b && is_real_number(a));
}

// NaNs are equal, and zeros of different signs are not.
bool are_equal(Interpreter& vm, const Value& actual, const Value& desired) {
  if (are_complex(vm, actual, desired)) {
    const auto equal = [&](const char* part) {
      return are_equal(vm, vm.get_attribute(actual, part), vm.get_attribute(desired, part));
    };
    return equal("real") && equal("imag");
  }
  if (is_scalar(actual) != is_scalar(desired)) return false;
  const bool real = is_real_number(actual) && is_real_number(desired);
  if (real && (is_floating(actual) || is_floating(desired))) {
    const double x = vm.to_real(actual), y = vm.to_real(desired);
    if (std::isnan(x) && std::isnan(y)) return true;
    if (x == 0 && y == 0 && std::signbit(x) != std::signbit(y)) return false;
  }
  return vm.truth(vm.compare(CompareOp::equal, desired, actual));
}

bool are_almost_equal(Interpreter& vm, const Value& actual, const Value& desired, double limit) {
  if (is_real_number(actual) && is_real_number(desired)) {
    const double x = vm.to_real(actual), y = vm.to_real(desired);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
  }
  const Value difference = vm.binary(BinaryOp::subtract, desired, actual);
  const Value distance = vm.call_method(difference, "__abs__");
  return !vm.truth(vm.compare(CompareOp::greater_equal, distance, Value::real(limit)));
}

// --- values --------------------------------------------------------------------------------------

// Dates, records and the like, which compare in a way of their own: NaT equals NaT here.
bool is_of_other_kind(Interpreter& vm, const Value& value) {
  return value.is_object() && librarys_array_function(vm, vm.type_of(value));
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
  if (!actual.is<Dict>()) fail_assertion(vm, vm.repr(Value(vm.type_of(actual))));
  require_equal_lengths(report, actual, desired);
  vm.for_each(desired, [&](const Value& key) {
    if (!vm.contains(actual, key)) fail_assertion(vm, vm.repr(key));
    const ValueReport inner = report.within("key=" + vm.repr(key));
    require_equal(inner, vm.get_item(actual, key), vm.get_item(desired, key), false);
  });
}

void require_equal_rows(const ValueReport& report, const Value& actual, const Value& desired) {
  Interpreter& vm = report.vm;
  require_equal_lengths(report, actual, desired);
  const int64_t count = vm.length(desired);
  for (int64_t i = 0; i < count; ++i) {
    const Value at = Value::integer(i);
    const ValueReport inner = report.within(fmt::format("item={}", i));
    require_equal(inner, vm.get_item(actual, at), vm.get_item(desired, at), false);
  }
}

void require_equal(const ValueReport& report, const Value& actual, const Value& desired,
                   bool strict) {
  Interpreter& vm = report.vm;
  vm.check_stack();
  vm.poll();
  if (desired.is<Dict>()) return require_equal_dicts(report, actual, desired);
  if (is_row(actual) && is_row(desired)) return require_equal_rows(report, actual, desired);
  if (is_of_other_kind(vm, actual) || is_of_other_kind(vm, desired)) {
    vm.call(find_in_library(vm, kNumpy, "kinds", "assert_equal"),
            {actual, desired, vm.str(report.whole_note()), Value::boolean(report.verbose)});
    return;
  }
  if (as_ndarray(actual) || as_ndarray(desired)) {
    const ArrayReport arrays{vm, compared_pair(vm, actual, desired), kArraysHeader,
                             report.whole_note(), report.verbose};
    return require_equal_arrays(arrays, strict);
  }
  if (!are_equal(vm, actual, desired)) report.fail_with(actual, desired);
}

Value assert_equal(Interpreter& vm, const Value& actual, const Value& desired, const Value& note,
                   bool verbose, bool strict) {
  for (const Value& value : {actual, desired}) {
    if (value.is_object()) leave_to(vm, value);
  }
  const Quiet quiet(session(vm));
  const ValueReport report{vm, "Items are not equal:", vm.to_str(note), verbose};
  require_equal(report, actual, desired, strict);
  return Value::none();
}

bool is_many(const Value& value) { return as_ndarray(value) || is_row(value); }

void require_almost_equal(const ValueReport& report, const Value& actual, const Value& desired,
                          int64_t decimal);

// Compares the real parts, then the imaginary ones, each as the numbers or arrays that they are.
void require_almost_equal_parts(const ValueReport& report, const Value& actual,
                                const Value& desired, int64_t decimal) {
  Interpreter& vm = report.vm;
  const ValueReport parts{vm, report.header, "", true};
  const auto part = [&](const Value& value, const char* name, const Value& otherwise) {
    return is_complex(vm, value) ? vm.get_attribute(value, name) : otherwise;
  };
  const Value zero = Value::integer(0);
  try {
    require_almost_equal(parts, part(actual, "real", actual), part(desired, "real", desired),
                         decimal);
    require_almost_equal(parts, part(actual, "imag", zero), part(desired, "imag", zero), decimal);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.assertion_error)) throw;
    report.fail_with(actual, desired);
  }
}

// As in NumPy, arrays are shown even where `verbose` is false.
void require_almost_equal(const ValueReport& report, const Value& actual, const Value& desired,
                          int64_t decimal) {
  Interpreter& vm = report.vm;
  if (is_complex(vm, actual) || is_complex(vm, desired)) {
    require_almost_equal_parts(report, actual, desired, decimal);
  }
  if (is_many(actual) || is_many(desired)) {
    return require_almost_equal_arrays(
        {vm, compared_pair(vm, actual, desired), std::string(report.header), report.note}, decimal);
  }
  if (!are_almost_equal(vm, actual, desired, almost_limit(decimal))) {
    report.fail_with(actual, desired);
  }
}

Value assert_almost_equal(Interpreter& vm, const Value& actual, const Value& desired,
                          int64_t decimal, const Value& note, bool verbose) {
  for (const Value& value : {actual, desired}) {
    if (value.is_object()) leave_to(vm, value);
  }
  const Quiet quiet(session(vm));
  const std::string header = almost_header(decimal);
  const ValueReport report{vm, header, vm.to_str(note), verbose};
  require_almost_equal(report, actual, desired, decimal);
  return Value::none();
}

const Native kFunctions[] = {
    {"assert_allclose",
     "(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg='', verbose=True, *, "
     "strict=False)",
     typed<assert_allclose>, "Raises AssertionError unless arrays are equal within a tolerance."},
    {"assert_array_equal", "(actual, desired, err_msg='', verbose=True, *, strict=False)",
     typed<assert_array_equal>, "Raises AssertionError unless arrays are equal."},
    {"assert_array_almost_equal", "(actual, desired, decimal=6, err_msg='', verbose=True)",
     typed<assert_array_almost_equal>,
     "Raises AssertionError unless arrays are equal to decimals."},
    {"assert_array_less", "(x, y, err_msg='', verbose=True, *, strict=False)",
     typed<assert_array_less>, "Raises AssertionError unless each element is less."},
    {"assert_array_compare",
     "(comparison, x, y, err_msg='', verbose=True, header='', precision=6, equal_nan=True, "
     "equal_inf=True, *, strict=False, names=<omitted>)",
     typed<assert_array_compare>,
     "Raises AssertionError unless `comparison` of two arrays is true everywhere."},
    {"assert_equal", "(actual, desired, err_msg='', verbose=True, *, strict=False)",
     typed<assert_equal>, "Raises AssertionError unless two values are equal."},
    {"assert_almost_equal", "(actual, desired, decimal=7, err_msg='', verbose=True)",
     typed<assert_almost_equal>, "Raises AssertionError unless numbers are equal to decimals."},
};

}  // namespace

Value open_testing(Interpreter& vm, const Namespace& names) {
  return make_library_part(vm, names, "testing", kFunctions);
}

// NumPy's names for C's types stand for those of their widths.
Value open_dtypes(Interpreter& vm, const Namespace& names) {
  constexpr std::pair<const char*, rt::DType> kNamesOfC[] = {
      {"ByteDType", rt::DType::kInt8},      {"UByteDType", rt::DType::kUInt8},
      {"ShortDType", rt::DType::kInt16},    {"UShortDType", rt::DType::kUInt16},
      {"IntDType", rt::DType::kInt32},      {"UIntDType", rt::DType::kUInt32},
      {"LongDType", rt::DType::kInt64},     {"ULongDType", rt::DType::kUInt64},
      {"LongLongDType", rt::DType::kInt64}, {"ULongLongDType", rt::DType::kUInt64},
  };
  Ref<Module> module = make_part(vm, names, "dtypes", {});
  const auto& types = arrays(vm).dtype_types;
  for (Type* type : types) module->set(vm, type->name, Value(static_cast<Object*>(type)));
  for (const auto& [name, dtype] : kNamesOfC) {
    module->set(vm, name, Value(static_cast<Object*>(types[dtype.index()])));
  }
  for (const char* name : {"StrDType", "BytesDType", "VoidDType", "ObjectDType", "DateTime64DType",
                           "TimeDelta64DType", "LongDoubleDType", "CLongDoubleDType"}) {
    module->set(vm, name, find_in_library(vm, kNumpy, "kinds", name));
  }
  return module;
}

// The three namespaces have the same classes: numpy's.
Value open_exceptions(Interpreter& vm, const Namespace& names) {
  struct Kind {
    const char* name;
    Type* base;
    const char* doc;
  };
  const Types& types = vm.types;
  const Kind kinds[] = {
      {"ComplexWarning", types.runtime_warning, "An imaginary part is dropped."},
      {"DTypePromotionError", types.type_error, "Dtypes that have no common one."},
      {"ModuleDeprecationWarning", types.deprecation_warning, "A module will go."},
      {"RankWarning", types.runtime_warning, "A polynomial's fit is poorly conditioned."},
      {"TooHardError", types.runtime_error, "What takes too much work to find out."},
      {"VisibleDeprecationWarning", types.user_warning, "What will go, told by default."},
  };
  Ref<Module> module = make_part(vm, names, "exceptions", {});
  module->set(vm, "AxisError", Value(static_cast<Object*>(arrays(vm).axis_error)));
  const Value host = names.is_numpy() ? Value() : vm.import_module("numpy.exceptions");
  for (const auto& [name, base, doc] : kinds) {
    if (!names.is_numpy()) {
      module->set(vm, name, vm.get_attribute(host, name));
      continue;
    }
    Type* const made = vm.make_type<Exception>(
        {.name = name, .module = "numpy.exceptions", .doc = doc, .base = base, .is_final = false});
    module->set(vm, name, Value(static_cast<Object*>(made)));
  }
  return module;
}

}  // namespace gpy::lib
