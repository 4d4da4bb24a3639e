#pragma once

// The type rules that rows of ufuncs.def name: which loops a ufunc has, in the order NumPy searches
// them. A rule is a list of NumPy type characters, every input having that type, and what comes
// out.

#include <array>
#include <cstddef>

#include "runtime/core/dtype.h"

namespace gpy::rt {

enum class Result : uint8_t {
  kSame,
  kReal,     // of a complex type its parts' type
  kInexact,  // float64 for integers and bool
  kBool,
  kInt64,
  kUInt64,
  kFloat32,
  kFloat64,
};

struct TypeRule {
  std::string_view types;
  Result result = Result::kSame;
  bool refuses_bool = false;     // bools alone have no loop, though they would cast to one
  bool mixed_compare = false;    // int64 with uint64 exactly, no detour through float64
  bool condition_first = false;  // the first input is bool
  bool half_natively = false;    // float16 is not float32's result rounded
};

namespace type_rule {
inline constexpr TypeRule any = {"?bBhHiIlLefdFD"};
inline constexpr TypeRule number = {"bBhHiIlLefdFD"};
inline constexpr TypeRule number_not_bool = {"bBhHiIlLefdFD", Result::kSame, true};
inline constexpr TypeRule real_number = {"bBhHiIlLefd"};
inline constexpr TypeRule real_or_bool = {"?bBhHiIlLefd"};
inline constexpr TypeRule true_division = {"?bBhHiIlLefdFD", Result::kInexact};
inline constexpr TypeRule inexact = {"efdFD"};
inline constexpr TypeRule floating = {"efd"};
inline constexpr TypeRule floating_step = {"efd", Result::kSame, false, false, false, true};
inline constexpr TypeRule floating_no_half = {"fd"};
inline constexpr TypeRule widest = {"dD"};
inline constexpr TypeRule bits = {"?bBhHiIlL"};
inline constexpr TypeRule integer = {"bBhHiIlL"};
inline constexpr TypeRule integer_not_bool = {"bBhHiIlL", Result::kSame, true};
inline constexpr TypeRule magnitude = {"?bBhHiIlLefdFD", Result::kReal};
inline constexpr TypeRule inexact_to_real = {"efdFD", Result::kReal};
inline constexpr TypeRule complex_to_real = {"FD", Result::kReal};
inline constexpr TypeRule test = {"?bBhHiIlLefdFD", Result::kBool};
inline constexpr TypeRule floating_test = {"efd", Result::kBool};
inline constexpr TypeRule compare = {"?bBhHiIlLefdFD", Result::kBool, false, true};
inline constexpr TypeRule choose = {"?bBhHiIlLefdFD", Result::kSame, false, false, true};
inline constexpr TypeRule count = {"?bBhHiIlLefdFD", Result::kInt64};
inline constexpr TypeRule random_bits = {"L", Result::kUInt64};
inline constexpr TypeRule bits_to_double = {"L", Result::kFloat64};
inline constexpr TypeRule bits_to_float = {"L", Result::kFloat32};
}  // namespace type_rule

struct Signature {
  std::array<DType, 3> in = {};
  DType out = {};
};

constexpr DType dtype_from_code(char code) {
  constexpr std::string_view codes = "?bBhHiIlLefdFD";
  return static_cast<DType>(codes.find(code));
}

constexpr DType result_of(Result result, DType type) {
  switch (result) {
    case Result::kSame: return type;
    case Result::kReal:
      return type == DType::kComplex64    ? DType::kFloat32
             : type == DType::kComplex128 ? DType::kFloat64
                                          : type;
    case Result::kInexact: return type < DType::kFloat16 ? DType::kFloat64 : type;
    case Result::kBool: return DType::kBool;
    case Result::kInt64: return DType::kInt64;
    case Result::kUInt64: return DType::kUInt64;
    case Result::kFloat32: return DType::kFloat32;
    case Result::kFloat64: return DType::kFloat64;
  }
  return type;
}

constexpr size_t loop_count(const TypeRule& rule) {
  return rule.types.size() + (rule.mixed_compare ? 2 : 0);
}

// The signature of loop `index`. Mixed comparisons stand where NumPy has them: after the integers.
constexpr Signature signature(const TypeRule& rule, int arity, size_t index) {
  Signature result;
  const size_t mixed = 9;
  if (rule.mixed_compare && (index == mixed || index == mixed + 1)) {
    const bool swapped = index == mixed + 1;
    result.in = {swapped ? DType::kUInt64 : DType::kInt64,
                 swapped ? DType::kInt64 : DType::kUInt64};
    return result;
  }
  if (rule.mixed_compare && index > mixed) index -= 2;
  const DType type = dtype_from_code(rule.types[index]);
  for (int i = 0; i < arity; ++i) result.in[i] = type;
  if (rule.condition_first) result.in[0] = DType::kBool;
  result.out = result_of(rule.result, type);
  return result;
}

}  // namespace gpy::rt
