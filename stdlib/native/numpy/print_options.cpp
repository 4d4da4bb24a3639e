// The options for printing arrays.
#include "src/array/print.h"

#include <algorithm>
#include <cmath>

#include "runtime/text/number_text.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

constexpr std::string_view kModes[] = {"fixed", "unique", "maxprec", "maxprec_equal"};

rt::FloatMode to_float_mode(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "floatmode");
  for (int i = 0; i < 4; ++i) {
    if (kModes[i] == text) return static_cast<rt::FloatMode>(i);
  }
  vm.raise_value_error(
      "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"");
}

int64_t to_threshold(Interpreter& vm, const Value& value) {
  const bool number =
      value.is_integer() || value.is_real() || value.is_boolean() || as_generic(value);
  if (!number) vm.raise_type_error("threshold must be numeric");
  const double limit = vm.to_real(value);
  if (limit != limit) {
    vm.raise_value_error(
        "threshold must be non-NAN, try sys.maxsize for untruncated representation");
  }
  return limit >= 9e18 ? INT64_MAX : static_cast<int64_t>(limit);
}

int64_t to_precision(Interpreter& vm, const Value& value) {
  if (!vm.has_index(value)) vm.raise_type_error("precision must be an integer");
  return vm.to_index(value);
}

char to_sign(Interpreter& vm, const Value& value) {
  const std::string_view sign = vm.to_text(value, "sign");
  if (sign != "-" && sign != "+" && sign != " ") {
    vm.raise_value_error("sign option must be one of ' ', '+', or '-'");
  }
  return sign[0];
}

int64_t to_linewidth(Interpreter& vm, const Value& value) {
  const double width = vm.to_real(value);
  return width >= 9e18 ? INT64_MAX : static_cast<int64_t>(width);
}

constexpr std::string_view kLegacies[] = {"1.13", "1.21", "1.25", "2.1", "2.2"};

// `before` where the argument is none of the known ones.
rt::LegacyLayout to_legacy(Interpreter& vm, const Value& value, rt::LegacyLayout before) {
  if (value.is<Str>()) {
    const auto found = std::ranges::find(kLegacies, value.as<Str>()->view());
    if (found != std::end(kLegacies)) {
      return static_cast<rt::LegacyLayout>(found - std::begin(kLegacies));
    }
  }
  if (vm.equal(value, Value::boolean(false))) {
    if (!value.is_boolean()) {
      vm.warn(vm.types.future_warning,
              fmt::format("Passing `legacy={}` is deprecated.", vm.repr(value)));
    }
    return rt::LegacyLayout::kNone;
  }
  vm.warn(vm.types.user_warning,
          "legacy printing option can currently only be '1.13', '1.21', '1.25', '2.1', '2.2' or "
          "`False`");
  return before;
}

Value legacy_value(Interpreter& vm, rt::LegacyLayout legacy) {
  if (legacy == rt::LegacyLayout::kNone) return Value::boolean(false);
  return vm.str(kLegacies[static_cast<int>(legacy)]);
}

// Calls `use` with the options now in force, changed where an argument is given.
// What is a script's own, `formatter` and `override_repr`, is always set anew.
template <Value (*use)(Interpreter&, rt::PrintOptions, const PrintHooks&)>
Value with_changed(Interpreter& vm, const Value& precision, const Value& threshold,
                   const Value& edgeitems, const Value& linewidth, const Value& suppress,
                   const Value& nanstr, const Value& infstr, const Value& formatter,
                   const Value& sign, const Value& floatmode, const Value& legacy,
                   const Value& override_repr) {
  rt::PrintOptions options = arrays(vm).print_options;
  if (is_given(precision)) options.precision = static_cast<int>(to_precision(vm, precision));
  if (is_given(threshold)) options.threshold = to_threshold(vm, threshold);
  if (is_given(edgeitems)) options.edgeitems = vm.to_index(edgeitems);
  if (is_given(linewidth)) options.linewidth = to_linewidth(vm, linewidth);
  if (is_given(suppress)) options.suppress = vm.truth(suppress);
  if (is_given(nanstr)) options.nanstr = vm.to_text(nanstr, "nanstr");
  if (is_given(infstr)) options.infstr = vm.to_text(infstr, "infstr");
  if (is_given(sign)) options.sign = to_sign(vm, sign);
  if (is_given(floatmode)) options.floatmode = to_float_mode(vm, floatmode);
  if (is_given(legacy)) options.legacy = to_legacy(vm, legacy, options.legacy);
  if (options.legacy == rt::LegacyLayout::k1_13) options.sign = '-';
  return use(vm, std::move(options), {formatter, override_repr});
}

Value set_options(Interpreter& vm, rt::PrintOptions options, const PrintHooks& hooks) {
  set_print_hooks(vm, hooks);
  arrays(vm).print_options = std::move(options);
  return Value::none();
}

Ref<Dict> options_dict(Interpreter& vm, const rt::PrintOptions& options, const PrintHooks& hooks) {
  Ref<Dict> dict = vm.dict();
  auto put = [&](const char* name, Value value) { dict->set(vm.intern(name), std::move(value)); };
  put("edgeitems", Value::integer(options.edgeitems));
  put("threshold", Value::integer(options.threshold));
  put("floatmode", vm.str(kModes[static_cast<int>(options.floatmode)]));
  put("precision", Value::integer(options.precision));
  put("suppress", Value::boolean(options.suppress));
  put("linewidth", Value::integer(options.linewidth));
  put("nanstr", vm.str(options.nanstr));
  put("infstr", vm.str(options.infstr));
  put("sign", vm.str({&options.sign, 1}));
  put("formatter", hooks.formatter);
  put("legacy", legacy_value(vm, options.legacy));
  put("override_repr", hooks.override_repr);
  return dict;
}

Value get_printoptions(Interpreter& vm) {
  return options_dict(vm, arrays(vm).print_options, print_hooks(vm));
}

// The layout in force as a number that orders releases: 113 for "1.13".
Value legacy_layout(Interpreter& vm) {
  static constexpr int64_t kNumbers[] = {113, 121, 125, 201, 202, 1000};
  return Value::integer(kNumbers[static_cast<int>(arrays(vm).print_options.legacy)]);
}

// --- with printoptions(...): ---------------------------------------------------------------------

struct PrintState : Object {
  static constexpr ObjectLayout kLayout = kPrintStateLayout;
  PrintState(Type* type, rt::PrintOptions wanted, PrintHooks hooks)
      : Object(type), wanted(std::move(wanted)), hooks(std::move(hooks)) {}
  rt::PrintOptions wanted, before;
  PrintHooks hooks, hooks_before;

  template <class F> void each_field(F&& f) {
    for (PrintHooks* each : {&hooks, &hooks_before}) {
      f(each->formatter);
      f(each->override_repr);
    }
  }
};

Value enter_options(Interpreter& vm, const Value& self) {
  auto* state = self.as<PrintState>();
  Value told = options_dict(vm, state->wanted, state->hooks);  // may fail: nothing was entered
  state->hooks_before = print_hooks(vm);
  set_print_hooks(vm, state->hooks);
  state->before = std::exchange(arrays(vm).print_options, state->wanted);
  return told;
}

bool exit_options(Interpreter& vm, const Value& self, const Value&) {
  set_print_hooks(vm, self.as<PrintState>()->hooks_before);
  arrays(vm).print_options = self.as<PrintState>()->before;
  return false;
}

Type* scope_type(Interpreter& vm) {
  return kept_type(vm, "_printoptions", [&] {
    return vm.make_type<PrintState>({.name = "printoptions",
                                     .module = "numpy",
                                     .slots = {.enter = enter_options,
                                               .exit = exit_options,
                                               .traverse = traverse_fields<PrintState>}});
  });
}

Value make_scope(Interpreter& vm, rt::PrintOptions options, const PrintHooks& hooks) {
  return vm.make<PrintState>(scope_type(vm), std::move(options), hooks);
}

// --- arrays as text ------------------------------------------------------------------------------

rt::PrintOptions text_options(Interpreter& vm, const Value& linewidth, const Value& precision,
                              const Value& suppress) {
  rt::PrintOptions options = arrays(vm).print_options;
  if (is_given(linewidth)) options.linewidth = vm.to_index(linewidth);
  if (is_given(precision)) options.precision = static_cast<int>(to_precision(vm, precision));
  if (is_given(suppress)) options.suppress = vm.truth(suppress);
  return options;
}

Value array_repr(Interpreter& vm, const Namespace& names, const Value& array,
                 const Value& linewidth, const Value& precision, const Value& suppress) {
  const rt::PrintOptions options = text_options(vm, linewidth, precision, suppress);
  return vm.str(array_repr_text(arrays(vm), to_array(vm, array, names), options));
}

Value array_str(Interpreter& vm, const Namespace& names, const Value& array, const Value& linewidth,
                const Value& precision, const Value& suppress) {
  const rt::PrintOptions options = text_options(vm, linewidth, precision, suppress);
  return vm.str(array_str_text(arrays(vm), to_array(vm, array, names), options));
}

Value array2string(Interpreter& vm, const Namespace& names, const Value& array,
                   const Value& linewidth, const Value& precision, const Value& suppress,
                   const Value& separator, const Value& prefix, const Value& formatter,
                   const Value& threshold, const Value& edgeitems, const Value& sign,
                   const Value& floatmode, const Value& suffix, const Value& legacy) {
  rt::PrintOptions options = text_options(vm, linewidth, precision, suppress);
  if (is_given(threshold)) options.threshold = to_threshold(vm, threshold);
  if (is_given(edgeitems)) options.edgeitems = vm.to_index(edgeitems);
  if (is_given(sign)) options.sign = to_sign(vm, sign);
  if (is_given(floatmode)) options.floatmode = to_float_mode(vm, floatmode);
  if (is_given(legacy)) options.legacy = to_legacy(vm, legacy, options.legacy);
  const std::string between(vm.to_text(separator, "separator"));
  const size_t before = vm.to_text(prefix, "prefix").size();
  const size_t after = vm.to_text(suffix, "suffix").size();
  const rt::Array shown = to_array(vm, array, names);
  const Value& table = is_given(formatter) ? formatter : print_hooks(vm).formatter;
  const Value function = formatter_for(vm, table, shown.dtype());
  if (function.is_undefined()) {
    return vm.str(array_to_text(arrays(vm), shown, options, between, before, after));
  }
  return vm.str(array_to_text(arrays(vm), shown, options, between, before, after, function));
}

struct FloatArgument {
  double value;
  rt::DType dtype;
};

FloatArgument float_argument(Interpreter& vm, const Value& value) {
  const auto dtype = dtype_of_value(vm, value);
  const bool narrow = dtype && rt::is_float(*dtype);
  return {vm.to_real(value), narrow ? *dtype : rt::DType::kFloat64};
}

rt::Trim to_trim(Interpreter& vm, const Value& value) {
  static constexpr std::string_view kTrims = "k.0-";
  const std::string_view text = vm.to_text(value, "trim");
  const size_t at = text.size() == 1 ? kTrims.find(text[0]) : std::string_view::npos;
  if (at == std::string_view::npos) {
    vm.raise_type_error("if supplied, trim must be 'k', '.', '0' or '-' found `{}`", text);
  }
  return static_cast<rt::Trim>(at);
}

// -1: not given.
int to_count(Interpreter& vm, const Value& value, std::string_view name) {
  if (!is_given(value)) return -1;
  const int64_t count = vm.to_index(value);
  if (!std::in_range<int>(count)) {
    vm.raise_overflow_error("Python int too large to convert to C int");
  }
  if (count < 0) vm.raise_value_error("{} must be >= 0", name);
  return static_cast<int>(count);
}

// The options that both notations have.
rt::FloatStyle float_style(Interpreter& vm, const Value& precision, bool unique, const Value& trim,
                           bool sign, const Value& pad_left, const Value& min_digits) {
  rt::FloatStyle style;
  style.precision = to_count(vm, precision, "precision");
  style.unique = unique;
  style.plus = sign;
  style.pad_left = to_count(vm, pad_left, "pad_left");
  style.min_digits = to_count(vm, min_digits, "min_digits");
  style.trim = to_trim(vm, trim);
  if (style.precision > 0 && style.min_digits > style.precision) {
    vm.raise_value_error("min_digits must be less than or equal to precision");
  }
  if (!unique && style.precision < 0) {
    vm.raise_type_error("in non-unique mode `precision` must be supplied");
  }
  return style;
}

std::string special_text(double value, const rt::FloatStyle& style) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-inf" : style.plus ? "+inf" : "inf";
}

Value format_float_positional(Interpreter& vm, const Value& x, const Value& precision, bool unique,
                              bool fractional, const Value& trim, bool sign, const Value& pad_left,
                              const Value& pad_right, const Value& min_digits) {
  const FloatArgument number = float_argument(vm, x);
  rt::FloatStyle style = float_style(vm, precision, unique, trim, sign, pad_left, min_digits);
  style.pad_right = to_count(vm, pad_right, "pad_right");
  style.fractional = fractional;
  if (!fractional && style.precision == 0) {
    vm.raise_value_error("precision must be greater than 0 if fractional=False");
  }
  if (!std::isfinite(number.value)) return vm.str(special_text(number.value, style));
  return vm.str(rt::positional_text(number.value, number.dtype, style));
}

Value format_float_scientific(Interpreter& vm, const Value& x, const Value& precision, bool unique,
                              const Value& trim, bool sign, const Value& pad_left,
                              const Value& exp_digits, const Value& min_digits) {
  const FloatArgument number = float_argument(vm, x);
  rt::FloatStyle style = float_style(vm, precision, unique, trim, sign, pad_left, min_digits);
  constexpr int kMostExponentDigits = 5;  // as NumPy
  style.exp_digits = std::min(to_count(vm, exp_digits, "exp_digits"), kMostExponentDigits);
  if (!std::isfinite(number.value)) return vm.str(special_text(number.value, style));
  return vm.str(rt::scientific_text(number.value, number.dtype, style));
}

constexpr const char* kOptions =
    "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, "
    "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)";

const Native kFunctions[] = {
    {"set_printoptions", kOptions, typed<with_changed<set_options>>,
     "Sets how arrays are printed."},
    {"get_printoptions", "()", typed<get_printoptions>, "How arrays are printed, as a dict."},
    {"_legacy_layout", "()", typed<legacy_layout>,
     "The release whose layout is printed: 113 for 1.13, 1000 for today's."},
    {"printoptions", kOptions, typed<with_changed<make_scope>>,
     "`with printoptions(...):` prints arrays that way inside."},
    {"array_repr", "(arr, max_line_width=None, precision=None, suppress_small=None)",
     typed<array_repr>, "What repr of an array gives, with options."},
    {"array_str", "(a, max_line_width=None, precision=None, suppress_small=None)", typed<array_str>,
     "What str of an array gives, with options."},
    {"array2string",
     "(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', prefix='', *, "
     "formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, suffix='', "
     "legacy=None)",
     typed<array2string>, "An array as text."},
    {"format_float_positional",
     "(x, precision=None, unique=True, fractional=True, trim='k', sign=False, pad_left=None, "
     "pad_right=None, min_digits=None)",
     typed<format_float_positional>, "A float without an exponent."},
    {"format_float_scientific",
     "(x, precision=None, unique=True, trim='k', sign=False, pad_left=None, exp_digits=None, "
     "min_digits=None)",
     typed<format_float_scientific>, "A float with an exponent."},
};

}  // namespace

Family print_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
