#include "src/array/nested.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/array_classes.h"
#include "src/array/convert.h"
#include "src/array/errors.h"
#include "src/array/sequence_objects.h"
#include "src/memory/pieces.h"
#include "src/objects/int.h"

namespace gpy {

namespace {

[[noreturn]] void raise_ragged(Interpreter& vm, std::span<const int64_t> known) {
  vm.raise_value_error(
      "setting an array element with a sequence. The requested array has an inhomogeneous shape "
      "after {} dimensions. The detected shape was {} + inhomogeneous part.",
      known.size(), rt::tuple_text(known));
}

// First pass: the shape, and the dtype that holds every element.
class Discovery {
 public:
  Discovery(Interpreter& vm, bool find_dtype) : vm_(vm), poll_(vm), find_dtype_(find_dtype) {}

  void scan(const Value& value, size_t depth) {
    poll_.step();
    if (auto items = items_of(value)) {
      const bool ends = items->empty();
      extent(depth, static_cast<int64_t>(items->size()), ends);
      if (depth + 1 > static_cast<size_t>(rt::kMaxRank)) raise_too_deep(vm_);
      for (const Value& item : *items) scan(item, depth + 1);
    } else if (const Range* range = value.try_as<Range>()) {
      extent(depth, range->length, true);
      if (range->length > 0) note(rt::DType::kInt64);
    } else if (const Ndarray* array = as_ndarray(value)) {
      const rt::Dims& shape = array->array.shape();
      for (int i = 0; i < shape.size(); ++i) extent(depth + i, shape[i], i + 1 == shape.size());
      if (shape.empty()) leaf(depth);
      if (is_number_of_array_class(value)) holds_class_numbers_ = true;
      note(array->array.dtype());
    } else {
      leaf(depth);
      if (find_dtype_) note(dtype_of_leaf(value));
    }
  }

  const rt::Dims& shape() const { return shape_; }
  rt::DType dtype() const { return dtype_.value_or(rt::DType::kFloat64); }
  bool holds_class_numbers() const { return holds_class_numbers_; }

 private:
  // Notes a sequence of `size` items at `depth`; `ends`: there is no further level below it.
  void extent(size_t depth, int64_t size, bool ends) {
    const auto rank = static_cast<size_t>(shape_.size());
    if (depth < rank) {
      if (shape_[depth] != size) ragged(depth);
      if (ends && depth + 1 < rank) ragged(depth + 1);
    } else if (complete_) {
      ragged(depth);
    } else {
      shape_.push_back(size);
    }
    complete_ |= ends;
  }
  void leaf(size_t depth) {
    if (depth < static_cast<size_t>(shape_.size())) ragged(depth);
    complete_ = true;
  }
  void note(rt::DType dtype) { dtype_ = dtype_ ? rt::promote(*dtype_, dtype) : dtype; }

  rt::DType dtype_of_leaf(const Value& value) {
    if (value.is_real()) return rt::DType::kFloat64;
    if (value.is_integer()) return rt::DType::kInt64;
    if (const Int* big = value.try_as<Int>(); big && is_beyond_64_bits(*big)) {
      leave_to_other_kinds(vm_);
    }
    if (auto dtype = dtype_of_value(vm_, value)) return *dtype;
    if (value.is_object() && value.as_object()->layout == ObjectLayout::generator) {
      Ref<Exception> error = vm_.make_exception(
          vm_.types.type_error,
          fmt::format("arrays hold numbers: cannot make one of a '{}'", vm_.type_name(value)));
      error->hint = "`list(...)` of it has its items";
      vm_.raise(error);
    }
    leave_to_other_kinds(vm_);
  }

  [[noreturn]] void ragged(size_t depth) {
    if (depth == 0) vm_.raise_value_error("setting an array element with a sequence.");
    raise_ragged(vm_, shape_.span().first(depth));
  }

  Interpreter& vm_;
  InterruptPoll poll_;
  bool find_dtype_;
  bool complete_ = false;  // the rank is known
  bool holds_class_numbers_ = false;
  rt::Dims shape_;
  std::optional<rt::DType> dtype_;
};

const Generic* ready_generic(const Value& value) {
  const Generic* scalar = as_generic(value);
  return scalar && !scalar->pending() ? scalar : nullptr;
}

// Second pass: writes the elements in C order.
class Filler {
 public:
  Filler(Interpreter& vm, rt::DType dtype, std::byte* to)
      : vm_(vm), poll_(vm), dtype_(dtype), size_(rt::item_size(dtype)), to_(to) {}

  void fill(const Value& value) {
    if (auto items = items_of(value)) {
      poll_.step();  // it may be empty
      for (const Value& item : *items) fill(item);
    } else if (const Range* range = value.try_as<Range>()) {
      for (int64_t i = 0; i < range->length; ++i) put(Value::integer(range->at(i)));
    } else if (const Ndarray* array = as_ndarray(value)) {
      fill_array(array->array);
    } else {
      put(value);
    }
  }

  void fill_numbers(std::span<const Value> items) {
    for (const Value& item : items) put(item);
  }

 private:
  void put(const Value& value) {
    poll_.step();
    if (dtype_ == rt::DType::kFloat64 && value.is_real()) {
      store(value.as_real());
    } else if (dtype_ == rt::DType::kFloat64 && value.is_integer()) {
      store(static_cast<double>(value.as_integer()));
    } else if (dtype_ == rt::DType::kInt64 && value.is_integer()) {
      store(value.as_integer());
    } else if (dtype_ == rt::DType::kInt32 && value.is_integer() &&
               std::in_range<int32_t>(value.as_integer())) {
      store(static_cast<int32_t>(value.as_integer()));
    } else if (const Generic* scalar = ready_generic(value); scalar && scalar->dtype() == dtype_) {
      scalar->ready_number().store(dtype_, to_);
    } else {
      number_of(value).store(dtype_, to_);
    }
    to_ += size_;
  }

  template <class T> void store(T number) { std::memcpy(to_, &number, sizeof number); }

  rt::Scalar number_of(const Value& value) {
    if (value.is_none() && rt::is_float(dtype_)) return rt::Scalar::weak(NAN);
    if (value.is_none() && rt::is_complex(dtype_)) {
      return rt::Scalar::weak(std::complex<double>(NAN, NAN));
    }
    const Value element = plain_element(vm_, value, dtype_);
    if (const auto number = try_number_for(vm_, element, dtype_)) {
      return checked_cast(vm_, element, *number, dtype_);
    }
    // No script's code runs here, which could change the sequence being read: objects of classes
    // are numbers by now.
    const Value number = number_for(vm_, value, dtype_);
    return checked_cast(vm_, number, *try_number_for(vm_, number, dtype_), dtype_);
  }

  void fill_array(const rt::Array& array) {
    rt::Session& state = session(vm_);
    const rt::Array dense = rt::astype(state, array, dtype_, rt::Casting::kUnsafe, false, 'C');
    const rt::HostRead read(state, dense);
    if (dense.bytes() > 0) std::memcpy(to_, read.data(), static_cast<size_t>(dense.bytes()));
    to_ += dense.bytes();
  }

  Interpreter& vm_;
  InterruptPoll poll_;
  rt::DType dtype_;
  int64_t size_;
  std::byte* to_;
};

bool holds_device_array(Interpreter& vm, const Value& value, InterruptPoll& poll) {
  vm.check_stack();
  poll.step();
  if (const Ndarray* array = as_ndarray(value)) return array->array.space().is_device();
  auto items = items_of(value);
  if (!items) return false;
  for (const Value& item : *items) {
    if (holds_device_array(vm, item, poll)) return true;
  }
  return false;
}

// The shape of an array by its first items, and a dtype no wider than the one that it will have.
struct Outline {
  rt::Dims shape;
  rt::DType dtype = rt::DType::kBool;
};

Outline outline_of(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype) {
  Outline found;
  found.dtype = dtype.value_or(rt::DType::kBool);
  Value first = value;
  while (found.shape.size() < rt::kMaxRank) {
    const auto items = items_of(first);
    if (!items) break;
    found.shape.push_back(static_cast<int64_t>(items->size()));
    if (items->empty()) return found;
    first = Value(items->front());
  }
  if (items_of(first)) raise_too_deep(vm);
  if (const Ndarray* array = as_ndarray(first)) {
    for (int64_t extent : array->array.shape()) {
      if (found.shape.size() < rt::kMaxRank) found.shape.push_back(extent);
    }
  }
  if (dtype) return found;
  if (first.is_real()) found.dtype = rt::DType::kFloat64;
  else if (first.is_integer()) found.dtype = rt::DType::kInt64;
  else if (first.is<Int>()) return found;
  else if (auto own = dtype_of_value(vm, first)) found.dtype = *own;
  return found;
}

// The number of items of a value; -1 for a number; nullopt for objects that may become sequences.
std::optional<int64_t> leading_extent(const Value& value) {
  if (const auto items = items_of(value)) return static_cast<int64_t>(items->size());
  if (const Range* range = value.try_as<Range>()) return range->length;
  const Ndarray* array = as_ndarray(value);
  if (array && array->array.rank() > 0) return array->array.shape()[0];
  if (array || !value.is_object() || as_generic(value)) return -1;
  return std::nullopt;
}

// Refuses outer items that are not all as long as the first one.
void need_even_items(Interpreter& vm, const Value& value, const Outline& found) {
  const auto items = items_of(value);
  if (!items || found.shape.size() < 2) return;
  InterruptPoll poll(vm);
  for (const Value& item : *items) {
    poll.step();
    if (leading_extent(item).value_or(found.shape[1]) == found.shape[1]) continue;
    raise_ragged(vm, found.shape.span().first(1));
  }
}

// A few lists that hold one another may have more items than there is memory for. This raises the
// usual error of a too large array before all of them are visited.
void need_room(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype) {
  constexpr int64_t kQuickLook = 1 << 20;
  const Outline found = outline_of(vm, value, dtype);
  if (rt::element_count(found.shape, rt::item_size(found.dtype)) < kQuickLook) return;
  need_even_items(vm, value, found);
  rt::empty(session(vm), found.shape, found.dtype, rt::Space::host());
}

// The dtype of a flat sequence of Python's and NumPy's floats and ints; nullopt for any other.
std::optional<rt::DType> plain_type(Interpreter& vm, std::span<const Value> items) {
  bool floats = false;
  InterruptPoll poll(vm);
  for (const Value& item : items) {
    poll.step();
    bool is_float = item.is_real();
    if (const Generic* scalar = ready_generic(item)) {
      is_float = scalar->dtype() == rt::DType::kFloat64;
      if (!is_float && scalar->dtype() != rt::DType::kInt64) return std::nullopt;
    } else if (!is_float && !item.is_integer()) {
      return std::nullopt;
    }
    floats |= is_float;
  }
  if (items.empty()) return std::nullopt;
  return floats ? rt::DType::kFloat64 : rt::DType::kInt64;
}

// Whether numbers of the plain dtype are stored as the wanted one without a look at each.
bool stores_plain(std::optional<rt::DType> plain, rt::DType wanted) {
  const bool of_ints =
      plain == rt::DType::kInt64 && (wanted == rt::DType::kInt32 || wanted == rt::DType::kFloat64);
  return plain == wanted || of_ints;
}

// The most common case: a flat list of numbers, as an array of the host.
std::optional<rt::Array> flat_numbers(Interpreter& vm, const Value& value,
                                      std::optional<rt::DType> dtype) {
  const auto items = items_of(value);
  const auto plain = items ? plain_type(vm, *items) : std::nullopt;
  if (!plain || !stores_plain(plain, dtype.value_or(*plain))) return std::nullopt;
  const rt::DType type = dtype.value_or(*plain);
  const rt::Dims shape{static_cast<int64_t>(items->size())};
  auto fill = [&](std::byte* elements) { Filler(vm, type, elements).fill_numbers(*items); };
  return rt::make_filled(session(vm), type, shape, rt::Space::host(), fill);
}

// The lists' items one after the other.
Value joined(Interpreter& vm, std::span<const Value> lists) {
  std::vector<Value> found;
  InterruptPoll poll(vm);
  for (const Value& each : lists) {
    const auto items = items_of(each);
    grow(vm, found, items->size());
    for (const Value& item : *items) {
      poll.step();
      found.push_back(item);
    }
  }
  return vm.list(std::move(found));
}

}  // namespace

rt::Array array_of_lists(Interpreter& vm, std::span<const Value> lists, rt::DType dtype) {
  bool plain = true;
  int64_t count = 0;
  for (const Value& each : lists) {
    const auto items = items_of(each);
    if (!items) vm.raise_type_error("a list is needed here, not {}", vm.type_name(each));
    count += static_cast<int64_t>(items->size());
    plain = plain && (items->empty() || stores_plain(plain_type(vm, *items), dtype));
  }
  if (!plain) return array_from_nested(vm, joined(vm, lists), dtype, rt::Space::host());
  auto fill = [&](std::byte* elements) {
    Filler filler(vm, dtype, elements);
    for (const Value& each : lists) {
      if (const auto items = items_of(each)) filler.fill_numbers(*items);
    }
  };
  return rt::make_filled(session(vm), dtype, rt::Dims{count}, rt::Space::host(), fill);
}

rt::Array array_from_nested(Interpreter& vm, const Value& given, std::optional<rt::DType> dtype,
                            rt::Space space, char order) {
  vm.check_stack();
  if (space.is_host()) {
    if (auto made = flat_numbers(vm, given, dtype)) return *std::move(made);
  }
  need_room(vm, given, dtype);
  Value value = plain_sequences(vm, given, dtype);
  InterruptPoll poll(vm);
  if (space.is_host() && holds_device_array(vm, value, poll)) raise_implicit_conversion(vm);
  Discovery found(vm, !dtype);
  found.scan(value, 0);
  const rt::DType type = dtype.value_or(found.dtype());
  if (!dtype && found.holds_class_numbers()) value = plain_sequences(vm, value, type);
  rt::Session& state = session(vm);
  auto fill = [&](std::byte* elements) { Filler(vm, type, elements).fill(value); };
  rt::Array made = rt::make_filled(state, type, found.shape(), rt::Space::host(), fill);
  if (!space.is_host()) made = rt::to_space(state, made, space);
  return order == 'F' ? rt::copy(state, made, 'F') : made;
}

}  // namespace gpy
