// What arrays can be turned into: other dtypes, lists, bytes, single numbers.
#include <cstring>

#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/indexing.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

Value scalar_or_array(Interpreter& vm, rt::Array result, const Value& self) {
  return as_generic(self) ? wrap_result(vm, std::move(result))
                          : wrap_view(vm, std::move(result), self);
}

// (self, dtype, order, casting, subok, copy)
Value astype(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const bool copy = vm.truth(args[5]);
  rt::Array result =
      rt::astype(session(vm), array, to_dtype(vm, args[1]),
                 to_casting(vm, args[3], rt::Casting::kUnsafe), copy, to_order(vm, args[2], 'K'));
  const bool same = !copy && result.storage_ref() == array.storage_ref();
  return same && as_ndarray(args[0]) ? args[0] : scalar_or_array(vm, std::move(result), args[0]);
}

// numpy.astype(x, dtype, /, *, copy=True)
Value astype_function(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  return wrap_array(vm, rt::astype(session(vm), array, to_dtype(vm, args[1]), rt::Casting::kUnsafe,
                                   vm.truth(args[2])));
}

Value view(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const bool plain =
      !is_given(args[1]) || (args[1].is<Type>() && arrays(vm).is_array_type(args[1].as<Type>()));
  if (plain) return wrap_view(vm, array, args[0]);
  return wrap_view(vm, rt::view_as(session(vm), array, to_dtype(vm, args[1])), args[0]);
}

Value copy(Interpreter& vm, Args args) {
  return scalar_or_array(
      vm, rt::copy_here(session(vm), array_argument(vm, args), to_order(vm, args[1], 'C')),
      args[0]);
}

// A scalar's fill is checked and changes nothing, as NumPy's.
Value fill(Interpreter& vm, Args args) {
  rt::Array array = array_argument(vm, args);
  if (!as_ndarray(args[0])) array = rt::copy(session(vm), array);
  rt::write(session(vm), array, stored_element(vm, args[1], array.dtype(), array.space()));
  return Value::none();
}

// --- to Python's numbers -------------------------------------------------------------------------

Value single_item(Interpreter& vm, const rt::Array& array) {
  if (array.size() != 1) {
    vm.raise_value_error("can only convert an array of size 1 to a Python scalar");
  }
  return python_number(vm, rt::item(session(vm), array).cast(array.dtype()));
}

Value item(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  Tuple& index = *args[1].as<Tuple>();
  if (index.size == 0) return single_item(vm, array);
  if (index.size == 1 && vm.has_index(index[0])) {
    const Value flat = vm.get_attribute(args[0], "flat");
    return single_item(vm, to_array(vm, vm.get_item(flat, index[0]), kGp));
  }
  const Value key = index.size == 1 ? index[0] : args[1];
  return single_item(vm, to_array(vm, vm.get_item(args[0], key), kGp));
}

class Lister {
 public:
  Lister(Interpreter& vm, const rt::Array& array, const std::byte* data)
      : vm_(vm), heed_(vm), array_(array), data_(data) {}

  Value list(int axis = 0, int64_t offset = 0) {
    if (axis == array_.rank()) {
      return python_number(vm_, rt::Scalar::load(array_.dtype(), data_ + offset));
    }
    std::vector<Value> items;
    make_room(vm_, items, static_cast<size_t>(array_.shape()[axis]));
    for (int64_t i = 0; i < array_.shape()[axis]; ++i) {
      heed_.step();
      items.push_back(list(axis + 1, offset + i * array_.strides()[axis]));
    }
    return vm_.list(std::move(items));
  }

 private:
  Interpreter& vm_;
  Heed heed_;
  const rt::Array& array_;
  const std::byte* data_;
};

Value tolist(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const rt::HostRead read(session(vm), array);
  return Lister(vm, array, read.data()).list();
}

Value tobytes(Interpreter& vm, Args args) {
  const char order = to_order(vm, args[1], 'C');
  const rt::Array dense =
      rt::astype(session(vm), array_argument(vm, args), array_argument(vm, args).dtype(),
                 rt::Casting::kUnsafe, false, order == 'K' ? 'A' : order);
  const rt::HostRead read(session(vm), dense);
  return vm.bytes(copy_text(
      vm, {reinterpret_cast<const char*>(read.data()), static_cast<size_t>(dense.bytes())}));
}

// --- between the host and devices ----------------------------------------------------------------

Value get(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  rt::Array host = rt::to_space(session(vm), array, rt::Space::host());
  // The host's copy is its own: writing to one never shows in the other.
  if (host.storage_ref() == array.storage_ref()) host = rt::copy(session(vm), host);
  if (const Ndarray* out = to_out(vm, args[3])) {
    rt::write(session(vm), out->array, host);
    return args[3];
  }
  return wrap_array(vm, host);
}

Value set(Interpreter& vm, Args args) {
  const Ndarray* self = as_ndarray(args[0]);
  const Ndarray* source = as_ndarray(args[1]);
  if (!self) vm.raise_type_error("a scalar cannot be set");
  const rt::Array& target = self->array;
  if (!source) vm.raise_type_error("Only numpy.ndarray can be set to cupy.ndarray");
  rt::write(session(vm), target, rt::to_space(session(vm), source->array, target.space()));
  return Value::none();
}

// By the bytes alone: the dtype stays what it is.
Value byteswap(Interpreter& vm, Args args) {
  const rt::Array array = array_argument(vm, args);
  const rt::Array turned = rt::view_as(
      session(vm),
      rt::astype(session(vm), array, array.dtype().swapped(), rt::Casting::kEquiv, true, 'K'),
      array.dtype());
  if (!vm.truth(args[1]))
    return as_generic(args[0]) ? wrap_result(vm, turned) : wrap_array(vm, turned);
  if (!array.writeable()) vm.raise_value_error("array to be byte-swapped is read-only");
  rt::write(session(vm), array, turned);
  return args[0];
}

const Native kFunctions[] = {
    {"astype", "(x, dtype, /, *, copy=True, device=None)", astype_function,
     "A copy as another dtype."},
};

const Native kMethods[] = {
    {"astype", "(self, /, dtype, order='K', casting='unsafe', subok=True, copy=True)", astype,
     "A copy as another dtype."},
    {"view", "(self, /, dtype=None)", view, "The same memory, perhaps read as another dtype."},
    {"byteswap", "(self, /, inplace=False)", byteswap,
     "The elements with their bytes in the opposite order, as the same dtype."},
    {"copy", "(self, /, order='C')", copy, "A copy."},
    {"__copy__", "(self, order='C', /)", copy, ""},
    {"__deepcopy__", "(self, order='C', memo=None, /)",
     [](Interpreter& vm, Args args) {
       return wrap_array(vm, rt::copy(session(vm), array_argument(vm, args)));
     },
     ""},
    {"fill", "(self, value, /)", fill, "Sets every element."},
    {"item", "(self, /, *args)", item, "An element as a Python number."},
    {"tolist", "(self, /)", tolist, "(Nested) lists of Python numbers."},
    {"tobytes", "(self, /, order='C')", tobytes, "The bytes of the elements."},
    {"get", "(self, stream=None, order='C', out=None, blocking=True)", get, "A copy on the host."},
    {"set", "(self, arr, stream=None)", set, "Copies an array of the host into this one."},
};

}  // namespace

Family conversion_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
