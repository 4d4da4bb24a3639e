#pragma once
// The options and arguments of the command line.

#include <optional>
#include <string>
#include <vector>

namespace gpy::command {

enum class Action { run, help, version, info, doctest, explain, cache, dump_tree };
enum class Colour { automatic, always, never };
enum class ErrorForm { text, json };
enum class SourceKind { none, file, text, module, standard_input };

struct Options {
  Action action = Action::run;
  SourceKind source = SourceKind::none;  // none: a prompt at a terminal, else standard input
  std::string operand;                   // the file's path, the text of -c, or the name of -m
  bool interactive = false;              // -i: a prompt after the source
  std::optional<std::string> device;     // --device; GPY_DEVICE is read elsewhere
  Colour colour = Colour::automatic;     // --color
  ErrorForm errors = ErrorForm::text;    // --errors
  bool full_traceback = false;           // --full-traceback
  std::vector<std::string> arguments;    // sys.argv; of doctest and its kin, their own words
};

// Throws std::invalid_argument with one line that names the option at fault.
Options read_options(const std::vector<std::string>& words);

extern const char* const kHelp;

}  // namespace gpy::command
