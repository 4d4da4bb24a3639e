// The line editor at a terminal: libedit.
#include <histedit.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "runtime/core/blocked_signals.h"
#include "src/command/completion.h"
#include "src/command/history_file.h"
#include "src/command/line_reader.h"

namespace gpy::command {

namespace {

// Names in columns as wide as the terminal.
std::string in_columns(const std::vector<std::string>& words, size_t width) {
  size_t longest = 0;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  const size_t columns = std::max<size_t>(1, width / (longest + 2));
  const size_t rows = (words.size() + columns - 1) / columns;
  std::string text;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t at = row; at < words.size(); at += rows) {
      text += words[at];
      if (at + rows < words.size()) text.append(longest + 2 - words[at].size(), ' ');
    }
    text += '\n';
  }
  return text;
}

// During its lifetime the terminal delivers each key and echoes none, and Ctrl-C waits for ppoll.
// libedit does the first itself, but after it has shown the prompt: keys typed earlier would be
// echoed.
class RawTerminal {
 public:
  RawTerminal() {
    termios mode;
    if (tcgetattr(STDIN_FILENO, &mode) != 0) return;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
  }

  // During its lifetime Ctrl-C does not wait, so that it ends work that a key asks for.
  class InterruptsAllowed {
   public:
    explicit InterruptsAllowed(const RawTerminal& terminal) {
      sigprocmask(SIG_SETMASK, &terminal.interrupts_.before(), &waiting_);
    }
    ~InterruptsAllowed() { sigprocmask(SIG_SETMASK, &waiting_, nullptr); }
    InterruptsAllowed(const InterruptsAllowed&) = delete;
    InterruptsAllowed& operator=(const InterruptsAllowed&) = delete;

   private:
    sigset_t waiting_;
  };

  // False when a signal came instead of a key. A pending signal comes before pending keys: it ends
  // what was typed before them.
  bool wait_for_key() const {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (ppoll(&input, 1, nullptr, &interrupts_.before()) < 0) return false;
    const timespec none{};
    return ppoll(nullptr, 0, &none, &interrupts_.before()) >= 0;
  }

 private:
  const rt::BlockedSignals interrupts_{SIGINT};
};

termios found_mode;  // the terminal's, when the editor began

// A process in the background does not own the terminal, and setting it would stop the process.
extern "C" void on_end(int signal) {
  if (tcgetpgrp(STDIN_FILENO) == getpgrp()) tcsetattr(STDIN_FILENO, TCSANOW, &found_mode);
  raise(signal);  // its action is the default again
}

// A process that is ended from outside while a line is typed leaves the terminal as it found it. A
// signal that was ignored from the start stays ignored.
void restore_terminal_at_end() {
  if (tcgetattr(STDIN_FILENO, &found_mode) != 0) return;
  for (int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;
    action.sa_handler = on_end;
    action.sa_flags = SA_RESETHAND;
    sigaction(signal, &action, nullptr);
  }
}

class LineEditor final : public LineReader {
 public:
  explicit LineEditor(Interpreter& vm);
  ~LineEditor() override;
  std::optional<std::string> read(const std::string& prompt) override;
  void remember(const std::string& line) override;

 private:
  static LineEditor& of(EditLine* editor);
  static int read_character(EditLine* editor, wchar_t* character);
  static unsigned char on_tab(EditLine* editor, int);
  unsigned char complete_word();
  void list(const std::vector<std::string>& words);

  Interpreter& vm_;
  EditLine* editor_;
  History* history_;
  HistoryFile file_;
  std::string prompt_;
  std::optional<RawTerminal> terminal_;
  bool interrupted_ = false;
};

LineEditor::LineEditor(Interpreter& vm) : vm_(vm) {
  restore_terminal_at_end();
  // Characters are the locale's; names and strings of the language are UTF-8 in any.
  if (!std::setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
  editor_ = el_init("gpy", stdin, stdout, stderr);
  history_ = history_init();
  HistEvent event;
  history(history_, &event, H_SETSIZE, 10000);
  history(history_, &event, H_SETUNIQUE, 1);
  for (const std::string& line : file_.load()) history(history_, &event, H_ENTER, line.c_str());
  el_set(editor_, EL_CLIENTDATA, this);
  el_set(editor_, EL_EDITOR, "emacs");
  el_set(editor_, EL_HIST, ::history, history_);
  el_set(
      editor_, EL_PROMPT, +[](EditLine* e) { return of(e).prompt_.data(); });
  el_set(editor_, EL_GETCFN, read_character);
  el_set(editor_, EL_ADDFN, "gpy-complete", "Complete the name before the cursor", on_tab);
  el_set(editor_, EL_BIND, "\t", "gpy-complete", nullptr);
  el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(editor_, nullptr);  // the user's ~/.editrc
}

LineEditor::~LineEditor() {
  history_end(history_);
  el_end(editor_);
}

LineEditor& LineEditor::of(EditLine* editor) {
  void* self = nullptr;
  el_get(editor, EL_CLIENTDATA, &self);
  return *static_cast<LineEditor*>(self);
}

// Ctrl-C ends the wait: a signal's handler alone would leave the line as it is.
int LineEditor::read_character(EditLine* editor, wchar_t* character) {
  std::mbstate_t state{};
  while (true) {
    char byte;
    if (!of(editor).terminal_->wait_for_key()) {
      of(editor).interrupted_ = true;
      return -1;
    }
    if (::read(STDIN_FILENO, &byte, 1) != 1) return 0;
    const size_t used = std::mbrtowc(character, &byte, 1, &state);
    if (used == static_cast<size_t>(-2)) continue;
    if (used != static_cast<size_t>(-1)) return 1;
    state = {};  // skips an invalid character
  }
}

// The look-up of attributes may run a script's code. Its exceptions end here: none may pass through
// the library's frames.
unsigned char LineEditor::on_tab(EditLine* editor, int) {
  LineEditor& self = of(editor);
  unsigned char outcome = CC_ERROR;
  try {
    const RawTerminal::InterruptsAllowed allowed(*self.terminal_);
    outcome = self.complete_word();
  } catch (...) {
  }
  self.vm_.forget_interrupt();
  return outcome;
}

// Tab at the start of a line indents.
unsigned char LineEditor::complete_word() {
  const LineInfo* line = el_line(editor_);
  const std::string_view text(line->buffer, static_cast<size_t>(line->cursor - line->buffer));
  if (text.find_first_not_of(' ') == text.npos) {
    return el_insertstr(editor_, "    ") == 0 ? CC_REFRESH : CC_ERROR;
  }
  const Completions found = complete(vm_, text);
  const std::string rest = found.common_rest();
  if (!rest.empty()) return el_insertstr(editor_, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  if (found.words.size() < 2) return CC_REFRESH_BEEP;
  list(found.words);
  return CC_REDISPLAY;
}

void LineEditor::list(const std::vector<std::string>& words) {
  int width = 0;
  if (el_get(editor_, EL_GETTC, "co", &width, nullptr) != 0 || width <= 0) width = 80;
  std::fputs(("\n" + in_columns(words, static_cast<size_t>(width))).c_str(), stdout);
  std::fflush(stdout);
}

void LineEditor::remember(const std::string& line) {
  if (line.find_first_not_of(" \t") == line.npos) return;
  HistEvent event;
  history(history_, &event, H_ENTER, line.c_str());
  file_.append(line);
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  prompt_ = prompt;
  interrupted_ = false;
  terminal_.emplace();
  vm_.forget_interrupt();  // an earlier one has nothing to interrupt; from here on it ends the line
  int count = 0;
  const char* text = el_gets(editor_, &count);
  terminal_.reset();
  if (interrupted_) {
    el_reset(editor_);
    throw LineInterrupted();
  }
  if (!text || count <= 0) return std::nullopt;
  std::string line(text);
  if (line.ends_with('\n')) line.pop_back();
  return line;
}

}  // namespace

std::unique_ptr<LineReader> make_line_editor(Interpreter& vm) {
  return std::make_unique<LineEditor>(vm);
}

}  // namespace gpy::command
