#include "grammar/parse.h"

#include <limits>

#include <fmt/format.h>

#include "grammar/actions.h"
#include "grammar/hints.h"

namespace gpy::syntax {
namespace {

namespace pegtl = tao::pegtl;

using Input = pegtl::memory_input<pegtl::tracking_mode::lazy, pegtl::eol::lf, const char*>;

template <class Rule> void run(State& state, std::string_view text) {
  Input in(text.data(), text.data() + text.size(), "");
  if (!pegtl::parse<Rule, Action, Control>(in, state)) {
    state.fail_at(state.offset(in.current()));
  }
}

// Refuses text that no rule should meet.
void check_text(const SourceFile& source) {
  std::string_view text = source.text();
  auto fail = [](size_t at, std::string message) {
    auto offset = static_cast<uint32_t>(at);
    throw Failure{make_error({offset, offset + 1}, std::move(message))};
  };
  if (text.size() >= std::numeric_limits<uint32_t>::max()) fail(0, "source is too long");
  if (size_t at = text.find('\0'); at != text.npos) {
    fail(at, "source code cannot contain null bytes");
  }
  if (size_t at = find_invalid_utf8(text); at != text.npos) {
    fail(at,
         fmt::format("(unicode error) 'utf-8' codec can't decode byte 0x{:02x} in position {}: {}",
                     static_cast<unsigned char>(text[at]), at, why_invalid_utf8(text[at])));
  }
}

void parse_into(Tree& tree, const ParseOptions& options) {
  check_text(*tree.source);
  State state(*tree.source, tree.arena, options);
  if (options.mode == Mode::expression) {
    run<rules::lone_expression>(state, tree.source->text());
    refuse_star(state, state.items[0]);
    tree.expression = state.items[0].expr;
  } else {
    run<rules::file>(state, tree.source->text());
    tree.module.body = take_statements(state, 0);
  }
}

bool has_block(const Stmt& statement) {
  switch (statement.kind) {
    case StmtKind::FunctionDef:
    case StmtKind::ClassDef:
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::If:
    case StmtKind::With:
    case StmtKind::Try: return true;
    case StmtKind::KernelDef: return as<KernelDef>(statement).body_form == KernelBody::Statements;
    default: return false;
  }
}

bool ends_with_blank_line(std::string_view text) {
  text.remove_suffix(text.ends_with('\n'));
  auto last = text.substr(text.rfind('\n') + 1);
  return last.find_first_not_of(" \t\f") == last.npos;
}

// Finds a block that may go on: a statement with a block is last, and no blank line has ended it.
std::optional<SyntaxError> find_open_block(const Tree& tree) {
  if (tree.module.body.empty()) return std::nullopt;
  const Stmt& last = *tree.module.body.back();
  if (!has_block(last) || ends_with_blank_line(tree.source->text())) return std::nullopt;
  auto end = static_cast<uint32_t>(tree.source->text().size());
  return make_error({end, end}, "the block may go on; a blank line ends it");
}

ParseResult failed(const Failure& failure, const ParseOptions& options, const SourceFile& source) {
  bool is_open = failure.is_open && !(failure.is_only_block && ends_with_blank_line(source.text()));
  bool is_incomplete = options.mode == Mode::interactive && is_open;
  return {nullptr, failure.error, is_incomplete ? Completeness::incomplete : Completeness::error};
}

// ---- misspelt keywords ----

bool parses_past(const SourceFile& source, Span word, std::string_view keyword,
                 const ParseOptions& options) {
  std::string text(source.text());
  text.replace(word.begin, word.end - word.begin, keyword);
  Tree tree;
  tree.source = make_source(source.name(), std::move(text));
  try {
    parse_into(tree, options);
  } catch (const Failure& failure) {
    int line = source.line_of(word.begin);
    return failure.is_open || tree.source->line_of(failure.error.place.begin) > line;
  }
  return true;
}

// The words that are not keywords, from the beginning of the line to the end of `until`.
std::vector<Span> words_of_line(const SourceFile& source, Span until) {
  std::vector<Span> words;
  uint32_t at = source.line_start(source.line_of(until.begin));
  while (at < std::max(until.end, until.begin + 1) && at < source.text().size()) {
    Span token = token_at(source, at);
    bool is_attribute = at > 0 && source.text()[at - 1] == '.';
    auto word = source.text(token);
    if (!word.empty() && !is_attribute && is_ascii_letter(word[0]) && !is_keyword(word)) {
      words.push_back(token);
    }
    at = std::max(token.end, at + 1);
  }
  return words;
}

// Finds a word that, replaced by a keyword, would let the parser reach another line.
void find_misspelt(const SourceFile& source, const ParseOptions& options, Failure& failure) {
  constexpr int kMostTries = 8;
  int tries = 0;
  for (Span word : words_of_line(source, failure.error.place)) {
    for (std::string_view keyword : near_keywords(source.text(word))) {
      if (++tries > kMostTries) return;
      if (!parses_past(source, word, keyword, options)) continue;
      failure.error =
          with_hint(make_error(word, "invalid syntax"), fmt::format("did you mean '{}'?", keyword));
      return;
    }
  }
}

void finish_hint(const SourceFile& source, const ParseOptions& options, Failure& failure) {
  SyntaxError& error = failure.error;
  bool is_vague = error.message.starts_with("invalid syntax") || error.message == "expected ':'";
  if (error.hint.empty() && is_vague && !failure.is_open) find_misspelt(source, options, failure);
  if (error.hint.empty()) error.hint = failure.last_hint;
}

}  // namespace

ParseResult parse(SourcePtr source, const ParseOptions& options) {
  auto tree = std::make_unique<Tree>();
  tree->source = std::move(source);
  try {
    parse_into(*tree, options);
  } catch (Failure& failure) {
    finish_hint(*tree->source, options, failure);
    return failed(failure, options, *tree->source);
  }
  if (options.mode == Mode::interactive) {
    if (auto open = find_open_block(*tree)) return {nullptr, open, Completeness::incomplete};
  }
  return {std::move(tree), std::nullopt, Completeness::complete};
}

}  // namespace gpy::syntax
