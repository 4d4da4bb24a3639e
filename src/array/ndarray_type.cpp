// The three array types. They share every slot; their functions come from the library.
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/attributes.h"
#include "src/array/buffer_array.h"
#include "src/array/convert.h"
#include "src/array/indexing.h"
#include "src/array/iterators.h"
#include "src/array/operators.h"
#include "src/array/print.h"
#include "src/array/read_arguments.h"
#include "src/text/format.h"
#include "src/typed_native.h"
#include "src/numbers/number.h"
#include "src/types/generic_alias.h"

namespace gpy {

namespace {

const rt::Array& of(const Value& self) { return as_ndarray(self)->array; }

std::string array_repr_slot(Interpreter& vm, const Value& self) {
  return array_repr_by_options(vm, self, "array(");
}

std::string array_str_slot(Interpreter& vm, const Value& self) {
  return array_str_by_options(vm, self);
}

bool array_truth(Interpreter& vm, const Value& self) {
  const rt::Array& array = of(self);
  if (array.size() == 1) return rt::item(session(vm), array).truth();
  if (array.size() == 0) {
    vm.raise_value_error(
        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
        "array "
        "is not empty.");
  }
  vm.raise_value_error(
      "The truth value of an array with more than one element is ambiguous. Use a.any() or "
      "a.all()");
}

int64_t array_length(Interpreter& vm, const Value& self) {
  if (of(self).rank() == 0) vm.raise_type_error("len() of unsized object");
  return of(self).shape()[0];
}

bool array_contains(Interpreter& vm, const Value& self, const Value& item) {
  const Value equal = array_compare(vm, CompareOp::equal, self, item);
  if (!as_ndarray(equal)) return vm.truth(equal);
  return vm.truth(vm.call_method(equal, "any"));
}

rt::Scalar only_number(Interpreter& vm, const Value& self) {
  if (of(self).rank() != 0) {
    vm.raise_type_error("only 0-dimensional arrays can be converted to Python scalars");
  }
  return rt::item(session(vm), of(self)).cast(of(self).dtype());
}

// cupy converts arrays of one element of any rank, as NumPy once did.
rt::Scalar single_number(Interpreter& vm, const Value& self) {
  const bool single = !of(self).space().is_host() && of(self).size() == 1;
  if (single) return rt::item(session(vm), of(self)).cast(of(self).dtype());
  return only_number(vm, self);
}

Value array_index(Interpreter& vm, const Value& self) {
  const rt::Array& array = of(self);
  if (array.rank() != 0 || !rt::is_integer(array.dtype())) {
    vm.raise_type_error("only integer scalar arrays can be converted to a scalar index");
  }
  return python_number(vm, only_number(vm, self));
}

// The number for int() and float(). `wanted`: the first half of the error for a complex number.
rt::Scalar real_number(Interpreter& vm, const Value& self, std::string_view wanted) {
  const rt::Scalar number = single_number(vm, self);
  if (rt::is_complex(number.dtype())) {
    vm.raise_type_error("{} or a real number, not 'complex'", wanted);
  }
  return number;
}

Value array_to_int(Interpreter& vm, const Value& self) {
  const rt::Scalar number =
      real_number(vm, self, "int() argument must be a string, a bytes-like object");
  if (rt::is_inexact(number.dtype())) return int_from_real(vm, number.as_double());
  return number.dtype() == rt::DType::kBool ? Value::integer(number.truth())
                                            : python_number(vm, number);
}

Value array_to_float(Interpreter& vm, const Value& self) {
  return Value::real(real_number(vm, self, "float() argument must be a string").as_double());
}

Value array_to_complex(Interpreter& vm, const Value& self) {
  const std::complex<double> z = single_number(vm, self).as_complex();
  return vm.complex(z.real(), z.imag());
}

std::string array_format(Interpreter& vm, const Value& self, std::string_view spec) {
  if (of(self).rank() == 0) return format_value(vm, python_number(vm, only_number(vm, self)), spec);
  if (spec.empty()) return vm.to_str(self);
  vm.raise_type_error("unsupported format string passed to {}.__format__", vm.type_name(self));
}

// --- ndarray(shape, dtype=float, ...) ------------------------------------------------------------

Value construct_in(Interpreter& vm, rt::Space space, const Value& shape, const Value& dtype,
                   const Value& order) {
  return wrap_array(vm, rt::empty(session(vm), to_shape(vm, shape), to_dtype(vm, dtype), space,
                                  to_order(vm, order, 'C')));
}

Value construct_numpy(Interpreter& vm, const Value&, const Value& shape, const Value& dtype,
                      const Value& buffer, const Value& offset, const Value& strides,
                      const Value& order) {
  const int64_t start = vm.to_index(offset);
  if (!is_given(buffer) && !is_given(strides)) {
    return construct_in(vm, rt::Space::host(), shape, dtype, order);
  }
  return make_buffer_array(vm, buffer, {shape, dtype, start, strides, order});
}

// CuPy's constructor, which can also take memory that the script has.
Value construct_cupy(Interpreter& vm, const Value&, const Value& shape, const Value& dtype,
                     const Value& memptr, const Value& strides, const Value& order) {
  if (is_given(memptr)) {
    return vm.call(vm.get_attribute(vm.import_module("_cuda_memory"), "_array_at"),
                   {memptr, shape, dtype, strides, order});
  }
  return construct_in(vm, kCupy.space(session(vm)), shape, dtype, order);
}

Value construct_gp(Interpreter& vm, const Value&, const Value& shape, const Value& dtype,
                   const Value& order) {
  return construct_in(vm, rt::Space::automatic(), shape, dtype, order);
}

constexpr const char* kDoc = "An array of numbers of one type; made by array, zeros, arange ...";
const Native kConstructors[] = {
    {"ndarray", "(cls, shape, dtype=None, buffer=None, offset=0, strides=None, order=None)",
     typed<construct_numpy>, kDoc},
    {"ndarray", "(cls, shape, dtype=None, memptr=None, strides=None, order=None)",
     typed<construct_cupy>, kDoc},
    {"ndarray", "(cls, shape, dtype=None, order=None)", typed<construct_gp>, kDoc}};

Value array_abs(Interpreter& vm, const Value& self) {
  static const rt::Ufunc& absolute = rt::ufunc(rt::Row::absolute);
  const rt::Term term = of(self);
  return wrap_result(vm, rt::apply(session(vm), absolute, {&term, 1}, {}, rt::Space::host()));
}

Type* make_array_type(Interpreter& vm, const char* module, const Native& constructor) {
  return vm.make_type<Ndarray>({.name = "ndarray",
                                .module = module,
                                .doc = kDoc,
                                .slots = {.repr = array_repr_slot,
                                          .str = array_str_slot,
                                          .compare = array_compare,
                                          .truth = array_truth,
                                          .length = array_length,
                                          .getitem = array_getitem,
                                          .setitem = array_setitem,
                                          .delitem = array_delitem,
                                          .get_at = array_get_at,
                                          .set_at = array_set_at,
                                          .contains = array_contains,
                                          .iter = make_array_iterator,
                                          .unary = array_unary,
                                          .absolute = array_abs,
                                          .binary = array_binary,
                                          .inplace = array_inplace,
                                          .index = array_index,
                                          .to_int = array_to_int,
                                          .to_float = array_to_float,
                                          .to_complex = array_to_complex,
                                          .format = array_format},
                                .getters = ndarray_getters(),
                                .constructor = &constructor,
                                .is_final = false});
}

}  // namespace

void setup_ndarrays(Arrays& state) {
  Interpreter& vm = state.vm;
  state.numpy_array = make_array_type(vm, "numpy", kConstructors[0]);
  state.cupy_array = make_array_type(vm, "cupy", kConstructors[1]);
  state.gp_array = make_array_type(vm, "gpy", kConstructors[2]);
  for (Type* each : {state.numpy_array, state.cupy_array, state.gp_array}) {
    take_type_arguments(each);
  }
}

}  // namespace gpy
