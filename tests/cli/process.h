#pragma once
// Runs a program in a process of its own, as a shell would, and notes the result.

#include <string>
#include <utility>
#include <vector>

namespace gpy::test {

struct Run {
  std::string input = {};                                             // what it reads from stdin
  bool closed_output = false;                                         // nobody reads its stdout
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
  std::string folder = {};                                            // where it runs; empty: here
  double seconds = 60;
  bool interrupt_at_output = false;  // Ctrl-C as soon as it has printed something
};

struct Result {
  int code = 0;  // exit code; 128 + signal when killed by one
  std::string out, err;
  bool timed_out = false;
};

// `arguments` follow the program's name. With no slash the program is looked for on the PATH.
[[nodiscard]] Result run_program(const std::string& program, std::vector<std::string> arguments,
                                 const Run& run = {});
// build/gpy.
[[nodiscard]] Result run_gpy(std::vector<std::string> arguments, const Run& run = {});
[[nodiscard]] std::string gpy_path();
// The root of the source tree.
[[nodiscard]] std::string source_root();

// A folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file and gives its path.
  std::string write(const std::string& name, std::string_view content) const;

 private:
  std::string path_;
};

}  // namespace gpy::test
