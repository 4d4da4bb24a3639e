// Pictures in a terminal: by kitty's protocol, as sixels, else as coloured half blocks.
#include "stdlib/native/images/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/core/environment.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/images/elements.h"
#include "stdlib/native/images/open.h"

namespace gpy::lib {

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

// Reads what the terminal answers to "what are you?", up to 'c', for a tenth of a second at most.
std::string answer_of_terminal() {
  constexpr int kPatience = 100;  // ms
  std::string answer;
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, 0) != 0) return answer;  // somebody has typed: that is not ours to take
  termios before = {};
  if (tcgetattr(STDIN_FILENO, &before) != 0) return answer;
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0, raw.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return answer;
  constexpr std::string_view kQuestion = "\x1b[c";
  if (write(STDOUT_FILENO, kQuestion.data(), kQuestion.size()) == std::ssize(kQuestion)) {
    char letter = 0;
    while (letter != 'c' && answer.size() < 64 && poll(&input, 1, kPatience) == 1 &&
           read(STDIN_FILENO, &letter, 1) == 1) {
      answer += letter;
    }
  }
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  return answer;
}

// Attribute 4 of "\x1b[?62;4;6c" is sixels.
bool tells_of_sixels(std::string_view answer) {
  const size_t begin = answer.find('?');
  if (begin == std::string_view::npos || !answer.ends_with('c')) return false;
  std::string_view rest = answer.substr(begin + 1, answer.size() - begin - 2);
  while (true) {
    const size_t end = rest.find(';');
    if (rest.substr(0, end) == "4") return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

std::string_view protocol_of_terminal() {
  const std::string term = rt::environment_variable("TERM");
  const std::string program = rt::environment_variable("TERM_PROGRAM");
  const bool is_inside_another = term.starts_with("screen") || term.starts_with("tmux");
  if (!is_inside_another) {
    if (term == "xterm-kitty" || term == "xterm-ghostty" ||
        !rt::environment_variable("KITTY_WINDOW_ID").empty() ||
        is_one_of(program, {"ghostty", "WezTerm"})) {
      return "kitty";
    }
    if (term.find("sixel") != std::string::npos ||
        is_one_of(term, {"foot", "foot-extra", "mlterm"})) {
      return "sixel";
    }
  }
  if (term == "dumb" || !isatty(STDIN_FILENO)) return "blocks";
  return tells_of_sixels(answer_of_terminal()) ? "sixel" : "blocks";
}

int64_t columns_of_terminal() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// What the terminal at the output takes: "kitty", "sixel", "blocks"; None where it is no terminal.
Value terminal_protocol(Interpreter& vm) {
  if (!isatty(STDOUT_FILENO)) return Value::none();
  return vm.str(std::string(protocol_of_terminal()));
}

Picture picture_of(Interpreter& vm, const rt::Array& pixels) {
  if (pixels.rank() != 3 || pixels.shape()[2] != 4) {
    vm.raise_value_error("pixels have shape (rows, columns, 4)");
  }
  return {pixels.shape()[0], pixels.shape()[1], elements<uint8_t>(vm, pixels)};
}

Value terminal_text(Interpreter& vm, const rt::Array& pixels, std::string_view protocol) {
  const Picture picture = picture_of(vm, pixels);
  if (protocol == "kitty") return vm.str(kitty_text(picture));
  if (protocol == "sixel") return vm.str(sixel_text(picture));
  if (protocol != "blocks") {
    vm.raise_value_error("'{}' is no way to show a picture: 'kitty', 'sixel' and 'blocks' are",
                         protocol);
  }
  return vm.str(block_text(picture, columns_of_terminal()));
}

const Native kRows[] = {
    {"terminal_protocol", "()", typed<terminal_protocol>, "How the terminal takes pictures."},
    {"terminal_text", "(pixels, protocol, /)", typed<terminal_text>,
     "The text that makes a terminal show pixels."},
};

}  // namespace

std::span<const Native> terminal_rows() { return kRows; }

}  // namespace gpy::lib
