// Comprehensions run in place; a generator expression is a function with its first iterator as the
// argument.
#include "src/lower/lowering.h"

namespace gpy {

// Variables that lambdas in the comprehension capture get new cells at each evaluation.
void Lowering::refresh_cells(Scope* scope) {
  for (std::string_view name : scope->order) {
    Symbol& symbol = *scope->find(name);
    if (symbol.index >= 0 && symbol.is_captured) emit(Op::make_cell, symbol.index, -1);
  }
}

// Pulls items from `iterator` into `target` and runs the body for each.
void Lowering::loop(const ast::Expr& target, Reg iterator, const std::function<void()>& body) {
  Label start, next;
  emit_jump(Op::jump, next);
  place(start);
  const auto* name = ast::try_as<ast::Name>(&target);
  NameLocation place_of = name ? find(name->id) : NameLocation{NameLocation::global, 0};
  bool is_direct = name && place_of.kind == NameLocation::local;
  Reg item = is_direct ? place_of.index : temporary();
  if (!is_direct) assign(target, item);
  body();
  place(next);
  emit_jump(Op::for_iter, start, iterator);
  code_->instructions.back().a = item;
}

void Lowering::turn(ast::ComprehensionList generators, size_t depth, Reg iterator,
                    const Element& element) {
  const ast::Comprehension& generator = generators[depth];
  loop(*generator.target, iterator, [&] {
    Label skip;
    for (const ast::Expr* condition : generator.ifs) branch(*condition, false, skip);
    Mark mark(*this);
    if (depth + 1 < generators.size()) {
      Reg inner = temporary();
      Reg source = unchanged_source(*generators[depth + 1].iter);
      At at(*this, generators[depth + 1].iter->span);
      emit(Op::get_iterator, inner, source, 0, drops(source));
      turn(generators, depth + 1, inner, element);
    } else {
      Reg first = element.second ? left_operand(*element.first) : value(*element.first);
      Reg second = element.second ? value(*element.second) : -1;
      At at(*this, element.first->span);
      emit(element.op, element.collection, first, second, drops(first, second));
    }
    place(skip);
  });
}

void Lowering::comprehension(const void* node, ast::ComprehensionList generators, Element element) {
  Reg iterator = temporary();
  {
    Mark mark(*this);
    Reg source = unchanged_source(*generators[0].iter);
    At at(*this, generators[0].iter->span);
    emit(Op::get_iterator, iterator, source, 0, drops(source));
  }
  Scope* outer = std::exchange(scope_, unit_.scopes.of(node));
  refresh_cells(scope_);
  turn(generators, 0, iterator, element);
  for (std::string_view name : scope_->order) {
    Symbol& symbol = *scope_->find(name);
    if (symbol.index >= 0) emit(Op::clear, symbol.index);
  }
  scope_ = outer;
}

void Lowering::lower(const ast::ListComp& node, Reg to) {
  Reg list = temporary();
  emit(Op::build_list, list);
  comprehension(&node, node.generators, {Op::list_append, list, node.elt, nullptr});
  emit(Op::move, to, list, 0, kDropB);
}

void Lowering::lower(const ast::SetComp& node, Reg to) {
  Reg set = temporary();
  emit(Op::build_set, set);
  comprehension(&node, node.generators, {Op::set_add, set, node.elt, nullptr});
  emit(Op::move, to, set, 0, kDropB);
}

void Lowering::lower(const ast::DictComp& node, Reg to) {
  Reg dict = temporary();
  emit(Op::build_dict, dict);
  comprehension(&node, node.generators, {Op::dict_set, dict, node.key, node.value});
  emit(Op::move, to, dict, 0, kDropB);
}

void Lowering::lower(const ast::GeneratorExp& node, Reg to) {
  Reg base = temporaries(3);
  {
    Mark mark(*this);
    Reg source = unchanged_source(*node.generators[0].iter);
    At at(*this, node.generators[0].iter->span);
    emit(Op::get_iterator, base + 2, source, 0, drops(source));
  }
  ast::Parameter argument{.name = ".0", .span = {}};
  ast::Parameters parameters;
  parameters.regular = {&argument, 1};
  make_function(&node, parameters, "<genexpr>", nullptr, true, base, [&](Lowering& inner) {
    Reg unused = inner.temporary();
    inner.turn(node.generators, 0, 0, {Op::yield_value, unused, node.elt, nullptr});
    inner.emit_return(inner.none());
  });
  emit(Op::call, to, base, 1);
}

}  // namespace gpy
