#pragma once
// Messages of the runtime beside its results: warnings, a line each.

#include <functional>
#include <string>

namespace gpy::rt {

// "gpy: warning: ...\n". Called on the thread whose work the note is about, while none of the
// runtime's locks is held: it may use the runtime itself. May not throw.
using NoteSink = std::function<void(const std::string& line)>;

// While it lives, notes of this thread's work go to `sink`, else to standard error.
class NoteScope {
 public:
  explicit NoteScope(const NoteSink* sink);
  ~NoteScope();
  NoteScope(const NoteScope&) = delete;
  NoteScope& operator=(const NoteScope&) = delete;

 private:
  const NoteSink* before_;
};

// While one lives, this thread's notes are kept back. Code that may add notes under a lock has one
// that outlives the lock. The end of the outermost one emits the notes, in order.
class NotesHeld {
 public:
  NotesHeld();
  ~NotesHeld();
  NotesHeld(const NotesHeld&) = delete;
  NotesHeld& operator=(const NotesHeld&) = delete;
};

void note_warning(const std::string& what);

}  // namespace gpy::rt
