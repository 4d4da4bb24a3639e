// Assignment, del, augmented assignment.
#include "src/lower/lowering.h"

namespace gpy {

static ast::ExprList elements_of(const ast::Expr& target) {
  if (const auto* tuple = ast::try_as<ast::Tuple>(&target)) return tuple->elts;
  return ast::as<ast::List>(target).elts;
}

static bool is_sequence(const ast::Expr& node) {
  return node.kind == ast::ExprKind::Tuple || node.kind == ast::ExprKind::List;
}

static int star_position(ast::ExprList elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i]->kind == ast::ExprKind::Starred) return static_cast<int>(i);
  }
  return -1;
}

void Lowering::assign(const ast::Expr& target, Reg from) {
  At at(*this, target.span);
  Mark mark(*this);
  switch (target.kind) {
    case ast::ExprKind::Name: return store(ast::as<ast::Name>(target).id, from);
    case ast::ExprKind::Attribute: return assign_attribute(ast::as<ast::Attribute>(target), from);
    case ast::ExprKind::Subscript: return assign_item(ast::as<ast::Subscript>(target), from);
    case ast::ExprKind::Tuple:
    case ast::ExprKind::List: return unpack(elements_of(target), from);
    default: fail("cannot assign to this", target.span);
  }
}

void Lowering::assign_attribute(const ast::Attribute& node, Reg from) {
  Reg object = value(*node.value);
  emit(Op::set_attribute, from, object, site(node.attr),
       static_cast<uint16_t>(drops(object) | (is_temporary(from) ? kDropA : 0)));
}

void Lowering::assign_item(const ast::Subscript& node, Reg from) {
  Reg object = left_operand(*node.value);
  if (const ast::Tuple* keys = several_keys(node)) return assign_items(node, object, *keys, from);
  Reg key = value(*node.slice);
  At item(*this, node.span, {node.value->span.end, node.span.end});
  emit(Op::set_item, from, object, key,
       static_cast<uint16_t>(drops(object, key) | (is_temporary(from) ? kDropA : 0)));
}

// The first register of targets that are all variables of this frame, one register after the other.
std::optional<Lowering::Reg> Lowering::row_of_locals(ast::ExprList targets) const {
  Reg first = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto* name = ast::try_as<ast::Name>(targets[i]);
    if (!name) return std::nullopt;
    NameLocation place = find(name->id);
    if (i == 0) first = place.index;
    if (place.kind != NameLocation::local || place.index != first + static_cast<Reg>(i)) {
      return std::nullopt;
    }
  }
  return targets.empty() ? std::nullopt : std::optional(first);
}

void Lowering::assign_items(const ast::Subscript& node, Reg object, const ast::Tuple& keys,
                            Reg from) {
  Reg base = in_a_row(keys.elts);
  At item(*this, node.span, {node.value->span.end, node.span.end});
  emit(Op::set_items, from, object, base,
       static_cast<uint16_t>(keys_flags(object, keys) | (is_temporary(from) ? kDropA : 0)));
}

void Lowering::unpack(ast::ExprList targets, Reg from) {
  int star = star_position(targets);
  auto count = static_cast<int32_t>(targets.size());
  if (auto row = row_of_locals(targets); row && (from < *row || from >= *row + count)) {
    emit(Op::unpack, *row, from, count, drops(from));
    return;
  }
  Reg base = temporaries(count);
  if (star < 0) {
    emit(Op::unpack, base, from, count, drops(from));
  } else {
    emit(Op::unpack_starred, base, from, count,
         static_cast<uint16_t>(drops(from) | star << kOperatorShift));
  }
  for (int32_t i = 0; i < count; ++i) {
    const auto* starred = ast::try_as<ast::Starred>(targets[static_cast<size_t>(i)]);
    assign(starred ? *starred->value : *targets[static_cast<size_t>(i)], base + i);
  }
}

// a, b = b, a without the tuple: all values first, then each is stored.
bool Lowering::assign_pairwise(const ast::Expr& target, const ast::Expr& value) {
  const auto* tuple = ast::try_as<ast::Tuple>(&value);
  if (!tuple || !is_sequence(target)) return false;
  ast::ExprList targets = elements_of(target);
  bool pairs = targets.size() == tuple->elts.size() && star_position(targets) < 0 &&
               star_position(tuple->elts) < 0;
  if (!pairs) return false;
  Reg base = next_temporary_;
  for (const ast::Expr* each : tuple->elts) fresh(*each);
  if (auto row = row_of_locals(targets)) {
    emit(Op::move_row, *row, base, static_cast<int32_t>(targets.size()));
    return true;
  }
  for (size_t i = 0; i < targets.size(); ++i) assign(*targets[i], base + static_cast<Reg>(i));
  return true;
}

void Lowering::assign_value(const ast::Expr& target, const ast::Expr& value_node) {
  if (assign_pairwise(target, value_node)) return;
  if (const auto* name = ast::try_as<ast::Name>(&target)) {
    NameLocation place = find(name->id);
    if (place.kind == NameLocation::local) return into(value_node, place.index);
  }
  Reg from = value(value_node);
  assign(target, from);
}

void Lowering::lower(const ast::Assign& node) {
  Mark mark(*this);
  if (node.targets.size() == 1) return assign_value(*node.targets[0], *node.value);
  Reg from = fresh(*node.value);
  for (const ast::Expr* target : node.targets) {
    bool is_last = target == node.targets.back();
    Mark each(*this);
    Reg copy = is_last ? from : temporary();
    if (!is_last) emit(Op::move, copy, from);
    assign(*target, copy);
  }
}

void Lowering::lower(const ast::AnnAssign& node) {
  Mark mark(*this);
  if (node.value) assign_value(*node.target, *node.value);
  if (scope_->frame()->kind != Scope::function) annotate(node);
}

void Lowering::arithmetic_in_place(ast::BinaryOperator op, Reg to, Reg left, Reg right) {
  arithmetic(op, to, left, right, static_cast<uint16_t>(drops(left, right) | kInPlace));
}

void Lowering::augment(const ast::AugAssign& node) {
  At at(*this, node.span, node.op_span);
  switch (node.target->kind) {
    case ast::ExprKind::Name: return augment_name(node);
    case ast::ExprKind::Attribute: return augment_attribute(node);
    case ast::ExprKind::Subscript: return augment_item(node);
    default: fail("illegal target for augmented assignment", node.target->span);
  }
}

void Lowering::augment_name(const ast::AugAssign& node) {
  std::string_view name = ast::as<ast::Name>(*node.target).id;
  const NameLocation place = find(name);
  const bool is_local = place.kind == NameLocation::local;
  const bool is_operand = is_local && !scope_->frame()->has_walrus;
  Reg left = is_operand ? place.index : temporary();
  if (!is_operand) {
    At target(*this, node.target->span);
    load(name, left);
  }
  Reg right = value(*node.value);
  Reg to = is_local ? place.index : temporary();
  arithmetic_in_place(node.op, to, left, right);
  store(name, to);
}

void Lowering::augment_attribute(const ast::AugAssign& node) {
  const auto& target = ast::as<ast::Attribute>(*node.target);
  Reg object = left_operand(*target.value);
  Reg item = temporary();
  {
    At here(*this, target.span);
    emit(Op::get_attribute, item, object, site(target.attr));
  }
  arithmetic_in_place(node.op, item, item, value(*node.value));
  emit(Op::set_attribute, item, object, site(target.attr),
       static_cast<uint16_t>(drops(object) | kDropA));
}

void Lowering::augment_item(const ast::AugAssign& node) {
  const auto& target = ast::as<ast::Subscript>(*node.target);
  Reg object = left_operand(*target.value);
  if (const ast::Tuple* keys = several_keys(target)) return augment_items(node, object, *keys);
  Reg key = left_operand(*target.slice);
  Reg item = temporary();
  {
    At here(*this, target.span, {target.value->span.end, target.span.end});
    emit(Op::get_item, item, object, key);
  }
  arithmetic_in_place(node.op, item, item, value(*node.value));
  emit(Op::set_item, item, object, key, static_cast<uint16_t>(drops(object, key) | kDropA));
}

void Lowering::augment_items(const ast::AugAssign& node, Reg object, const ast::Tuple& keys) {
  const auto& target = ast::as<ast::Subscript>(*node.target);
  const uint16_t count = keys_flags(object, keys);
  Reg base = in_a_row(keys.elts);
  Reg item = temporary();
  {
    At here(*this, target.span, {target.value->span.end, target.span.end});
    emit(Op::get_items, item, object, base, static_cast<uint16_t>((count & ~kDropB) | kKeepKeys));
  }
  arithmetic_in_place(node.op, item, item, value(*node.value));
  emit(Op::set_items, item, object, base, static_cast<uint16_t>(count | kDropA));
}

void Lowering::lower(const ast::AugAssign& node) {
  Mark mark(*this);
  augment(node);
}

void Lowering::del(const ast::Expr& target) {
  At at(*this, target.span);
  Mark mark(*this);
  switch (target.kind) {
    case ast::ExprKind::Name: return remove(ast::as<ast::Name>(target).id);
    case ast::ExprKind::Attribute: {
      const auto& node = ast::as<ast::Attribute>(target);
      Reg object = value(*node.value);
      emit(Op::delete_attribute, 0, object, site(node.attr), drops(object));
      return;
    }
    case ast::ExprKind::Subscript: {
      const auto& node = ast::as<ast::Subscript>(target);
      Reg object = value(*node.value);
      Reg key = value(*node.slice);
      At item(*this, target.span, {node.value->span.end, target.span.end});
      emit(Op::delete_item, 0, object, key, drops(object, key));
      return;
    }
    case ast::ExprKind::Tuple:
    case ast::ExprKind::List:
      for (const ast::Expr* each : elements_of(target)) del(*each);
      return;
    default: fail("cannot delete this", target.span);
  }
}

void Lowering::lower(const ast::Delete& node) {
  for (const ast::Expr* target : node.targets) del(*target);
}

}  // namespace gpy
