// The command line: runs a file, -c text or standard input, and turns what happened into an exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "grammar/dump.h"
#include "grammar/parse.h"
#include "src/interpreter.h"
#include "stdlib/install.h"

namespace {

using namespace gpy;

enum ExitCode { kOk = 0, kError = 1, kUsage = 2, kInterrupted = 130 };

struct Program {
  std::string name;                     // "script.gpy", "<string>", "<stdin>"
  std::string text;
  std::string folder;                   // where imports look first
  std::vector<std::string> arguments;
};

Interpreter* running = nullptr;

extern "C" void on_interrupt(int) {
  if (running) running->interrupt();
}

bool wants_colour() { return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"); }

// sys.exit(code): None is 0, an int itself, anything else is printed and 1.
int exit_code_of(Interpreter& vm, const Value& exception) {
  Value code = vm.get_attribute(exception, "code");
  if (code.is_none()) return kOk;
  if (code.is_integer() || code.is_boolean()) return static_cast<int>(code.as_integer() & 0xFF);
  vm.write_err(vm.to_str(code) + "\n");
  return kError;
}

int report(Interpreter& vm, const Raised& raised) {
  const Value& e = raised.exception;
  if (vm.is_instance(e, vm.types.system_exit)) return exit_code_of(vm, e);
  if (vm.is_instance(e, vm.types.broken_pipe_error)) return kError;
  vm.write_err(wants_colour() ? vm.render_coloured(raised) : vm.render(raised));
  return vm.is_instance(e, vm.types.keyboard_interrupt) ? kInterrupted : kError;
}

// A main source that does not parse is a usage error; one that it imports is not.
bool is_own_syntax_error(Interpreter& vm, const Raised& raised) {
  return vm.is_instance(raised.exception, vm.types.syntax_error) &&
         raised.exception.as<Exception>()->trace.empty();
}

int run(Interpreter& vm, const Program& program) {
  vm.arguments = program.arguments;
  vm.search_path.insert(vm.search_path.begin(), program.folder);
  int code = kOk;
  try {
    Module& main = vm.main_module();
    if (program.name[0] != '<') main.set(vm, "__file__", vm.str(program.name));
    vm.run_source(program.text, program.name, main);
  } catch (Raised& raised) {
    bool unparsed = is_own_syntax_error(vm, raised);
    try {
      code = report(vm, raised);
    } catch (Raised&) {
      code = kError;
    }
    if (unparsed) code = kUsage;
  }
  try {
    vm.flush_out();
  } catch (Raised&) {
    code = kError;
  }
  return code;
}

std::string read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::optional<std::string> read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    std::fputs(fmt::format("gpy: {} is a directory\n", path).c_str(), stderr);
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    std::fputs(fmt::format("gpy: can't open file '{}'\n", path).c_str(), stderr);
    return std::nullopt;
  }
  return read_all(stream);
}

int usage() {
  std::fputs("usage: gpy [--version] [--ast FILE] [FILE | -c TEXT | -] [ARGUMENT...]\n", stderr);
  return kUsage;
}

int dump(const std::string& path) {
  auto text = read_file(path);
  if (!text) return kError;
  auto result = syntax::parse(syntax::make_source(path, *text));
  if (!result.tree) {
    std::fputs((result.error->kind + ": " + result.error->message + "\n").c_str(), stderr);
    return kUsage;
  }
  std::fputs(syntax::dump(*result.tree).c_str(), stdout);
  return kOk;
}

// The program that the arguments ask for; none: an exit code.
std::optional<Program> choose(const std::vector<std::string>& words, int& code) {
  if (words.empty() || words[0] == "-") {
    std::vector<std::string> rest = words.empty() ? std::vector<std::string>{"-"} : words;
    return Program{"<stdin>", read_all(std::cin), "", rest};
  }
  if (words[0] == "-c") {
    if (words.size() < 2) return code = usage(), std::nullopt;
    std::vector<std::string> rest{"-c"};
    rest.insert(rest.end(), words.begin() + 2, words.end());
    return Program{"<string>", words[1] + "\n", "", rest};
  }
  if (words[0].size() > 1 && words[0][0] == '-') return code = usage(), std::nullopt;
  auto text = read_file(words[0]);
  if (!text) return code = kError, std::nullopt;
  std::string folder = std::filesystem::path(words[0]).parent_path().string();
  return Program{words[0], *text, folder, words};
}

int main_of(const std::vector<std::string>& words) {
  if (!words.empty() && words[0] == "--version") {
    std::puts("gpy " GPY_VERSION);
    return kOk;
  }
  if (words.size() == 2 && words[0] == "--ast") return dump(words[1]);
  int code = kOk;
  auto program = choose(words, code);
  if (!program) return code;
  // Kept to the end of the process: what it holds need not be taken apart.
  auto* vm = new Interpreter();
  lib::install(*vm);
  running = vm;
  return run(*vm, *program);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, on_interrupt);
  int code = main_of({argv + 1, argv + argc});
  std::fflush(stdout);
  _exit(code);
}
