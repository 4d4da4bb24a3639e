// numpy.random.RandomState, and with it numpy.random.seed, rand, randn ...: NumPy's own bits.
#include "runtime/random/random_state.h"

#include "runtime/graph/write_access.h"
#include "runtime/random/generator.h"
#include "runtime/ops/create.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/random/bit_engine.h"
#include "stdlib/native/random/distributions.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/random/several.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct RandomStateObject : Object {
  static constexpr ObjectLayout kLayout = kRandomStateLayout;
  RandomStateObject(Type* type, Value bit_generator, std::shared_ptr<rt::BitGenerator> bits)
      : Object(type), bit_generator(std::move(bit_generator)), state(std::move(bits)) {}
  Value bit_generator;  // undefined before it is asked for: MT19937
  rt::RandomState state;
  template <class F> void each_field(F&& f) { f(bit_generator); }
};

std::shared_ptr<rt::BitGenerator> twister(const rt::Mt19937& engine) {
  return std::make_shared<rt::Generator<rt::Mt19937>>(engine);
}

const Value& bit_generator_of(Interpreter& vm, RandomStateObject& self) {
  if (self.bit_generator.is_undefined()) {
    const Value cls = find_in_library(vm, kNumpy, "random", "MT19937");
    self.bit_generator = vm.call(cls, {Value::integer(0)});
    vm.set_attribute(self.bit_generator, vm.intern("_engine"),
                     make_bit_engine(vm, self.state.shared()));
    vm.set_attribute(self.bit_generator, vm.intern("_seed_seq"), Value::none());
  }
  return self.bit_generator;
}

Value get_bit_generator(Interpreter& vm, const Value& self) {
  return bit_generator_of(vm, *self.as<RandomStateObject>());
}

std::string state_str(Interpreter& vm, const Value& self) {
  auto& state = *self.as<RandomStateObject>();
  if (state.bit_generator.is_undefined()) return "RandomState(MT19937)";
  return fmt::format("RandomState({})", vm.type_of(state.bit_generator)->name);
}

std::string state_repr(Interpreter& vm, const Value& self) {
  return fmt::format("{} at 0x{:X}", state_str(vm, self),
                     reinterpret_cast<uintptr_t>(self.as_object()));
}

Value seed(Interpreter& vm, RandomStateObject& self, const Value& seed) {
  auto* engine = dynamic_cast<rt::Generator<rt::Mt19937>*>(&self.state.bits());
  if (!engine) vm.raise_type_error("can only re-seed a MT19937 BitGenerator");
  engine->engine() = legacy_seeded(vm, seed);
  self.state.spare() = {};
  return Value::none();
}

Value draw_uniform(Interpreter& vm, rt::RandomState& state, const std::optional<rt::Dims>& size) {
  return draw_doubles(vm, size, [&](std::span<double> out) { state.bits().random(out); });
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

Value standard_exponential(Interpreter& vm, RandomStateObject& self, const Value& size) {
  return draw_doubles(vm, to_size(vm, size),
                      [&](std::span<double> out) { self.state.bits().frozen_exponential(out); });
}

template <rt::Distribution distribution> Value draw_row(Interpreter& vm, Args args) {
  rt::RandomState& state = args[0].as<RandomStateObject>()->state;
  const DistributionRow& row = row_of(distribution);
  const DrawnParameters drawn = read_parameters(vm, row, args, rt::RandomApi::kLegacy);
  return draw_with(vm, row, drawn, [&](const rt::Parameters& parameters, void* out, int64_t count) {
    state.draw(distribution, parameters, out, count);
  });
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
  const rt::DType type =
      !is_given(dtype) ? rt::DType::kInt64 : drawn_dtype(vm, to_dtype(vm, dtype));
  const IntegerRequest request = read_integers(vm, low, high, size, type, false, "randint");
  const rt::Array made =
      rt::empty(session(vm), request.size.value_or(rt::Dims()), type, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    self.state.bits().integers(type, request.ranges, rt::Bounding::kMasked, access.data(),
                               made.size());
  }
  if (request.size) return wrap_array(vm, made);
  return one_integer(vm, made, is_given(dtype) ? dtype : Value(vm.types.integer));
}

Value shuffle(Interpreter& vm, RandomStateObject& self, const Value& x) {
  shuffle_in_place(vm, x, [&](int64_t n, const Swap& swap) { self.state.bits().shuffle(n, swap); });
  return Value::none();
}

Value permutation(Interpreter& vm, RandomStateObject& self, const Value& x) {
  return permuted(vm, x, [&](int64_t n) { return self.state.bits().permutation(n); });
}

Value choice(Interpreter& vm, RandomStateObject& self, const Value& a, const Value& size,
             const Value& replace, const Value& p) {
  const ChoiceCall call = read_choice(vm, a, size, replace, p);
  const rt::ChoiceRequest request{population_size(vm, call, true), call.count(), call.replace,
                                  call.weights, call.has_weights};
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const int64_t longest = request.replace ? request.count : request.population;
  const auto draw = [&] { return self.state.bits().choice(request, rt::RandomApi::kLegacy); };
  return chosen(vm, call, drawn_indices(vm, longest, draw));
}

Value random_bytes(Interpreter& vm, RandomStateObject& self, int64_t length) {
  return drawn_bytes(vm, self.state.bits(), length);
}

Value tomaxint(Interpreter& vm, RandomStateObject& self, const Value& size) {
  const std::optional<rt::Dims> shape = to_size(vm, size);
  if (!shape) return Value::integer(static_cast<int64_t>(self.state.bits().next64() >> 1));
  const rt::Array made = rt::empty(session(vm), *shape, rt::DType::kInt64, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    auto* out = reinterpret_cast<int64_t*>(access.data());
    const rt::InterruptScope scope(&vm.interrupt_flag());
    rt::for_each_polled(made.size(), [&](int64_t i) {
      out[i] = static_cast<int64_t>(self.state.bits().next64() >> 1);
    });
  }
  return wrap_array(vm, made);
}

Value random_integers(Interpreter& vm, RandomStateObject& self, const Value& low, const Value& high,
                      const Value& size) {
  const bool two = is_given(high);
  const std::string instead =
      two ? fmt::format("randint({}, {} + 1)", vm.to_str(low), vm.to_str(high))
          : fmt::format("randint(1, {} + 1)", vm.to_str(low));
  vm.warn(vm.types.deprecation_warning,
          fmt::format("This function is deprecated. Please call {} instead", instead));
  const Value one = Value::integer(1);
  const int64_t last = vm.to_index(two ? high : low);
  return randint(vm, self, two ? low : one, vm.binary(BinaryOp::add, Value::integer(last), one),
                 size, Value::none());
}

Value in_gpy(Interpreter& vm, Args args) { return call_in_gpy(vm, args, "legacy_"); }

Value multinomials(Interpreter& vm, RandomStateObject& self, const rt::Array& counts,
                   const rt::Array& chances) {
  return drawn_multinomials(vm, counts, chances,
                            [&](rt::Distribution row, const rt::Parameters& parameters) {
                              int64_t drawn;
                              self.state.draw(row, parameters, &drawn, 1);
                              return drawn;
                            });
}

Value spare(Interpreter& vm, RandomStateObject& self) {
  const rt::SpareNormal& kept = self.state.spare();
  return vm.tuple({Value::integer(kept.has), Value::real(kept.value)});
}

Value set_spare(Interpreter&, RandomStateObject& self, bool has, double value) {
  self.state.spare() = {has, value};
  return Value::none();
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
    {"standard_exponential", "(self, size=None)", typed<standard_exponential>,
     "Exponentially distributed floats of scale 1."},
    {"standard_gamma", "(self, shape, size=None)", draw_row<rt::Distribution::standard_gamma>,
     "Draws from gamma distributions of scale 1."},
    {"multinomial", "(self, n, pvals, size=None)", in_gpy,
     "How often each outcome came in n trials."},
    {"multivariate_normal", "(self, mean, cov, size=None, check_valid='warn', tol=1e-08)", in_gpy,
     "Vectors that are normally distributed with a covariance."},
    {"dirichlet", "(self, alpha, size=None)", in_gpy, "Vectors of chances, whose sum is 1."},
    {"get_state", "(self, legacy=True)", in_gpy,
     "The state, as a tuple, or as a dict for legacy=False."},
    {"set_state", "(self, state)", in_gpy, "Takes a state that get_state gave."},
    {"_multinomials", "(self, counts, chances, /)", typed<multinomials>, ""},
    {"_spare", "(self, /)", typed<spare>, ""},
    {"_set_spare", "(self, has, value, /)", typed<set_spare>, ""},
    {"bytes", "(self, length)", typed<random_bytes>, "So many random bytes."},
    {"tomaxint", "(self, size=None)", typed<tomaxint>, "Integers of [0, 2 ** 63)."},
    {"random_integers", "(self, low, high=None, size=None)", typed<random_integers>,
     "Integers of [low, high], or of [1, low]; deprecated, use randint."},
    {"randint", "(self, low, high=None, size=None, dtype=None)", typed<randint>,
     "Integers of [low, high), or of [0, low)."},
    {"shuffle", "(self, x)", typed<shuffle>, "Shuffles a list or an array in place."},
    {"permutation", "(self, x)", typed<permutation>,
     "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None)", typed<choice>,
     "Elements chosen at random."},
};

const Native kRows[] = {
#define DISTRIBUTION(name, Result, signature, help, ...) \
  {#name, signature, draw_row<rt::Distribution::name>, help},
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
};

Value construct(Interpreter& vm, Type& cls, const Value& seed) {
  if (std::shared_ptr<rt::BitGenerator> bits = engine_of(vm, seed)) {
    return vm.make<RandomStateObject>(&cls, seed, std::move(bits));
  }
  return vm.make<RandomStateObject>(&cls, Value(), twister(legacy_seeded(vm, seed)));
}

const NativeGetter kGetters[] = {
    {"_bit_generator", get_bit_generator, nullptr, "Where its bits come from."},
};

const Native kConstructor = {"RandomState", "(cls, seed=None)", typed<construct>,
                             "Random numbers from MT19937, or from another bit generator."};

}  // namespace

Type* random_state_type(Interpreter& vm) {
  return kept_type(vm, "_RandomState", [&] {
    Type* type = vm.make_type<RandomStateObject>(
        {.name = "RandomState",
         .module = "numpy.random",
         .doc = "Random numbers from MT19937; its draws never change.",
         .slots = {.repr = state_repr,
                   .str = state_str,
                   .traverse = traverse_fields<RandomStateObject>},
         .methods = kMethods,
         .getters = kGetters,
         .constructor = &kConstructor});
    type->methods.push_back(kRows);
    return type;
  });
}

Value make_random_state(Interpreter& vm) {
  return construct(vm, *random_state_type(vm), Value::none());
}

Value state_bit_generator(Interpreter& vm, const Value& state) {
  if (!state.is<RandomStateObject>()) return Value();
  return bit_generator_of(vm, *state.as<RandomStateObject>());
}

void set_state_bit_generator(Interpreter& vm, const Value& state, const Value& bit_generator) {
  std::shared_ptr<rt::BitGenerator> bits = engine_of(vm, bit_generator);
  if (!bits) vm.raise_attribute_error(bit_generator, vm.intern("capsule"));
  auto& object = *state.as<RandomStateObject>();
  object.bit_generator = bit_generator;
  object.state = rt::RandomState(std::move(bits));
}

}  // namespace gpy::lib
