// Simple statements, conditionals and loops.
#include <algorithm>
#include <cassert>

#include "src/lower/lowering.h"

namespace gpy {

void Lowering::statements(ast::StmtList body) {
  for (const ast::Stmt* each : body) statement(*each);
}

void Lowering::statement(const ast::Stmt& node) {
  At at(*this, node.span);
  if (is_in_loop()) code_->statements.push_back({node.span.begin, static_cast<uint32_t>(here())});
  ast::visit(node, [&](const auto& n) { lower(n); });
}

void Lowering::lower(const ast::Global&) {}
void Lowering::lower(const ast::Nonlocal&) {}
void Lowering::lower(const ast::Pass&) {}
void Lowering::lower(const ast::ExprStmt& node) {
  if (!shows_) return effect(*node.value);
  Mark mark(*this);
  Reg shown = value(*node.value);
  At at(*this, node.value->span);
  emit(Op::show_value, 0, shown, 0, drops(shown));
}

void Lowering::lower(const ast::If& node) {
  Label otherwise, done;
  branch(*node.test, false, otherwise);
  statements(node.body);
  if (!node.orelse.empty()) emit_jump(Op::jump, done);
  place(otherwise);
  statements(node.orelse);
  place(done);
}

// Loops test at their end, so that a turn is one jump. One without a test is entered by a jump too:
// no iteration of a loop around it begins at the instruction that its own turns lead to, which
// would be taken for the beginning of both (src/loops).
void Lowering::lower(const ast::While& node) {
  Label start, test, done;
  auto known = known_truth(*node.test);
  bool forever = known && *known;
  emit_jump(Op::jump, forever ? start : test);
  place(start);
  open_block({.kind = Block::loop, .on_break = &done, .on_continue = &test});
  statements(node.body);
  close_block();
  place(test);
  code_->loops.push_back(
      {node.span.begin, static_cast<uint32_t>(start.target_), static_cast<uint32_t>(here())});
  if (forever) {
    emit_jump(Op::jump_back, start);
  } else {
    branch(*node.test, true, start);
  }
  statements(node.orelse);
  place(done);
}

void Lowering::lower(const ast::For& node) {
  Mark mark(*this);
  Reg iterator = temporary();
  {
    Mark inner(*this);
    Reg source = unchanged_source(*node.iter);
    At at(*this, node.iter->span);
    emit(Op::get_iterator, iterator, source, 0, drops(source));
  }
  Label start, next, broken, done;
  At at(*this, node.iter->span);
  emit_jump(Op::jump, next);
  place(start);
  const auto* name = ast::try_as<ast::Name>(node.target);
  bool is_direct = name && find(name->id).kind == NameLocation::local;
  Reg item = is_direct ? find(name->id).index : temporary();
  if (!is_direct) assign(*node.target, item);
  open_block({.kind = Block::loop, .on_break = &broken, .on_continue = &next});
  statements(node.body);
  close_block();
  place(next);
  code_->loops.push_back({node.span.begin, static_cast<uint32_t>(start.target_),
                          static_cast<uint32_t>(here()), iterator, item});
  emit_jump(Op::for_iter, start, iterator);
  code_->instructions.back().a = item;
  statements(node.orelse);
  if (!broken.is_used()) return;
  emit_jump(Op::jump, done);
  place(broken);
  emit(Op::clear, iterator);
  place(done);
}

bool Lowering::is_in_loop() const {
  return std::ranges::any_of(blocks_, [](const Block& block) { return block.kind == Block::loop; });
}

size_t Lowering::innermost_loop() const {
  size_t at = blocks_.size();
  while (at > 0 && blocks_[at - 1].kind != Block::loop) --at;
  assert(at > 0);
  return at - 1;
}

void Lowering::lower(const ast::Break&) {
  const size_t loop = innermost_loop();
  leave_blocks(loop + 1, [&] { emit_jump(Op::jump, *blocks_[loop].on_break); });
}

void Lowering::lower(const ast::Continue&) {
  const size_t loop = innermost_loop();
  leave_blocks(loop + 1, [&] { emit_jump(Op::jump, *blocks_[loop].on_continue); });
}

void Lowering::lower(const ast::Return& node) {
  if (scope_->frame()->kind != Scope::function) fail("'return' outside function", node.span);
  Mark mark(*this);
  Reg result = node.value ? value(*node.value) : none();
  if (!blocks_.empty() && !is_temporary(result) && result >= 0) {
    // A finally body may rebind the local.
    Reg copy = temporary();
    emit(Op::move, copy, result);
    result = copy;
  }
  leave_blocks(0, [&] { emit_return(result); });
}

void Lowering::lower(const ast::Raise& node) {
  Mark mark(*this);
  if (!node.exc) {
    emit(Op::raise_again, 1);
    return;
  }
  Reg exception = left_operand(*node.exc);
  Reg cause = node.cause ? value(*node.cause) : -1;
  emit(Op::raise_value, node.cause ? 1 : 0, exception, cause, drops(exception, cause));
}

void Lowering::lower(const ast::Assert& node) {
  Label holds;
  branch(*node.test, true, holds);
  Mark mark(*this);
  Reg message = node.message ? value(*node.message) : -1;
  At at(*this, node.test->span);
  emit(Op::assertion_failed, node.message ? 1 : 0, message, 0, drops(message));
  place(holds);
}

// --- import --------------------------------------------------------------------------------------

static std::string_view first_part(std::string_view dotted) {
  return dotted.substr(0, dotted.find('.'));
}

void Lowering::lower(const ast::Import& node) {
  for (const auto& alias : node.names) {
    Mark mark(*this);
    Reg module = temporary();
    Reg name = constant(Value(unit_.vm.intern(alias.name)));
    bool wants_top = alias.asname.empty();
    emit(Op::import_name, module, name, wants_top ? 1 : 0);
    store(wants_top ? first_part(alias.name) : alias.asname, module);
  }
}

void Lowering::lower(const ast::ImportFrom& node) {
  Mark mark(*this);
  Reg module = temporary();
  Reg name = constant(Value(unit_.vm.intern(node.module)));
  emit(Op::import_name, module, name, 0, static_cast<uint16_t>(node.level << kOperatorShift));
  for (const auto& alias : node.names) {
    if (alias.name == "*") {
      emit(Op::import_star, 0, module);
      continue;
    }
    Mark inner(*this);
    Reg item = temporary();
    emit(Op::import_from, item, module, constant(Value(unit_.vm.intern(alias.name))));
    store(alias.asname.empty() ? alias.name : alias.asname, item);
  }
  emit(Op::clear, module);
}

void Lowering::lower(const ast::KernelDef& node) {
  Mark mark(*this);
  Reg kernel = temporary();
  decorated(node.decorators, kernel, [&](Reg to) {
    code_->kernels.push_back(&node);
    emit(Op::make_kernel, to, static_cast<Reg>(code_->kernels.size()) - 1);
  });
  store(node.name, kernel);
}

}  // namespace gpy
