#include "runtime/text/number_text.h"

#include <doctest/doctest.h>

#include <cstring>

#include "case_text.h"

namespace gpy::rt {
namespace {

constexpr const char* kCases =
#include "number_cases.inc"
    ;

double read_double(const std::string& hex) {
  double value;
  std::memcpy(&value, bytes_from_hex(hex).data(), sizeof(value));
  return value;
}

void check_scalar(const std::vector<std::string>& fields) {
  const Scalar value = Scalar::load(*dtype_from_name(fields[1]), bytes_from_hex(fields[2]).data());
  CHECK(scalar_str(value) == fields[3]);
  CHECK(scalar_repr(value) == fields[4]);
}

void check_scientific(const std::vector<std::string>& fields) {
  const int digits = std::stoi(fields[2]);
  CHECK(scientific_text(read_double(fields[1]), DType::kFloat64,
                        {.precision = digits, .min_digits = digits}) == fields[3]);
}

}  // namespace

TEST_CASE("number_text: scalars as NumPy writes them, floats as Python does") {
  std::istringstream in(kCases);
  int count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    CAPTURE(line);
    const std::vector<std::string> fields = split(line, '|');
    if (fields[0] == "scalar") check_scalar(fields);
    if (fields[0] == "float") CHECK(float_repr(read_double(fields[1])) == fields[2]);
    if (fields[0] == "scientific") check_scientific(fields);
  }
  CHECK(count > 2000);
}

TEST_CASE("number_text: Python's complex") {
  CHECK(complex_repr({1, 2}) == "(1+2j)");
  CHECK(complex_repr({0, -0.5}) == "-0.5j");
}

}  // namespace gpy::rt
