#include "stdlib/native/random/support.h"

#include <cstring>
#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>

#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/shape.h"
#include "src/array/sequence_objects.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "stdlib/native/numpy/library.h"

namespace gpy::lib {

std::optional<rt::Dims> to_size(Interpreter& vm, const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return to_shape(vm, value);
}

std::optional<rt::Dims> size_of_rest(Interpreter& vm, const Value& rest) {
  if (rest.as<Tuple>()->size == 0) return std::nullopt;
  return to_shape(vm, rest);
}

static void add_words(Interpreter& vm, const Value& number, std::vector<uint32_t>& words) {
  BigInt rest = to_big(vm.to_index_value(number));
  if (rest < 0) vm.raise_value_error("expected non-negative integer");
  do {
    words.push_back(static_cast<uint32_t>(rest & 0xffffffffu));
    rest >>= 32;
  } while (rest > 0);
}

std::vector<uint32_t> seed_words(Interpreter& vm, const Value& seed) {
  std::vector<uint32_t> words;
  if (vm.has_index(seed) && !(as_ndarray(seed) && as_ndarray(seed)->array.rank() > 0)) {
    add_words(vm, seed, words);
    return words;
  }
  vm.for_each(seed, [&](const Value& item) { add_words(vm, item, words); });
  return words;
}

rt::SeedSequence to_seed_sequence(Interpreter& vm, const Value& seed) {
  if (!is_given(seed)) return rt::SeedSequence::from_system();
  return rt::SeedSequence(seed_words(vm, seed));
}

Value entropy_number(Interpreter& vm, const rt::SeedSequence& seed) {
  BigInt number = 0;
  for (size_t i = seed.entropy().size(); i-- > 0;) number = (number << 32) | seed.entropy()[i];
  return from_big(vm, std::move(number));
}

rt::Int128 to_wide(Interpreter& vm, const Value& value) {
  if (value.is_real()) {
    return static_cast<rt::Int128>(value.as_real());
  }
  const Value index = vm.to_index_value(value);
  if (index.is_integer()) return index.as_integer();
  const BigInt number = to_big(index);
  const bool negative = number < 0;
  const BigInt size = negative ? BigInt(-number) : number;
  if (size > (BigInt(1) << 100)) return negative ? -(rt::Int128{1} << 100) : rt::Int128{1} << 100;
  const auto low = static_cast<uint64_t>(size & ~uint64_t{0});
  const auto high = static_cast<uint64_t>(size >> 64);
  const rt::Int128 wide = static_cast<rt::Int128>(high) << 64 | low;
  return negative ? -wide : wide;
}

template <class T, class Draw>
static rt::Array draw_array(Interpreter& vm, const rt::Dims& size, rt::DType dtype,
                            const Draw& draw) {
  const rt::Array made = rt::empty(session(vm), size, dtype, rt::Space::host());
  rt::WriteAccess access(session(vm), made, rt::kHostPlace);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  draw(std::span<T>(reinterpret_cast<T*>(access.data()), static_cast<size_t>(made.size())));
  return made;
}

Value draw_doubles(Interpreter& vm, const std::optional<rt::Dims>& size,
                   const std::function<void(std::span<double>)>& draw) {
  if (size) return wrap_array(vm, draw_array<double>(vm, *size, rt::DType::kFloat64, draw));
  double one;
  draw(std::span(&one, 1));
  return Value::real(one);
}

Value draw_floats(Interpreter& vm, const std::optional<rt::Dims>& size,
                  const std::function<void(std::span<float>)>& draw) {
  if (size) return wrap_array(vm, draw_array<float>(vm, *size, rt::DType::kFloat32, draw));
  float one;
  draw(std::span(&one, 1));
  return Value::real(one);
}

// --- parameters ----------------------------------------------------------------------------------

Parameter2 to_parameters(Interpreter& vm, const Value& first, const Value& second) {
  return {to_operand(vm, first, kNumpy), to_operand(vm, second, kNumpy)};
}

rt::Dims drawn_shape(Interpreter&, const Parameter2& parameters,
                     const std::optional<rt::Dims>& size) {
  if (size) return *size;
  std::vector<std::span<const int64_t>> shapes;
  for (const rt::Operand* operand : {&parameters.first, &parameters.second}) {
    if (operand->is_array()) shapes.push_back(operand->array().shape());
  }
  return rt::broadcast_shapes(shapes);
}

Value scaled(Interpreter& vm, const Parameter2& parameters, rt::Array standard) {
  const rt::Array product = ops::multiply(vm, parameters.second, standard);
  return wrap_array(vm, ops::add(vm, parameters.first, product));
}

// --- integers ------------------------------------------------------------------------------------

IntegerRequest read_integers(Interpreter& vm, const Value& low, const Value& high,
                             const Value& size, rt::DType dtype, bool endpoint,
                             const char* method) {
  if (!dtype.is_native()) {
    vm.raise_value_error(
        "Providing a dtype with a non-native byteorder is not supported. If you require "
        "platform-independent byteorder, call byteswap when required.");
  }
  const Value zero = Value::integer(0);
  const Value& from = is_given(high) ? low : zero;
  const Value& to = is_given(high) ? high : low;
  IntegerRequest request{dtype, {}, to_size(vm, size), true};
  auto is_many = [&](const Value& value) {
    return as_ndarray(value) || (vm.is_iterable(value) && !value.is<Str>() && !value.is<Bytes>());
  };
  if (!is_many(from) && !is_many(to)) {
    request.ranges = {
        rt::make_integer_range(dtype, to_wide(vm, from), to_wide(vm, to), endpoint, method)};
    return request;
  }
  const Value bounds_of = find_in_library(vm, kNumpy, "generator", "bounds_of_integers");
  const Value bounds = vm.call(bounds_of, {from, to, is_given(size) ? size : Value::none()});
  const auto parts = bounds.as<Tuple>()->items();
  const std::vector<Value> lows = vm.collect(parts[0]), highs = vm.collect(parts[1]);
  for (size_t i = 0; i < lows.size(); ++i) {
    request.ranges.push_back(rt::make_integer_range(dtype, to_wide(vm, lows[i]),
                                                    to_wide(vm, highs[i]), endpoint, method));
  }
  request.size = to_size(vm, parts[2]);
  request.single_range = false;
  return request;
}

Value one_integer(Interpreter& vm, const rt::Array& drawn, const Value& dtype) {
  const Type* type = dtype.is<Type>() ? dtype.as<Type>() : nullptr;
  if (type == vm.types.integer) return Value::integer(rt::item(session(vm), drawn).as_int());
  if (type == vm.types.boolean) return Value::boolean(rt::item(session(vm), drawn).as_int() != 0);
  return wrap_result(vm, drawn);
}

rt::Array host_array(Interpreter& vm, std::span<const int64_t> values, const rt::Dims& shape) {
  return rt::from_host(session(vm), rt::DType::kInt64, shape, values.data(), rt::Space::host());
}

// Whole draws of 32 bits, their low bytes first; what is left of the last one is dropped.
Value drawn_bytes(Interpreter& vm, rt::BitGenerator& bits, int64_t length) {
  if (length < 0) vm.raise_value_error("negative dimensions are not allowed");
  vm.claim(static_cast<size_t>(length));
  std::string data(static_cast<size_t>(length), '\0');
  const rt::InterruptScope scope(&vm.interrupt_flag());
  rt::for_each_polled((length + 3) / 4, [&](int64_t i) {
    uint32_t word = bits.next32();
    for (int64_t at = 4 * i; at < std::min<int64_t>(4 * i + 4, length); ++at, word >>= 8) {
      data[at] = static_cast<char>(word);
    }
  });
  return vm.bytes(std::move(data));
}

// --- order ---------------------------------------------------------------------------------------

static void exchange(Interpreter& vm, const Value& items, int64_t i, int64_t j) {
  const Value one = vm.get_item(items, Value::integer(j));
  const Value other = vm.get_item(items, Value::integer(i));
  vm.set_item(items, Value::integer(i), one);
  vm.set_item(items, Value::integer(j), other);
}

// Whatever has a length and items that can be set.
static void shuffle_items(Interpreter& vm, const Value& items, const Shuffle& shuffle,
                          int64_t axis) {
  const int64_t size = vm.length(items);
  const Value is_sequence = find_in_library(vm, kNumpy, "generator", "is_sequence");
  if (!vm.truth(vm.call(is_sequence, {items}))) {
    vm.warn(vm.types.user_warning,
            fmt::format("you are shuffling a '{}' object which is not a subclass of 'Sequence'; "
                        "`shuffle` is not guaranteed to behave correctly. E.g., non-numpy "
                        "array/tensor objects with view semantics may contain duplicates after "
                        "shuffling.",
                        vm.type_name(items)));
  }
  if (axis != 0)
    vm.raise_not_implemented_error("Axis argument is only supported on ndarray objects");
  shuffle(size, [&](int64_t i, int64_t j) { exchange(vm, items, i, j); });
}

void shuffle_in_place(Interpreter& vm, const Value& items, const Shuffle& shuffle, int64_t axis) {
  if (List* list = items.try_as<List>()) {
    if (axis != 0)
      vm.raise_not_implemented_error("Axis argument is only supported on ndarray objects");
    const int64_t size = static_cast<int64_t>(list->items.size());
    const rt::InterruptScope scope(&vm.interrupt_flag());
    shuffle(size, [&](int64_t i, int64_t j) { list->items[i].swap(list->items[j]); });
    return;
  }
  const Ndarray* array = as_ndarray(items);
  if (!array) {
    if (items.is_object()) leave_to(vm, items);
    shuffle_items(vm, items, shuffle, axis);
    return;
  }
  if (array->array.rank() == 0) vm.raise_type_error("len() of unsized object");
  const int along = rt::normalize_axis(axis, array->array.rank());
  if (!array->array.writeable()) vm.raise_value_error("array is read-only");
  if (array->array.size() == 0) return;
  const int64_t count = array->array.shape()[along];
  const rt::Array at = rt::empty(session(vm), {count}, rt::DType::kInt64, rt::Space::host());
  {
    const rt::WriteAccess access(session(vm), at, rt::kHostPlace);
    auto* order = reinterpret_cast<int64_t*>(access.data());
    const rt::InterruptScope scope(&vm.interrupt_flag());
    std::iota(order, order + count, int64_t{0});
    shuffle(count, [&](int64_t i, int64_t j) { std::swap(order[i], order[j]); });
  }
  rt::write(session(vm), array->array, rt::take(session(vm), array->array, at, along));
}

std::vector<int64_t> drawn_indices(Interpreter& vm, int64_t count,
                                   const std::function<std::vector<int64_t>()>& draw) {
  try {
    return draw();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  rt::empty(session(vm), {count}, rt::DType::kInt64, rt::Space::host());
  throw std::bad_alloc();
}

Value permuted(Interpreter& vm, const Value& items,
               const std::function<std::vector<int64_t>(int64_t)>& permutation,
               std::optional<int64_t> axis) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const auto draw = [&](int64_t count) {
    // A permutation without room in memory is refused here, in NumPy's words.
    rt::empty(session(vm), {std::max<int64_t>(count, 0)}, rt::DType::kInt64, rt::Space::host());
    return permutation(count);
  };
  if (vm.has_index(items) && !as_ndarray(items)) {
    const std::vector<int64_t> order = draw(vm.to_index(items));
    return wrap_array(vm, host_array(vm, order, {static_cast<int64_t>(order.size())}));
  }
  const rt::Array array = to_array(vm, items, kNumpy);
  if (array.rank() == 0 && !axis)
    vm.raise_index_error("x must be an integer or at least 1-dimensional");
  const int along = rt::normalize_axis(axis.value_or(0), array.rank());
  const std::vector<int64_t> order = draw(array.shape()[along]);
  const rt::Array at = host_array(vm, order, {static_cast<int64_t>(order.size())});
  return wrap_array(vm, rt::take(session(vm), array, at, along));
}

// --- choice --------------------------------------------------------------------------------------

ChoiceCall read_choice(Interpreter& vm, const Value& population, const Value& size,
                       const Value& replace, const Value& weights) {
  ChoiceCall call{population, to_size(vm, size), vm.truth(replace), {}, is_given(weights)};
  if (!call.has_weights) return call;
  const rt::Array given = to_array(vm, weights, kNumpy);
  if (given.rank() != 1) vm.raise_value_error("p must be 1-dimensional");
  const rt::Array on_host = rt::to_space(session(vm), given, rt::Space::host());
  const rt::Array numbers =
      rt::astype(session(vm), on_host, rt::DType::kFloat64, rt::Casting::kSafe, false, 'C');
  const rt::ReadAccess read(session(vm), numbers, rt::kHostPlace);
  call.weights.resize(static_cast<size_t>(numbers.size()));
  if (numbers.size() > 0) std::memcpy(call.weights.data(), read.data(), numbers.bytes());
  return call;
}

// Whether the population is a number, so that the choice is among the integers below it.
static bool is_count(Interpreter& vm, const Value& population) {
  const Ndarray* array = as_ndarray(population);
  if (!array) return vm.has_index(population);
  return array->array.rank() == 0 && rt::is_integer(array->array.dtype());
}

[[noreturn]] static void refuse_population(Interpreter& vm, const Value& population, bool legacy) {
  if (legacy) vm.raise_value_error("a must be 1-dimensional or an integer");
  vm.raise_value_error("a must be a sequence or an integer, not {}",
                       vm.repr(Value(vm.type_of(population))));
}

int64_t population_size(Interpreter& vm, const ChoiceCall& call, bool legacy) {
  if (is_count(vm, call.population)) return vm.to_index(call.population);
  const rt::Array array = to_array(vm, call.population, kNumpy);
  if (array.rank() == 0) refuse_population(vm, call.population, legacy);
  if (legacy && array.rank() > 1) vm.raise_value_error("a must be 1-dimensional");
  const int64_t size = array.shape()[rt::normalize_axis(call.axis, array.rank())];
  if (size == 0 && call.count() != 0) {
    vm.raise_value_error("{} cannot be empty unless no samples are taken", legacy ? "'a'" : "a");
  }
  return size;
}

Value chosen(Interpreter& vm, const ChoiceCall& call, const std::vector<int64_t>& indices) {
  const bool plain = is_count(vm, call.population);
  if (plain && !call.size) return Value::integer(indices[0]);
  const rt::Array at = host_array(vm, indices, call.size.value_or(rt::Dims()));
  if (plain) return wrap_array(vm, at);
  return wrap_result(vm,
                     rt::take(session(vm), to_array(vm, call.population, kNumpy), at, call.axis));
}

}  // namespace gpy::lib
