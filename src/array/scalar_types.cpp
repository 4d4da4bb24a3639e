// NumPy's scalars: the tree of their types, and what a scalar can do as a number of the language.
#include <algorithm>
#include <cmath>

#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/text/number_text.h"
#include "src/array/array_classes.h"
#include "src/array/attributes.h"
#include "src/array/convert.h"
#include "src/array/errors.h"
#include "src/array/indexing.h"
#include "src/array/nested.h"
#include "src/array/operators.h"
#include "src/array/read_arguments.h"
#include "src/text/format.h"
#include "src/typed_native.h"
#include "src/numbers/number.h"

namespace gpy {

namespace {

const rt::Scalar& number_of(Interpreter& vm, const Value& self) {
  return as_generic(self)->number(session(vm));
}

Value plain(Interpreter& vm, const Value& self) { return python_number(vm, number_of(vm, self)); }

std::string scalar_repr_slot(Interpreter& vm, const Value& self) {
  return rt::scalar_repr(number_of(vm, self), arrays(vm).print_options.legacy);
}

std::string scalar_str_slot(Interpreter& vm, const Value& self) {
  return rt::scalar_str(number_of(vm, self), arrays(vm).print_options.legacy);
}

int64_t scalar_hash(Interpreter& vm, const Value& self) { return hash_number(plain(vm, self)); }

bool scalar_truth(Interpreter& vm, const Value& self) { return number_of(vm, self).truth(); }

Value scalar_index(Interpreter& vm, const Value& self) { return plain(vm, self); }

Value scalar_to_int(Interpreter& vm, const Value& self) {
  const rt::Scalar& number = number_of(vm, self);
  warn_of_lost_parts(vm, number.dtype(), rt::DType::kInt64);
  if (rt::is_inexact(number.dtype())) return int_from_real(vm, number.as_double());
  return python_number(
      vm, number.dtype() == rt::DType::kBool ? number.cast(rt::DType::kInt64) : number);
}

Value scalar_to_float(Interpreter& vm, const Value& self) {
  const rt::Scalar& number = number_of(vm, self);
  warn_of_lost_parts(vm, number.dtype(), rt::DType::kFloat64);
  if (number.dtype() == rt::DType::kUInt64) {
    return Value::real(static_cast<double>(number.as_unsigned()));
  }
  return Value::real(number.as_double());
}

Value scalar_to_complex(Interpreter& vm, const Value& self) {
  const std::complex<double> z = number_of(vm, self).as_complex();
  return vm.complex(z.real(), z.imag());
}

std::string scalar_format(Interpreter& vm, const Value& self, std::string_view spec) {
  return format_value(vm, plain(vm, self), spec);
}

bool adds_axes(const Value& item) { return item.is_none() || item.is_ellipsis(); }

// Indices that only add axes give an array.
Value scalar_getitem(Interpreter& vm, const Value& self, const Value& key) {
  Tuple* tuple = key.try_as<Tuple>();
  if (tuple && tuple->size == 0) return self;
  if (tuple ? std::ranges::all_of(tuple->items(), adds_axes) : adds_axes(key)) {
    const rt::Scalar& number = number_of(vm, self);
    const rt::Array array = rt::full(session(vm), {}, number, number.dtype(), rt::Space::host());
    return array_getitem(vm, wrap_array(vm, array), key);
  }
  vm.raise_index_error("invalid index to scalar variable.");
}

// --- making them ---------------------------------------------------------------------------------

rt::Scalar parse_number(Interpreter& vm, const Value& text, rt::DType dtype) {
  Type* type = rt::is_integer(dtype)   ? vm.types.integer
               : rt::is_complex(dtype) ? vm.types.complex
                                       : vm.types.real;
  const Value number = vm.call(Value(static_cast<Object*>(type)), {text});
  return checked_cast(vm, number, *try_number(vm, number), dtype);
}

// Python's float to an integer type: by way of int, whose bounds are then checked.
rt::Scalar scalar_from_number(Interpreter& vm, const Value& value, rt::DType dtype) {
  if (value.is_real() && rt::is_integer(dtype)) {
    const Value whole = int_from_real(vm, value.as_real());
    return checked_cast(vm, whole, *try_number(vm, whole), dtype);
  }
  return checked_cast(vm, value, *try_number_for(vm, value, dtype), dtype);
}

Value construct(Interpreter& vm, Type& cls, const Value& value) {
  Arrays& state = arrays(vm);
  const auto dtype = state.dtype_of(&cls);
  if (!dtype) vm.raise_type_error("cannot create '{}' instances", cls.full_name());
  if (value.is_undefined()) return wrap_scalar(vm, rt::Scalar::of(*dtype, int64_t{0}));
  if (const Ndarray* array = as_ndarray(value); array && !is_number_of_array_class(value)) {
    warn_of_lost_parts(vm, array->array.dtype(), *dtype);
    return wrap_result(vm, rt::astype(state, array->array, *dtype));
  }
  if (value.is<List>() || value.is<Tuple>()) {
    return wrap_array(vm, array_from_nested(vm, value, *dtype, rt::Space::host()));
  }
  if (*dtype == rt::DType::kBool) return wrap_boolean(vm, vm.truth(value));
  if (value.is<Str>()) return wrap_scalar(vm, parse_number(vm, value, *dtype));
  if (value.is_none() && rt::is_inexact(*dtype))
    return wrap_scalar(vm, rt::Scalar::of(*dtype, NAN));
  const bool number = try_number_for(vm, value, *dtype).has_value();
  const Value plain = number ? value : number_for(vm, value, *dtype);
  if (const Generic* complex = as_generic(plain)) {
    warn_of_lost_parts(vm, complex->dtype(), *dtype);
  }
  return wrap_scalar(vm, scalar_from_number(vm, plain, *dtype));
}

// A complex number, of its parts where there are two.
Value construct_complex(Interpreter& vm, Type& cls, const Value& real, const Value& imag) {
  if (imag.is_undefined()) return construct(vm, cls, real);
  const std::complex<double> number(vm.to_real(real), vm.to_real(imag));
  return wrap_scalar(vm, rt::Scalar::of(*arrays(vm).dtype_of(&cls), number));
}

#define GPY_CONSTRUCTOR(name) \
  { name, "(cls, value=<omitted>, /)", typed<construct>, "A number of this type." }
#define GPY_COMPLEX(name)                                                       \
  {                                                                             \
    name, "(cls, real=<omitted>, imag=<omitted>, /)", typed<construct_complex>, \
        "A complex number of this type, of a number or of two parts."           \
  }
const Native kConstructors[] = {
    GPY_CONSTRUCTOR("bool"),    GPY_CONSTRUCTOR("int8"),    GPY_CONSTRUCTOR("uint8"),
    GPY_CONSTRUCTOR("int16"),   GPY_CONSTRUCTOR("uint16"),  GPY_CONSTRUCTOR("int32"),
    GPY_CONSTRUCTOR("uint32"),  GPY_CONSTRUCTOR("int64"),   GPY_CONSTRUCTOR("uint64"),
    GPY_CONSTRUCTOR("float16"), GPY_CONSTRUCTOR("float32"), GPY_CONSTRUCTOR("float64"),
    GPY_COMPLEX("complex64"),   GPY_COMPLEX("complex128"),  GPY_CONSTRUCTOR("bfloat16"),
    GPY_CONSTRUCTOR("generic")};
#undef GPY_CONSTRUCTOR
#undef GPY_COMPLEX

// --- what Python's numbers have ------------------------------------------------------------------

Value ask_python(Interpreter& vm, const Value& self, std::string_view method) {
  return vm.call_method(plain(vm, self), method);
}

Value integer_is_integer(Interpreter&, const Value&) { return Value::boolean(true); }

Value integer_bit_count(Interpreter& vm, const Value& self) {
  return ask_python(vm, self, "bit_count");
}

Value float_is_integer(Interpreter& vm, const Value& self) {
  const double value = number_of(vm, self).as_double();
  return Value::boolean(std::isfinite(value) && std::floor(value) == value);
}

Value scalar_ratio(Interpreter& vm, const Value& self) {
  return ask_python(vm, self, "as_integer_ratio");
}

// round(x, n): NumPy's rounding of the type, and Python's to an int without n.
Value scalar_round(Interpreter& vm, const Value& self, const Value& digits) {
  if (is_given(digits)) return vm.call_method(self, "round", {digits});
  return ask_python(vm, self, "__round__");
}

Value scalar_abs(Interpreter& vm, const Value& self) {
  const rt::Scalar& number = number_of(vm, self);
  if (number.dtype() == rt::DType::kFloat64) return wrap_float64(vm, std::fabs(number.float64()));
  if (number.dtype() == rt::DType::kInt64 && number.int64() != INT64_MIN) {
    return wrap_int64(vm, std::abs(number.int64()));
  }
  static const rt::Ufunc& absolute = rt::ufunc(rt::Row::absolute);
  return apply_to_scalar(vm, absolute, self);
}

Value itself(Interpreter&, const Value& self) { return self; }
Value one(Interpreter&, const Value&) { return Value::integer(1); }

// float64 is Python's float too, whose __abs__ this one comes before.
const Native kMethods[] = {{"__abs__", "(self, /)", typed<scalar_abs>, ""}};
const Native kIntegerMethods[] = {
    {"__round__", "(self, ndigits=None, /)", typed<scalar_round>, ""},
    {"bit_count", "(self, /)", typed<integer_bit_count>,
     "How many ones the magnitude has in binary."},
    {"is_integer", "(self, /)", typed<integer_is_integer>, "True."},
};
const NativeGetter kIntegerGetters[] = {
    {"numerator", itself, nullptr, "The number itself."},
    {"denominator", one, nullptr, "1."},
};
const Native kFloatMethods[] = {
    {"__round__", "(self, ndigits=None, /)", typed<scalar_round>, ""},
    {"as_integer_ratio", "(self, /)", typed<scalar_ratio>, "Two ints whose ratio is the number."},
    {"is_integer", "(self, /)", typed<float_is_integer>, "True if there is no fractional part."},
};

constexpr const char* kDocs[] = {"Truth.",
                                 "Integers from -128 to 127.",
                                 "Integers from 0 to 255.",
                                 "Integers of 16 bits.",
                                 "Integers from 0 to 65535.",
                                 "Integers of 32 bits.",
                                 "Integers of 32 bits, from 0.",
                                 "Integers of 64 bits.",
                                 "Integers of 64 bits, from 0.",
                                 "Floats of 16 bits.",
                                 "Floats of 32 bits.",
                                 "Floats of 64 bits, as Python's.",
                                 "A pair of float32.",
                                 "A pair of float64, as Python's.",
                                 "The upper 16 bits of a float32."};

// `own`: what the type's scalars have beyond the base's.
Type* make_abstract(Arrays& state, const char* name, Type* base, const char* doc,
                    TypeSpec own = {}) {
  own.name = name;
  own.module = "numpy";
  own.doc = doc;
  own.base = base;
  own.constructor = &kConstructors[rt::kTypeCodes];
  own.is_final = false;
  Type* type = state.vm.make_type<Generic>(own);
  state.abstract_scalars.push_back(type);
  return type;
}

Type* make_concrete(Arrays& state, rt::DType dtype, Type* base, Type* also) {
  const size_t i = dtype.index();
  Type* type = state.vm.make_type<Generic>({.name = rt::name(dtype).data(),
                                            .module = "numpy",
                                            .doc = kDocs[i],
                                            .base = base,
                                            .constructor = &kConstructors[i]});
  // float64 is a float and complex128 a complex for isinstance, but takes over no slot.
  if (also) type->mro.insert(type->mro.end() - 1, also);
  state.scalars[i] = type;
  return type;
}

// Keeps a value as an attribute of its scalar type, so that it lives as long as the interpreter.
void keep(Arrays& state, Type* type, const char* name, Value value) {
  type->set_attribute(state.vm.intern(name), std::move(value));
}

void make_values(Arrays& state) {
  Interpreter& vm = state.vm;
  for (int i = 0; i < rt::kTypeCodes; ++i) {
    auto dtype = vm.make<DTypeObject>(state.dtype_types[i], rt::dtype_at(i));
    state.dtypes[i] = dtype.get();
    keep(state, state.scalars[i], "dtype", dtype);
  }
  Type* boolean = state.scalars[rt::DType::kBool.index()];
  for (int truth = 0; truth < 2; ++truth) {
    auto made = vm.make<Generic>(boolean, rt::Scalar(truth == 1));
    state.booleans[truth] = made.get();
    keep(state, boolean, truth ? "_true" : "_false", made);
  }
}

}  // namespace

void setup_scalars(Arrays& state) {
  Interpreter& vm = state.vm;
  state.generic = vm.make_type<Generic>({.name = "generic",
                                         .module = "numpy",
                                         .doc = "The base of all array scalars.",
                                         .slots = {.repr = scalar_repr_slot,
                                                   .str = scalar_str_slot,
                                                   .hash = scalar_hash,
                                                   .compare = scalar_compare,
                                                   .truth = scalar_truth,
                                                   .getitem = scalar_getitem,
                                                   .unary = scalar_unary,
                                                   .absolute = scalar_abs,
                                                   .binary = scalar_binary,
                                                   .to_int = scalar_to_int,
                                                   .to_float = scalar_to_float,
                                                   .to_complex = scalar_to_complex,
                                                   .format = scalar_format},
                                         .methods = kMethods,
                                         .getters = scalar_getters(),
                                         .constructor = &kConstructors[rt::kTypeCodes],
                                         .is_final = false});
  state.abstract_scalars.push_back(state.generic);
  Type* number = make_abstract(state, "number", state.generic, "Numbers.");
  Type* integer = make_abstract(
      state, "integer", number, "Integers.",
      {.slots = {.index = scalar_index}, .methods = kIntegerMethods, .getters = kIntegerGetters});
  Type* with_sign = make_abstract(state, "signedinteger", integer, "Integers with a sign.");
  Type* without_sign = make_abstract(state, "unsignedinteger", integer, "Integers from 0.");
  Type* inexact = make_abstract(state, "inexact", number, "Numbers that are rounded.");
  Type* floating = make_abstract(state, "floating", inexact, "Floats.", {.methods = kFloatMethods});
  Type* complexes = make_abstract(state, "complexfloating", inexact, "Complex numbers.");
  for (size_t i = 0; i < rt::kTypeCodes; ++i) {
    const rt::DType dtype = rt::dtype_at(i);
    Type* const bases[] = {state.generic, with_sign, without_sign, floating, complexes};
    Type* also = dtype == rt::DType::kFloat64      ? vm.types.real
                 : dtype == rt::DType::kComplex128 ? vm.types.complex
                                                   : nullptr;
    // ml_dtypes' bfloat16 is none of NumPy's floats.
    const bool own = rt::is_numpys_own(dtype);
    make_concrete(state, dtype, own ? bases[static_cast<int>(rt::kind(dtype))] : state.generic,
                  also);
  }
  make_values(state);
}

}  // namespace gpy
