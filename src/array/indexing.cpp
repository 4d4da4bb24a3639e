#include "src/array/indexing.h"

#include <algorithm>

#include "runtime/graph/evaluate.h"
#include "runtime/ops/create.h"
#include "runtime/ops/element.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index_plan.h"
#include "runtime/ops/small_index.h"
#include "src/array/array_classes.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/array/operators.h"
#include "src/array/sequence_objects.h"
#include "src/calls/override.h"
#include "src/objects/int.h"

namespace gpy {

namespace {

constexpr size_t kMaxQuickRank = 8;

[[noreturn]] void refuse_key(Interpreter& vm) {
  vm.raise_index_error(
      "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
      "boolean "
      "arrays are valid indices");
}

[[noreturn]] void refuse_size(Interpreter& vm) {
  vm.raise_overflow_error("Python int too large to convert to C long");
}

int64_t index_of(Interpreter& vm, const rt::Scalar& number) {
  if (number.dtype() == rt::DType::kUInt64 && number.as_unsigned() > INT64_MAX) refuse_size(vm);
  return number.as_int();
}

// Indices of one element, one per axis, gathered without the heap.
struct QuickIndex {
  std::array<int64_t, kMaxQuickRank> at;
  size_t count = 0;
  std::span<const int64_t> span() const { return {at.data(), count}; }
};

bool add_quick(Interpreter& vm, const Value& key, QuickIndex& index) {
  if (key.is_integer()) {
    index.at[index.count++] = key.as_integer();
    return true;
  }
  Generic* scalar = as_generic(key);
  if (!scalar || !rt::is_integer(scalar->dtype())) return false;
  index.at[index.count++] = index_of(vm, scalar->number(session(vm)));
  return true;
}

// The keys between the brackets, one by one.
std::span<const Value> keys_of(const Value& key) {
  if (Tuple* tuple = key.try_as<Tuple>()) return tuple->items();
  return {&key, 1};
}

// True if the keys are integers alone, one for each axis of the array.
bool quick_index(Interpreter& vm, const rt::Array& array, std::span<const Value> keys,
                 QuickIndex& index) {
  const size_t rank = static_cast<size_t>(array.rank());
  if (keys.size() != rank || rank > kMaxQuickRank) return false;
  for (const Value& key : keys) {
    if (!add_quick(vm, key, index)) return false;
  }
  return true;
}

// A number that an element of `dtype` may be set to without a check of its range.
bool quick_number(const Value& item, rt::DType dtype, rt::Scalar& number) {
  if (const Generic* scalar = as_generic(item)) {
    if (scalar->pending()) return false;
    number = scalar->ready_number();
    return number.dtype() == dtype;
  }
  if (item.is_real()) {
    number = rt::Scalar::strong(item.as_real());
  } else if (item.is_integer()) {
    number = rt::Scalar::strong(item.as_integer());
  } else {
    return false;
  }
  return dtype == rt::DType::kFloat64 ||
         (item.is_integer() && (dtype == rt::DType::kInt64 || dtype == rt::DType::kFloat32));
}

// The view that integers, plain slices and new axes choose, worked out without the heap.
class QuickView {
 public:
  explicit QuickView(const rt::Array& array)
      : array_(array), out_{array.dtype(), {}, {}, array.offset()} {}

  // False for every other key, and for a wrong one.
  bool choose(std::span<const Value> keys) {
    for (const Value& key : keys) {
      if (!add(key)) return false;
    }
    for (; axis_ < array_.rank(); ++axis_) {
      if (!push(array_.shape()[axis_], array_.strides()[axis_])) return false;
    }
    return true;
  }
  rt::Array view() { return array_.with_layout(std::move(out_)); }

 private:
  bool add(const Value& item) {
    if (item.is_none()) return push(1, 0);
    if (axis_ == array_.rank()) return false;
    if (item.is_integer()) return add_integer(item.as_integer());
    const Slice* slice = item.try_as<Slice>();
    return slice && add_slice(*slice);
  }
  bool add_integer(int64_t at) {
    const int64_t extent = array_.shape()[axis_];
    if (at < 0) at += extent;
    if (at < 0 || at >= extent) return false;
    out_.offset += at * array_.strides()[axis_++];
    return true;
  }
  bool add_slice(const Slice& slice) {
    rt::SliceIndex index;
    if (!bound(slice.start, index.start) || !bound(slice.stop, index.stop) ||
        !bound(slice.step, index.step)) {
      return false;
    }
    const rt::SliceRange range = rt::slice_range(index, array_.shape()[axis_]);
    const int64_t stride = array_.strides()[axis_++];
    if (range.step > INT32_MAX || range.step < -INT32_MAX) return false;
    if (range.count > 0) out_.offset += range.start * stride;
    return push(range.count, range.step * stride);
  }
  static bool bound(const Value& value, std::optional<int64_t>& to) {
    if (value.is_integer()) to = value.as_integer();
    return value.is_none() || value.is_integer();
  }
  bool push(int64_t extent, int64_t stride) {
    if (out_.rank() == rt::kMaxRank) return false;
    out_.shape.push_back(extent);
    out_.strides.push_back(stride);
    return true;
  }

  const rt::Array& array_;
  rt::Layout out_;
  int axis_ = 0;
};

bool is_view_itself(const rt::Array& a, const rt::Array& b) {
  return a.storage_ref() == b.storage_ref() && a.dtype() == b.dtype() && a.offset() == b.offset() &&
         rt::same_places(a.layout(), b.layout());
}

// array[keys] = item where the host has all of it computed; false leaves it to the general path.
bool set_at_once(const rt::Array& array, std::span<const Value> keys, const Value& item,
                 Interpreter& vm) {
  if (!array.space().is_host()) return false;
  rt::Term source;
  rt::Scalar number;
  if (const Ndarray* from = as_ndarray(item)) {
    source = from->array;
  } else if (quick_number(item, array.dtype(), number)) {
    source = number;
  } else {
    return false;
  }
  QuickView chosen(array);
  if (!chosen.choose(keys)) return false;
  const rt::Array target = chosen.view();
  if (source.is_array() && target.rank() == 0) return false;
  if (source.is_array() && is_view_itself(source.array(), target)) return true;
  return rt::try_write_at_once(session(vm), target, source);
}

// The only key, if it is an array of the host's, as `array` is.
const rt::Array* host_index(const rt::Array& array, std::span<const Value> keys) {
  if (keys.size() != 1 || !array.space().is_host()) return nullptr;
  const Ndarray* index = as_ndarray(keys[0]);
  return index && index->array.space().is_host() ? &index->array : nullptr;
}

std::optional<int64_t> slice_bound(Interpreter& vm, const Value& bound) {
  if (bound.is_none()) return std::nullopt;
  if (!vm.has_index(bound)) {
    vm.raise_type_error("slice indices must be integers or None or have an __index__ method");
  }
  const Value exact = vm.to_index_value(bound);
  if (exact.is_integer()) return exact.as_integer();
  return vm.less(exact, Value::integer(0)) ? INT64_MIN : INT64_MAX;
}

rt::SliceIndex slice_item(Interpreter& vm, const Slice& slice) {
  return {slice_bound(vm, slice.start), slice_bound(vm, slice.stop), slice_bound(vm, slice.step)};
}

rt::IndexItem array_item(Interpreter& vm, const rt::Array& array, rt::Space space) {
  if (array.dtype() != rt::DType::kBool && !rt::is_integer(array.dtype())) {
    vm.raise_index_error("arrays used as indices must be of integer (or boolean) type");
  }
  if (array.rank() == 0 && array.dtype() != rt::DType::kBool) {
    return index_of(vm, rt::item(session(vm), array));
  }
  if (space.is_host() && array.space().is_device()) raise_implicit_conversion(vm);
  const bool moves = !space.is_host() && array.space().is_host();
  return moves ? rt::to_space(session(vm), array, space) : array;
}

rt::IndexItem sequence_item(Interpreter& vm, const Value& key, rt::Space space) {
  rt::Array array = array_from_nested(vm, key, std::nullopt, space);
  if (array.size() == 0 && array.dtype() == rt::DType::kFloat64) {
    array = rt::astype(session(vm), array, rt::DType::kInt64);
  }
  return array_item(vm, array, space);
}

rt::IndexItem index_item(Interpreter& vm, const Value& key, rt::Space space) {
  if (key.is_integer()) return key.as_integer();
  if (key.is_none()) return rt::NewAxis{};
  if (key.is_ellipsis()) return rt::EllipsisIndex{};
  if (const Slice* slice = key.try_as<Slice>()) return slice_item(vm, *slice);
  if (const Ndarray* array = as_ndarray(key)) return array_item(vm, array->array, space);
  if (Generic* scalar = as_generic(key)) {
    if (rt::is_integer(scalar->dtype())) return index_of(vm, scalar->number(session(vm)));
    if (scalar->dtype() != rt::DType::kBool) refuse_key(vm);
  }
  if (key.is_boolean() || as_generic(key) || key.is<List>() || key.is<Tuple>() || key.is<Range>()) {
    return sequence_item(vm, key, space);
  }
  if (!vm.has_index(key)) {
    const Value plain = plain_sequences(vm, key);
    if (plain.same(key)) refuse_key(vm);
    return as_ndarray(plain) ? array_item(vm, as_ndarray(plain)->array, space)
                             : sequence_item(vm, plain, space);
  }
  const Value exact = vm.to_index_value(key);
  if (!exact.is_integer()) is_beyond_64_bits(*exact.as<Int>()) ? refuse_key(vm) : refuse_size(vm);
  return exact.as_integer();
}

// A single element chosen by integers alone, which NumPy gives as a scalar.
bool is_full_index(const rt::Array& array, std::span<const rt::IndexItem> items) {
  if (static_cast<int>(items.size()) != array.rank()) return false;
  for (const rt::IndexItem& item : items) {
    if (!std::holds_alternative<int64_t>(item)) return false;
  }
  return true;
}

void check_spaces(Interpreter& vm, const rt::Array& target, const Value& item) {
  const Ndarray* source = as_ndarray(item);
  if (!source) return;
  const rt::Space from = source->array.space();
  if (target.space().is_host() && from.is_device()) raise_implicit_conversion(vm);
  if (target.space().is_device() && from.is_host()) raise_unsupported_type(vm, item);
}

[[noreturn]] void refuse_sequence(Interpreter& vm) {
  vm.raise_value_error("setting an array element with a sequence.");
}

// A sequence, or an array with axes; neither text nor a mapping.
bool has_items(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) return array->array.rank() > 0;
  if (!value.is_object() || value.is<Str>() || value.is<Bytes>() || value.is<Dict>()) return false;
  const Slots& slots = vm.type_of(value)->slots;
  return slots.length && slots.getitem;
}

// Refuses to set a view to nested lists that are deeper than the view has axes.
void check_depth(Interpreter& vm, const rt::Array& array, std::span<const rt::IndexItem> items,
                 const Value& item, const rt::Operand& source) {
  const bool nested = item.is<List>() || item.is<Tuple>() || item.is<Range>();
  if (!nested || !rt::is_basic(items)) return;
  const int rank = rt::get_items(session(vm), array, items).rank();
  if (source.array().rank() <= rank) return;
  vm.raise_value_error(
      "setting an array element with a sequence. The requested array would exceed the maximum "
      "number of dimension of {}.",
      rank);
}

bool is_lone_index(const Value& key) {
  const Ndarray* array = as_ndarray(key);
  return array && array->array.rank() == 0;
}

// Whether an array without axes is among the indices: it counts as an int, but picks as arrays do,
// into a copy.
bool picks(const Value& key) {
  Tuple* tuple = key.try_as<Tuple>();
  return tuple ? std::ranges::any_of(tuple->items(), is_lone_index) : is_lone_index(key);
}

// Whether a view is assigned to itself, as at the end of `a[i:j] += b`.
bool assigns_itself(const rt::Array& array, std::span<const rt::IndexItem> items,
                    const rt::Operand& source, rt::Session& session) {
  if (!source.is_array() || !rt::is_basic(items)) return false;
  if (source.array().storage_ref() != array.storage_ref()) return false;
  const rt::Array target = rt::get_items(session, array, items);
  return target.dtype() == source.array().dtype() && target.offset() == source.array().offset() &&
         rt::same_places(target.layout(), source.array().layout());
}

}  // namespace

std::vector<rt::IndexItem> index_items(Interpreter& vm, const Value& key, rt::Space space) {
  std::vector<rt::IndexItem> items;
  if (Tuple* tuple = key.try_as<Tuple>()) {
    for (const Value& item : tuple->items()) items.push_back(index_item(vm, item, space));
  } else {
    items.push_back(index_item(vm, key, space));
  }
  return items;
}

static rt::Operand stored_array(Interpreter& vm, const Value& item, const Ndarray& array) {
  const bool last = vm.is_last_use(item) && array.refs == 1;
  const bool alone = last && array.array.storage().use_count() == 1;
  rt::Operand operand(array.array);
  return alone ? std::move(operand).for_last_use() : operand;
}

rt::Operand stored_operand(Interpreter& vm, const Value& item, rt::DType dtype, rt::Space space) {
  if (const Ndarray* array = as_ndarray(item)) {
    warn_of_lost_parts(vm, array->array.dtype(), dtype);
    return stored_array(vm, item, *array);
  }
  if (const Generic* scalar = as_generic(item)) {
    warn_of_lost_parts(vm, scalar->dtype(), dtype);
    if (scalar->pending()) return scalar->operand();
  }
  if (!item.is<Str>()) {
    if (auto number = try_number_for(vm, item, dtype)) {
      return checked_cast(vm, item, *number, dtype);
    }
  }
  return array_from_nested(vm, item, dtype, space);
}

rt::Operand stored_element(Interpreter& vm, const Value& item, rt::DType dtype, rt::Space space) {
  const bool is_class_number = is_number_of_array_class(item);
  if (!has_items(vm, item) && !is_class_number) {
    return stored_operand(vm, plain_element(vm, item, dtype), dtype, space);
  }
  const Slots& slots = vm.type_of(item)->slots;
  const bool array = as_ndarray(item) && !is_class_number;
  const bool number = !array && (slots.to_float || slots.index);
  if (array && as_ndarray(item)->array.size() != 1) refuse_sequence(vm);
  if ((rt::is_float(dtype) && !number) || (rt::is_integer(dtype) && array)) refuse_sequence(vm);
  const Value plain = number_for(vm, item, dtype);
  return checked_cast(vm, plain, *try_number_for(vm, plain, dtype), dtype);
}

Value array_get_at(Interpreter& vm, const Value& self, std::span<const Value> keys) {
  const rt::Array& array = as_ndarray(self)->array;
  QuickIndex quick;
  if (array.space().is_host() && quick_index(vm, array, keys, quick)) {
    // A read of one element computes the whole array once, instead of element by element.
    if (array.value()->pending()) rt::evaluate(session(vm), *array.value());
    if (const std::byte* element = rt::try_find_element(array, quick.span())) {
      return wrap_element(vm, array.dtype(), element);
    }
  }
  if (const rt::Array* index = host_index(array, keys)) {
    auto rows = rt::try_gather_at_once(session(vm), array, *index);
    return rows ? wrap_result(vm, *std::move(rows)) : Value();
  }
  if (QuickView chosen(array);
      static_cast<int>(quick.count) < array.rank() && chosen.choose(keys)) {
    rt::Array view = chosen.view();
    if (view.rank() > 0) return wrap_view(vm, std::move(view), self);
  }
  return Value();
}

Value array_getitem(Interpreter& vm, const Value& self, const Value& key) {
  Value quick = array_get_at(vm, self, keys_of(key));
  if (quick.is_defined()) return quick;
  const rt::Array& array = as_ndarray(self)->array;
  const std::vector<rt::IndexItem> items = index_items(vm, key, array.space());
  rt::Array result = rt::get_items(session(vm), array, items);
  if (is_full_index(array, items)) return wrap_result(vm, std::move(result));
  if (rt::is_basic(items) && picks(key)) return wrap_result(vm, rt::copy(session(vm), result));
  if (rt::is_basic(items)) return wrap_view(vm, std::move(result), self);
  return wrap_result(vm, std::move(result));
}

bool array_set_at(Interpreter& vm, const Value& self, std::span<const Value> keys,
                  const Value& item) {
  const rt::Array& array = as_ndarray(self)->array;
  QuickIndex quick;
  if (rt::Scalar number; quick_number(item, array.dtype(), number)) {
    const bool element = quick_index(vm, array, keys, quick);
    if (element && rt::try_store_element(array, quick.span(), number)) return true;
  }
  if (const rt::Array* index = host_index(array, keys)) {
    const Ndarray* from = as_ndarray(item);
    return from && from->array.space().is_host() && from->array.dtype() == array.dtype() &&
           rt::try_scatter_at_once(session(vm), array, *index, from->array);
  }
  return set_at_once(array, keys, item, vm);
}

static void set_from_items(Interpreter& vm, const rt::Array& array, const Value& key,
                           const Value& item) {
  const std::vector<rt::IndexItem> items = index_items(vm, key, array.space());
  const bool element = is_full_index(array, items);
  const rt::Operand source = element ? stored_element(vm, item, array.dtype(), array.space())
                                     : stored_operand(vm, item, array.dtype(), array.space());
  if (!element) {
    if (assigns_itself(array, items, source, session(vm))) return;
    check_depth(vm, array, items, item, source);
  }
  rt::set_items(session(vm), array, items, source);
}

// Whether no key is an array of indices: then a number is set as an element, not cast as an array.
static bool chooses_view(std::span<const Value> keys) {
  return std::ranges::none_of(keys, [](const Value& key) {
    if (const Ndarray* array = as_ndarray(key)) return array->array.rank() > 0;
    return key.is_boolean() || (key.is_object() && !key.is<Slice>() && !as_generic(key));
  });
}

static void set_numbers(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  if (array_set_at(vm, self, keys_of(key), item)) return;
  const rt::Array& array = as_ndarray(self)->array;
  QuickIndex quick;
  check_spaces(vm, array, item);
  if (has_items(vm, item) || is_number_of_array_class(item)) {
    return set_from_items(vm, array, key, item);
  }
  const Value element = chooses_view(keys_of(key)) ? plain_element(vm, item, array.dtype()) : item;
  const rt::Operand source = stored_operand(vm, element, array.dtype(), array.space());
  if (!source.is_array() && quick_index(vm, array, keys_of(key), quick) &&
      rt::try_store_element(array, quick.span(), source.scalar())) {
    return;
  }
  const std::vector<rt::IndexItem> items = index_items(vm, key, array.space());
  if (is_full_index(array, items) && source.is_array() && source.array().rank() > 0) {
    refuse_sequence(vm);
  }
  rt::set_items(session(vm), array, items, source);
}

Value numbers_of_other_kinds(Interpreter& vm, const Value& item, rt::DType dtype) {
  return vm.call_method(arrays(vm).other_kinds(vm), "numbers", {item, wrap_dtype(vm, dtype)});
}

void array_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  const rt::Array& array = as_ndarray(self)->array;
  store_as_numbers(vm, array, item,
                   [&](const Value& numbers) { set_numbers(vm, self, key, numbers); });
}

void array_delitem(Interpreter& vm, const Value&, const Value&) {
  vm.raise_value_error("cannot delete array elements");
}

}  // namespace gpy
