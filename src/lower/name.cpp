// Names: registers, cells, globals.
#include <algorithm>

#include "src/lower/lowering.h"

namespace gpy {

// Gives the scope's own variables registers above those in use. Captured ones hold cells.
void Lowering::give_registers(Scope* scope) {
  for (std::string_view name : scope->order) {
    Symbol& symbol = *scope->find(name);
    if (scope->kind == Scope::class_body && name != "__class__") continue;
    if (!symbol.is_bound || symbol.is_global || symbol.is_nonlocal) continue;
    if (scope->kind == Scope::module) continue;
    // A function in a finally body is lowered once for each way out: each time its variables get
    // new registers.
    if (!symbol.is_parameter) symbol.index = temporary();
    auto index = static_cast<size_t>(symbol.index);
    if (code_->local_names.size() <= index)
      code_->local_names.resize(index + 1, unit_.vm.intern(""));
    code_->local_names[index] = unit_.vm.intern(name);
  }
}

Lowering::Reg Lowering::captured_register(std::string_view name) const {
  const auto& names = scope_->frame()->captured;
  auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : code_->first_captured + static_cast<Reg>(at - names.begin());
}

NameLocation Lowering::find(std::string_view written) const {
  std::string_view name = scope_->spelled(written);
  for (Scope* scope = scope_;; scope = scope->parent) {
    Symbol* symbol = scope->find(name);
    if (symbol && symbol->is_global) return {NameLocation::global, 0};
    if (symbol && symbol->index >= 0) {
      return {symbol->is_captured ? NameLocation::cell : NameLocation::local, symbol->index};
    }
    bool is_own = scope == scope_ && scope->kind == Scope::class_body;
    if (is_own && symbol && symbol->is_bound && !symbol->is_nonlocal)
      return {NameLocation::member, 0};
    if (scope->has_frame()) break;
  }
  Reg captured = captured_register(name);
  if (captured >= 0) return {NameLocation::cell, captured};
  return {NameLocation::global, 0};
}

// A class body that writes into its locals() has more names than it binds.
static bool may_be_member(Scope& scope, std::string_view written) {
  if (scope.kind != Scope::class_body) return false;
  const Symbol* symbol = scope.find(scope.spelled(written));
  return !symbol || !symbol->is_global;
}

void Lowering::load(std::string_view name, Reg to) {
  NameLocation place = find(name);
  switch (place.kind) {
    case NameLocation::local: emit(Op::move, to, place.index); break;
    case NameLocation::cell: emit(Op::load_cell, to, place.index); break;
    case NameLocation::member: emit(Op::load_name, to, 0, site(name)); break;
    case NameLocation::global:
      emit(may_be_member(*scope_, name) ? Op::load_name : Op::load_global, to, 0, site(name));
      break;
  }
}

void Lowering::store(std::string_view name, Reg from) {
  NameLocation place = find(name);
  switch (place.kind) {
    case NameLocation::local:
      if (place.index != from) emit(Op::move, place.index, from, 0, drops(from));
      break;
    case NameLocation::cell: emit(Op::store_cell, place.index, from, 0, drops(from)); break;
    case NameLocation::member: emit(Op::store_name, 0, from, site(name), drops(from)); break;
    case NameLocation::global: emit(Op::store_global, 0, from, site(name), drops(from)); break;
  }
}

void Lowering::remove(std::string_view name) {
  NameLocation place = find(name);
  switch (place.kind) {
    case NameLocation::local: emit(Op::delete_local, place.index); break;
    case NameLocation::cell: emit(Op::delete_cell, place.index); break;
    case NameLocation::member: emit(Op::delete_name, 0, 0, site(name)); break;
    case NameLocation::global: emit(Op::delete_global, 0, 0, site(name)); break;
  }
}

}  // namespace gpy
