#pragma once
// array[key] and array[key] = item.

#include "runtime/ops/index.h"
#include "src/array/convert.h"
#include "src/calls/override.h"

namespace gpy {

Value array_getitem(Interpreter& vm, const Value& self, const Value& key);
void array_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item);
// The same for several keys without a tuple. Undefined and false mean that nothing was done, since
// the keys need the general path.
Value array_get_at(Interpreter& vm, const Value& self, std::span<const Value> keys);
bool array_set_at(Interpreter& vm, const Value& self, std::span<const Value> keys,
                  const Value& item);
void array_delitem(Interpreter& vm, const Value& self, const Value& key);

// The items of the key between the brackets. Lists become arrays in `space`.
std::vector<rt::IndexItem> index_items(Interpreter& vm, const Value& key, rt::Space space);
// A value that is to be stored among elements of `dtype` in `space`: numbers are checked against
// the dtype, sequences become arrays of it.
rt::Operand stored_operand(Interpreter& vm, const Value& item, rt::DType dtype, rt::Space space);
// The same for one element. A sequence or an array with axes is converted to a number as NumPy does
// it, which mostly raises an error.
rt::Operand stored_element(Interpreter& vm, const Value& item, rt::DType dtype, rt::Space space);
// Text, dates, records or objects as numbers of a dtype, if they are any.
Value numbers_of_other_kinds(Interpreter& vm, const Value& item, rt::DType dtype);

// Runs `store` on what is to be stored in an array of numbers: on the item, or, where that is of
// another kind and the array lies on the host, on the numbers that it stands for.
template <class Store>
void store_as_numbers(Interpreter& vm, const rt::Array& array, const Value& item, Store store) {
  try {
    return store(item);
  } catch (const Override&) {
    if (!array.space().is_host()) throw;
  }
  store(numbers_of_other_kinds(vm, item, array.dtype()));
}

}  // namespace gpy
