#pragma once

// The type rules that rows of ufuncs.def name: which loops a ufunc has, in the order NumPy searches
// them. A rule is a list of type characters, every input having that type, and the result's type.
// Loops of types that are not NumPy's own are searched first, and only where an input has such a
// type.

#include <array>
#include <cstddef>

#include "runtime/core/dtype.h"

namespace gpy::rt {

enum class Result : uint8_t {
  kSame,
  kReal,     // of a complex type its parts' type
  kInexact,  // float64 for integers and bool
  kBool,
  kInt32,
  kInt64,
  kUInt8,
  kUInt64,
  kFloat32,
  kFloat64,
};

struct TypeRule {
  std::string_view types;
  Result result = Result::kSame;
  bool refuses_bool = false;     // bools alone have no loop, though they would cast to one
  bool mixed_compare = false;    // int64 with uint64 exactly, no detour through float64
  bool narrow_natively = false;  // narrow floats are not float32's result rounded
  Result first = Result::kSame;  // the type of the first of several inputs
  Result second = Result::kSame;
  Result last = Result::kSame;
};

namespace type_rule {
inline constexpr TypeRule any = {"?bBhHiIlLefdFDE"};
inline constexpr TypeRule number = {"bBhHiIlLefdFDE"};
inline constexpr TypeRule number_not_bool = {"bBhHiIlLefdFDE", Result::kSame, true};
inline constexpr TypeRule real_number = {"bBhHiIlLefdE"};
inline constexpr TypeRule real_or_bool = {"?bBhHiIlLefdE"};
inline constexpr TypeRule true_division = {"?bBhHiIlLefdFDE", Result::kInexact};
inline constexpr TypeRule inexact = {"efdFDE"};
inline constexpr TypeRule floating = {"efdE"};
inline constexpr TypeRule floating_step = {.types = "efdE", .narrow_natively = true};
inline constexpr TypeRule floating_to_exponent = {"efdE", Result::kInt32};
inline constexpr TypeRule floating_and_exponent = {.types = "efdE", .last = Result::kInt64};
inline constexpr TypeRule floating_no_half = {"fd"};
inline constexpr TypeRule widest = {"dD"};
inline constexpr TypeRule bits = {"?bBhHiIlL"};
inline constexpr TypeRule bytes = {.types = "?bBhHiIlLefdFDE", .narrow_natively = true};
inline constexpr TypeRule integer = {"bBhHiIlL"};
inline constexpr TypeRule integer_not_bool = {"bBhHiIlL", Result::kSame, true};
inline constexpr TypeRule integer_count = {"bBhHiIlL", Result::kUInt8};
inline constexpr TypeRule magnitude = {"?bBhHiIlLefdFDE", Result::kReal};
inline constexpr TypeRule inexact_to_real = {"efdFDE", Result::kReal};
inline constexpr TypeRule complex_to_real = {"FD", Result::kReal};
inline constexpr TypeRule test = {"?bBhHiIlLefdFDE", Result::kBool};
inline constexpr TypeRule floating_test = {"efdE", Result::kBool};
inline constexpr TypeRule compare = {"?bBhHiIlLefdFDE", Result::kBool, false, true};
inline constexpr TypeRule choose = {.types = "?bBhHiIlLefdFDE", .first = Result::kBool};
inline constexpr TypeRule count = {"?bBhHiIlLefdFDE", Result::kInt64};
inline constexpr TypeRule random_bits = {"L", Result::kUInt64};
inline constexpr TypeRule bits_to_double = {"L", Result::kFloat64};
inline constexpr TypeRule bits_to_float = {"L", Result::kFloat32};
inline constexpr TypeRule draw_float = {.types = "d", .first = Result::kUInt64};
inline constexpr TypeRule draw_int = {
    .types = "d", .result = Result::kInt64, .first = Result::kUInt64};
inline constexpr TypeRule draw_of_ints = {.types = "l", .first = Result::kUInt64};
inline constexpr TypeRule draw_of_trials = {
    .types = "d", .result = Result::kInt64, .first = Result::kUInt64, .second = Result::kInt64};
}  // namespace type_rule

struct Signature {
  std::array<DType, 3> in = {};
  DType out = {};
};

constexpr DType dtype_from_character(char code) {
  size_t index = 0;
  while (kTypes[index].character != code) ++index;
  return dtype_at(index);
}

constexpr DType result_of(Result result, DType type) {
  switch (result) {
    case Result::kSame: return type;
    case Result::kReal:
      return type == DType::kComplex64    ? DType::kFloat32
             : type == DType::kComplex128 ? DType::kFloat64
                                          : type;
    case Result::kInexact: return is_inexact(type) ? type : DType::kFloat64;
    case Result::kBool: return DType::kBool;
    case Result::kInt32: return DType::kInt32;
    case Result::kInt64: return DType::kInt64;
    case Result::kUInt8: return DType::kUInt8;
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
  const DType type = dtype_from_character(rule.types[index]);
  for (int i = 0; i < arity; ++i) result.in[i] = type;
  if (arity > 1) result.in[0] = result_of(rule.first, type);
  if (arity > 2) result.in[1] = result_of(rule.second, type);
  if (arity > 1) result.in[arity - 1] = result_of(rule.last, type);
  result.out = result_of(rule.result, type);
  return result;
}

}  // namespace gpy::rt
