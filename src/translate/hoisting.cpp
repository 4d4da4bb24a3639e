// What is looked at in front of a loop: a loop over a range that has no loop inside it is written
// twice, once without the checks of indices that a look at both ends of the range has shown to be
// good, and counted as a whole.
#include <algorithm>

#include "grammar/children.h"
#include "src/translate/loop_translator.h"

namespace gpy {

using Form = TypedExpression::Kind;

namespace {

// Beyond these a sum with a number that is inside no array might wrap into one.
constexpr int64_t kMostOffset = 1 << 30;

struct LoopFinder {
  bool found = false;
  void operator()(const syntax::Stmt& node) {
    found = found || node.kind == syntax::StmtKind::For || node.kind == syntax::StmtKind::While;
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Expr& node) { syntax::each_child(node, *this); }
};

bool has_loops(syntax::StmtList body) {
  LoopFinder finder;
  for (const syntax::Stmt* each : body) finder(*each);
  return finder.found;
}

TypedExpression both(TypedExpression left, TypedExpression right) {
  TypedExpression out;
  out.kind = Form::kAnd;
  out.type = TypedType::truth();
  out.args = {std::move(left), std::move(right)};
  return out;
}

}  // namespace

void LoopTranslator::check_ahead(const syntax::For& node, const Items& items,
                                 const std::function<void()>& write) {
  const auto* target = syntax::try_as<syntax::Name>(node.target);
  Hoisting own;
  own.changed = assigned_names(node.body);
  const bool is_index = target && items.index;
  if (is_index) own.target = variables_.find(target->id);
  const bool is_plain =
      !is_index || (own.target >= 0 && !std::ranges::count(own.changed, target->id));
  if (!is_index) {
    syntax::Stmt* whole = const_cast<syntax::For*>(&node);
    own.changed = assigned_names({&whole, 1});
  }
  if (!loop_ || hoisting_ || !is_plain || has_loops(node.body)) return write();
  const Flow entry = flow_;
  own.entry = &entry;
  struct Scope {
    Hoisting*& current;
    ~Scope() { current = nullptr; }
  } scope{hoisting_};
  hoisting_ = &own;
  TypedStatement choice;
  choice.kind = TypedStatement::Kind::kIf;
  choice.line = source_.tree->source->line_of(node.span.begin);
  Block* outer = std::exchange(block_, &choice.otherwise);
  write();
  flow_ = entry;
  own.affine.clear();
  own.is_proven = true;
  block_ = &choice.body;
  write();
  block_ = outer;
  TypedExpression all =
      support_call("goes_on", TypedType::truth(),
                   {row_of(rt::Row::subtract, value_of(budget_), items.rounds), value_of(stop_)});
  if (!is_true(items.so)) all = both(std::move(all), items.so);
  for (const Access& each : own.accesses)
    all = both(std::move(all), is_good(each, own.target, items));
  choice.values = {std::move(all)};
  block_->push_back(std::move(choice));
}

TypedExpression LoopTranslator::is_good(const Access& access, int target, const Items& items) {
  const TypedType array = *variables_.type(access.array);
  const TypedExpression count = extent(TypedExpression::variable(access.array, array), access.axis);
  const TypedExpression offset = word(access.index.offset);
  if (access.index.base < 0) return support_call("is_inside", TypedType::truth(), {offset, count});
  if (access.index.base != target) {
    return support_call("range_is_inside", TypedType::truth(),
                        {value_of(access.index.base), word(1), word(1), offset, count});
  }
  return support_call("range_is_inside", TypedType::truth(),
                      {items.first, items.step, items.rounds, offset, count});
}

// A name of an int that the loop's body does not change, a number, or the sum of both.
std::optional<LoopTranslator::Affine> LoopTranslator::affine_form(const syntax::Expr& node) {
  if (const auto* name = syntax::try_as<syntax::Name>(&node)) {
    const int variable = variables_.find(name->id);
    if (variable < 0 || std::ranges::count(hoisting_->changed, name->id)) return std::nullopt;
    const std::optional<TypedType>& type = variables_.type(variable);
    const bool has_value =
        variable == hoisting_->target || hoisting_->entry->surely[static_cast<size_t>(variable)];
    if (!has_value || !type || !type->is_number() || type->either ||
        type->dtype != rt::DType::kInt64)
      return std::nullopt;
    return Affine{variable, 0};
  }
  if (const auto* constant = syntax::try_as<syntax::Constant>(&node)) {
    const TypedExpression value = expression(*constant);
    if (value.kind != Form::kNumber || value.type.dtype != rt::DType::kInt64) return std::nullopt;
    return Affine{-1, value.number.as_int()};
  }
  const auto* sum = syntax::try_as<syntax::BinOp>(&node);
  if (!sum || (sum->op != syntax::BinaryOperator::Add && sum->op != syntax::BinaryOperator::Sub))
    return std::nullopt;
  if (sum->left->kind != syntax::ExprKind::Name || sum->right->kind != syntax::ExprKind::Constant)
    return std::nullopt;
  const std::optional<Affine> base = affine_form(*sum->left), added = affine_form(*sum->right);
  if (!base || !added || added->offset > kMostOffset || added->offset < -kMostOffset)
    return std::nullopt;
  return Affine{base->base,
                sum->op == syntax::BinaryOperator::Add ? added->offset : -added->offset};
}

TypedExpression LoopTranslator::index_of(const syntax::Expr& node) {
  const std::optional<Affine> form = hoisting_ ? affine_form(node) : std::nullopt;
  if (!form || form->base < 0) return expression(node);
  TypedExpression index = value_of(form->base);
  if (form->offset != 0) {
    index =
        hoisting_->is_proven
            ? row_of(rt::Row::add, cast_to(std::move(index), TypedType::number(rt::DType::kInt64)),
                     word(form->offset))
            : expression(node);
    index = kept(std::move(index), node.span);
  }
  if (index.kind == Form::kVariable) hoisting_->affine[index.index] = *form;
  return index;
}

// Whether the index needs no check. If it is one that can be looked at ahead, that is noted.
bool LoopTranslator::is_checked_ahead(const TypedExpression& array, int axis,
                                      const TypedExpression& index) {
  if (!hoisting_ || array.kind != Form::kVariable || array.index >= parameters_) return false;
  std::optional<Affine> form;
  if (index.kind == Form::kNumber && rt::is_integer(index.type.dtype)) {
    form = Affine{-1, index.number.as_int()};
  } else if (const auto at = hoisting_->affine.find(index.index);
             index.kind == Form::kVariable && at != hoisting_->affine.end()) {
    form = at->second;
  }
  if (!form || (form->base < 0 && form->offset < 0)) return false;
  const Access access{array.index, axis, *form};
  if (hoisting_->is_proven) return hoisting_->accesses.contains(access);
  hoisting_->accesses.insert(access);
  return false;
}

}  // namespace gpy
