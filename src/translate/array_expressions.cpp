// Operators and ufuncs on arrays, and assignments to many elements at once.
#include <algorithm>

#include "runtime/core/error.h"
#include "src/array/operators.h"
#include "src/lower/operators.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

using Kind = TypedExpression::Kind;

bool any_array(const std::vector<TypedExpression>& values) {
  return std::ranges::any_of(values, [](const auto& each) { return each.type.is_array(); });
}

// Loops that compile themselves hand back to the interpreter what they do not do as it does.
void FunctionTranslator::check_dialect(syntax::Span place) {
  if (dialect_ == Dialect::kLanguage)
    fail_translation(place, "a loop that compiles itself does not hold this");
}

void FunctionTranslator::check_arrays(syntax::Span place) {
  check_dialect(place);
  if (program_.target == Target::kFunction) return;
  fail_translation(place,
                   "a kernel works on elements: index the arrays, or write a function of "
                   "numba.njit");
}

// Kernels on a grid make no arrays, and see those that there are otherwise.
void FunctionTranslator::check_views(syntax::Span place) {
  if (program_.target != Target::kGrid) check_arrays(place);
}

TypedExpression FunctionTranslator::array_row(const rt::Ufunc& ufunc,
                                              std::vector<TypedExpression> args,
                                              syntax::Span place) {
  check_arrays(place);
  for (const TypedExpression& each : args) {
    if (each.type.is_tuple() || each.type.is_none())
      fail_translation(place, "'{}' of {}", ufunc.name, rt::typed::type_text(each.type));
  }
  return elementwise(std::move(args), [&](std::vector<TypedExpression> places) {
    try {
      return apply_row(dialect_, ufunc, std::move(places), RowUse::kFunction);
    } catch (const rt::Error& error) {
      fail_translation(place, "{}", error.message());
    }
  });
}

TypedExpression FunctionTranslator::array_binary(syntax::BinaryOperator op, TypedExpression left,
                                                 TypedExpression right, syntax::Span place) {
  if (op == syntax::BinaryOperator::MatMult)
    return matrix_product(std::move(left), std::move(right), place);
  return array_row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)}, place);
}

// np.dot, `@`: of vectors a number.
TypedExpression FunctionTranslator::matrix_product(TypedExpression left, TypedExpression right,
                                                   syntax::Span place) {
  check_arrays(place);
  if (!left.type.is_array() || !right.type.is_array() || left.type.rank > 2 || right.type.rank > 2)
    fail_translation(place, "a product of matrices takes arrays of one or two axes, not {} and {}",
                     rt::typed::type_text(left.type), rt::typed::type_text(right.type));
  const TypedExpression sum =
      apply_row(dialect_, rt::ufunc(rt::Row::multiply),
                {TypedExpression::variable(0, TypedType::number(left.type.dtype)),
                 TypedExpression::variable(0, TypedType::number(right.type.dtype))},
                RowUse::kFunction);
  const rt::DType dtype = sum.type.dtype;
  const int rank = left.type.rank + right.type.rank - 2;
  const bool is_number = rank == 0;
  return failing_call(
      fmt::format("{}<{}>", is_number ? "vector_product" : "matrix_product", number_symbol(dtype)),
      is_number ? TypedType::number(dtype) : made_array(dtype, rank),
      {std::move(left), std::move(right)});
}

// Whether elements were picked by a mask or by places, which makes a new array of them.
static bool is_picked(const TypedExpression& value) {
  return value.symbol == "take_masked" || value.symbol.starts_with("take_at<");
}

// --- assignments ---------------------------------------------------------------------------------

void FunctionTranslator::store_elements(TypedExpression to, TypedExpression value,
                                        syntax::Span place) {
  const bool fills = program_.target == Target::kGrid && value.type.is_number();
  if (!fills) check_arrays(place);
  if (to.type.constant || (is_picked(to) && to.args[0].type.constant))
    fail_translation(place, "assignment destination is read-only");
  if (!value.type.is_array() && !value.type.is_number())
    fail_translation(place, "elements cannot be {}", rt::typed::type_text(value.type));
  if (rt::is_complex(value.type.dtype) && !rt::is_complex(to.type.dtype))
    fail_translation(place, "a complex number does not become a real one: take its .real");
  if (value.type.rank > to.type.rank) {
    fail_translation(place, "cannot assign {} to {}", rt::typed::type_text(value.type),
                     rt::typed::type_text(to.type));
  }
  effects_ = true;
  if (fills) return fill_elements(kept(std::move(to), place), kept(std::move(value), place), place);
  if (is_picked(to)) return store_picked(std::move(to), std::move(value), place);
  TypedStatement& out = emit(TypedStatement::Kind::kEvaluate, place);
  out.values = {assign_elements(std::move(to), std::move(value))};
}

// A thread gives all places of a view one number.
void FunctionTranslator::fill_elements(const TypedExpression& to, const TypedExpression& value,
                                       syntax::Span place) {
  if (to.type.is_number()) return store(to, value, place);
  TypedStatement loop = counted_loop(extent(to, 0), place);
  const TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  run_block_loop(std::move(loop), [&] {
    TypedExpression item = item_at(to, at, place);
    if (item.type.is_array()) item = kept(std::move(item), place);
    fill_elements(item, value, place);
  });
}

void FunctionTranslator::store_picked(TypedExpression to, TypedExpression value,
                                      syntax::Span place) {
  const bool is_mask = to.symbol == "take_masked", is_number = value.type.is_number();
  if (is_mask && !is_number && to.args[0].type.rank > 1)
    fail_translation(place,
                     "elements under a mask of several axes are assigned a number: write a loop");
  std::string symbol = is_number ? "store_masked" : "store_at<0, true>";
  if (!is_mask) symbol = "store" + to.symbol.substr(std::string_view("take").size());
  if (is_number) value = cast_to(std::move(value), TypedType::number(to.type.dtype));
  TypedExpression call =
      failing_call(std::move(symbol), TypedType(),
                   {std::move(to.args[0]), std::move(to.args[1]), std::move(value)});
  call.effects = true;
  emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(call)};
}

// `a += b` in the memory of a.
void FunctionTranslator::augment_elements(syntax::BinaryOperator op, TypedExpression to,
                                          TypedExpression value, syntax::Span place) {
  if (is_picked(to)) {
    for (TypedExpression& each : to.args) each = kept(std::move(each), place);
  } else {
    to = kept(std::move(to), place);
  }
  TypedExpression result = array_binary(op, to, std::move(value), place);
  if (!rt::can_cast(result.type.dtype, to.type.dtype, rt::Casting::kSameKind)) {
    fail_translation(place, "{} cannot be kept in {}", rt::typed::type_text(result.type),
                     rt::typed::type_text(to.type));
  }
  store_elements(std::move(to), std::move(result), place);
}

}  // namespace gpy
