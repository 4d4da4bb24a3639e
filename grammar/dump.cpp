#include "grammar/dump.h"

#include <fmt/format.h>

namespace gpy::syntax {
namespace {

// Quotes, backslashes and control characters are escaped; bytes beyond ASCII only in `bytes`.
std::string quoted(std::string_view text, bool is_bytes) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    bool is_plain =
        byte >= 0x20 && byte != 0x7F && c != '"' && c != '\\' && (byte < 0x80 || !is_bytes);
    out += is_plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out + '"';
}

std::string constant_text(const Constant& constant) {
  switch (constant.constant_kind) {
    case ConstantKind::None: return "None";
    case ConstantKind::False: return "False";
    case ConstantKind::True: return "True";
    case ConstantKind::Ellipsis: return "...";
    case ConstantKind::Integer: return fmt::format("{}", constant.integer);
    case ConstantKind::BigInteger: return std::string(constant.text);
    case ConstantKind::Float: return fmt::format("float {:.17g}", constant.real);
    case ConstantKind::Imaginary: return fmt::format("imaginary {:.17g}", constant.real);
    case ConstantKind::String: return quoted(constant.text, false);
    case ConstantKind::Bytes: return "b" + quoted(constant.text, true);
  }
  __builtin_unreachable();
}

std::string context_text(Context context) {
  constexpr const char* kNames[] = {"", " Store", " Del"};
  return kNames[static_cast<size_t>(context)];
}

class Dumper {
 public:
  Dumper(const SourceFile& source, const DumpOptions& options)
      : source_(source), options_(options) {}

  std::string dump(const Tree& tree) {
    if (tree.expression) {
      put("Expression");
      fields([&] { child("body", tree.expression); });
    } else {
      put("Module");
      fields([&] { statements("body", tree.module.body); });
    }
    return std::move(out_);
  }

  // ---- expressions: the text on the node's line, then its children ----

  void operator()(const BoolOp& n) {
    node(symbol(n.op), [&] { children("values", n.values); });
  }
  void operator()(const NamedExpr& n) {
    node("", [&] { child("target", n.target), child("value", n.value); });
  }
  void operator()(const BinOp& n) {
    node(symbol(n.op), [&] { child("left", n.left), child("right", n.right); });
  }
  void operator()(const UnaryOp& n) {
    node(symbol(n.op), [&] { child("operand", n.operand); });
  }
  void operator()(const Lambda& n) {
    node("", [&] { parameters(n.parameters), child("body", n.body); });
  }
  void operator()(const IfExp& n) {
    node("", [&] { child("test", n.test), child("body", n.body), child("orelse", n.orelse); });
  }
  void operator()(const Dict& n) {
    node("", [&] {
      for (const DictItem& item : n.items) child("key", item.key), child("value", item.value);
    });
  }
  void operator()(const Set& n) {
    node("", [&] { children("elts", n.elts); });
  }
  void operator()(const ListComp& n) { comprehension(n); }
  void operator()(const SetComp& n) { comprehension(n); }
  void operator()(const GeneratorExp& n) { comprehension(n); }
  void operator()(const DictComp& n) {
    node("", [&] {
      child("key", n.key), child("value", n.value);
      clauses(n.generators);
    });
  }
  void operator()(const Yield& n) {
    node("", [&] { child("value", n.value); });
  }
  void operator()(const YieldFrom& n) {
    node("", [&] { child("value", n.value); });
  }
  void operator()(const Compare& n) {
    std::string ops;
    for (const Comparison& step : n.comparisons) {
      ops += fmt::format("{}{}", ops.empty() ? "" : ", ", symbol(step.op));
    }
    node(ops, [&] {
      child("left", n.left);
      for (const Comparison& step : n.comparisons) child("right", step.right);
    });
  }
  void operator()(const Call& n) {
    node("", [&] {
      child("func", n.func);
      children("args", n.args);
      keywords(n.keywords);
    });
  }
  void operator()(const FormattedValue& n) {
    std::string conversion = n.conversion ? fmt::format("!{}", n.conversion) : "";
    node(conversion, [&] {
      child("value", n.value);
      if (n.format_spec) child("format_spec", n.format_spec);
    });
  }
  void operator()(const JoinedStr& n) {
    node("", [&] { children("values", n.values); });
  }
  void operator()(const Constant& n) {
    node(constant_text(n), [] {});
  }
  void operator()(const Attribute& n) {
    node(fmt::format(".{}{}", n.attr, context_text(n.context)), [&] { child("value", n.value); });
  }
  void operator()(const Subscript& n) {
    node(context_text(n.context), [&] { child("value", n.value), child("slice", n.slice); });
  }
  void operator()(const Starred& n) {
    node(context_text(n.context), [&] { child("value", n.value); });
  }
  void operator()(const Name& n) {
    node(fmt::format("{}{}", n.id, context_text(n.context)), [] {});
  }
  void operator()(const List& n) {
    node(context_text(n.context), [&] { children("elts", n.elts); });
  }
  void operator()(const Tuple& n) {
    node(context_text(n.context), [&] { children("elts", n.elts); });
  }
  void operator()(const Slice& n) {
    node("",
         [&] { optional("lower", n.lower), optional("upper", n.upper), optional("step", n.step); });
  }

  // ---- statements ----

  void operator()(const FunctionDef& n) {
    node(n.name, [&] {
      children("decorator", n.decorators);
      parameters(n.parameters);
      optional("returns", n.returns);
      statements("body", n.body);
    });
  }
  void operator()(const ClassDef& n) {
    node(n.name, [&] {
      children("decorator", n.decorators);
      children("bases", n.bases);
      keywords(n.keywords);
      statements("body", n.body);
    });
  }
  void operator()(const Return& n) {
    node("", [&] { optional("value", n.value); });
  }
  void operator()(const Delete& n) {
    node("", [&] { children("targets", n.targets); });
  }
  void operator()(const Assign& n) {
    node("", [&] { children("targets", n.targets), child("value", n.value); });
  }
  void operator()(const AugAssign& n) {
    node(fmt::format("{}=", symbol(n.op)),
         [&] { child("target", n.target), child("value", n.value); });
  }
  void operator()(const AnnAssign& n) {
    node(n.is_simple ? "simple" : "", [&] {
      child("target", n.target), child("annotation", n.annotation);
      optional("value", n.value);
    });
  }
  void operator()(const For& n) {
    node("", [&] {
      child("target", n.target), child("iter", n.iter);
      statements("body", n.body), statements("orelse", n.orelse);
    });
  }
  void operator()(const While& n) { branch(n); }
  void operator()(const If& n) { branch(n); }
  void operator()(const With& n) {
    node("", [&] {
      for (const WithItem& item : n.items) {
        child("item", item.context_expr);
        optional("as", item.optional_vars);
      }
      statements("body", n.body);
    });
  }
  void operator()(const Raise& n) {
    node("", [&] { optional("exc", n.exc), optional("cause", n.cause); });
  }
  void operator()(const Try& n) {
    node("", [&] {
      statements("body", n.body);
      for (const ExceptHandler& handler : n.handlers) except(handler);
      statements("orelse", n.orelse), statements("finalbody", n.finalbody);
    });
  }
  void operator()(const Assert& n) {
    node("", [&] { child("test", n.test), optional("msg", n.message); });
  }
  void operator()(const Import& n) {
    node(aliases(n.names), [] {});
  }
  void operator()(const ImportFrom& n) {
    node(fmt::format("{}{}: {}", std::string(n.level, '.'), n.module, aliases(n.names)), [] {});
  }
  void operator()(const Global& n) {
    node(fmt::format("{}", fmt::join(n.names, ", ")), [] {});
  }
  void operator()(const Nonlocal& n) {
    node(fmt::format("{}", fmt::join(n.names, ", ")), [] {});
  }
  void operator()(const ExprStmt& n) {
    node("", [&] { child("value", n.value); });
  }
  void operator()(const Pass&) {
    node("", [] {});
  }
  void operator()(const Break&) {
    node("", [] {});
  }
  void operator()(const Continue&) {
    node("", [] {});
  }
  void operator()(const KernelDef& n) {
    node(fmt::format("{} {}", kind_name(n.kernel_kind), n.name), [&] {
      children("decorator", n.decorators);
      kernel_parameters("parameter", n.parameters);
      kernel_parameters("output", n.outputs);
      if (n.body_form == KernelBody::Text) text("text", n.text);
      if (n.body_form == KernelBody::Parts) kernel_parts(n);
      statements("body", n.body);
    });
  }

 private:
  void put(std::string_view text) { out_ += text; }

  void begin_line(std::string_view label) {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
    if (!label.empty()) out_ += fmt::format("{}: ", label);
  }

  template <class Fields> void fields(Fields&& write) {
    ++depth_;
    write();
    --depth_;
  }

  // Ends the line that `child` or `statements` began with the kind and the place.
  template <class Fields> void node(std::string_view scalars, Fields&& write) {
    scalars.remove_prefix(std::min(scalars.find_first_not_of(' '), scalars.size()));
    if (!scalars.empty()) out_ += fmt::format(" {}", scalars);
    fields(write);
  }

  void place(Span span) {
    if (!options_.positions) return;
    Position begin = source_.position(span.begin), end = source_.position(span.end);
    out_ += fmt::format(" @{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
  }

  void child(std::string_view label, const Expr* expr) {
    begin_line(label);
    if (!expr) return put("None");
    put(kind_name(expr->kind));
    place(expr->span);
    visit(*expr, *this);
  }

  void optional(std::string_view label, const Expr* expr) {
    if (expr) child(label, expr);
  }

  void children(std::string_view label, ExprList exprs) {
    for (const Expr* expr : exprs) child(label, expr);
  }

  void statements(std::string_view label, StmtList list) {
    for (const Stmt* statement : list) {
      begin_line(label);
      put(statement->kind == StmtKind::ExprStmt ? "Expr" : kind_name(statement->kind));
      place(statement->span);
      visit(*statement, *this);
    }
  }

  template <class Node> void comprehension(const Node& n) {
    node("", [&] { child("elt", n.elt), clauses(n.generators); });
  }

  void clauses(ComprehensionList list) {
    for (const Comprehension& clause : list) {
      child("for", clause.target);
      child("in", clause.iter);
      children("if", clause.ifs);
    }
  }

  template <class Node> void branch(const Node& n) {
    node("", [&] {
      child("test", n.test);
      statements("body", n.body), statements("orelse", n.orelse);
    });
  }

  void keywords(std::span<const Keyword> list) {
    for (const Keyword& keyword : list) {
      child(keyword.name.empty() ? "**" : fmt::format("{}=", keyword.name), keyword.value);
    }
  }

  void parameter(std::string_view label, const Parameter& parameter) {
    begin_line(label);
    put(parameter.name);
    place(parameter.span);
    fields([&] {
      optional("annotation", parameter.annotation);
      optional("default", parameter.default_value);
    });
  }

  void parameters(const Parameters& list) {
    for (const Parameter& p : list.positional_only) parameter("posonly", p);
    for (const Parameter& p : list.regular) parameter("arg", p);
    if (list.vararg) parameter("vararg", *list.vararg);
    for (const Parameter& p : list.keyword_only) parameter("kwonly", p);
    if (list.kwarg) parameter("kwarg", *list.kwarg);
  }

  void except(const ExceptHandler& handler) {
    begin_line("handler");
    put("ExceptHandler");
    place(handler.span);
    if (!handler.name.empty()) out_ += fmt::format(" {}", handler.name);
    fields([&] {
      optional("type", handler.type);
      statements("body", handler.body);
    });
  }

  static std::string aliases(std::span<const Alias> names) {
    std::string out;
    for (const Alias& alias : names) {
      out += fmt::format("{}{}", out.empty() ? "" : ", ", alias.name);
      if (!alias.asname.empty()) out += fmt::format(" as {}", alias.asname);
    }
    return out;
  }

  void kernel_parameters(std::string_view label, std::span<const KernelParameter> list) {
    for (const KernelParameter& p : list) {
      begin_line(label);
      out_ += fmt::format("{}{}{}{}{}{}", p.is_raw ? "raw " : "", p.is_const ? "const " : "",
                          p.type, std::string(p.pointers, '*'), p.type.empty() ? "" : " ", p.name);
      place(p.span);
    }
  }

  void kernel_parts(const KernelDef& kernel) {
    for (size_t i = 0; i < kernel.parts.size(); ++i) {
      text(label_name(static_cast<KernelLabel>(i)), kernel.parts[i]);
    }
  }

  void text(std::string_view label, const KernelText& text) {
    if (!text.text.data()) return;
    begin_line(label);
    put(quoted(text.text, false));
    place(text.span);
  }

  const SourceFile& source_;
  const DumpOptions& options_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string dump(const Tree& tree, const DumpOptions& options) {
  return Dumper(*tree.source, options).dump(tree) + "\n";
}

}  // namespace gpy::syntax
