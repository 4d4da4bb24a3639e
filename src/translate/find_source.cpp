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
  int lambdas = 0;  // that could be meant
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
    if (lambda && code_.name == "<lambda>" && is_here(lambda->span)) {
      found.lambda = lambda;
      ++found.lambdas;
    }
    syntax::each_child(node, *this);
  }

  Found found;

 private:
  bool is_here(syntax::Span span) const {
    return source_.line_of(span.begin) == static_cast<int>(code_.first_line);
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
  for (size_t i = 0; i < function.cells.size(); ++i) {
    out.captured.emplace_back(code.register_name(code.first_captured + static_cast<int32_t>(i)),
                              function.cells[i]->value);
  }
  Finder finder(code, *out.tree->source);
  for (const syntax::Stmt* each : out.tree->module.body) finder(*each);
  if (finder.found.definition) {
    out.body = finder.found.definition->body;
  } else if (finder.found.lambda && finder.found.lambdas == 1) {
    out.value = finder.found.lambda->body;
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
