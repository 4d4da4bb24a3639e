// Functions: parameters, defaults, captured variables, decorators; and the module as a whole.
#include "src/lower/lower.h"

#include <cassert>

#include "src/diagnostics/render.h"
#include "src/lower/lowering.h"
#include "src/state.h"
#include "src/exceptions/warn.h"

namespace gpy {

void Lowering::set_parameters(const ast::Parameters& parameters) {
  FunctionParameters& p = code_->parameters;
  auto add = [&](const ast::Parameter& each) {
    p.names.push_back(unit_.vm.intern(scope_->spelled(each.name)));
  };
  for (const auto& each : parameters.positional_only) add(each);
  for (const auto& each : parameters.regular) add(each);
  for (const auto& each : parameters.keyword_only) add(each);
  if (parameters.vararg) add(*parameters.vararg);
  if (parameters.kwarg) add(*parameters.kwarg);
  p.positional_only = static_cast<uint32_t>(parameters.positional_only.size());
  p.positional = p.positional_only + static_cast<uint32_t>(parameters.regular.size());
  p.keyword_only = static_cast<uint32_t>(parameters.keyword_only.size());
  p.has_args = parameters.vararg != nullptr;
  p.has_keywords = parameters.kwarg != nullptr;
  code_->is_simple = p.count() == p.positional;

  for (Str* name : p.names) scope_->symbol(name->view()).index = temporary();
}

static void note_cells(Scope* scope, std::vector<Symbol*>& cells) {
  for (std::string_view name : scope->order) {
    Symbol* symbol = scope->find(name);
    if (symbol->index >= 0 && symbol->is_captured) cells.push_back(symbol);
  }
}

// Gives registers to all that the frame holds, and cells to what inner functions share.
void Lowering::begin_frame() {
  give_registers(scope_);
  for (Scope* inner : scope_->comprehensions) give_registers(inner);
  code_->first_captured = temporaries(static_cast<int32_t>(scope_->captured.size()));
  for (std::string_view name : scope_->captured)
    code_->local_names.push_back(unit_.vm.intern(name));
  first_temporary_ = next_temporary_;
  std::vector<Symbol*> cells;
  note_cells(scope_, cells);
  // A parameter's value moves into its cell.
  for (Symbol* symbol : cells) {
    emit(Op::make_cell, symbol->index, symbol->is_parameter ? symbol->index : -1);
  }
}

// A dict of the parameters' annotations in a new register.
Lowering::Reg Lowering::annotations(const ast::Parameters& parameters, const ast::Expr* returns) {
  Reg dict = temporary();
  bool any = false;
  auto add = [&](std::string_view name, const ast::Expr* annotation) {
    if (!annotation) return;
    if (!std::exchange(any, true)) emit(Op::build_dict, dict);
    Mark mark(*this);
    Reg item = this->annotation(*annotation);
    emit(Op::dict_set, dict, constant(Value(unit_.vm.intern(name))), item, drops(-1, item));
  };
  for (const auto& each : parameters.positional_only) add(each.name, each.annotation);
  for (const auto& each : parameters.regular) add(each.name, each.annotation);
  if (parameters.vararg) add(parameters.vararg->name, parameters.vararg->annotation);
  for (const auto& each : parameters.keyword_only) add(each.name, each.annotation);
  if (parameters.kwarg) add(parameters.kwarg->name, parameters.kwarg->annotation);
  add("return", returns);
  if (!any) emit(Op::clear, dict);
  return dict;
}

std::string Lowering::qualified(std::string_view name) const {
  std::string all(name);
  const Symbol* symbol = scope_->find(scope_->spelled(name));
  if (symbol && symbol->is_global) return all;
  const Scope* around = scope_;
  for (; !around->has_frame(); around = around->parent)
    all = fmt::format("{}.{}", around->name, all);
  if (around->kind == Scope::module) return all;
  const bool has_locals = around->kind == Scope::function && around->name.empty();
  return code_->qualified_name + (has_locals ? ".<locals>." : ".") + all;
}

void Lowering::make_function(const void* node, const ast::Parameters& parameters, std::string name,
                             const ast::Expr* returns, bool is_generator, Reg to,
                             const std::function<void(Lowering&)>& body) {
  Mark mark(*this);
  // make_function reads a row of registers: the defaults, one for each keyword-only parameter, then
  // the annotations.
  Reg base = next_temporary_;
  uint32_t defaults = 0;
  for (const auto* list : {&parameters.positional_only, &parameters.regular}) {
    for (const auto& each : *list) {
      if (!each.default_value) continue;
      fresh(*each.default_value);
      ++defaults;
    }
  }
  for (const auto& each : parameters.keyword_only) {
    if (each.default_value) {
      fresh(*each.default_value);
    } else {
      emit(Op::clear, temporary());
    }
  }
  annotations(parameters, returns);

  Scope* scope = unit_.scopes.of(node);
  Lowering inner(unit_, scope, name, qualified(name));
  inner.span_ = inner.caret_ = span_;
  inner.set_parameters(parameters);
  inner.begin_frame();
  inner.code_->is_generator = is_generator;
  inner.code_->default_count = defaults;
  inner.code_->first_line = static_cast<uint32_t>(unit_.tree->source->line_of(span_.begin));
  body(inner);
  add_child(inner);
  emit(Op::make_function, to, base, static_cast<Reg>(code_->children.size()) - 1);
}

void Lowering::add_child(Lowering& inner) {
  inner.finish();
  for (std::string_view each : inner.scope_->captured) {
    inner.code_->captures.push_back(cell_register(each));
  }
  code_->children.push_back(inner.code_);
}

Lowering::Reg Lowering::cell_register(std::string_view name) const {
  NameLocation place = find(name);
  // A class body may bind a name of its own that its methods take from further out.
  if (place.kind == NameLocation::member)
    place = {NameLocation::cell, captured_register(scope_->spelled(name))};
  assert(place.kind == NameLocation::cell && place.index >= 0);
  return place.index;
}

void Lowering::lower(const ast::Lambda& node, Reg to) {
  make_function(&node, node.parameters, "<lambda>", nullptr, node.is_generator, to,
                [&](Lowering& inner) {
                  Reg result = inner.value(*node.body);
                  inner.emit_return(result);
                });
}

// The text of a leading string statement, the docstring.
static const ast::Constant* doc_of(ast::StmtList body) {
  if (body.empty()) return nullptr;
  const auto* statement = ast::try_as<ast::ExprStmt>(body[0]);
  const auto* text = statement ? ast::try_as<ast::Constant>(statement->value) : nullptr;
  return text && text->constant_kind == ast::ConstantKind::String ? text : nullptr;
}

void Lowering::set_doc(ast::StmtList body) {
  if (const auto* doc = doc_of(body)) code_->doc = unit_.vm.str(doc->text);
}

// @first @second def f: first(second(f))
void Lowering::decorated(ast::ExprList decorators, Reg to, const std::function<void(Reg)>& base) {
  Mark mark(*this);
  std::vector<Reg> calls;
  for (const ast::Expr* each : decorators) {
    calls.push_back(temporaries(3));
    into(*each, calls.back());
  }
  base(calls.empty() ? to : calls.back() + 2);
  for (size_t i = calls.size(); i-- > 0;) {
    At at(*this, decorators[i]->span);
    emit(Op::call, i > 0 ? calls[i - 1] + 2 : to, calls[i], 1);
  }
}

void Lowering::lower(const ast::FunctionDef& node) {
  Mark mark(*this);
  At at(*this, node.span, node.name_span);
  Reg function = temporary();
  decorated(node.decorators, function, [&](Reg to) {
    make_function(&node, node.parameters, std::string(node.name), node.returns, node.is_generator,
                  to, [&](Lowering& inner) {
                    inner.set_doc(node.body);
                    inner.statements(node.body);
                    inner.emit_return(inner.none());
                  });
  });
  store(node.name, function);
}

Ref<Code> Lowering::module(ast::StmtList body, bool keeps_value) {
  begin_frame();
  if (unit_.scopes.annotates_module && !keeps_value) begin_annotations();
  shows_ = keeps_value;
  const ast::ExprStmt* last = body.empty() ? nullptr : ast::try_as<ast::ExprStmt>(body.back());
  if (!keeps_value || !last) {
    statements(body);
    emit_return(none());
  } else {
    statements(body.first(body.size() - 1));
    Reg result = value(*last->value);
    At at(*this, last->value->span);
    emit_return(result);
  }
  set_doc(body);
  finish();
  return code_;
}

// Where a filter makes warnings errors, these become SyntaxErrors.
static void warn_of(Interpreter& vm, const Doubt& doubt, const syntax::SourceFile& source) {
  try {
    warn_at(vm, vm.types.syntax_warning, doubt.message, &source, source.line_of(doubt.span.begin));
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.syntax_warning)) throw;
    throw LoweringError{doubt.message, doubt.span};
  }
}

Ref<Code> lower_module(Interpreter& vm, std::shared_ptr<const ast::Tree> tree, bool keeps_value) {
  try {
    bool& text_at_prompt = vm.state().annotations_are_text;
    ScopeTable scopes(*tree, keeps_value && text_at_prompt);
    if (keeps_value) text_at_prompt |= scopes.annotations_are_text;
    for (const Doubt& each : scopes.doubts) warn_of(vm, each, *tree->source);
    Unit unit{vm, tree, scopes};
    Lowering lowering(unit, scopes.of(&tree->module), "<module>", "<module>");
    return lowering.module(tree->module.body, keeps_value);
  } catch (const LoweringError& error) {
    raise_syntax_error(vm, error.message, *tree->source, error.span);
  }
}

}  // namespace gpy
