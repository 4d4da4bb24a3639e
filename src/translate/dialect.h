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
};

using TypedExpression = rt::typed::Expression;
using TypedType = rt::typed::Type;

// The types of literals, of lengths and of the variables of ranges.
TypedType int_type(Dialect dialect);
TypedType float_type(Dialect dialect);
// A number of Python as the dialect sees it.
TypedExpression literal(Dialect dialect, const rt::Scalar& number);

// The type of a variable, or of a choice, that is either; nullopt where there is none.
std::optional<TypedType> try_join(Dialect dialect, const TypedType& a, const TypedType& b);

// The expression as another type of numbers, or of tuples of them.
TypedExpression cast_to(TypedExpression value, const TypedType& type);
TypedExpression truth_of(TypedExpression value);

// A row of the table on numbers. Operators compute in the dialect's width; functions in the row's
// own. Throws rt::Error, as the row does on arrays, where it takes no such types.
enum class RowUse : uint8_t { kOperator, kFunction };
TypedExpression apply_row(Dialect dialect, const rt::Ufunc& ufunc,
                          std::vector<TypedExpression> args, RowUse use);

// A call of a function of the support text.
TypedExpression support_call(std::string symbol, TypedType type, std::vector<TypedExpression> args);

}  // namespace gpy
