// Classes. A body runs as a function of the dict that its names go to; it returns the cell of
// __class__ for the methods that use it.
#include "src/lower/lowering.h"

namespace gpy {

void Lowering::make_class_body(const ast::ClassDef& node, Reg to) {
  Mark mark(*this);
  Scope* scope = unit_.scopes.of(&node);
  Lowering inner(unit_, scope, std::string(node.name), qualified(node.name));
  inner.span_ = inner.caret_ = span_;
  inner.code_->parameters.names = {unit_.vm.intern(kClassNames)};
  inner.code_->parameters.positional = 1;
  inner.code_->is_simple = true;
  inner.temporary();
  inner.begin_frame();
  inner.code_->first_line = static_cast<uint32_t>(unit_.tree->source->line_of(span_.begin));
  inner.set_doc(node.body);
  inner.statements(node.body);
  const Symbol& itself = *scope->find("__class__");
  inner.emit(Op::return_value, 0, itself.is_captured ? itself.index : inner.none());
  add_child(inner);
  Reg no_annotations = temporary();
  emit(Op::clear, no_annotations);
  emit(Op::make_function, to, no_annotations, static_cast<Reg>(code_->children.size()) - 1);
}

// Three registers: the body, the bases, the keywords.
void Lowering::make_class(const ast::ClassDef& node, Reg to) {
  Mark mark(*this);
  Reg base = temporaries(3);
  make_class_body(node, base);
  starred_list(node.bases, base + 1);
  emit(Op::build_dict, base + 2);
  spread_keywords(node.keywords, base + 2);
  emit(Op::build_class, to, base);
}

void Lowering::lower(const ast::ClassDef& node) {
  Mark mark(*this);
  At at(*this, node.span, node.name_span);
  Reg made = temporary();
  decorated(node.decorators, made, [&](Reg to) { make_class(node, to); });
  store(node.name, made);
}

// super() in a method: super(__class__, its first parameter).
bool Lowering::super_call(const ast::Call& node, Reg to) {
  const auto* name = ast::try_as<ast::Name>(node.func);
  if (!name || name->id != "super" || !node.args.empty() || !node.keywords.empty()) return false;
  const FunctionParameters& parameters = code_->parameters;
  bool is_method = find("super").kind == NameLocation::global &&
                   find("__class__").kind == NameLocation::cell && parameters.positional > 0 &&
                   scope_->frame()->kind == Scope::function;
  if (!is_method) return false;
  Reg base = temporaries(4);
  into(*node.func, base);
  load("__class__", base + 2);
  load(parameters.names[0]->view(), base + 3);
  emit(Op::call, to, base, 2);
  return true;
}

}  // namespace gpy
