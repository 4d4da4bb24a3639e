#include "src/translate/loop_translator.h"

#include <algorithm>

#include "grammar/children.h"
#include "src/objects/function.h"

namespace gpy {

using Kind = TypedStatement::Kind;
using Form = TypedExpression::Kind;

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
  // A name without a type is set nowhere: it keeps what it held, which may be an int.
  for (size_t i = 0; i < sets_.size(); ++i) {
    const bool is_typed = variables_.type(static_cast<int>(values_ - sets_.size() + i)).has_value();
    out.push_back(is_typed ? value_of(sets_[i]) : TypedExpression::constant(rt::Scalar(false)));
  }
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
    if (returned_ && *returned_ != type && *returned_ != with_success(TypedType()))
      fail_translation(node.span, "the function returns values of several types");
    result_ = returned_ = type;
    emit(Kind::kReturn, node.span).values = {
        tuple_of({TypedExpression::constant(rt::Scalar(false)), std::move(value)})};
  }
  flow_.reachable = false;
}

bool LoopTranslator::is_fresh(int variable) const {
  const size_t index = static_cast<size_t>(variable);
  return index < values_ && index >= values_ - sets_.size();
}

// Of a name that is no variable of the loop.
void LoopTranslator::fail_unheld(syntax::Span place) const {
  const std::string_view name = source_.tree->source->text(place);
  const auto other = others_.find(name);
  if (other == others_.end())
    fail_translation(place, "compiled loops do not assign to '{}' here", name);
  fail_translation(place, "'{}' {}", name, other->second);
}

// The interpreter raises the error, or goes on with what it finds.
TypedExpression LoopTranslator::read(int variable, syntax::Span place) {
  if (variable < 0) fail_unheld(place);
  if (!is_fresh(variable)) return FunctionTranslator::read(variable, place);
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
  if (variable < 0) fail_unheld(place);
  if (!value.type.is_number())
    fail_translation(place, "compiled loops keep numbers in names, not {}",
                     rt::typed::type_text(value.type));
  value = settled(std::move(value), place);
  if (!loop_) {
    if (value.type.either) fail_translation(place, "this is Python's number or NumPy's");
    FunctionTranslator::assign_variable(variable, std::move(value), place);
    if (variables_.type(variable)->either)
      fail_translation(place, "'{}' is Python's number or NumPy's", variables_.name(variable));
    return;
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
  } else if (rt::is_complex(dtype)) {
    const bool narrows = dtype == rt::DType::kComplex64 && given != dtype;
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

// --- names ---------------------------------------------------------------------------------------

Value LoopTranslator::global(std::string_view name) {
  if (const auto other = others_.find(name); other != others_.end())
    fail_translation({}, "'{}' {}", name, other->second);
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
  const auto* name = syntax::try_as<syntax::Name>(&node);
  if (name && others_.contains(name->id) && variables_.find(name->id) < 0) fail_unheld(name->span);
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
