// random.seed, getstate, setstate, random: the source of the bits.
#include <algorithm>

#include "src/memory/pieces.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"
#include "src/typed_native.h"
#include "stdlib/native/python_random/sha512.h"
#include "stdlib/native/python_random/source.h"
#include "stdlib/native/system_bytes.h"

namespace gpy::lib {

static uint64_t system_word(Interpreter& vm) {
  std::string bytes = system_bytes(vm, 8);
  uint64_t word;
  std::memcpy(&word, bytes.data(), 8);
  return word;
}

double RandomSource::uniform() {
  if (of_system) return static_cast<double>(system_word(*type->vm) >> 11) * 0x1p-53;
  return bits.next_double();
}

uint64_t RandomSource::few_bits(unsigned count) {
  if (of_system) return count ? system_word(*type->vm) >> (64 - count) : 0;
  if (count == 0) return 0;
  if (count <= 32) return bits.next32() >> (32 - count);
  uint64_t low = bits.next32();
  return static_cast<uint64_t>(bits.next32() >> (64 - count)) << 32 | low;
}

// --- seeds ---------------------------------------------------------------------------------------

static std::vector<uint32_t> words_of(BigInt number) {
  std::vector<uint32_t> words;
  if (number < 0) number = -number;
  export_bits(number, std::back_inserter(words), 32, false);
  if (words.empty()) words.push_back(0);
  return words;
}

static BigInt from_bytes(std::string_view bytes) {
  BigInt number;
  import_bits(number, bytes.begin(), bytes.end(), 8, true);
  return number;
}

static std::string_view seed_bytes(const Value& seed) {
  return seed.is<Str>() ? seed.as<Str>()->view() : std::string_view(seed.as<Bytes>()->data);
}

// The seed that Python made of a text before 3.2.
static BigInt first_version_seed(const Value& seed) {
  std::string_view bytes = seed_bytes(seed);
  uint64_t x = 0, length = 0;
  const char* end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end; ++length) {
    uint64_t c = seed.is<Str>() ? decode_utf8(at, end) : static_cast<unsigned char>(*at++);
    if (length == 0) x = c << 7;
    x = (1000003 * x) ^ c;
  }
  return BigInt(x ^ length);
}

static BigInt seed_number(Interpreter& vm, const Value& seed, bool first_version) {
  if (is_int(seed)) return to_big(seed);
  if (seed.is_real()) return BigInt(static_cast<uint64_t>(vm.hash(seed)));
  if (seed.is<Str>() || seed.is<Bytes>()) {
    if (first_version) return first_version_seed(seed);
    std::string bytes(seed_bytes(seed));
    return from_bytes(bytes + sha512(bytes));
  }
  vm.raise_type_error(
      "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.");
}

void seed_source(Interpreter& vm, RandomSource& source, const Value& seed, bool first_version) {
  source.gauss_next = Value::none();
  if (seed.is_none()) {
    std::string bytes = system_bytes(vm, source.bits.words().size() * sizeof(uint32_t));
    std::vector<uint32_t> key(source.bits.words().size());
    std::memcpy(key.data(), bytes.data(), bytes.size());
    source.bits = rt::Mt19937(std::span<const uint32_t>(key));
    return;
  }
  source.bits =
      rt::Mt19937(std::span<const uint32_t>(words_of(seed_number(vm, seed, first_version))));
}

static Value seed(Interpreter& vm, RandomSource& source, const Value& a, const Value& version) {
  if (!source.of_system) seed_source(vm, source, a, vm.to_index(version) == 1);
  return Value::none();
}

// --- states --------------------------------------------------------------------------------------

static void refuse_system(Interpreter& vm, const RandomSource& source) {
  if (!source.of_system) return;
  vm.raise_not_implemented_error("System entropy source does not have state.");
}

static Value getstate(Interpreter& vm, RandomSource& source) {
  refuse_system(vm, source);
  std::vector<Value> words;
  for (uint32_t word : source.bits.words()) words.push_back(Value::integer(word));
  words.push_back(Value::integer(source.bits.position()));
  return vm.tuple({Value::integer(3), vm.tuple(words), source.gauss_next});
}

static Value setstate(Interpreter& vm, RandomSource& source, const Value& state) {
  refuse_system(vm, source);
  auto parts = vm.collect(state);
  if (parts.size() != 3) {
    const char* what = parts.size() < 3 ? "not enough" : "too many";
    vm.raise_value_error("{} values to unpack (expected 3, got {})", what, parts.size());
  }
  if (!vm.equal(parts[0], Value::integer(3))) {
    vm.raise_value_error("state with version {} passed to Random.setstate() of version 3",
                         vm.to_str(parts[0]));
  }
  if (!parts[1].is<Tuple>()) vm.raise_type_error("state vector must be a tuple");
  auto items = parts[1].as<Tuple>()->items();
  size_t count = source.bits.words().size();
  if (items.size() != count + 1) vm.raise_value_error("state vector is the wrong size");
  std::vector<uint32_t> words;
  for (const Value& item : items) words.push_back(static_cast<uint32_t>(vm.to_index(item)));
  if (words.back() > count) vm.raise_value_error("invalid state");
  source.bits.restore(std::span(words).first(count), static_cast<int>(words.back()));
  source.gauss_next = parts[2];
  return Value::none();
}

static Value random(Interpreter&, RandomSource& source) { return Value::real(source.uniform()); }

// --- bits ----------------------------------------------------------------------------------------

static BigInt many_bits(Interpreter& vm, RandomSource& source, int64_t count) {
  std::vector<uint32_t> words;
  InterruptPoll poll(vm);
  for (; count > 0; count -= 32) {
    auto bits = static_cast<unsigned>(std::min<int64_t>(count, 32));
    poll.step();
    words.push_back(static_cast<uint32_t>(source.few_bits(bits)));
  }
  BigInt number;
  import_bits(number, words.begin(), words.end(), 32, false);
  return number;
}

Value random_bits(Interpreter& vm, RandomSource& source, int64_t count) {
  if (count < 64)
    return Value::integer(static_cast<int64_t>(source.few_bits(static_cast<unsigned>(count))));
  vm.claim(static_cast<size_t>(count) / 8, 3);
  return from_big(vm, many_bits(vm, source, count));
}

Value random_below(Interpreter& vm, RandomSource& source, const Value& limit) {
  if (limit.is_integer()) {
    auto most = static_cast<uint64_t>(limit.as_integer());
    return Value::integer(static_cast<int64_t>(random_below(source, most)));
  }
  BigInt most = to_big(limit);
  auto bits = static_cast<int64_t>(msb(most)) + 1;
  BigInt number = many_bits(vm, source, bits);
  while (number >= most) number = many_bits(vm, source, bits);
  return from_big(vm, std::move(number));
}

static const Native kRows[] = {
    {"__init__", "(self, a=None, version=2)", typed<seed>, "Starts from a seed."},
    {"getstate", "(self)", typed<getstate>, "The state, for setstate."},
    {"random", "(self, /)", typed<random>, "A float x with 0 <= x < 1."},
    {"seed", "(self, a=None, version=2)", typed<seed>,
     "Starts again from a seed; None: from what the system gives."},
    {"setstate", "(self, state)", typed<setstate>, "Goes back to a state that getstate gave."},
};

std::span<const Native> random_state_rows() { return kRows; }

}  // namespace gpy::lib
