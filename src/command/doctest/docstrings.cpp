// The docstrings of a module's source.
#include <algorithm>

#include "grammar/parse.h"
#include "src/command/doctest/example.h"

namespace gpy::command {

namespace {

using namespace syntax;

class Docstrings {
 public:
  explicit Docstrings(const SourceFile& source) : source_(source) {}

  void add(StmtList body, const std::string& name) {
    if (const Constant* text = docstring(body)) add_examples(*text, name);
    for (const Stmt* each : body) visit(*each, name);
  }
  std::vector<Session> take() {
    auto by_name = [](const Session& a, const Session& b) { return a.name < b.name; };
    std::stable_sort(found_.begin(), found_.end(), by_name);
    return std::move(found_);
  }

 private:
  static const Constant* docstring(StmtList body) {
    const auto* first = body.empty() ? nullptr : try_as<ExprStmt>(body[0]);
    const auto* text = first ? try_as<Constant>(first->value) : nullptr;
    return text && text->constant_kind == ConstantKind::String ? text : nullptr;
  }

  void visit(const Stmt& node, const std::string& outer) {
    if (const auto* n = try_as<FunctionDef>(&node)) {
      if (const Constant* text = docstring(n->body)) add_examples(*text, inside(outer, n->name));
    } else if (const auto* n = try_as<ClassDef>(&node)) {
      add(n->body, inside(outer, n->name));
    } else if (const auto* n = try_as<If>(&node)) {
      visit_all(n->body, outer), visit_all(n->orelse, outer);
    } else if (const auto* n = try_as<Try>(&node)) {
      visit_all(n->body, outer);
      for (const ExceptHandler& handler : n->handlers) visit_all(handler.body, outer);
      visit_all(n->orelse, outer);
    } else if (const auto* n = try_as<With>(&node)) {
      visit_all(n->body, outer);
    }
  }
  void visit_all(StmtList body, const std::string& outer) {
    for (const Stmt* each : body) visit(*each, outer);
  }

  static std::string inside(const std::string& outer, std::string_view name) {
    return outer + "." + std::string(name);
  }

  void add_examples(const Constant& text, const std::string& name) {
    const int line = source_.line_of(text.span.begin);
    Session session{name, read_examples(text.text, name, line), {}};
    if (!session.examples.empty()) found_.push_back(std::move(session));
  }

  const SourceFile& source_;
  std::vector<Session> found_;
};

}  // namespace

std::vector<Session> read_docstrings(const std::string& text, const std::string& path,
                                     const std::string& module) {
  const SourcePtr source = make_source(path, text);
  const ParseResult parsed = parse(source);
  if (!parsed.tree) return {};
  Docstrings docstrings(*source);
  docstrings.add(parsed.tree->module.body, module);
  return docstrings.take();
}

}  // namespace gpy::command
