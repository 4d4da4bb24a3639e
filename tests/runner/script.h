#pragma once
// A script test: text, directives and what its comments expect.
//
//   # devices: cpu          the only devices it runs on
//   # fake GPUs: 2          a golden diagnostic, in a process that finds GPUs which compute nothing
//   # lazy: only            not run eagerly
//   # not under: fusion     hostile runs in which it says something else
//   # also: cupy            runs a second time with `import numpy as np` reading cupy
//   # skip: REASON
//   print(x)  # expect: 3
//             # expect: a second line of output from the line above
//   f()       # expect runtime error: TypeError: text
//   x = = 1   # expect error: text

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::test {

struct ExpectedError {
  int line = 0;
  bool syntax = false;  // SyntaxError or a subclass: only the message is given
  std::string text;
};

struct Script {
  std::string path;  // from the root of the tree
  std::string text;
  std::map<int, std::vector<std::string>> output;  // by the line that prints
  std::optional<ExpectedError> error;
  std::string devices;    // empty: all
  std::string fake_gpus;  // how many; empty: it runs on what there is
  bool lazy_only = false;
  std::string not_under;
  bool also_cupy = false;
  std::string skip;

  bool runs_on(std::string_view device) const;
};

[[nodiscard]] Script read_script(const std::string& path);
// Parses the directives and expectations of `text`.
[[nodiscard]] Script parse_script(std::string path, std::string text);
// The same test for the arrays of cupy.
[[nodiscard]] Script with_cupy(Script script);
// All .gpy files under a file, folder or path prefix, sorted; modules that tests
// import (files in a folder called "modules") are left out.
[[nodiscard]] std::vector<std::string> find_scripts(const std::string& prefix);

// The text without spaces at its end: expectations have none.
std::string_view trim_right(std::string_view text);
std::vector<std::string> split_lines(std::string_view text);
std::string read_file(const std::string& path);

}  // namespace gpy::test
