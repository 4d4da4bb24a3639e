// cupy.random and gp.random: Philox by index, the same bits on every device.
#include <random>

#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/random.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/random/open.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

namespace {

struct PhiloxObject : Object {
  static constexpr Layout kLayout = kPhiloxLayout;
  PhiloxObject(Type* type, const Namespace& names) : Object(type), names(names) {}
  const Namespace& names;
  rt::PhiloxState state;
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

Draw draw_of(Interpreter& vm, const Args& args) { return {vm, *args[0].as<PhiloxObject>()}; }

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

Value seed(Interpreter& vm, Args args) {
  set_seed(vm, *args[0].as<PhiloxObject>(), args[1]);
  return Value::none();
}

Value rand(Interpreter& vm, Args args) {
  const rt::Dims shape = size_of_rest(vm, args[1]).value_or(rt::Dims());
  return wrap_array(vm, draw_of(vm, args).uniform(shape, to_dtype(vm, args[2])));
}

Value randn(Interpreter& vm, Args args) {
  const rt::Dims shape = size_of_rest(vm, args[1]).value_or(rt::Dims());
  return wrap_array(vm, draw_of(vm, args).normal(shape, to_dtype(vm, args[2])));
}

Value random(Interpreter& vm, Args args) {
  return wrap_array(vm,
                    draw_of(vm, args).uniform(shape_or_none(vm, args[1]), to_dtype(vm, args[2])));
}

Value standard_normal(Interpreter& vm, Args args) {
  return wrap_array(vm,
                    draw_of(vm, args).normal(shape_or_none(vm, args[1]), to_dtype(vm, args[2])));
}

struct Line {
  rt::Operand offset, scale;
  rt::Dims shape;
};

Line read_line(Interpreter& vm, const Args& args) {
  const Namespace& names = args[0].as<PhiloxObject>()->names;
  Line line{to_operand(vm, args[1], names), to_operand(vm, args[2], names), {}};
  const auto size = to_size(vm, args[3]);
  const bool arrays = line.offset.is_array() || line.scale.is_array();
  if (size || arrays) line.shape = drawn_shape(vm, {line.offset, line.scale}, size);
  return line;
}

// (self, low, high, size, dtype)
Value uniform(Interpreter& vm, Args args) {
  const Line line = read_line(vm, args);
  const rt::Array standard = draw_of(vm, args).uniform(line.shape, to_dtype(vm, args[4]));
  if (line.offset.is_array() || line.scale.is_array()) {
    return scaled(vm, {line.offset, ops::subtract(vm, line.scale, line.offset)}, standard);
  }
  const double low = line.offset.scalar().as_double(), high = line.scale.scalar().as_double();
  return scaled(vm, {rt::Scalar::weak(low), rt::Scalar::weak(high - low)}, standard);
}

// (self, loc, scale, size, dtype)
Value normal(Interpreter& vm, Args args) {
  const Line line = read_line(vm, args);
  return scaled(vm, {line.offset, line.scale},
                draw_of(vm, args).normal(line.shape, to_dtype(vm, args[4])));
}

// (self, scale, size, dtype)
Value exponential(Interpreter& vm, Args args) {
  const Draw draw = draw_of(vm, args);
  const rt::Array u = draw.uniform(shape_or_none(vm, args[2]), to_dtype(vm, args[3]));
  const rt::Array standard = ops::negative(vm, ops::log1p(vm, ops::negative(vm, u)));
  return wrap_array(vm, ops::multiply(vm, to_operand(vm, args[1], draw.self.names), standard));
}

Value draw_integers(Interpreter& vm, const Args& args, const Value& dtype, bool endpoint) {
  const bool two = is_given(args[2]);
  const int64_t low = two ? vm.to_index(args[1]) : 0;
  const int64_t high = vm.to_index(two ? args[2] : args[1]) + (endpoint ? 1 : 0);
  if (low >= high) vm.raise_value_error("low >= high");
  const Draw draw = draw_of(vm, args);
  const rt::DType type = is_given(dtype) ? to_dtype(vm, dtype) : rt::DType::kInt64;
  return wrap_array(vm, rt::random_integers(session(vm), draw.self.state, low, high,
                                            shape_or_none(vm, args[3]), type, draw.space()));
}

Value randint(Interpreter& vm, Args args) { return draw_integers(vm, args, args[4], false); }
Value integers(Interpreter& vm, Args args) {
  return draw_integers(vm, args, args[4], vm.truth(args[5]));
}

Value permutation(Interpreter& vm, Args args) {
  const Draw draw = draw_of(vm, args);
  if (vm.has_index(args[1]) && !as_ndarray(args[1])) {
    return wrap_array(vm, draw.permutation(vm.to_index(args[1])));
  }
  const rt::Array array = to_array(vm, args[1], draw.self.names);
  if (array.rank() == 0) vm.raise_type_error("An array must be at least one-dimensional");
  return wrap_array(vm, rt::take(session(vm), array, draw.permutation(array.shape()[0]), 0));
}

Value shuffle(Interpreter& vm, Args args) {
  const Draw draw = draw_of(vm, args);
  const rt::Array array = to_array(vm, args[1], draw.self.names);
  if (array.rank() == 0) vm.raise_type_error("An array must be at least one-dimensional");
  rt::write(session(vm), array,
            rt::take(session(vm), array, draw.permutation(array.shape()[0]), 0));
  return Value::none();
}

// (self, a, size, replace, p)
Value choice(Interpreter& vm, Args args) {
  const Draw draw = draw_of(vm, args);
  if (is_given(args[4])) vm.raise_not_implemented_error("choice: p= is not supported on devices");
  const bool plain = vm.has_index(args[1]) && !as_ndarray(args[1]);
  rt::Array population;
  if (!plain) population = to_array(vm, args[1], draw.self.names);
  const int64_t count = plain ? vm.to_index(args[1]) : population.shape()[0];
  if (count < 1) vm.raise_value_error("a must be greater than 0");
  const rt::Dims shape = shape_or_none(vm, args[2]);
  rt::Array at;
  if (vm.truth(args[3])) {
    at = rt::random_integers(session(vm), draw.self.state, 0, count, shape, rt::DType::kInt64,
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
    {"seed", "(self, seed=None)", seed, "Starts again from a seed."},
    {"rand", "(self, *size, dtype=None)", rand, "Floats of [0, 1) in a shape."},
    {"randn", "(self, *size, dtype=None)", randn, "Normally distributed floats in a shape."},
    {"random", "(self, size=None, dtype=None)", random, "Floats of [0, 1)."},
    {"random_sample", "(self, size=None, dtype=None)", random, "Floats of [0, 1)."},
    {"ranf", "(self, size=None, dtype=None)", random, "As random."},
    {"sample", "(self, size=None, dtype=None)", random, "As random."},
    {"standard_normal", "(self, size=None, dtype=None)", standard_normal,
     "Normally distributed floats of mean 0 and deviation 1."},
    {"uniform", "(self, low=0.0, high=1.0, size=None, dtype=None)", uniform,
     "Floats of [low, high)."},
    {"normal", "(self, loc=0.0, scale=1.0, size=None, dtype=None)", normal,
     "Normally distributed floats."},
    {"exponential", "(self, scale=1.0, size=None, dtype=None)", exponential,
     "Exponentially distributed floats."},
    {"randint", "(self, low, high=None, size=None, dtype=None)", randint,
     "Integers of [low, high), or of [0, low)."},
    {"integers", "(self, low, high=None, size=None, dtype=None, endpoint=False)", integers,
     "Integers of [low, high), or of [0, low)."},
    {"shuffle", "(self, a)", shuffle, "Shuffles an array in place."},
    {"permutation", "(self, a)", permutation, "A shuffled copy, or shuffled numbers below an int."},
    {"choice", "(self, a, size=None, replace=True, p=None)", choice, "Elements chosen at random."},
};

}  // namespace

Type* philox_type(Interpreter& vm) {
  return kept_type(vm, "_Philox", [&] {
    return vm.make_type<PhiloxObject>({.name = "Generator",
                                       .module = "gpy.random",
                                       .doc = "Random numbers from Philox4x32-10.",
                                       .methods = kMethods});
  });
}

Value make_philox(Interpreter& vm, const Namespace& names, const Value& seed) {
  auto made = vm.make<PhiloxObject>(philox_type(vm), names);
  set_seed(vm, *made, seed);
  return made;
}

}  // namespace gpy::lib
