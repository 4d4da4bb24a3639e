#include "src/loops/loop_items.h"

#include <algorithm>
#include <memory>

#include "runtime/graph/loan.h"
#include "src/array/convert.h"
#include "src/array/iterators.h"
#include "src/loops/number_values.h"
#include "src/objects/containers.h"
#include "src/types/iterators.h"

namespace gpy {

using rt::DType;
using rt::Weak;
using rt::typed::Data;

namespace {

// Beyond it a count might leave 64 bits.
constexpr int64_t kMostCount = int64_t{1} << 62;

const Type* type_of_iterator(const Value& iterator) {
  return iterator.is_defined() && iterator.is_object() ? iterator.as_object()->type : nullptr;
}

std::span<const Value> values_of(const SequenceIterator& iterator) {
  if (iterator.sequence.is_undefined()) return {};
  if (auto* list = iterator.sequence.try_as<List>())
    return {list->items.data(), list->items.size()};
  auto* tuple = iterator.sequence.as<Tuple>();
  return {&(*tuple)[0], tuple->size};
}

// The iterators that are gone through side by side: none where one is there twice.
std::vector<Value> parts_of(Interpreter& vm, const Value& iterator) {
  const Type* type = type_of_iterator(iterator);
  if (!type) return {};
  if (type == vm.types.enumerate) return {iterator.as<Enumerate>()->iterator};
  if (type != vm.types.zip) return {iterator};
  std::vector<Value> out = iterator.as<Zip>()->iterators;
  for (size_t i = 0; i < out.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (out[i].same(out[j])) return {};
    }
  }
  return out;
}

std::optional<LoopItems::Item> item_of(Interpreter& vm, const Value& part) {
  const Type* type = type_of_iterator(part);
  if (!type) return std::nullopt;
  if (type == vm.types.range_iterator) return LoopItems::Item{};
  if (const auto* iterator = part.try_as<ArrayIterator>()) {
    const std::optional<TypedType> array = type_of_value(vm, iterator->array);
    if (!array || array->rank != 1 || iterator->next < 1) return std::nullopt;
    return LoopItems::Item{*array, TypedType::number(array->dtype)};
  }
  const auto* iterator = part.try_as<SequenceIterator>();
  if (!iterator || iterator->index < 1 || iterator->index > values_of(*iterator).size())
    return std::nullopt;
  const Value& present = values_of(*iterator)[iterator->index - 1];
  const std::optional<TypedType> number = type_of_value(vm, present);
  if (!number || !number->is_number()) return std::nullopt;
  return LoopItems::Item{TypedType::array(number->dtype, 1, true), *number};
}

Data word_data(int64_t number) { return {rt::Scalar::strong(number), {}, {}}; }

// The first of them that have the type, as an array of their own.
rt::Array copied_items(Interpreter& vm, std::span<const Value> values, const TypedType& type) {
  const size_t size = static_cast<size_t>(type.dtype.item_size());
  auto bytes = std::make_shared<std::vector<std::byte>>();
  bytes->reserve(values.size() * size);
  size_t count = 0;
  for (; count < values.size(); ++count) {
    if (type_of_value(vm, values[count]) != type) break;
    bytes->resize((count + 1) * size);
    number_of_value(values[count]).store(type.dtype, bytes->data() + count * size);
  }
  rt::Layout layout;
  layout.dtype = type.dtype;
  layout.shape = {static_cast<int64_t>(count)};
  layout.strides = {static_cast<int64_t>(size)};
  const auto length = static_cast<int64_t>(bytes->size());
  void* const first = bytes->data();
  return rt::borrow_host(session(vm), std::move(layout), first, length, true,
                         [bytes = std::move(bytes)]() mutable { bytes.reset(); });
}

bool add_part(Interpreter& vm, const Value& part, const LoopItems::Item& item, int64_t copied,
              GivenItems& out) {
  if (item.is_counted()) {
    const auto* range = part.as<RangeIterator>();
    out.data.push_back(word_data(range->next - range->step));
    out.data.push_back(word_data(range->step));
    out.rounds = std::min(out.rounds, range->remaining + 1);
    return true;
  }
  if (const auto* iterator = part.try_as<ArrayIterator>()) {
    const rt::Array& array = as_ndarray(iterator->array)->array;
    rt::Layout layout = array.layout();
    layout.offset += layout.strides[0] * (iterator->next - 1);
    layout.shape[0] -= iterator->next - 1;
    out.rounds = std::min(out.rounds, layout.shape[0]);
    out.data.push_back({{}, array.with_layout(std::move(layout)), {}});
    return out.rounds > 0;
  }
  const auto* iterator = part.as<SequenceIterator>();
  std::span<const Value> values = values_of(*iterator).subspan(iterator->index - 1);
  values = values.first(std::min(values.size(), static_cast<size_t>(copied)));
  rt::Array array = copied_items(vm, values, item.number);
  out.rounds = std::min(out.rounds, array.shape()[0]);
  out.data.push_back({{}, std::move(array), {}});
  return true;
}

bool counts_within_words(const Value& number) {
  return number.is_integer() && !number.is_boolean() && number.as_integer() < kMostCount &&
         number.as_integer() > -kMostCount;
}

void advance_part(const Value& part, int64_t count) {
  if (auto* range = part.try_as<RangeIterator>()) {
    range->next += count * range->step;
    range->remaining -= count;
  } else if (auto* array = part.try_as<ArrayIterator>()) {
    array->next += count;
  } else {
    part.as<SequenceIterator>()->index += static_cast<size_t>(count);
  }
}

}  // namespace

std::optional<LoopItems> items_of(Interpreter& vm, const Value& iterator) {
  const std::vector<Value> parts = parts_of(vm, iterator);
  if (parts.empty()) return std::nullopt;
  LoopItems out;
  const Type* type = type_of_iterator(iterator);
  out.is_tuple = type == vm.types.enumerate || type == vm.types.zip;
  if (type == vm.types.enumerate) {
    if (!counts_within_words(iterator.as<Enumerate>()->next)) return std::nullopt;
    out.items.emplace_back();
  }
  for (const Value& part : parts) {
    std::optional<LoopItems::Item> item = item_of(vm, part);
    if (!item) return std::nullopt;
    out.items.push_back(std::move(*item));
  }
  return out;
}

std::optional<GivenItems> given_items(Interpreter& vm, const Value& iterator,
                                      const LoopItems& items, int64_t copied) {
  if (items_of(vm, iterator) != items) return std::nullopt;
  GivenItems out;
  size_t at = 0;
  if (type_of_iterator(iterator) == vm.types.enumerate) {
    out.data.push_back(word_data(iterator.as<Enumerate>()->next.as_integer() - 1));
    out.data.push_back(word_data(1));
    ++at;
  }
  for (const Value& part : parts_of(vm, iterator)) {
    if (!add_part(vm, part, items.items[at++], copied, out)) return std::nullopt;
  }
  return out;
}

void advance(Interpreter& vm, const Value& iterator, int64_t count) {
  if (type_of_iterator(iterator) == vm.types.enumerate) {
    Value& next = iterator.as<Enumerate>()->next;
    next = Value::integer(next.as_integer() + count);
  }
  for (const Value& part : parts_of(vm, iterator)) advance_part(part, count);
}

}  // namespace gpy
