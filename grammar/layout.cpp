#include "grammar/layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace gpy::syntax {
namespace {

constexpr int kTabSize = 8;

bool at_continuation(const char* at, const char* end) {
  return *at == '\\' && at + 1 < end && at[1] == '\n';
}

const char* skip_comment(const char* at, const char* end) { return std::find(at, end, '\n'); }

const char* skip_blanks(const char* at, const char* end) {
  while (at < end && is_blank(*at)) ++at;
  return at;
}

void count_blank(Indent& indent, char blank) {
  switch (blank) {
    case ' ': ++indent.column, ++indent.alt_column; break;
    case '\t':
      indent.column = (indent.column / kTabSize + 1) * kTabSize;
      ++indent.alt_column;
      break;
    default: indent = {};  // a form feed begins a page
  }
}

const char* read_indent(const char* at, const char* end, Indent& indent) {
  for (indent = {}; at < end && is_blank(*at); ++at) count_blank(indent, *at);
  while (at < end && at_continuation(at, end) && at + 2 < end) at = skip_blanks(at + 2, end);
  return at;
}

const LineProbe& probe_line(State& state, const char* from) {
  LineProbe& probe = state.probe;
  if (probe.from == from) return probe;
  const char* at = from;
  while (at < state.end()) {
    at = read_indent(at, state.end(), probe.indent);
    if (at < state.end() && *at == '#') at = skip_comment(at, state.end());
    if (at == state.end() || *at != '\n') break;
    ++at;
  }
  probe.from = from;
  probe.to = at;
  probe.indent.offset = state.offset(at);
  return probe;
}

std::string_view indentation(const State& state, uint32_t offset) {
  uint32_t start = state.source().line_start(state.source().line_of(offset));
  return state.text({start, offset});
}

const char* describe_blanks(std::string_view blanks) {
  bool has_tabs = blanks.find('\t') != blanks.npos, has_spaces = blanks.find(' ') != blanks.npos;
  if (has_tabs && has_spaces) return "tabs and spaces";
  return has_tabs ? "tabs" : has_spaces ? "spaces" : "nothing";
}

Span token_span(const State& state, uint32_t offset) { return token_at(state.source(), offset); }

// Reports two lines whose order of depths depends on the width of a tab.
[[noreturn]] void fail_tabs(State& state, const char* at, const Indent& other) {
  uint32_t here = state.offset(at);
  auto describe = [&](uint32_t offset) {
    return fmt::format("line {} begins with {}", state.source().line_of(offset),
                       describe_blanks(indentation(state, offset)));
  };
  auto error = make_error(token_span(state, here),
                          "inconsistent use of tabs and spaces in indentation", "TabError");
  error.hint = fmt::format("{}, {}: use spaces alone", describe(here), describe(other.offset));
  auto blanks = describe_blanks(indentation(state, other.offset));
  state.fail(with_note(std::move(error), token_span(state, other.offset),
                       fmt::format("begins with {}", blanks)));
}

// Negative, zero or positive as `a` is less, equally or more indented.
int compare(State& state, const char* at, const Indent& a, const Indent& b) {
  auto sign = [](int x, int y) { return (x > y) - (x < y); };
  int order = sign(a.column, b.column);
  if (order != sign(a.alt_column, b.alt_column)) fail_tabs(state, at, b);
  return order;
}

std::string count_columns(int columns) {
  return columns == 1 ? "1 column" : fmt::format("{} columns", columns);
}

// Reports a line that is deeper than its block although nothing opens a deeper one.
[[noreturn]] void fail_indent(State& state, const LineProbe& probe) {
  const Indent& block = state.layout.indents.back();
  auto error = make_error(token_span(state, state.offset(probe.to)), "unexpected indent",
                          "IndentationError");
  error.hint = block.column == 0
                   ? "begin the line at its left edge"
                   : fmt::format("indent it by {}, as line {}", count_columns(block.column),
                                 state.source().line_of(block.offset));
  state.fail(std::move(error));
}

[[noreturn]] void fail_unindent(State& state, const LineProbe& probe) {
  std::string depths;
  auto error =
      make_error(token_span(state, state.offset(probe.to)),
                 "unindent does not match any outer indentation level", "IndentationError");
  const auto& levels = state.layout.indents;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (i > 0) depths += i + 1 == levels.size() ? " or " : ", ";
    depths += std::to_string(levels[i].column);
  }
  error.hint = fmt::format("indent it by {} columns; it has {}", depths, probe.indent.column);
  state.fail(with_note(std::move(error), token_span(state, levels.back().offset),
                       fmt::format("this block stands at {}", levels.back().column)));
}

void check_unindent(State& state, const LineProbe& probe) {
  for (const Indent& level : state.layout.indents) {
    if (level.column == probe.indent.column) {
      if (compare(state, probe.to, probe.indent, level) == 0) return;
    }
  }
  fail_unindent(state, probe);
}

// Gives the word at `at`, and moves `at` past it and the blanks after it.
std::string_view take_word(const State& state, const char*& at) {
  const char* end = skip_identifier(at, state.end());
  std::string_view word(at, end - at);
  at = skip_blanks(end, state.end());
  return word;
}

// Walks over the parentheses of a `with` statement.
class ItemScan {
 public:
  explicit ItemScan(const State& state) : end_(state.end()) {}

  bool finds_items(const char* at) {
    do {
      at = step(at);
    } while (at < end_ && depth_ > 0);
    if (at == end_ || !has_as_) return false;
    at = skip_blanks(at, end_);
    return at < end_ && *at == ':';
  }

 private:
  const char* step(const char* at) {
    if (*at == '#') return skip_comment(at, end_);
    if (auto start = string_start(at, end_); start.length) {
      const char* after = skip_string(at + start.length, end_, start);
      return after ? after : end_;
    }
    if (const char* word = skip_identifier(at, end_); word != at) {
      has_as_ = has_as_ || (depth_ == 1 && std::string_view(at, word - at) == "as");
      return word;
    }
    if (is_opener(*at)) ++depth_;
    if (is_closer(*at)) --depth_;
    return at + 1;
  }

  const char* end_;
  int depth_ = 0;
  bool has_as_ = false;
};

}  // namespace

const char* skip_space(const State& state, const char* at) {
  const char* end = state.end();
  const LineStructure& layout = state.layout;
  bool skips_lines = !layout.brackets.empty() && !layout.is_single_line;
  for (;;) {
    at = skip_blanks(at, end);
    if (at == end) return at;
    if (at_continuation(at, end) && !layout.is_single_line) {
      at += 2;
    } else if (*at == '#' && !layout.is_single_line) {
      at = skip_comment(at, end);
    } else if (*at == '\n' && skips_lines) {
      ++at;
    } else {
      return at;
    }
  }
}

const char* next_in_block(State& state, const char* at) {
  const LineProbe& probe = probe_line(state, at);
  if (probe.to == state.end()) return nullptr;
  int order = compare(state, probe.to, probe.indent, state.layout.indents.back());
  if (order == 0) return probe.to;
  if (order > 0) fail_indent(state, probe);
  check_unindent(state, probe);
  return nullptr;
}

const char* skip_empty_lines(State& state, const char* at) {
  const char* to = probe_line(state, at).to;
  return to == state.end() ? to : at;
}

// Reports a missing block.
[[noreturn]] static void fail_no_block(State& state, const LineProbe& probe) {
  bool is_end = probe.to == state.end();
  const Header& header = state.header;
  int line = state.source().line_of(header.offset);
  auto error =
      make_error(token_span(state, state.offset(probe.to)),
                 fmt::format("expected an indented block after {} on line {}", header.what, line),
                 "IndentationError");
  error.hint = is_end ? "write 'pass' for a block that does nothing"
                      : "indent the lines of the block, or write 'pass' for an empty one";
  throw Failure{with_note(std::move(error), token_span(state, header.offset), "needs a block"),
                is_end, true};
}

void enter_block(State& state, const char* at) {
  const LineProbe& probe = probe_line(state, at);
  bool is_end = probe.to == state.end();
  if (is_end || compare(state, probe.to, probe.indent, state.layout.indents.back()) <= 0) {
    fail_no_block(state, probe);
  }
  if (state.is_stack_used_up()) state.fail_block_too_deep(state.offset(probe.to));
  state.layout.indents.push_back(probe.indent);
}

bool at_parenthesized_items(const State& state, const char* at) {
  return at < state.end() && *at == '(' && ItemScan(state).finds_items(at);
}

bool at_kernel(const State& state, const char* at) {
  if (take_word(state, at) != "kernel") return false;
  auto kind = take_word(state, at);
  if (!find_kernel_kind(kind)) return false;
  if (auto name = take_word(state, at); name.empty() || is_keyword(name)) return false;
  std::string_view rest(at, state.end() - at);
  return rest.starts_with('(') || rest.starts_with('{') || rest.starts_with("->") ||
         rest.starts_with(':');
}

const char* skip_literal_text(const State& state, const char* at) {
  const StringStart& start = state.layout.open_string.start;
  while (at < state.end() && *at != '{' && *at != '}' && (start.is_triple || *at != '\n') &&
         !at_closing_quotes(at, state.end(), start)) {
    bool escapes = *at == '\\' && at + 1 < state.end() && at[1] != '{' && at[1] != '}';
    at += escapes ? 2 : 1;
  }
  return at;
}

}  // namespace gpy::syntax
