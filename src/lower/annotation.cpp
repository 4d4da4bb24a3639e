// Annotations: values, or with `from __future__ import annotations` the text that they would have
// been read from, written as CPython writes it.
#include "src/lower/annotation_text.h"
#include "src/lower/lowering.h"

namespace gpy {

Lowering::Reg Lowering::annotation(const ast::Expr& node) {
  if (!unit_.scopes.annotations_are_text) return value(node);
  const syntax::SourceFile& source = *unit_.tree->source;
  return constant(unit_.vm.str(annotation_text(unit_.vm, source, node)));
}

// A module keeps its annotations in its variable __annotations__.
void Lowering::begin_annotations() {
  Mark mark(*this);
  Reg dict = temporary();
  emit(Op::build_dict, dict);
  store("__annotations__", dict);
}

// `name: annotation` of a class or module; for other targets it is only evaluated.
void Lowering::annotate(const ast::AnnAssign& node) {
  Mark mark(*this);
  if (!node.is_simple) {
    if (!unit_.scopes.annotations_are_text) effect(*node.annotation);
    return;
  }
  Reg item = annotation(*node.annotation);
  Reg name = constant(Value(unit_.vm.intern(scope_->spelled(ast::as<ast::Name>(*node.target).id))));
  if (scope_->frame()->kind == Scope::class_body) {
    emit(Op::annotate, 0, item, name, drops(item));
    return;
  }
  Reg all = temporary();
  load("__annotations__", all);
  emit(Op::set_item, item, all, name,
       static_cast<uint16_t>(drops(all) | (is_temporary(item) ? kDropA : 0)));
}

}  // namespace gpy
