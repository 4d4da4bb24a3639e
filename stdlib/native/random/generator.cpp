// numpy.random.default_rng and Generator: NumPy's own bits.
#include "runtime/random/generator.h"

#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/memory/pieces.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/library.h"
#include "stdlib/native/random/bit_engine.h"
#include "stdlib/native/random/distributions.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/random/several.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct GeneratorObject : Object {
  static constexpr ObjectLayout kLayout = kGeneratorLayout;
  GeneratorObject(Type* type, std::shared_ptr<rt::BitGenerator> bits)
      : Object(type), shared(std::move(bits)), bits(*shared) {}
  std::shared_ptr<rt::BitGenerator> shared;
  rt::BitGenerator& bits;
  Value bit_generator;  // undefined before it is asked for
  Value seed;           // that default_rng had, for the bit generator
  template <class F> void each_field(F&& f) { f(bit_generator), f(seed); }
};

// default_rng's is made once somebody wants it.
const Value& bit_generator_of(Interpreter& vm, GeneratorObject& self) {
  if (self.bit_generator.is_undefined()) {
    const Value cls = find_in_library(vm, kNumpy, "random", "PCG64");
    self.bit_generator = vm.call(cls, {self.seed});
    vm.set_attribute(self.bit_generator, vm.intern("_engine"), make_bit_engine(vm, self.shared));
  }
  return self.bit_generator;
}

Value get_bit_generator(Interpreter& vm, const Value& self) {
  return bit_generator_of(vm, *self.as<GeneratorObject>());
}

std::string generator_str(Interpreter& vm, const Value& self) {
  auto& generator = *self.as<GeneratorObject>();
  if (generator.bit_generator.is_undefined()) return "Generator(PCG64)";
  return fmt::format("Generator({})", vm.type_of(generator.bit_generator)->name);
}

std::string generator_repr(Interpreter& vm, const Value& self) {
  return fmt::format("{} at 0x{:X}", generator_str(vm, self),
                     reinterpret_cast<uintptr_t>(self.as_object()));
}

bool is_single(Interpreter& vm, const Value& dtype, const char* method) {
  const rt::DType type = to_dtype(vm, dtype);
  if (type == rt::DType::kFloat32) return true;
  if (type == rt::DType::kFloat64) return false;
  vm.raise_type_error("Unsupported dtype dtype('{}') for {}", rt::name(type), method);
}

// Whether draws can be written one after another; those with parameters of their own are by rows.
bool is_filled_in_order(const rt::Array& out, bool by_rows) {
  const bool is_dense =
      rt::is_c_contiguous(out.layout()) || (!by_rows && rt::is_f_contiguous(out.layout()));
  return is_dense && out.writeable();
}

// The size to draw: `out`'s own where there is one, which must be of the dtype and contiguous.
std::optional<rt::Dims> size_for(Interpreter& vm, const Value& size, const Value& out,
                                 rt::DType dtype, bool by_rows) {
  const std::optional<rt::Dims> wanted = to_size(vm, size);
  if (!is_given(out)) return wanted;
  const Ndarray* target = as_ndarray(out);
  if (!target || !is_filled_in_order(target->array, by_rows)) {
    vm.raise_value_error(
        "Supplied output array must be {}contiguous, writable, aligned, and in machine byte-order.",
        by_rows ? "C-" : "");
  }
  if (target->array.dtype() != dtype) {
    vm.raise_type_error("Supplied output array has the wrong type. Expected {}, got {}",
                        rt::name(dtype), rt::name(target->array.dtype()));
  }
  if (wanted && !(*wanted == target->array.shape())) {
    vm.raise_value_error("size must match out.shape when used together");
  }
  return target->array.shape();
}

Value into(Interpreter& vm, const Value& out, Value drawn) {
  if (!is_given(out)) return drawn;
  const rt::Array& target = as_ndarray(out)->array;
  rt::Array source = to_array(vm, drawn, kNumpy);
  if (!rt::is_c_contiguous(target.layout())) {  // as they lie in memory, column after column
    source = rt::transpose(rt::reshape(session(vm), source, rt::transpose(target).shape()));
  }
  rt::write(session(vm), target, source);
  return out;
}

// Draws of float32 or float64, as `dtype` says.
template <class Draw>
Value draw_into(Interpreter& vm, const char* method, const Value& size, const Value& dtype,
                const Value& out, Draw draw) {
  if (is_single(vm, dtype, method)) {
    const auto shape = size_for(vm, size, out, rt::DType::kFloat32, false);
    return into(vm, out, draw_floats(vm, shape, [&](std::span<float> to) { draw(to); }));
  }
  const auto shape = size_for(vm, size, out, rt::DType::kFloat64, false);
  return into(vm, out, draw_doubles(vm, shape, [&](std::span<double> to) { draw(to); }));
}

Value random(Interpreter& vm, GeneratorObject& self, const Value& size, const Value& dtype,
             const Value& out) {
  return draw_into(vm, "random", size, dtype, out, [&](auto to) { self.bits.random(to); });
}

Value standard_normal(Interpreter& vm, GeneratorObject& self, const Value& size, const Value& dtype,
                      const Value& out) {
  return draw_into(vm, "standard_normal", size, dtype, out,
                   [&](auto to) { self.bits.standard_normal(to); });
}

Value standard_exponential(Interpreter& vm, GeneratorObject& self, const Value& size,
                           const Value& dtype, const Value& method, const Value& out) {
  const bool ziggurat = method.is<Str>() && method.as<Str>()->view() == "zig";
  return draw_into(vm, "standard_exponential", size, dtype, out, [&](auto to) {
    if (ziggurat) return self.bits.standard_exponential(to);
    self.bits.standard_exponential_inverse(to);
  });
}

// Gammas of scale 1 with a shape for each, or one for all.
Value drawn_gammas(Interpreter& vm, rt::BitGenerator& bits, const rt::Array& shapes,
                   const std::optional<rt::Dims>& size, rt::DType dtype) {
  const bool each = shapes.rank() > 0;
  rt::Array used = each ? rt::broadcast_to(shapes, *size) : shapes;
  used =
      rt::copy(session(vm), rt::astype(session(vm), used, dtype, rt::Casting::kUnsafe, false), 'C');
  const rt::HostRead read(session(vm), used);
  if (dtype == rt::DType::kFloat32) {
    return draw_floats(vm, size, [&](std::span<float> to) {
      bits.standard_gamma({reinterpret_cast<const float*>(read.data()), each ? to.size() : 1}, to);
    });
  }
  return draw_doubles(vm, size, [&](std::span<double> to) {
    const rt::Parameters parameters{{read.data()}, !each};
    bits.draw(rt::Distribution::standard_gamma, parameters, to.data(), std::ssize(to));
  });
}

Value standard_gamma(Interpreter& vm, GeneratorObject& self, const Value& shape, const Value& size,
                     const Value& dtype, const Value& out) {
  const bool single = is_single(vm, dtype, "standard_gamma");
  const rt::DType type = single ? rt::DType::kFloat32 : rt::DType::kFloat64;
  const rt::Array shapes = real_array(vm, shape);
  check_constraint(vm, shape, shapes, "shape", Constraint::kNonNegative);
  std::optional<rt::Dims> wanted = size_for(vm, size, out, type, true);
  if (shapes.rank() > 0) wanted = broadcast_size(vm, {shapes}, wanted);
  return into(vm, out, drawn_gammas(vm, self.bits, shapes, wanted, type));
}

template <rt::Distribution distribution> Value draw_row(Interpreter& vm, Args args) {
  rt::BitGenerator& bits = args[0].as<GeneratorObject>()->bits;
  const DistributionRow& row = row_of(distribution);
  const DrawnParameters drawn = read_parameters(vm, row, args, rt::RandomApi::kGenerator);
  return draw_with(vm, row, drawn, [&](const rt::Parameters& parameters, void* out, int64_t count) {
    bits.draw(distribution, parameters, out, count);
  });
}

Value integers(Interpreter& vm, GeneratorObject& self, const Value& low, const Value& high,
               const Value& size, const Value& dtype, const Value& endpoint) {
  const rt::DType type = is_given(dtype) ? to_dtype(vm, dtype) : rt::DType::kInt64;
  const IntegerRequest request =
      read_integers(vm, low, high, size, type, vm.truth(endpoint), "integers");
  const rt::Array made =
      rt::empty(session(vm), request.size.value_or(rt::Dims()), type, rt::Space::host());
  {
    rt::WriteAccess access(session(vm), made, rt::kHostPlace);
    const rt::InterruptScope scope(&vm.interrupt_flag());
    self.bits.integers(type, request.ranges, rt::Bounding::kLemire, access.data(), made.size());
  }
  return request.size ? wrap_array(vm, made) : one_integer(vm, made, dtype);
}

Value shuffle(Interpreter& vm, GeneratorObject& self, const Value& x, int64_t axis) {
  const auto draw = [&](int64_t n, const Swap& swap) { self.bits.shuffle(n, swap); };
  shuffle_in_place(vm, x, draw, axis);
  return Value::none();
}

Value permutation(Interpreter& vm, GeneratorObject& self, const Value& x, int64_t axis) {
  const auto draw = [&](int64_t n) { return self.bits.permutation(n); };
  return permuted(vm, x, draw, axis);
}

Value choice(Interpreter& vm, GeneratorObject& self, const Value& a, const Value& size,
             const Value& replace, const Value& p, const Value& axis, const Value& shuffle) {
  ChoiceCall call = read_choice(vm, a, size, replace, p);
  call.axis = vm.to_index(axis);
  rt::ChoiceRequest request{population_size(vm, call, false), call.count(), call.replace,
                            call.weights, call.has_weights};
  request.shuffle = vm.truth(shuffle);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const int64_t longest = request.replace ? request.count : request.population;
  const auto draw = [&] { return self.bits.choice(request, rt::RandomApi::kGenerator); };
  return chosen(vm, call, drawn_indices(vm, longest, draw));
}

Value make_generator(Interpreter& vm, Type& cls, const Value& bit_generator) {
  std::shared_ptr<rt::BitGenerator> bits = engine_of(vm, bit_generator);
  if (!bits) {
    vm.raise_attribute_error(bit_generator, vm.intern("capsule"));
  }
  auto made = vm.make<GeneratorObject>(&cls, std::move(bits));
  made->bit_generator = bit_generator;
  return made;
}

Value spawn(Interpreter& vm, GeneratorObject& self, const Value& count) {
  std::vector<Value> children;
  InterruptPoll poll(vm);
  vm.for_each(vm.call_method(bit_generator_of(vm, self), "spawn", {count}), [&](const Value& each) {
    poll.step();
    children.push_back(make_generator(vm, *self.type, each));
  });
  return vm.list(std::move(children));
}

Value random_bytes(Interpreter& vm, GeneratorObject& self, int64_t length) {
  return drawn_bytes(vm, self.bits, length);
}

Value in_gpy(Interpreter& vm, Args args) { return call_in_gpy(vm, args, ""); }

Value multinomials(Interpreter& vm, GeneratorObject& self, const rt::Array& counts,
                   const rt::Array& chances) {
  return drawn_multinomials(vm, counts, chances,
                            [&](rt::Distribution row, const rt::Parameters& parameters) {
                              int64_t drawn;
                              self.bits.draw(row, parameters, &drawn, 1);
                              return drawn;
                            });
}

Value color_counts(Interpreter& vm, GeneratorObject& self, const rt::Array& colors, int64_t sample,
                   int64_t rows, bool by_count) {
  return drawn_colors(vm, self.bits, colors, sample, rows, by_count);
}

Value orders(Interpreter& vm, GeneratorObject& self, int64_t rows, int64_t n) {
  return drawn_orders(vm, self.bits, rows, n);
}

const Native kMethods[] = {
    {"random", "(self, size=None, dtype=None, out=None)", typed<random>, "Floats of [0, 1)."},
    {"integers", "(self, low, high=None, size=None, dtype=None, endpoint=False)", typed<integers>,
     "Integers of [low, high), or of [0, low)."},
    {"standard_normal", "(self, size=None, dtype=None, out=None)", typed<standard_normal>,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"standard_exponential", "(self, size=None, dtype=None, method='zig', out=None)",
     typed<standard_exponential>, "Exponentially distributed floats of scale 1."},
    {"standard_gamma", "(self, shape, size=None, dtype=None, out=None)", typed<standard_gamma>,
     "Draws from gamma distributions of scale 1."},
    {"bytes", "(self, length)", typed<random_bytes>, "So many random bytes."},
    {"shuffle", "(self, x, axis=0)", typed<shuffle>, "Shuffles a list or an array in place."},
    {"permutation", "(self, x, axis=0)", typed<permutation>,
     "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None, axis=0, shuffle=True)", typed<choice>,
     "Elements chosen at random."},
    {"permuted", "(self, x, *, axis=None, out=None)", in_gpy,
     "A copy whose lanes along an axis, or all of whose elements, are shuffled each by itself."},
    {"multinomial", "(self, n, pvals, size=None)", in_gpy,
     "How often each outcome came in n trials."},
    {"multivariate_normal",
     "(self, mean, cov, size=None, check_valid='warn', tol=1e-08, method='svd')", in_gpy,
     "Vectors that are normally distributed with a covariance."},
    {"multivariate_hypergeometric", "(self, colors, nsample, size=None, method='marginals')",
     in_gpy, "How many items of each color are drawn."},
    {"dirichlet", "(self, alpha, size=None)", in_gpy, "Vectors of chances, whose sum is 1."},
    {"_multinomials", "(self, counts, chances, /)", typed<multinomials>, ""},
    {"_color_counts", "(self, colors, sample, rows, by_count, /)", typed<color_counts>, ""},
    {"_orders", "(self, rows, n, /)", typed<orders>, ""},
    {"spawn", "(self, n_children)", typed<spawn>, "Generators that are independent of this one."},
};

const Native kRows[] = {
#define DISTRIBUTION(name, Result, signature, help, ...) \
  {#name, signature, draw_row<rt::Distribution::name>, help},
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
};

const NativeGetter kGetters[] = {
    {"bit_generator", get_bit_generator, nullptr, "Where its bits come from."},
};

const Native kConstructor = {"Generator", "(cls, bit_generator)", typed<make_generator>,
                             "Random numbers from a bit generator."};

}  // namespace

Type* generator_type(Interpreter& vm) {
  return kept_type(vm, "_Generator", [&] {
    Type* type = vm.make_type<GeneratorObject>(
        {.name = "Generator",
         .module = "numpy.random",
         .doc = "Random numbers from a bit generator; default_rng makes one with PCG64.",
         .slots = {.repr = generator_repr,
                   .str = generator_str,
                   .traverse = traverse_fields<GeneratorObject>},
         .methods = kMethods,
         .getters = kGetters,
         .constructor = &kConstructor});
    type->methods.push_back(kRows);
    return type;
  });
}

Value make_default_rng(Interpreter& vm, const Value& seed) {
  Type* type = generator_type(vm);
  if (seed.is<GeneratorObject>()) return seed;
  if (engine_of(vm, seed)) return make_generator(vm, *type, seed);
  if (const Value state = state_bit_generator(vm, seed); state.is_defined()) {
    return make_generator(vm, *type, state);
  }
  const bool plain = seed.is_none() || vm.has_index(seed) || seed.is<List>() || seed.is<Tuple>() ||
                     as_ndarray(seed);
  if (!plain) {
    return make_generator(vm, *type,
                          vm.call(find_in_library(vm, kNumpy, "random", "PCG64"), {seed}));
  }
  const rt::SeedSequence words = to_seed_sequence(vm, seed);
  auto made =
      vm.make<GeneratorObject>(type, std::make_shared<rt::DefaultGenerator>(rt::Pcg64(words)));
  made->seed = is_given(seed) ? seed : entropy_number(vm, words);
  return made;
}

}  // namespace gpy::lib
