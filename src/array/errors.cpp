#include "src/array/errors.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>

#include "runtime/core/cuda_error.h"
#include "runtime/core/error_facts.h"
#include "runtime/graph/events.h"
#include "runtime/ops/row_facts.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/code.h"
#include "src/run/frame.h"
#include "src/state.h"
#include "src/exceptions/warn.h"
#include "src/typed_native.h"
#include "src/calls/override.h"
#include "src/types/system_text.h"

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
    case rt::ErrorKind::kTranslation: return state.translation_error;
    case rt::ErrorKind::kKernelFault: return state.kernel_fault_error;
    case rt::ErrorKind::kCheck: return state.check_error;
    case rt::ErrorKind::kDeviceLost: return state.device_lost_error;
    case rt::ErrorKind::kInterrupt: return types.keyboard_interrupt;
    case rt::ErrorKind::kRuntime: break;
  }
  return types.runtime_error;
}

// OSError(2, ...) finds its own subclass.
static Value os_exception(Interpreter& vm, const rt::OsError& error) {
  return vm.call(Value(vm.types.os_error),
                 {Value::integer(error.code()), text_from_system(vm, std::strerror(error.code())),
                  text_from_system(vm, error.path())});
}

static std::string which_matrix(const rt::MatrixError& error) {
  return error.count() > 1 ? fmt::format("matrix {} of {}", error.matrix(), error.count())
                           : "the matrix";
}

static Value singular_exception(Interpreter& vm, const rt::SingularError& error) {
  auto exception = vm.make_exception(arrays(vm).linalg_error, error.message());
  exception->detail = fmt::format("{} is singular: the pivot of row {} is zero",
                                  which_matrix(error), error.pivot());
  return exception;
}

static Value not_positive_exception(Interpreter& vm, const rt::NotPositiveError& error) {
  auto exception = vm.make_exception(arrays(vm).linalg_error, error.message());
  exception->detail =
      fmt::format("leading minor {} of {} is not positive", error.minor(), which_matrix(error));
  if (error.asymmetry() != 0) {
    exception->detail +=
        fmt::format("; it is not symmetric either (largest difference {:.2g})", error.asymmetry());
  }
  return exception;
}

rt::Origin current_origin(Interpreter& vm) {
  const Frame* frame = script_frame(vm.state().frame);
  if (!frame) return {};
  const Code& code = *frame->code;
  return {code.source, code.spans[frame->position()].begin};
}

static const syntax::SourceFile* source_of(const rt::Origin& origin) {
  return static_cast<const syntax::SourceFile*>(origin.source.get());
}

// The line, counted from 1; 0 where it is not known.
static int line_of(const rt::Origin& origin) {
  return origin.source ? source_of(origin)->line_of(static_cast<uint32_t>(origin.place)) : 0;
}

// A lack of host memory is Python's MemoryError. If the array that needs the memory was made on
// another line, the detail names that line.
static Value memory_exception(Interpreter& vm, const rt::ArrayMemoryError& error) {
  Type* type = error.on_host() ? vm.types.memory_error : arrays(vm).out_of_memory_error;
  auto exception = vm.make_exception(type, error.message());
  if (!error.on_host()) {
    exception->detail = fmt::format("for {} {}", rt::name(error.layout().dtype),
                                    rt::shape_text(error.layout().shape));
  }
  const rt::Origin& origin = error.origin();
  const rt::Origin here = current_origin(vm);
  if (!origin.source) return exception;
  if (origin.source == here.source && line_of(origin) == line_of(here)) return exception;
  exception->detail += fmt::format("{}it was made on line {} of {} and is computed here",
                                   exception->detail.empty() ? "" : "; ", line_of(origin),
                                   source_of(origin)->name());
  return exception;
}

static Ref<Exception> cuda_exception_of(Interpreter& vm, Type* type, int status) {
  auto exception = vm.make_exception(type, rt::cuda_error_text(status));
  exception->attributes = vm.dict();
  exception->attributes->set(vm.intern("status"), Value::integer(status));
  return exception;
}

static Value cuda_exception(Interpreter& vm, const rt::CudaError& error) {
  auto exception = cuda_exception_of(vm, arrays(vm).cuda_error, error.code());
  exception->detail = error.facts();
  return exception;
}

// The axis and the number of axes are None where an error was made of a message alone.
static Ref<Exception> axis_exception(Interpreter& vm, Type* type, const std::string& message,
                                     const Value& axis, const Value& rank) {
  auto exception = vm.make_exception(type, message);
  exception->attributes = vm.dict();
  exception->attributes->set(vm.intern("axis"), axis);
  exception->attributes->set(vm.intern("ndim"), rank);
  return exception;
}

static std::string axis_message(int64_t axis, int64_t rank, std::string_view argument) {
  return fmt::format("{}{}axis {} is out of bounds for array of dimension {}", argument,
                     argument.empty() ? "" : ": ", axis, rank);
}

void raise_axis_error(Interpreter& vm, int64_t axis, int64_t rank, std::string_view argument) {
  vm.raise(Value(axis_exception(vm, arrays(vm).axis_error, axis_message(axis, rank, argument),
                                Value::integer(axis), Value::integer(rank))
                     .get()));
}

static Value construct_axis_error(Interpreter& vm, Type& cls, const Value& axis, const Value& ndim,
                                  const Value& prefix) {
  if (!is_given(ndim) && !is_given(prefix)) {
    return Value(axis_exception(vm, &cls, vm.to_str(axis), Value::none(), Value::none()).get());
  }
  const int64_t place = vm.to_index(axis), rank = vm.to_index(ndim);
  const std::string argument = is_given(prefix) ? vm.to_str(prefix) : "";
  return Value(axis_exception(vm, &cls, axis_message(place, rank, argument), Value::integer(place),
                              Value::integer(rank))
                   .get());
}

static const Native kAxisErrorConstructor = {
    "AxisError", "(cls, axis, ndim=None, msg_prefix=None)", typed<construct_axis_error>,
    "An axis beyond the number of axes, or a message about one."};

Value translate_array_error(Interpreter& vm) {
  try {
    throw;
  } catch (const Override& override) {
    return vm.make_exception(vm.types.type_error,
                             fmt::format("only arrays of numbers can be used here, not a '{}'",
                                         vm.type_name(override.by)));
  } catch (const rt::CudaError& error) {
    return cuda_exception(vm, error);
  } catch (const rt::AxisError& error) {
    return Value(axis_exception(vm, arrays(vm).axis_error, error.message(),
                                Value::integer(error.axis()), Value::integer(error.rank()))
                     .get());
  } catch (const rt::OsError& error) {
    return os_exception(vm, error);
  } catch (const rt::SingularError& error) {
    return singular_exception(vm, error);
  } catch (const rt::NotPositiveError& error) {
    return not_positive_exception(vm, error);
  } catch (const rt::ArrayMemoryError& error) {
    return memory_exception(vm, error);
  } catch (const rt::HostMemoryError& error) {
    return vm.make_exception(vm.types.memory_error, error.message());
  } catch (const rt::KernelFaultError& error) {
    auto exception = vm.make_exception(arrays(vm).kernel_fault_error, error.message());
    exception->detail = error.doubt();
    return exception;
  } catch (const rt::Error& error) {
    if (error.kind() == rt::ErrorKind::kInterrupt) return vm.interrupt_exception();
    return vm.make_exception(type_of_kind(arrays(vm), error.kind()), error.message());
  } catch (...) {
    return Value();
  }
}

void warn_floating_point(Arrays& state, const std::string& message, const rt::Origin& origin) {
  Interpreter& vm = state.vm;
  const rt::Origin place = origin.source ? origin : current_origin(vm);
  warn_at(vm, vm.types.runtime_warning, message, source_of(place), line_of(place));
}

void warn_of_lost_parts(Interpreter& vm, rt::DType from, rt::DType to) {
  if (!rt::is_complex(from) || rt::is_complex(to) || to.native() == rt::DType::kBool) return;
  const Value kinds = vm.import_module("numpy.exceptions");
  vm.warn(vm.get_attribute(kinds, "ComplexWarning").as<Type>(),
          "Casting complex values to real discards the imaginary part");
}

void tell_overflowing_cast(Arrays& state, const rt::Scalar& number, rt::DType to) {
  if (rt::is_inexact(to)) rt::tell_cast_events(state, number, to, {});
}

static std::string operand_dtype(Interpreter& vm, const Value& value) {
  if (const Str* text = value.try_as<Str>()) return fmt::format("dtype('<U{}')", text->length);
  if (value.is<Bytes>()) return fmt::format("dtype('S{}')", value.as<Bytes>()->data.size());
  if (auto dtype = dtype_of_value(vm, value)) return fmt::format("dtype('{}')", rt::name(*dtype));
  return "dtype('O')";
}

// The name of a value's type in errors of comparisons: its class.
static std::string operand_class(Interpreter& vm, const Value& value) {
  if (value.is<Str>()) return "<class 'numpy.dtypes.StrDType'>";
  if (value.is<Bytes>()) return "<class 'numpy.dtypes.BytesDType'>";
  const auto dtype = dtype_of_value(vm, value);
  if (!dtype) return "<class 'numpy.dtypes.ObjectDType'>";
  return fmt::format("<class '{}'>", arrays(vm).dtype_types[dtype->index()]->full_name());
}

Refusal refusal_of(const rt::Ufunc& ufunc) {
  if (ufunc.compares) return Refusal::classes;
  if (!rt::facts_of(ufunc).tells_types) return Refusal::plain;
  return ufunc.arity == 1 ? Refusal::classes : Refusal::dtypes;
}

void raise_no_loop(Interpreter& vm, std::string_view name, Refusal refusal,
                   std::initializer_list<Value> operands) {
  if (refusal == Refusal::plain) {
    vm.raise_type_error(
        "ufunc '{}' not supported for the input types, and the inputs could not be safely coerced "
        "to any supported types according to the casting rule ''safe''",
        name);
  }
  std::string types;
  for (const Value& operand : operands) {
    if (!types.empty()) types += ", ";
    types += refusal == Refusal::classes ? operand_class(vm, operand) : operand_dtype(vm, operand);
  }
  if (operands.size() > 1) types = fmt::format("({})", types);
  vm.raise(arrays(vm).ufunc_type_error,
           fmt::format("ufunc '{}' did not contain a loop with signature matching types {} -> None",
                       name, types));
}

void raise_no_loop(Interpreter& vm, const rt::Ufunc& ufunc, std::initializer_list<Value> operands) {
  raise_no_loop(vm, ufunc.name, refusal_of(ufunc), operands);
}

void raise_unsupported_type(Interpreter& vm, const Value& value) {
  vm.raise_type_error("Unsupported type {}", vm.repr(Value(vm.type_of(value))));
}

void raise_implicit_conversion(Interpreter& vm) {
  vm.raise_type_error(
      "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a "
      "NumPy array explicitly.");
}

// CUDARuntimeError(1): the text is the meaning of the number.
static Value construct_cuda_error(Interpreter& vm, Type& cls, int64_t status) {
  return cuda_exception_of(vm, &cls, static_cast<int>(status));
}

static const Native kCudaErrorConstructor = {"CUDARuntimeError", "(cls, status, /)",
                                             typed<construct_cuda_error>,
                                             "A call of CUDA's failed."};

static Type* make_error(Interpreter& vm, const char* name, const char* module, Type* base,
                        const char* doc, const Native* constructor = nullptr) {
  return vm.make_type<Exception>({.name = name,
                                  .module = module,
                                  .doc = doc,
                                  .base = base,
                                  .constructor = constructor,
                                  .is_final = false});
}

void setup_array_errors(Arrays& state) {
  Interpreter& vm = state.vm;
  const Types& types = vm.types;
  state.axis_error =
      make_error(vm, "AxisError", "numpy.exceptions", types.value_error,
                 "An axis that the array does not have: `axis` of `ndim`.", &kAxisErrorConstructor);
  // IndexError is the second base; no slot or attribute differs.
  auto& mro = state.axis_error->mro;
  mro.insert(mro.begin() + 2, {types.index_error, types.lookup_error});
  state.ufunc_type_error = make_error(vm, "UFuncTypeError", "numpy", types.type_error,
                                      "A ufunc has no loop for its operands' types.");
  state.linalg_error = make_error(vm, "LinAlgError", "numpy.linalg", types.value_error,
                                  "A matrix that linear algebra cannot do.");
  state.out_of_memory_error = make_error(vm, "OutOfMemoryError", "cupy.cuda.memory",
                                         types.memory_error, "A device has no more memory.");
  state.cuda_error =
      vm.make_type<Exception>({.name = "CUDARuntimeError",
                               .module = "cupy_backends.cuda.api.runtime",
                               .doc = "A call of CUDA's failed; `status` is its number.",
                               .base = types.runtime_error,
                               .constructor = &kCudaErrorConstructor,
                               .is_final = false});
  state.compile_error = make_error(vm, "CompileException", "cupy.cuda.compiler", types.exception,
                                   "The text of a kernel does not compile.");
  state.translation_error = make_error(vm, "TranslationError", "gpy", state.compile_error,
                                       "A body in the language that cannot be compiled.");
  state.kernel_fault_error =
      make_error(vm, "KernelFaultError", "gpy", types.runtime_error,
                 "A kernel on the CPU failed in a way that would have ended the process.");
  state.check_error = make_error(vm, "CheckError", "gpy", types.runtime_error,
                                 "A checked kernel did what a kernel must not: gpy.checked tells.");
  state.device_lost_error = make_error(vm, "DeviceLostError", "gpy", types.runtime_error,
                                       "A device failed and cannot be used again in this process.");
}

}  // namespace gpy
