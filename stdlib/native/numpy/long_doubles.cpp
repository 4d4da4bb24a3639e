// Loops over longdouble and clongdouble (stdlib/numpy/kinds): x87's extended numbers, 64 bits of
// fraction in 16 bytes. An array of them comes as rows of uint64, two for each number and four for
// each complex one.
#include "stdlib/native/numpy/long_doubles.h"

#include <cfenv>
#include <cstring>
#include <limits>

#include "runtime/core/half.h"
#include "runtime/graph/events.h"
#include "runtime/graph/make_node.h"
#include "runtime/ops/elementwise.h"
#include "runtime/text/element_format.h"
#include "runtime/text/number_text.h"
#include "src/array/arrays.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// Calls f(LongDouble()) or f(LongComplex()), as the last axis has two or four words.
template <class F> Value with_number_of(Interpreter& vm, const rt::Array& rows, F&& f) {
  const int64_t words = rows.rank() == 2 ? rows.shape()[1] : 0;
  if (rows.dtype() == rt::DType::kUInt64 && words == kWords<LongDouble>) return f(LongDouble());
  if (rows.dtype() == rt::DType::kUInt64 && words == kWords<LongComplex>) return f(LongComplex());
  vm.raise_type_error("rows of two or four uint64 are needed here");
}

// Whether a loop's floating-point events are reported.
enum class Events : uint8_t { kIgnored, kReported };

template <class T> Events events_of(const LongMap<T>& map) {
  return map.is_quiet ? Events::kIgnored : Events::kReported;
}

// Runs a loop, and reports its floating-point events as those of an operation.
template <class Loop>
rt::Array reported(Interpreter& vm, Events events, std::string_view name, Loop&& loop) {
  std::feclearexcept(FE_ALL_EXCEPT);
  rt::Array made = loop();
  const int flags = std::fetestexcept(FE_ALL_EXCEPT);
  if (events == Events::kReported && flags) rt::tell_events(session(vm), flags, name, {});
  return made;
}

// Calls f(i) for all i, and polls now and then.
template <class F> void for_each_number(Interpreter& vm, size_t size, F&& f) {
  constexpr size_t kPiece = 1024;
  for (size_t begin = 0; begin < size; begin += kPiece) {
    poll_interrupt(vm);
    const size_t end = std::min(begin + kPiece, size);
    for (size_t i = begin; i < end; ++i) f(i);
  }
}

// An array of what number(i) gives.
template <class Number> rt::Array made_longs(Interpreter& vm, size_t size, Number&& number) {
  using T = decltype(number(size_t{}));
  auto fill = [&](std::byte* memory) {
    for_each_number(vm, size, [&](size_t i) { store_long(memory + i * sizeof(T), number(i)); });
  };
  const rt::Dims shape{static_cast<int64_t>(size), kWords<T>};
  return rt::make_filled(session(vm), rt::DType::kUInt64, shape, rt::Space::host(), fill);
}
template <class T, class Number>
rt::Array made_numbers(Interpreter& vm, rt::DType dtype, size_t size, Number&& number) {
  auto fill = [&](std::byte* memory) {
    for_each_number(vm, size, [&](size_t i) {
      const T value = number(i);
      std::memcpy(memory + i * sizeof(T), &value, sizeof(T));
    });
  };
  const rt::Dims shape{static_cast<int64_t>(size)};
  return rt::make_filled(session(vm), dtype, shape, rt::Space::host(), fill);
}

// --- ufuncs --------------------------------------------------------------------------------------

Value moduli(Interpreter& vm, const LongValues<LongComplex>& values) {
  auto modulus = [&](size_t i) { return std::hypot(values[i].real(), values[i].imag()); };
  return wrap_array(vm, reported(vm, Events::kReported, "absolute",
                                 [&] { return made_longs(vm, values.size(), modulus); }));
}

template <class T>
Value applied(Interpreter& vm, std::string_view name, const rt::Array& a, const rt::Array& b) {
  const LongValues<T> first(vm, a), second(vm, b);
  const size_t size = first.size();
  if (second.size() != size) vm.raise_value_error("operands of one length are needed here");
  if (const auto* test = find_long(long_tests<T>(), name)) {
    return wrap_array(vm, made_numbers<bool>(vm, rt::DType::kBool, size, [&](size_t i) {
                        return test->run(first[i], second[i]);
                      }));
  }
  if constexpr (std::is_same_v<T, LongComplex>) {
    if (name == "absolute") return moduli(vm, first);
  }
  const auto* map = find_long(long_maps<T>(), name);
  if (!map) return Value::none();
  auto number = [&](size_t i) { return map->run(first[i], second[i]); };
  return wrap_array(
      vm, reported(vm, events_of(*map), name, [&] { return made_longs(vm, size, number); }));
}

// A ufunc of one array, or of two of equal length; None where it has no loop.
Value long_map(Interpreter& vm, std::string_view name, const rt::Array& a, const Value& b) {
  const Ndarray* second = as_ndarray(b);
  return with_number_of(vm, a, [&](auto number) {
    return applied<decltype(number)>(vm, name, a, second ? second->array : a);
  });
}

// --- folds ---------------------------------------------------------------------------------------

// NumPy's pairwise sum: eight totals side by side, of which a complex number has two each, in
// blocks of 128, and halves of longer rows.
template <class T> T pairwise_sum(const LongValues<T>& values, size_t begin, size_t count) {
  constexpr size_t kParts = sizeof(T) / sizeof(LongDouble), kTotals = 8 / kParts,
                   kBlock = 128 / kParts;
  if (count < kTotals) {
    T total = T(-0.0L);
    for (size_t i = 0; i < count; ++i) total = total + values[begin + i];
    return total;
  }
  if (count > kBlock) {
    size_t half = count * kParts / 2;
    half = (half - half % 8) / kParts;
    return pairwise_sum(values, begin, half) + pairwise_sum(values, begin + half, count - half);
  }
  T totals[kTotals];
  for (size_t k = 0; k < kTotals; ++k) totals[k] = values[begin + k];
  size_t i = kTotals;
  for (; i + kTotals <= count; i += kTotals) {
    for (size_t k = 0; k < kTotals; ++k) totals[k] = totals[k] + values[begin + i + k];
  }
  for (size_t step = 1; step < kTotals; step *= 2) {
    for (size_t k = 0; k < kTotals; k += 2 * step) totals[k] = totals[k] + totals[k + step];
  }
  T total = totals[0];
  for (; i < count; ++i) total = total + values[begin + i];
  return total;
}

template <class T> const LongMap<T>* binary_map(std::string_view name) {
  const auto* map = find_long(long_maps<T>(), name);
  return map && map->arity == 2 ? map : nullptr;
}

size_t checked_runs(Interpreter& vm, size_t size, int64_t count) {
  if (count <= 0 || size % static_cast<size_t>(count) != 0) {
    vm.raise_value_error("{} elements have no runs of {}", size, count);
  }
  return size / static_cast<size_t>(count);
}

// Each run of `count` elements as one, sums pairwise if that is wished; None of what has no loop.
Value long_fold(Interpreter& vm, std::string_view name, const rt::Array& rows, int64_t count,
                bool pairwise) {
  return with_number_of(vm, rows, [&](auto number) {
    using T = decltype(number);
    const LongValues<T> values(vm, rows);
    const size_t runs = checked_runs(vm, values.size(), count), length = static_cast<size_t>(count);
    const LongMap<T>* map = binary_map<T>(name);
    if (!map) return Value::none();
    auto total_of = [&](size_t run) {
      if (pairwise && name == "add") return T(0) + pairwise_sum(values, run * length, length);
      T total = values[run * length];
      for (size_t i = 1; i < length; ++i) total = map->run(total, values[run * length + i]);
      return total;
    };
    return wrap_array(vm, reported(vm, events_of(*map), "reduce",
                                   [&] { return made_longs(vm, runs, total_of); }));
  });
}

// The totals on the way to each element of each run; None of what has no loop.
Value long_scan(Interpreter& vm, std::string_view name, const rt::Array& rows, int64_t count) {
  return with_number_of(vm, rows, [&](auto number) {
    using T = decltype(number);
    const LongValues<T> values(vm, rows);
    checked_runs(vm, values.size(), count);
    const LongMap<T>* map = binary_map<T>(name);
    if (!map) return Value::none();
    T total{};
    auto total_at = [&](size_t i) {
      total = i % static_cast<size_t>(count) == 0 ? values[i] : map->run(total, values[i]);
      return total;
    };
    return wrap_array(vm, reported(vm, events_of(*map), "accumulate",
                                   [&] { return made_longs(vm, values.size(), total_at); }));
  });
}

// Where in each run of `count` the greatest or the least element is: the first NaN, or the first of
// equal ones.
Value long_place(Interpreter& vm, const rt::Array& rows, int64_t count, bool greatest) {
  return with_number_of(vm, rows, [&](auto number) {
    using T = decltype(number);
    const LongValues<T> values(vm, rows);
    const size_t runs = checked_runs(vm, values.size(), count), length = static_cast<size_t>(count);
    auto place_in = [&](size_t run) {
      size_t best = run * length;
      for (size_t i = best + 1; i < (run + 1) * length && !is_nan(values[best]); ++i) {
        const T value = values[i];
        const bool is_better =
            greatest ? is_less(values[best], value) : is_less(value, values[best]);
        if (is_nan(value) || is_better) best = i;
      }
      return static_cast<int64_t>(best - run * length);
    };
    return wrap_array(vm, made_numbers<int64_t>(vm, rt::DType::kInt64, runs, place_in));
  });
}

struct MatrixSizes {
  int64_t m, k, n;
};

// How many matrices m x k and k x n two arrays of such sizes hold; ValueError.
size_t matrix_count(Interpreter& vm, std::pair<size_t, size_t> sizes, const MatrixSizes& each) {
  const bool is_sized = each.m > 0 && each.k > 0 && each.n > 0;
  const int64_t one = is_sized ? rt::checked_product(each.m, each.k) : 1;
  const int64_t other = is_sized ? rt::checked_product(each.k, each.n) : 1;
  const size_t count = is_sized ? sizes.first / static_cast<size_t>(one) : 0;
  const bool fits = count * static_cast<size_t>(one) == sizes.first &&
                    sizes.second % static_cast<size_t>(other) == 0 &&
                    sizes.second / static_cast<size_t>(other) == count;
  if (!is_sized || !fits) vm.raise_value_error("matrices of these sizes do not fill their arrays");
  return count;
}

// Products of matrices side by side, m x k with k x n.
Value long_products(Interpreter& vm, const rt::Array& lhs, const rt::Array& rhs, int64_t m,
                    int64_t k, int64_t n) {
  return with_number_of(vm, lhs, [&](auto number) {
    using T = decltype(number);
    const LongValues<T> a(vm, lhs), b(vm, rhs);
    const size_t count = matrix_count(vm, {a.size(), b.size()}, {m, k, n});
    const auto height = static_cast<size_t>(m), depth = static_cast<size_t>(k),
               width = static_cast<size_t>(n);
    auto element = [&](size_t at) {
      const size_t column = at % width, row = at / width % height, matrix = at / width / height;
      T total{};
      for (size_t i = 0; i < depth; ++i) {
        const T x = a[(matrix * height + row) * depth + i];
        const T y = b[(matrix * depth + i) * width + column];
        total = total + long_product(x, y);
      }
      return total;
    };
    return wrap_array(vm, reported(vm, Events::kReported, "matmul", [&] {
                        return made_longs(vm, count * height * width, element);
                      }));
  });
}

// --- casts ---------------------------------------------------------------------------------------

template <class From, class To> Value of_numbers(Interpreter& vm, const rt::Array& array) {
  const rt::Array dense =
      rt::is_c_contiguous(array.layout()) ? array : rt::copy(session(vm), array, 'C');
  const rt::HostRead read(session(vm), dense);
  return wrap_array(vm, made_longs(vm, static_cast<size_t>(dense.size()), [&](size_t i) {
                      From value;
                      std::memcpy(&value, read.data() + i * sizeof(From), sizeof(From));
                      return To(value);
                    }));
}

// Numbers of the widest types as rows.
Value long_of(Interpreter& vm, const rt::Array& array) {
  if (array.dtype() == rt::DType::kInt64) return of_numbers<int64_t, LongDouble>(vm, array);
  if (array.dtype() == rt::DType::kUInt64) return of_numbers<uint64_t, LongDouble>(vm, array);
  if (array.dtype() == rt::DType::kFloat64) return of_numbers<double, LongDouble>(vm, array);
  if (array.dtype() == rt::DType::kComplex128) {
    return of_numbers<std::complex<double>, LongComplex>(vm, array);
  }
  vm.raise_type_error("an array of int64, uint64, float64 or complex128 is needed here");
}

// As C casts, but what no integer is becomes the least one, and is told.
template <class T> T whole(LongDouble value) {
  constexpr LongDouble kBeyond = static_cast<LongDouble>(std::numeric_limits<T>::max()) + 1;
  constexpr LongDouble kLeast = static_cast<LongDouble>(std::numeric_limits<T>::min());
  if (value > kLeast - 1 && value < kBeyond) return static_cast<T>(value);
  if (!std::is_signed_v<T> && value <= -1 && value >= std::numeric_limits<int64_t>::min()) {
    return static_cast<T>(static_cast<int64_t>(value));
  }
  std::feraiseexcept(FE_INVALID);
  return std::is_signed_v<T> ? std::numeric_limits<T>::min() : T(0);
}

LongDouble real_part(LongDouble value) { return value; }
LongDouble real_part(const LongComplex& value) { return value.real(); }
LongComplex as_complex(LongDouble value) { return {value, 0}; }
LongComplex as_complex(const LongComplex& value) { return value; }

template <class T> rt::Array cast_to(Interpreter& vm, const LongValues<T>& values, rt::DType to) {
  auto made = [&]<class Out>(Out, auto cast) {
    return made_numbers<Out>(vm, to, values.size(), [&](size_t i) { return cast(values[i]); });
  };
  if (to == rt::DType::kFloat64) {
    return made(0.0, [](T x) { return static_cast<double>(real_part(x)); });
  }
  if (to == rt::DType::kFloat32) {
    return made(0.0F, [](T x) { return static_cast<float>(real_part(x)); });
  }
  if (to == rt::DType::kFloat16) {
    return made(uint16_t{}, [](T x) {
      const uint16_t half = rt::half_from_float(static_cast<float>(real_part(x)));
      if ((half & 0x7fff) == 0x7c00 && std::isfinite(real_part(x))) std::feraiseexcept(FE_OVERFLOW);
      return half;
    });
  }
  if (to == rt::DType::kComplex128) {
    return made(std::complex<double>(), [](T x) { return std::complex<double>(as_complex(x)); });
  }
  if (to == rt::DType::kComplex64) {
    return made(std::complex<float>(), [](T x) { return std::complex<float>(as_complex(x)); });
  }
  if (to == rt::DType::kUInt64) {
    return made(uint64_t{}, [](T x) { return whole<uint64_t>(real_part(x)); });
  }
  return made(int64_t{}, [](T x) { return whole<int64_t>(real_part(x)); });
}

// Rows as numbers of a dtype: floats, complex ones, uint64 or int64.
Value long_as(Interpreter& vm, const rt::Array& rows, const Value& dtype) {
  const rt::DType to = to_dtype(vm, dtype);
  const bool has_cast = rt::is_inexact(to) || to == rt::DType::kInt64 || to == rt::DType::kUInt64;
  if (!has_cast || !rt::is_numpys_own(to) || !to.is_native()) {
    vm.raise_type_error("cannot cast to {} here", rt::name(to));
  }
  return with_number_of(vm, rows, [&](auto number) {
    const LongValues<decltype(number)> values(vm, rows);
    return wrap_array(
        vm, reported(vm, Events::kReported, "cast", [&] { return cast_to(vm, values, to); }));
  });
}

// --- order, parts --------------------------------------------------------------------------------

// Two words whose order is the number's: NaN last, zeros of both signs equal.
std::array<uint64_t, 2> ordered_words(LongDouble value) {
  if (std::isnan(value)) return {~uint64_t{0}, 0};
  uint64_t fraction = 0;
  uint16_t head = 0;
  std::memcpy(&fraction, &value, sizeof(fraction));
  std::memcpy(&head, reinterpret_cast<const std::byte*>(&value) + sizeof(fraction), sizeof(head));
  constexpr uint16_t kSign = 0x8000;
  if (value == 0) return {kSign, 0};
  if (std::signbit(value)) return {static_cast<uint16_t>(~head), ~fraction};
  return {static_cast<uint64_t>(head | kSign), fraction};
}

void append_key(std::vector<uint64_t>& keys, LongDouble value) {
  const auto words = ordered_words(value);
  keys.insert(keys.end(), words.begin(), words.end());
}

// NumPy's order: numbers, NaN in the imaginary part alone, in the real part alone, in both.
void append_key(std::vector<uint64_t>& keys, LongComplex value) {
  const bool real = std::isnan(value.real()), imaginary = std::isnan(value.imag());
  keys.push_back(2 * static_cast<uint64_t>(real) + static_cast<uint64_t>(imaginary));
  append_key(keys, value.real());
  append_key(keys, value.imag());
}

// Columns of uint64 in the order of the elements.
Value long_keys(Interpreter& vm, const rt::Array& rows) {
  return with_number_of(vm, rows, [&](auto number) {
    using T = decltype(number);
    constexpr int64_t kColumns = std::is_same_v<T, LongComplex> ? 5 : 2;
    const LongValues<T> values(vm, rows);
    auto fill = [&](std::byte* memory) {
      std::vector<uint64_t> key;
      for_each_number(vm, values.size(), [&](size_t i) {
        key.clear();
        append_key(key, values[i]);
        std::memcpy(memory + i * kColumns * sizeof(uint64_t), key.data(),
                    kColumns * sizeof(uint64_t));
      });
    };
    const rt::Dims shape{static_cast<int64_t>(values.size()), kColumns};
    return wrap_array(
        vm, rt::make_filled(session(vm), rt::DType::kUInt64, shape, rt::Space::host(), fill));
  });
}

// (fraction, power of 2, is negative) of one finite number: its size is the fraction, a whole
// number of 64 bits, times the power. ValueError of others.
Value long_ratio(Interpreter& vm, const rt::Array& rows) {
  const LongValues<LongDouble> values(vm, rows);
  if (values.size() != 1 || !std::isfinite(values[0])) {
    vm.raise_value_error("one finite number is needed here");
  }
  int exponent = 0;
  const LongDouble fraction = std::frexp(std::fabs(values[0]), &exponent);
  return vm.tuple({vm.unsigned_integer(static_cast<uint64_t>(std::ldexp(fraction, 64))),
                   Value::integer(exponent - 64), Value::boolean(std::signbit(values[0]))});
}

// --- ufuncs of two results, or of ints beside the numbers ----------------------------------------

// (fractions, exponents) of frexp.
Value long_frexp(Interpreter& vm, const rt::Array& rows) {
  const LongValues<LongDouble> values(vm, rows);
  std::vector<int32_t> exponents(values.size());
  const Value fractions = wrap_array(vm, made_longs(vm, values.size(), [&](size_t i) {
                                       const LongDouble value = values[i];
                                       int exponent = 0;
                                       const LongDouble fraction = std::frexp(value, &exponent);
                                       exponents[i] = std::isfinite(value) ? exponent : 0;
                                       return fraction;
                                     }));
  return vm.tuple(
      {fractions, wrap_array(vm, made_numbers<int32_t>(vm, rt::DType::kInt32, exponents.size(),
                                                       [&](size_t i) { return exponents[i]; }))});
}

// (parts behind the point, whole numbers), both with the number's sign.
Value long_modf(Interpreter& vm, const rt::Array& rows) {
  const LongValues<LongDouble> values(vm, rows);
  LongDouble whole = 0;
  auto fraction = [&](size_t i) { return std::modf(values[i], &whole); };
  auto whole_part = [&](size_t i) { return std::trunc(values[i]); };
  return vm.tuple({wrap_array(vm, made_longs(vm, values.size(), fraction)),
                   wrap_array(vm, made_longs(vm, values.size(), whole_part))});
}

// (quotients, rests) of divmod.
Value long_divmod(Interpreter& vm, const rt::Array& a, const rt::Array& b) {
  const LongValues<LongDouble> first(vm, a), second(vm, b);
  if (second.size() != first.size()) vm.raise_value_error("operands of one length are needed here");
  auto quotient = [&](size_t i) { return divide_whole(first[i], second[i]).quotient; };
  auto rest = [&](size_t i) { return divide_whole(first[i], second[i]).rest; };
  rt::Array rests;
  const rt::Array quotients = reported(vm, Events::kReported, "divmod", [&] {
    rests = made_longs(vm, first.size(), rest);
    return made_longs(vm, first.size(), quotient);
  });
  return vm.tuple({wrap_array(vm, quotients), wrap_array(vm, rests)});
}

// Numbers times powers of 2, of which beyond these bounds none makes a difference.
Value long_ldexp(Interpreter& vm, const rt::Array& rows, const rt::Array& powers) {
  constexpr int64_t kMost = 40000;
  const LongValues<LongDouble> values(vm, rows);
  const Int64Values exponents(vm, powers);
  if (exponents.size() != values.size()) {
    vm.raise_value_error("operands of one length are needed here");
  }
  auto number = [&](size_t i) {
    return std::ldexp(values[i], static_cast<int>(std::clamp(exponents[i], -kMost, kMost)));
  };
  return wrap_array(vm, reported(vm, Events::kReported, "ldexp",
                                 [&] { return made_longs(vm, values.size(), number); }));
}

// --- text ----------------------------------------------------------------------------------------

Value long_texts(Interpreter& vm, const rt::Array& rows, int64_t digits) {
  return with_number_of(vm, rows, [&](auto number) {
    const LongValues<decltype(number)> values(vm, rows);
    InterruptPoll poll(vm);
    std::vector<Value> texts;
    for (size_t i = 0; i < values.size(); ++i) {
      poll.step();
      append_item(vm, texts, vm.str(rt::long_double_str(values[i], static_cast<int>(digits))));
    }
    return vm.list(std::move(texts));
  });
}

void split_parts(std::vector<LongDouble>& real, std::vector<LongDouble>&, LongDouble value) {
  real.push_back(value);
}
void split_parts(std::vector<LongDouble>& real, std::vector<LongDouble>& imaginary,
                 const LongComplex& value) {
  real.push_back(value.real());
  imaginary.push_back(value.imag());
}

// The texts of elements within a printed array, as the print options say.
Value long_shown(Interpreter& vm, const rt::Array& rows) {
  return with_number_of(vm, rows, [&](auto number) {
    const LongValues<decltype(number)> values(vm, rows);
    vm.claim(values.size(), sizeof(number));
    std::vector<LongDouble> real, imaginary;
    for (size_t i = 0; i < values.size(); ++i) split_parts(real, imaginary, values[i]);
    const auto format = rt::make_long_double_format(std::move(real), std::move(imaginary),
                                                    arrays(vm).print_options);
    InterruptPoll poll(vm);
    std::vector<Value> texts;
    for (size_t i = 0; i < values.size(); ++i) {
      poll.step();
      append_item(vm, texts, vm.str(format->text(static_cast<int64_t>(i))));
    }
    return vm.list(std::move(texts));
  });
}

LongDouble parsed(Interpreter& vm, const Value& text) {
  if (!text.is<Str>()) vm.raise_type_error("a list of strs is needed here");
  const std::string given(text.as<Str>()->view());
  const rt::ReadLongDouble read = rt::read_long_double(given);
  if (given.empty() || read.length != given.size()) {
    vm.raise_value_error("invalid literal for long double: {}", given);
  }
  if (read.is_beyond) std::feraiseexcept(FE_OVERFLOW);
  return read.value;
}

Value long_parse(Interpreter& vm, const Value& list) {
  const auto texts = listed(vm, list);
  return wrap_array(vm, reported(vm, Events::kReported, "conversion from string", [&] {
                      return made_longs(vm, texts.size(),
                                        [&](size_t i) { return parsed(vm, texts[i]); });
                    }));
}

const Native kRows[] = {
    {"_long_map", "(name, a, b, /)", typed<long_map>, "A ufunc by name of rows of long doubles."},
    {"_long_fold", "(name, rows, count, pairwise, /)", typed<long_fold>,
     "Each run of elements as one."},
    {"_long_scan", "(name, rows, count, /)", typed<long_scan>, "The same with all totals."},
    {"_long_place", "(rows, count, greatest, /)", typed<long_place>,
     "Where each run's greatest or least element is."},
    {"_long_products", "(a, b, m, k, n, /)", typed<long_products>, "Products of matrices."},
    {"_long_of", "(array, /)", typed<long_of>, "Numbers as rows."},
    {"_long_as", "(rows, dtype, /)", typed<long_as>, "Rows as numbers."},
    {"_long_keys", "(rows, /)", typed<long_keys>, "Columns in the order of the elements."},
    {"_long_ratio", "(rows, /)", typed<long_ratio>,
     "(fraction, power of 2, is negative) of one number."},
    {"_long_modf", "(rows, /)", typed<long_modf>, "Parts behind the point, and whole numbers."},
    {"_long_divmod", "(a, b, /)", typed<long_divmod>, "Quotients and rests."},
    {"_long_ldexp", "(rows, powers, /)", typed<long_ldexp>, "Numbers times powers of 2."},
    {"_long_frexp", "(rows, /)", typed<long_frexp>, "Fractions and exponents."},
    {"_long_texts", "(rows, /, digits=0)", typed<long_texts>,
     "The text of each element by itself; digits=0: as many as it needs."},
    {"_long_shown", "(rows, /)", typed<long_shown>, "The texts of elements in a printed array."},
    {"_long_parse", "(texts, /)", typed<long_parse>, "Texts as rows."},
};

}  // namespace

rt::Array dense_rows(Interpreter& vm, const rt::Array& rows, int64_t words) {
  const bool fits =
      rows.dtype() == rt::DType::kUInt64 && rows.rank() == 2 && rows.shape()[1] == words;
  if (!fits) vm.raise_type_error("rows of {} uint64 are needed here", words);
  return rt::is_c_contiguous(rows.layout()) ? rows : rt::copy(session(vm), rows, 'C');
}

std::span<const Native> long_double_rows() { return kRows; }

}  // namespace gpy::lib
