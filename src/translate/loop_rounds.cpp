// Loops of compiled loops: how their iterations begin, are counted and charged, and the translated
// loop itself.
#include "grammar/children.h"
#include "src/translate/loop_translator.h"

namespace gpy {

using Kind = TypedStatement::Kind;
using Form = TypedExpression::Kind;

// The loops of functions that a loop calls look at what the loop was given, too.
static TypedExpression callees_go_on() {
  TypedExpression out = support_call("callees_go_on", TypedType::truth(), {});
  out.effects = true;
  return out;
}

// --- loops inside --------------------------------------------------------------------------------

// The interpreter would go on with the body's first statement.
void LoopTranslator::begin_body(syntax::StmtList body) {
  resume_ = body.front()->span.begin;
  resume_kind_ = LoopExit::Kind::kStatement;
}

void LoopTranslator::charge(TypedExpression iterations, syntax::Span place) {
  set_own(budget_, row_of(rt::Row::subtract, value_of(budget_), std::move(iterations)), place);
}

void LoopTranslator::count_iteration(syntax::StmtList body) {
  const syntax::Span place = body.front()->span;
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
  begin_body(node.body);
  count_iteration(node.body);
}

void LoopTranslator::visit(const syntax::For& node) {
  if (!node.orelse.empty()) fail_translation(node.span, "a compiled loop has no else");
  if (const auto* name = syntax::try_as<syntax::Name>(node.iter)) {
    TypedExpression array = expression(*name);
    if (array.type.is_array() && array.type.rank == 1)
      return loop_over_array(node, std::move(array), name->id);
  }
  const auto* call = syntax::try_as<syntax::Call>(node.iter);
  if (!call || !is_range(static_value(*call->func)))
    fail_translation(node.iter->span, "compiled loops inside go through ranges and arrays");
  std::array<TypedExpression, 3> bounds = range_bounds(*call);
  for (TypedExpression& each : bounds) each = kept(std::move(each), node.span);
  const TypedExpression rounds =
      kept(support_call("range_count", kWord, {bounds[0], bounds[1], bounds[2]}), node.span);
  if (bounds[2].kind != Form::kNumber) require(truth_of(bounds[2]), node.span);  // a step of 0
  const TypedExpression always = TypedExpression::constant(rt::Scalar(true));
  check_ahead(node, {bounds[0], bounds[2], rounds, always}, [&] {
    walk_rounds(node, bounds, rounds, [&](const TypedExpression& at) {
      return support_call("range_item", int_type(dialect_), {bounds[0], bounds[2], at});
    });
  });
}

TypedExpression LoopTranslator::present_element(TypedExpression array, TypedExpression index,
                                                const TypedType& number) {
  TypedExpression out;
  out.kind = Form::kElement;
  out.type = TypedType::number(array.type.dtype);
  out.args = {std::move(array), std::move(index)};
  return cast_to(std::move(out), number);
}

void LoopTranslator::loop_over_array(const syntax::For& node, TypedExpression array,
                                     std::string_view name) {
  if (loop_) states_[static_cast<size_t>(state_of(node.span.begin))].array = name;
  const TypedExpression rounds = kept(cast_to(extent(array, 0), kWord), node.span);
  const TypedType number = TypedType::number(array.type.dtype);
  const TypedExpression always = TypedExpression::constant(rt::Scalar(true));
  check_ahead(node, {word(0), word(1), rounds, always, false}, [&] {
    walk_rounds(node, {word(0), word(0), word(1)}, rounds,
                [&](const TypedExpression& at) { return present_element(array, at, number); });
  });
}

// Of the translated loop, at an index from the item on that it was entered with.
TypedExpression LoopTranslator::own_item(const TypedExpression& index) {
  std::vector<TypedExpression> out;
  for (size_t i = 0; i < items_.items.size(); ++i) {
    const LoopItems::Item& item = items_.items[i];
    const TypedExpression source = value_of(sources_[i]);
    out.push_back(item.is_counted() ? support_call("range_item", int_type(dialect_),
                                                   {source, value_of(sources_[i] + 1), index})
                                    : present_element(source, index, item.number));
  }
  if (out.empty()) return cast_to(index, int_type(dialect_));
  return items_.is_tuple ? tuple_of(std::move(out)) : std::move(out[0]);
}

void LoopTranslator::walk_rounds(const syntax::For& node,
                                 const std::array<TypedExpression, 3>& bounds,
                                 const TypedExpression& rounds, const ItemOf& item) {
  TypedStatement loop;
  loop.kind = Kind::kRange;
  loop.line = source_.tree->source->line_of(node.span.begin);
  loop.variable = own_variable(kWord, true);
  loop.values = {word(0), rounds, word(1)};
  const TypedExpression at = value_of(loop.variable);
  const Counted counted{node.span.begin, bounds, rounds, row_of(rt::Row::add, at, word(1))};
  const bool is_inner = &node != loop_, is_charged_behind = is_counted();
  depth_ += is_inner;
  if (is_inner && loop_) nest_.push_back(node.span.begin);
  struct Scope {
    const Counted*& current;
    ~Scope() { current = nullptr; }
  };
  {
    const Scope scope{counted_ = is_charged_behind ? &counted : nullptr};
    run_loop(std::move(loop), {node.body, {}, is_inner}, [&] {
      if (loop_ && !counted_) {
        set_state(states_[static_cast<size_t>(state_of(node.span.begin))],
                  standing(bounds, rounds, counted.taken));
      }
      assign(*node.target, item(at), node.target->span);
      begin_body(node.body);
      if (counted_)
        require(support_call("round_goes_on", TypedType::truth(), {at, value_of(stop_)}),
                node.span);
      else count_iteration(node.body);
    });
  }
  if (is_inner && loop_) nest_.pop_back();
  depth_ -= is_inner;
  if (is_charged_behind) charge(rounds, node.span);
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
                       own(kWord, fmt::format("remaining{}?", begin)), ""});
  }
  for (const TypedParameter& each : names.inputs) add_parameter(each);
  items_ = std::move(names.items);
  for (const LoopItems::Item& each : items_.items) {
    const std::string name = fmt::format("items{}?", sources_.size());
    sources_.push_back(own(each.is_counted() ? kWord : each.array, name));
    if (each.is_counted()) own(kWord, name + "step");
  }
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
  returned_.reset();
  if (source_.value) fail_translation(source_.value->span, "a lambda is not compiled into a loop");
  for (const syntax::Stmt* each : source_.body) statement(*each);
  if (!flow_.reachable) return;
  if (!returned_) result_ = with_success(TypedType());
  if (*result_ != with_success(TypedType()))
    fail_translation(source_.body.back()->span, "the function ends without a value here");
  emit(Kind::kReturn, source_.body.back()->span).values = {tuple_of(
      {TypedExpression::constant(rt::Scalar(false)), TypedExpression::constant(rt::Scalar(true))})};
}

static syntax::StmtList body_of(const syntax::Stmt& loop) {
  if (const auto* counted = syntax::try_as<syntax::For>(&loop)) return counted->body;
  return syntax::as<syntax::While>(loop).body;
}

// As its text has it; the range that it goes through may be another.
static bool counts_by_one(const syntax::For& loop) {
  const auto* call = syntax::try_as<syntax::Call>(loop.iter);
  return call && call->args.size() < 3;
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
  std::array<TypedExpression, 3> bounds = {value_of(item_), word(0), value_of(state.step)};
  const bool is_range = items_.items.empty();
  if (!is_range) bounds = {word(0), word(0), word(1)};
  const TypedExpression rounds = row_of(rt::Row::add, value_of(state.remaining), word(1));
  TypedExpression by_one = TypedExpression::constant(rt::Scalar(true));
  if (is_range && counts_by_one(*counted))
    by_one = row_of(rt::Row::equal, std::exchange(bounds[2], word(1)), word(1));
  check_ahead(*counted, {bounds[0], bounds[2], rounds, std::move(by_one), is_range}, [&] {
    if (!is_counted()) return write();
    walk_rounds(*counted, bounds, rounds, [&](const TypedExpression& at) {
      if (!is_range) return own_item(at);
      return support_call("range_item", int_type(dialect_), {bounds[0], bounds[2], at});
    });
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
    assign(*counted->target, own_item(value_of(item_)), counted->target->span);
  }
  begin_body(body_of(loop));
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

}  // namespace gpy
