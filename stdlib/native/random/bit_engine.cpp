#include "stdlib/native/random/bit_engine.h"

#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/random/generator.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

// An argument's elements as T, on the host.
template <class T>
std::vector<T> words_of(Interpreter& vm, const rt::Array& array, rt::DType dtype) {
  const rt::Array host = rt::to_space(session(vm), array, rt::Space::host());
  const rt::Array cast = rt::astype(session(vm), host, dtype, rt::Casting::kUnsafe, false);
  const rt::Array words = rt::copy(session(vm), cast, 'C');
  const rt::HostRead read(session(vm), words);
  const T* first = reinterpret_cast<const T*>(read.data());
  return std::vector<T>(first, first + words.size());
}

std::vector<uint64_t> wide_words(Interpreter& vm, const rt::Array& array) {
  return words_of<uint64_t>(vm, array, rt::DType::kUInt64);
}
std::vector<uint32_t> narrow_words(Interpreter& vm, const rt::Array& array) {
  return words_of<uint32_t>(vm, array, rt::DType::kUInt32);
}

template <class T> Value words_array(Interpreter& vm, std::span<const T> words, rt::DType dtype) {
  return wrap_array(
      vm, rt::from_host(session(vm), dtype, {std::ssize(words)}, words.data(), rt::Space::host()));
}

Value seed(Interpreter& vm, BitEngine& self, const rt::Array& words) {
  const std::vector<uint64_t> given = wide_words(vm, words);
  if (std::ssize(given) < self.bits->seed_words()) {
    vm.raise_value_error("the seed sequence gave too few words (got {}, expected {})", given.size(),
                         self.bits->seed_words());
  }
  self.bits->seed(given);
  return Value::none();
}

Value seed_as_before(Interpreter& vm, BitEngine& self, const Value& seed) {
  auto& twister = dynamic_cast<rt::Generator<rt::Mt19937>&>(*self.bits);
  twister.engine() = legacy_seeded(vm, seed);
  return Value::none();
}

Value state(Interpreter& vm, BitEngine& self) {
  const std::vector<uint64_t> words = self.bits->state();
  return words_array<uint64_t>(vm, words, rt::DType::kUInt64);
}

Value restore(Interpreter& vm, BitEngine& self, const rt::Array& words) {
  const std::vector<uint64_t> given = wide_words(vm, words);
  if (given.size() != self.bits->state().size()) vm.raise_value_error("state has a wrong length");
  self.bits->restore(given);
  return Value::none();
}

Value jump(Interpreter& vm, BitEngine& self, int64_t count) {
  auto& twister = dynamic_cast<rt::Generator<rt::Mt19937>&>(*self.bits);
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < count; ++i) {
    poll.step();
    twister.engine().jump();
  }
  return Value::none();
}

Value raw(Interpreter& vm, BitEngine& self, const Value& size, bool output) {
  const std::optional<rt::Dims> shape = to_size(vm, size);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  if (!output) {
    rt::for_each_polled(shape ? rt::element_count(*shape) : 1,
                        [&](int64_t) { self.bits->next_raw(); });
    return Value::none();
  }
  if (!shape) return vm.unsigned_integer(self.bits->next_raw());
  const rt::Array made = rt::empty(session(vm), *shape, rt::DType::kUInt64, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    self.bits->raw({reinterpret_cast<uint64_t*>(access.data()), static_cast<size_t>(made.size())});
  }
  return wrap_array(vm, made);
}

const Native kMethods[] = {
    {"seed", "(self, words, /)", typed<seed>, "Starts from the words of a seed sequence."},
    {"seed_as_before", "(self, seed, /)", typed<seed_as_before>, "As numpy.random.seed."},
    {"state", "(self, /)", typed<state>, "The words of the state."},
    {"restore", "(self, words, /)", typed<restore>, "Takes a state of these words."},
    {"jump", "(self, count, /)", typed<jump>, "Goes on by count * 2 ** 128 draws."},
    {"raw", "(self, size, output, /)", typed<raw>, "Draws as the engine makes them."},
};

Type* engine_type(Interpreter& vm) {
  return kept_type(vm, "_BitEngine", [&] {
    return vm.make_type<BitEngine>({.name = "BitEngine",
                                    .module = "numpy.random",
                                    .doc = "The engine of a bit generator.",
                                    .methods = kMethods});
  });
}

Value own_bit_engine(Interpreter& vm, std::string_view name) {
  return make_bit_engine(vm, rt::make_bit_generator(name));
}

Value own_seed_pool(Interpreter& vm, const rt::Array& entropy, const rt::Array& key, int64_t size) {
  const rt::SeedSequence sequence(narrow_words(vm, entropy), narrow_words(vm, key),
                                  static_cast<int>(size));
  return words_array<uint32_t>(vm, sequence.pool(), rt::DType::kUInt32);
}

Value own_seed_words(Interpreter& vm, const rt::Array& pool, int64_t count) {
  if (count < 0) vm.raise_value_error("negative dimensions are not allowed");
  const rt::Array made = rt::empty(session(vm), {count}, rt::DType::kUInt32, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    rt::generate_state(narrow_words(vm, pool), {reinterpret_cast<uint32_t*>(access.data()),
                                                static_cast<size_t>(made.size())});
  }
  return wrap_array(vm, made);
}

const Native kOwnRows[] = {
    {"_bit_engine", "(name, /)", typed<own_bit_engine>, "An engine by its bit generator's name."},
    {"_seed_pool", "(entropy, spawn_key, pool_size, /)", typed<own_seed_pool>,
     "The words of entropy, spread over a pool."},
    {"_seed_words", "(pool, count, /)", typed<own_seed_words>, "Words for a state from a pool."},
};

}  // namespace

Value make_bit_engine(Interpreter& vm, std::shared_ptr<rt::BitGenerator> bits) {
  return vm.make<BitEngine>(engine_type(vm), std::move(bits));
}

std::shared_ptr<rt::BitGenerator> engine_of(Interpreter& vm, const Value& bit_generator) {
  const Value engine = vm.try_get_attribute(bit_generator, vm.intern("_engine"));
  if (!engine.is_defined() || !engine.is<BitEngine>()) return nullptr;
  return engine.as<BitEngine>()->bits;
}

rt::Mt19937 legacy_seeded(Interpreter& vm, const Value& seed) {
  if (!is_given(seed)) return rt::Mt19937(rt::SeedSequence::from_system());
  const auto refuse = [&](const char* what) {
    vm.raise_type_error("Cannot cast {} to dtype('int64') according to the rule 'safe'", what);
  };
  const auto word_of = [&](const Value& item, const char* what) {
    if (item.is<List>() || item.is<Tuple>() || (as_ndarray(item) && !vm.has_index(item))) {
      vm.raise_value_error("Seed array must be 1-d");
    }
    if (!vm.has_index(item)) refuse("array data of other kinds");
    const rt::Int128 number = to_wide(vm, item);
    if (number < 0 || number > 0xffffffffu) {
      vm.raise_value_error("{} must be between 0 and 2**32 - 1", what);
    }
    return static_cast<uint32_t>(number);
  };
  const bool is_array = as_ndarray(seed) && as_ndarray(seed)->array.size() != 1;
  if (vm.has_index(seed) && !is_array) return rt::Mt19937(word_of(vm.to_index_value(seed), "Seed"));
  if (!vm.is_iterable(seed)) refuse("a scalar of another kind");
  std::vector<uint32_t> key;
  vm.for_each(seed, [&](const Value& item) { key.push_back(word_of(item, "Seed values")); });
  if (key.empty()) vm.raise_value_error("Seed must be non-empty");
  return rt::Mt19937(std::span<const uint32_t>(key));
}

std::span<const Native> bit_engine_rows() { return kOwnRows; }

}  // namespace gpy::lib
