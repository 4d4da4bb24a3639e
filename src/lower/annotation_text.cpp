#include "src/lower/annotation_text.h"

#include <fmt/format.h>

#include "src/interpreter.h"
#include "src/lower/lowering.h"

namespace gpy {

namespace {

// The precedence of an expression, the loosest first.
enum Level {
  kTuple,
  kTest,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kTerm,
  kFactor,
  kPower,
  kAtom
};

Level above(Level level) { return static_cast<Level>(level + 1); }

Level level_of(ast::BinaryOperator op) {
  using enum ast::BinaryOperator;
  switch (op) {
    case Add:
    case Sub: return kSum;
    case Pow: return kPower;
    case LShift:
    case RShift: return kShift;
    case BitOr: return kBitOr;
    case BitXor: return kBitXor;
    case BitAnd: return kBitAnd;
    default: return kTerm;
  }
}

class Writer {
 public:
  Writer(Interpreter& vm, const syntax::SourceFile& source) : vm_(vm), source_(source) {}

  std::string write(const ast::Expr& node, Level level) {
    return ast::visit(node, [&](const auto& n) { return text(n, level); });
  }

 private:
  static std::string within(Level level, Level own, std::string text) {
    return level > own ? "(" + std::move(text) + ")" : text;
  }

  std::string list(ast::ExprList nodes) {
    std::string all;
    for (const ast::Expr* each : nodes) all += (all.empty() ? "" : ", ") + write(*each, kTest);
    return all;
  }

  std::string text(const ast::BoolOp& n, Level level) {
    const Level own = n.op == ast::BoolOperator::And ? kAnd : kOr;
    std::string all;
    for (const ast::Expr* each : n.values) {
      if (!all.empty()) all += fmt::format(" {} ", symbol(n.op));
      all += write(*each, above(own));
    }
    return within(level, own, all);
  }
  std::string text(const ast::NamedExpr& n, Level) {
    return fmt::format("({} := {})", write(*n.target, kAtom), write(*n.value, kAtom));
  }
  std::string text(const ast::BinOp& n, Level level) {
    const Level own = level_of(n.op);
    const bool from_right = own == kPower;
    return within(level, own,
                  fmt::format("{} {} {}", write(*n.left, from_right ? above(own) : own),
                              symbol(n.op), write(*n.right, from_right ? own : above(own))));
  }
  std::string text(const ast::UnaryOp& n, Level level) {
    const bool is_word = n.op == ast::UnaryOperator::Not;
    const Level own = is_word ? kNot : kFactor;
    return within(level, own,
                  fmt::format("{}{}{}", symbol(n.op), is_word ? " " : "", write(*n.operand, own)));
  }
  void add(std::string& all, const std::string& part) { all += (all.empty() ? "" : ", ") + part; }
  void add(std::string& all, ast::ParameterList parameters) {
    for (const ast::Parameter& each : parameters) {
      std::string value = each.default_value ? "=" + write(*each.default_value, kTest) : "";
      add(all, std::string(each.name) + value);
    }
  }
  std::string text(const ast::Lambda& n, Level level) {
    const ast::Parameters& p = n.parameters;
    std::string all;
    add(all, p.positional_only);
    if (!p.positional_only.empty()) add(all, "/");
    add(all, p.regular);
    if (p.vararg) add(all, "*" + std::string(p.vararg->name));
    if (!p.vararg && !p.keyword_only.empty()) add(all, "*");
    add(all, p.keyword_only);
    if (p.kwarg) add(all, "**" + std::string(p.kwarg->name));
    if (!all.empty()) all.insert(0, " ");
    return within(level, kTest, "lambda" + all + ": " + write(*n.body, kTest));
  }
  std::string text(const ast::IfExp& n, Level level) {
    return within(level, kTest,
                  fmt::format("{} if {} else {}", write(*n.body, above(kTest)),
                              write(*n.test, above(kTest)), write(*n.orelse, kTest)));
  }
  std::string text(const ast::Dict& n, Level) {
    std::string all;
    for (const ast::DictItem& item : n.items) {
      if (!all.empty()) all += ", ";
      all += item.key ? write(*item.key, kTest) + ": " + write(*item.value, kTest)
                      : "**" + write(*item.value, kBitOr);
    }
    return "{" + all + "}";
  }
  std::string text(const ast::Set& n, Level) { return "{" + list(n.elts) + "}"; }
  std::string text(const ast::List& n, Level) { return "[" + list(n.elts) + "]"; }
  std::string text(const ast::Tuple& n, Level level) {
    if (n.elts.empty()) return "()";
    return within(level, kTuple, list(n.elts) + (n.elts.size() == 1 ? "," : ""));
  }

  std::string turns(ast::ComprehensionList generators) {
    std::string all;
    for (const ast::Comprehension& each : generators) {
      all += fmt::format(" for {} in {}", write(*each.target, kTuple),
                         write(*each.iter, above(kTest)));
      for (const ast::Expr* test : each.ifs) all += " if " + write(*test, above(kTest));
    }
    return all;
  }
  std::string text(const ast::ListComp& n, Level) {
    return "[" + write(*n.elt, kTest) + turns(n.generators) + "]";
  }
  std::string text(const ast::SetComp& n, Level) {
    return "{" + write(*n.elt, kTest) + turns(n.generators) + "}";
  }
  std::string text(const ast::DictComp& n, Level) {
    return "{" + write(*n.key, kTest) + ": " + write(*n.value, kTest) + turns(n.generators) + "}";
  }
  std::string text(const ast::GeneratorExp& n, Level) {
    return "(" + write(*n.elt, kTest) + turns(n.generators) + ")";
  }

  std::string text(const ast::Compare& n, Level level) {
    std::string all = write(*n.left, above(kCompare));
    for (const ast::Comparison& each : n.comparisons) {
      all += fmt::format(" {} {}", symbol(each.op), write(*each.right, above(kCompare)));
    }
    return within(level, kCompare, all);
  }
  std::string text(const ast::Call& n, Level) {
    const bool is_generator =
        n.args.size() == 1 && n.keywords.empty() && n.args[0]->kind == ast::ExprKind::GeneratorExp;
    std::string arguments = list(n.args);
    if (is_generator) return write(*n.func, kAtom) + arguments;
    for (const ast::Keyword& each : n.keywords) {
      if (!arguments.empty()) arguments += ", ";
      arguments += each.name.empty() ? "**" : std::string(each.name) + "=";
      arguments += write(*each.value, kTest);
    }
    return write(*n.func, kAtom) + "(" + arguments + ")";
  }
  std::string text(const ast::Constant& n, Level) {
    if (n.constant_kind == ast::ConstantKind::Ellipsis) return "...";
    return vm_.repr(constant_value(vm_, n));
  }
  std::string text(const ast::Attribute& n, Level) {
    return fmt::format("{}.{}", write(*n.value, kAtom), n.attr);
  }
  std::string text(const ast::Subscript& n, Level) {
    return fmt::format("{}[{}]", write(*n.value, kAtom), write(*n.slice, kTuple));
  }
  std::string text(const ast::Starred& n, Level) { return "*" + write(*n.value, kBitOr); }
  std::string text(const ast::Name& n, Level) { return std::string(n.id); }
  std::string text(const ast::Slice& n, Level) {
    auto part = [&](const ast::Expr* each) { return each ? write(*each, kTest) : ""; };
    return part(n.lower) + ":" + part(n.upper) + (n.step ? ":" + part(n.step) : "");
  }

  // Expressions that no annotation needs keep the text of their source.
  template <class N> std::string text(const N& n, Level level) {
    return within(level, kTest, std::string(source_.text(n.span)));
  }

  Interpreter& vm_;
  const syntax::SourceFile& source_;
};

}  // namespace

std::string annotation_text(Interpreter& vm, const syntax::SourceFile& source,
                            const syntax::Expr& node) {
  return Writer(vm, source).write(node, kTest);
}

}  // namespace gpy
