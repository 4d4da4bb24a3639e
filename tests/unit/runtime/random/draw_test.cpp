// Every method of both generators against the draws stored from NumPy.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <sstream>
#include <string>

#include "runtime/core/error.h"
#include "runtime/random/generator.h"
#include "runtime/random/random_state.h"

namespace gpy::rt {
namespace {

constexpr const char* kCases =
#include "draw_cases.inc"
    ;

template <class Read> std::vector<uint32_t> numbers(const std::string& text, const Read& read) {
  std::istringstream in(text);
  std::vector<uint32_t> result;
  for (std::string part; std::getline(in, part, ',');) result.push_back(read(part));
  return result;
}

std::vector<uint32_t> words(const std::string& text) {
  return numbers(text, [](const std::string& part) { return std::stoul(part); });
}

// "size checksum first,second,third" of the elements as zero-extended words.
template <class T> std::string outcome(const std::vector<T>& values) {
  uint64_t sum = 0;
  std::string first;
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t word = 0;
    std::memcpy(&word, &values[i], sizeof(T));
    sum += word * (2 * i + 1);
    if (i < 3) first += (i ? "," : "") + std::to_string(word);
  }
  return std::to_string(values.size()) + " " + std::to_string(sum) + " " + first;
}

Int128 read_bound(std::istream& in) {
  std::string text;
  in >> text;
  return text[0] == '-' ? Int128{std::stoll(text)} : Int128{std::stoull(text)};
}

std::vector<double> weights(int64_t n) {
  std::vector<double> result(n);
  for (int64_t i = 0; i < n; ++i) result[i] = static_cast<double>(i % 7 + 1);
  result[n / 2] = 0;
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& weight : result) weight /= sum;
  return result;
}

// Draws as a Generator or as a RandomState makes them.
struct Draws {
  BitGenerator& bits;
  SpareNormal* spare = nullptr;  // RandomState's

  RandomApi api() const { return spare ? RandomApi::kLegacy : RandomApi::kGenerator; }
  Bounding bounding() const { return spare ? Bounding::kMasked : Bounding::kLemire; }
  void row(Distribution distribution, const Parameters& parameters, std::span<double> out) {
    if (spare)
      return bits.frozen_draw(*spare, distribution, parameters, out.data(), std::ssize(out));
    bits.draw(distribution, parameters, out.data(), std::ssize(out));
  }
  void integers(DType dtype, Int128 low, Int128 high, bool endpoint, void* out, int64_t count) {
    const IntegerRange range[] = {make_integer_range(dtype, low, high, endpoint, "integers")};
    bits.integers(dtype, range, bounding(), out, count);
  }
  template <class T> void standard(const std::string& name, std::span<T> out) {
    if (name == "random") return bits.random(out);
    if constexpr (std::is_same_v<T, double>) {
      if (spare && name == "standard_normal") return bits.frozen_normal(*spare, out);
      if (spare && name == "standard_exponential") return bits.frozen_exponential(out);
    }
    if (name == "standard_normal") return bits.standard_normal(out);
    if (name == "standard_exponential") return bits.standard_exponential(out);
    bits.standard_exponential_inverse(out);
  }
};

// Reads a step's arguments and takes it; `size` is the number of elements to draw.
struct Steps {
  Draws& rng;
  std::istream& in;
  int64_t size;

  template <class T, class Draw> std::string draws(const Draw& draw) {
    std::vector<T> out(size);
    draw(std::span<T>(out));
    return outcome(out);
  }
  std::string standard(const std::string& name) {
    std::string type;
    in >> type;
    if (type == "float32") return draws<float>([&](auto out) { rng.standard(name, out); });
    return draws<double>([&](auto out) { rng.standard(name, out); });
  }
  std::string scaled(const std::string& name) {
    double a = 0;
    double b = 0;
    in >> a;
    if (name != "exponential") in >> b;
    const Distribution row = name == "uniform"  ? Distribution::uniform
                             : name == "normal" ? Distribution::normal
                                                : Distribution::exponential;
    return draws<double>([&](std::span<double> out) { rng.row(row, {{&a, &b}}, out); });
  }
  template <class T> std::string integers_of(DType dtype, Int128 low, Int128 high) {
    std::vector<T> out(size);
    rng.integers(dtype, low, high, true, out.data(), size);
    return outcome(out);
  }
  std::string integers() {
    std::string type;
    in >> type;
    const DType dtype = *dtype_from_name(type);
    const Int128 low = read_bound(in);
    const Int128 high = read_bound(in);
    if (item_size(dtype) == 1) return integers_of<uint8_t>(dtype, low, high);
    if (item_size(dtype) == 2) return integers_of<uint16_t>(dtype, low, high);
    if (item_size(dtype) == 4) return integers_of<uint32_t>(dtype, low, high);
    return integers_of<uint64_t>(dtype, low, high);
  }
  std::string permutation() {
    int64_t n;
    in >> n;
    return outcome(rng.bits.permutation(n));
  }
  std::string choice(bool weighted) {
    ChoiceRequest request;
    in >> request.population >> request.count >> request.replace;
    if (!weighted) in >> request.shuffle;
    std::vector<double> p;
    if (weighted) p = weights(request.population);
    request.weights = p;
    request.has_weights = weighted;
    return outcome(rng.bits.choice(request, rng.api()));
  }
  std::string take(const std::string& name) {
    if (name == "integers") return integers();
    if (name == "permutation" || name == "shuffle") return permutation();
    if (name == "choice" || name == "weighted") return choice(name == "weighted");
    if (name == "uniform" || name == "normal" || name == "exponential") return scaled(name);
    return standard(name);
  }
};

void check_steps(Draws rng, std::istream& line) {
  for (std::string step; std::getline(line, step, '|');) {
    CAPTURE(step);
    const size_t arrow = step.find(" -> ");
    std::string expected = step.substr(arrow + 4);
    std::istringstream in(step.substr(0, arrow));
    std::string name;
    in >> name;
    CHECK(Steps{rng, in, std::stoll(expected)}.take(name) == expected);
  }
}

void check_fresh(DefaultGenerator bits, std::istream& line) { check_steps({bits}, line); }

void check_spawned(const std::string& seed, std::istream& line) {
  const size_t semicolon = seed.find(';');
  const uint32_t child[] = {static_cast<uint32_t>(std::stoul(seed.substr(semicolon + 1)))};
  check_fresh(DefaultGenerator(Pcg64(SeedSequence(words(seed.substr(0, semicolon)), child))), line);
}

void check_line(std::istream& line) {
  std::string what;
  std::string seed;
  std::getline(line, what, '|');
  std::getline(line, seed, '|');
  CAPTURE(what);
  CAPTURE(seed);
  if (what == "spawned") return check_spawned(seed, line);
  const std::vector<uint32_t> key = words(seed);
  if (what == "pcg64") return check_fresh(DefaultGenerator(Pcg64(SeedSequence(key))), line);
  if (what == "mt19937") {
    Generator<Mt19937> bits{Mt19937(SeedSequence(key))};
    return check_steps({bits}, line);
  }
  RandomState state(what == "legacy" ? Mt19937(key[0]) : Mt19937(std::span<const uint32_t>(key)));
  check_steps({state.bits(), &state.spare()}, line);
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

}  // namespace

TEST_CASE("random: every method draws NumPy's numbers") {
  std::istringstream in(kCases);
  int count = 0;
  for (std::string text; std::getline(in, text); ++count) {
    std::istringstream line(text);
    check_line(line);
  }
  CHECK(count > 300);
}

TEST_CASE("random: a range for each element gives the draws of equal ranges") {
  DefaultGenerator a{Pcg64(SeedSequence(5))};
  DefaultGenerator b{Pcg64(SeedSequence(5))};
  std::vector<int8_t> x(9);
  std::vector<int8_t> y(9);
  a.integers(DType::kInt8, std::vector<IntegerRange>(1, {-3, 102}), Bounding::kLemire, x.data(), 9);
  b.integers(DType::kInt8, std::vector<IntegerRange>(9, {-3, 102}), Bounding::kLemire, y.data(), 9);
  CHECK(x == y);
}

TEST_CASE("random: bad arguments are refused in NumPy's words") {
  const auto integers = [&](DType dtype, int low, int high, bool endpoint = false) {
    return error_of([&] { make_integer_range(dtype, low, high, endpoint, "integers"); });
  };
  CHECK(integers(DType::kInt64, 5, 5) == "low >= high");
  CHECK(integers(DType::kInt64, 0, 0) == "high <= 0");
  CHECK(integers(DType::kInt64, 5, 4, true) == "low > high");
  CHECK(integers(DType::kUInt8, -1, 5) == "low is out of bounds for uint8");
  CHECK(integers(DType::kUInt8, 0, 257) == "high is out of bounds for uint8");
  CHECK(integers(DType::kBool, 0, 3) == "high is out of bounds for bool");
  CHECK(integers(DType::kFloat64, 0, 3) == "Unsupported dtype dtype('float64') for integers");
  CHECK(error_of([&] {
          check_choice({.population = 5, .count = 6, .replace = false}, RandomApi::kGenerator);
        }) == "Cannot take a larger sample than population when replace is False");
  CHECK(error_of([&] { check_choice({.population = 0, .count = 1}, RandomApi::kLegacy); }) ==
        "a must be greater than 0 unless no samples are taken");
  const double uneven[] = {0.5, 0.6};
  CHECK(error_of([&] {
          check_choice({.population = 2, .count = 1, .weights = uneven, .has_weights = true},
                       RandomApi::kLegacy);
        }) == "probabilities do not sum to 1");
}

TEST_CASE("random: seeds from the system differ") {
  CHECK(Pcg64(SeedSequence::from_system()).next64() != Pcg64(SeedSequence::from_system()).next64());
}

}  // namespace gpy::rt
