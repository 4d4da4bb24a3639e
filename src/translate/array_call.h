#pragma once
// One call of a function of numpy, or of a method of an array, in a compiled function.

#include <optional>
#include <string_view>
#include <vector>

#include "src/translate/function_translator.h"

namespace gpy {

// One call, with its arguments by the places of the row's parameters.
struct ArrayCall {
  FunctionTranslator& in;
  std::string_view name;
  syntax::Span place;
  std::optional<TypedExpression> object;  // of a method: the first argument
  std::vector<const syntax::Expr*> given;
  std::vector<const syntax::Expr*> rest;  // behind the parameters: of a method that takes any count

  bool has(size_t i) const {
    const auto* constant = syntax::try_as<syntax::Constant>(given[i]);
    return given[i] && !(constant && constant->constant_kind == syntax::ConstantKind::None);
  }
  TypedExpression operand(size_t i) {
    if (i == 0 && object) return std::move(*object);
    return in.expression(*given[i]);
  }
  TypedExpression array(size_t i);
  TypedExpression value_of(const syntax::Expr& node) { return in.expression(node); }
  TypedExpression number(size_t i) { return in.number(*given[i]); }
  TypedExpression index(size_t i, int64_t otherwise);
  rt::DType dtype(size_t i, rt::DType otherwise) {
    return has(i) ? named_dtype(*given[i]) : otherwise;
  }
  rt::DType named_dtype(const syntax::Expr& node);
  std::optional<int> axis(size_t i, int rank);
  int64_t literal_int(size_t i);
  std::vector<TypedExpression> extents(const syntax::Expr& node);
  TypedExpression row(rt::Row which, std::vector<TypedExpression> args) {
    return in.row(rt::ufunc(which), std::move(args), RowUse::kFunction, place);
  }
  TypedExpression choice(std::vector<TypedExpression> of) {
    return in.choice(truth_of(std::move(of[0])), std::move(of[1]), std::move(of[2]), place);
  }
  TypedExpression matrix_product(TypedExpression left, TypedExpression right) {
    return in.matrix_product(std::move(left), std::move(right), place);
  }
  TypedExpression view_call(std::string symbol, TypedType type,
                            std::vector<TypedExpression> args) const {
    return in.view_call(std::move(symbol), std::move(type), std::move(args));
  }
  // Of a tuple that is written out, or of one.
  std::vector<TypedExpression> items(size_t i);
  std::vector<TypedExpression> split(TypedExpression tuple);
  TypedExpression shape(TypedExpression array) {
    return in.shape(in.kept(std::move(array), place));
  }
  TypedExpression tuple_of(std::vector<TypedExpression> values) {
    return in.tuple_of(std::move(values));
  }
  TypedExpression whole(int64_t number) const {
    return literal(in.dialect_, rt::Scalar::weak(number));
  }
  TypedExpression list_of(std::vector<TypedExpression> values) {
    return in.list_of(std::move(values), place);
  }
  // A function of the library (library_calls.cpp) with these arguments.
  TypedExpression library(std::string_view function, std::vector<TypedExpression> args);
  Dialect dialect() const { return in.dialect_; }
  [[noreturn]] void wait_for_items() const { throw FunctionTranslator::UnknownItem{place}; }
};

// What the functions make of a call; array_calls.cpp has them by name.
namespace array_functions {

TypedExpression zeros(ArrayCall& call);
TypedExpression empty(ArrayCall& call);
TypedExpression ones(ArrayCall& call);
TypedExpression full(ArrayCall& call);
TypedExpression zeros_like(ArrayCall& call);
TypedExpression empty_like(ArrayCall& call);
TypedExpression ones_like(ArrayCall& call);
TypedExpression full_like(ArrayCall& call);
TypedExpression arange(ArrayCall& call);
TypedExpression linspace(ArrayCall& call);
TypedExpression eye(ArrayCall& call);
TypedExpression identity(ArrayCall& call);
TypedExpression array(ArrayCall& call);
TypedExpression copy(ArrayCall& call);
TypedExpression astype(ArrayCall& call);
TypedExpression viewed(ArrayCall& call);
TypedExpression reshape(ArrayCall& call);
TypedExpression ravel(ArrayCall& call);
TypedExpression flatten(ArrayCall& call);
TypedExpression transpose(ArrayCall& call);
TypedExpression sum(ArrayCall& call);
TypedExpression product(ArrayCall& call);
TypedExpression mean(ArrayCall& call);
TypedExpression least(ArrayCall& call);
TypedExpression greatest(ArrayCall& call);
TypedExpression argmin(ArrayCall& call);
TypedExpression argmax(ArrayCall& call);
TypedExpression any(ArrayCall& call);
TypedExpression all(ArrayCall& call);
TypedExpression variance(ArrayCall& call);
TypedExpression deviation(ArrayCall& call);
TypedExpression cumsum(ArrayCall& call);
TypedExpression cumprod(ArrayCall& call);
TypedExpression dot(ArrayCall& call);
TypedExpression sorted(ArrayCall& call);
TypedExpression sort_in_place(ArrayCall& call);
TypedExpression argsort(ArrayCall& call);
TypedExpression fill(ArrayCall& call);
TypedExpression item(ArrayCall& call);
TypedExpression where(ArrayCall& call);
TypedExpression clip(ArrayCall& call);
TypedExpression concatenate(ArrayCall& call);
TypedExpression stack(ArrayCall& call);
TypedExpression vstack(ArrayCall& call);
TypedExpression hstack(ArrayCall& call);
TypedExpression dstack(ArrayCall& call);
TypedExpression column_stack(ArrayCall& call);
TypedExpression swapaxes(ArrayCall& call);
TypedExpression broadcast_to(ArrayCall& call);
TypedExpression shape_of(ArrayCall& call);
TypedExpression size_of(ArrayCall& call);
TypedExpression ndim_of(ArrayCall& call);

}  // namespace array_functions

}  // namespace gpy
