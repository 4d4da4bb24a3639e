#include "src/types/int_bytes.h"

#include <algorithm>

#include "src/numbers/big_arithmetic.h"
#include "src/memory/pieces.h"

namespace gpy {

static bool is_little(Interpreter& vm, const Value& order, const char* method) {
  std::string_view name = vm.to_text(order, fmt::format("{}() argument 'byteorder'", method));
  if (name != "little" && name != "big") {
    vm.raise_value_error("byteorder must be either 'little' or 'big'");
  }
  return name == "little";
}

// True if the number needs no more than `bits` in two's complement, or unsigned.
static bool fits(const BigInt& number, bool is_signed, size_t bits) {
  if (!is_signed) return number < BigInt(1) << bits;
  if (bits == 0) return number.is_zero() || number == -1;  // as CPython has it
  BigInt half = BigInt(1) << (bits - 1);
  return number >= -half && number < half;
}

Value int_to_bytes(Interpreter& vm, const Value& self, int64_t length, const Value& byteorder,
                   const Value& signedness) {
  bool little = is_little(vm, byteorder, "to_bytes"), is_signed = vm.truth(signedness);
  if (length < 0) vm.raise_value_error("length argument must be non-negative");
  vm.claim(static_cast<size_t>(length), 3);
  BigInt number = to_big(self);
  if (number.sign() < 0 && !is_signed) {
    vm.raise_overflow_error("can't convert negative int to unsigned");
  }
  auto size = static_cast<size_t>(length);
  if (!fits(number, is_signed, size * 8)) vm.raise_overflow_error("int too big to convert");
  if (number.sign() < 0) number += BigInt(1) << (size * 8);
  std::string data;
  data.reserve(size);
  InterruptPoll poll(vm);
  for (size_t i = 0; i < size; ++i) {
    poll.step();
    data.push_back(static_cast<char>(bits_at(number, 8 * i, 8)));
  }
  if (!little) std::reverse(data.begin(), data.end());
  return vm.bytes(std::move(data));
}

static std::string bytes_of(Interpreter& vm, const Value& source) {
  if (const Bytes* bytes = source.try_as<Bytes>()) return bytes->data;
  if (source.is<Str>() || !vm.is_iterable(source)) {
    vm.raise_type_error("cannot convert '{}' object to bytes", vm.type_name(source));
  }
  std::string data;
  vm.for_each(source, [&](const Value& item) {
    Value exact = vm.to_index_value(item);  // of any size
    int64_t byte = exact.is_integer() ? exact.as_integer() : -1;
    if (byte < 0 || byte > 255) vm.raise_value_error("bytes must be in range(0, 256)");
    data.push_back(static_cast<char>(byte));
  });
  return data;
}

Value int_from_bytes(Interpreter& vm, const Value& cls, const Value& bytes, const Value& byteorder,
                     const Value& signedness) {
  const bool little = is_little(vm, byteorder, "from_bytes");
  std::string data = bytes_of(vm, bytes);
  if (!little) std::reverse(data.begin(), data.end());
  vm.claim(data.size(), 2);
  BigInt number = 0;
  if (!data.empty()) {
    const auto* first = reinterpret_cast<const unsigned char*>(data.data());
    import_bits(number, first, first + data.size(), 8, false);
  }
  bool negative = vm.truth(signedness) && !data.empty() && (data.back() & 0x80);
  if (negative) number -= BigInt(1) << (data.size() * 8);
  Value result = from_big(vm, std::move(number));
  return cls.as<Type>() == vm.types.integer ? result : vm.call(cls, {result});
}

}  // namespace gpy
