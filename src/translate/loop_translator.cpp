#include "src/translate/loop_translator.h"

#include <algorithm>

#include "grammar/children.h"
#include "src/objects/function.h"

namespace gpy {

using Kind = TypedStatement::Kind;
using Form = TypedExpression::Kind;

namespace {

const TypedType kWord = TypedType::number(rt::DType::kInt64);

// The loops of functions that a loop calls look at what the loop was given, too.
TypedExpression callees_go_on() {
  TypedExpression out = support_call("callees_go_on", TypedType::truth(), {});
  out.effects = true;
  return out;
}

bool is_true(const TypedExpression& value) {
  return value.kind == Form::kNumber && value.number.truth();
}

}  // namespace

TypedExpression LoopTranslator::word(int64_t number) {
  return TypedExpression::constant(rt::Scalar::strong(number));
}

TypedExpression LoopTranslator::row_of(rt::Row row, TypedExpression left, TypedExpression right) {
  return apply_row(Dialect::kNumpy, rt::ufunc(row), {std::move(left), std::move(right)},
                   RowUse::kFunction);
}

TypedType LoopTranslator::with_success(const TypedType& result) {
  return TypedType::tuple({TypedType::truth(), result.is_none() ? TypedType::truth() : result});
}

// --- exits ---------------------------------------------------------------------------------------

int LoopTranslator::new_exit(LoopExit::Kind kind, uint32_t begin) {
  exits_.push_back({kind, begin, nest_});
  return static_cast<int>(exits_.size()) - 1;
}

// The exit, the iterations that are left, and all that the interpreter needs to go on.
TypedExpression LoopTranslator::exit_values(int exit) {
  TypedExpression left = value_of(budget_);
  if (counted_) left = row_of(rt::Row::subtract, std::move(left), counted_->taken);
  std::vector<TypedExpression> out = {word(exit), row_of(rt::Row::subtract, std::move(left),
                                                         support_call("callees_used", kWord, {}))};
  for (size_t i = 0; i < values_; ++i) {
    const int variable = static_cast<int>(i);
    out.push_back(variables_.type(variable) ? value_of(variable) : word(0));
    out.push_back(value_of(tags_[i]));
  }
  for (const int set : sets_) out.push_back(value_of(set));
  for (const LoopState& each : states_) {
    if (counted_ && each.begin == counted_->begin) {
      for (TypedExpression& word : standing(counted_->bounds, counted_->rounds, counted_->taken))
        out.push_back(std::move(word));
      continue;
    }
    for (const int variable : {each.next, each.step, each.remaining})
      out.push_back(value_of(variable));
  }
  return tuple_of(std::move(out));
}

TypedExpression LoopTranslator::zero_of(const TypedType& type) {
  if (!type.is_tuple()) return cast_to(word(0), type);
  TypedExpression out;
  out.kind = Form::kTuple;
  out.type = type;
  for (const TypedType& each : type.items) out.args.push_back(zero_of(each));
  return out;
}

void LoopTranslator::leave(LoopExit::Kind kind, uint32_t begin) {
  TypedExpression value;
  if (loop_) {
    value = exit_values(new_exit(kind, begin));
    result_ = value.type;
  } else {
    value = zero_of(result_.value_or(with_success(TypedType())));
    value.args[0] = TypedExpression::constant(rt::Scalar(true));
  }
  emit(Kind::kReturn, {begin, begin}).values = {std::move(value)};
}

void LoopTranslator::require(TypedExpression truth, syntax::Span place) {
  if (is_true(truth)) return;
  TypedStatement out;
  out.kind = Kind::kIf;
  out.line = source_.tree->source->line_of(place.begin);
  out.values = {negated_truth(std::move(truth))};
  Block body;
  Block* outer = std::exchange(block_, &body);
  leave_here();
  block_ = outer;
  out.body = std::move(body);
  block_->push_back(std::move(out));
}

void LoopTranslator::set_own(int variable, TypedExpression value, syntax::Span place) {
  TypedStatement& out = emit(Kind::kAssign, place);
  out.variable = variable;
  out.values = {cast_to(std::move(value), *variables_.type(variable))};
}

// --- statements ----------------------------------------------------------------------------------

// What cannot be compiled is left to the interpreter, statement by statement.
void LoopTranslator::statement(const syntax::Stmt& node) {
  if (!flow_.reachable) return;
  const size_t before = block_->size();
  const Flow flow = flow_;
  const std::vector<uint32_t> nest = nest_;
  const std::set<std::string> used = program_.used();
  const int depth = depth_;
  const size_t breaks = breaks_.size();
  resume_ = node.span.begin;
  resume_kind_ = LoopExit::Kind::kStatement;
  Block* const here = block_;
  try {
    FunctionTranslator::statement(node);
  } catch (TranslationFailure& failure) {
    if (!loop_) throw;
    block_ = here;
    block_->resize(before);
    flow_ = flow;
    nest_ = nest;
    program_.set_used(used);
    depth_ = depth;
    breaks_.resize(breaks);
    continues_.resize(breaks);
    if (!obstacle_) obstacle_ = std::move(failure);
    leave(LoopExit::Kind::kStatement, node.span.begin);
    flow_.reachable = false;
  }
}

// The values of all targets are looked at before the first of them changes.
void LoopTranslator::visit(const syntax::Assign& node) {
  if (node.targets.size() == 1) return FunctionTranslator::visit(node);
  const TypedExpression value =
      settled(kept(number(*node.value), node.value->span), node.value->span);
  for (const syntax::Expr* target : node.targets) {
    if (target->kind != syntax::ExprKind::Name)
      fail_translation(target->span,
                       "compiled loops assign to several names, not to elements, at once");
    assign(*target, value, node.value->span);
  }
}

void LoopTranslator::unpack(syntax::ExprList targets, TypedExpression value, syntax::Span place) {
  if (!value.type.is_tuple() || value.type.items.size() != targets.size())
    fail_translation(place, "compiled loops unpack tuples of as many values");
  std::vector<TypedExpression> items;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i]->kind != syntax::ExprKind::Name)
      fail_translation(targets[i]->span,
                       "compiled loops assign to several names, not to elements, at once");
    items.push_back(kept(settled(item_of(value, i), place), place));
  }
  for (size_t i = 0; i < targets.size(); ++i) assign(*targets[i], std::move(items[i]), place);
}

void LoopTranslator::visit(const syntax::Break& node) {
  if (depth_ > 1 || !loop_) {
    // Behind the loop all its rounds are charged.
    if (counted_) charge(row_of(rt::Row::subtract, counted_->taken, counted_->rounds), node.span);
    return FunctionTranslator::visit(node);
  }
  leave(LoopExit::Kind::kStatement, node.span.begin);
  flow_.reachable = false;
}

// A function gives whether it failed, and its value.
void LoopTranslator::visit(const syntax::Return& node) {
  if (loop_) {
    leave(LoopExit::Kind::kStatement, node.span.begin);
  } else {
    const auto* constant = syntax::try_as<syntax::Constant>(node.value);
    const bool is_none =
        !node.value || (constant && constant->constant_kind == syntax::ConstantKind::None);
    TypedExpression value = TypedExpression::constant(rt::Scalar(true));
    if (!is_none) value = settled(number(*node.value), node.span);
    if (value.type.either) fail_translation(node.span, "this is Python's number or NumPy's");
    const TypedType type = with_success(is_none ? TypedType() : value.type);
    if (result_ && *result_ != type && *result_ != with_success(TypedType()))
      fail_translation(node.span, "the function returns values of several types");
    result_ = type;
    emit(Kind::kReturn, node.span).values = {
        tuple_of({TypedExpression::constant(rt::Scalar(false)), std::move(value)})};
  }
  flow_.reachable = false;
}

bool LoopTranslator::is_fresh(int variable) const {
  const size_t index = static_cast<size_t>(variable);
  return index < values_ && index >= values_ - sets_.size();
}

// The interpreter raises the error, or goes on with what it finds.
TypedExpression LoopTranslator::read(int variable, syntax::Span place) {
  if (variable < 0 || !is_fresh(variable)) return FunctionTranslator::read(variable, place);
  const size_t index = static_cast<size_t>(variable);
  if (!variables_.type(variable))
    fail_translation(place, "'{}' has no value yet", variables_.name(variable));
  if (!flow_.surely[index]) {
    require(value_of(sets_[index - (values_ - sets_.size())]), place);
    flow_.surely[index] = true;
  }
  return value_of(variable);
}

void LoopTranslator::assign_variable(int variable, TypedExpression value, syntax::Span place) {
  if (variable < 0) fail_translation(place, "a name that this assigns to has no value yet");
  if (!value.type.is_number())
    fail_translation(place, "compiled loops keep numbers in names, not {}",
                     rt::typed::type_text(value.type));
  value = settled(std::move(value), place);
  if (!loop_) {
    if (value.type.either) fail_translation(place, "this is Python's number or NumPy's");
    return FunctionTranslator::assign_variable(variable, std::move(value), place);
  }
  const TypedExpression tag = tag_of(value);
  const std::optional<TypedType>& type = variables_.type(variable);
  if ((type && type->either) || value.type.either) {
    value = kept(std::move(value), place);
    set_own(tags_[static_cast<size_t>(variable)], tag, place);
  }
  FunctionTranslator::assign_variable(variable, std::move(value), place);
  if (is_fresh(variable)) {
    const size_t at = static_cast<size_t>(variable) - (values_ - sets_.size());
    set_own(sets_[at], TypedExpression::constant(rt::Scalar(true)), place);
  }
}

void LoopTranslator::store(TypedExpression at, TypedExpression value, syntax::Span place) {
  if (!loop_) fail_translation(place, "a function that a compiled loop calls changes nothing");
  const rt::DType dtype = at.type.dtype;
  value = settled(std::move(value), place);
  if (dtype != rt::DType::kBool) value = plain(std::move(value));
  const rt::DType given = value.type.dtype;
  if (rt::is_integer(dtype) && rt::is_integer(given)) {
    value = fitting(std::move(value), dtype, place);
  } else if (rt::is_float(dtype) && !rt::is_complex(given) && !rt::is_narrow_float(dtype)) {
    const bool narrows = dtype == rt::DType::kFloat32 && given != dtype;
    value = cast_to(std::move(value), TypedType::number(dtype));
    value.unsettled = narrows;
    value = settled(std::move(value), place);
  } else if (dtype != given) {
    fail_translation(place, "compiled loops store {} in no array of {}",
                     rt::typed::type_text(value.type), rt::name(dtype));
  }
  FunctionTranslator::store(std::move(at), std::move(value), place);
}

TypedExpression LoopTranslator::kept(TypedExpression value, syntax::Span place) {
  const bool unsettled = value.unsettled;
  std::optional<TypedExpression> tag;
  if (value.type.either) tag = tag_of(value);
  TypedExpression out = FunctionTranslator::kept(std::move(value), place);
  out.unsettled = unsettled;
  if (tag && !own_tags_.contains(out.index)) {
    const int variable = own_variable(TypedType::truth(), true);
    set_own(variable, std::move(*tag), place);
    own_tags_[out.index] = variable;
  }
  return out;
}

// --- loops ---------------------------------------------------------------------------------------

void LoopTranslator::count_iteration(syntax::StmtList body) {
  const syntax::Span place = body.front()->span;
  resume_ = place.begin;
  resume_kind_ = LoopExit::Kind::kStatement;
  if (loop_) charge(word(1), place);
  TypedExpression on =
      loop_ ? support_call("goes_on", TypedType::truth(), {value_of(budget_), value_of(stop_)})
            : callees_go_on();
  require(std::move(on), place);
}

int LoopTranslator::state_of(uint32_t begin) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].begin == begin) return static_cast<int>(i);
  }
  fail_translation({begin, begin}, "this loop was not expected here");
}

// A loop inside: its test, or its items, before each iteration.
void LoopTranslator::visit(const syntax::While& node) {
  if (!node.orelse.empty()) fail_translation(node.span, "a compiled loop has no else");
  TypedStatement loop;
  loop.kind = Kind::kWhile;
  loop.line = source_.tree->source->line_of(node.span.begin);
  loop.values = {TypedExpression::constant(rt::Scalar(true))};
  ++depth_;
  run_loop(std::move(loop), {node.body, {}, false}, [&] { walk_test(node); });
  --depth_;
}

void LoopTranslator::walk_test(const syntax::While& node) {
  resume_ = node.span.begin;
  resume_kind_ = LoopExit::Kind::kTest;
  TypedExpression test = condition(*node.test);
  if (!is_true(test)) {
    TypedStatement end;
    end.kind = Kind::kIf;
    end.line = source_.tree->source->line_of(node.span.begin);
    end.values = {negated_truth(std::move(test))};
    end.body.emplace_back().kind = Kind::kBreak;
    block_->push_back(std::move(end));
    breaks_.back().meet(flow_);
  }
  count_iteration(node.body);
}

void LoopTranslator::visit(const syntax::For& node) {
  if (!node.orelse.empty()) fail_translation(node.span, "a compiled loop has no else");
  const auto* call = syntax::try_as<syntax::Call>(node.iter);
  if (!call || !is_range(static_value(*call->func)))
    fail_translation(node.iter->span, "compiled loops go through ranges");
  std::array<TypedExpression, 3> bounds = range_bounds(*call);
  for (TypedExpression& each : bounds) each = kept(std::move(each), node.span);
  const TypedExpression rounds =
      kept(support_call("range_count", kWord, {bounds[0], bounds[1], bounds[2]}), node.span);
  if (bounds[2].kind != Form::kNumber) require(truth_of(bounds[2]), node.span);  // a step of 0
  check_ahead(node, {bounds[0], bounds[2], rounds}, [&] { walk_rounds(node, bounds, rounds); });
}

void LoopTranslator::walk_rounds(const syntax::For& node,
                                 const std::array<TypedExpression, 3>& bounds,
                                 const TypedExpression& rounds) {
  if (is_counted()) return walk_counted(node, bounds, rounds);
  TypedStatement loop;
  loop.kind = Kind::kRange;
  loop.line = source_.tree->source->line_of(node.span.begin);
  loop.variable = own_variable(kWord, true);
  loop.values = {word(0), rounds, word(1)};
  const TypedExpression at = value_of(loop.variable);
  ++depth_;
  if (loop_) nest_.push_back(node.span.begin);
  run_loop(std::move(loop), {node.body, {}}, [&] {
    if (loop_) {
      const TypedExpression taken = row_of(rt::Row::add, at, word(1));
      set_state(states_[static_cast<size_t>(state_of(node.span.begin))],
                standing(bounds, rounds, taken));
    }
    TypedExpression item =
        support_call("range_item", int_type(dialect_), {bounds[0], bounds[2], at});
    assign(*node.target, std::move(item), node.target->span);
    count_iteration(node.body);
  });
  if (loop_) nest_.pop_back();
  --depth_;
}

std::array<TypedExpression, 3> LoopTranslator::standing(
    const std::array<TypedExpression, 3>& bounds, const TypedExpression& rounds,
    const TypedExpression& taken) {
  return {support_call("range_item", kWord, {bounds[0], bounds[2], taken}),
          cast_to(bounds[2], kWord), row_of(rt::Row::subtract, rounds, taken)};
}

void LoopTranslator::set_state(const LoopState& state,
                               const std::array<TypedExpression, 3>& words) {
  const syntax::Span place{state.begin, state.begin};
  set_own(state.next, words[0], place);
  set_own(state.step, words[1], place);
  set_own(state.remaining, words[2], place);
}

// --- the translated loop -------------------------------------------------------------------------

namespace {

// The for loops of a body, those in it too.
struct ForCollector {
  std::vector<uint32_t> begins;
  void operator()(const syntax::Stmt& node) {
    if (node.kind == syntax::StmtKind::For) begins.push_back(node.span.begin);
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Expr&) {}
};

}  // namespace

rt::typed::Function LoopTranslator::translate_loop(const syntax::Stmt& loop, LoopVariables names) {
  loop_ = &loop;
  others_ = std::move(names.others);
  for (const TypedParameter& each : names.known) add_parameter(each);
  for (const std::string& each : names.fresh) {
    variables_.add(each, std::nullopt, {}, false);
    ++parameters_;
  }
  values_ = variables_.count();
  const auto own = [&](const TypedType& type, std::string name) {
    const int variable = static_cast<int>(variables_.count());
    add_parameter({std::move(name), type});
    return variable;
  };
  for (size_t i = 0; i < values_; ++i) {
    tags_.push_back(own(TypedType::truth(), variables_.name(static_cast<int>(i)) + "?"));
  }
  for (const std::string& each : names.fresh) sets_.push_back(own(TypedType::truth(), each + "!"));
  budget_ = own(kWord, "budget?");
  stop_ = own(kWord, "stop?");
  item_ = own(kWord, "item?");
  ForCollector loops;
  loops(loop);
  for (const uint32_t begin : loops.begins) {
    states_.push_back({begin, own(kWord, fmt::format("next{}?", begin)),
                       own(kWord, fmt::format("step{}?", begin)),
                       own(kWord, fmt::format("remaining{}?", begin))});
  }
  for (const TypedParameter& each : names.inputs) add_parameter(each);
  return translate();
}

FunctionTranslator::Block LoopTranslator::walk() {
  begin_walk();
  for (size_t i = 0; i < sets_.size(); ++i) flow_.surely[values_ - sets_.size() + i] = false;
  exits_.clear();
  nest_.clear();
  own_tags_.clear();
  breaks_.clear();
  continues_.clear();
  obstacle_.reset();
  Block body;
  block_ = &body;
  loop_ ? walk_loop(*loop_) : walk_function();
  return body;
}

void LoopTranslator::walk_function() {
  depth_ = 1;
  if (source_.value) fail_translation(source_.value->span, "a lambda is not compiled into a loop");
  for (const syntax::Stmt* each : source_.body) statement(*each);
  if (!flow_.reachable) return;
  if (!result_) result_ = with_success(TypedType());
  if (*result_ != with_success(TypedType()))
    fail_translation(source_.body.back()->span, "the function ends without a value here");
  emit(Kind::kReturn, source_.body.back()->span).values = {tuple_of(
      {TypedExpression::constant(rt::Scalar(false)), TypedExpression::constant(rt::Scalar(true))})};
}

static syntax::StmtList body_of(const syntax::Stmt& loop) {
  if (const auto* counted = syntax::try_as<syntax::For>(&loop)) return counted->body;
  return syntax::as<syntax::While>(loop).body;
}

// The interpreter has begun the first iteration; later ones begin with a test, or an item.
void LoopTranslator::walk_loop(const syntax::Stmt& loop) {
  depth_ = 1;
  TypedStatement again;
  again.kind = Kind::kWhile;
  again.line = source_.tree->source->line_of(loop.span.begin);
  again.values = {TypedExpression::constant(rt::Scalar(true))};
  TypedExpression begun =
      support_call("begin_callees", TypedType(), {value_of(budget_), value_of(stop_)});
  begun.effects = true;
  emit(Kind::kEvaluate, loop.span).values = {std::move(begun)};
  const int later = own_variable(TypedType::truth(), true);
  set_own(later, TypedExpression::constant(rt::Scalar(false)), loop.span);
  const auto write = [&] {
    run_loop(again, {body_of(loop), {}, false}, [&] { begin_iteration(loop, later); });
    ends_early_ = !comes_round_;
  };
  const auto* counted = syntax::try_as<syntax::For>(&loop);
  if (!counted) return write();
  const LoopState& state = states_[static_cast<size_t>(state_of(loop.span.begin))];
  const std::array<TypedExpression, 3> bounds = {value_of(item_), word(0), value_of(state.step)};
  const TypedExpression rounds = row_of(rt::Row::add, value_of(state.remaining), word(1));
  check_ahead(*counted, {bounds[0], bounds[2], rounds}, [&] {
    if (!is_counted()) return write();
    walk_counted(*counted, bounds, rounds);
    ends_early_ = !comes_round_;
    set_state(state, standing(bounds, rounds, rounds));
    leave(LoopExit::Kind::kTest, loop.span.begin);
  });
}

void LoopTranslator::begin_iteration(const syntax::Stmt& loop, int later) {
  const auto* counted = syntax::try_as<syntax::For>(&loop);
  TypedStatement next;
  next.kind = Kind::kIf;
  next.line = source_.tree->source->line_of(loop.span.begin);
  next.values = {value_of(later)};
  Block inner;
  Block* outer = std::exchange(block_, &inner);
  resume_ = loop.span.begin;
  resume_kind_ = LoopExit::Kind::kTest;
  counted ? take_item(*counted) : look_at_test(syntax::as<syntax::While>(loop));
  block_ = outer;
  next.body = std::move(inner);
  block_->push_back(std::move(next));
  set_own(later, TypedExpression::constant(rt::Scalar(true)), loop.span);
  if (counted) {
    assign(*counted->target, cast_to(value_of(item_), int_type(dialect_)), counted->target->span);
  }
  count_iteration(body_of(loop));
}

// Where it does not hold, the interpreter finds that out once more.
void LoopTranslator::look_at_test(const syntax::While& node) {
  require(condition(*node.test), node.span);
}

// Behind the last item the interpreter finds that none remains.
void LoopTranslator::take_item(const syntax::For& node) {
  const LoopState& state = states_[static_cast<size_t>(state_of(node.span.begin))];
  require(truth_of(value_of(state.remaining)), node.span);
  set_own(state.remaining, row_of(rt::Row::subtract, value_of(state.remaining), word(1)),
          node.span);
  set_own(item_, value_of(state.next), node.span);
  set_own(state.next, row_of(rt::Row::add, value_of(state.next), value_of(state.step)), node.span);
}

// --- names ---------------------------------------------------------------------------------------

Value LoopTranslator::global(std::string_view name) {
  if (std::ranges::find(others_, name) != others_.end())
    fail_translation({}, "'{}' has no value yet", name);
  for (const auto& [captured, value] : source_.captured) {
    if (captured != name) continue;
    if (!loop_) fail_translation({}, "'{}' is a variable of an enclosing function", name);
    program_.use(name);
    return value;
  }
  if (!loop_ && program_.is_changed(source_.globals, name))
    fail_translation({}, "the loop changes '{}', which a function that it calls reads", name);
  const Value value = FunctionTranslator::global(name);
  if (value.is_defined())
    program_.believe({Ref<Dict>(source_.globals), Value(), std::string(name), value});
  return value;
}

// Attributes of modules and of types alone: others may change while the loop runs.
Value LoopTranslator::static_value(const syntax::Expr& node) {
  const auto* attribute = syntax::try_as<syntax::Attribute>(&node);
  if (!attribute) return FunctionTranslator::static_value(node);
  const Value object = static_value(*attribute->value);
  if (object.is_undefined()) return Value();
  if (!object.is<Module>() && !object.is<Type>()) {
    fail_translation(attribute->span, "compiled loops read attributes of modules and types only");
  }
  const Value found = vm_.try_get_attribute(object, vm_.intern(attribute->attr));
  if (found.is_undefined())
    fail_translation(attribute->span, "there is no attribute '{}'", attribute->attr);
  program_.believe({Ref<Dict>(), object, std::string(attribute->attr), found});
  return found;
}

}  // namespace gpy
