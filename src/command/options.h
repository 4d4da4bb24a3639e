#pragma once
// What the words on the command line ask for.

#include <optional>
#include <string>
#include <vector>

namespace gpy::command {

enum class Action { run, help, version, info, dump_tree };
enum class SourceKind { none, file, text, standard_input };

struct Options {
  Action action = Action::run;
  SourceKind source = SourceKind::none;  // none: a prompt at a terminal, else standard input
  std::string operand;                   // the file's path, or the text of -c
  bool interactive = false;              // -i: a prompt after the source
  std::optional<std::string> device;     // --device; GPY_DEVICE is read elsewhere
  std::vector<std::string> arguments;    // sys.argv
};

// Throws std::invalid_argument with one line that names the option at fault.
Options read_options(const std::vector<std::string>& words);

extern const char* const kHelp;

}  // namespace gpy::command
