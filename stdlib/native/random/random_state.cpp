// numpy.random.RandomState, and with it numpy.random.seed, rand, randn ...: NumPy's own bits.
#include "runtime/random/random_state.h"

#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "src/typed_native.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct RandomStateObject : Object {
  static constexpr ObjectLayout kLayout = kRandomStateLayout;
  explicit RandomStateObject(Type* type) : Object(type) {}
  rt::RandomState state;
};

std::string state_repr(Interpreter&, const Value& self) {
  return fmt::format("RandomState(MT19937) at 0x{:X}",
                     reinterpret_cast<uintptr_t>(self.as_object()));
}

rt::Mt19937 seeded_bits(Interpreter& vm, const Value& seed) {
  if (!is_given(seed)) return rt::Mt19937(rt::SeedSequence::from_system());
  const bool single = vm.has_index(seed) && !as_ndarray(seed);
  if (single) {
    const rt::Int128 number = to_wide(vm, seed);
    if (number < 0 || number > 0xffffffffu)
      vm.raise_value_error("Seed must be between 0 and 2**32 - 1");
    return rt::Mt19937(static_cast<uint32_t>(number));
  }
  std::vector<uint32_t> key;
  vm.for_each(seed, [&](const Value& item) {
    const rt::Int128 number = to_wide(vm, item);
    if (number < 0 || number > 0xffffffffu)
      vm.raise_value_error("Seed values must be between 0 and 2**32 - 1");
    key.push_back(static_cast<uint32_t>(number));
  });
  if (key.empty()) vm.raise_value_error("Seed must be non-empty");
  return rt::Mt19937(std::span<const uint32_t>(key));
}

Value seed(Interpreter& vm, RandomStateObject& self, const Value& seed) {
  self.state.seed(seeded_bits(vm, seed));
  return Value::none();
}

Value draw_uniform(Interpreter& vm, rt::RandomState& state, const std::optional<rt::Dims>& size) {
  return draw_doubles(vm, size, [&](std::span<double> out) { state.random_sample(out); });
}

Value draw_normal(Interpreter& vm, rt::RandomState& state, const std::optional<rt::Dims>& size) {
  return draw_doubles(vm, size, [&](std::span<double> out) { state.standard_normal(out); });
}

Value rand(Interpreter& vm, RandomStateObject& self, const Value& extents) {
  return draw_uniform(vm, self.state, size_of_rest(vm, extents));
}
Value randn(Interpreter& vm, RandomStateObject& self, const Value& extents) {
  return draw_normal(vm, self.state, size_of_rest(vm, extents));
}
Value random_sample(Interpreter& vm, RandomStateObject& self, const Value& size) {
  return draw_uniform(vm, self.state, to_size(vm, size));
}
Value standard_normal(Interpreter& vm, RandomStateObject& self, const Value& size) {
  return draw_normal(vm, self.state, to_size(vm, size));
}

Value uniform(Interpreter& vm, RandomStateObject& self, const Value& low, const Value& high,
              const Value& wanted) {
  rt::RandomState& state = self.state;
  const Parameter2 bounds = to_parameters(vm, low, high);
  const auto size = to_size(vm, wanted);
  if (bounds.numbers()) {
    return draw_doubles(vm, size,
                        [&](std::span<double> out) { state.uniform(bounds.a(), bounds.b(), out); });
  }
  const Parameter2 line{bounds.first, ops::subtract(vm, bounds.second, bounds.first)};
  const std::optional<rt::Dims> shape = drawn_shape(vm, bounds, size);
  return scaled(vm, line, as_ndarray(draw_uniform(vm, state, shape))->array);
}

Value normal(Interpreter& vm, RandomStateObject& self, const Value& loc, const Value& scale,
             const Value& wanted) {
  rt::RandomState& state = self.state;
  const Parameter2 line = to_parameters(vm, loc, scale);
  const auto size = to_size(vm, wanted);
  if (line.numbers()) {
    if (line.b() < 0) vm.raise_value_error("scale < 0");
    return draw_doubles(vm, size,
                        [&](std::span<double> out) { state.normal(line.a(), line.b(), out); });
  }
  const std::optional<rt::Dims> shape = drawn_shape(vm, line, size);
  return scaled(vm, line, as_ndarray(draw_normal(vm, state, shape))->array);
}

Value standard_exponential(Interpreter& vm, RandomStateObject& self, const Value& size) {
  return draw_doubles(vm, to_size(vm, size),
                      [&](std::span<double> out) { self.state.standard_exponential(out); });
}

Value exponential(Interpreter& vm, RandomStateObject& self, double scale, const Value& size) {
  if (scale < 0) vm.raise_value_error("scale < 0");
  return draw_doubles(vm, to_size(vm, size),
                      [&](std::span<double> out) { self.state.exponential(scale, out); });
}

// Where Generator refuses the other byte order, RandomState ignores it with a warning.
rt::DType drawn_dtype(Interpreter& vm, rt::DType dtype) {
  if (!dtype.is_native()) {
    vm.warn(vm.types.deprecation_warning,
            "Providing a dtype with a non-native byteorder is not supported. If you require "
            "platform-independent byteorder, call byteswap when required.\n"
            "In future version, providing byteorder will raise a ValueError");
  }
  return dtype.native();
}

Value randint(Interpreter& vm, RandomStateObject& self, const Value& low, const Value& high,
              const Value& size, const Value& dtype) {
  const bool plain = !is_given(dtype);
  const rt::DType type = plain ? rt::DType::kInt64 : drawn_dtype(vm, to_dtype(vm, dtype));
  const IntegerRequest request = read_integers(vm, low, high, size, type, false, "randint");
  const rt::Array made =
      rt::empty(session(vm), request.size.value_or(rt::Dims()), type, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    self.state.randint(type, request.ranges, access.data(), made.size());
  }
  if (request.size) return wrap_array(vm, made);
  return plain ? Value::integer(rt::item(session(vm), made).as_int()) : wrap_result(vm, made);
}

Value shuffle(Interpreter& vm, RandomStateObject& self, const Value& x) {
  shuffle_in_place(vm, x, [&](int64_t n, const Swap& swap) { self.state.shuffle(n, swap); });
  return Value::none();
}

Value permutation(Interpreter& vm, RandomStateObject& self, const Value& x) {
  return permuted(vm, x, [&](int64_t n) { return self.state.permutation(n); });
}

Value choice(Interpreter& vm, RandomStateObject& self, const Value& a, const Value& size,
             const Value& replace, const Value& p) {
  const ChoiceCall call = read_choice(vm, a, size, replace, p);
  const rt::ChoiceRequest request{population_size(vm, call, true), call.count(), call.replace,
                                  call.weights, call.has_weights};
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const int64_t longest = request.replace ? request.count : request.population;
  return chosen(vm, call, drawn_indices(vm, longest, [&] { return self.state.choice(request); }));
}

const Native kMethods[] = {
    {"seed", "(self, seed=None)", typed<seed>, "Starts again from a seed."},
    {"rand", "(self, *args)", typed<rand>, "Floats of [0, 1) in a shape."},
    {"randn", "(self, *args)", typed<randn>, "Normally distributed floats in a shape."},
    {"random", "(self, size=None)", typed<random_sample>, "Floats of [0, 1)."},
    {"random_sample", "(self, size=None)", typed<random_sample>, "Floats of [0, 1)."},
    {"ranf", "(self, size=None)", typed<random_sample>, "As random."},
    {"sample", "(self, size=None)", typed<random_sample>, "As random."},
    {"standard_normal", "(self, size=None)", typed<standard_normal>,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"uniform", "(self, low=0.0, high=1.0, size=None)", typed<uniform>, "Floats of [low, high)."},
    {"normal", "(self, loc=0.0, scale=1.0, size=None)", typed<normal>,
     "Normally distributed floats."},
    {"standard_exponential", "(self, size=None)", typed<standard_exponential>,
     "Exponentially distributed floats of scale 1."},
    {"exponential", "(self, scale=1.0, size=None)", typed<exponential>,
     "Exponentially distributed floats."},
    {"randint", "(self, low, high=None, size=None, dtype=None)", typed<randint>,
     "Integers of [low, high), or of [0, low)."},
    {"shuffle", "(self, x)", typed<shuffle>, "Shuffles a list or an array in place."},
    {"permutation", "(self, x)", typed<permutation>,
     "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None)", typed<choice>,
     "Elements chosen at random."},
};

Value construct(Interpreter& vm, Type& cls, const Value& seed) {
  auto made = vm.make<RandomStateObject>(&cls);
  if (is_given(seed)) made->state.seed(seeded_bits(vm, seed));
  return made;
}

const Native kConstructor = {"RandomState", "(cls, seed=None)", typed<construct>,
                             "Random numbers from MT19937."};

}  // namespace

Type* random_state_type(Interpreter& vm) {
  return kept_type(vm, "_RandomState", [&] {
    return vm.make_type<RandomStateObject>({.name = "RandomState",
                                            .module = "numpy.random",
                                            .doc = "Random numbers from MT19937.",
                                            .slots = {.repr = state_repr},
                                            .methods = kMethods,
                                            .constructor = &kConstructor});
  });
}

Value make_random_state(Interpreter& vm) {
  return vm.make<RandomStateObject>(random_state_type(vm));
}

}  // namespace gpy::lib
