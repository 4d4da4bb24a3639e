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

// Reads a step's arguments and takes it; `size` is the number of elements to draw.
template <class Rng> struct Steps {
  Rng& rng;
  std::istream& in;
  int64_t size;

  template <class T, class Draw> std::string draws(const Draw& draw) {
    std::vector<T> out(size);
    draw(std::span<T>(out));
    return outcome(out);
  }
  std::string legacy_or_typed(const std::string& name) {
    std::string type;
    in >> type;
    if constexpr (requires(std::span<float> out) { rng.random(out); }) {
      return type == "float64" ? draws<double>(typed<double>(name))
                               : draws<float>(typed<float>(name));
    } else {
      return draws<double>([&](std::span<double> out) {
        if (name == "random") rng.random_sample(out);
        if (name == "standard_normal") rng.standard_normal(out);
        if (name == "standard_exponential") rng.standard_exponential(out);
      });
    }
  }
  template <class T> std::function<void(std::span<T>)> typed(const std::string& name) {
    return [this, name](std::span<T> out) {
      if (name == "random") rng.random(out);
      if (name == "standard_normal") rng.standard_normal(out);
      if (name == "standard_exponential") rng.standard_exponential(out);
      if (name == "inverse") rng.standard_exponential_inverse(out);
    };
  }
  std::string scaled(const std::string& name) {
    double a = 0;
    double b = 0;
    in >> a;
    if (name != "exponential") in >> b;
    return draws<double>([&](std::span<double> out) {
      if (name == "uniform") rng.uniform(a, b, out);
      if (name == "normal") rng.normal(a, b, out);
      if (name == "exponential") rng.exponential(a, out);
    });
  }
  template <class T> std::string integers_of(DType dtype, Int128 low, Int128 high) {
    std::vector<T> out(size);
    if constexpr (requires { rng.integers(dtype, low, high, true, out.data(), size); }) {
      rng.integers(dtype, low, high, true, out.data(), size);
    } else {
      rng.randint(dtype, low, high + 1, out.data(), size);
    }
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
    return outcome(rng.permutation(n));
  }
  std::string choice(bool weighted) {
    ChoiceRequest request;
    in >> request.population >> request.count >> request.replace;
    if (!weighted) in >> request.shuffle;
    std::vector<double> p;
    if (weighted) p = weights(request.population);
    request.weights = p;
    request.has_weights = weighted;
    return outcome(rng.choice(request));
  }
  std::string take(const std::string& name) {
    if (name == "integers") return integers();
    if (name == "permutation" || name == "shuffle") return permutation();
    if (name == "choice" || name == "weighted") return choice(name == "weighted");
    if (name == "uniform" || name == "normal" || name == "exponential") return scaled(name);
    return legacy_or_typed(name);
  }
};

template <class Rng> void check_steps(Rng rng, std::istream& line) {
  for (std::string step; std::getline(line, step, '|');) {
    CAPTURE(step);
    const size_t arrow = step.find(" -> ");
    std::string expected = step.substr(arrow + 4);
    std::istringstream in(step.substr(0, arrow));
    std::string name;
    in >> name;
    CHECK(Steps<Rng>{rng, in, std::stoll(expected)}.take(name) == expected);
  }
}

void check_spawned(const std::string& seed, std::istream& line) {
  const size_t semicolon = seed.find(';');
  SeedSequence parent(words(seed.substr(0, semicolon)));
  for (int i = std::stoi(seed.substr(semicolon + 1)); i > 0; --i) parent.spawn();
  check_steps(DefaultGenerator(Pcg64(parent.spawn())), line);
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
  if (what == "pcg64") return check_steps(DefaultGenerator(Pcg64(SeedSequence(key))), line);
  if (what == "mt19937") {
    return check_steps(Generator<Mt19937>(Mt19937(SeedSequence(key))), line);
  }
  if (what == "legacy") return check_steps(RandomState(Mt19937(key[0])), line);
  check_steps(RandomState(Mt19937(std::span<const uint32_t>(key))), line);
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
  a.integers(DType::kInt8, -3, 100, false, x.data(), 9);
  b.integers(DType::kInt8, std::vector<IntegerRange>(9, {-3, 102}), y.data(), 9);
  CHECK(x == y);
}

TEST_CASE("random: bad arguments are refused in NumPy's words") {
  DefaultGenerator rng{Pcg64(SeedSequence(5))};
  RandomState legacy{Mt19937(5u)};
  double out[2];
  auto integers = [&](DType dtype, int low, int high, bool endpoint = false) {
    return error_of([&] { rng.integers(dtype, low, high, endpoint, out, 1); });
  };
  CHECK(integers(DType::kInt64, 5, 5) == "low >= high");
  CHECK(integers(DType::kInt64, 0, 0) == "high <= 0");
  CHECK(integers(DType::kInt64, 5, 4, true) == "low > high");
  CHECK(integers(DType::kUInt8, -1, 5) == "low is out of bounds for uint8");
  CHECK(integers(DType::kUInt8, 0, 257) == "high is out of bounds for uint8");
  CHECK(integers(DType::kBool, 0, 3) == "high is out of bounds for bool");
  CHECK(integers(DType::kFloat64, 0, 3) == "Unsupported dtype dtype('float64') for integers");
  CHECK(error_of([&] { rng.uniform(0, INFINITY, out); }) ==
        "high - low range exceeds valid bounds");
  CHECK(error_of([&] { rng.uniform(3, 1, out); }) == "high - low < 0");
  CHECK(error_of([&] { legacy.uniform(3, 1, out); }) == "none");
  CHECK(error_of([&] { rng.normal(0, -1, out); }) == "scale < 0");
  CHECK(error_of([&] { rng.choice({.population = 5, .count = 6, .replace = false}); }) ==
        "Cannot take a larger sample than population when replace is False");
  CHECK(error_of([&] { legacy.choice({.population = 0, .count = 1}); }) ==
        "a must be greater than 0 unless no samples are taken");
  const double uneven[] = {0.5, 0.6};
  CHECK(error_of([&] {
          legacy.choice({.population = 2, .count = 1, .weights = uneven, .has_weights = true});
        }) == "probabilities do not sum to 1");
}

TEST_CASE("random: seeds from the system differ") {
  CHECK(Pcg64(SeedSequence::from_system()).next64() != Pcg64(SeedSequence::from_system()).next64());
}

}  // namespace gpy::rt
