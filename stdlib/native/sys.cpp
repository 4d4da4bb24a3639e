// The module sys.
#include <unistd.h>

#include <algorithm>
#include <cfloat>

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/run/run.h"
#include "src/typed_native.h"
#include "src/types/file.h"
#include "src/types/system_text.h"
#include "stdlib/native/modules.h"
#include "stdlib/native/records.h"

namespace gpy::lib {

static Value sys_exit(Interpreter& vm, const Value& status) {
  Value type(vm.types.system_exit);
  vm.raise(status.is_none() ? vm.call(type) : vm.call(type, {status}));
}

static Value sys_getrecursionlimit(Interpreter& vm) { return Value::integer(vm.recursion_limit); }

static Value sys_setrecursionlimit(Interpreter& vm, int64_t limit) {
  if (limit < 1) vm.raise_value_error("recursion limit must be greater or equal than 1");
  // Frames are on the heap: more of them than this would take all memory.
  constexpr int64_t kDeepest = 1 << 21;
  vm.recursion_limit = std::min(limit, kDeepest);
  return Value::none();
}

static Value sys_getsizeof(Interpreter& vm, const Value& v, const Value&) {
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

static Value sys_getrefcount(Interpreter&, const Value& v) {
  return Value::integer(v.is_object() ? v.as_object()->refs : 1);
}

static Value sys_intern(Interpreter& vm, const Value& text) {
  return Value(vm.intern(vm.to_text(text, "intern() argument")));
}

static Value sys_getdefaultencoding(Interpreter& vm) { return vm.str("utf-8"); }
static Value sys_getfilesystemencodeerrors(Interpreter& vm) { return vm.str("surrogateescape"); }

// The digits that an int may have as text: gpy has no limit.
static Value sys_get_int_max_str_digits(Interpreter&) { return Value::integer(0); }
static Value sys_set_int_max_str_digits(Interpreter&, int64_t) { return Value::none(); }

static Value sys_exc_info(Interpreter& vm) {
  Value exception = handled_exception(vm);
  if (exception.is_undefined()) return vm.tuple({Value::none(), Value::none(), Value::none()});
  return vm.tuple(
      {Value(vm.type_of(exception)), exception, vm.get_attribute(exception, "__traceback__")});
}

static Value sys_exception(Interpreter& vm) {
  Value exception = handled_exception(vm);
  return exception.is_undefined() ? Value::none() : exception;
}

// Writes the report of an exception that nothing catches; a script may set another function.
static Value sys_excepthook(Interpreter& vm, const Value&, const Value& exception, const Value&) {
  if (!exception.is<Exception>()) {
    vm.raise_type_error("print_exception(): Exception expected for value, {} found",
                        vm.type_name(exception));
  }
  vm.call_method(vm.get_attribute(vm.import_module("sys"), "stderr"), "write",
                 {vm.str(vm.render(Raised{exception}))});
  return Value::none();
}

static const Native kRows[] = {
    {"excepthook", "(exctype, value, traceback, /)", typed<sys_excepthook>,
     "Shows an exception that nothing caught."},
    {"exc_info", "()", typed<sys_exc_info>,
     "(type, exception, traceback) of what is being handled."},
    {"exception", "()", typed<sys_exception>, "The exception that is being handled, or None."},
    {"exit", "(status=None, /)", typed<sys_exit>, "Ends the program: raises SystemExit."},
    {"get_int_max_str_digits", "()", typed<sys_get_int_max_str_digits>, "0: any number of digits."},
    {"getdefaultencoding", "()", typed<sys_getdefaultencoding>, "utf-8"},
    {"getfilesystemencodeerrors", "()", typed<sys_getfilesystemencodeerrors>, "surrogateescape"},
    {"getfilesystemencoding", "()", typed<sys_getdefaultencoding>, "utf-8"},
    {"getrecursionlimit", "()", typed<sys_getrecursionlimit>, "How deep calls may nest."},
    {"getrefcount", "(object, /)", typed<sys_getrefcount>, "How many references an object has."},
    {"getsizeof", "(/, object, default=<omitted>)", typed<sys_getsizeof>,
     "About how many bytes a value takes."},
    {"intern", "(string, /)", typed<sys_intern>, "The one copy of a text."},
    {"set_int_max_str_digits", "(maxdigits, /)", typed<sys_set_int_max_str_digits>,
     "Changes nothing."},
    {"setrecursionlimit", "(limit, /)", typed<sys_setrecursionlimit>,
     "Sets how deep calls may nest."},
};

static Value texts(Interpreter& vm, const std::vector<std::string>& items) {
  std::vector<Value> values;
  for (const std::string& each : items) values.push_back(text_from_system(vm, each));
  return vm.list(std::move(values));
}

static Value number(int64_t n) { return Value::integer(n); }

static void add_record(Interpreter& vm, Module& module, const char* name,
                       std::initializer_list<std::pair<const char*, Value>> items) {
  RecordSpec spec{.name = name, .module = "sys"};
  spec.is_constructible = spec.name != "version_info";
  std::vector<Value> values;
  for (const auto& [field, value] : items) {
    spec.fields.emplace_back(field);
    values.push_back(value);
  }
  module.set(vm, name, make_record(vm, make_record_type(vm, spec), values));
}

// The running program: gpy, or the host program.
static std::string executable() {
  std::string path(4096, '\0');
  ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return path.substr(0, length > 0 ? static_cast<size_t>(length) : 0);
}

static constexpr int64_t kVersion = 0x030B00F0;

static void add_version(Interpreter& vm, Module& module) {
  // The version of Python whose language and library this is.
  module.set(vm, "version", vm.str("3.11.0 (gpy)"));
  add_record(vm, module, "version_info",
             {{"major", number(3)},
              {"minor", number(11)},
              {"micro", number(0)},
              {"releaselevel", vm.str("final")},
              {"serial", number(0)}});
  module.set(vm, "platform", vm.str("linux"));
  module.set(vm, "byteorder", vm.str("little"));
  module.set(vm, "executable", text_from_system(vm, executable()));
  module.set(vm, "hexversion", number(kVersion));
  module.set(vm, "prefix", vm.str("/usr"));
  module.set(vm, "exec_prefix", vm.str("/usr"));
  module.set(vm, "copyright", vm.str(""));
  module.set(vm, "dont_write_bytecode", Value::boolean(true));
  Ref<Module> implementation = vm.make_module("sys.implementation");
  implementation->set(vm, "name", vm.str("gpy"));
  implementation->set(vm, "version", *module.find(vm, vm.intern("version_info")));
  implementation->set(vm, "hexversion", number(kVersion));
  implementation->set(vm, "cache_tag", Value::none());
  module.set(vm, "implementation", implementation);
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

static void add_number_info(Interpreter& vm, Module& module) {
  add_record(vm, module, "float_info",
             {{"max", Value::real(DBL_MAX)},
              {"max_exp", number(DBL_MAX_EXP)},
              {"max_10_exp", number(DBL_MAX_10_EXP)},
              {"min", Value::real(DBL_MIN)},
              {"min_exp", number(DBL_MIN_EXP)},
              {"min_10_exp", number(DBL_MIN_10_EXP)},
              {"dig", number(DBL_DIG)},
              {"mant_dig", number(DBL_MANT_DIG)},
              {"epsilon", Value::real(DBL_EPSILON)},
              {"radix", number(FLT_RADIX)},
              {"rounds", number(1)}});
  add_record(vm, module, "int_info",
             {{"bits_per_digit", number(30)},
              {"sizeof_digit", number(4)},
              {"default_max_str_digits", number(0)},
              {"str_digits_check_threshold", number(0)}});
  add_record(vm, module, "hash_info",
             {{"width", number(64)},
              {"modulus", number((int64_t{1} << 61) - 1)},
              {"inf", number(314159)},
              {"nan", number(0)},
              {"imag", number(1000003)}});
  module.set(vm, "float_repr_style", vm.str("short"));
}

Value open_sys(Interpreter& vm) {
  Ref<Module> module = vm.make_module("sys", kRows);
  module->set(vm, "argv", texts(vm, vm.arguments));
  module->set(vm, "path", texts(vm, vm.search_path));
  module->set(vm, "modules", vm.modules);
  add_number_info(vm, *module);
  add_version(vm, *module);
  add_limits(vm, *module);
  add_streams(vm, *module);
  module->set(vm, "__excepthook__", *module->find(vm, vm.intern("excepthook")));
  return module;
}

}  // namespace gpy::lib
