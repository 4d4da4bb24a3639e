// cupy.random and gp.random: Philox by index, the same bits on every device.
#include <memory>
#include <random>

#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/random.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "src/typed_native.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/random/distributions.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct PhiloxObject : Object {
  static constexpr ObjectLayout kLayout = kPhiloxLayout;
  PhiloxObject(Type* type, const Namespace& names, std::shared_ptr<rt::PhiloxState> shared)
      : Object(type), names(names), shared(std::move(shared)), state(*this->shared) {}
  const Namespace& names;
  std::shared_ptr<rt::PhiloxState> shared;  // with a bit generator's other Generators
  rt::PhiloxState& state;
};

struct Draw {
  Interpreter& vm;
  PhiloxObject& self;

  rt::Space space() const { return self.names.space(session(vm)); }
  rt::Array uniform(const rt::Dims& shape, rt::DType dtype = rt::DType::kFloat64) const {
    return rt::random_uniform(session(vm), self.state, shape, dtype, space());
  }
  rt::Array normal(const rt::Dims& shape, rt::DType dtype = rt::DType::kFloat64) const {
    return rt::random_normal(session(vm), self.state, shape, dtype, space());
  }
  // A shuffled 0 .. n-1: the order of as many random keys.
  rt::Array permutation(int64_t n) const {
    return rt::argsort(session(vm), rt::random_bits(session(vm), self.state, {n}, space()), -1);
  }
};

rt::Dims shape_or_none(Interpreter& vm, const Value& size) {
  return to_size(vm, size).value_or(rt::Dims());
}

void set_seed(Interpreter& vm, PhiloxObject& self, const Value& seed) {
  self.state = {};
  if (!is_given(seed)) {
    std::random_device device;
    self.state.seed = uint64_t{device()} << 32 | device();
    return;
  }
  for (uint32_t word : seed_words(vm, seed)) {
    self.state.seed = self.state.seed * 0x100000001b3 ^ word;
  }
}

Value seed(Interpreter& vm, PhiloxObject& self, const Value& seed) {
  set_seed(vm, self, seed);
  return Value::none();
}

Value rand(Interpreter& vm, PhiloxObject& self, const Value& extents, const Value& dtype) {
  const rt::Dims shape = size_of_rest(vm, extents).value_or(rt::Dims());
  return wrap_array(vm, Draw{vm, self}.uniform(shape, to_dtype(vm, dtype)));
}

Value randn(Interpreter& vm, PhiloxObject& self, const Value& extents, const Value& dtype) {
  const rt::Dims shape = size_of_rest(vm, extents).value_or(rt::Dims());
  return wrap_array(vm, Draw{vm, self}.normal(shape, to_dtype(vm, dtype)));
}

Value random(Interpreter& vm, PhiloxObject& self, const Value& size, const Value& dtype) {
  return wrap_array(vm, Draw{vm, self}.uniform(shape_or_none(vm, size), to_dtype(vm, dtype)));
}

Value standard_normal(Interpreter& vm, PhiloxObject& self, const Value& size, const Value& dtype) {
  return wrap_array(vm, Draw{vm, self}.normal(shape_or_none(vm, size), to_dtype(vm, dtype)));
}

struct Line {
  rt::Operand offset, scale;
  rt::Dims shape;
};

Line read_line(Interpreter& vm, const Namespace& names, const Value& offset, const Value& scale,
               const Value& wanted) {
  Line line{to_operand(vm, offset, names), to_operand(vm, scale, names), {}};
  const auto size = to_size(vm, wanted);
  const bool arrays = line.offset.is_array() || line.scale.is_array();
  if (size || arrays) line.shape = drawn_shape(vm, {line.offset, line.scale}, size);
  return line;
}

Value uniform(Interpreter& vm, PhiloxObject& self, const Value& from, const Value& to,
              const Value& size, const Value& dtype) {
  const Line line = read_line(vm, self.names, from, to, size);
  const rt::Array standard = Draw{vm, self}.uniform(line.shape, to_dtype(vm, dtype));
  if (line.offset.is_array() || line.scale.is_array()) {
    return scaled(vm, {line.offset, ops::subtract(vm, line.scale, line.offset)}, standard);
  }
  const double low = line.offset.scalar().as_double(), high = line.scale.scalar().as_double();
  return scaled(vm, {rt::Scalar::weak(low), rt::Scalar::weak(high - low)}, standard);
}

Value normal(Interpreter& vm, PhiloxObject& self, const Value& loc, const Value& scale,
             const Value& size, const Value& dtype) {
  const Line line = read_line(vm, self.names, loc, scale, size);
  return scaled(vm, {line.offset, line.scale},
                Draw{vm, self}.normal(line.shape, to_dtype(vm, dtype)));
}

rt::DType drawn_type(Interpreter& vm, const Value& dtype, rt::DType usual) {
  const rt::DType type = is_given(dtype) ? to_dtype(vm, dtype) : usual;
  if (type == usual || (rt::is_integer(usual) && rt::is_integer(type))) return type;
  if (!rt::is_integer(usual) && type == rt::DType::kFloat32) return type;
  vm.raise_type_error("Unsupported dtype dtype('{}') for random numbers of {}", rt::name(type),
                      rt::name(usual));
}

// The parameters that were checked, for the device's expression.
std::vector<rt::Operand> operands_of(Interpreter& vm, const DistributionRow& row,
                                     const DrawnParameters& drawn, rt::Space space) {
  std::vector<rt::Operand> operands;
  for (int i = 0; i < drawn.count; ++i) {
    if (!drawn.single) {
      operands.push_back(rt::to_space(session(vm), drawn.arrays[i], space));
    } else if (row.constraints[i] == Constraint::kNonNegativeInt) {
      operands.push_back(rt::Scalar::strong(drawn.integers[i]));
    } else {
      operands.push_back(rt::Scalar::strong(drawn.reals[i]));
    }
  }
  return operands;
}

// Uniform, normal and exponential draws are methods of their own.
constexpr bool is_method(rt::Distribution distribution) {
  return distribution == rt::Distribution::uniform || distribution == rt::Distribution::normal ||
         distribution == rt::Distribution::exponential;
}

struct NamedRow {
  std::string_view name;
  rt::Row row;
};
constexpr NamedRow kDrawRows[] = {
#define QUIET_ROW(name, ...) {#name, rt::Row::name},
#include "runtime/ops/ufuncs/draws.def"
#undef QUIET_ROW
};
constexpr std::string_view kDistributionNames[] = {
#define DISTRIBUTION(name, ...) #name,
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
    "standard_gamma"};

constexpr std::optional<rt::Row> draw_row_of(rt::Distribution distribution) {
  for (const NamedRow& row : kDrawRows) {
    const std::string_view name = row.name.substr(std::string_view("draw_").size());
    if (name == kDistributionNames[static_cast<size_t>(distribution)]) return row.row;
  }
  return std::nullopt;
}

// The drawing of a distribution: its own function, or its row of ufuncs/draws.def.
template <rt::Distribution distribution> constexpr auto drawing() {
  using enum rt::Distribution;
  if constexpr (distribution == triangular) return rt::random_triangular;
  else if constexpr (distribution == noncentral_f) return rt::random_noncentral_f;
  else if constexpr (distribution == hypergeometric) return rt::random_hypergeometric;
  else {
    return [](rt::Session& session, rt::PhiloxState& state, std::span<const rt::Operand> parameters,
              const rt::Dims& shape, rt::Space space) {
      constexpr std::optional<rt::Row> kRow = draw_row_of(distribution);
      return rt::random_draws(session, state, *kRow, parameters, shape, space);
    };
  }
}

template <rt::Distribution distribution>
requires(!is_method(distribution)) Value draw_row(Interpreter& vm, Args args) {
  auto& self = *args[0].as<PhiloxObject>();
  const DistributionRow& row = row_of(distribution);
  const DrawnParameters drawn = read_parameters(vm, row, args, rt::RandomApi::kGenerator);
  const rt::DType usual = row.gives_ints ? rt::DType::kInt64 : rt::DType::kFloat64;
  const rt::DType type = drawn_type(vm, args[drawn.count + 2], usual);
  const rt::Space space = Draw{vm, self}.space();
  const rt::Array made =
      drawing<distribution>()(session(vm), self.state, operands_of(vm, row, drawn, space),
                              drawn.shape.value_or(rt::Dims()), space);
  return wrap_array(vm, rt::astype(session(vm), made, type, rt::Casting::kUnsafe, false));
}

Value exponential(Interpreter& vm, PhiloxObject& self, const Value& scale, const Value& size,
                  const Value& dtype) {
  const Line line = read_line(vm, self.names, Value::real(0.0), scale, size);
  const rt::Array u = Draw{vm, self}.uniform(line.shape, to_dtype(vm, dtype));
  const rt::Array standard = ops::negative(vm, ops::log1p(vm, ops::negative(vm, u)));
  return wrap_array(vm, ops::multiply(vm, line.scale, standard));
}

Value standard_exponential(Interpreter& vm, PhiloxObject& self, const Value& size,
                           const Value& dtype) {
  return exponential(vm, self, Value::real(1.0), size, dtype);
}

Value in_gpy(Interpreter& vm, Args args) {
  const Namespace& names = args[0].as<PhiloxObject>()->names;
  const Value function = find_in_library(vm, names, "device", args.callee().row->name);
  return vm.call(function, {args.begin(), static_cast<uint32_t>(args.size()), {}});
}

Value integers(Interpreter& vm, PhiloxObject& self, const Value& low, const Value& high,
               const Value& size, const Value& dtype, bool endpoint) {
  const bool two = is_given(high);
  const int64_t from = two ? vm.to_index(low) : 0;
  const int64_t to = vm.to_index(two ? high : low) + (endpoint ? 1 : 0);
  if (from >= to) vm.raise_value_error("low >= high");
  const rt::DType type = is_given(dtype) ? to_dtype(vm, dtype) : rt::DType::kInt64;
  return wrap_array(vm, rt::random_integers(session(vm), self.state, from, to,
                                            shape_or_none(vm, size), type, Draw{vm, self}.space()));
}

Value randint(Interpreter& vm, PhiloxObject& self, const Value& low, const Value& high,
              const Value& size, const Value& dtype) {
  return integers(vm, self, low, high, size, dtype, false);
}

Value permutation(Interpreter& vm, PhiloxObject& self, const Value& a) {
  const Draw draw{vm, self};
  if (vm.has_index(a) && !as_ndarray(a)) {
    return wrap_array(vm, draw.permutation(vm.to_index(a)));
  }
  const rt::Array array = to_array(vm, a, self.names);
  if (array.rank() == 0) vm.raise_type_error("An array must be at least one-dimensional");
  return wrap_array(vm, rt::take(session(vm), array, draw.permutation(array.shape()[0]), 0));
}

Value shuffle(Interpreter& vm, PhiloxObject& self, const Value& a) {
  const rt::Array array = to_array(vm, a, self.names);
  if (array.rank() == 0) vm.raise_type_error("An array must be at least one-dimensional");
  const rt::Array order = Draw{vm, self}.permutation(array.shape()[0]);
  rt::write(session(vm), array, rt::take(session(vm), array, order, 0));
  return Value::none();
}

Value choice(Interpreter& vm, PhiloxObject& self, const Value& a, const Value& size,
             const Value& replace, const Value& p) {
  const Draw draw{vm, self};
  if (is_given(p)) {
    const Value function = find_in_library(vm, self.names, "device", "choice");
    const Value arguments[] = {Value(static_cast<Object*>(&self)), a, size, replace, p};
    return vm.call(function, {arguments, 5, {}});
  }
  const bool plain = vm.has_index(a) && !as_ndarray(a);
  rt::Array population;
  if (!plain) population = to_array(vm, a, self.names);
  const int64_t count = plain ? vm.to_index(a) : population.shape()[0];
  if (count < 1) vm.raise_value_error("a must be greater than 0");
  const rt::Dims shape = shape_or_none(vm, size);
  rt::Array at;
  if (vm.truth(replace)) {
    at = rt::random_integers(session(vm), self.state, 0, count, shape, rt::DType::kInt64,
                             draw.space());
  } else {
    const int64_t wanted = rt::element_count(shape);
    if (wanted > count) {
      vm.raise_value_error("Cannot take a larger sample than population when 'replace=False'");
    }
    const int64_t border[] = {wanted};
    at = rt::reshape(session(vm), rt::split(draw.permutation(count), border, 0)[0], shape);
  }
  return wrap_array(vm, plain ? at : rt::take(session(vm), population, at, 0));
}

const Native kMethods[] = {
    {"seed", "(self, seed=None)", typed<seed>, "Starts again from a seed."},
    {"rand", "(self, *size, dtype=None)", typed<rand>, "Floats of [0, 1) in a shape."},
    {"randn", "(self, *size, dtype=None)", typed<randn>, "Normally distributed floats in a shape."},
    {"random", "(self, size=None, dtype=None)", typed<random>, "Floats of [0, 1)."},
    {"random_sample", "(self, size=None, dtype=None)", typed<random>, "Floats of [0, 1)."},
    {"ranf", "(self, size=None, dtype=None)", typed<random>, "As random."},
    {"sample", "(self, size=None, dtype=None)", typed<random>, "As random."},
    {"standard_normal", "(self, size=None, dtype=None)", typed<standard_normal>,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"uniform", "(self, low=0.0, high=1.0, size=None, dtype=None)", typed<uniform>,
     "Floats of [low, high)."},
    {"normal", "(self, loc=0.0, scale=1.0, size=None, dtype=None)", typed<normal>,
     "Normally distributed floats."},
    {"exponential", "(self, scale=1.0, size=None, dtype=None)", typed<exponential>,
     "Exponentially distributed floats."},
    {"standard_exponential", "(self, size=None, dtype=None)", typed<standard_exponential>,
     "Exponentially distributed floats of scale 1."},
    {"multinomial", "(self, n, pvals, size=None)", in_gpy,
     "How often each outcome came in n trials."},
    {"multivariate_normal",
     "(self, mean, cov, size=None, check_valid='ignore', tol=1e-08, method='svd', dtype=None)",
     in_gpy, "Vectors that are normally distributed with a covariance."},
    {"dirichlet", "(self, alpha, size=None, dtype=None)", in_gpy,
     "Vectors of chances, whose sum is 1."},
    {"bytes", "(self, length)", in_gpy, "So many random bytes."},
    {"tomaxint", "(self, size=None)", in_gpy, "Integers of [0, 2 ** 63)."},
    {"random_integers", "(self, low, high=None, size=None)", in_gpy,
     "Integers of [low, high], or of [1, low]."},
    {"randint", "(self, low, high=None, size=None, dtype=None)", typed<randint>,
     "Integers of [low, high), or of [0, low)."},
    {"integers", "(self, low, high=None, size=None, dtype=None, endpoint=False)", typed<integers>,
     "Integers of [low, high), or of [0, low)."},
    {"shuffle", "(self, a)", typed<shuffle>, "Shuffles an array in place."},
    {"permutation", "(self, a)", typed<permutation>,
     "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None)", typed<choice>,
     "Elements chosen at random."},
};

// None for a method of its own.
template <rt::Distribution distribution> constexpr std::optional<NativeBody> body_of() {
  if constexpr (is_method(distribution)) return std::nullopt;
  else return NativeBody(draw_row<distribution>);
}

struct DeviceRow {
  const char* name;
  std::string signature;  // the host's, and dtype=
  std::optional<NativeBody> body;
  const char* help;
};

std::string with_dtype(std::string_view signature) {
  return std::string(signature.substr(0, signature.size() - 1)) + ", dtype=None)";
}

const std::vector<DeviceRow>& device_rows() {
  static const std::vector<DeviceRow> kRows = {
#define DISTRIBUTION(name, Result, signature, help, ...) \
  {#name, with_dtype(signature), body_of<rt::Distribution::name>(), help},
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
      {"standard_gamma", "(self, shape, size=None, dtype=None)",
       draw_row<rt::Distribution::standard_gamma>, "Draws from gamma distributions of scale 1."},
  };
  return kRows;
}

std::span<const Native> drawn_methods() {
  static const std::vector<Native> kMethods = [] {
    std::vector<Native> methods;
    for (const DeviceRow& row : device_rows()) {
      if (row.body) methods.push_back({row.name, row.signature.c_str(), *row.body, row.help});
    }
    return methods;
  }();
  return kMethods;
}

Value seeded(Interpreter& vm, Type* type, const Namespace& names, const Value& seed) {
  auto made = vm.make<PhiloxObject>(type, names, std::make_shared<rt::PhiloxState>());
  set_seed(vm, *made, seed);
  return made;
}

// A bit generator of the library is a stream of its own; undefined for other values.
Value draws_of(Interpreter& vm, const Value& bit_generator) {
  if (bit_generator.is<PhiloxObject>()) return bit_generator;
  const Value draws = vm.try_get_attribute(bit_generator, vm.intern("_draws"));
  return draws.is_defined() && draws.is<PhiloxObject>() ? draws : Value();
}

template <const Namespace& names>
Value construct_generator(Interpreter& vm, Type& cls, const Value& bit_generator) {
  const Value draws = draws_of(vm, bit_generator);
  if (!draws.is_defined()) {
    vm.raise_type_error("a Generator takes a bit generator, such as XORWOW (got {})",
                        vm.type_name(bit_generator));
  }
  return vm.make<PhiloxObject>(&cls, names, draws.as<PhiloxObject>()->shared);
}

template <const Namespace& names>
Value construct_state(Interpreter& vm, Type& cls, const Value& seed, const Value&) {
  return seeded(vm, &cls, names, seed);
}

template <const Namespace& names>
constexpr Native kGeneratorConstructor = {"Generator", "(cls, bit_generator)",
                                          typed<construct_generator<names>>,
                                          "Random numbers from a bit generator."};
template <const Namespace& names>
constexpr Native kStateConstructor = {"RandomState", "(cls, seed=None, method=None)",
                                      typed<construct_state<names>>,
                                      "Random numbers from Philox4x32-10 with a seed."};

Type* make_philox_type(Interpreter& vm, const Namespace& names, const char* name,
                       const Native& constructor) {
  const std::string kept = fmt::format("_{}_of_{}", name, names.name);
  return kept_type(vm, kept.c_str(), [&] {
    Type* type =
        vm.make_type<PhiloxObject>({.name = name,
                                    .module = names.is_cupy() ? "cupy.random" : "gpy.random",
                                    .doc = constructor.doc,
                                    .methods = kMethods,
                                    .constructor = &constructor});
    type->methods.push_back(drawn_methods());
    return type;
  });
}

}  // namespace

Type* philox_type(Interpreter& vm, const Namespace& names) {
  return make_philox_type(
      vm, names, "Generator",
      names.is_cupy() ? kGeneratorConstructor<kCupy> : kGeneratorConstructor<kGp>);
}

Type* philox_state_type(Interpreter& vm, const Namespace& names) {
  return make_philox_type(vm, names, "RandomState",
                          names.is_cupy() ? kStateConstructor<kCupy> : kStateConstructor<kGp>);
}

Value make_philox(Interpreter& vm, const Namespace& names, const Value& seed) {
  if (seed.is<PhiloxObject>()) return seed;
  Type* type = philox_type(vm, names);
  const Value draws = draws_of(vm, seed);
  if (!draws.is_defined()) return seeded(vm, type, names, seed);
  return vm.make<PhiloxObject>(type, names, draws.as<PhiloxObject>()->shared);
}

Value make_philox_state(Interpreter& vm, const Namespace& names) {
  return seeded(vm, philox_state_type(vm, names), names, Value::none());
}

}  // namespace gpy::lib
