// The table of operations against NumPy's, stored by tests/make/ufunc_table.py.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/ops/ufunc.h"

namespace gpy::rt {
namespace {

const char kTypes[] =
#include "ufunc_types.inc"
    ;
const char kValues[] =
#include "ufunc_values.inc"
    ;

// The tables are of NumPy's own types; bfloat16: tests/lib/types/bfloat16.gpy.
constexpr size_t kNumpyTypes = DType::kBFloat16.index();

DType dtype_of(char code) { return *dtype_from_name(std::string_view(&code, 1)); }

char resolved(const Ufunc& ufunc, std::span<const DType> types) {
  const UfuncLoop* loop = resolve(ufunc, types);
  return loop ? info(loop->out).character : '.';
}

TEST_CASE("every ufunc finds NumPy's loop for all input types, or refuses as NumPy does") {
  std::istringstream table(kTypes);
  std::string name, codes;
  for (int arity; table >> name >> arity >> codes;) {
    const Ufunc* ufunc = find_ufunc(name);
    INFO(name);
    REQUIRE(ufunc);
    for (size_t i = 0; i < codes.size(); ++i) {
      std::vector<DType> types(arity);
      size_t rest = i;
      for (int k = arity - 1; k >= 0; --k, rest /= kNumpyTypes)
        types[k] = dtype_at(rest % kNumpyTypes);
      if (name == "where") types.insert(types.begin(), DType::kBool);
      INFO(rt::name(types[0]), " ", rt::name(types.back()));
      CHECK(std::string(1, resolved(*ufunc, types)) == codes.substr(i, 1));
    }
  }
}

// Memory as 64-bit words, a number each; parts of complex numbers are numbers of their own.
struct Numbers {
  DType part;
  std::vector<uint64_t> words;
};

int64_t part_size(DType dtype) { return item_size(real_type(dtype)); }

std::vector<std::byte> memory_of(const Numbers& numbers) {
  const int64_t size = part_size(numbers.part);
  std::vector<std::byte> bytes(numbers.words.size() * size);
  for (size_t i = 0; i < numbers.words.size(); ++i)
    std::memcpy(&bytes[i * size], &numbers.words[i], size);
  return bytes;
}

double number(DType part, uint64_t word) {
  if (part == DType::kFloat64) return std::bit_cast<double>(word);
  if (part == DType::kFloat32) return std::bit_cast<float>(static_cast<uint32_t>(word));
  double result = 0;
  const void* in[] = {&word};
  cast_loop(part, DType::kFloat64)(in, &result, 1);
  return result;
}

Numbers numbers_in(const std::vector<std::byte>& bytes, DType dtype) {
  Numbers result{real_type(dtype), {}};
  const int64_t size = part_size(dtype);
  for (size_t at = 0; at < bytes.size(); at += size) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[at], size);
    if (is_float(result.part) && std::isnan(number(result.part, word))) {
      word = result.part == DType::kFloat64   ? 0x7ff8000000000000
             : result.part == DType::kFloat32 ? 0x7fc00000
                                              : 0x7e00;
    }
    result.words.push_back(word);
  }
  return result;
}

uint64_t fnv(const Numbers& numbers) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (uint64_t word : numbers.words) hash = (hash ^ word) * 0x100000001B3u;
  return hash;
}

// Distance in units of the last place; floats of one type are ordered as their bits.
double ulps(DType part, uint64_t a, uint64_t b) {
  const double x = number(part, a), y = number(part, b);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y) ? 0 : INFINITY;
  if (x == y) return 0;
  if (std::isinf(x) || std::isinf(y)) return INFINITY;
  const int digits = part == DType::kFloat64 ? 53 : part == DType::kFloat32 ? 24 : 11;
  const int least = part == DType::kFloat64 ? -1021 : part == DType::kFloat32 ? -125 : -13;
  int exponent;
  std::frexp(y, &exponent);
  return std::fabs(x - y) / std::ldexp(1.0, std::max(exponent, least) - digits);
}

struct Inputs {
  Numbers numbers[kNumpyTypes];
};

Numbers run(const std::string& name, DType dtype, const Inputs& inputs, bool close) {
  const Ufunc& ufunc = *find_ufunc(name);
  const std::vector<DType> types(ufunc.arity, dtype);
  const UfuncLoop& loop = *resolve(ufunc, types);
  std::vector<std::byte> x = memory_of(inputs.numbers[dtype.index()]), y;
  const int64_t size = item_size(dtype);
  if (ufunc.arity == 2) {
    size_t count = x.size() / size;
    if (close) count = std::min<size_t>(count, is_float(dtype) ? 24 : 40);
    std::vector<std::byte> left(count * count * size), right(count * count * size);
    for (size_t i = 0; i < count * count; ++i) {
      std::memcpy(&left[i * size], &x[i / count * size], size);
      std::memcpy(&right[i * size], &x[i % count * size], size);
      // Negative powers of integers are refused before a loop runs.
      if (name == "power" && kind(dtype) == DTypeKind::kSigned &&
          int8_t(right[(i + 1) * size - 1]) < 0) {
        std::memset(&right[i * size], 0, size);
      }
    }
    x = left;
    y = right;
  }
  const int64_t count = static_cast<int64_t>(x.size()) / size;
  std::vector<std::byte> out(count * item_size(loop.out));
  const void* in[] = {x.data(), y.data()};
  loop.tile(in, out.data(), count);
  return numbers_in(out, loop.out);
}

TEST_CASE("every ufunc gives NumPy's values: the same bits in arithmetic, close ones elsewhere") {
  std::istringstream table(kValues);
  Inputs inputs;
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string kind, name;
    char code;
    words >> kind;
    if (kind != "input") words >> name;
    words >> code >> std::hex;
    const DType dtype = dtype_of(code);
    Numbers expected{real_type(dtype), {}};
    for (uint64_t word; words >> word;) expected.words.push_back(word);
    if (kind == "input") {
      inputs.numbers[dtype.index()] = expected;
      continue;
    }
    INFO(name, " ", code);
    const Numbers result = run(name, dtype, inputs, kind == "close");
    if (kind == "hash") {
      CHECK(fnv(result) == expected.words[0]);
      continue;
    }
    REQUIRE(result.words.size() == expected.words.size());
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < result.words.size(); ++i) {
      const double error = ulps(result.part, result.words[i], expected.words[i]);
      if (error > worst) where = i;
      worst = std::max(worst, error);
    }
    INFO("element ", where, ": ", number(result.part, result.words[where]), " for ",
         number(result.part, expected.words[where]));
    CHECK(worst <= (is_complex(dtype) ? 8 : 4));  // parts that cancel lose a bit more
  }
}

}  // namespace
}  // namespace gpy::rt
