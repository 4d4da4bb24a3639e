// `.flat`: the elements of an array in C order, whatever its strides are.

#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/element.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/array_classes.h"
#include "src/array/convert.h"
#include "src/array/indexing.h"
#include "src/array/iterators.h"
#include "src/typed_native.h"

namespace gpy {

namespace {

struct FlatIterator : Object {
  static constexpr ObjectLayout kLayout = kFlatIteratorLayout;
  FlatIterator(Type* type, Value array) : Object(type), array(std::move(array)) {}
  Value array;
  int64_t next = 0;
};

Value itself(Interpreter&, const Value& self) { return self; }

const rt::Array& array_of(const FlatIterator& flat) { return as_ndarray(flat.array)->array; }

// The array, with the iterator at its start, where reading and writing by index leave it.
const rt::Array& rewound(FlatIterator& flat) {
  flat.next = 0;
  return array_of(flat);
}

// A new row with the class of the array.
Value wrap_row(Interpreter& vm, const FlatIterator& flat, rt::Array row) {
  Value made = wrap_result(vm, std::move(row));
  if (!as_ndarray(made) || !is_of_array_class(flat.array)) return made;
  return adopt_array(vm, as_ndarray(flat.array)->type, made, flat.array);
}

rt::Dims position_of(const rt::Array& array, int64_t index) {
  rt::Dims at(array.rank(), 0);
  for (int axis = array.rank() - 1; axis >= 0; --axis) {
    at[axis] = index % array.shape()[axis];
    index /= array.shape()[axis];
  }
  return at;
}

Value element_at(Interpreter& vm, const rt::Array& array, int64_t index) {
  const rt::Dims at = position_of(array, index);
  if (array.space().is_host()) {
    if (auto number = rt::try_load_element(array, at)) return wrap_scalar(vm, *number);
  }
  std::vector<rt::IndexItem> items(at.begin(), at.end());
  return wrap_result(vm, rt::get_items(session(vm), array, items));
}

Value next_element(Interpreter& vm, const Value& self) {
  auto* flat = self.as<FlatIterator>();
  const rt::Array& array = array_of(*flat);
  if (flat->next >= array.size()) return Value();
  return element_at(vm, array, flat->next++);
}

int64_t flat_length(Interpreter&, const Value& self) {
  return array_of(*self.as<FlatIterator>()).size();
}

std::optional<int64_t> element_index(Interpreter& vm, const rt::Array& array, const Value& key) {
  if (key.is_boolean() || as_ndarray(key) || !vm.has_index(key)) return std::nullopt;
  int64_t index = vm.to_index(key);
  if (index < -array.size() || index >= array.size()) {
    vm.raise_index_error("index {} is out of bounds for size {}", index, array.size());
  }
  return index < 0 ? index + array.size() : index;
}

bool is_truth_value(const Value& value) {
  const Generic* scalar = as_generic(value);
  const Ndarray* array = as_ndarray(value);
  return value.is_boolean() || (scalar && scalar->dtype() == rt::DType::kBool) ||
         (array && array->array.rank() == 0 && array->array.dtype() == rt::DType::kBool);
}

// The index of a row: of a tuple its only item. Bools choose as arrays alone.
Value row_key(Interpreter& vm, const Value& given) {
  const Tuple* tuple = given.try_as<Tuple>();
  if (tuple && tuple->size > 1) {
    vm.raise_index_error(
        "too many indices for flat iterator: flat iterator is 1-dimensional, but {} were indexed",
        tuple->size);
  }
  const Value key = tuple && tuple->size == 1 ? Value(given.as<Tuple>()->items()[0]) : given;
  if (key.is_none()) {
    vm.raise_index_error(
        "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid "
        "indices");
  }
  const List* list = key.try_as<List>();
  if (is_truth_value(list && !list->items.empty() ? list->items[0] : key)) {
    vm.raise_index_error(
        "boolean indices for iterators are not supported because of previous behavior that was "
        "confusing (valid boolean indices are expected to work in the future)");
  }
  return key;
}

Value flat_getitem(Interpreter& vm, const Value& self, const Value& given) {
  auto& flat = *self.as<FlatIterator>();
  const rt::Array& array = rewound(flat);
  const Value key = row_key(vm, given);
  if (auto index = element_index(vm, array, key)) return element_at(vm, array, *index);
  rt::Session& state = session(vm);
  const rt::Array row = rt::ravel(state, array);
  const rt::Array part = rt::get_items(state, row, index_items(vm, key, array.space()));
  return wrap_row(vm, flat, rt::copy(state, part, 'C'));
}

// The first `count` elements of `array` in C order, starting again where they run out.
rt::Array repeated(rt::Session& state, const rt::Array& array, int64_t count) {
  const rt::Array row = rt::ravel(state, array.as_array());
  if (row.size() == count) return row;
  const rt::Operand positions[] = {rt::iota(state, {count}, row.space()),
                                   rt::Scalar::weak(row.size())};
  const rt::Array at = rt::apply(state, rt::ufunc(rt::Row::remainder), positions, {}, row.space());
  return rt::take(state, row, at, 0);
}

void set_elements(Interpreter& vm, const rt::Array& array, const Value& given, const Value& item) {
  rt::Session& state = session(vm);
  const Value key = row_key(vm, given);
  if (key.is<Tuple>() || (given.is<Tuple>() && key.is_ellipsis())) {
    vm.raise_index_error("Assigning to a flat iterator with a 0-D index is not supported");
  }
  if (auto index = element_index(vm, array, key)) {
    const rt::Dims at = position_of(array, *index);
    return rt::set_items(state, array, std::vector<rt::IndexItem>(at.begin(), at.end()),
                         stored_element(vm, item, array.dtype(), array.space()));
  }
  rt::Operand source = stored_operand(vm, item, array.dtype(), array.space());
  const rt::Array row = rt::ravel(state, array);
  const std::vector<rt::IndexItem> items = index_items(vm, key, array.space());
  if (source.is_array()) {
    const rt::Array chosen = rt::get_items(state, row, items);
    if (source.array().size() == 0) return;
    source = rt::reshape(state, repeated(state, source.array(), chosen.size()), chosen.shape());
  }
  rt::set_items(state, row, items, source);
  if (!(row.storage_ref() == array.storage_ref())) {
    rt::write(state, array, rt::reshape(state, row, array.shape()));
  }
}

void flat_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  const rt::Array& array = rewound(*self.as<FlatIterator>());
  store_as_numbers(vm, array, item,
                   [&](const Value& numbers) { set_elements(vm, array, key, numbers); });
}

Value flat_base(Interpreter&, const Value& self) { return self.as<FlatIterator>()->array; }

Value flat_index(Interpreter&, const Value& self) {
  return Value::integer(self.as<FlatIterator>()->next);
}

Value flat_coords(Interpreter& vm, const Value& self) {
  const auto& flat = *self.as<FlatIterator>();
  const rt::Array& array = array_of(flat);
  int64_t rest = flat.next;
  std::vector<Value> coords(array.rank());
  for (int axis = array.rank() - 1; axis >= 0; --axis) {
    const int64_t extent = axis > 0 ? std::max<int64_t>(array.shape()[axis], 1) : rest + 1;
    coords[axis] = Value::integer(rest % extent);
    rest /= extent;
  }
  return vm.tuple(coords);
}

Value flat_copy(Interpreter& vm, const Value& self) {
  const auto& flat = *self.as<FlatIterator>();
  return wrap_row(vm, flat, rt::copy(session(vm), rt::ravel(session(vm), array_of(flat))));
}

// The elements in one row: the array's own where they lie so, else a copy that nobody writes to.
Value row_of(Interpreter& vm, const FlatIterator& flat) {
  rt::Array row = rt::ravel(session(vm), array_of(flat));
  if (row.storage_ref() == array_of(flat).storage_ref()) {
    return wrap_view(vm, std::move(row), flat.array);
  }
  return wrap_array(vm, row.read_only());
}

Value flat_array(Interpreter& vm, const Value& self, const Value&, const Value&) {
  return row_of(vm, *self.as<FlatIterator>());
}

Value flat_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  return vm.compare(op, row_of(vm, *self.as<FlatIterator>()), other);
}

const NativeGetter kFlatGetters[] = {
    {"base", flat_base, nullptr, "The array."},
    {"index", flat_index, nullptr, "The number of the next element."},
    {"coords", flat_coords, nullptr, "The index of the next element, a number an axis."},
};

const Native kFlatMethods[] = {
    {"copy", "(self, /)", typed<flat_copy>, "The elements in one row."},
    {"__array__", "(self, dtype=None, /, *, copy=None)", typed<flat_array>,
     "The elements in one row; a view where they lie so. The arguments count for nothing."},
};

}  // namespace

Value make_flat_iterator(Interpreter& vm, const Value& array) {
  return vm.make<FlatIterator>(arrays(vm).flat_iterator, array);
}

Value row_of_flat(Interpreter& vm, const Value& value) {
  return value.is<FlatIterator>() ? row_of(vm, *value.as<FlatIterator>()) : Value();
}

void setup_flat_iterator(Arrays& state) {
  Interpreter& vm = state.vm;
  state.flat_iterator = vm.make_type<FlatIterator>({.name = "flatiter",
                                                    .module = "numpy",
                                                    .slots = {.compare = flat_compare,
                                                              .length = flat_length,
                                                              .getitem = flat_getitem,
                                                              .setitem = flat_setitem,
                                                              .iter = itself,
                                                              .next = next_element},
                                                    .methods = kFlatMethods,
                                                    .getters = kFlatGetters});
}

}  // namespace gpy
