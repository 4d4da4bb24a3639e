// Texts as numbers, and numbers as texts.
#include <charconv>

#include "runtime/ops/elementwise.h"
#include "src/array/typed_arguments.h"
#include "src/numbers/number.h"
#include "src/text/format.h"
#include "stdlib/native/text/ascii_rows.h"
#include "stdlib/native/text/families.h"

namespace gpy::lib {

namespace {

bool is_digit_or_point(char c) { return (c >= '0' && c <= '9') || c == '.'; }

// float(text) and int(text); nullopt for a text that is none, and for an int beyond 64 bits.
std::optional<double> real_of(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const bool is_plain = !text.empty() && is_digit_or_point(text.back());
  if (is_plain) {
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && at == end) return number;
  }
  return real_from_text(ascii_digits(text));
}

std::optional<int64_t> whole_of(Interpreter& vm, std::string_view text) {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && at == end) return number;
  const std::optional<Value> found = int_from_text(vm, ascii_digits(text), 10);
  if (!found || !found->is_integer()) return std::nullopt;
  return found->as_integer();
}

// An array of what read(text) gives; None where it gives nullopt once.
template <class T, class Read>
Value read_all(Interpreter& vm, const rt::Array& rows, rt::DType dtype, Read&& read) {
  RowLoop<1, 0> loop(vm, {rows});
  std::string buffer;
  bool all = true;
  const Value found = loop.numbers<T>(dtype, [&](auto text) -> T {
    if (!all) return 0;
    const std::optional<T> number = read(as_utf8(text, buffer));
    all = number.has_value();
    return number.value_or(0);
  });
  return all ? found : Value::none();
}

Value text_reals(Interpreter& vm, const rt::Array& rows) {
  return read_all<double>(vm, rows, rt::DType::kFloat64, real_of);
}

Value text_wholes(Interpreter& vm, const rt::Array& rows) {
  return read_all<int64_t>(vm, rows, rt::DType::kInt64,
                           [&](std::string_view text) { return whole_of(vm, text); });
}

// Rows of str(number) of bool, int64, uint64 or float64.
Value number_texts(Interpreter& vm, const rt::Array& numbers, int64_t width, bool of_bytes) {
  const rt::Array dense = rt::copy(session(vm), numbers, 'C');
  const rt::HostRead read(session(vm), dense);
  std::string buffer(24, 0);
  auto digits = [&](auto number) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    return std::string_view(buffer.data(), static_cast<size_t>(end - buffer.data()));
  };
  return ascii_rows(vm, dense.shape(), width, of_bytes, [&](int64_t i) -> std::string_view {
    const std::byte* const data = read.data();
    const rt::DType dtype = dense.dtype();
    if (dtype == rt::DType::kBool) {
      return reinterpret_cast<const bool*>(data)[i] ? "True" : "False";
    }
    if (dtype == rt::DType::kInt64) return digits(reinterpret_cast<const int64_t*>(data)[i]);
    if (dtype == rt::DType::kUInt64) return digits(reinterpret_cast<const uint64_t*>(data)[i]);
    buffer = real_to_text(reinterpret_cast<const double*>(data)[i]);
    return buffer;
  });
}

const Native kRows[] = {
    {"_text_reals", "(rows, /)", typed<text_reals>,
     "Texts as float64; None where one is no number."},
    {"_text_wholes", "(rows, /)", typed<text_wholes>,
     "Texts as int64; None where one is no such number."},
    {"_number_texts", "(numbers, width, of_bytes, /)", typed<number_texts>,
     "Rows of the texts of bools, int64, uint64 or float64."},
};

}  // namespace

std::span<const Native> text_number_rows() { return kRows; }

}  // namespace gpy::lib
