// Sessions in a text, by the rules of Python's doctest.DocTestParser.
#include <fmt/format.h>

#include <algorithm>

#include "src/command/doctest/example.h"
#include "src/command/doctest/lines.h"

namespace gpy::command {

std::optional<Flag> flag_named(std::string_view name) {
  constexpr std::pair<std::string_view, Flag> kFlags[] = {
      {"ELLIPSIS", kEllipsis},
      {"NORMALIZE_WHITESPACE", kNormalizeWhitespace},
      {"SKIP", kSkip},
      {"IGNORE_EXCEPTION_DETAIL", kIgnoreExceptionDetail},
      {"DONT_ACCEPT_BLANKLINE", kDontAcceptBlankline},
      {"DONT_ACCEPT_TRUE_FOR_1", kDontAcceptTrueFor1},
      {"REPORT_ONLY_FIRST_FAILURE", kReportOnlyFirstFailure},
      {"FAIL_FAST", kFailFast}};
  for (const auto& [known, flag] : kFlags) {
    if (name == known) return flag;
  }
  return std::nullopt;
}

// --- lines ---------------------------------------------------------------------------------------

static constexpr std::string_view kPrompt = ">>>", kContinued = "...";

static size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

static bool is_blank(std::string_view line) { return line.find_first_not_of(" \r") == line.npos; }

static bool has_prompt(std::string_view line, std::string_view prompt) {
  return line.substr(indentation(line)).starts_with(prompt);
}

static std::string with_spaces_for_tabs(std::string_view text) {
  constexpr size_t kTab = 8;
  std::string out;
  size_t column = 0;
  for (char c : text) {
    if (c == '\t') {
      const size_t width = kTab - column % kTab;
      out.append(width, ' ');
      column += width;
      continue;
    }
    out += c;
    column = c == '\n' ? 0 : column + 1;
  }
  return out;
}

static std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  each_line(text, [&](std::string_view line, bool) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  });
  return lines;
}

// --- options in comments -------------------------------------------------------------------------

// The text behind `# doctest:` at the end of a line of the source; empty where there is none.
static std::string_view directive_in(std::string_view line) {
  size_t at = line.size();
  while ((at = line.rfind('#', at == 0 ? std::string_view::npos : at - 1)) != line.npos) {
    std::string_view rest = line.substr(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    constexpr std::string_view kName = "doctest:";
    const bool is_text = rest.find_first_of("'\"") != rest.npos;
    if (rest.starts_with(kName) && !is_text) return rest.substr(kName.size());
    if (at == 0) break;
  }
  return {};
}

namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string name, int first_line)
      : lines_(lines_of(with_spaces_for_tabs(text))),
        name_(std::move(name)),
        first_line_(first_line) {}

  std::vector<Example> read() {
    while (at_ < lines_.size()) {
      if (has_prompt(lines_[at_], kPrompt)) {
        read_example();
      } else {
        ++at_;
      }
    }
    return std::move(examples_);
  }

 private:
  void read_example() {
    indent_ = indentation(lines_[at_]);
    Example example;
    example.line = first_line_ + static_cast<int>(at_);
    example.source = behind_prompt() + "\n";
    while (at_ < lines_.size() && has_prompt(lines_[at_], kContinued)) {
      if (indentation(lines_[at_]) != indent_) {
        refuse("inconsistent leading whitespace", lines_[at_]);
      }
      example.source += behind_prompt() + "\n";
    }
    example.want = read_want();
    example.error = error_in(example.want);
    read_options(example);
    if (!is_comment(example.source)) examples_.push_back(std::move(example));
  }

  // The text behind the prompt of the current line; the next line becomes the current one.
  std::string behind_prompt() {
    const std::string& line = lines_[at_];
    const size_t end = indent_ + kPrompt.size();
    if (line.size() > end && line[end] != ' ') {
      refuse(fmt::format("lacks blank after {}", line.substr(indent_, kPrompt.size())), line);
    }
    ++at_;
    return line.size() > end ? line.substr(end + 1) : "";
  }

  std::string read_want() {
    std::string want;
    for (; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      if (is_blank(line) || has_prompt(line, kPrompt)) break;
      if (indentation(line) < indent_) refuse("inconsistent leading whitespace", line);
      want += line.substr(indent_) + "\n";
    }
    return want;
  }

  static std::optional<std::string> error_in(const std::string& want) {
    if (!want.starts_with("Traceback (most recent call last):") &&
        !want.starts_with("Traceback (innermost last):")) {
      return std::nullopt;
    }
    const size_t header_end = want.find('\n'), behind_colon = want.find(':') + 1;
    const std::string_view header(want.data(), header_end);
    if (!is_blank(header.substr(behind_colon))) return std::nullopt;
    for (size_t at = header_end + 1; at < want.size(); at = want.find('\n', at) + 1) {
      const auto c = static_cast<unsigned char>(want[at]);
      if (std::isalnum(c) || c == '_' || c >= 0x80) return want.substr(at);
    }
    return std::nullopt;
  }

  void read_options(Example& example) const {
    for (const std::string& line : lines_of(example.source)) {
      std::string_view rest = directive_in(line);
      while (true) {
        rest.remove_prefix(std::min(rest.find_first_not_of(" ,\t"), rest.size()));
        if (rest.empty()) break;
        const size_t end = std::min(rest.find_first_of(" ,\t"), rest.size());
        read_option(example, rest.substr(0, end));
        rest.remove_prefix(end);
      }
    }
    if ((example.on | example.off) && is_comment(example.source)) {
      throw MalformedError(
          fmt::format("line {} of the doctest for {} has an option directive on a "
                      "line with no example: '{}'",
                      example.line, name_, example.source.substr(0, example.source.size() - 1)));
    }
  }

  void read_option(Example& example, std::string_view word) const {
    const auto flag = flag_named(word.substr(1));
    if (!flag || (word[0] != '+' && word[0] != '-')) {
      throw MalformedError(fmt::format("line {} of the doctest for {} has an invalid option: '{}'",
                                       example.line, name_, word));
    }
    (word[0] == '+' ? example.on : example.off) |= *flag;
  }

  static bool is_comment(std::string_view source) {
    const size_t start = source.find_first_not_of(" \n");
    return start == source.npos || (source[start] == '#' && source.find('\n') == source.size() - 1);
  }

  [[noreturn]] void refuse(std::string_view what, std::string_view line) const {
    throw MalformedError(fmt::format("line {} of the docstring for {} {}{}: '{}'",
                                     first_line_ + static_cast<int>(at_), name_,
                                     what.starts_with("lacks") ? "" : "has ", what, line));
  }

  std::vector<std::string> lines_;
  std::string name_;
  int first_line_;
  size_t at_ = 0, indent_ = 0;
  std::vector<Example> examples_;
};

}  // namespace

std::vector<Example> read_examples(std::string_view text, const std::string& name, int first_line) {
  return Reader(text, name, first_line).read();
}

}  // namespace gpy::command
