#include "runtime/core/notes.h"

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

namespace gpy::rt {

static thread_local const NoteSink* this_threads = nullptr;

NoteScope::NoteScope(const NoteSink* sink) : before_(this_threads) { this_threads = sink; }
NoteScope::~NoteScope() { this_threads = before_; }

namespace {

// No destructor runs at the thread's end: an interpreter in static storage adds notes even later.
thread_local int holders = 0;
thread_local std::vector<std::string>* held = nullptr;  // while a NotesHeld lives

void tell(const std::string& line) {
  if (this_threads && *this_threads) return (*this_threads)(line);
  std::fputs(line.c_str(), stderr);
}

}  // namespace

NotesHeld::NotesHeld() { ++holders; }
NotesHeld::~NotesHeld() {
  if (--holders > 0 || !held) return;
  const std::unique_ptr<std::vector<std::string>> lines(std::exchange(held, nullptr));
  for (const std::string& line : *lines) tell(line);
}

void note_warning(const std::string& what) {
  std::string line = "gpy: warning: " + what + "\n";
  if (holders == 0) return tell(line);
  if (!held) held = new std::vector<std::string>;
  held->push_back(std::move(line));
}

}  // namespace gpy::rt
