// Cooperative groups: the grid and the block as things that have a name, `grid = cg.this_grid()`.
// Such a name has no value: its methods are intrinsics, "cg.grid.sync".
#include "src/translate/function_translator.h"
#include "src/translate/grid_table.h"
#include "src/translate/intrinsic.h"

namespace gpy {

// cg.this_grid() as "cg.grid"; undefined for other calls.
Value FunctionTranslator::group_of(const syntax::Expr& node) {
  if (const Value collective = collective_of(node); collective.is_defined()) return collective;
  const auto* call = syntax::try_as<syntax::Call>(&node);
  if (program_.target != Target::kGrid || !call || !call->args.empty() || !call->keywords.empty())
    return Value();
  const Value callee = static_value(*call->func);
  const auto* intrinsic = callee.is_defined() ? callee.try_as<IntrinsicObject>() : nullptr;
  if (!intrinsic) return Value();
  if (intrinsic->name == "cg.this_grid") {
    // Numba launches all that name the grid so that its blocks run at once.
    if (dialect_ == Dialect::kNumba) program_.make_cooperative();
    return make_intrinsic(vm_, "cg.grid");
  }
  return intrinsic->name == "cg.this_thread_block" ? make_intrinsic(vm_, "cg.block") : Value();
}

// `grid = cg.this_grid()`
bool FunctionTranslator::names_group(const syntax::Assign& node) {
  const auto* name = syntax::try_as<syntax::Name>(node.targets[0]);
  if (!name || node.targets.size() > 1) return false;
  const Value group = group_of(*node.value);
  if (group.is_undefined()) return false;
  name_known(name->id, group, node.span);
  return true;
}

TypedExpression FunctionTranslator::this_group(const Intrinsic& intrinsic,
                                               const syntax::Call& node) {
  fail_translation(node.span, "{}() is a group, not a value: call its methods, or give it a name",
                   intrinsic.name);
}

// All blocks of the launch meet: they must run at once.
TypedExpression FunctionTranslator::grid_barrier(const Intrinsic& intrinsic,
                                                 const syntax::Call& node) {
  program_.make_cooperative();
  return barrier(intrinsic, node);
}

// A number of a group: how many there are, which of them this is.
TypedExpression FunctionTranslator::group_number(const Intrinsic& intrinsic, const syntax::Call&) {
  return support_call(std::string(intrinsic.symbol), TypedType::number(intrinsic.dtype), {});
}

// Three of them, which are also called x, y and z.
TypedExpression FunctionTranslator::group_extents(const Intrinsic& intrinsic, const syntax::Call&) {
  std::vector<TypedExpression> out;
  for (const std::string_view axis : {"x", "y", "z"}) {
    out.push_back(cast_to(support_call(fmt::format("{}_{}", intrinsic.symbol, axis),
                                       TypedType::number(rt::DType::kInt32), {}),
                          TypedType::number(rt::DType::kUInt32)));
  }
  return tuple_of(std::move(out));
}

std::optional<TypedExpression> FunctionTranslator::try_axis(const TypedExpression& extents,
                                                            const syntax::Attribute& node) {
  const bool is_three = extents.type.is_tuple() && extents.type.items.size() == 3;
  if (program_.target != Target::kGrid || !is_three || node.attr.size() != 1) return std::nullopt;
  const size_t axis = std::string_view("xyz").find(node.attr);
  if (axis == std::string_view::npos) return std::nullopt;
  return item_of(extents, axis);
}

}  // namespace gpy
