#include "stdlib/native/numpy/type_info.h"

#include <cmath>

#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"

namespace gpy::lib {

namespace {

struct Info : Object {
  static constexpr ObjectLayout kLayout = kInfoLayout;
  Info(Type* type, rt::DType dtype) : Object(type), dtype(dtype) {}
  rt::DType dtype;
};

rt::DType of(const Value& self) { return self.as<Info>()->dtype; }

struct FloatFormat {
  int bits, fraction, exponent, precision;
};
FloatFormat format_of(rt::DType dtype) {
  if (dtype == rt::DType::kFloat16) return {16, 10, 5, 3};
  if (dtype == rt::DType::kBFloat16) return {16, 7, 8, 2};
  return dtype == rt::DType::kFloat32 ? FloatFormat{32, 23, 8, 6} : FloatFormat{64, 52, 11, 15};
}

int max_exponent(const FloatFormat& format) { return 1 << (format.exponent - 1); }

double largest(const FloatFormat& format) {
  return std::ldexp(2 - std::ldexp(1.0, -format.fraction), max_exponent(format) - 1);
}

Value number(Interpreter& vm, const Value& self, double value) {
  return wrap_scalar(vm, rt::Scalar::of(of(self), value));
}

std::string text(Interpreter& vm, const Value& self, const char* name) {
  return vm.to_str(vm.get_attribute(self, name));
}

Value int_limit(Interpreter& vm, rt::DType dtype, bool high) {
  const int bits = static_cast<int>(rt::item_size(dtype)) * 8;
  const bool is_unsigned = rt::kind(dtype) == rt::DTypeKind::kUnsigned;
  const uint64_t top = ~uint64_t{0} >> (is_unsigned ? 64 - bits : 65 - bits);
  if (high) return vm.unsigned_integer(top);
  return Value::integer(is_unsigned ? 0 : -static_cast<int64_t>(top) - 1);
}

Value dtype_getter(Interpreter& vm, const Value& self) { return wrap_dtype(vm, of(self)); }
Value bits(Interpreter&, const Value& self) { return Value::integer(rt::item_size(of(self)) * 8); }

std::string info_repr(Interpreter& vm, const Value& self) {
  const bool floating = rt::is_float(of(self));
  const std::string resolution =
      floating ? fmt::format("resolution={}, ", text(vm, self, "resolution")) : "";
  auto limit = [&](const char* name) {
    // float16's limits are shown with an exponent, as the table has them.
    if (of(self) != rt::DType::kFloat16) return text(vm, self, name);
    return fmt::format("{:.5e}", vm.to_real(vm.get_attribute(self, name)));
  };
  return fmt::format("{}({}min={}, max={}, dtype={})", vm.type_of(self)->name, resolution,
                     limit("min"), limit("max"), rt::name(of(self)));
}

// NumPy's table, with the names of attributes for their values.
constexpr std::string_view kFloatTable =
    "precision = {precision}   resolution = {resolution}\n"
    "machep = {machep}   eps =        {eps}\n"
    "negep =  {negep}   epsneg =     {epsneg}\n"
    "minexp = {minexp}   tiny =       {tiny}\n"
    "maxexp = {maxexp}   max =        {max}\n"
    "nexp =   {nexp}   min =        -max\n"
    "smallest_normal = {smallest_normal}   smallest_subnormal = {smallest_subnormal}\n";
constexpr std::string_view kIntTable =
    "min = {min}\n"
    "max = {max}\n";

std::string filled(Interpreter& vm, const Value& self, std::string_view table) {
  std::string result;
  for (size_t open; (open = table.find('{')) != std::string_view::npos;) {
    const size_t close = table.find('}', open);
    const std::string name(table.substr(open + 1, close - open - 1));
    result += table.substr(0, open);
    result += text(vm, self, name.c_str());
    table.remove_prefix(close + 1);
  }
  return result + std::string(table);
}

std::string info_str(Interpreter& vm, const Value& self) {
  const std::string line(63, '-');
  return fmt::format("Machine parameters for {}\n{}\n{}{}\n", rt::name(of(self)), line,
                     filled(vm, self, rt::is_float(of(self)) ? kFloatTable : kIntTable), line);
}

#define GPY_FLOAT(name, expression)                       \
  {                                                       \
    name,                                                 \
        [](Interpreter& vm, const Value& self) {          \
          const FloatFormat format = format_of(of(self)); \
          return number(vm, self, expression);            \
        },                                                \
        nullptr, ""                                       \
  }
#define GPY_INT(name, expression)                         \
  {                                                       \
    name,                                                 \
        [](Interpreter&, const Value& self) {             \
          const FloatFormat format = format_of(of(self)); \
          return Value::integer(expression);              \
        },                                                \
        nullptr, ""                                       \
  }

const NativeGetter kFloatGetters[] = {
    {"dtype", dtype_getter, nullptr, "The type."},
    {"bits", bits, nullptr, "Bits of one number."},
    GPY_FLOAT("eps", std::ldexp(1.0, -format.fraction)),
    GPY_FLOAT("epsneg", std::ldexp(1.0, -format.fraction - 1)),
    GPY_FLOAT("max", largest(format)),
    GPY_FLOAT("min", -largest(format)),
    GPY_FLOAT("tiny", std::ldexp(1.0, 2 - max_exponent(format))),
    GPY_FLOAT("smallest_normal", std::ldexp(1.0, 2 - max_exponent(format))),
    GPY_FLOAT("smallest_subnormal", std::ldexp(1.0, 2 - max_exponent(format) - format.fraction)),
    GPY_FLOAT("resolution", std::pow(10.0, -format.precision)),
    GPY_INT("precision", format.precision),
    GPY_INT("nmant", format.fraction),
    GPY_INT("nexp", format.exponent),
    GPY_INT("iexp", format.exponent),
    GPY_INT("machep", -format.fraction),
    GPY_INT("negep", -format.fraction - 1),
    GPY_INT("maxexp", max_exponent(format)),
    GPY_INT("minexp", 2 - max_exponent(format)),
};
#undef GPY_FLOAT
#undef GPY_INT

const NativeGetter kIntGetters[] = {
    {"dtype", dtype_getter, nullptr, "The type."},
    {"bits", bits, nullptr, "Bits of one number."},
    {"max", [](Interpreter& vm, const Value& self) { return int_limit(vm, of(self), true); },
     nullptr, "The greatest number."},
    {"min", [](Interpreter& vm, const Value& self) { return int_limit(vm, of(self), false); },
     nullptr, "The least number."},
    {"kind",
     [](Interpreter& vm, const Value& self) {
       return vm.str(rt::kind(of(self)) == rt::DTypeKind::kUnsigned ? "u" : "i");
     },
     nullptr, "i or u."},
};

rt::DType dtype_argument(Interpreter& vm, const Value& value) {
  if (auto dtype = dtype_of_value(vm, value)) return *dtype;
  return to_dtype(vm, value);
}

Value make_float_info(Interpreter& vm, const Value& cls, const Value& value) {
  const rt::DType dtype = rt::real_type(dtype_argument(vm, value)).native();
  if (!rt::is_float(dtype)) {
    vm.raise_value_error("data type {} not inexact",
                         vm.repr(vm.get_attribute(wrap_dtype(vm, dtype), "type")));
  }
  return vm.make<Info>(cls.as<Type>(), dtype);
}

Value make_int_info(Interpreter& vm, const Value& cls, const Value& value) {
  const rt::DType dtype = dtype_argument(vm, value);
  if (!rt::is_integer(dtype)) {
    vm.raise_value_error("Invalid integer data type '{}'.",
                         "biufc"[static_cast<int>(rt::kind(dtype))]);
  }
  return vm.make<Info>(cls.as<Type>(), dtype);
}

const Native kMakeFloat = {"finfo", "(cls, dtype)", typed<make_float_info>,
                           "What floats of a type can be."};
const Native kMakeInt = {"iinfo", "(cls, type)", typed<make_int_info>,
                         "What integers of a type can be."};

}  // namespace

Type* info_type(Interpreter& vm, bool floating) {
  return kept_type(vm, floating ? "_finfo" : "_iinfo", [&] {
    return vm.make_type<Info>({.name = floating ? "finfo" : "iinfo",
                               .module = "numpy",
                               .doc = "The limits of a number type.",
                               .slots = {.repr = info_repr, .str = info_str},
                               .getters = floating ? std::span<const NativeGetter>(kFloatGetters)
                                                   : std::span<const NativeGetter>(kIntGetters),
                               .constructor = floating ? &kMakeFloat : &kMakeInt});
  });
}

}  // namespace gpy::lib
