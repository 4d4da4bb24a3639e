#pragma once
// The tests in a file: sessions as Python's doctest reads them, and scripts whose comments say what
// their lines print.

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::command {

// Python's names. Reports have one form, so the options that choose another are missing.
enum Flag : unsigned {
  kEllipsis = 1 << 0,
  kNormalizeWhitespace = 1 << 1,
  kSkip = 1 << 2,
  kIgnoreExceptionDetail = 1 << 3,
  kDontAcceptBlankline = 1 << 4,
  kDontAcceptTrueFor1 = 1 << 5,
  kReportOnlyFirstFailure = 1 << 6,
  kFailFast = 1 << 7,
};
using Flags = unsigned;
std::optional<Flag> flag_named(std::string_view name);

// One `>>>` with its `...` lines and what it should print.
struct Example {
  std::string source;                // without prompts, with a newline at its end
  std::string want;                  // empty, or with a newline at its end
  std::optional<std::string> error;  // the last line or lines of the expected traceback
  int line = 0;                      // in the file, from 1
  Flags on = 0, off = 0;
};

// A block without prompts: the output of a line is stated behind `# -> `, beside it or below.
struct Script {
  std::string source;  // begins with empty lines, so that line numbers are the file's
  int line = 0;        // of its first line
  std::map<int, std::vector<std::string>> prints;  // expected output by line
};

// The examples and scripts of one namespace: a text file, or one docstring of a module.
struct Session {
  std::string name;  // "README.md", "shapes.area"
  std::vector<Example> examples;
  std::vector<Script> scripts;
};

// A mistake in the file itself: "line 3 of the docstring for f has ...".
struct MalformedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The examples of `text`, whose first line is `first_line` of the file. Throws MalformedError.
std::vector<Example> read_examples(std::string_view text, const std::string& name, int first_line);

// Reads a text file: in Markdown, blocks of other languages are skipped.
Session read_text(std::string_view text, const std::string& name, bool is_markdown);

// The docstrings of a module and its functions, classes and methods that hold examples, by name.
// Empty for a text that does not parse.
std::vector<Session> read_docstrings(const std::string& text, const std::string& path,
                                     const std::string& module);

}  // namespace gpy::command
