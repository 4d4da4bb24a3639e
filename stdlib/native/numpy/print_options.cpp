// How arrays are printed.
#include "src/array/print.h"

#include "runtime/text/number_text.h"
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

// The slots of set_printoptions: precision, threshold, edgeitems, linewidth, suppress, nanstr,
// infstr, formatter, sign, floatmode.
rt::PrintOptions changed(Interpreter& vm, rt::PrintOptions options, const Value* slots) {
  if (is_given(slots[0])) options.precision = static_cast<int>(to_precision(vm, slots[0]));
  if (is_given(slots[1])) options.threshold = to_threshold(vm, slots[1]);
  if (is_given(slots[2])) options.edgeitems = vm.to_index(slots[2]);
  if (is_given(slots[3])) {
    const double width = vm.to_real(slots[3]);
    options.linewidth = width >= 9e18 ? INT64_MAX : static_cast<int64_t>(width);
  }
  if (is_given(slots[4])) options.suppress = vm.truth(slots[4]);
  if (is_given(slots[5])) options.nanstr = vm.to_text(slots[5], "nanstr");
  if (is_given(slots[6])) options.infstr = vm.to_text(slots[6], "infstr");
  if (is_given(slots[7])) {
    vm.raise_not_implemented_error(
        "formatter= is not supported: format the elements with an f-string");
  }
  if (is_given(slots[8])) options.sign = to_sign(vm, slots[8]);
  if (is_given(slots[9])) options.floatmode = to_float_mode(vm, slots[9]);
  return options;
}

Value set_printoptions(Interpreter& vm, Args args) {
  Arrays& state = arrays(vm);
  state.print_options = changed(vm, state.print_options, args.begin());
  return Value::none();
}

Ref<Dict> options_dict(Interpreter& vm, const rt::PrintOptions& options) {
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
  put("formatter", Value::none());
  put("legacy", Value::boolean(false));
  put("override_repr", Value::none());
  return dict;
}

Value get_printoptions(Interpreter& vm, Args) { return options_dict(vm, arrays(vm).print_options); }

// --- with printoptions(...): ---------------------------------------------------------------------

struct PrintState : Object {
  static constexpr Layout kLayout = kPrintStateLayout;
  PrintState(Type* type, rt::PrintOptions wanted) : Object(type), wanted(std::move(wanted)) {}
  rt::PrintOptions wanted, before;
};

Value enter_options(Interpreter& vm, const Value& self) {
  auto* state = self.as<PrintState>();
  Value told = options_dict(vm, state->wanted);  // may fail, and then nothing was entered
  state->before = std::exchange(arrays(vm).print_options, state->wanted);
  return told;
}

bool exit_options(Interpreter& vm, const Value& self, const Value&) {
  arrays(vm).print_options = self.as<PrintState>()->before;
  return false;
}

Type* scope_type(Interpreter& vm) {
  return kept_type(vm, "_printoptions", [&] {
    return vm.make_type<PrintState>({.name = "printoptions",
                                     .module = "numpy",
                                     .slots = {.enter = enter_options, .exit = exit_options}});
  });
}

Value printoptions(Interpreter& vm, Args args) {
  return vm.make<PrintState>(scope_type(vm), changed(vm, arrays(vm).print_options, args.begin()));
}

// --- arrays as text ------------------------------------------------------------------------------

// (a, max_line_width, precision, suppress_small)
rt::PrintOptions text_options(Interpreter& vm, const Args& args) {
  rt::PrintOptions options = arrays(vm).print_options;
  if (is_given(args[1])) options.linewidth = vm.to_index(args[1]);
  if (is_given(args[2])) options.precision = static_cast<int>(to_precision(vm, args[2]));
  if (is_given(args[3])) options.suppress = vm.truth(args[3]);
  return options;
}

Value array_repr(Interpreter& vm, Args args) {
  return vm.str(array_repr_text(arrays(vm), array_argument(vm, args), text_options(vm, args)));
}

Value array_str(Interpreter& vm, Args args) {
  return vm.str(array_str_text(arrays(vm), array_argument(vm, args), text_options(vm, args)));
}

// (a, max_line_width, precision, suppress_small, separator, prefix, formatter, threshold,
// edgeitems, sign, floatmode, suffix)
Value array2string(Interpreter& vm, Args args) {
  rt::PrintOptions options = text_options(vm, args);
  if (is_given(args[6])) {
    vm.raise_not_implemented_error(
        "formatter= is not supported: format the elements with an f-string");
  }
  if (is_given(args[7])) options.threshold = to_threshold(vm, args[7]);
  if (is_given(args[8])) options.edgeitems = vm.to_index(args[8]);
  if (is_given(args[9])) options.sign = to_sign(vm, args[9]);
  if (is_given(args[10])) options.floatmode = to_float_mode(vm, args[10]);
  const std::string separator(vm.to_text(args[4], "separator"));
  const size_t prefix = vm.to_text(args[5], "prefix").size();
  const size_t suffix = vm.to_text(args[11], "suffix").size();
  return vm.str(
      array_to_text(arrays(vm), array_argument(vm, args), options, separator, prefix, suffix));
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

int small_int(Interpreter& vm, const Value& value) {
  return is_given(value) ? static_cast<int>(vm.to_index(value)) : -1;
}

// (x, precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)
Value format_float_positional(Interpreter& vm, Args args) {
  const FloatArgument x = float_argument(vm, args[0]);
  rt::FloatStyle style;
  style.precision = small_int(vm, args[1]);
  style.unique = vm.truth(args[2]);
  style.trim = to_trim(vm, args[4]);
  style.plus = vm.truth(args[5]);
  style.pad_left = small_int(vm, args[6]);
  style.pad_right = small_int(vm, args[7]);
  style.min_digits = small_int(vm, args[8]);
  return vm.str(rt::positional_text(x.value, x.dtype, style));
}

// (x, precision, unique, trim, sign, pad_left, exp_digits, min_digits)
Value format_float_scientific(Interpreter& vm, Args args) {
  const FloatArgument x = float_argument(vm, args[0]);
  rt::FloatStyle style;
  style.precision = small_int(vm, args[1]);
  style.unique = vm.truth(args[2]);
  style.trim = to_trim(vm, args[3]);
  style.plus = vm.truth(args[4]);
  style.pad_left = small_int(vm, args[5]);
  style.exp_digits = small_int(vm, args[6]);
  style.min_digits = small_int(vm, args[7]);
  return vm.str(rt::scientific_text(x.value, x.dtype, style));
}

constexpr const char* kOptions =
    "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, "
    "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)";

const Native kFunctions[] = {
    {"set_printoptions", kOptions, set_printoptions, "Sets how arrays are printed."},
    {"get_printoptions", "()", get_printoptions, "How arrays are printed, as a dict."},
    {"printoptions", kOptions, printoptions,
     "`with printoptions(...):` prints arrays that way inside."},
    {"array_repr", "(arr, max_line_width=None, precision=None, suppress_small=None)", array_repr,
     "What repr of an array gives, with options."},
    {"array_str", "(a, max_line_width=None, precision=None, suppress_small=None)", array_str,
     "What str of an array gives, with options."},
    {"array2string",
     "(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', prefix='', *, "
     "formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, suffix='', "
     "legacy=None)",
     array2string, "An array as text."},
    {"format_float_positional",
     "(x, precision=None, unique=True, fractional=True, trim='k', sign=False, pad_left=None, "
     "pad_right=None, min_digits=None)",
     format_float_positional, "A float without an exponent."},
    {"format_float_scientific",
     "(x, precision=None, unique=True, trim='k', sign=False, pad_left=None, exp_digits=None, "
     "min_digits=None)",
     format_float_scientific, "A float with an exponent."},
};

}  // namespace

Family print_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
