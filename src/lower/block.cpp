// try, with, and the code that leaves them. A finally body is lowered once for each way out:
// falling off the end, an exception, and each return, break and continue.
#include "src/lower/lowering.h"

namespace gpy {

// --- blocks --------------------------------------------------------------------------------------

void Lowering::open_block(Block block) {
  block.begin = here();
  block.open = true;
  blocks_.push_back(std::move(block));
}

static void close_range(auto& block, size_t at) {
  if (!block.open) return;
  if (at > block.begin) block.ranges.push_back({block.begin, at});
  block.open = false;
}

Lowering::Block Lowering::close_block() {
  Block block = std::move(blocks_.back());
  blocks_.pop_back();
  close_range(block, here());
  return block;
}

Lowering::Reg Lowering::enclosing_exception() const {
  for (size_t i = blocks_.size(); i-- > 0;) {
    if (blocks_[i].kind == Block::handler) return blocks_[i].reg;
  }
  return Handler::kNone;
}

void Lowering::add_handlers(const Block& block, size_t target, Reg exception) {
  for (auto [begin, end] : block.ranges) {
    code_->handlers.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                               static_cast<uint32_t>(target), exception});
  }
}

void Lowering::end_handler(const Block& handler) {
  if (!handler.name.empty()) forget_exception(handler.name);
  emit(Op::end_handler, handler.reg, enclosing_exception());
}

// Emits the exits of the blocks from `depth` on, with these blocks closed, then the jump or return.
void Lowering::leave_blocks(size_t depth, const std::function<void()>& exit) {
  std::vector<Block> left;
  while (blocks_.size() > depth) {
    Block block = std::move(blocks_.back());
    blocks_.pop_back();
    close_range(block, here());
    leave(block);
    left.push_back(std::move(block));
  }
  exit();
  while (!left.empty()) {
    Block block = std::move(left.back());
    left.pop_back();
    block.begin = here();
    block.open = true;
    blocks_.push_back(std::move(block));
  }
}

void Lowering::leave(const Block& block) {
  Mark mark(*this);
  switch (block.kind) {
    case Block::loop:
    case Block::guarded: return;
    case Block::finally: return final_body(block.final_body);
    case Block::with: emit(Op::with_exit, temporary(), block.reg, none(), kDropB); return;
    case Block::handler: return end_handler(block);
  }
}

// --- try -----------------------------------------------------------------------------------------

void Lowering::final_body(ast::StmtList body) {
  ++unit_.final_depth;
  statements(body);
  --unit_.final_depth;
}

// Goes to `next` unless the clause takes the exception.
void Lowering::match(const ast::ExceptHandler& handler, Reg exception, Label& next) {
  Mark mark(*this);
  Reg matches = temporary();
  if (handler.type) {
    Reg type = value(*handler.type);
    At at(*this, handler.type->span);
    emit(Op::match_exception, matches, exception, type, drops(-1, type));
  } else {
    emit(Op::match_exception, matches, exception, exception);
  }
  emit_jump(Op::jump_if_false, next, matches);
}

void Lowering::name_exception(std::string_view name, Reg exception) {
  Mark mark(*this);
  Reg copy = temporary();
  emit(Op::move, copy, exception);
  store(name, copy);
}

void Lowering::forget_exception(std::string_view name) {
  store(name, none());
  remove(name);
}

// Deletes the handler's name when its body raises, too.
void Lowering::forget_when_raising(const Block& handler) {
  Mark mark(*this);
  Reg raised = temporary();
  add_handlers(handler, here(), raised);
  forget_exception(handler.name);
  emit(Op::raise_again, 0, raised, 0, kDropB);
}

void Lowering::except_clause(const ast::ExceptHandler& handler, Reg exception, Label& done) {
  Label next;
  At at(*this, handler.span);
  match(handler, exception, next);
  if (!handler.name.empty()) name_exception(handler.name, exception);
  open_block({.kind = Block::handler, .reg = exception, .name = handler.name});
  statements(handler.body);
  Block block = close_block();
  end_handler(block);
  emit_jump(Op::jump, done);
  if (!handler.name.empty()) forget_when_raising(block);
  place(next);
}

void Lowering::guarded_body(const ast::Try& node) {
  if (node.handlers.empty()) return statements(node.body);
  Label done;
  open_block({.kind = Block::guarded});
  statements(node.body);
  Block block = close_block();
  statements(node.orelse);
  emit_jump(Op::jump, done);

  Mark mark(*this);
  Reg exception = temporary();
  add_handlers(block, here(), exception);
  for (const auto& handler : node.handlers) except_clause(handler, exception, done);
  emit(Op::raise_again, 0, exception, 0, kDropB);
  place(done);
}

void Lowering::lower(const ast::Try& node) {
  if (node.finalbody.empty()) return guarded_body(node);
  Label done;
  open_block({.kind = Block::finally, .final_body = node.finalbody});
  guarded_body(node);
  if (node.handlers.empty()) statements(node.orelse);
  Block block = close_block();
  final_body(node.finalbody);
  emit_jump(Op::jump, done);

  Mark mark(*this);
  Reg exception = temporary();
  add_handlers(block, here(), exception);
  open_block({.kind = Block::handler, .reg = exception});
  final_body(node.finalbody);
  close_block();
  emit(Op::raise_again, 0, exception, 0, kDropB);
  place(done);
}

// --- with ----------------------------------------------------------------------------------------

// Passes the exception to the manager; it goes on unless the answer is true.
void Lowering::exit_raising(Reg manager, Reg exception) {
  Label swallowed;
  Reg verdict = temporary();
  open_block({.kind = Block::handler, .reg = exception});
  emit(Op::with_exit, verdict, manager, exception, kDropB);
  emit_jump(Op::jump_if_true, swallowed, verdict);
  close_block();
  emit(Op::raise_again, 0, exception, 0, kDropB);
  place(swallowed);
  emit(Op::end_handler, exception, enclosing_exception());
}

void Lowering::with_items(std::span<const ast::WithItem> items, size_t i, ast::StmtList body) {
  if (i == items.size()) return statements(body);
  const ast::WithItem& item = items[i];
  Mark mark(*this);
  At at(*this, item.context_expr->span);
  Reg manager = fresh(*item.context_expr);
  Reg entered = temporary();
  emit(Op::with_enter, entered, manager);
  open_block({.kind = Block::with, .reg = manager});
  if (item.optional_vars) {
    assign(*item.optional_vars, entered);
  } else {
    emit(Op::clear, entered);
  }
  with_items(items, i + 1, body);
  Block block = close_block();
  Label done;
  emit(Op::with_exit, entered, manager, none(), kDropB);
  emit_jump(Op::jump, done);
  add_handlers(block, here(), entered);
  exit_raising(manager, entered);
  place(done);
}

void Lowering::lower(const ast::With& node) { with_items(node.items, 0, node.body); }

}  // namespace gpy
