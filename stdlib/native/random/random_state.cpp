// numpy.random.RandomState, and with it numpy.random.seed, rand, randn ...: NumPy's own bits.
#include "runtime/random/random_state.h"

#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct RandomStateObject : Object {
  static constexpr Layout kLayout = kRandomStateLayout;
  explicit RandomStateObject(Type* type) : Object(type) {}
  rt::RandomState state;
};

rt::RandomState& of(const Args& args) { return args[0].as<RandomStateObject>()->state; }

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

Value seed(Interpreter& vm, Args args) {
  of(args).seed(seeded_bits(vm, args[1]));
  return Value::none();
}

Value draw_uniform(Interpreter& vm, const Args& args, const std::optional<rt::Dims>& size) {
  rt::RandomState& state = of(args);
  return draw_doubles(vm, size, [&](std::span<double> out) { state.random_sample(out); });
}

Value draw_normal(Interpreter& vm, const Args& args, const std::optional<rt::Dims>& size) {
  rt::RandomState& state = of(args);
  return draw_doubles(vm, size, [&](std::span<double> out) { state.standard_normal(out); });
}

Value rand(Interpreter& vm, Args args) { return draw_uniform(vm, args, size_of_rest(vm, args[1])); }
Value randn(Interpreter& vm, Args args) { return draw_normal(vm, args, size_of_rest(vm, args[1])); }
Value random_sample(Interpreter& vm, Args args) {
  return draw_uniform(vm, args, to_size(vm, args[1]));
}
Value standard_normal(Interpreter& vm, Args args) {
  return draw_normal(vm, args, to_size(vm, args[1]));
}

// (self, low, high, size)
Value uniform(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  const Parameter2 bounds = to_parameters(vm, args[1], args[2]);
  const auto size = to_size(vm, args[3]);
  if (bounds.numbers()) {
    return draw_doubles(vm, size,
                        [&](std::span<double> out) { state.uniform(bounds.a(), bounds.b(), out); });
  }
  const Parameter2 line{bounds.first, ops::subtract(vm, bounds.second, bounds.first)};
  return scaled(vm, line, as_ndarray(draw_uniform(vm, args, drawn_shape(vm, bounds, size)))->array);
}

// (self, loc, scale, size)
Value normal(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  const Parameter2 line = to_parameters(vm, args[1], args[2]);
  const auto size = to_size(vm, args[3]);
  if (line.numbers()) {
    if (line.b() < 0) vm.raise_value_error("scale < 0");
    return draw_doubles(vm, size,
                        [&](std::span<double> out) { state.normal(line.a(), line.b(), out); });
  }
  return scaled(vm, line, as_ndarray(draw_normal(vm, args, drawn_shape(vm, line, size)))->array);
}

Value standard_exponential(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  return draw_doubles(vm, to_size(vm, args[1]),
                      [&](std::span<double> out) { state.standard_exponential(out); });
}

// (self, scale, size)
Value exponential(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  const double scale = vm.to_real(args[1]);
  if (scale < 0) vm.raise_value_error("scale < 0");
  return draw_doubles(vm, to_size(vm, args[2]),
                      [&](std::span<double> out) { state.exponential(scale, out); });
}

// (self, low, high, size, dtype)
Value randint(Interpreter& vm, Args args) {
  const bool plain = !is_given(args[4]);
  const rt::DType dtype = plain ? rt::DType::kInt64 : to_dtype(vm, args[4]);
  const IntegerRequest request =
      read_integers(vm, args[1], args[2], args[3], dtype, false, "randint");
  const rt::Array made =
      rt::empty(session(vm), request.size.value_or(rt::Dims()), dtype, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    of(args).randint(dtype, request.ranges, access.data(), made.size());
  }
  if (request.size) return wrap_array(vm, made);
  return plain ? Value::integer(rt::item(session(vm), made).as_int()) : wrap_result(vm, made);
}

Value shuffle(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  shuffle_in_place(vm, args[1], [&](int64_t n, const Swap& swap) { state.shuffle(n, swap); });
  return Value::none();
}

Value permutation(Interpreter& vm, Args args) {
  rt::RandomState& state = of(args);
  return permuted(vm, args[1], [&](int64_t n) { return state.permutation(n); });
}

// (self, a, size, replace, p)
Value choice(Interpreter& vm, Args args) {
  const ChoiceCall call = read_choice(vm, args[1], args[2], args[3], args[4]);
  const rt::ChoiceRequest request{population_size(vm, call, true), call.count(), call.replace,
                                  call.weights, call.has_weights};
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const int64_t longest = request.replace ? request.count : request.population;
  return chosen(vm, call, drawn_indices(vm, longest, [&] { return of(args).choice(request); }));
}

const Native kMethods[] = {
    {"seed", "(self, seed=None)", seed, "Starts again from a seed."},
    {"rand", "(self, *args)", rand, "Floats of [0, 1) in a shape."},
    {"randn", "(self, *args)", randn, "Normally distributed floats in a shape."},
    {"random", "(self, size=None)", random_sample, "Floats of [0, 1)."},
    {"random_sample", "(self, size=None)", random_sample, "Floats of [0, 1)."},
    {"ranf", "(self, size=None)", random_sample, "As random."},
    {"sample", "(self, size=None)", random_sample, "As random."},
    {"standard_normal", "(self, size=None)", standard_normal,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"uniform", "(self, low=0.0, high=1.0, size=None)", uniform, "Floats of [low, high)."},
    {"normal", "(self, loc=0.0, scale=1.0, size=None)", normal, "Normally distributed floats."},
    {"standard_exponential", "(self, size=None)", standard_exponential,
     "Exponentially distributed floats of scale 1."},
    {"exponential", "(self, scale=1.0, size=None)", exponential,
     "Exponentially distributed floats."},
    {"randint", "(self, low, high=None, size=None, dtype=None)", randint,
     "Integers of [low, high), or of [0, low)."},
    {"shuffle", "(self, x)", shuffle, "Shuffles a list or an array in place."},
    {"permutation", "(self, x)", permutation, "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None)", choice, "Elements chosen at random."},
};

Value construct(Interpreter& vm, Args args) {
  auto made = vm.make<RandomStateObject>(args[0].as<Type>());
  if (is_given(args[1])) made->state.seed(seeded_bits(vm, args[1]));
  return made;
}

const Native kConstructor = {"RandomState", "(cls, seed=None)", construct,
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
