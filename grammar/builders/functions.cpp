#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "grammar/builders/expressions.h"
#include "grammar/builders/statements.h"

namespace gpy::syntax {
namespace {

// Reads the items of a parameter list: marks and names in order, each with what belongs to it.
class ParameterReader {
 public:
  ParameterReader(State& state, std::span<const Item> items) : state_(state), items_(items) {}

  // The items past `used` are not parameters: the body, the arrow's value.
  Parameters read(size_t& used) {
    while (at_ < items_.size() && read_one()) {
    }
    check_bare_star_followed();
    used = at_;
    Parameters out;
    out.positional_only = keep(positional_only_);
    out.regular = keep(regular_);
    out.vararg = vararg_;
    out.keyword_only = keep(keyword_only_);
    out.kwarg = kwarg_;
    return out;
  }

 private:
  bool read_one() {
    const Item& item = items_[at_];
    bool is_parameter = item.role == Role::name || item.role == Role::star_mark ||
                        item.role == Role::double_star_mark || item.role == Role::slash_mark;
    if (!is_parameter) return false;
    if (kwarg_) {
      state_.fail(with_note(make_error(item.outer, "arguments cannot follow var-keyword argument"),
                            kwarg_->span, "this must come last"));
    }
    switch (item.role) {
      case Role::name: read_plain(); break;
      case Role::star_mark: read_star(); break;
      case Role::double_star_mark: read_double_star(); break;
      default: read_slash();
    }
    return true;
  }

  void read_plain() {
    Parameter parameter = read_named();
    if (has_star_) {
      keyword_only_.push_back(parameter);
      return;
    }
    if (has_default_ && !parameter.default_value) fail_without_default(parameter);
    has_default_ = parameter.default_value != nullptr;
    regular_.push_back(parameter);
  }

  [[noreturn]] void fail_without_default(const Parameter& parameter) {
    const Parameter& before = regular_.empty() ? positional_only_.back() : regular_.back();
    auto error = make_error(parameter.span, "non-default argument follows default argument");
    error = with_hint(
        std::move(error),
        fmt::format("give '{}' a default too, or put it before '{}'", parameter.name, before.name));
    state_.fail(with_note(std::move(error), before.span, "has a default"));
  }

  void read_star() {
    const Item& mark = items_[at_++];
    if (has_star_) state_.fail(mark.outer, "* argument may appear only once");
    has_star_ = true;
    if (mark.has_comma || at_ == items_.size() || items_[at_].role != Role::name) {
      bare_star_ = &mark;
      refuse_default("var-positional argument cannot have default value");
      return;
    }
    vararg_ = state_.arena.make(read_named());
    if (vararg_->default_value) {
      state_.fail(items_[at_ - 1].outer, "var-positional argument cannot have default value");
    }
  }

  void read_double_star() {
    check_bare_star_followed();
    ++at_;
    kwarg_ = state_.arena.make(read_named());
    if (kwarg_->default_value) {
      state_.fail(items_[at_ - 1].outer, "var-keyword argument cannot have default value");
    }
  }

  void read_slash() {
    const Item& mark = items_[at_++];
    if (has_slash_) state_.fail(mark.outer, "/ may appear only once");
    if (has_star_) state_.fail(mark.outer, "/ must be ahead of *");
    if (regular_.empty()) state_.fail(mark.outer, "at least one argument must precede /");
    refuse_default("/ cannot have a default value");
    has_slash_ = true;
    positional_only_.swap(regular_);
  }

  Parameter read_named() {
    const Item& name = items_[at_++];
    Parameter parameter;
    parameter.name = state_.text(name.outer);
    parameter.span = name.outer;
    auto [first, is_new] = names_.try_emplace(parameter.name, name.outer);
    if (!is_new) {
      auto message = fmt::format("duplicate argument '{}' in function definition", parameter.name);
      state_.fail(
          with_note(make_error(name.outer, std::move(message)), first->second, "first here"));
    }
    if (const Item* annotation = take(Role::annotation)) {
      parameter.annotation = annotation->expr;
      parameter.span.end = annotation->outer.end;
    }
    if (const Item* value = take(Role::default_value)) parameter.default_value = value->expr;
    return parameter;
  }

  const Item* take(Role role) {
    return at_ < items_.size() && items_[at_].role == role ? &items_[at_++] : nullptr;
  }

  void refuse_default(const char* message) {
    if (const Item* value = take(Role::default_value)) state_.fail(value->outer, message);
  }

  void check_bare_star_followed() {
    if (bare_star_ && keyword_only_.empty()) {
      state_.fail(bare_star_->outer, "named arguments must follow bare *");
    }
  }

  ParameterList keep(const std::vector<Parameter>& parameters) {
    return state_.arena.copy(std::span<const Parameter>(parameters));
  }

  State& state_;
  std::span<const Item> items_;
  size_t at_ = 0;
  std::vector<Parameter> positional_only_, regular_, keyword_only_;
  const Parameter* vararg_ = nullptr;
  const Parameter* kwarg_ = nullptr;
  const Item* bare_star_ = nullptr;
  bool has_star_ = false, has_slash_ = false, has_default_ = false;
  std::unordered_map<std::string_view, Span> names_;
};

void adopt_defaults(Expr& node, const Parameters& parameters) {
  for (auto list : {parameters.positional_only, parameters.regular, parameters.keyword_only}) {
    for (const Parameter& parameter : list) adopt(node, parameter.default_value);
  }
}

void set_decorators(Stmt& definition, ExprList decorators) {
  switch (definition.kind) {
    case StmtKind::FunctionDef:
      static_cast<FunctionDef&>(definition).decorators = decorators;
      break;
    case StmtKind::ClassDef: static_cast<ClassDef&>(definition).decorators = decorators; break;
    default: static_cast<KernelDef&>(definition).decorators = decorators;
  }
}

void refuse_metaclass(State& state, const Keyword& keyword) {
  if (keyword.name != "metaclass") return;
  state.fail(with_hint(make_error(keyword.span, "gpy has no metaclasses"),
                       "write a decorator that changes the class, or a function that makes it"));
}

}  // namespace

void build_lambda(State& state, Frame frame) {
  auto* node = state.arena.make<Lambda>();
  size_t used = 0;
  auto items = state.since(frame.base);
  node->parameters = ParameterReader(state, items).read(used);
  node->body = items.back().expr;
  node->is_generator = state.closed_scope.has_yield;
  adopt(*node, node->body);
  adopt_defaults(*node, node->parameters);
  state.replace(frame.base, node, frame.span);
}

void build_function(State& state, Frame frame) {
  auto* node = state.arena.make<FunctionDef>();
  auto items = state.since(frame.base);
  node->name = state.text(items[0].outer);
  node->name_span = items[0].outer;
  size_t used = 0;
  node->parameters = ParameterReader(state, items.subspan(1)).read(used);
  if (items[1 + used].role == Role::value) node->returns = items[1 + used].expr;
  node->body = *items.back().block;
  node->is_generator = state.closed_scope.has_yield;
  state.push_statement(frame, node);
}

void build_class(State& state, Frame frame) {
  auto* node = state.arena.make<ClassDef>();
  auto items = state.since(frame.base);
  node->name = state.text(items[0].outer);
  node->name_span = items[0].outer;
  auto arguments = take_arguments(state, items.subspan(1, items.size() - 2), frame.span);
  for (const Keyword& keyword : arguments.keywords) refuse_metaclass(state, keyword);
  node->bases = arguments.args;
  node->keywords = arguments.keywords;
  node->body = *items.back().block;
  state.push_statement(frame, node);
}

void build_decorated(State& state, Frame frame) {
  auto items = state.since(frame.base);
  Item definition = items.back();
  set_decorators(*definition.stmt, collect_exprs(state, items.first(items.size() - 1)));
  state.drop_to(frame.base);
  state.items.push_back(definition);
}

}  // namespace gpy::syntax
