#include "stdlib/native/numpy/kind_arguments.h"

#include "runtime/ops/elementwise.h"
#include "src/interpreter.h"

namespace gpy::lib {

namespace {

List& as_list(Interpreter& vm, const Value& value) {
  if (List* list = value.try_as<List>()) return *list;
  vm.raise_type_error("a list is needed here, not {}", vm.type_name(value));
}

rt::Array dense_int64(Interpreter& vm, const rt::Array& array) {
  const rt::Array whole = rt::astype(session(vm), array, rt::DType::kInt64);
  return rt::is_c_contiguous(whole.layout()) ? whole : rt::copy(session(vm), whole, 'C');
}

}  // namespace

std::span<const Value> listed(Interpreter& vm, const Value& list) {
  return as_list(vm, list).items;
}

ListItems::ListItems(Interpreter& vm, const Value& list) : vm_(vm), list_(&as_list(vm, list)) {}

Value ListItems::at(size_t i) const {
  if (i >= list_->items.size()) vm_.raise_index_error("the list was shortened meanwhile");
  return list_->items[i];
}

Int64Values::Int64Values(Interpreter& vm, const rt::Array& array)
    : dense_(dense_int64(vm, array)),
      read_(session(vm), dense_),
      values_(reinterpret_cast<const int64_t*>(read_.data()), static_cast<size_t>(dense_.size())) {}

HostRows::HostRows(Interpreter& vm, const rt::Array& rows)
    : vm_(vm), rows_(rows), read_(session(vm), rows) {
  const bool has_rows = rows.rank() == 2;
  if (!has_rows || (rows.shape()[1] > 1 && rows.strides()[1] != rows.item_size())) {
    vm.raise_type_error("an array of rows with their units side by side is needed here");
  }
}

const std::byte* HostRows::at(int64_t row, int64_t place, int64_t size, int64_t step) const {
  row = checked_row(vm_, row, rows_.shape()[0]);
  const int64_t width = rows_.shape()[1] * rows_.item_size();
  if (place < 0 || size < 0 || size > width || place > width - size) {
    vm_.raise_value_error("{} bytes at {} lie beyond the end of a row of {}", size, place, width);
  }
  const std::byte* found = read_.data() + row * rows_.strides()[0] + place;
  if (reinterpret_cast<uintptr_t>(found) % static_cast<uintptr_t>(step) != 0) {
    vm_.raise_value_error("a place in a row must be a multiple of {}", step);
  }
  return found;
}

int64_t checked_row(Interpreter& vm, int64_t row, int64_t count) {
  if (row < -count || row >= count) {
    vm.raise_index_error("index {} is out of bounds for axis 0 with size {}", row, count);
  }
  return row < 0 ? row + count : row;
}

Type* class_with_layout(Interpreter& vm, const Value& cls, ObjectLayout layout) {
  Type* const type = cls.try_as<Type>();
  if (type && type->instance_layout == layout) return type;
  vm.raise_type_error("no class of such objects: {}", vm.repr(cls));
}

DateUnit date_unit(Interpreter& vm, int64_t number) {
  if (number < 0 || number >= static_cast<int64_t>(kDateUnitNames.size())) {
    vm.raise_value_error("there is no unit of time with the number {}", number);
  }
  return static_cast<DateUnit>(number);
}

}  // namespace gpy::lib
