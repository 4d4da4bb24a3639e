// Where threads meet: barriers of blocks, and what the threads of a warp do together.
#include "runtime/typed/write.h"
#include "src/translate/function_translator.h"
#include "src/translate/grid_table.h"

namespace gpy {

static TypedType int32_type() { return TypedType::number(rt::DType::kInt32); }

TypedExpression FunctionTranslator::barrier(const Intrinsic& intrinsic, const syntax::Call&) {
  TypedExpression out = with_effects(support_call(std::string(intrinsic.symbol), {}, {}));
  out.type = TypedType();
  return out;
}

TypedExpression FunctionTranslator::warp_barrier(const Intrinsic& intrinsic,
                                                 const syntax::Call& node) {
  const syntax::Expr* given = argument(node, 0, "mask");
  if (node.args.size() + node.keywords.size() > (given ? 1 : 0))
    fail_translation(node.span, "{}() takes a mask", intrinsic.name);
  std::vector<TypedExpression> mask;
  if (given) mask.push_back(cast_to(number(*given), TypedType::number(rt::DType::kUInt32)));
  return with_effects(support_call(std::string(intrinsic.symbol), TypedType(), std::move(mask)));
}

// syncthreads_count(predicate) and kin: an int of the predicates of all threads.
TypedExpression FunctionTranslator::voting_barrier(const Intrinsic& intrinsic,
                                                   const syntax::Call& node) {
  TypedExpression truth = cast_to(condition(*node.args[0]), int32_type());
  return with_effects(
      support_call(std::string(intrinsic.symbol), int32_type(), {std::move(truth)}));
}

TypedExpression FunctionTranslator::vote(const Intrinsic& intrinsic, const syntax::Call& node) {
  TypedExpression mask = cast_to(number(*node.args[0]), TypedType::number(rt::DType::kUInt32));
  TypedExpression truth = cast_to(condition(*node.args[1]), int32_type());
  TypedExpression out = with_effects(support_call(std::string(intrinsic.symbol), int32_type(),
                                                  {std::move(mask), std::move(truth)}));
  return cast_to(std::move(out), TypedType::number(intrinsic.dtype));
}

// shfl_sync(mask, value, lane, *, width=32) and kin
TypedExpression FunctionTranslator::shuffle(const Intrinsic& intrinsic, const syntax::Call& node) {
  const syntax::Expr* width = argument(node, 3, "width");
  if (node.args.size() != 3 || node.keywords.size() != (width ? 1 : 0))
    fail_translation(node.span, "{}() takes a mask, a value, a lane and width=", intrinsic.name);
  TypedExpression mask = cast_to(number(*node.args[0]), TypedType::number(rt::DType::kUInt32));
  TypedExpression value = shuffled_value(intrinsic, *node.args[1]);
  TypedExpression lane = cast_to(number(*node.args[2]), int32_type());
  const TypedType type = value.type;
  std::vector<TypedExpression> args = {std::move(mask), std::move(value), std::move(lane)};
  if (width) args.push_back(cast_to(number(*width), int32_type()));
  return with_effects(support_call(std::string(intrinsic.symbol), type, std::move(args)));
}

// A value that goes from thread to thread in words.
TypedExpression FunctionTranslator::shuffled_value(const Intrinsic& intrinsic,
                                                   const syntax::Expr& node) {
  TypedExpression value = number(node);
  if (rt::item_size(value.type.dtype) < 4 || rt::is_complex(value.type.dtype))
    fail_translation(node.span, "{}() exchanges numbers of 4 and 8 bytes", intrinsic.name);
  return value;
}

// match_any_sync(mask, value), match_all_sync(mask, value): the threads with the same value, and of
// the second whether all have it.
TypedExpression FunctionTranslator::match(const Intrinsic& intrinsic, const syntax::Call& node) {
  const TypedType lanes = TypedType::number(rt::DType::kUInt32);
  TypedExpression mask = cast_to(number(*node.args[0]), lanes);
  TypedExpression value = shuffled_value(intrinsic, *node.args[1]);
  std::string symbol(intrinsic.symbol);
  TypedType type = lanes;
  if (intrinsic.dtype == rt::DType::kBool) {
    symbol =
        fmt::format("vote_by([](u32 mask, {} x, int* all) {{ return ::{}(mask, x, all); }}).of",
                    rt::typed::cpp_type(value.type), symbol);
    type = TypedType::tuple({lanes, TypedType::truth()});
  }
  return with_effects(
      support_call(std::move(symbol), std::move(type), {std::move(mask), std::move(value)}));
}

// nanosleep(ns)
TypedExpression FunctionTranslator::pause(const Intrinsic& intrinsic, const syntax::Call& node) {
  return with_effects(
      support_call(std::string(intrinsic.symbol), TypedType(),
                   {cast_to(number(*node.args[0]), TypedType::number(rt::DType::kUInt32))}));
}

TypedExpression FunctionTranslator::active_mask(const Intrinsic& intrinsic, const syntax::Call&) {
  return with_effects(
      support_call(std::string(intrinsic.symbol), TypedType::number(rt::DType::kUInt32), {}));
}

}  // namespace gpy
