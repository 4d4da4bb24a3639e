#pragma once
// What a file holds to be tried: sessions as Python's doctest reads them, and scripts whose lines
// say in comments what they print.

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::command {

// Python's names. Reports have one form, so those that choose another are not there.
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
  std::optional<std::string> error;  // of a traceback that is expected: its last line or lines
  int line = 0;                      // in the file, from 1
  Flags on = 0, off = 0;
};

// A block without prompts: each line that prints says so behind `# -> `, beside it or below.
struct Script {
  std::string source;  // empty lines before it, so that lines are the file's
  int line = 0;        // of its first
  std::map<int, std::vector<std::string>> prints;  // by line
};

// What shares a namespace: a text file, or one docstring of a module.
struct Session {
  std::string name;  // "README.md", "shapes.area"
  std::vector<Example> examples;
  std::vector<Script> scripts;
};

// The file's own mistake: "line 3 of the docstring for f has ...".
struct MalformedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The examples of `text`, whose first line is `first_line` of the file. Throws MalformedError.
std::vector<Example> read_examples(std::string_view text, const std::string& name, int first_line);

// A text file: in Markdown what other languages' fences hold is passed over.
Session read_text(std::string_view text, const std::string& name, bool is_markdown);

// The docstrings of a module and its functions, classes and methods that hold examples, by name.
// Empty for a text that does not parse.
std::vector<Session> read_docstrings(const std::string& text, const std::string& path,
                                     const std::string& module);

}  // namespace gpy::command
