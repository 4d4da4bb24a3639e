#include "src/array/errors.h"

#include <algorithm>
#include <cstdio>

#include "runtime/core/error.h"
#include "src/array/convert.h"
#include "src/code.h"
#include "src/state.h"

namespace gpy {

static Type* type_of_kind(Arrays& state, rt::ErrorKind kind) {
  const Types& types = state.vm.types;
  switch (kind) {
    case rt::ErrorKind::kType: return types.type_error;
    case rt::ErrorKind::kNoLoop: return state.ufunc_type_error;
    case rt::ErrorKind::kValue: return types.value_error;
    case rt::ErrorKind::kAxis: return state.axis_error;
    case rt::ErrorKind::kIndex: return types.index_error;
    case rt::ErrorKind::kOverflow: return types.overflow_error;
    case rt::ErrorKind::kZeroDivision: return types.zero_division_error;
    case rt::ErrorKind::kFloatingPoint: return types.floating_point_error;
    case rt::ErrorKind::kMemory: return state.out_of_memory_error;
    case rt::ErrorKind::kLinAlg: return state.linalg_error;
    case rt::ErrorKind::kOs: return types.os_error;
    case rt::ErrorKind::kNotImplemented: return types.not_implemented_error;
    case rt::ErrorKind::kCompile: return state.compile_error;
    case rt::ErrorKind::kDeviceLost: return state.device_lost_error;
    case rt::ErrorKind::kInterrupt: return types.keyboard_interrupt;
    case rt::ErrorKind::kRuntime: break;
  }
  return types.runtime_error;
}

// "[Errno 2] No such file or directory: 'x.npy'": OSError(2, ...) finds its own subclass.
static Value os_exception(Interpreter& vm, const std::string& message) {
  int number = 0, text = 0;
  if (std::sscanf(message.c_str(), "[Errno %d] %n", &number, &text) != 1 || text == 0) {
    return vm.make_exception(vm.types.os_error, message);
  }
  const size_t quote = message.find(": '", static_cast<size_t>(text));
  std::vector<Value> args = {
      Value::integer(number),
      vm.str(message.substr(text, quote == std::string::npos ? quote : quote - text))};
  if (quote != std::string::npos) {
    args.push_back(vm.str(message.substr(quote + 3, message.size() - quote - 4)));
  }
  return vm.call(Value(vm.types.os_error), {args.data(), static_cast<uint32_t>(args.size())});
}

Value translate_array_error(Interpreter& vm) {
  try {
    throw;
  } catch (const rt::Error& error) {
    if (error.kind() == rt::ErrorKind::kInterrupt) return vm.interrupt_exception();
    if (error.kind() == rt::ErrorKind::kOs) return os_exception(vm, error.message());
    // The host's own memory is Python's MemoryError, worded as NumPy words it.
    const bool host = error.message().starts_with("Unable to allocate");
    if (error.kind() == rt::ErrorKind::kMemory && host) {
      return vm.make_exception(vm.types.memory_error, error.message());
    }
    return vm.make_exception(type_of_kind(arrays(vm), error.kind()), error.message());
  } catch (...) {
    return Value();
  }
}

// The line without its indentation, as CPython shows beside a warning; empty where it is not known.
// A place names its source by the very text that the source keeps as its name.
static std::string_view source_line(Interpreter& vm, const Position& position) {
  for (const Ref<Code>& code : vm.state().codes) {
    const syntax::SourceFile& source = *code->source;
    if (source.name().data() != position.file.data() || position.line == 0) continue;
    const std::string_view line = source.line(static_cast<int>(position.line));
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  }
  return "";
}

void warn_floating_point(Arrays& state, const std::string& message, const rt::Origin* origin) {
  Interpreter& vm = state.vm;
  const bool known = origin && origin->position.line != 0;
  const Position place = known ? origin->position : vm.current_position();
  std::string text = fmt::format("{}:{}: RuntimeWarning: {}\n", place.file, place.line, message);
  if (!vm.state().warned.insert(text).second) return;
  const std::string_view line = source_line(vm, place);
  if (!line.empty()) text += fmt::format("  {}\n", line);
  vm.write_err(text);
}

static std::string operand_dtype(Interpreter& vm, const Value& value) {
  if (const Str* text = value.try_as<Str>()) return fmt::format("dtype('<U{}')", text->length);
  if (value.is<Bytes>()) return fmt::format("dtype('S{}')", value.as<Bytes>()->data.size());
  if (auto dtype = dtype_of_value(vm, value)) return fmt::format("dtype('{}')", rt::name(*dtype));
  return "dtype('O')";
}

// How comparisons name types: by their classes.
static std::string operand_class(Interpreter& vm, const Value& value) {
  if (value.is<Str>()) return "<class 'numpy.dtypes.StrDType'>";
  if (value.is<Bytes>()) return "<class 'numpy.dtypes.BytesDType'>";
  const auto dtype = dtype_of_value(vm, value);
  if (!dtype) return "<class 'numpy.dtypes.ObjectDType'>";
  return fmt::format("<class '{}'>", arrays(vm).dtype_types[static_cast<int>(*dtype)]->full_name());
}

// NumPy has loops for text under these names, if not these ones; of others it says less.
static bool knows_text(std::string_view ufunc) {
  for (const char* name : {"add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin",
                           "gcd", "lcm", "matmul"}) {
    if (ufunc == name) return true;
  }
  return false;
}

void raise_no_loop(Interpreter& vm, std::string_view ufunc, std::initializer_list<Value> operands) {
  const bool comparison = ufunc.ends_with("equal") || ufunc == "less" || ufunc == "greater";
  if (!comparison && !knows_text(ufunc)) {
    vm.raise_type_error(
        "ufunc '{}' not supported for the input types, and the inputs could not be safely coerced "
        "to "
        "any supported types according to the casting rule ''safe''",
        ufunc);
  }
  std::string types;
  for (const Value& operand : operands) {
    if (!types.empty()) types += ", ";
    types += comparison ? operand_class(vm, operand) : operand_dtype(vm, operand);
  }
  vm.raise(
      arrays(vm).ufunc_type_error,
      fmt::format("ufunc '{}' did not contain a loop with signature matching types ({}) -> None",
                  ufunc, types));
}

void raise_unsupported_type(Interpreter& vm, const Value& value) {
  vm.raise_type_error("Unsupported type {}", vm.repr(Value(vm.type_of(value))));
}

void raise_implicit_conversion(Interpreter& vm) {
  vm.raise_type_error(
      "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a "
      "NumPy array explicitly.");
}

static Type* make_error(Interpreter& vm, const char* name, const char* module, Type* base,
                        const char* doc) {
  return vm.make_type<Exception>(
      {.name = name, .module = module, .doc = doc, .base = base, .is_final = false});
}

void setup_array_errors(Arrays& state) {
  Interpreter& vm = state.vm;
  const Types& types = vm.types;
  state.axis_error = make_error(vm, "AxisError", "numpy.exceptions", types.value_error,
                                "An axis that the array does not have.");
  // Its second base; no slot or attribute differs.
  auto& mro = state.axis_error->mro;
  mro.insert(mro.begin() + 2, {types.index_error, types.lookup_error});
  state.ufunc_type_error = make_error(vm, "UFuncTypeError", "numpy", types.type_error,
                                      "A ufunc has no loop for its operands' types.");
  state.linalg_error = make_error(vm, "LinAlgError", "numpy.linalg", types.value_error,
                                  "A matrix that linear algebra cannot do.");
  state.out_of_memory_error = make_error(vm, "OutOfMemoryError", "cupy.cuda.memory",
                                         types.memory_error, "A device has no more memory.");
  state.compile_error = make_error(vm, "CompileException", "cupy.cuda.compiler", types.exception,
                                   "The text of a kernel does not compile.");
  state.device_lost_error = make_error(vm, "DeviceLostError", "gpy", types.runtime_error,
                                       "A device failed and cannot be used again in this process.");
}

}  // namespace gpy
