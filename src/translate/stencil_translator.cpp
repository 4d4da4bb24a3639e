#include "src/translate/stencil_translator.h"

#include <algorithm>

#include "src/translate/array_form.h"

namespace gpy {

using Kind = TypedExpression::Kind;

void StencilTranslator::add_argument(const TypedParameter& parameter) {
  const bool standard = std::ranges::find(facts_.standard, parameter.name) != facts_.standard.end();
  arguments_.push_back({parameter.type.is_array() && !standard});
  add_parameter(parameter);
}

void StencilTranslator::add_indices() {
  for (size_t axis = 0; axis < offsets_.size(); ++axis) {
    variables_.add(fmt::format(".index{}", axis), int_type(dialect_));
    ++parameters_;
  }
}

bool StencilTranslator::is_relative(const TypedExpression& array) const {
  return array.kind == Kind::kVariable && array.index < static_cast<int>(arguments_.size()) &&
         arguments_[static_cast<size_t>(array.index)].is_relative;
}

TypedExpression StencilTranslator::index_variable(int axis) const {
  return TypedExpression::variable(static_cast<int>(arguments_.size()) + axis, int_type(dialect_));
}

TypedExpression StencilTranslator::element(TypedExpression array, const syntax::Expr& index,
                                           syntax::Span place) {
  if (is_relative(array)) {
    arguments_[static_cast<size_t>(array.index)].is_read = true;
    const auto* tuple = syntax::try_as<syntax::Tuple>(&index);
    if ((tuple ? tuple->elts.size() : 1) != offsets_.size())
      fail_translation(place, "Stencil index does not match array dimensionality.");
  }
  return FunctionTranslator::element(std::move(array), index, place);
}

bool StencilTranslator::note_offset(int axis, const TypedExpression& offset, syntax::Span place) {
  const bool is_constant = offset.kind == Kind::kNumber;
  if (!is_constant && !facts_.neighborhood)
    fail_translation(place, "stencil kernel index is not constant, 'neighborhood' option required");
  if (!is_constant) return false;
  const int64_t by = offset.number.as_int();
  auto& [least, greatest] = offsets_[static_cast<size_t>(axis)];
  least = std::min(least, by);
  greatest = std::max(greatest, by);
  if (!facts_.neighborhood) return true;
  const auto [low, high] = (*facts_.neighborhood)[static_cast<size_t>(axis)];
  return std::min<int64_t>(low, 0) <= by && by <= std::max<int64_t>(high, 0);
}

TypedExpression StencilTranslator::position(const TypedExpression& array, int axis,
                                            TypedExpression index, syntax::Span place) {
  const bool is_offset =
      is_relative(array) && index.type.is_number() && rt::is_integer(index.type.dtype);
  if (!is_offset) return FunctionTranslator::position(array, axis, std::move(index), place);
  index = cast_to(std::move(index), int_type(dialect_));
  const bool is_inside = note_offset(axis, index, place);
  const bool is_here = index.kind == Kind::kNumber && index.number.as_int() == 0;
  if (is_here) return index_variable(axis);
  TypedExpression at = apply_row(dialect_, rt::ufunc(rt::Row::add),
                                 {index_variable(axis), std::move(index)}, RowUse::kOperator);
  if (is_inside) return at;
  return support_call("from_end", int_type(dialect_), {std::move(at), extent(array, axis)});
}

TypedExpression StencilTranslator::slice_bound(const TypedExpression& array, int axis,
                                               const syntax::Expr* node, int64_t otherwise) {
  TypedExpression out = FunctionTranslator::slice_bound(array, axis, node, otherwise);
  if (!node || !is_relative(array)) return out;
  if (!facts_.neighborhood)
    fail_translation(node->span,
                     "stencil kernel index is not constant, 'neighborhood' option required");
  return apply_row(dialect_, rt::ufunc(rt::Row::add), {index_variable(axis), std::move(out)},
                   RowUse::kOperator);
}

void StencilTranslator::store(TypedExpression at, TypedExpression value, syntax::Span place) {
  const bool is_argument = !at.args.empty() && at.args[0].kind == Kind::kVariable &&
                           at.args[0].index < static_cast<int>(arguments_.size());
  if (is_argument)
    fail_translation(place, "Assignments to arrays passed to stencil kernels is not allowed.");
  FunctionTranslator::store(std::move(at), std::move(value), place);
}

std::vector<std::pair<int64_t, int64_t>> StencilTranslator::neighborhood() const {
  return facts_.neighborhood.value_or(offsets_);
}

std::vector<int> StencilTranslator::relative() const {
  std::vector<int> out;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].is_relative && arguments_[i].is_read) out.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace gpy
