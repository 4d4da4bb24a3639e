#include "runtime/io/separated.h"

#include <charconv>
#include <complex>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/io/parse_number.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

bool is_space(char c) { return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos; }

void skip_space(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

[[noreturn]] void fail_unmatched() {
  fail(ErrorKind::kValue, "string or file could not be read to its end due to unmatched data");
}

// Takes the separator off; false at the end of the text.
bool take_separator(std::string_view& text, std::string_view separator) {
  const size_t before = text.size();
  skip_space(text);
  for (const char c : separator) {
    if (text.empty()) return false;
    if (is_space(c)) {
      skip_space(text);
    } else if (!take(text, c)) {
      fail_unmatched();
    }
  }
  skip_space(text);
  if (text.empty()) return false;
  if (text.size() == before) fail_unmatched();
  return true;
}

template <class T> T take_number(std::string_view& text) {
  const bool is_signed = std::numeric_limits<T>::is_signed;
  if (is_signed && !text.empty() && text.front() == '+') text.remove_prefix(1);
  if (!is_signed && !text.empty() && text.front() == '-') fail_unmatched();
  T value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::invalid_argument) fail_unmatched();
  if (result.ec == std::errc::result_out_of_range) value = std::numeric_limits<T>::max();
  text.remove_prefix(result.ptr - text.data());
  return value;
}

template <> double take_number(std::string_view& text) {
  const std::optional<double> value = take_float(text);
  if (!value) fail_unmatched();
  return *value;
}

template <> std::complex<double> take_number(std::string_view& text) {
  const auto real = take_number<double>(text);
  if (take(text, 'j')) return {0, real};
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return real;
  std::string_view rest = text;
  const std::optional<double> imaginary = take_float(rest);
  if (!imaginary || !take(rest, 'j')) return real;
  text = rest;
  return {real, *imaginary};
}

template <class T>
void read_all(std::string_view text, std::string_view separator, int64_t count, HostArray& into) {
  Charge room(0);
  int64_t read = 0;
  skip_space(text);
  while (!text.empty() && (count < 0 || read < count)) {
    if (read % 4096 == 0) poll_interrupt();
    const T value = take_number<T>(text);
    const size_t size = into.data.size();
    if (size + sizeof(T) > into.data.capacity()) room.add(2 * size + sizeof(T));
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    into.data.insert(into.data.end(), bytes, bytes + sizeof(T));
    ++read;
    if (!take_separator(text, separator)) break;
  }
  into.shape = {read};
}

}  // namespace

HostArray read_separated(std::string_view text, std::string_view separator, DType dtype,
                         int64_t count) {
  HostArray found;
  found.dtype = dtype;
  if (dtype == DType::kInt64) {
    read_all<int64_t>(text, separator, count, found);
  } else if (dtype == DType::kUInt64) {
    read_all<uint64_t>(text, separator, count, found);
  } else if (dtype == DType::kComplex128) {
    read_all<std::complex<double>>(text, separator, count, found);
  } else {
    read_all<double>(text, separator, count, found);
  }
  return found;
}

}  // namespace gpy::rt
