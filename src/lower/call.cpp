// Calls. Registers: the callable, self (filled in by load_method, or left free for the call), then
// the arguments; keyword values follow the positional ones.
#include "src/lower/lowering.h"

namespace gpy {

static bool is_spread(const ast::Call& node) {
  for (const ast::Expr* each : node.args) {
    if (each->kind == ast::ExprKind::Starred) return true;
  }
  for (const auto& keyword : node.keywords) {
    if (keyword.name.empty()) return true;
  }
  return false;
}

// Puts the callable at the base of two new registers.
Lowering::Reg Lowering::callable(const ast::Call& node, bool& is_method) {
  Reg base = temporaries(2);
  const auto* attribute = ast::try_as<ast::Attribute>(node.func);
  is_method = attribute != nullptr;
  if (!is_method) {
    into(*node.func, base);
    return base;
  }
  Mark mark(*this);
  Reg object = value(*attribute->value);
  At at(*this, attribute->span);
  emit(Op::load_method, base, object, site(attribute->attr), drops(object));
  return base;
}

void Lowering::lower(const ast::Call& node, Reg to) {
  if (is_spread(node)) return spread_call(node, to);
  if (super_call(node, to)) return;
  bool is_method = false;
  Reg base = callable(node, is_method);
  std::vector<Str*> names;
  for (const ast::Expr* each : node.args) fresh(*each);
  for (const auto& keyword : node.keywords) {
    names.push_back(unit_.vm.intern(keyword.name));
    fresh(*keyword.value);
  }
  auto count = static_cast<Reg>(node.args.size() + node.keywords.size());
  if (names.empty()) {
    emit(is_method ? Op::call_method : Op::call, to, base, count);
    return;
  }
  if (code_->keyword_names.empty() || code_->keyword_names.back() != names) {
    code_->keyword_names.push_back(std::move(names));
  }
  size_t index = code_->keyword_names.size() - 1;
  if (index > UINT16_MAX) fail("too many different calls with keywords in one function", node.span);
  emit(is_method ? Op::call_method_keywords : Op::call_keywords, to, base, count,
       static_cast<uint16_t>(index));
}

// f(*a, **k): a list of positional arguments and a dict of keywords.
void Lowering::spread_call(const ast::Call& node, Reg to) {
  Reg base = temporaries(3);
  into(*node.func, base);
  starred_list(node.args, base + 1, node.args.size() == 1 ? kOnlyStar : 0);
  emit(Op::build_dict, base + 2);
  spread_keywords(node.keywords, base + 2);
  emit(Op::call_spread, to, base);
}

void Lowering::spread_keywords(std::span<const ast::Keyword> keywords, Reg dict) {
  for (const auto& keyword : keywords) {
    Mark mark(*this);
    Reg item = value(*keyword.value);
    At at(*this, keyword.span);
    if (keyword.name.empty()) {
      emit(Op::dict_merge_keywords, dict, item, 0, drops(item));
    } else {
      emit(Op::dict_merge_keywords, dict, item, constant(Value(unit_.vm.intern(keyword.name))),
           static_cast<uint16_t>(drops(item) | kHasName));
    }
  }
}

}  // namespace gpy
