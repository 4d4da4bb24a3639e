#include "runtime/io/parse_number.h"

#include <charconv>
#include <limits>

#include "runtime/core/scalar.h"
#include "runtime/io/text_rows.h"

namespace gpy::rt {
namespace {

// The value of a number beyond a double's range: infinite or zero, by a type of wider range or,
// beyond even that, by the exponent's sign.
double beyond_range(std::string_view text) {
  long double wide = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (end.ec == std::errc()) return static_cast<double>(wide);
  const bool tiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
  const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -size : size;
}

}  // namespace

std::optional<double> take_float(std::string_view& text) {
  std::string_view number = text;
  if (!number.empty() && number[0] == '+') {
    number.remove_prefix(1);
    if (!number.empty() && number[0] == '-') return std::nullopt;
  }
  double value = 0;
  const char* end = number.data() + number.size();
  // "nan(...)" is C's, not Python's.
  const std::string_view start = number.substr(0, 5);  // "-nan("
  if (const size_t open = start.find('('); open != start.npos) end = number.data() + open;
  const auto result = std::from_chars(number.data(), end, value);
  if (result.ec == std::errc::invalid_argument) return std::nullopt;
  const size_t size = result.ptr - number.data();
  if (result.ec == std::errc::result_out_of_range) value = beyond_range(number.substr(0, size));
  text = number.substr(size);
  return value;
}

namespace {

template <class T> bool store_integer(std::string_view text, void* to) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return false;
  }
  T value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return false;
  *static_cast<T*>(to) = value;
  return true;
}

bool store_bool(std::string_view text, void* to) {
  int64_t value;
  if (!store_integer<int64_t>(text, &value)) return false;
  *static_cast<bool*>(to) = value != 0;
  return true;
}

bool store_inexact(std::string_view text, DType dtype, void* to) {
  if (is_complex(dtype)) {
    const auto value = parse_complex(text);
    if (value) Scalar::of(dtype, *value).store(dtype, to);
    return value.has_value();
  }
  const auto value = parse_float(text);
  if (value) Scalar::of(dtype, *value).store(dtype, to);
  return value.has_value();
}

}  // namespace

std::optional<double> parse_float(std::string_view text) {
  text = strip_white_space(text);
  const auto value = take_float(text);
  return text.empty() ? value : std::nullopt;
}

// "1+2j", "2j", "1", each also in parentheses.
std::optional<std::complex<double>> parse_complex(std::string_view text) {
  text = strip_white_space(text);
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
    text = strip_white_space(text.substr(1, text.size() - 2));
  }
  const auto first = take_float(text);
  if (!first) return std::nullopt;
  if (text.empty()) return *first;
  if (text == "j") return std::complex<double>(0, *first);
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);  // a sign of its own may follow: "1+-2j"
  const auto second = take_float(text);
  if (!second || text != "j") return std::nullopt;
  return std::complex<double>(*first, *second);
}

bool store_number(std::string_view text, DType dtype, void* to) {
  if (!dtype.is_native()) {
    std::byte own[16];
    if (!store_number(text, dtype.native(), own)) return false;
    Scalar::load(dtype.native(), own).store(dtype, to);
    return true;
  }
  if (is_inexact(dtype)) return store_inexact(text, dtype, to);
  text = strip_white_space(text);
  switch (dtype.code()) {
    case TypeCode::kBool: return store_bool(text, to);
    case TypeCode::kInt8: return store_integer<int8_t>(text, to);
    case TypeCode::kUInt8: return store_integer<uint8_t>(text, to);
    case TypeCode::kInt16: return store_integer<int16_t>(text, to);
    case TypeCode::kUInt16: return store_integer<uint16_t>(text, to);
    case TypeCode::kInt32: return store_integer<int32_t>(text, to);
    case TypeCode::kUInt32: return store_integer<uint32_t>(text, to);
    case TypeCode::kInt64: return store_integer<int64_t>(text, to);
    default: return store_integer<uint64_t>(text, to);
  }
}

}  // namespace gpy::rt
