#include "src/array/attributes.h"

#include "runtime/core/error.h"
#include "runtime/graph/write.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"
#include "src/array/indexing.h"
#include "src/array/iterators.h"
#include "src/array/read_arguments.h"

namespace gpy {

namespace {

const rt::Array& of(const Value& self) { return as_ndarray(self)->array; }

Value shape(Interpreter& vm, const Value& self) { return shape_tuple(vm, of(self).shape()); }

void set_shape(Interpreter& vm, const Value& self, const Value& item) {
  rt::Array& array = as_ndarray(self)->array;
  const rt::Dims shape = to_dims(vm, item);
  try {
    array = rt::reshape_in_place(array, shape);
  } catch (const rt::Error& error) {
    // NumPy raises AttributeError if only a copy could have that shape.
    if (!error.message().starts_with("Incompatible shape")) throw;
    vm.raise(vm.types.attribute_error, error.message());
  }
}

Value strides(Interpreter& vm, const Value& self) { return shape_tuple(vm, of(self).strides()); }
Value ndim(Interpreter&, const Value& self) { return Value::integer(of(self).rank()); }
Value size(Interpreter&, const Value& self) { return Value::integer(of(self).size()); }
Value itemsize(Interpreter&, const Value& self) { return Value::integer(of(self).item_size()); }
Value nbytes(Interpreter&, const Value& self) { return Value::integer(of(self).bytes()); }
Value dtype(Interpreter& vm, const Value& self) { return wrap_dtype(vm, of(self).dtype()); }
Value base(Interpreter&, const Value& self) { return as_ndarray(self)->owner; }

void set_dtype(Interpreter& vm, const Value& self, const Value& item) {
  rt::Array& array = as_ndarray(self)->array;
  array = rt::view_as(session(vm), array, to_dtype(vm, item));
}

Value transposed(Interpreter& vm, const Value& self) {
  return wrap_view(vm, rt::transpose(of(self)), self);
}

Value matrix_transposed(Interpreter& vm, const Value& self) {
  if (of(self).rank() < 2) {
    vm.raise_value_error("matrix transpose with ndim < 2 is undefined");
  }
  return wrap_view(vm, rt::swap_axes(of(self), -1, -2), self);
}

Value real(Interpreter& vm, const Value& self) {
  return rt::is_complex(of(self).dtype()) ? wrap_view(vm, rt::real_part(of(self)), self) : self;
}

Value imag(Interpreter& vm, const Value& self) {
  return wrap_view(vm, rt::imag_part(session(vm), of(self)), self);
}

void store(Interpreter& vm, const rt::Array& target, const Value& item) {
  store_as_numbers(vm, target, item, [&](const Value& numbers) {
    rt::write(session(vm), target, stored_operand(vm, numbers, target.dtype(), target.space()));
  });
}

void set_real(Interpreter& vm, const Value& self, const Value& item) {
  store(vm, rt::real_part(of(self)), item);
}

void set_imag(Interpreter& vm, const Value& self, const Value& item) {
  if (!rt::is_complex(of(self).dtype())) {
    vm.raise_type_error("array does not have imaginary part to set");
  }
  store(vm, rt::imag_part(session(vm), of(self)), item);
}

Value flat(Interpreter& vm, const Value& self) { return make_flat_iterator(vm, self); }

void set_flat(Interpreter& vm, const Value& self, const Value& item) {
  const Value everything = vm.slice(Value::none(), Value::none(), Value::none());
  vm.set_item(make_flat_iterator(vm, self), everything, item);
}

Value flags(Interpreter& vm, const Value& self) { return make_flags(vm, self); }

const NativeGetter kNdarray[] = {
    {"shape", shape, set_shape, "The extents, one an axis."},
    {"strides", strides, nullptr, "Bytes from one element to the next, one an axis."},
    {"ndim", ndim, nullptr, "How many axes."},
    {"size", size, nullptr, "How many elements."},
    {"itemsize", itemsize, nullptr, "Bytes of one element."},
    {"nbytes", nbytes, nullptr, "Bytes of all elements."},
    {"dtype", dtype, set_dtype, "The type of the elements."},
    {"T", transposed, nullptr, "The array with its axes reversed; a view."},
    {"mT", matrix_transposed, nullptr, "The array with its last two axes swapped; a view."},
    {"real", real, set_real, "The real parts; a view."},
    {"imag", imag, set_imag, "The imaginary parts; a view of complex arrays."},
    {"base", base, nullptr, "The array whose memory this one views, or None."},
    {"flat", flat, set_flat, "The elements one after another, in C order."},
    {"flags", flags, nullptr, "How the elements lie in memory."},
    {"__array_priority__", [](Interpreter&, const Value&) { return Value::real(0); }, nullptr,
     "The greatest of several operands decides on the class of their result."},
};

// --- of scalars ----------------------------------------------------------------------------------

rt::DType type_of_scalar(const Value& self) { return as_generic(self)->dtype(); }

Value part(Interpreter& vm, const Value& self, bool imaginary) {
  const rt::Scalar& number = as_generic(self)->number(session(vm));
  const rt::DType real_type = rt::real_type(number.dtype());
  if (!rt::is_complex(number.dtype())) {
    return imaginary ? wrap_scalar(vm, rt::Scalar::of(real_type, int64_t{0})) : self;
  }
  const std::complex<double> z = number.as_complex();
  return wrap_scalar(vm, rt::Scalar::of(real_type, imaginary ? z.imag() : z.real()));
}

const NativeGetter kScalar[] = {
    {"flags",
     [](Interpreter& vm, const Value& self) {
       return vm.get_attribute(vm.get_item(self, Value::ellipsis()), "flags");
     },
     nullptr, "How an array of the number lies in memory."},
    {"dtype",
     [](Interpreter& vm, const Value& self) { return wrap_dtype(vm, type_of_scalar(self)); },
     nullptr, "The type of the number."},
    {"shape", [](Interpreter& vm, const Value&) { return vm.tuple({}); }, nullptr, "()."},
    {"strides", [](Interpreter& vm, const Value&) { return vm.tuple({}); }, nullptr, "()."},
    {"ndim", [](Interpreter&, const Value&) { return Value::integer(0); }, nullptr, "0."},
    {"size", [](Interpreter&, const Value&) { return Value::integer(1); }, nullptr, "1."},
    {"itemsize",
     [](Interpreter&, const Value& self) {
       return Value::integer(rt::item_size(type_of_scalar(self)));
     },
     nullptr, "Bytes of the number."},
    {"nbytes",
     [](Interpreter&, const Value& self) {
       return Value::integer(rt::item_size(type_of_scalar(self)));
     },
     nullptr, "Bytes of the number."},
    {"T", [](Interpreter&, const Value& self) { return self; }, nullptr, "The number itself."},
    {"real", [](Interpreter& vm, const Value& self) { return part(vm, self, false); }, nullptr,
     "The real part."},
    {"imag", [](Interpreter& vm, const Value& self) { return part(vm, self, true); }, nullptr,
     "The imaginary part."},
    {"base", [](Interpreter&, const Value&) { return Value::none(); }, nullptr, "None."},
    {"device", [](Interpreter& vm, const Value&) { return vm.str("cpu"); }, nullptr, "\"cpu\"."},
    {"flat",
     [](Interpreter& vm, const Value& self) {
       return make_flat_iterator(vm, wrap_array(vm, as_generic(self)->array(session(vm))));
     },
     nullptr, "The number, as an array of one."},
};

}  // namespace

std::span<const NativeGetter> ndarray_getters() { return kNdarray; }
std::span<const NativeGetter> scalar_getters() { return kScalar; }

}  // namespace gpy
