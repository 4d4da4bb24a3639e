#pragma once
// The operators of the language on arrays and NumPy's scalars.

#include "runtime/ops/at_once.h"
#include "runtime/ops/ufunc.h"
#include "src/array/convert.h"

namespace gpy {

inline bool is_text(const Value& value) { return value.is<Str>() || value.is<Bytes>(); }

const rt::Ufunc& ufunc_of(BinaryOp op);  // not matmul and divmod
std::string_view ufunc_name(BinaryOp op);
const rt::Ufunc& ufunc_of(CompareOp op);
const rt::Ufunc& ufunc_of(UnaryOp op);

// An int of more than 64 bits beside numbers or arrays, `other`: beside floats, and in a
// division, the float nearest to it (OverflowError where there is none); compared with ints it is
// beyond them all. nullopt for other values, and where no array holds it.
enum class Use { kArithmetic, kDivision, kComparison };
Use use_of(BinaryOp op);
std::optional<rt::Scalar> huge_number(Interpreter& vm, const Value& value, const Value& other,
                                      Use use);

// Reads an operand that is computed and needs no conversion; the term refers to the value's array.
bool read_term(const Value& value, rt::Term& term);

// Slots of the array types.
Value array_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);
Value array_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);
Value array_unary(Interpreter& vm, UnaryOp op, const Value& self);
Value array_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other);

// Slots of the scalar types: with an array on the other side as above, else without one.
Value scalar_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);
Value scalar_unary(Interpreter& vm, UnaryOp op, const Value& self);
Value scalar_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other);

// The prefix of a ufunc's name in warnings of operators on numbers, which also report wrapped ints.
inline constexpr std::string_view kScalarPrefix = "scalar ";

// A ufunc on numbers alone, at once and with no array made. `prefix` is put before its name in
// warnings.
rt::Scalar apply_to_numbers(Arrays& state, const rt::Ufunc& ufunc,
                            std::span<const rt::Operand> inputs, std::optional<rt::DType> dtype,
                            std::string_view prefix = "");

// Applies a ufunc to a scalar of NumPy as the operators of numbers do.
Value apply_to_scalar(Interpreter& vm, const rt::Ufunc& ufunc, const Value& self);

// Like apply_to_numbers, but faster; nullopt where the numbers are not plain enough for it.
std::optional<rt::Scalar> try_apply_to_terms(Arrays& state, const rt::Ufunc& ufunc,
                                             std::span<const rt::Term> numbers,
                                             std::string_view prefix = "");

}  // namespace gpy
