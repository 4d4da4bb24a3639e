#include "runtime/core/dtype.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

constexpr const char* kCases =
#include "dtype_cases.inc"
    ;

std::string read_word(std::istream& in) {
  std::string text;
  in >> text;
  return text;
}

DType read_dtype(std::istream& in) { return dtype_from_name(read_word(in)).value(); }

void check_name(std::istream& in) {
  std::string text = read_word(in);
  std::optional<DType> type = dtype_from_name(text);
  CAPTURE(text);
  CHECK((type ? std::string(name(*type)) : "-") == read_word(in));
}

void check_descr(std::istream& in) {
  DType type = read_dtype(in);
  CHECK(dtype_descr(type) == read_word(in));
  CHECK(std::string(1, info(type).character) == read_word(in));
  CHECK(std::to_string(item_size(type)) == read_word(in));
  CHECK(info(type).swapped_name.substr(1, 1) == read_word(in));
}

void check_promotion(std::istream& in) {
  DType a = read_dtype(in);
  DType b = read_dtype(in);
  CAPTURE(name(a));
  CAPTURE(name(b));
  std::string common = "-";
  try {
    common = name(promote(a, b));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kType);
  }
  CHECK(common == read_word(in));
}

void check_casting(std::istream& in) {
  DType from = read_dtype(in);
  DType to = read_dtype(in);
  for (const char* text : {"no", "equiv", "safe", "same_kind", "unsafe"}) {
    CAPTURE(name(from));
    CAPTURE(name(to));
    CAPTURE(text);
    Casting casting = casting_from_name(text).value();
    CHECK(name(casting) == text);
    CHECK(can_cast(from, to, casting) == (read_word(in) == "1"));
  }
}

}  // namespace

TEST_CASE("dtype: names, promotion and casting are NumPy's") {
  std::istringstream in(kCases);
  int promotions = 0;
  for (std::string what; in >> what;) {
    if (what == "name") check_name(in);
    if (what == "descr") check_descr(in);
    if (what == "cast") check_casting(in);
    if (what == "promote") {
      check_promotion(in);
      ++promotions;
    }
  }
  CHECK(promotions >= kTypeCodes * kTypeCodes);
}

TEST_CASE("dtype: real and complex partners") {
  CHECK(real_type(DType::kComplex64) == DType::kFloat32);
  CHECK(complex_type(DType::kFloat16) == DType::kComplex64);
  CHECK(complex_type(real_type(DType::kComplex128)) == DType::kComplex128);
  CHECK(complex_type(DType::kInt8) == DType::kInt8);
}

}  // namespace gpy::rt
