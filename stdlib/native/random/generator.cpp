// numpy.random.default_rng and Generator: NumPy's own bits.
#include "runtime/random/generator.h"

#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct GeneratorObject : Object {
  static constexpr ObjectLayout kLayout = kGeneratorLayout;
  GeneratorObject(Type* type, const rt::SeedSequence& seed)
      : Object(type), seed(seed), generator(rt::Pcg64(seed)) {}
  rt::SeedSequence seed;
  rt::DefaultGenerator generator;
};

std::string generator_repr(Interpreter&, const Value& self) {
  return fmt::format("Generator(PCG64) at 0x{:X}", reinterpret_cast<uintptr_t>(self.as_object()));
}

bool is_single(Interpreter& vm, const Value& dtype, const char* method) {
  const rt::DType type = to_dtype(vm, dtype);
  if (type == rt::DType::kFloat32) return true;
  if (type == rt::DType::kFloat64) return false;
  vm.raise_type_error("Unsupported dtype dtype('{}') for {}", rt::name(type), method);
}

// The size to draw: `out`'s own where there is one, which must be of the dtype and contiguous.
std::optional<rt::Dims> size_for(Interpreter& vm, const Value& size, const Value& out,
                                 rt::DType dtype) {
  const std::optional<rt::Dims> wanted = to_size(vm, size);
  if (!is_given(out)) return wanted;
  const Ndarray* target = as_ndarray(out);
  if (!target || !rt::is_c_contiguous(target->array.layout()) || !target->array.writeable()) {
    vm.raise_value_error(
        "Supplied output array must be contiguous, writable, aligned, and in machine byte-order.");
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
  rt::write(session(vm), as_ndarray(out)->array, to_operand(vm, drawn, kNumpy));
  return out;
}

// Draws of float32 or float64, as `dtype` says.
template <class Draw>
Value draw_into(Interpreter& vm, const char* method, const Value& size, const Value& dtype,
                const Value& out, Draw draw) {
  if (is_single(vm, dtype, method)) {
    const auto shape = size_for(vm, size, out, rt::DType::kFloat32);
    return into(vm, out, draw_floats(vm, shape, [&](std::span<float> to) { draw(to); }));
  }
  const auto shape = size_for(vm, size, out, rt::DType::kFloat64);
  return into(vm, out, draw_doubles(vm, shape, [&](std::span<double> to) { draw(to); }));
}

Value random(Interpreter& vm, GeneratorObject& self, const Value& size, const Value& dtype,
             const Value& out) {
  return draw_into(vm, "random", size, dtype, out, [&](auto to) { self.generator.random(to); });
}

Value standard_normal(Interpreter& vm, GeneratorObject& self, const Value& size, const Value& dtype,
                      const Value& out) {
  return draw_into(vm, "standard_normal", size, dtype, out,
                   [&](auto to) { self.generator.standard_normal(to); });
}

Value standard_exponential(Interpreter& vm, GeneratorObject& self, const Value& size,
                           const Value& dtype, const Value& method, const Value& out) {
  const bool ziggurat = method.is<Str>() && method.as<Str>()->view() == "zig";
  return draw_into(vm, "standard_exponential", size, dtype, out, [&](auto to) {
    if (ziggurat) return self.generator.standard_exponential(to);
    self.generator.standard_exponential_inverse(to);
  });
}

rt::Array doubles(Interpreter& vm, const rt::Dims& shape,
                  const std::function<void(std::span<double>)>& draw) {
  return as_ndarray(draw_doubles(vm, shape, draw))->array;
}

Value uniform(Interpreter& vm, GeneratorObject& self, const Value& low, const Value& high,
              const Value& wanted) {
  rt::DefaultGenerator& generator = self.generator;
  const Parameter2 bounds = to_parameters(vm, low, high);
  const auto size = to_size(vm, wanted);
  if (bounds.numbers()) {
    return draw_doubles(
        vm, size, [&](std::span<double> out) { generator.uniform(bounds.a(), bounds.b(), out); });
  }
  const rt::Dims shape = drawn_shape(vm, bounds, size);
  const Parameter2 line{bounds.first, ops::subtract(vm, bounds.second, bounds.first)};
  return scaled(vm, line,
                doubles(vm, shape, [&](std::span<double> out) { generator.random(out); }));
}

Value normal(Interpreter& vm, GeneratorObject& self, const Value& loc, const Value& scale,
             const Value& wanted) {
  rt::DefaultGenerator& generator = self.generator;
  const Parameter2 line = to_parameters(vm, loc, scale);
  const auto size = to_size(vm, wanted);
  if (line.numbers()) {
    if (line.b() < 0) vm.raise_value_error("scale < 0");
    return draw_doubles(vm, size,
                        [&](std::span<double> out) { generator.normal(line.a(), line.b(), out); });
  }
  const rt::Dims shape = drawn_shape(vm, line, size);
  return scaled(vm, line,
                doubles(vm, shape, [&](std::span<double> out) { generator.standard_normal(out); }));
}

Value exponential(Interpreter& vm, GeneratorObject& self, double scale, const Value& size) {
  if (scale < 0) vm.raise_value_error("scale < 0");
  return draw_doubles(vm, to_size(vm, size),
                      [&](std::span<double> out) { self.generator.exponential(scale, out); });
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
    self.generator.integers(type, request.ranges, access.data(), made.size());
  }
  return request.size ? wrap_array(vm, made) : wrap_result(vm, made);
}

Value shuffle(Interpreter& vm, GeneratorObject& self, const Value& x, int64_t axis) {
  const auto draw = [&](int64_t n, const Swap& swap) { self.generator.shuffle(n, swap); };
  shuffle_in_place(vm, x, draw, axis);
  return Value::none();
}

Value permutation(Interpreter& vm, GeneratorObject& self, const Value& x, int64_t axis) {
  const auto draw = [&](int64_t n) { return self.generator.permutation(n); };
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
  const auto draw = [&] { return self.generator.choice(request); };
  return chosen(vm, call, drawn_indices(vm, longest, draw));
}

Value spawn(Interpreter& vm, GeneratorObject& self, int64_t count) {
  std::vector<Value> children;
  if (count > 0) vm.claim(static_cast<size_t>(count), sizeof(GeneratorObject) + sizeof(Value));
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < count; ++i) {
    poll.step();
    children.push_back(vm.make<GeneratorObject>(self.type, self.seed.spawn()));
  }
  return vm.list(std::move(children));
}

const Native kMethods[] = {
    {"random", "(self, size=None, dtype=None, out=None)", typed<random>, "Floats of [0, 1)."},
    {"integers", "(self, low, high=None, size=None, dtype=None, endpoint=False)", typed<integers>,
     "Integers of [low, high), or of [0, low)."},
    {"uniform", "(self, low=0.0, high=1.0, size=None)", typed<uniform>, "Floats of [low, high)."},
    {"normal", "(self, loc=0.0, scale=1.0, size=None)", typed<normal>,
     "Normally distributed floats."},
    {"standard_normal", "(self, size=None, dtype=None, out=None)", typed<standard_normal>,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"exponential", "(self, scale=1.0, size=None)", typed<exponential>,
     "Exponentially distributed floats."},
    {"standard_exponential", "(self, size=None, dtype=None, method='zig', out=None)",
     typed<standard_exponential>, "Exponentially distributed floats of scale 1."},
    {"shuffle", "(self, x, axis=0)", typed<shuffle>, "Shuffles a list or an array in place."},
    {"permutation", "(self, x, axis=0)", typed<permutation>,
     "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None, axis=0, shuffle=True)", typed<choice>,
     "Elements chosen at random."},
    {"spawn", "(self, n_children)", typed<spawn>, "Generators that are independent of this one."},
};

}  // namespace

Type* generator_type(Interpreter& vm) {
  return kept_type(vm, "_Generator", [&] {
    return vm.make_type<GeneratorObject>({.name = "Generator",
                                          .module = "numpy.random",
                                          .doc = "Random numbers from PCG64; made by default_rng.",
                                          .slots = {.repr = generator_repr},
                                          .methods = kMethods});
  });
}

Value make_default_rng(Interpreter& vm, const Value& seed) {
  Type* type = generator_type(vm);
  if (seed.is<GeneratorObject>()) return seed;
  return vm.make<GeneratorObject>(type, to_seed_sequence(vm, seed));
}

}  // namespace gpy::lib
