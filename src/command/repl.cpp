#include "src/command/repl.h"

#include <unistd.h>

#include <optional>

#include "grammar/parse.h"
#include "src/command/command.h"
#include "src/command/line_reader.h"
#include "src/command/magic.h"
#include "src/command/program.h"
#include "src/command/prompt_text.h"
#include "src/command/uncaught.h"
#include "src/exceptions/as_raised.h"

namespace gpy::command {

namespace {

bool needs_more(const std::string& text) {
  auto result = syntax::parse(syntax::make_source("<stdin>", text), {syntax::Mode::interactive});
  return result.completeness == syntax::Completeness::incomplete;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

class Prompt {
 public:
  explicit Prompt(Interpreter& vm)
      : vm_(vm), commands_(vm), lines_(at_terminal_ ? make_line_editor(vm) : make_plain_reader()) {
    if (at_terminal_) vm.write_out("gpy " GPY_VERSION " (help(x) or x?, %timeit, exit())\n");
  }

  int run() {
    while (!code_) step();
    return *code_;
  }

 private:
  // Runs one entry. Errors of an entry do not end the prompt, only leaving it does.
  void step() {
    try {
      as_raised(vm_, [&] { run_entry(read_entry()); });
    } catch (const Raised& raised) {
      const int code = report(vm_, raised);
      if (vm_.is_instance(raised.exception, vm_.types.system_exit)) code_ = code;
    }
    // An output that nobody reads any more ends the prompt.
    if (flush(vm_) == kError) code_ = kError;
  }

  // Nothing at the end of the input. Ctrl-C empties an entry that is being typed; one that came too
  // late for the previous entry is forgotten.
  std::optional<std::string> read_entry() {
    vm_.forget_interrupt();
    try {
      return read_lines();
    } catch (const LineInterrupted&) {
      vm_.write_out("\nKeyboardInterrupt\n");
      return "";
    }
  }

  // An entry of help or magic is one line; any other goes on until it is complete.
  std::optional<std::string> read_lines() {
    std::optional<std::string> line = lines_.first();
    if (!line) return std::nullopt;
    std::string text = *line + "\n";
    if (commands_.takes(text)) return text;
    while (needs_more(text)) {
      line = lines_.next();
      if (!line) return text + "\n";  // the blank line that ends a block
      text += *line + "\n";
    }
    return text;
  }

  void run_entry(const std::optional<std::string>& text) {
    if (!text) return leave();
    if (is_blank(*text) || commands_.run(*text)) return;
    commands_.show(vm_.run_interactive(*text, "<stdin>", vm_.main_module()));
  }

  // Ends the line of the prompt at a terminal.
  void leave() {
    code_ = kOk;
    if (at_terminal_) vm_.write_out("\n");
  }

  const bool at_terminal_ = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  Interpreter& vm_;
  Commands commands_;
  SourceLines lines_;
  std::optional<int> code_;
};

}  // namespace

int run_prompt(Interpreter& vm) {
  vm.search_path.insert(vm.search_path.begin(), "");
  return Prompt(vm).run();
}

}  // namespace gpy::command
