// Emission: instructions with their places, labels, constants and registers.
#include "src/lower/lowering.h"
#include "src/numbers/number.h"
#include "src/state.h"

namespace gpy {

Lowering::Lowering(Unit& unit, Scope* scope, std::string name, std::string qualified_name)
    : unit_(unit), scope_(scope), code_(unit.vm.make<Code>(unit.vm.types.code)) {
  code_->name = std::move(name);
  code_->qualified_name = std::move(qualified_name);
  code_->source = unit.tree->source;
  code_->is_library = code_->source->name().starts_with("<gpy>/");
}

// A finally body is emitted at each way out of its try, so bodies inside one another multiply.
void Lowering::count_final_instruction() {
  constexpr size_t kMost = 1 << 18;
  if (++unit_.final_size > kMost) fail("too many finally blocks inside one another", span_);
}

size_t Lowering::emit(Op op, Reg a, Reg b, Reg c, uint16_t d) {
  if (unit_.final_depth > 0) count_final_instruction();
  if (op == Op::move && b < 0) op = Op::load_constant;
  if (op == Op::move && d & kDropB) op = Op::take;
  code_->instructions.push_back({op, d, a, b, c});
  code_->spans.push_back(span_);
  code_->carets.push_back(caret_);
  return here() - 1;
}

// Every jump holds its distance in `a`, except those that have a result.
static int32_t& jump_distance(Instruction& jump) {
  return jump.op == Op::for_iter || jump.op == Op::delegate ? jump.c : jump.a;
}

static void set_target(std::vector<Instruction>& code, size_t jump, int32_t target) {
  jump_distance(code[jump]) = target - static_cast<int32_t>(jump);
}

size_t Lowering::emit_jump(Op op, Label& target, Reg b, Reg c, uint16_t d) {
  size_t at = emit(op, 0, b, c, d);
  if (target.target_ < 0) {
    target.jumps_.push_back(at);
  } else {
    set_target(code_->instructions, at, target.target_);
  }
  return at;
}

void Lowering::place(Label& label) {
  label.target_ = static_cast<int32_t>(here());
  for (size_t jump : label.jumps_) set_target(code_->instructions, jump, label.target_);
  label.jumps_.clear();
}

// Emits a return; registers from `c` on hold no objects at that point.
void Lowering::emit_return(Reg result) {
  emit(Op::return_value, 0, result, next_temporary_, drops(result));
}

Lowering::Reg Lowering::constant(Value value) {
  if (value.is_integer()) {
    auto [at, is_new] = int_constants_.try_emplace(value.as_integer(), 0);
    if (!is_new) return at->second;
    code_->constants.push_back(value);
    return at->second = -static_cast<Reg>(code_->constants.size());
  }
  if (const Str* text = value.try_as<Str>()) {
    auto [at, is_new] = text_constants_.try_emplace(std::string(text->view()), 0);
    if (!is_new) return at->second;
    code_->constants.push_back(value);
    return at->second = -static_cast<Reg>(code_->constants.size());
  }
  if (value.is_none() || value.is_boolean()) {
    int key = value.is_none() ? 2 : value.as_boolean();
    for (auto& [known, reg] : constants_) {
      if (known == key) return reg;
    }
    code_->constants.push_back(value);
    constants_.push_back({key, -static_cast<Reg>(code_->constants.size())});
    return constants_.back().second;
  }
  code_->constants.push_back(std::move(value));
  return -static_cast<Reg>(code_->constants.size());
}

static Value big_constant(Interpreter& vm, std::string_view text) {
  return *int_from_text(vm, text, text.starts_with("0x") ? 16 : 10);
}

Value constant_value(Interpreter& vm, const ast::Constant& node) {
  switch (node.constant_kind) {
    case ast::ConstantKind::None: return Value::none();
    case ast::ConstantKind::False: return Value::boolean(false);
    case ast::ConstantKind::True: return Value::boolean(true);
    case ast::ConstantKind::Ellipsis: return Value::ellipsis();
    case ast::ConstantKind::Integer: return Value::integer(node.integer);
    case ast::ConstantKind::BigInteger: return big_constant(vm, node.text);
    case ast::ConstantKind::Float: return Value::real(node.real);
    case ast::ConstantKind::Imaginary: return vm.complex(0, node.real);
    case ast::ConstantKind::String:
      // Words are interned: they may be attribute names and keys.
      return node.text.size() <= 32 ? Value(vm.intern(node.text)) : vm.str(node.text);
    case ast::ConstantKind::Bytes: return vm.bytes(std::string(node.text));
  }
  __builtin_unreachable();
}

static Value known_negative(Interpreter& vm, const ast::UnaryOp& node) {
  const auto* number = ast::try_as<ast::Constant>(node.operand);
  if (!number || node.op != ast::UnaryOperator::USub) return Value();
  switch (number->constant_kind) {
    case ast::ConstantKind::Integer:
    case ast::ConstantKind::BigInteger:
    case ast::ConstantKind::Float:
    case ast::ConstantKind::Imaginary:
      return vm.unary(UnaryOp::negative, constant_value(vm, *number));
    default: return Value();
  }
}

// Collects the values of constant expressions; false: not all are known.
static bool known_values(Interpreter& vm, ast::ExprList nodes, std::vector<Value>& values) {
  for (const ast::Expr* each : nodes) {
    Value known = known_value(vm, *each);
    if (known.is_undefined()) return false;
    values.push_back(std::move(known));
  }
  return true;
}

Value known_value(Interpreter& vm, const ast::Expr& node) {
  if (const auto* n = ast::try_as<ast::Constant>(&node)) return constant_value(vm, *n);
  if (const auto* n = ast::try_as<ast::UnaryOp>(&node)) return known_negative(vm, *n);
  const auto* tuple = ast::try_as<ast::Tuple>(&node);
  std::vector<Value> items;
  return tuple && known_values(vm, tuple->elts, items) ? Value(vm.tuple(items)) : Value();
}

Value known_set(Interpreter& vm, ast::ExprList items) {
  std::vector<Value> values;
  if (!known_values(vm, items, values)) return Value();
  auto add_to_new = [&](auto&& keys) {
    auto set = vm.make<Set>(vm.types.frozenset);
    for (const Value& key : keys) set->add(vm, key);
    return set;
  };
  // Like CPython's compiler, adds the items again in the first set's order: sets then print alike.
  Ref<Set> first = add_to_new(values);
  values.clear();
  for (const Set::Entry& entry : first->entries()) {
    if (entry.key.is_defined()) values.push_back(entry.key);
  }
  return add_to_new(values);
}

Lowering::Reg Lowering::constant_of(const ast::Constant& node) {
  return constant(constant_value(unit_.vm, node));
}

int32_t Lowering::site(std::string_view name) {
  code_->sites.emplace_back(unit_.vm.intern(scope_->spelled(name)));
  return static_cast<int32_t>(code_->sites.size()) - 1;
}

Lowering::Reg Lowering::temporary() { return temporaries(1); }

Lowering::Reg Lowering::temporaries(int32_t count) {
  Reg first = next_temporary_;
  next_temporary_ += count;
  register_count_ = std::max(register_count_, next_temporary_);
  return first;
}

void Lowering::fail(std::string message, syntax::Span span) const {
  throw LoweringError{std::move(message), span};
}

void Lowering::finish() {
  code_->register_count = register_count_;
  if (code_->is_simple && !code_->is_generator) {
    code_->plain_count = static_cast<int32_t>(code_->parameters.positional);
  }
  if (!code_->kernels.empty()) code_->tree = unit_.tree;
  if (code_->is_generator && !code_->handlers.empty()) unit_.vm.state().has_ends = true;
}

}  // namespace gpy
