#pragma once
// The lines typed at earlier prompts: a plain file in $XDG_STATE_HOME/gpy (~/.local/state/gpy).
// Each line is appended when it is entered, so several prompts can share the file. A home that
// cannot be written means no history, never an error.

#include <string>
#include <vector>

namespace gpy::command {

class HistoryFile {
 public:
  HistoryFile();

  // The lines, oldest first. A file that has grown long is cut to these.
  std::vector<std::string> load();
  void append(const std::string& line);

 private:
  void cut(const std::vector<std::string>& lines) const;

  std::string path_;  // empty: no history
};

}  // namespace gpy::command
