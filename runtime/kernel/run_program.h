#pragma once

// Compilers and their tools as processes: started, and waited for so that an interrupt or the time
// limit (GPY_COMPILE_SECONDS) ends them.

#include <string>
#include <vector>

#include "runtime/kernel/work_folder.h"

namespace gpy::rt {

// How a program ended: its status as waitpid gives it, or why it has none.
struct ProgramEnding {
  bool missing = false, timed_out = false;
  int status = 0;
  bool is_good() const { return !missing && !timed_out && status == 0; }
};

// Runs a program that is found on PATH; what it writes lies in the folder. Throws kInterrupt, and
// kOs where the system cannot start it.
ProgramEnding run_program(std::vector<std::string> words, const WorkFolder& folder);

// What the last program in the folder wrote.
std::string program_output(const WorkFolder& folder);
std::string program_messages(const WorkFolder& folder);

}  // namespace gpy::rt
