#pragma once
// The rules by which numbers of typed code get their types.

#include <span>

#include "runtime/ops/ufunc.h"
#include "runtime/typed/form.h"

namespace gpy {

enum class Dialect : uint8_t {
  // The language's own: numbers of Python are weak beside NumPy's (NEP 50).
  kNumpy,
  // The interpreter's, to the bit: as kNumpy, and bools of Python are no bools of NumPy.
  kLanguage,
  // Numba's: literals are int64 and float64, and arithmetic on ints is done in 64 bits.
  kNumba,
  // cupyx.jit's: a variable keeps the type that it is first given. In the mode "cuda" literals are
  // int32 and float32 and two types meet in the later of C's order of types; in the mode "numpy"
  // they are int64 and float64 and meet as NumPy's do.
  kJitCuda,
  kJitNumpy,
};

inline bool is_jit(Dialect dialect) {
  return dialect == Dialect::kJitCuda || dialect == Dialect::kJitNumpy;
}
// Whether literals have types as NumPy's scalars do.
inline bool has_strong_literals(Dialect dialect) {
  return dialect == Dialect::kNumba || is_jit(dialect);
}

using TypedExpression = rt::typed::Expression;
using TypedType = rt::typed::Type;

// Python's numbers.
inline const TypedType kPythonBool = TypedType::number(rt::DType::kBool, rt::Weak::kInt);
inline const TypedType kPythonInt = TypedType::number(rt::DType::kInt64, rt::Weak::kInt);
inline const TypedType kPythonFloat = TypedType::number(rt::DType::kFloat64, rt::Weak::kFloat);
inline const TypedType kPythonComplex =
    TypedType::number(rt::DType::kComplex128, rt::Weak::kComplex);

// The types of literals, of lengths and of the variables of ranges.
TypedType int_type(Dialect dialect);
TypedType float_type(Dialect dialect);
// A number of Python as the dialect sees it.
rt::Scalar literal_number(Dialect dialect, const rt::Scalar& number);
inline TypedExpression literal(Dialect dialect, const rt::Scalar& number) {
  return TypedExpression::constant(literal_number(dialect, number));
}

// The type of a variable, or of a choice, that is either; nullopt where there is none.
std::optional<TypedType> try_join(Dialect dialect, const TypedType& a, const TypedType& b);

// A new list or dictionary without items.
TypedExpression new_container(const TypedType& type);

// The expression as another type of numbers, or of tuples of them.
TypedExpression cast_to(TypedExpression value, const TypedType& type);
TypedExpression truth_of(TypedExpression value);

// A row of the table on numbers. Operators compute in the dialect's width; functions in the row's
// own. Throws rt::Error, as the row does on arrays, where it takes no such types.
enum class RowUse : uint8_t { kOperator, kFunction };
TypedExpression apply_row(Dialect dialect, const rt::Ufunc& ufunc,
                          std::vector<TypedExpression> args, RowUse use);

// Casts ints to the type that operators of the dialect, whose literals are strong, compute them in.
void widen_operands(Dialect dialect, std::vector<TypedExpression>& args);

// A call of a function of the support text.
TypedExpression support_call(std::string symbol, TypedType type, std::vector<TypedExpression> args);

}  // namespace gpy
