#include "src/translate/find_source.h"

#include "grammar/children.h"
#include "grammar/parse.h"
#include "src/code.h"
#include "src/objects/function.h"
#include "src/translate/failure.h"

namespace gpy {

namespace {

struct Found {
  const syntax::FunctionDef* definition = nullptr;
  const syntax::Lambda* lambda = nullptr;
};

class Finder {
 public:
  Finder(const Code& code, const syntax::SourceFile& source) : code_(code), source_(source) {}

  void operator()(const syntax::Stmt& node) {
    const auto* definition = syntax::try_as<syntax::FunctionDef>(&node);
    if (definition && definition->name == code_.name &&
        (is_here(definition->span) || is_here(definition->name_span)))
      found.definition = definition;
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Expr& node) {
    const auto* lambda = syntax::try_as<syntax::Lambda>(&node);
    if (lambda && code_.name == "<lambda>" && is_here(lambda->span) && is_made_of(lambda->span))
      found.lambda = lambda;
    syntax::each_child(node, *this);
  }

  Found found;

 private:
  bool is_here(syntax::Span span) const {
    return source_.line_of(span.begin) == static_cast<int>(code_.first_line);
  }

  // Whether the code is that lambda's: it returns at the lambda's own place, and nothing in it is
  // from further out.
  bool is_made_of(syntax::Span lambda) const {
    bool returns = false;
    for (const syntax::Span each : code_.spans) {
      if (each.end <= each.begin) continue;
      if (each.begin < lambda.begin || each.end > lambda.end) return false;
      returns = returns || (each.begin == lambda.begin && each.end == lambda.end);
    }
    return returns;
  }

  const Code& code_;
  const syntax::SourceFile& source_;
};

}  // namespace

std::shared_ptr<const syntax::Tree> tree_of(const Code& code) {
  if (code.tree) return code.tree;
  syntax::ParseResult parsed = syntax::parse(code.source);
  if (!parsed.tree) fail_translation({}, "the source of '{}' cannot be read again", code.name);
  return std::move(parsed.tree);
}

TranslationSource source_of(Interpreter&, Function& function) {
  const Code& code = *function.code;
  TranslationSource out;
  out.name = code.name;
  out.tree = tree_of(code);
  out.globals = function.globals.get();
  out.is_library = code.is_library;
  for (size_t i = 0; i < function.cells.size(); ++i) {
    out.captured.emplace_back(code.register_name(code.first_captured + static_cast<int32_t>(i)),
                              function.cells[i]->value);
  }
  Finder finder(code, *out.tree->source);
  for (const syntax::Stmt* each : out.tree->module.body) finder(*each);
  if (finder.found.definition) {
    out.body = finder.found.definition->body;
    out.place = finder.found.definition->name_span;
  } else if (finder.found.lambda) {
    out.value = finder.found.lambda->body;
    out.place = finder.found.lambda->span;
  } else {
    fail_translation({}, "the text of '{}' is not found: define it in a file", code.name);
  }
  return out;
}

std::vector<std::string> parameter_names(const Function& function, size_t count,
                                         syntax::Span place) {
  const FunctionParameters& parameters = function.code->parameters;
  if (parameters.has_args || parameters.has_keywords || parameters.keyword_only > 0) {
    fail_translation(place, "'{}' collects arguments, which a compiled function cannot do",
                     function.code->name);
  }
  if (parameters.positional != count) {
    fail_translation(place, "'{}' takes {} arguments, and {} are given", function.code->name,
                     parameters.positional, count);
  }
  std::vector<std::string> out;
  for (size_t i = 0; i < count; ++i) out.emplace_back(parameters.names[i]->view());
  return out;
}

}  // namespace gpy
