#include "runtime/core/scalar.h"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "runtime/core/half.h"

namespace gpy::rt {
namespace {

constexpr const char* kCases =
#include "scalar_cases.inc"
    ;

std::string bytes_from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string hex_of(const Scalar& value, DType dtype) {
  unsigned char bytes[16];
  value.store(dtype, bytes);
  std::string hex;
  for (int64_t i = 0; i < item_size(dtype); ++i) {
    hex += "0123456789abcdef"[bytes[i] >> 4];
    hex += "0123456789abcdef"[bytes[i] & 15];
  }
  return hex;
}

}  // namespace

TEST_CASE("scalar: every cast stores NumPy's bytes") {
  std::istringstream in(kCases);
  int count = 0;
  for (std::string from, bytes, to, expected; in >> from >> bytes >> to >> expected; ++count) {
    CAPTURE(from);
    CAPTURE(bytes);
    CAPTURE(to);
    Scalar value = Scalar::load(*dtype_from_name(from), bytes_from_hex(bytes).data());
    CHECK(hex_of(value, *dtype_from_name(to)) == expected);
    CHECK(value.cast(*dtype_from_name(to)).dtype() == *dtype_from_name(to));
  }
  CHECK(count > 1500);
}

TEST_CASE("scalar: weakness, truth and readings") {
  CHECK(Scalar::weak(int64_t{3}).weakness() == Weak::kInt);
  CHECK(Scalar::weak(2.5).as_int() == 2);
  CHECK(Scalar::weak(std::complex<double>(0, 1)).truth());
  CHECK(Scalar::weak_unsigned(UINT64_MAX).as_double() == 0x1p64);
  CHECK(Scalar::weak(2.5).cast(DType::kFloat32).weakness() == Weak::kNo);
  CHECK_FALSE(Scalar().truth());
  CHECK(Scalar(true).dtype() == DType::kBool);
}

TEST_CASE("half: every value goes to float and back unchanged") {
  for (int bits = 0; bits < 65536; ++bits) {
    float single = float_from_half(static_cast<uint16_t>(bits));
    REQUIRE(half_from_float(single) == bits);
    if (!std::isnan(single)) REQUIRE(half_from_double(single) == bits);
  }
}

}  // namespace gpy::rt
