// Conversions of arrays: to other dtypes, lists, bytes, single numbers.
#include <cstring>

#include "runtime/graph/events.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/array_classes.h"
#include "src/array/errors.h"
#include "src/array/indexing.h"
#include "src/array/typed_arguments.h"
#include "src/classes/class_slots.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The array that a method is called on, or a scalar as an array.
rt::Array array_of(Interpreter& vm, const Value& self) { return to_array(vm, self, kNumpy); }

Value scalar_or_array(Interpreter& vm, rt::Array result, const Value& self) {
  return as_generic(self) ? wrap_result(vm, std::move(result))
                          : wrap_view(vm, std::move(result), self);
}

// NumPy's names of C's types in messages.
std::string_view name_in_c(rt::DType dtype) {
  constexpr std::string_view kNames[] = {"bool",  "byte",   "ubyte",  "short",   "ushort",
                                         "int",   "uint",   "long",   "ulong",   "half",
                                         "float", "double", "cfloat", "cdouble", "bfloat16"};
  return kNames[dtype.index()];
}

// A cast after which every element is the number that it was; to bool they need not be.
rt::Array with_same_values(Interpreter& vm, const rt::Array& array, rt::DType dtype, bool copy,
                           char order) {
  rt::Session& state = session(vm);
  const rt::EventsIgnored quiet(state);
  const rt::DType from = array.dtype();
  const rt::Array result = rt::astype(state, array, dtype, rt::Casting::kUnsafe, copy, order);
  if (dtype.native() == rt::DType::kBool) return result;
  const rt::Array back = rt::astype(state, result, from, rt::Casting::kUnsafe, false);
  rt::Array same = ops::equal(vm, array, back);
  if (rt::is_inexact(from)) {
    same = ops::logical_or(vm, same,
                           ops::logical_and(vm, ops::isnan(vm, array), ops::isnan(vm, back)));
  }
  const rt::Array all = rt::reduce(state, rt::Fold::logical_and, same, {});
  if (!rt::item(state, all).truth()) {
    vm.raise_value_error("could not cast 'same_value' {} to {}{}", name_in_c(from),
                         name_in_c(dtype),
                         rt::is_complex(from) && !rt::is_complex(dtype) ? ": imag is not 0" : "");
  }
  return result;
}

Value astype(Interpreter& vm, const Value& self, const Value& dtype, const Value& order,
             const Value& casting, const Value&, bool copy) {
  const rt::Array array = array_of(vm, self);
  const rt::DType type = to_dtype(vm, dtype);
  const bool same_values = casting.is<Str>() && vm.to_text(casting) == "same_value";
  const rt::Casting rule =
      same_values ? rt::Casting::kUnsafe : to_casting(vm, casting, rt::Casting::kUnsafe);
  warn_of_lost_parts(vm, array.dtype(), type);
  const char wanted = to_order(vm, order, 'K');
  if (same_values) {
    return scalar_or_array(vm, with_same_values(vm, array, type, copy, wanted), self);
  }
  rt::Array result = rt::astype(session(vm), array, type, rule, copy, wanted);
  const bool same = !copy && result.storage_ref() == array.storage_ref();
  return same && as_ndarray(self) ? self : scalar_or_array(vm, std::move(result), self);
}

Value astype_function(Interpreter& vm, const Args& call, const rt::Array& array, rt::DType dtype,
                      bool copy, Device) {
  if (!as_ndarray(call[0]) && !as_generic(call[0])) {
    vm.raise_type_error("Input should be a NumPy array or scalar. It is a {} instead.",
                        vm.repr(Value(vm.type_of(call[0]))));
  }
  warn_of_lost_parts(vm, array.dtype(), dtype);
  return wrap_array(vm, rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, copy));
}

// The type of arrays that an argument is; null for anything else.
Type* array_type_in(Interpreter& vm, const Value& value) {
  Type* type = value.is_defined() ? value.try_as<Type>() : nullptr;
  return type && arrays(vm).is_array_type(native_base(type)) ? type : nullptr;
}

Type* type_to_view(Interpreter& vm, const Value& self, const Value& dtype, const Value& type) {
  if (is_given(type)) {
    Type* asked = array_type_in(vm, type);
    if (!asked) vm.raise_value_error("Type must be a sub-type of ndarray type");
    if (array_type_in(vm, dtype)) vm.raise_value_error("Cannot specify output type twice.");
    return asked;
  }
  Type* asked = array_type_in(vm, dtype);
  return asked ? asked : vm.type_of(self);
}

Value view(Interpreter& vm, const Value& self, const Value& dtype, const Value& type) {
  const rt::Array array = array_of(vm, self);
  const bool same = !is_given(dtype) || array_type_in(vm, dtype);
  const Value made =
      wrap_view(vm, same ? array : rt::view_as(session(vm), array, to_dtype(vm, dtype)), self);
  Type* asked = type_to_view(vm, self, dtype, type);
  return asked->is_class ? adopt_array(vm, asked, made, self) : made;
}

Value copy(Interpreter& vm, const Value& self, const Value& order) {
  return scalar_or_array(
      vm, rt::copy_here(session(vm), array_of(vm, self), to_order(vm, order, 'C')), self);
}

Value deepcopy(Interpreter& vm, const rt::Array& array, const Value&, const Value&) {
  return wrap_array(vm, rt::copy(session(vm), array));
}

// A scalar's fill is checked and changes nothing, as NumPy's.
Value fill(Interpreter& vm, const Value& self, const Value& value) {
  rt::Array array = array_of(vm, self);
  if (!as_ndarray(self)) array = rt::copy(session(vm), array);
  rt::write(session(vm), array, stored_element(vm, value, array.dtype(), array.space()));
  return Value::none();
}

// --- to Python's numbers -------------------------------------------------------------------------

Value single_item(Interpreter& vm, const rt::Array& array) {
  if (array.size() != 1) {
    vm.raise_value_error("can only convert an array of size 1 to a Python scalar");
  }
  return python_number(vm, rt::item(session(vm), array).cast(array.dtype()));
}

int64_t to_place(Interpreter& vm, const Value& value) {
  if (value.is_boolean()) vm.raise_type_error("an integer is required");
  return vm.to_index(value);
}

Value item(Interpreter& vm, const Value& self, const Value& indices) {
  Tuple& index = *indices.as<Tuple>();
  if (index.size == 0) return single_item(vm, array_of(vm, self));
  if (index.size == 1 && vm.has_index(index[0])) {
    const Value flat = vm.get_attribute(without_array_class(vm, self), "flat");
    return single_item(vm, to_array(vm, vm.get_item(flat, index[0]), kGp));
  }
  const Value key = index.size == 1 ? index[0] : indices;
  Tuple* places = key.try_as<Tuple>();
  if (!places) vm.to_index(key);
  if (places->size != static_cast<size_t>(array_of(vm, self).rank())) {
    vm.raise_value_error("incorrect number of indices for array");
  }
  std::vector<Value> exact;
  for (const Value& place : places->items()) exact.push_back(Value::integer(to_place(vm, place)));
  const Value plain = without_array_class(vm, self);
  return single_item(vm, to_array(vm, vm.get_item(plain, vm.tuple(exact)), kGp));
}

class Lister {
 public:
  Lister(Interpreter& vm, const rt::Array& array, const std::byte* data)
      : vm_(vm), poll_(vm), array_(array), data_(data) {}

  Value list(int axis = 0, int64_t offset = 0) {
    if (axis == array_.rank()) {
      return python_number(vm_, rt::Scalar::load(array_.dtype(), data_ + offset));
    }
    std::vector<Value> items;
    make_room(vm_, items, static_cast<size_t>(array_.shape()[axis]));
    for (int64_t i = 0; i < array_.shape()[axis]; ++i) {
      poll_.step();
      items.push_back(list(axis + 1, offset + i * array_.strides()[axis]));
    }
    return vm_.list(std::move(items));
  }

 private:
  Interpreter& vm_;
  InterruptPoll poll_;
  const rt::Array& array_;
  const std::byte* data_;
};

Value tolist(Interpreter& vm, const rt::Array& array) {
  const rt::HostRead read(session(vm), array);
  return Lister(vm, array, read.data()).list();
}

Value tobytes(Interpreter& vm, const rt::Array& array, const Value& order) {
  const char by = to_order(vm, order, 'C');
  const rt::Array dense = rt::astype(session(vm), array, array.dtype(), rt::Casting::kUnsafe, false,
                                     by == 'K' ? 'A' : by);
  const rt::HostRead read(session(vm), dense);
  return vm.bytes(copy_text(
      vm, {reinterpret_cast<const char*>(read.data()), static_cast<size_t>(dense.bytes())}));
}

// --- between the host and devices ----------------------------------------------------------------

Value get(Interpreter& vm, const rt::Array& array, const Value&, const Value&, const Value& out,
          const Value&) {
  rt::Array host = rt::to_space(session(vm), array, rt::Space::host());
  // The host's copy is its own: writing to one never shows in the other.
  if (host.storage_ref() == array.storage_ref()) host = rt::copy(session(vm), host);
  if (const Ndarray* target = to_out(vm, out)) {
    rt::write(session(vm), target->array, host);
    return out;
  }
  return wrap_array(vm, host);
}

Value set(Interpreter& vm, const Value& self, const Value& values, const Value&) {
  const Ndarray* array = as_ndarray(self);
  const Ndarray* source = as_ndarray(values);
  if (!array) vm.raise_type_error("a scalar cannot be set");
  const rt::Array& target = array->array;
  if (!source) vm.raise_type_error("Only numpy.ndarray can be set to cupy.ndarray");
  rt::write(session(vm), target, rt::to_space(session(vm), source->array, target.space()));
  return Value::none();
}

// Swaps the bytes alone: the dtype stays the same.
Value byteswap(Interpreter& vm, const Value& self, bool in_place) {
  const rt::Array array = array_of(vm, self);
  const rt::Array turned = rt::view_as(
      session(vm),
      rt::astype(session(vm), array, array.dtype().swapped(), rt::Casting::kEquiv, true, 'K'),
      array.dtype());
  if (!in_place) return as_generic(self) ? wrap_result(vm, turned) : wrap_array(vm, turned);
  if (!array.writeable()) vm.raise_value_error("array to be byte-swapped is read-only");
  rt::write(session(vm), array, turned);
  return self;
}

const Native kFunctions[] = {
    {"astype", "(x, dtype, /, *, copy=True, device=None)", typed<astype_function>,
     "A copy as another dtype."},
};

const Native kMethods[] = {
    {"astype", "(self, /, dtype, order='K', casting='unsafe', subok=True, copy=True)",
     typed<astype>, "A copy as another dtype."},
    {"view", "(self, /, dtype=None, type=<omitted>)", typed<view>,
     "The same memory, perhaps read as another dtype."},
    {"byteswap", "(self, /, inplace=False)", typed<byteswap>,
     "The elements with their bytes in the opposite order, as the same dtype."},
    {"copy", "(self, /, order='C')", typed<copy>, "A copy."},
    {"__copy__", "(self, order='C', /)", typed<copy>, ""},
    {"__deepcopy__", "(self, order='C', memo=None, /)", typed<deepcopy>, ""},
    {"fill", "(self, value, /)", typed<fill>, "Sets every element."},
    {"item", "(self, /, *args)", typed<item>, "An element as a Python number."},
    {"tolist", "(self, /)", typed<tolist>, "(Nested) lists of Python numbers."},
    {"tobytes", "(self, /, order='C')", typed<tobytes>, "The bytes of the elements."},
    {"get", "(self, stream=None, order='C', out=None, blocking=True)", typed<get>,
     "A copy on the host."},
    {"set", "(self, arr, stream=None)", typed<set>, "Copies an array of the host into this one."},
};

}  // namespace

Family conversion_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
