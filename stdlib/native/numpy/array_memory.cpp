// The memory of arrays as their methods show it: fields of elements, growing and shrinking in
// place, addresses; and the methods that are written in gpy (stdlib/numpy/methods).
#include <cstring>

#include "runtime/graph/lent_memory.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/array_memory.h"
#include "stdlib/native/numpy/library.h"

namespace gpy::lib {

namespace {

Ndarray& own_array(Interpreter& vm, const Value& self, const char* method) {
  if (Ndarray* array = as_ndarray(self)) return *array;
  vm.raise_type_error("{}: a number alone has no memory to work on", method);
}

// The same elements seen as another, not wider type, `offset` bytes from the start of each.
rt::Array field_of(Interpreter& vm, const rt::Array& array, rt::DType dtype, int64_t offset) {
  const int64_t most = array.item_size() - rt::item_size(dtype);
  if (most < 0) vm.raise_value_error("new type is larger than original type");
  if (offset < 0) vm.raise_value_error("offset is negative");
  if (offset > most) vm.raise_value_error("new type plus offset is larger than original type");
  rt::Layout layout = array.layout();
  layout.dtype = dtype;
  layout.offset += offset;
  return rt::view_memory(session(vm), array, std::move(layout));
}

Value getfield(Interpreter& vm, const Value& self, rt::DType dtype, int64_t offset) {
  const rt::Array& array = own_array(vm, self, "getfield").array;
  const rt::Array field = field_of(vm, array, dtype, offset);
  return wrap_view(vm, array.writeable() ? field : field.read_only(), self);
}

Value setfield(Interpreter& vm, const Value& self, const Value& value, rt::DType dtype,
               int64_t offset) {
  const Value field = getfield(vm, self, dtype, offset);
  vm.set_item(field, Value::ellipsis(), value);
  return Value::none();
}

// The first elements in the order of memory, and zeros where there are not so many.
rt::Array resized(Interpreter& vm, const rt::Array& array, const rt::Dims& shape, bool fortran) {
  const rt::HostRead old(session(vm), array);
  rt::Array made = rt::empty(session(vm), shape, array.dtype(), array.space(), fortran ? 'F' : 'C');
  if (made.bytes() == 0) return made;
  rt::WriteAccess target(session(vm), made, rt::kHostPlace);
  const auto kept = static_cast<size_t>(std::min(array.bytes(), made.bytes()));
  if (kept > 0) std::memcpy(target.data(), old.data(), kept);
  std::memset(target.data() + kept, 0, static_cast<size_t>(made.bytes()) - kept);
  return made;
}

Value resize(Interpreter& vm, const Value& self, const Value& new_shape, bool) {
  Ndarray& found = own_array(vm, self, "resize");
  const rt::Array& array = found.array;
  const std::span<Value> given = new_shape.as<Tuple>()->items();
  if (given.empty() || (given.size() == 1 && given[0].is_none())) return Value::none();
  const rt::Dims shape = dims_of_rest(vm, new_shape);
  for (const int64_t extent : shape) {
    if (extent < 0) vm.raise_value_error("negative dimensions not allowed");
  }
  const bool fortran = rt::is_f_contiguous(array.layout());
  if (!rt::is_c_contiguous(array.layout()) && !fortran) {
    vm.raise_value_error("resize only works on single-segment arrays");
  }
  const bool same_size = rt::element_count(shape) == array.size();
  if (!same_size && !found.owner.is_none()) {
    vm.raise_value_error("cannot resize this array: it does not own its data");
  }
  const rt::Array made = resized(vm, array, shape, fortran && !rt::is_c_contiguous(array.layout()));
  found.array = array.writeable() ? made : made.read_only();
  return Value::none();
}

Value setflags(Interpreter& vm, const Value& self, const Value& write, const Value& align,
               const Value& uic) {
  own_array(vm, self, "setflags");
  if (is_given(uic) && vm.truth(uic)) {
    vm.raise_value_error("cannot set WRITEBACKIFCOPY flag to True");
  }
  const Value flags = vm.get_attribute(self, "flags");
  if (is_given(align)) vm.set_attribute(flags, vm.intern("aligned"), align);
  if (is_given(write)) vm.set_attribute(flags, vm.intern("writeable"), write);
  return Value::none();
}

// A method written in gpy: the function of its name, without underscores around it, in
// stdlib/numpy/methods, which gets all of the arguments by position.
Value in_gpy(Interpreter& vm, Args args) {
  std::string_view name = args.callee().row->name;
  if (name.starts_with("__")) name = name.substr(2, name.size() - 4);
  const Value method = find_in_library(vm, kNumpy, "methods", name);
  std::vector<Value> all(args.begin(), args.end());
  return vm.call(method,
                 CallArgs{.values = all.data(), .positional = static_cast<uint32_t>(all.size())});
}

template <const char* kName> Value getter_in_gpy(Interpreter& vm, const Value& self) {
  return vm.call(find_in_library(vm, kNumpy, "methods", kName), {self});
}
constexpr char kCtypes[] = "ctypes";
constexpr char kInterface[] = "array_interface";

// Where the first element lies on the host, from now on.
Value own_address(Interpreter& vm, const rt::Array& array) {
  const auto memory = rt::lend_for_good(session(vm), array, rt::kHostPlace);
  const auto first = reinterpret_cast<uintptr_t>(memory->data());
  if (array.space().is_host()) arrays(vm).told_addresses.tell(array, first);
  return Value::integer(static_cast<int64_t>(first) + array.offset());
}

// The memory that holds such an address, as bytes, and the place of the address in it.
Value memory_at(Interpreter& vm, int64_t address) {
  const auto found = arrays(vm).told_addresses.find(static_cast<uintptr_t>(address));
  if (!found) vm.raise_value_error("no array has the address {:#x}", address);
  return vm.tuple({wrap_array(vm, found->bytes), Value::integer(found->offset)});
}

const Native kMethods[] = {
    {"getfield", "(self, dtype, offset=0)", typed<getfield>,
     "A view of the bytes of each element from an offset on, as another type."},
    {"setfield", "(self, val, dtype, offset=0)", typed<setfield>,
     "Stores values in a field of each element."},
    {"resize", "(self, *new_shape, refcheck=True)", typed<resize>,
     "Changes the shape and the size in place; new elements are zeros, and views of the array keep "
     "the old memory."},
    {"setflags", "(self, write=None, align=None, uic=None)", typed<setflags>,
     "Sets whether the array may be written."},
    {"to_device", "(self, device, /, *, stream=None)", in_gpy,
     "The array itself, for the device \"cpu\"; ValueError for others."},
    {"__array__", "(self, dtype=None, *, copy=None)", in_gpy,
     "The array, of a dtype and without a class over ndarray."},
    {"__array_namespace__", "(self, *, api_version=None)", in_gpy,
     "The module with the functions of the array API."},
    {"__dlpack__", "(self, *, stream=None, max_version=None, dl_device=None, copy=None)", in_gpy,
     "The array for another library's from_dlpack."},
    {"__dlpack_device__", "(self)", in_gpy, "DLPack's numbers for the kind of device and for it."},
};

const NativeGetter kGetters[] = {
    {"ctypes", getter_in_gpy<kCtypes>, nullptr, "The address, shape and strides as ints."},
    {"__array_interface__", getter_in_gpy<kInterface>, nullptr,
     "A dict that describes the memory."},
};

Value data_of(Interpreter& vm, const Value& self) {
  const Value view = vm.call(find_in_library(vm, kNumpy, "kinds", "data"), {self});
  arrays(vm).memory_view = vm.type_of(view);
  return view;
}

const NativeGetter kHostGetters[] = {
    {"data", data_of, nullptr, "The memory, as a memoryview."},
};

const Native kOwnRows[] = {
    {"_address", "(a, /)", typed<own_address>, "Where its first element lies, from now on."},
    {"_memory_at", "(address, /)", typed<memory_at>,
     "The memory with an address that was told, as bytes, and the place in it."},
};

}  // namespace

Family memory_family() { return {.methods = kMethods}; }

std::span<const NativeGetter> memory_getters() { return kGetters; }

std::span<const NativeGetter> host_memory_getters() { return kHostGetters; }

std::span<const Native> own_memory_rows() { return kOwnRows; }

}  // namespace gpy::lib
