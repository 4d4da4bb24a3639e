// Statements of a body, and the loop that walks it until its types stand still.
#include <algorithm>
#include <functional>

#include "src/lower/operators.h"
#include "src/translate/function_translator.h"
#include "src/translate/raised.h"
#include "src/translate/signs.h"

namespace gpy {

using Kind = TypedStatement::Kind;

// Types only grow along short chains, so a body that needs more walks does not end.
constexpr int kMostWalks = 64;

void FunctionTranslator::add_parameter(const TypedParameter& parameter) {
  variables_.add(parameter.name, parameter.type, {}, false);
  ++parameters_;
}

void FunctionTranslator::add_output(const TypedOutput& output) {
  std::optional<TypedType> type;
  if (output.dtype) type = TypedType::number(*output.dtype);
  const int variable = variables_.add(output.name, type, output.place);
  if (type) variables_.fix(variable);
  ++outputs_;
}

rt::typed::Function FunctionTranslator::translate(
    const std::function<void(const TypedType&)>& on_result) {
  on_result_ = on_result;
  for (const std::string& name : assigned_names(source_.body)) {
    if (variables_.find(name) < 0) variables_.add(name, std::nullopt);
  }
  named_ = variables_.count();
  for (int walks = 0; walks < kMostWalks; ++walks) {
    variables_.shrink(named_);
    storages_.clear();
    const std::optional<TypedType> before = result_;
    const int results = program_.results_found();
    unknown_.reset();
    ends_without_value_ = false;
    Block body = walk();
    if (variables_.take_change() || result_ != before || program_.results_found() != results)
      continue;
    // It returns nothing, if it returns: a call of itself has no value either.
    if (unknown_ && !unknown_->callee.empty() && ends_without_value_ && !result_) {
      grow_result(TypedType());
      continue;
    }
    if (unknown_ && (unknown_->callee.empty() || !program_.waits_for_callers())) fail_unknown();
    if (!unknown_) grow_result(result_.value_or(TypedType()));
    if (program_.results_found() != results) continue;
    rt::typed::Function out;
    out.name = source_.name;
    out.file = source_.tree->source->name();
    out.parameters = parameters_;
    out.outputs = outputs_;
    out.result = result_.value_or(TypedType());
    out.body = std::move(body);
    out.storages = std::move(storages_);
    for (size_t i = 0; i < variables_.count(); ++i) {
      const int variable = static_cast<int>(i);
      out.variables.push_back(
          {variables_.name(variable), variables_.type(variable).value_or(TypedType::index())});
    }
    return out;
  }
  fail_translation({}, "the types of '{}' do not settle", source_.name);
}

void FunctionTranslator::fail_unknown() const {
  if (unknown_->callee.empty()) {
    fail_translation(unknown_->place,
                     "the type of the items of this list or dictionary is not known here: "
                     "nothing was put into it before");
  }
  fail_translation(unknown_->place,
                   "'{}' calls itself before it has returned anything: the type of "
                   "its result is not known here",
                   unknown_->callee);
}

std::optional<TypedExpression> FunctionTranslator::try_expression(
    const std::function<TypedExpression()>& make) {
  Block* const block = block_;
  const int conditional = conditional_;
  try {
    return make();
  } catch (const UnknownItem& unknown) {
    note(unknown);
    block_ = block;
    conditional_ = conditional;
    return std::nullopt;
  }
}

void FunctionTranslator::grow_result(const TypedType& type) {
  if (result_ != type && on_result_) on_result_(type);
  result_ = type;
}

void FunctionTranslator::begin_walk() {
  known_names_.clear();
  flow_ = {std::vector<bool>(named_), std::vector<bool>(named_), true};
  for (int i = 0; i < parameters_; ++i) flow_.assign(static_cast<size_t>(i));
}

FunctionTranslator::Block FunctionTranslator::walk() {
  begin_walk();
  Block body;
  block_ = &body;
  local_functions_ = source_.local_functions;
  if (source_.value) {
    try_expression([&] {
      return_value(source_.value, source_.value->span);
      return TypedExpression();
    });
    return body;
  }
  for (const syntax::Stmt* each : source_.body) statement(*each);
  if (!flow_.reachable) return body;
  const syntax::Span end = source_.body.back()->span;
  check_outputs(end);
  ends_without_value_ = true;
  if (result_ && !result_->is_none()) {
    fail_translation(end, "'{}' ends here without a value, and returns {} elsewhere", source_.name,
                     rt::typed::type_text(*result_));
  }
  return body;
}

FunctionTranslator::Block FunctionTranslator::block(syntax::StmtList list) {
  Block out;
  Block* outer = std::exchange(block_, &out);
  for (const syntax::Stmt* each : list) statement(*each);
  block_ = outer;
  return out;
}

// A statement that needs a type which is not known yet is left to the next walk.
void FunctionTranslator::statement(const syntax::Stmt& node) {
  vm_.check_stack();
  if (!flow_.reachable) return;  // nothing runs behind a return
  Block* const block = block_;
  const size_t loops = breaks_.size();
  const int conditional = conditional_;
  try {
    syntax::visit(node, [&](const auto& known) { visit(known); });
  } catch (const UnknownItem& unknown) {
    note(unknown);
    if (node.kind == syntax::StmtKind::Return) flow_.reachable = false;
    block_ = block;
    conditional_ = conditional;
    breaks_.resize(loops, flow_);
    continues_.resize(loops, flow_);
    broken_.resize(loops);
  }
}

void FunctionTranslator::refuse_statement(const syntax::Stmt& node) {
  fail_translation(node.span,
                   "a compiled body cannot hold this statement ({}): leave it to the caller",
                   syntax::kind_name(node.kind));
}

TypedStatement& FunctionTranslator::emit(Kind kind, syntax::Span place) {
  TypedStatement& out = block_->emplace_back();
  out.kind = kind;
  out.line = source_.tree->source->line_of(place.begin);
  return out;
}

int FunctionTranslator::own_variable(const TypedType& type, bool nonnegative) {
  return variables_.add(fmt::format(".{}", variables_.count()), type, {}, nonnegative);
}

TypedExpression FunctionTranslator::kept(TypedExpression value, syntax::Span place) {
  using Form = TypedExpression::Kind;
  if (value.kind == Form::kVariable && static_cast<size_t>(value.index) >= named_) return value;
  if (value.kind == Form::kNumber) return value;
  if (conditional_ > 0) {
    if (!value.effects) return value;
    fail_translation(place, "this value is needed twice: give it a name in a statement before");
  }
  const TypedType type = value.type;
  const int variable = own_variable(type, is_nonnegative(value, variables_));
  TypedStatement& out = emit(Kind::kAssign, place);
  out.variable = variable;
  out.values = {std::move(value)};
  return TypedExpression::variable(variable, type);
}

// --- assignments ---------------------------------------------------------------------------------

void FunctionTranslator::visit(const syntax::Assign& node) {
  if (names_lambda(node) || names_group(node) || names_dtype(node)) return;
  TypedExpression value = expression(*node.value);
  if (node.targets.size() > 1) value = kept(std::move(value), node.value->span);
  for (const syntax::Expr* target : node.targets) assign(*target, value, node.value->span);
}

void FunctionTranslator::visit(const syntax::AnnAssign& node) {
  if (node.value) assign(*node.target, expression(*node.value), node.value->span);
}

void FunctionTranslator::visit(const syntax::AugAssign& node) {
  if (const auto* target = syntax::try_as<syntax::Subscript>(node.target)) {
    TypedExpression object = expression(*target->value);
    if (object.type.is_map()) {
      TypedExpression key = kept(expression(*target->slice), target->slice->span);
      TypedExpression before = map_item(object, key, target->span);
      return set_map_item(object, key,
                          binary(node.op, std::move(before), expression(*node.value), node.span),
                          node.span);
    }
    if (object.type.is_instance()) {
      TypedExpression before = expression(*node.target);
      return assign(*node.target,
                    binary(node.op, std::move(before), expression(*node.value), node.span),
                    node.span);
    }
    TypedExpression place = element(std::move(object), *target->slice, target->span);
    if (place.type.is_array())
      return augment_elements(node.op, std::move(place), expression(*node.value), node.span);
    for (size_t i = 1; i < place.args.size(); ++i)
      place.args[i] = kept(std::move(place.args[i]), target->slice->span);
    TypedExpression value = binary(node.op, place, number(*node.value), node.span);
    return store(std::move(place), std::move(value), node.span);
  }
  if (node.target->kind == syntax::ExprKind::Attribute) {
    TypedExpression before = expression(*node.target);
    if (before.type.is_array())
      return augment_elements(node.op, std::move(before), expression(*node.value), node.span);
    return assign(*node.target,
                  binary(node.op, std::move(before), expression(*node.value), node.span),
                  node.span);
  }
  const auto* name = syntax::try_as<syntax::Name>(node.target);
  if (!name) refuse_expression(*node.target);
  TypedExpression before = read(variables_.find(name->id), name->span);
  if (before.type.is_array())
    return augment_elements(node.op, std::move(before), expression(*node.value), node.span);
  assign(*node.target, binary(node.op, std::move(before), expression(*node.value), node.span),
         node.span);
}

void FunctionTranslator::assign(const syntax::Expr& target, TypedExpression value,
                                syntax::Span place) {
  if (const auto* name = syntax::try_as<syntax::Name>(&target)) {
    const int variable = variables_.find(name->id);
    return assign_variable(variable, std::move(value), variable < 0 ? name->span : place);
  }
  if (const auto* tuple = syntax::try_as<syntax::Tuple>(&target))
    return unpack(tuple->elts, std::move(value), place);
  if (const auto* list = syntax::try_as<syntax::List>(&target))
    return unpack(list->elts, std::move(value), place);
  if (const auto* subscript = syntax::try_as<syntax::Subscript>(&target)) {
    // The value is computed before the index.
    TypedExpression held = value.effects ? kept(std::move(value), place) : std::move(value);
    TypedExpression object = expression(*subscript->value);
    if (object.type.is_map())
      return set_map_item(std::move(object), expression(*subscript->slice), std::move(held), place);
    if (object.type.is_instance()) {
      auto set = try_special("__setitem__", {object, expression(*subscript->slice), held}, place);
      if (!set) fail_translation(place, "{} has no __setitem__", rt::typed::type_text(object.type));
      effects_ = true;
      emit(Kind::kEvaluate, place).values = {std::move(*set)};
      return;
    }
    TypedExpression at = element(std::move(object), *subscript->slice, target.span);
    return store(std::move(at), std::move(held), place);
  }
  if (const auto* attribute = syntax::try_as<syntax::Attribute>(&target))
    return assign_attribute(*attribute, std::move(value), place);
  fail_translation(target.span, "a compiled body assigns to names and elements only");
}

void FunctionTranslator::assign_variable(int variable, TypedExpression value, syntax::Span place) {
  if (value.type.is_none()) fail_translation(place, "this has no value");
  if (!variables_.widen(dialect_, variable, value.type, place)) {
    const TypedType& known = *variables_.type(variable);
    fail_translation(place, "'{}' is {} here and {} at line {}: a variable has one type",
                     variables_.name(variable), rt::typed::type_text(value.type),
                     rt::typed::type_text(known),
                     source_.tree->source->line_of(variables_.place(variable).begin));
  }
  if (is_jit(dialect_)) keep_type(variable, value.type, place);
  if (!is_nonnegative(value, variables_)) variables_.may_be_negative(variable);
  TypedStatement& out = emit(Kind::kAssign, place);
  out.variable = variable;
  out.values = {cast_to(std::move(value), *variables_.type(variable))};
  flow_.assign(static_cast<size_t>(variable));
}

// The first value that a variable is given has its type for good.
void FunctionTranslator::keep_type(int variable, const TypedType& given, syntax::Span place) {
  const TypedType& type = *variables_.type(variable);
  if (!type.is_number()) return;
  variables_.fix(variable);
  check_same_kind(given, type.dtype, place);
}

void FunctionTranslator::check_same_kind(const TypedType& given, rt::DType to, syntax::Span place) {
  const bool whole = rt::is_integer(given.dtype) && rt::is_integer(to);
  if (!is_jit(dialect_) || whole || rt::can_cast(given.dtype, to, rt::Casting::kSameKind)) return;
  fail_translation(place, "Cannot cast from '{}' to {} with casting rule same_kind.",
                   rt::name(given.dtype), rt::name(to));
}

void FunctionTranslator::unpack(syntax::ExprList targets, TypedExpression value,
                                syntax::Span place) {
  if (value.type.is_array() || value.type.is_list())
    value = unpacked_items(std::move(value), targets.size(), place);
  if (!value.type.is_tuple())
    fail_translation(place, "{} cannot be unpacked", rt::typed::type_text(value.type));
  const size_t count = value.type.items.size();
  if (count != targets.size()) {
    fail_translation(place, "{} values to unpack, and {} names for them", count, targets.size());
  }
  // All values are computed before the first name changes.
  std::vector<TypedExpression> items;
  const bool is_written = value.kind == TypedExpression::Kind::kTuple;
  if (!is_written) value = kept(std::move(value), place);
  for (size_t i = 0; i < count; ++i)
    items.push_back(is_written ? kept(std::move(value.args[i]), place) : item_of(value, i));
  for (size_t i = 0; i < count; ++i) assign(*targets[i], std::move(items[i]), place);
}

// The items of an array or a list, as many as there are names for them: else it raises, where
// something can.
TypedExpression FunctionTranslator::unpacked_items(TypedExpression sequence, size_t count,
                                                   syntax::Span place) {
  check_dialect(place);
  sequence = kept(std::move(sequence), place);
  const bool is_list = sequence.type.is_list();
  const auto number = [&](size_t i) {
    return literal(dialect_, rt::Scalar::weak(static_cast<int64_t>(i)));
  };
  if (program_.target == Target::kFunction || variables_.find(kRaisedParameter) >= 0) {
    TypedExpression size = is_list ? list_size(sequence) : extent(sequence, 0);
    TypedExpression differs = row(rt::ufunc(rt::Row::not_equal), {std::move(size), number(count)},
                                  RowUse::kOperator, place);
    Block raising;
    Block* outer = std::exchange(block_, &raising);
    raise_always(Value(vm_.types.value_error),
                 {vm_.str(fmt::format("there are not {} values to unpack", count))}, place);
    block_ = outer;
    TypedStatement& test = emit(Kind::kIf, place);
    test.values = {std::move(differs)};
    test.body = std::move(raising);
  }
  std::vector<TypedExpression> items;
  for (size_t i = 0; i < count; ++i)
    items.push_back(is_list ? list_item(sequence, number(i), place)
                            : item_at(sequence, number(i), place));
  return tuple_of(std::move(items));
}

void FunctionTranslator::store(TypedExpression at, TypedExpression value, syntax::Span place) {
  const bool is_item_of_list = at.args.size() > 0 && at.args[0].type.is_list();
  if (at.type.is_array() && !is_item_of_list)
    return store_elements(std::move(at), std::move(value), place);
  if (!value.type.is_number() && !is_item_of_list)
    fail_translation(place, "an element cannot be {}", rt::typed::type_text(value.type));
  if (at.kind != TypedExpression::Kind::kElement)
    fail_translation(place, "a compiled body assigns to single elements: write a loop");
  if (at.args[0].type.constant) fail_translation(place, "assignment destination is read-only");
  effects_ = true;
  const TypedType type = at.type;
  if (type.is_number()) check_same_kind(value.type, type.dtype, place);
  if (type.is_number() && rt::is_complex(value.type.dtype) && !rt::is_complex(type.dtype))
    fail_translation(place, "a complex number does not become a real one: take its .real");
  TypedStatement& out = emit(Kind::kStore, place);
  out.values = {std::move(at), cast_to(std::move(value), type)};
}

// --- control -------------------------------------------------------------------------------------

TypedExpression FunctionTranslator::test_of(const syntax::Expr& node) {
  if (auto test = try_expression([&] { return condition(node); })) return std::move(*test);
  return TypedExpression::variable(-1, TypedType::truth());  // of a walk that is not the last
}

void FunctionTranslator::visit(const syntax::If& node) {
  TypedStatement out;
  out.kind = Kind::kIf;
  out.line = source_.tree->source->line_of(node.span.begin);
  out.values = {test_of(*node.test)};
  // What is known never to run needs no types.
  const TypedExpression& test = out.values[0];
  if (test.kind == TypedExpression::Kind::kNumber && dialect_ != Dialect::kLanguage) {
    for (const syntax::Stmt* each : test.number.truth() ? node.body : node.orelse) statement(*each);
    return;
  }
  const Flow before = flow_;
  out.body = block(node.body);
  const Flow taken = std::exchange(flow_, before);
  out.otherwise = block(node.orelse);
  flow_.meet(taken);
  block_->push_back(std::move(out));
}

// A name that is read afterwards has no value.
void FunctionTranslator::visit(const syntax::Delete& node) {
  check_dialect(node.span);
  for (const syntax::Expr* each : node.targets) {
    if (const auto* item = syntax::try_as<syntax::Subscript>(each)) {
      delete_item(*item);
      continue;
    }
    const auto* name = syntax::try_as<syntax::Name>(each);
    if (!name) fail_translation(each->span, "compiled code deletes names and items of lists only");
    const int variable = variables_.find(name->id);
    if (variable < 0) fail_translation(each->span, "name '{}' is not defined", name->id);
    const auto index = static_cast<size_t>(variable);
    flow_.maybe[index] = flow_.surely[index] = false;
  }
}

void FunctionTranslator::visit(const syntax::Return& node) { return_value(node.value, node.span); }

void FunctionTranslator::return_value(const syntax::Expr* node, syntax::Span place) {
  const auto* constant = syntax::try_as<syntax::Constant>(node);
  const bool is_none = !node || (constant && constant->constant_kind == syntax::ConstantKind::None);
  TypedExpression value;
  if (!is_none) value = expression(*node);
  if (!is_none && source_.returns_output) return output_value(std::move(value), place);
  if (!is_none && is_kernel_) {
    fail_translation(place, "a kernel returns nothing: it assigns to its outputs");
  }
  check_outputs(place);
  const std::optional<TypedType> both =
      result_ ? try_join(dialect_, *result_, value.type) : value.type;
  if (!both) {
    fail_translation(place, "'{}' returns {} here and {} elsewhere", source_.name,
                     rt::typed::type_text(value.type), rt::typed::type_text(*result_));
  }
  grow_result(*both);
  TypedStatement& out = emit(Kind::kReturn, place);
  if (!is_none) out.values = {cast_to(std::move(value), *result_)};
  flow_.reachable = false;
}

void FunctionTranslator::output_value(TypedExpression value, syntax::Span place) {
  if (!value.type.is_number())
    fail_translation(place, "an elementwise function returns a number, and this is {}",
                     rt::typed::type_text(value.type));
  assign_variable(parameters_, std::move(value), place);
  emit(Kind::kReturn, place);
  flow_.reachable = false;
}

void FunctionTranslator::check_outputs(syntax::Span place) {
  for (int i = parameters_; i < parameters_ + outputs_; ++i) {
    if (flow_.surely[static_cast<size_t>(i)]) continue;
    fail_translation(place, "output '{}' has no value where '{}' ends", variables_.name(i),
                     source_.name);
  }
}

void FunctionTranslator::visit(const syntax::ExprStmt& node) {
  const auto* constant = syntax::try_as<syntax::Constant>(node.value);
  if (constant && constant->constant_kind == syntax::ConstantKind::String) return;
  if (program_.target == Target::kGrid && group_of(*node.value).is_defined()) return;
  TypedExpression value = expression(*node.value);
  // What is called may raise.
  if (!value.effects && value.kind != TypedExpression::Kind::kCall) return;
  effects_ = effects_ || value.effects;
  emit(Kind::kEvaluate, node.span).values = {std::move(value)};
}

}  // namespace gpy
