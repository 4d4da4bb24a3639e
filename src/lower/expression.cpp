// Expressions: operators, displays, attributes, formatted strings.
#include "src/lower/lowering.h"
#include "src/lower/operators.h"

namespace gpy {

Lowering::Reg Lowering::value(const ast::Expr& node) {
  if (const auto* name = ast::try_as<ast::Name>(&node)) {
    NameLocation place = find(name->id);
    if (place.kind == NameLocation::local) return place.index;
  }
  if (auto constant = constant_operand(node)) return *constant;
  return fresh(node);
}

// The constant that the expression is, if that is obvious from its form.
std::optional<Lowering::Reg> Lowering::constant_operand(const ast::Expr& node) {
  if (const auto* constant = ast::try_as<ast::Constant>(&node)) return constant_of(*constant);
  if (const auto* slice = ast::try_as<ast::Slice>(&node)) return constant_slice(*slice);
  Value known = known_value(unit_.vm, node);
  return known.is_defined() ? std::optional(constant(std::move(known))) : std::nullopt;
}

// A value that is only searched or iterated: a set display of constants is made once.
Lowering::Reg Lowering::unchanged_source(const ast::Expr& node) {
  const auto* set = ast::try_as<ast::Set>(&node);
  Value known = set ? known_set(unit_.vm, set->elts) : Value();
  return known.is_defined() ? constant(std::move(known)) : value(node);
}

Lowering::Reg Lowering::fresh(const ast::Expr& node) {
  Reg to = temporary();
  into(node, to);
  return to;
}

void Lowering::into(const ast::Expr& node, Reg to) {
  At at(*this, node.span);
  Mark mark(*this);
  ast::visit(node, [&](const auto& n) { lower(n, to); });
}

void Lowering::effect(const ast::Expr& node) {
  Mark mark(*this);
  if (node.kind == ast::ExprKind::Constant) return;
  Reg reg = value(node);
  At at(*this, node.span);
  if (is_temporary(reg)) {
    emit(Op::clear, reg);
  } else {
    emit(Op::check, 0, reg);
  }
}

// A local that a later operand's `:=` may rebind is copied now.
Lowering::Reg Lowering::left_operand(const ast::Expr& node) {
  return scope_->frame()->has_walrus ? fresh(node) : value(node);
}

// --- tests ---------------------------------------------------------------------------------------

std::optional<bool> Lowering::known_truth(const ast::Expr& test) const {
  const auto* constant = ast::try_as<ast::Constant>(&test);
  if (!constant) return std::nullopt;
  switch (constant->constant_kind) {
    case ast::ConstantKind::True: return true;
    case ast::ConstantKind::None:
    case ast::ConstantKind::False: return false;
    case ast::ConstantKind::Integer: return constant->integer != 0;
    default: return std::nullopt;
  }
}

void Lowering::jump_if(Reg test, bool sense, Label& target) {
  emit_jump(sense ? Op::jump_if_true : Op::jump_if_false, target, test, 0, drops(test));
}

static std::optional<Op> comparing_jump(ast::CompareOperator op) {
  switch (op) {
    case ast::CompareOperator::Eq: return Op::jump_equal;
    case ast::CompareOperator::NotEq: return Op::jump_not_equal;
    case ast::CompareOperator::Lt: return Op::jump_less;
    case ast::CompareOperator::LtE: return Op::jump_less_equal;
    case ast::CompareOperator::Gt: return Op::jump_greater;
    case ast::CompareOperator::GtE: return Op::jump_greater_equal;
    default: return std::nullopt;
  }
}

void Lowering::branch_on_comparison(const ast::Compare& node, bool sense, Label& target) {
  At at(*this, node.span, node.comparisons[0].op_span);
  Reg left = left_operand(*node.left);
  Reg right = value(*node.comparisons[0].right);
  uint16_t flags = drops(left, right) | (sense ? 0 : kJumpIfNot);
  emit_jump(*comparing_jump(node.comparisons[0].op), target, left, right, flags);
}

void Lowering::branch(const ast::Expr& test, bool sense, Label& target) {
  Mark mark(*this);
  if (auto known = known_truth(test)) {
    if (*known == sense) emit_jump(Op::jump, target);
    return;
  }
  if (const auto* n = ast::try_as<ast::UnaryOp>(&test); n && n->op == ast::UnaryOperator::Not) {
    return branch(*n->operand, !sense, target);
  }
  if (const auto* n = ast::try_as<ast::BoolOp>(&test)) {
    // Each operand but the last leaves early when it decides the whole.
    bool decides = n->op == ast::BoolOperator::Or;
    Label past;
    for (const ast::Expr* each : n->values) {
      bool is_last = each == n->values.back();
      branch(*each, is_last ? sense : decides, is_last || decides == sense ? target : past);
    }
    return place(past);
  }
  if (const auto* n = ast::try_as<ast::Compare>(&test);
      n && n->comparisons.size() == 1 && comparing_jump(n->comparisons[0].op)) {
    return branch_on_comparison(*n, sense, target);
  }
  Reg reg = value(test);
  At at(*this, test.span);
  jump_if(reg, sense, target);
}

void Lowering::lower(const ast::BoolOp& node, Reg to) {
  Reg result = is_temporary(to) ? to : temporary();
  Label done;
  for (const ast::Expr* each : node.values) {
    into(*each, result);
    if (each == node.values.back()) break;
    // The value stays: it may be the result.
    emit_jump(node.op == ast::BoolOperator::Or ? Op::jump_if_true : Op::jump_if_false, done,
              result);
  }
  place(done);
  if (result != to) emit(Op::move, to, result, 0, kDropB);
}

void Lowering::lower(const ast::IfExp& node, Reg to) {
  Label otherwise, done;
  branch(*node.test, false, otherwise);
  into(*node.body, to);
  emit_jump(Op::jump, done);
  place(otherwise);
  into(*node.orelse, to);
  place(done);
}

void Lowering::lower(const ast::NamedExpr& node, Reg to) {
  into(*node.value, to);
  Reg copy = temporary();
  emit(Op::move, copy, to);
  store(ast::as<ast::Name>(*node.target).id, copy);
}

// --- operators -----------------------------------------------------------------------------------

static uint16_t with_operator(uint16_t flags, int op) {
  return static_cast<uint16_t>(flags | op << kOperatorShift);
}

// The instruction of the run loop itself for a common operator; nullopt for the others.
static std::optional<Op> own_instruction(BinaryOp op) {
  switch (op) {
    case BinaryOp::add: return Op::add;
    case BinaryOp::subtract: return Op::subtract;
    case BinaryOp::multiply: return Op::multiply;
    case BinaryOp::true_divide: return Op::true_divide;
    case BinaryOp::floor_divide: return Op::floor_divide;
    case BinaryOp::remainder: return Op::remainder;
    case BinaryOp::bit_and: return Op::bit_and;
    case BinaryOp::bit_or: return Op::bit_or;
    case BinaryOp::bit_xor: return Op::bit_xor;
    default: return std::nullopt;
  }
}

void Lowering::arithmetic(ast::BinaryOperator op, Reg to, Reg left, Reg right, uint16_t flags) {
  const BinaryOp which = binary_operator(op);
  if (auto own = own_instruction(which)) {
    emit(*own, to, left, right, flags);
  } else {
    emit(Op::binary, to, left, right, with_operator(flags, static_cast<int>(which)));
  }
}

static bool divides(BinaryOp op) {
  return op == BinaryOp::true_divide || op == BinaryOp::floor_divide || op == BinaryOp::remainder;
}

static bool is_foldable(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::subtract || op == BinaryOp::multiply || divides(op);
}

// "ab" * 3, if that is short.
static bool is_short_repetition(BinaryOp op, const Value& lhs, const Value& rhs) {
  constexpr int64_t kMost = 4096;
  const Str* text = lhs.try_as<Str>();
  return op == BinaryOp::multiply && text && text->bytes <= kMost && rhs.is_integer() &&
         rhs.as_integer() >= 0 && rhs.as_integer() <= kMost &&
         static_cast<int64_t>(text->bytes) * rhs.as_integer() <= kMost;
}

// The value of an operator on two constants; undefined where it raises, which must happen when it
// runs, and where it may be large.
static Value folded(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  auto is_small = [](const Value& v) { return v.is_integer() || v.is_real(); };
  if (is_short_repetition(op, lhs, rhs)) return vm.binary(op, lhs, rhs);
  if (!is_foldable(op) || !is_small(lhs) || !is_small(rhs)) return Value();
  if (divides(op) && !vm.truth(rhs)) return Value();
  return vm.binary(op, lhs, rhs);
}

void Lowering::lower(const ast::BinOp& node, Reg to) {
  Reg left = left_operand(*node.left);
  Reg right = value(*node.right);
  if (left < 0 && right < 0) {
    const auto& constants = code_->constants;
    Value result =
        folded(unit_.vm, binary_operator(node.op), constants[static_cast<size_t>(-left - 1)],
               constants[static_cast<size_t>(-right - 1)]);
    if (result.is_defined()) {
      emit(Op::move, to, constant(result));
      return;
    }
  }
  At at(*this, node.span, node.op_span);
  arithmetic(node.op, to, left, right, drops(left, right));
}

// -1 is a constant.
void Lowering::lower(const ast::UnaryOp& node, Reg to) {
  if (auto negative = constant_operand(node)) return move_constant(to, *negative);
  Reg operand = value(*node.operand);
  uint16_t flags = drops(operand);
  switch (node.op) {
    case ast::UnaryOperator::Not: emit(Op::logical_not, to, operand, 0, flags); return;
    case ast::UnaryOperator::Invert:
      emit(Op::unary, to, operand, 0, with_operator(flags, static_cast<int>(UnaryOp::invert)));
      return;
    case ast::UnaryOperator::UAdd:
      emit(Op::unary, to, operand, 0, with_operator(flags, static_cast<int>(UnaryOp::positive)));
      return;
    case ast::UnaryOperator::USub:
      emit(Op::unary, to, operand, 0, with_operator(flags, static_cast<int>(UnaryOp::negative)));
      return;
  }
}

void Lowering::comparison(ast::CompareOperator op, Reg to, Reg left, Reg right, uint16_t flags) {
  using enum ast::CompareOperator;
  auto one = [&](Op which) { emit(which, to, left, right, flags); };
  switch (op) {
    case Eq: return one(Op::equal);
    case NotEq: return one(Op::not_equal);
    case Lt: return one(Op::less);
    case LtE: return one(Op::less_equal);
    case Gt: return one(Op::greater);
    case GtE: return one(Op::greater_equal);
    case Is: return one(Op::is_same);
    case IsNot: return one(Op::is_not_same);
    case In: return one(Op::contains);
    case NotIn: return one(Op::contains_not);
  }
}

void Lowering::lower(const ast::Compare& node, Reg to) {
  Reg left = left_operand(*node.left);
  if (node.comparisons.size() == 1) {
    using enum ast::CompareOperator;
    const auto op = node.comparisons[0].op;
    const ast::Expr& container = *node.comparisons[0].right;
    Reg right = op == In || op == NotIn ? unchanged_source(container) : value(container);
    At at(*this, node.span, node.comparisons[0].op_span);
    return comparison(op, to, left, right, drops(left, right));
  }
  // a < b < c: b is kept for its second comparison; the first that fails is the result.
  Reg result = temporary();
  Reg last_kept = result;
  Label done;
  for (const auto& each : node.comparisons) {
    bool is_last = &each == &node.comparisons.back();
    Reg right = is_last ? value(*each.right) : fresh(*each.right);
    if (!is_last) last_kept = right;
    At at(*this, node.span, each.op_span);
    uint16_t flags = drops(left, is_last ? right : -1);
    comparison(each.op, result, left, right, flags);
    if (!is_last) emit_jump(Op::jump_if_false, done, result);
    left = right;
  }
  place(done);
  // Clears the operand that a failed comparison left in its register.
  for (Reg kept = result + 1; kept <= last_kept; ++kept) emit(Op::clear, kept);
  emit(Op::move, to, result, 0, kDropB);
}

// --- displays ------------------------------------------------------------------------------------

static bool has_star(ast::ExprList elements) {
  for (const ast::Expr* each : elements) {
    if (each->kind == ast::ExprKind::Starred) return true;
  }
  return false;
}

void Lowering::display(Op build, ast::ExprList elements, Reg to) {
  Reg base = next_temporary_;
  for (const ast::Expr* each : elements) fresh(*each);
  emit(build, to, base, static_cast<Reg>(elements.size()));
}

// Builds the list of `elements`, starred ones spread, in register `list`.
void Lowering::starred_list(ast::ExprList elements, Reg list, uint16_t flags) {
  emit(Op::build_list, list, 0, 0);
  for (const ast::Expr* each : elements) {
    Mark mark(*this);
    const auto* starred = ast::try_as<ast::Starred>(each);
    Reg item = value(starred ? *starred->value : *each);
    At at(*this, each->span);
    emit(starred ? Op::list_extend : Op::list_append, list, item, 0,
         static_cast<uint16_t>(drops(item) | flags));
  }
}

void Lowering::lower(const ast::List& node, Reg to) {
  if (!has_star(node.elts)) return display(Op::build_list, node.elts, to);
  Reg list = temporary();
  starred_list(node.elts, list);
  emit(Op::move, to, list, 0, kDropB);
}

void Lowering::lower(const ast::Tuple& node, Reg to) {
  if (auto known = constant_operand(node)) return move_constant(to, *known);
  if (!has_star(node.elts)) return display(Op::build_tuple, node.elts, to);
  Reg list = temporary();
  starred_list(node.elts, list);
  emit(Op::list_to_tuple, to, list, 0, kDropB);
}

void Lowering::lower(const ast::Set& node, Reg to) {
  // CPython's order: from three constants on, a set display is merged from one made before.
  Value known = node.elts.size() > 2 ? known_set(unit_.vm, node.elts) : Value();
  if (known.is_defined()) {
    emit(Op::build_set, to, 0, 0);
    emit(Op::set_update, to, constant(std::move(known)));
    return;
  }
  if (!has_star(node.elts)) return display(Op::build_set, node.elts, to);
  Reg set = temporary();
  emit(Op::build_set, set, 0, 0);
  for (const ast::Expr* each : node.elts) {
    Mark mark(*this);
    const auto* starred = ast::try_as<ast::Starred>(each);
    Reg item = value(starred ? *starred->value : *each);
    emit(starred ? Op::set_update : Op::set_add, set, item, 0, drops(item));
  }
  emit(Op::move, to, set, 0, kDropB);
}

// The number of pairs from `first` on that are evaluated before any is stored: if a key's hash has
// visible effects, CPython evaluates a short run of pairs as a whole.
static size_t pairs_at_once(std::span<const ast::DictItem> items, size_t first) {
  constexpr size_t kMost = 15;
  size_t end = first;
  bool plain = true;
  for (; end < items.size() && end - first <= kMost && items[end].key; ++end) {
    plain &= ast::try_as<ast::Constant>(items[end].key) != nullptr;
  }
  return plain || end - first > kMost ? 1 : end - first;
}

void Lowering::dict_pairs(std::span<const ast::DictItem> items, Reg dict) {
  std::vector<Reg> row;
  for (const auto& item : items) {
    row.push_back(items.size() == 1 ? left_operand(*item.key) : fresh(*item.key));
    row.push_back(items.size() == 1 ? value(*item.value) : fresh(*item.value));
  }
  for (size_t i = 0; i < row.size(); i += 2) {
    emit(Op::dict_set, dict, row[i], row[i + 1], drops(row[i], row[i + 1]));
  }
}

void Lowering::lower(const ast::Dict& node, Reg to) {
  Reg dict = temporary();
  emit(Op::build_dict, dict);
  std::span<const ast::DictItem> items = node.items;
  for (size_t i = 0; i < items.size();) {
    Mark mark(*this);
    if (items[i].key) {
      size_t count = pairs_at_once(items, i);
      dict_pairs(items.subspan(i, count), dict);
      i += count;
    } else {
      Reg other = value(*items[i++].value);
      emit(Op::dict_update, dict, other, 0, drops(other));
    }
  }
  emit(Op::move, to, dict, 0, kDropB);
}

void Lowering::lower(const ast::Starred& node, Reg) {
  fail("can't use starred expression here", node.span);
}

// A slice of constants is made once.
std::optional<Lowering::Reg> Lowering::constant_slice(const ast::Slice& node) {
  const ast::Expr* const parts[] = {node.lower, node.upper, node.step};
  Value bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    auto bound = parts[i] ? constant_operand(*parts[i]) : none();
    if (!bound) return std::nullopt;
    bounds[i] = code_->constants[static_cast<size_t>(-*bound - 1)];
  }
  return constant(unit_.vm.slice(bounds[0], bounds[1], bounds[2]));
}

void Lowering::lower(const ast::Slice& node, Reg to) {
  if (auto known = constant_operand(node)) return move_constant(to, *known);
  Reg base = temporaries(3);
  const ast::Expr* parts[] = {node.lower, node.upper, node.step};
  for (Reg i = 0; i < 3; ++i) {
    if (parts[i]) {
      into(*parts[i], base + i);
    } else {
      emit(Op::move, base + i, none());
    }
  }
  emit(Op::build_slice, to, base);
}

// --- the rest ------------------------------------------------------------------------------------

void Lowering::lower(const ast::Constant& node, Reg to) { emit(Op::move, to, constant_of(node)); }
void Lowering::lower(const ast::Name& node, Reg to) { load(node.id, to); }

void Lowering::lower(const ast::Attribute& node, Reg to) {
  Reg object = value(*node.value);
  emit(Op::get_attribute, to, object, site(node.attr), drops(object));
}

// The keys of object[i, j], in registers of their own; null where they need a tuple.
const ast::Tuple* Lowering::several_keys(const ast::Subscript& node) {
  constexpr size_t kMost = 8;
  const auto* keys = ast::try_as<ast::Tuple>(node.slice);
  bool plain = keys && keys->elts.size() > 1 && keys->elts.size() <= kMost && !has_star(keys->elts);
  return plain ? keys : nullptr;
}

Lowering::Reg Lowering::in_a_row(ast::ExprList elements) {
  Reg base = next_temporary_;
  for (const ast::Expr* each : elements) fresh(*each);
  return base;
}

uint16_t Lowering::keys_flags(Reg object, const ast::Tuple& keys) const {
  return static_cast<uint16_t>(drops(object) | keys.elts.size() << kCountShift);
}

void Lowering::lower(const ast::Subscript& node, Reg to) {
  Reg object = left_operand(*node.value);
  if (const ast::Tuple* keys = several_keys(node)) {
    Reg base = in_a_row(keys->elts);
    At at(*this, node.span, {node.value->span.end, node.span.end});
    emit(Op::get_items, to, object, base, keys_flags(object, *keys));
    return;
  }
  Reg key = value(*node.slice);
  At at(*this, node.span, {node.value->span.end, node.span.end});
  emit(Op::get_item, to, object, key, drops(object, key));
}

void Lowering::lower(const ast::FormattedValue& node, Reg to) {
  Reg item = left_operand(*node.value);
  Reg spec = 0;
  bool has_spec = node.format_spec && !node.format_spec->values.empty();
  if (has_spec) {
    spec = fresh(*node.format_spec);
  } else {
    spec = constant(Value(unit_.vm.intern("")));
  }
  At at(*this, node.value->span);
  emit(Op::format_text, to, item, spec,
       static_cast<uint16_t>(drops(item, spec) | node.conversion << kOperatorShift));
}

void Lowering::lower(const ast::JoinedStr& node, Reg to) {
  display(Op::join_text, node.values, to);
}

void Lowering::lower(const ast::Yield& node, Reg to) {
  Reg item = node.value ? value(*node.value) : none();
  emit(Op::yield_value, to, item, 0, drops(item));
}

// The iterator and, in the register behind it, the value sent; each turn yields one item.
void Lowering::lower(const ast::YieldFrom& node, Reg to) {
  Reg iterator = temporaries(2);
  Reg received = iterator + 1;
  {
    Mark mark(*this);
    Reg source = value(*node.value);
    At at(*this, node.value->span);
    emit(Op::get_iterator, iterator, source, 0, drops(source));
  }
  Reg item = temporary();
  Label start, next;
  emit(Op::move, received, none());
  emit_jump(Op::jump, next);
  place(start);
  emit(Op::yield_value, received, item, iterator, kDropB | kDelegates);
  place(next);
  emit_jump(Op::delegate, start, iterator);
  code_->instructions.back().a = item;
  emit(Op::clear, received);
  emit(Op::move, to, item, 0, kDropB);
}

}  // namespace gpy
