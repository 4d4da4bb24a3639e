// Operations of all threads of a block or a warp under CUB's names: `BlockReduce =
// jit.cub.BlockReduce[ dtype, threads]`, `total = BlockReduce(storage[0]).Sum(value)`. All but the
// last are names without a value.
#include "src/translate/function_translator.h"
#include "src/translate/grid_table.h"
#include "src/translate/intrinsic.h"

namespace gpy {
namespace {

const IntrinsicObject* as_cub(const Value& value) {
  const auto* intrinsic = value.is_defined() ? value.try_as<IntrinsicObject>() : nullptr;
  return intrinsic && intrinsic->name.starts_with("cub.") ? intrinsic : nullptr;
}

bool is_reduce(const IntrinsicObject& of) {
  return of.name == "cub.WarpReduce" || of.name == "cub.BlockReduce";
}

}  // namespace

// `cub.WarpReduce[dtype]`, with memory that is not used, and `cub.Sum()`; undefined for others.
Value FunctionTranslator::collective_of(const syntax::Expr& node) {
  if (program_.target != Target::kGrid) return Value();
  if (const auto* subscript = syntax::try_as<syntax::Subscript>(&node)) {
    const Value base = static_value(*subscript->value);
    const auto* of = as_cub(base);
    if (!of || !is_reduce(*of)) return Value();
    const auto* both = syntax::try_as<syntax::Tuple>(subscript->slice);
    const bool counts = both && both->elts.size() == 2;
    const int64_t threads = counts ? literal_extents(*both->elts[1])[0] : 0;
    if (counts != (of->name == "cub.BlockReduce") || (counts && (threads < 1 || threads > 1024)))
      fail_translation(node.span, "cub has WarpReduce[dtype] and BlockReduce[dtype, threads]");
    return make_typed_intrinsic(vm_, *of, dtype_of(counts ? *both->elts[0] : *subscript->slice),
                                threads);
  }
  const auto* call = syntax::try_as<syntax::Call>(&node);
  if (!call) return Value();
  const Value callee = static_value(*call->func);
  const auto* of = as_cub(callee);
  const bool is_operator =
      of && (of->name == "cub.Sum" || of->name == "cub.Max" || of->name == "cub.Min");
  return of && (is_reduce(*of) || (is_operator && call->args.empty())) ? callee : Value();
}

TypedExpression FunctionTranslator::collective_part(const Intrinsic& intrinsic,
                                                    const syntax::Call& node) {
  fail_translation(node.span, "{} is not a value: it is handed on, or is given a name",
                   intrinsic.name);
}

// Sum(value), Reduce(value, operator): the first thread has the result.
TypedExpression FunctionTranslator::collective(const Intrinsic& intrinsic,
                                               const syntax::Call& node) {
  const Value callee = static_value(*node.func);
  const auto* of = callee.as<IntrinsicObject>();
  if (!of->dtype)
    fail_translation(node.func->span, "cub has WarpReduce[dtype] and BlockReduce[dtype, threads]");
  const bool by_operator = intrinsic.name.ends_with(".Reduce");
  check_count(node, by_operator ? 2 : 1, by_operator ? 2 : 1);
  std::string_view fold = "sum";
  if (by_operator) {
    const Value given = static_value(*node.args[1]);
    const auto* chosen = as_cub(given);
    const Intrinsic* row = chosen ? find_intrinsic(chosen->name) : nullptr;
    if (!row || is_reduce(*chosen) || row->symbol.empty() ||
        row->call != &FunctionTranslator::collective_part)
      fail_translation(node.args[1]->span, "Reduce() takes cub.Sum(), cub.Max() or cub.Min()");
    fold = row->symbol;
  }
  const TypedType type = TypedType::number(*of->dtype);
  if (fold != "sum" && rt::is_complex(*of->dtype))
    fail_translation(node.args[1]->span, "complex numbers have no order");
  constexpr int64_t kAllWarps = 1024;
  rt::typed::Storage storage;
  storage.kind = rt::typed::Storage::Kind::kShared;
  storage.dtype = *of->dtype;
  storage.count = of->name.starts_with("cub.Warp") ? kAllWarps : of->threads;
  TypedExpression room = memory(storage, {storage.count});
  TypedExpression value = cast_to(number(*node.args[0]), type);
  TypedExpression out = support_call(fmt::format("{}.{}", intrinsic.symbol, fold), type,
                                     {std::move(room), std::move(value)});
  out.effects = true;
  return out;
}

}  // namespace gpy
