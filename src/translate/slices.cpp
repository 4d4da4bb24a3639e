// Arrays seen through slices, and elements by masks and by arrays of places.
#include <algorithm>

#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/slicing.h"

namespace gpy {

using Kind = TypedExpression::Kind;

namespace {

bool is_ellipsis(const syntax::Expr& node) {
  const auto* constant = syntax::try_as<syntax::Constant>(&node);
  return constant && constant->constant_kind == syntax::ConstantKind::Ellipsis;
}

std::vector<const syntax::Expr*> parts_of(const syntax::Expr& index) {
  if (const auto* tuple = syntax::try_as<syntax::Tuple>(&index))
    return {tuple->elts.begin(), tuple->elts.end()};
  return {&index};
}

}  // namespace

// None, by its name or as np.newaxis.
bool FunctionTranslator::is_new_axis(const syntax::Expr& node) {
  const auto* constant = syntax::try_as<syntax::Constant>(&node);
  if (constant) return constant->constant_kind == syntax::ConstantKind::None;
  const bool is_name =
      node.kind == syntax::ExprKind::Name || node.kind == syntax::ExprKind::Attribute;
  return is_name && static_value(node).is_none();
}

bool FunctionTranslator::is_slicing(const syntax::Expr& index) {
  return std::ranges::any_of(parts_of(index), [&](const syntax::Expr* each) {
    return each->kind == syntax::ExprKind::Slice || is_ellipsis(*each) || is_new_axis(*each);
  });
}

static const syntax::Expr* given_bound(const syntax::Expr* node) {
  const auto* constant = syntax::try_as<syntax::Constant>(node);
  return constant && constant->constant_kind == syntax::ConstantKind::None ? nullptr : node;
}

TypedExpression FunctionTranslator::slice_bound(const TypedExpression&, int,
                                                const syntax::Expr* node, int64_t otherwise) {
  if (!node) return TypedExpression::constant(rt::Scalar::weak(otherwise));
  TypedExpression out = number(*node);
  if (!rt::is_integer(out.type.dtype))
    fail_translation(node->span, "a slice is cut by ints, and this is {}",
                     rt::typed::type_text(out.type));
  return cast_to(std::move(out), int_type(dialect_));
}

void FunctionTranslator::add_slice(Slicing& slicing, const TypedExpression& array,
                                   const syntax::Slice& node) {
  const syntax::Expr *lower = given_bound(node.lower), *upper = given_bound(node.upper),
                     *step = given_bound(node.step);
  if (!lower && !upper && !step) return slicing.whole();
  slicing.kinds.push_back(kSlice | (lower ? kHasFirst : 0) | (upper ? kHasEnd : 0));
  slicing.numbers.push_back(slice_bound(array, slicing.taken, lower, 0));
  slicing.numbers.push_back(slice_bound(array, slicing.taken, upper, 0));
  slicing.numbers.push_back(FunctionTranslator::slice_bound(array, slicing.taken, step, 1));
  ++slicing.taken, ++slicing.made;
}

// `open`: the axes that an ellipsis stands for.
void FunctionTranslator::add_part(Slicing& slicing, const TypedExpression& array,
                                  const syntax::Expr& part, int open) {
  const bool is_slice = part.kind == syntax::ExprKind::Slice;
  if (!is_ellipsis(part) && !is_new_axis(part) && !is_slice)
    return add_index(slicing, array, expression(part), part.span);
  slicing.note_run(false);
  if (is_ellipsis(part)) {
    for (int i = 0; i < open; ++i) slicing.whole();
  } else if (is_new_axis(part)) {
    slicing.kinds.push_back(kNew);
    ++slicing.made;
  } else {
    add_slice(slicing, array, *syntax::try_as<syntax::Slice>(&part));
  }
}

// An int, or an array of ints or truths with one axis.
void FunctionTranslator::add_index(Slicing& slicing, const TypedExpression& array,
                                   TypedExpression index, syntax::Span place) {
  slicing.note_run(true);
  if (!index.type.is_array()) {
    slicing.kinds.push_back(kAt);
    slicing.numbers.push_back(position(array, slicing.taken++, std::move(index), place));
    return;
  }
  check_arrays(place);
  const bool names_places =
      rt::is_integer(index.type.dtype) || index.type.dtype == rt::DType::kBool;
  if (!names_places || index.type.rank != 1)
    fail_translation(place,
                     "an array is indexed by ints, slices, a mask or an array of ints with "
                     "one axis, not by {}",
                     rt::typed::type_text(index.type));
  if (slicing.places) fail_translation(place, "an index holds one array, and this is another");
  slicing.places = std::move(index);
  slicing.places_axis = slicing.made;
  slicing.whole();
}

TypedExpression FunctionTranslator::sliced(TypedExpression array, const syntax::Expr& index,
                                           syntax::Span place) {
  check_views(place);
  if (array.kind != Kind::kVariable) array = kept(std::move(array), place);
  const std::vector<const syntax::Expr*> parts = parts_of(index);
  const int rank = array.type.rank;
  int axes = 0;
  for (const syntax::Expr* each : parts) axes += !is_ellipsis(*each) && !is_new_axis(*each);
  if (axes > rank)
    fail_translation(place, "too many indices: the array has {} axes, and {} are indexed", rank,
                     axes);
  Slicing slicing;
  for (const syntax::Expr* each : parts) add_part(slicing, array, *each, rank - axes);
  return parts_by(std::move(array), std::move(slicing));
}

// What an index names: a view, or of places a new array.
TypedExpression FunctionTranslator::parts_by(TypedExpression array, Slicing slicing) {
  slicing.made += array.type.rank - slicing.taken;
  if (!slicing.places) return view_by(std::move(array), std::move(slicing));
  TypedExpression places = std::move(*slicing.places);
  int axis = slicing.places_axis;
  const int made = slicing.made;
  const bool in_front = slicing.runs > 1;
  TypedExpression seen = view_by(std::move(array), std::move(slicing));
  // As in NumPy, of an array that ints stand apart from the axis comes first.
  if (in_front) seen = with_axis_first(std::move(seen), std::exchange(axis, 0));
  const bool masks = places.type.dtype == rt::DType::kBool;
  const TypedType type = made_array(seen.type.dtype, made);
  return failing_call(fmt::format("take_at<{}, {}>", axis, masks), type,
                      {std::move(seen), std::move(places)});
}

TypedExpression FunctionTranslator::with_axis_first(TypedExpression array, int axis) {
  const TypedType type = view_type(array.type);
  std::vector<TypedExpression> args = {std::move(array)};
  const auto add = [&](int k) { args.push_back(literal(dialect_, rt::Scalar::weak(int64_t{k}))); };
  add(axis);
  for (int k = 0; k < type.rank; ++k) {
    if (k != axis) add(k);
  }
  return failing_call("turned", type, std::move(args));
}

// A slice of step 1 along the first axis of a dense array is dense.
static bool keeps_dense(const TypedExpression& array, const std::vector<int>& kinds,
                        const std::vector<TypedExpression>& numbers) {
  if (!array.type.dense || !(kinds[0] & kSlice)) return false;
  const bool rest_whole =
      std::all_of(kinds.begin() + 1, kinds.end(), [](int kind) { return kind == kWhole; });
  return rest_whole && numbers[2].kind == Kind::kNumber && numbers[2].number.as_int() == 1;
}

TypedExpression FunctionTranslator::view_call(std::string symbol, TypedType type,
                                              std::vector<TypedExpression> args) const {
  const bool raises = program_.target == Target::kFunction;
  return raises ? failing_call(std::move(symbol), std::move(type), std::move(args))
                : support_call(std::move(symbol), std::move(type), std::move(args));
}

TypedExpression FunctionTranslator::view_by(TypedExpression array, Slicing slicing) {
  if (std::ranges::all_of(slicing.kinds, [](int kind) { return kind == kWhole; })) return array;
  const bool dense = keeps_dense(array, slicing.kinds, slicing.numbers);
  const TypedType type = seen_array(array.type, slicing.made, dense);
  std::string symbol = slicing.symbol();
  if (dense) {
    symbol = fmt::format("rows<{}>", slicing.kinds[0]);
    slicing.numbers.pop_back();
  }
  std::vector<TypedExpression> args = {std::move(array)};
  for (TypedExpression& each : slicing.numbers) args.push_back(std::move(each));
  return view_call(std::move(symbol), type, std::move(args));
}

// a[mask], a[places], a[places, 0]
TypedExpression FunctionTranslator::picked(TypedExpression array,
                                           std::vector<TypedExpression> indices,
                                           syntax::Span place) {
  check_arrays(place);
  const int rank = array.type.rank;
  const TypedType& first = indices[0].type;
  const bool is_mask = first.is_array() && first.dtype == rt::DType::kBool;
  if (is_mask && indices.size() == 1 && first.rank == rank)
    return failing_call("take_masked", made_array(array.type.dtype, 1),
                        {std::move(array), std::move(indices[0])});
  if (is_mask && first.rank > 1)
    fail_translation(place,
                     "a mask has one axis, or the axes of its array: {} here, and the mask {}",
                     rank, first.rank);
  if (static_cast<int>(indices.size()) > rank)
    fail_translation(place, "too many indices: the array has {} axes, and {} are indexed", rank,
                     indices.size());
  if (array.kind != Kind::kVariable) array = kept(std::move(array), place);
  Slicing slicing;
  for (TypedExpression& each : indices) add_index(slicing, array, std::move(each), place);
  return parts_by(std::move(array), std::move(slicing));
}

}  // namespace gpy
