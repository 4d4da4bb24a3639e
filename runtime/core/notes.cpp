#include "runtime/core/notes.h"

#include <cstdio>
#include <utility>
#include <vector>

namespace gpy::rt {

static thread_local const NoteSink* this_threads = nullptr;

NoteScope::NoteScope(const NoteSink* sink) : before_(this_threads) { this_threads = sink; }
NoteScope::~NoteScope() { this_threads = before_; }

namespace {

struct Held {
  int holders = 0;
  std::vector<std::string> lines;
};
thread_local Held held;

void tell(const std::string& line) {
  if (this_threads && *this_threads) return (*this_threads)(line);
  std::fputs(line.c_str(), stderr);
}

}  // namespace

NotesHeld::NotesHeld() { ++held.holders; }
NotesHeld::~NotesHeld() {
  if (--held.holders > 0 || held.lines.empty()) return;
  for (const std::string& line : std::exchange(held.lines, {})) tell(line);
}

void note_warning(const std::string& what) {
  std::string line = "gpy: warning: " + what + "\n";
  if (held.holders > 0) held.lines.push_back(std::move(line));
  else tell(line);
}

}  // namespace gpy::rt
