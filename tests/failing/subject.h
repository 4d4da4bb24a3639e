#pragma once
// The subjects that run while memory fails: scripts, entries at the prompt, host programs.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/failing/switch.h"

namespace gpy::test::failing {

// The end of a run. It holds no memory, so that the blocks left behind by the run can be counted.
struct Ending {
  uint64_t tries = 0;         // of calls that could fail
  uint64_t output = 0;        // a hash of what was printed
  uint64_t error = 0;         // a hash of the error that left it; 0: none did
  char error_text[160] = {};  // the beginning of that error's text
  bool is_expected = false;   // the error, or one that it followed, is that of such a failure
  bool is_foreign = false;    // the error is not one of gpy's
  bool is_changed = false;    // one of the script's handlers saw such an error
  size_t device_memory = 0;   // bytes left behind
  bool is_silent = false;     // a failure that must be an error had no effect
  bool answers = false;       // 1 + 1 was 2 afterwards
  uint64_t again = 0;         // a hash of what it printed when it ran once more, and nothing failed
  bool may_differ_again = false;  // the failure may leave state that changes what it prints then
};

struct Subject {
  std::string name;
  std::function<Ending(const Trial&)> run;
};

// A fixed choice of the script tests, of prompts and of hosts. The working folder is the root of
// the tree.
std::vector<Subject> all_subjects();
// Scripts that read and write files.
std::vector<Subject> file_subjects();
// Array scripts for a GPU; none where its fakes were not built. Throws where these do not load.
std::vector<Subject> device_subjects();
// A script test, by its path.
Subject script_subject(const std::string& path);
// An interpreter that is made and closed.
Subject start_subject();
// A process that is killed at any failure: the test itself must report that.
Subject killed_subject();

// The parts of all_subjects().
std::vector<Subject> prompt_subjects();
std::vector<Subject> host_subjects();

// Notes the error that is being caught, if any, in gpy's terms; it ends the run.
void note_error(Ending& ending, const std::string& type, const std::string& message);
uint64_t hash_of(std::string_view text);

}  // namespace gpy::test::failing
