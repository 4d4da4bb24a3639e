// The module sys.
#include <cfloat>

#include "src/builtin_objects.h"
#include "src/interpreter.h"
#include "src/types/file.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static Value sys_exit(Interpreter& vm, Args args) {
  Value type(vm.types.system_exit);
  vm.raise(args[0].is_none() ? vm.call(type) : vm.call(type, {args[0]}));
}

static Value sys_getrecursionlimit(Interpreter& vm, Args) {
  return Value::integer(vm.recursion_limit);
}

static Value sys_setrecursionlimit(Interpreter& vm, Args args) {
  int64_t limit = vm.to_index(args[0]);
  if (limit < 1) vm.raise_value_error("recursion limit must be greater or equal than 1");
  vm.recursion_limit = limit;
  return Value::none();
}

static Value sys_getsizeof(Interpreter& vm, Args args) {
  const Value& v = args[0];
  int64_t bytes = static_cast<int64_t>(sizeof(Value));
  if (v.is_object()) bytes += static_cast<int64_t>(sizeof(Object));
  constexpr int64_t kEach = static_cast<int64_t>(sizeof(Value));
  if (const Str* text = v.try_as<Str>())
    return Value::integer(bytes + static_cast<int64_t>(text->bytes));
  if (const Bytes* data = v.try_as<Bytes>()) {
    return Value::integer(bytes + static_cast<int64_t>(data->data.size()));
  }
  return Value::integer(bytes + kEach * vm.length_hint(v));
}

static Value sys_getrefcount(Interpreter&, Args args) {
  return Value::integer(args[0].is_object() ? args[0].as_object()->refs : 1);
}

static Value sys_intern(Interpreter& vm, Args args) {
  return Value(vm.intern(vm.to_text(args[0], "intern() argument")));
}

static Value sys_getdefaultencoding(Interpreter& vm, Args) { return vm.str("utf-8"); }

// The digits that an int may have as text: gpy has no limit.
static Value sys_get_int_max_str_digits(Interpreter&, Args) { return Value::integer(0); }
static Value sys_set_int_max_str_digits(Interpreter& vm, Args args) {
  vm.to_index(args[0]);
  return Value::none();
}

static const Native kRows[] = {
    {"exit", "(status=None, /)", sys_exit, "Ends the program: raises SystemExit."},
    {"get_int_max_str_digits", "()", sys_get_int_max_str_digits, "0: any number of digits."},
    {"getdefaultencoding", "()", sys_getdefaultencoding, "utf-8"},
    {"getrecursionlimit", "()", sys_getrecursionlimit, "How deep calls may nest."},
    {"getrefcount", "(object, /)", sys_getrefcount, "How many references an object has."},
    {"getsizeof", "(object, default=<omitted>, /)", sys_getsizeof,
     "About how many bytes a value takes."},
    {"intern", "(string, /)", sys_intern, "The one copy of a text."},
    {"set_int_max_str_digits", "(maxdigits, /)", sys_set_int_max_str_digits, "Changes nothing."},
    {"setrecursionlimit", "(limit, /)", sys_setrecursionlimit, "Sets how deep calls may nest."},
};

static Value texts(Interpreter& vm, const std::vector<std::string>& items) {
  std::vector<Value> values;
  for (const std::string& each : items) values.push_back(vm.str(each));
  return vm.list(std::move(values));
}

static void add_version(Interpreter& vm, Module& module) {
  // The Python whose language and library this is.
  module.set(vm, "version", vm.str("3.11.0 (gpy)"));
  module.set(vm, "version_info",
             vm.tuple({Value::integer(3), Value::integer(11), Value::integer(0), vm.str("final"),
                       Value::integer(0)}));
  module.set(vm, "platform", vm.str("linux"));
  module.set(vm, "byteorder", vm.str("little"));
  module.set(vm, "executable", vm.str(""));
  module.set(vm, "hexversion", Value::integer(0x030B00F0));
}

static void add_limits(Interpreter& vm, Module& module) {
  module.set(vm, "maxsize", Value::integer(INT64_MAX));
  module.set(vm, "maxunicode", Value::integer(0x10FFFF));
}

static void add_streams(Interpreter& vm, Module& module) {
  for (const char* prefix : {"", "__"}) {
    std::string suffix = *prefix ? "__" : "";
    module.set(vm, prefix + ("stdin" + suffix), make_standard_file(vm, File::standard_input));
    module.set(vm, prefix + ("stdout" + suffix), make_standard_file(vm, File::standard_output));
    module.set(vm, prefix + ("stderr" + suffix), make_standard_file(vm, File::standard_error));
  }
}

// What attributes of sys.float_info hold.
static Value float_info(Interpreter& vm) {
  Ref<Module> info = vm.make_module("sys.float_info");
  info->set(vm, "max", Value::real(DBL_MAX));
  info->set(vm, "min", Value::real(DBL_MIN));
  info->set(vm, "epsilon", Value::real(DBL_EPSILON));
  info->set(vm, "dig", Value::integer(DBL_DIG));
  info->set(vm, "mant_dig", Value::integer(DBL_MANT_DIG));
  info->set(vm, "max_exp", Value::integer(DBL_MAX_EXP));
  info->set(vm, "min_exp", Value::integer(DBL_MIN_EXP));
  info->set(vm, "max_10_exp", Value::integer(DBL_MAX_10_EXP));
  info->set(vm, "min_10_exp", Value::integer(DBL_MIN_10_EXP));
  info->set(vm, "radix", Value::integer(FLT_RADIX));
  return info;
}

Value open_sys(Interpreter& vm) {
  Ref<Module> module = vm.make_module("sys", kRows);
  module->set(vm, "argv", texts(vm, vm.arguments));
  module->set(vm, "path", texts(vm, vm.search_path));
  module->set(vm, "modules", vm.modules);
  module->set(vm, "float_info", float_info(vm));
  add_version(vm, *module);
  add_limits(vm, *module);
  add_streams(vm, *module);
  return module;
}

}  // namespace gpy::lib
