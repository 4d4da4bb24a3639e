// Loops: while, for over ranges and over what is iterated, break, continue and else.
#include "grammar/children.h"
#include "src/translate/function_translator.h"
#include "src/translate/signs.h"

namespace gpy {

using Kind = TypedStatement::Kind;

void FunctionTranslator::run_block_loop(TypedStatement loop, const std::function<void()>& inner) {
  run_loop(std::move(loop), {}, inner);
}

void FunctionTranslator::run_loop(TypedStatement loop, const LoopParts& parts,
                                  const std::function<void()>& before) {
  for (const std::string& name : assigned_names(parts.body)) {
    if (const int variable = variables_.find(name); variable >= 0)
      flow_.maybe[static_cast<size_t>(variable)] = true;
  }
  const Flow entry = flow_;
  Flow nowhere = entry;
  nowhere.reachable = false;
  breaks_.push_back(nowhere);
  continues_.push_back(nowhere);
  broken_.push_back(-1);
  if (!parts.otherwise.empty()) broken_.back() = flag(false, parts.otherwise[0]->span);
  Block inner;
  Block* outer = std::exchange(block_, &inner);
  if (before) before();
  for (const syntax::Stmt* each : parts.body) statement(*each);
  block_ = outer;
  loop.body = std::move(inner);
  flow_.meet(continues_.back());
  comes_round_ = flow_.reachable;
  if (parts.may_be_skipped) {
    flow_.meet(entry);
  } else {
    flow_ = nowhere;
  }
  const Flow breaks = breaks_.back();
  const int broken = broken_.back();
  breaks_.pop_back();
  continues_.pop_back();
  broken_.pop_back();
  block_->push_back(std::move(loop));
  if (broken >= 0) otherwise(parts.otherwise, broken);
  flow_.meet(breaks);
}

// A variable of the translator's own that is true or false.
int FunctionTranslator::flag(bool value, syntax::Span place) {
  const int variable = own_variable(TypedType::truth(), true);
  set_flag(variable, value, place);
  return variable;
}

void FunctionTranslator::set_flag(int variable, bool value, syntax::Span place) {
  TypedStatement& out = emit(Kind::kAssign, place);
  out.variable = variable;
  out.values = {TypedExpression::constant(rt::Scalar(value))};
}

// What runs behind a loop that no break has left.
void FunctionTranslator::otherwise(syntax::StmtList body, int broken) {
  TypedStatement out;
  out.kind = Kind::kIf;
  out.line = source_.tree->source->line_of(body[0]->span.begin);
  TypedExpression test;
  test.kind = TypedExpression::Kind::kNot;
  test.type = TypedType::truth();
  test.args = {TypedExpression::variable(broken, TypedType::truth())};
  out.values = {std::move(test)};
  out.body = block(body);
  block_->push_back(std::move(out));
}

namespace {

struct FindsAssignment {
  bool found = false;
  void operator()(const syntax::Expr& node) {
    found = found || node.kind == syntax::ExprKind::NamedExpr;
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Stmt&) {}
};

}  // namespace

bool FunctionTranslator::assigns(const syntax::Expr& node) {
  FindsAssignment find;
  find(node);
  return find.found;
}

// A condition that assigns is computed in the loop.
void FunctionTranslator::loop_with_assignment(const syntax::While& node) {
  TypedStatement loop;
  loop.kind = Kind::kWhile;
  loop.line = source_.tree->source->line_of(node.span.begin);
  loop.values = {TypedExpression::constant(rt::Scalar(true))};
  if (!node.orelse.empty())
    fail_translation(node.orelse.front()->span, "a loop whose condition assigns has no else here");
  run_loop(std::move(loop), {node.body, {}, false}, [&] {
    TypedStatement leave;
    leave.kind = Kind::kIf;
    leave.line = source_.tree->source->line_of(node.span.begin);
    leave.values = {condition(*node.test)};
    TypedStatement& end = leave.otherwise.emplace_back();
    end.kind = Kind::kBreak;
    breaks_.back().meet(flow_);
    block_->push_back(std::move(leave));
  });
}

void FunctionTranslator::visit(const syntax::While& node) {
  if (assigns(*node.test)) return loop_with_assignment(node);
  TypedStatement loop;
  loop.kind = Kind::kWhile;
  loop.line = source_.tree->source->line_of(node.span.begin);
  for (const std::string& name : assigned_names(node.body))
    flow_.maybe[static_cast<size_t>(variables_.find(name))] = true;
  ++conditional_;
  loop.values = {test_of(*node.test)};
  --conditional_;
  const TypedExpression& test = loop.values[0];
  const bool endless = test.kind == TypedExpression::Kind::kNumber && test.number.truth();
  run_loop(std::move(loop), {node.body, node.orelse, !endless}, {});
}

TypedStatement FunctionTranslator::counted_loop(TypedExpression count, syntax::Span place) {
  TypedStatement loop;
  loop.kind = Kind::kRange;
  loop.line = source_.tree->source->line_of(place.begin);
  loop.variable = own_variable(int_type(dialect_), true);
  loop.values = {TypedExpression::constant(rt::Scalar::weak(int64_t{0})), std::move(count),
                 TypedExpression::constant(rt::Scalar::weak(int64_t{1}))};
  return loop;
}

void FunctionTranslator::visit(const syntax::For& node) {
  const auto* call = syntax::try_as<syntax::Call>(node.iter);
  if (call && is_range(static_value(*call->func))) return loop_over_range(node, *call);
  Iteration iteration = iterate_over(*node.iter);
  TypedStatement loop = counted_loop(std::move(iteration.count), node.span);
  const TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  run_loop(std::move(loop), {node.body, node.orelse},
           [&] { assign(*node.target, iteration.item(at), node.target->span); });
}

void FunctionTranslator::loop_over_range(const syntax::For& node, const syntax::Call& range) {
  TypedType end;
  std::array<TypedExpression, 3> bounds = range_bounds(range, &end);
  TypedStatement loop;
  loop.kind = Kind::kRange;
  loop.line = source_.tree->source->line_of(node.span.begin);
  const bool counts_up =
      is_nonnegative(bounds[0], variables_) && is_nonnegative(bounds[2], variables_);
  loop.variable = own_variable(int_type(dialect_), counts_up);
  loop.values.assign(bounds.begin(), bounds.end());
  loop.parallel = program_.options.is_parallel && is_parallel_range(range);
  if (!range.keywords.empty()) loop.unroll = unrolling(range);
  TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  if (dialect_ == Dialect::kJitCuda) at = cast_to(std::move(at), end);
  run_loop(std::move(loop), {node.body, node.orelse},
           [&] { assign(*node.target, at, node.target->span); });
}

void FunctionTranslator::visit(const syntax::Break& node) {
  breaks_.back().meet(flow_);
  if (broken_.back() >= 0) set_flag(broken_.back(), true, node.span);
  emit(Kind::kBreak, node.span);
  flow_.reachable = false;
}

void FunctionTranslator::visit(const syntax::Continue& node) {
  continues_.back().meet(flow_);
  emit(Kind::kContinue, node.span);
  flow_.reachable = false;
}

}  // namespace gpy
