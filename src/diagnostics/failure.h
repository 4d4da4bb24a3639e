#pragma once
// A failed expression with its operands, as the rules that give advice see it.

#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.h"
#include "src/objects/exception.h"

namespace gpy {

struct FailedOperand {
  std::string text;  // as written; "..." where that is long
  std::string name;  // the same for a label: "the left operand" where it is long
  const syntax::Expr* node = nullptr;
  syntax::Span span;
  Value value;               // undefined where it is not known any more
  bool is_literal = false;   // its text states its value
  std::string_view keyword;  // of an argument given by name
};

struct Failure {
  Interpreter& vm;
  Exception* exception;
  std::string message;  // str(exception)
  const syntax::SourceFile& source;
  const syntax::Tree* tree = nullptr;  // of the source; null where it does not parse
  // The innermost statement and the expressions in it, outermost first; the last one failed. For
  // `target op= value` the statement failed, and there are no expressions.
  const syntax::Stmt* statement = nullptr;
  std::vector<const syntax::Expr*> path = {};
  // The operands in the order of the source. For a call, its arguments; `receiver` is the object.
  std::vector<FailedOperand> operands = {};
  FailedOperand receiver = {};

  const syntax::Expr* node() const { return path.empty() ? nullptr : path.back(); }
  const syntax::Expr* parent() const { return path.size() < 2 ? nullptr : path[path.size() - 2]; }
  std::string_view text(const syntax::Expr& node) const { return source.text(node.span); }
  // The last part of the called function's name; empty where nothing is called.
  std::string_view called() const;
  // The argument at a position or of that name; null without one.
  const FailedOperand* argument(size_t position, std::string_view keyword) const;
};

// The result of a rule; each part may be empty.
struct Advice {
  std::string detail;     // "axis -1 is 4 in `a` and 3 in `b`"
  std::string hint;       // "`b[:, None]` has shape (3,1) and would fit"
  const char* code = "";  // of the explanation (src/diagnostics/explain.h)
  bool empty() const { return detail.empty() && hint.empty(); }
};

// "float64 (3,4)", "int 3", "list of 5"; empty where there is nothing worth saying.
std::string describe(Interpreter& vm, const Value& value);

// The place where the exception was raised, as far as its source tells.
Failure locate_failure(Interpreter& vm, Exception* exception, const syntax::Tree* tree);

// A part of the failed expression; `otherwise` names it where its text is long.
FailedOperand make_operand(const Failure& failure, const syntax::Expr& node, const Value& value,
                           const std::string& otherwise);

// The parts between the brackets of `x[row, 2]` or `concatenate([a, b])`. Empty for other operands.
std::vector<FailedOperand> parts_of(const Failure& failure, const FailedOperand& whole);

// Applies the rules about the language itself.
Advice advise_language(const Failure& failure);

}  // namespace gpy
