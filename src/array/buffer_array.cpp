#include "src/array/buffer_array.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/objects/str.h"

namespace gpy {

namespace {

rt::Array host_bytes(Interpreter& vm, int64_t count) {
  return rt::empty(session(vm), {count}, rt::DType::kUInt8, rt::Space::host());
}

rt::Array memory_of(Interpreter& vm, const Value& given) {
  const Value buffer = behind_memory_view(vm, given);
  const Ndarray* array = as_ndarray(buffer);
  if (array && array->array.space().is_host()) {
    const rt::Layout& layout = array->array.layout();
    if (!rt::is_c_contiguous(layout) && !rt::is_f_contiguous(layout)) {
      vm.raise_value_error("ndarray is not contiguous");
    }
    return array->array;
  }
  const Bytes* bytes = buffer.try_as<Bytes>();
  if (!bytes) {
    vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(buffer));
  }
  const auto count = static_cast<int64_t>(bytes->data.size());
  return rt::from_host(session(vm), rt::DType::kUInt8, {count}, bytes->data.data(),
                       rt::Space::host())
      .read_only();
}

// From the first element's first byte on, what the elements take before and behind it.
void check_strides(Interpreter& vm, const rt::Layout& layout, int64_t have, int64_t offset) {
  const bool empty = rt::element_count(layout.shape) == 0;
  int64_t before = 0, behind = empty ? 0 : layout.item_size();
  for (int axis = 0; axis < layout.rank() && !empty; ++axis) {
    const int64_t last = layout.shape[axis] - 1;
    int64_t& side = layout.strides[axis] < 0 ? before : behind;
    side = rt::checked_sum(side, rt::checked_product(last, std::abs(layout.strides[axis])));
  }
  if (offset > have || before > offset || behind > have - offset) {
    vm.raise_value_error(
        "strides is incompatible with shape of requested array and size of buffer");
  }
}

void check_size(Interpreter& vm, const rt::Layout& layout, int64_t have, int64_t offset) {
  const int64_t need = rt::element_count(layout.shape, layout.item_size()) * layout.item_size();
  if (offset > have || need > have - offset) {
    vm.raise_type_error("buffer is too small for requested array");
  }
}

rt::Dims read_strides(Interpreter& vm, const Value& value, int rank) {
  const rt::Dims strides = to_dims(vm, value);
  if (strides.size() != rank) {
    vm.raise_value_error("strides, if given, must be the same length as shape");
  }
  return strides;
}

rt::Layout read_layout(Interpreter& vm, const BufferLayout& wanted) {
  rt::Layout layout{to_dtype(vm, wanted.dtype), to_shape(vm, wanted.shape), {}, 0};
  if (is_given(wanted.strides)) {
    layout.strides = read_strides(vm, wanted.strides, layout.rank());
  } else {
    const bool fortran = to_order(vm, wanted.order, 'C') == 'F';
    layout.strides = fortran ? rt::f_strides(layout.shape, layout.item_size())
                             : rt::c_strides(layout.shape, layout.item_size());
  }
  return layout;
}

}  // namespace

Value behind_memory_view(Interpreter& vm, const Value& buffer) {
  const bool is_view = buffer.is_object() && vm.type_of(buffer) == arrays(vm).memory_view;
  return is_view ? vm.get_attribute(buffer, "_array") : buffer;
}

Value make_buffer_array(Interpreter& vm, const Value& buffer, const BufferLayout& wanted) {
  rt::Layout layout = read_layout(vm, wanted);
  const bool over = is_given(buffer);
  const int64_t need = rt::element_count(layout.shape, layout.item_size()) * layout.item_size();
  const rt::Array memory = over ? memory_of(vm, buffer) : host_bytes(vm, need);
  const int64_t offset = over ? wanted.offset : 0;
  if (offset < 0) vm.raise_value_error("offset must be non-negative");
  if (is_given(wanted.strides)) {
    check_strides(vm, layout, memory.bytes(), offset);
  } else {
    check_size(vm, layout, memory.bytes(), offset);
  }
  layout.offset = memory.offset() + offset;
  rt::Array view = rt::view_memory(session(vm), memory, std::move(layout));
  return over ? wrap_view(vm, std::move(view), buffer) : wrap_array(vm, std::move(view));
}

}  // namespace gpy
