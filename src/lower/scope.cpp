#include "src/lower/scope.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/children.h"

namespace gpy {

namespace ast = syntax;

Symbol& Scope::symbol(std::string_view name) {
  auto [at, is_new] = symbols.try_emplace(name);
  if (is_new) order.push_back(name);
  return at->second;
}

Symbol* Scope::find(std::string_view name) {
  auto at = symbols.find(name);
  return at == symbols.end() ? nullptr : &at->second;
}

std::string_view Scope::spelled(std::string_view name) const {
  if (class_name.empty() || !name.starts_with("__") || name.ends_with("__")) return name;
  size_t first = class_name.find_first_not_of('_');
  if (first == std::string_view::npos || name.find('.') != std::string_view::npos) return name;
  std::string made = "_" + std::string(class_name.substr(first)) + std::string(name);
  return *spellings.insert(std::move(made)).first;
}

// Visits the tree once and notes the scopes that bind and use each name.
class ScopeWalk {
 public:
  explicit ScopeWalk(ScopeTable& table) : table_(table) {}

  void module(const ast::Tree& tree) {
    scope_ = table_.open(&tree.module, Scope::module, nullptr);
    for (const ast::ImportFrom* each : future_imports(tree.module.body)) {
      futures_.insert(each);
      for (const auto& alias : each->names) take_feature(alias);
    }
    statements(tree.module.body);
    if (tree.expression) expression(tree.expression);
  }

 private:
  // --- what later versions do ------------------------------------------------------------------

  static bool is_future(const ast::ImportFrom& n) {
    return n.level == 0 && n.module == "__future__";
  }

  // The future imports at the beginning, behind the docstring.
  static std::vector<const ast::ImportFrom*> future_imports(ast::StmtList body) {
    std::vector<const ast::ImportFrom*> found;
    for (const ast::Stmt* each : body) {
      const auto* import = ast::try_as<ast::ImportFrom>(each);
      const auto* value = ast::try_as<ast::ExprStmt>(each);
      const bool may_be_doc = each == body[0] && value;
      if (may_be_doc && value->value->kind == ast::ExprKind::Constant) continue;
      if (!import || !is_future(*import)) break;
      found.push_back(import);
    }
    return found;
  }

  void take_feature(const ast::Alias& alias) {
    static constexpr std::string_view kKnown[] = {
        "nested_scopes",    "generators",     "division",       "absolute_import", "with_statement",
        "unicode_literals", "print_function", "barry_as_FLUFL", "generator_stop",  "annotations"};
    if (alias.name == "braces") throw LoweringError{"not a chance", alias.span};
    if (std::find(std::begin(kKnown), std::end(kKnown), alias.name) == std::end(kKnown)) {
      throw LoweringError{"future feature " + std::string(alias.name) + " is not defined",
                          alias.span};
    }
    table_.annotations_are_text |= alias.name == "annotations";
  }

  // --- names -----------------------------------------------------------------------------------
  Symbol& symbol(std::string_view name) { return scope_->symbol(scope_->spelled(name)); }
  void bind(std::string_view name) { symbol(name).is_bound = true; }
  void use(std::string_view name) { symbol(name); }

  // `:=` in a comprehension binds in the function around it.
  void bind_walrus(const ast::NamedExpr& node) {
    Scope* home = scope_;
    std::string_view name = scope_->spelled(ast::as<ast::Name>(*node.target).id);
    while (is_comprehension(home)) {
      Symbol* own = home->find(name);
      if (own && own->is_bound) {
        throw LoweringError{
            "assignment expression cannot rebind comprehension iteration variable '" +
                std::string(name) + "'",
            node.target->span};
      }
      home->symbol(name);
      home = home->parent;
    }
    if (home != scope_ && home->kind == Scope::class_body) {
      throw LoweringError{
          "assignment expression within a comprehension cannot be used in a class body",
          node.target->span};
    }
    home->symbol(name).is_bound = true;
    home->frame()->has_walrus = true;
    scope_->frame()->has_walrus = true;
  }

  bool is_comprehension(Scope* scope) const {
    return scope->kind == Scope::comprehension || generators_.contains(scope);
  }

  template <class F> void within(Scope* scope, F&& f) {
    Scope* outer = std::exchange(scope_, scope);
    f();
    scope_ = outer;
  }

  // --- statements ------------------------------------------------------------------------------
  void statements(ast::StmtList list) {
    for (const ast::Stmt* each : list) statement(*each);
  }

  void statement(const ast::Stmt& node) {
    ast::visit(node, [this](const auto& n) { visit(n); });
  }

  // Handles kinds that bind nothing, open no scope and use no name themselves. Some of those below
  // look the same but keep an order of their own: names become known in the order of evaluation.
  template <class Node> void visit(const Node& n) { children(n); }

  template <class Node> void children(const Node& n) {
    ast::each_child(n, [this](const auto& child) { enter(child); });
  }
  void enter(const ast::Stmt& node) { statement(node); }
  void enter(const ast::Expr& node) { expression(&node); }

  void visit(const ast::FunctionDef& n) {
    list(n.decorators);
    outer_parameters(n.parameters);
    annotation(n.returns);
    bind(n.name);
    within(table_.open(&n, Scope::function, scope_), [&] {
      inner_parameters(n.parameters);
      statements(n.body);
    });
  }
  void visit(const ast::ClassDef& n) {
    list(n.decorators);
    list(n.bases);
    for (const auto& keyword : n.keywords) expression(keyword.value);
    bind(n.name);
    Scope* body = table_.open(&n, Scope::class_body, scope_);
    body->class_name = n.name;
    body->symbol("__class__").is_bound = true;
    within(body, [&] { statements(n.body); });
  }
  void visit(const ast::Assign& n) {
    expression(n.value);
    list(n.targets);
  }
  void visit(const ast::AnnAssign& n) {
    expression(n.value);
    if (scope_->frame()->kind != Scope::function) annotation(n.annotation);
    if (scope_->frame()->kind == Scope::module) table_.annotates_module |= n.is_simple;
    expression(n.target);
  }
  void visit(const ast::For& n) {
    expression(n.iter);
    expression(n.target);
    statements(n.body);
    statements(n.orelse);
  }
  void visit(const ast::Try& n) {
    statements(n.body);
    for (const auto& handler : n.handlers) {
      expression(handler.type);
      if (!handler.name.empty()) bind(handler.name);
      statements(handler.body);
    }
    statements(n.orelse);
    statements(n.finalbody);
  }
  void visit(const ast::Assert& n) {
    note_doubts(n, table_.doubts);
    children(n);
  }
  void visit(const ast::Import& n) {
    for (const auto& alias : n.names) {
      bind(alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname);
    }
  }
  void visit(const ast::ImportFrom& n) {
    if (is_future(n) && !futures_.contains(&n)) {
      throw LoweringError{"from __future__ imports must occur at the beginning of the file",
                          n.span};
    }
    for (const auto& alias : n.names) {
      if (alias.name != "*") {
        bind(alias.asname.empty() ? alias.name : alias.asname);
      }
    }
  }
  void visit(const ast::Global& n) {
    for (std::string_view name : n.names) declare(name, n.span, "global").is_global = true;
  }
  void visit(const ast::Nonlocal& n) {
    for (std::string_view name : n.names) {
      declare(name, n.span, "nonlocal").is_nonlocal = true;
      nonlocals_check(scope_->spelled(name), n.span);
    }
  }
  Symbol& declare(std::string_view written, ast::Span span, const char* what) {
    std::string_view name = scope_->spelled(written);
    Symbol* known = scope_->find(name);
    std::string quoted = "name '" + std::string(name) + "' is ";
    if (known && known->is_parameter) throw LoweringError{quoted + "parameter and " + what, span};
    if (known && (known->is_global || known->is_nonlocal)) return *known;
    if (known && known->is_bound && scope_->kind != Scope::module) {
      throw LoweringError{quoted + "assigned to before " + what + " declaration", span};
    }
    if (known && scope_->kind != Scope::module) {
      throw LoweringError{quoted + "used prior to " + what + " declaration", span};
    }
    return scope_->symbol(name);
  }
  void nonlocals_check(std::string_view name, ast::Span span) {
    pending_.push_back({scope_, name, span});
  }
  void visit(const ast::KernelDef& n) {
    list(n.decorators);
    bind(n.name);
  }

  // --- expressions -----------------------------------------------------------------------------
  void list(ast::ExprList nodes) {
    for (const ast::Expr* each : nodes) expression(each);
  }

  void expression(const ast::Expr* node) {
    if (node) ast::visit(*node, [this](const auto& n) { visit(n); });
  }

  void annotation(const ast::Expr* node) {
    if (!table_.annotations_are_text) expression(node);
  }

  void outer_parameters(const ast::Parameters& p) {
    auto outer = [&](const ast::Parameter& each) {
      expression(each.default_value);
      annotation(each.annotation);
    };
    for (const auto& each : p.positional_only) outer(each);
    for (const auto& each : p.regular) outer(each);
    for (const auto& each : p.keyword_only) outer(each);
    if (p.vararg) annotation(p.vararg->annotation);
    if (p.kwarg) annotation(p.kwarg->annotation);
  }

  void inner_parameters(const ast::Parameters& p) {
    for (const auto& each : p.positional_only) parameter(each);
    for (const auto& each : p.regular) parameter(each);
    for (const auto& each : p.keyword_only) parameter(each);
    if (p.vararg) parameter(*p.vararg);
    if (p.kwarg) parameter(*p.kwarg);
  }

  void parameter(const ast::Parameter& p) {
    Symbol& symbol = this->symbol(p.name);
    if (symbol.is_parameter) {
      throw LoweringError{"duplicate argument '" + std::string(p.name) + "' in function definition",
                          p.span};
    }
    symbol.is_bound = symbol.is_parameter = true;
  }

  void visit(const ast::NamedExpr& n) {
    expression(n.value);
    bind_walrus(n);
  }
  void visit(const ast::Lambda& n) {
    outer_parameters(n.parameters);
    within(table_.open(&n, Scope::function, scope_), [&] {
      inner_parameters(n.parameters);
      expression(n.body);
    });
  }
  void visit(const ast::IfExp& n) {
    expression(n.test);
    expression(n.body);
    expression(n.orelse);
  }

  void comprehension(const void* node, std::string_view name, ast::ComprehensionList generators,
                     const ast::Expr* first, const ast::Expr* second) {
    const Scope::Kind kind = name == "<genexpr>" ? Scope::function : Scope::comprehension;
    expression(generators[0].iter);  // in the scope around
    Scope* inner = table_.open(node, kind, scope_);
    inner->name = name;
    if (kind == Scope::function) generators_.insert({inner, true});
    within(inner, [&] {
      if (kind == Scope::function) parameter({.name = ".0", .span = {}});
      for (const auto& each : generators) expression(each.target);
      for (const auto& each : generators) {
        if (&each != &generators[0]) expression(each.iter);
        list(each.ifs);
      }
      expression(first);
      expression(second);
    });
  }
  void visit(const ast::ListComp& n) {
    comprehension(&n, "<listcomp>", n.generators, n.elt, nullptr);
  }
  void visit(const ast::SetComp& n) {
    comprehension(&n, "<setcomp>", n.generators, n.elt, nullptr);
  }
  void visit(const ast::DictComp& n) {
    comprehension(&n, "<dictcomp>", n.generators, n.key, n.value);
  }
  void visit(const ast::GeneratorExp& n) {
    comprehension(&n, "<genexpr>", n.generators, n.elt, nullptr);
  }
  void visit(const ast::Compare& n) {
    note_doubts(n, table_.doubts);
    children(n);
  }
  void visit(const ast::Call& n) {
    note_doubts(n, table_.doubts);
    children(n);
  }
  void visit(const ast::Subscript& n) {
    note_doubts(n, table_.doubts);
    children(n);
  }
  void visit(const ast::Name& n) {
    if (n.context == ast::Context::Load) {
      use(n.id);
      if (n.id == "super") use("__class__");
    } else {
      bind(n.id);
    }
  }

  ScopeTable& table_;
  Scope* scope_ = nullptr;
  std::set<const ast::ImportFrom*> futures_;     // those at a permitted place
  std::unordered_map<Scope*, bool> generators_;  // scopes of generator expressions

 public:
  struct Pending {
    Scope* scope;
    std::string_view name;
    ast::Span span;
  };
  std::vector<Pending> pending_;  // nonlocal declarations, checked at the end
};

Scope* ScopeTable::open(const void* node, Scope::Kind kind, Scope* parent) {
  scopes_.push_back(std::make_unique<Scope>(kind, parent, spellings_));
  by_node_[node] = scopes_.back().get();
  if (kind == Scope::comprehension) parent->frame()->comprehensions.push_back(scopes_.back().get());
  return scopes_.back().get();
}

// A function's variable of that name in the scopes around, or null.
static Symbol* find_outside(Scope* scope, std::string_view name) {
  for (Scope* outer = scope->parent; outer && outer->kind != Scope::module; outer = outer->parent) {
    if (outer->kind == Scope::class_body && name != "__class__") continue;
    Symbol* symbol = outer->find(name);
    if (!symbol) continue;
    if (symbol->is_global) return nullptr;
    if (symbol->is_bound && !symbol->is_nonlocal) return symbol;
  }
  return nullptr;
}

static void capture(Scope* frame, std::string_view name) {
  auto& names = frame->captured;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void ScopeTable::resolve_use(Scope* from, std::string_view name) {
  Symbol& own = *from->find(name);
  if (own.is_global || from->kind == Scope::module) return;
  if (own.is_bound && !own.is_nonlocal) return;
  Symbol* outside = find_outside(from, name);
  if (!outside) return;
  // Each frame between the use and the variable passes the cell on.
  for (Scope* scope = from; scope->find(name) != outside; scope = scope->parent) {
    if (!scope->has_frame()) continue;
    outside->is_captured = true;
    capture(scope, name);
  }
}

void ScopeTable::resolve() {
  for (auto& scope : scopes_) {
    for (std::string_view name : scope->order) resolve_use(scope.get(), name);
  }
}

ScopeTable::ScopeTable(const syntax::Tree& tree, bool annotations_are_text)
    : annotations_are_text(annotations_are_text) {
  ScopeWalk walk(*this);
  walk.module(tree);
  for (const auto& each : walk.pending_) {
    if (find_outside(each.scope, each.name)) continue;
    throw LoweringError{"no binding for nonlocal '" + std::string(each.name) + "' found",
                        each.span};
  }
  resolve();
}

}  // namespace gpy
