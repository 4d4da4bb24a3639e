#include "runtime/host_kernel/system_compiler.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>

#include "runtime/core/environment.h"
#include "runtime/core/error_facts.h"
#include "runtime/core/notes.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/kernel/cache_settings.h"
#include "runtime/kernel/run_program.h"
#include "runtime/text/backslash_replace.h"

namespace gpy::rt {
namespace {

constexpr const char* kSource = "kernel.cpp";
constexpr const char* kAssembly = "kernel.s";
constexpr const char* kStackUsage = "kernel.su";
constexpr const char* kObject = "kernel.so";
// Endless loops are kept. Compilers that do not know this option keep them anyway.
constexpr const char* kEndlessLoops = "-fno-finite-loops";

// Runs a step of the compilation of the kernel `name`. Throws kCompile where it takes too long.
ProgramEnding run_step(std::vector<std::string> words, const WorkFolder& folder,
                       const std::string& name) {
  const std::string program = words[0];
  const ProgramEnding ending = run_program(std::move(words), folder);
  if (!ending.timed_out) return ending;
  fail(ErrorKind::kCompile,
       "kernel '{}' does not compile:\n{} did not end within {} s (GPY_COMPILE_SECONDS sets the "
       "limit)",
       name, program, compile_seconds());
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "file:3:7: error: text" lines without the compiler's own decoration and source echoes.
std::string first_errors(const std::string& log) {
  std::string out;
  int count = 0;
  for (size_t start = 0; start < log.size() && count < 5;) {
    const size_t end = std::min(log.find('\n', start), log.size());
    const std::string line = log.substr(start, end - start);
    start = end + 1;
    if (line.find("error:") == std::string::npos) continue;
    out += (out.empty() ? "" : "\n") + line;
    ++count;
  }
  return out.empty() ? log : out;
}

std::string how_it_ended(const ProgramEnding& ending) {
  if (ending.missing) return "is not there";
  if (WIFSIGNALED(ending.status))
    return fmt::format("was ended by signal {}", WTERMSIG(ending.status));
  return fmt::format("ended with status {}", WEXITSTATUS(ending.status));
}

}  // namespace

bool SystemCompiler::try_compiler(const std::string& command, const WorkFolder& folder) {
  std::vector<std::string> words = split_words(command);
  if (words.empty()) return false;
  command_ = words;
  words.push_back("--version");
  const ProgramEnding ending = run_program(std::move(words), folder);
  if (ending.missing || ending.timed_out) return false;
  version_ = command + '\n' + program_output(folder);
  return true;
}

std::string SystemCompiler::identity(const WorkFolder& folder) {
  const std::lock_guard lock(mutex_);
  if (!version_.empty()) return version_;
  const std::string chosen = environment_variable("CXX");
  for (const char* command : {chosen.c_str(), "c++", "g++", "clang++"}) {
    if (try_compiler(command, folder)) return version_;
    if (command == chosen.c_str() && !chosen.empty()) {
      note_warning(fmt::format(
          "CXX='{}' cannot be run, or does not answer: another compiler is looked for", chosen));
    }
  }
  return "";
}

std::vector<std::string> SystemCompiler::flags() const {
  std::vector<std::string> words = {
      "-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-w",
      "-Wno-narrowing", "-fvisibility=hidden", "-fdiagnostics-color=never", "-ftabstop=1",
      // what guard_assembly needs
      "-g1", "-mno-red-zone", kEndlessLoops,
      // arrays of different types may share their memory, and kernels read one type as another
      "-fno-strict-aliasing",
      // a stack that ends is seen
      "-fstack-clash-protection",
      // and a function that ends without its return
      "-fsanitize=return,unreachable"};
  // Two calls of abort are two lines, a division by a constant 0 is a division, and a loop that
  // stores is no call of memset, where a fault would not be the kernel's.
  if (version_.find("clang") == version_.npos)
    words.insert(words.end(), {"-fsanitize-undefined-trap-on-error", "-fno-crossjumping",
                               "-fno-tree-tail-merge", "-fno-isolate-erroneous-paths-dereference",
                               "-fno-tree-loop-distribute-patterns"});
  else
    words.insert(words.end(),
                 {"-fsanitize-trap=return,unreachable", "-mllvm", "-disable-loop-idiom-all"});
  return words;
}

// At -Og each access stands where the text has it.
void SystemCompiler::add_watching(std::vector<std::string>& options) const {
  const bool clang = version_.find("clang") != version_.npos;
  options.insert(options.end(), {"-Og", "-fsanitize=thread"});
  if (clang) options.insert(options.end(), {"-mllvm", "-tsan-distinguish-volatile"});
  else
    options.insert(options.end(), {"-fno-tree-loop-im", "--param", "tsan-distinguish-volatile=1"});
}

std::string SystemCompiler::to_assembly(const WorkFolder& folder, const std::string& text,
                                        const std::string& name,
                                        std::span<const std::string> options) {
  write_file(folder / kSource, text);
  std::vector<std::string> words = command_;
  for (std::string& flag : flags()) words.push_back(std::move(flag));
  for (const std::string& option : options) words.push_back(option);
  words.insert(words.end(),
               {"-S", "-o", (folder / kAssembly).string(), (folder / kSource).string()});
  ProgramEnding ending = run_step(words, folder, name);
  if (!ending.is_good() && program_messages(folder).find(kEndlessLoops) != std::string::npos) {
    std::erase(words, kEndlessLoops);
    ending = run_step(words, folder, name);
  }
  if (ending.is_good() && std::filesystem::exists(folder / kAssembly))
    return read_file(folder / kAssembly);
  std::string said = messages(folder);
  if (said.empty()) said = fmt::format("{} {}", command_[0], how_it_ended(ending));
  fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", name, said);
}

// Lines are "place, tab, bytes, tab, kind".
size_t SystemCompiler::stack_bytes(const WorkFolder& folder) {
  if (!std::filesystem::exists(folder / kStackUsage)) return 0;
  std::istringstream lines(read_file(folder / kStackUsage));
  size_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab != std::string::npos) sum += std::strtoull(line.c_str() + tab, nullptr, 10);
  }
  return sum;
}

bool SystemCompiler::to_object(const WorkFolder& folder, const std::string& assembly,
                               const std::string& name, bool own_names_only) {
  write_file(folder / kAssembly, assembly);
  std::vector<std::string> words = command_;
  words.insert(words.end(), {"-shared", "-s"});
  for (std::string_view function : kWrappedFunctions) {
    if (!own_names_only) words.push_back(fmt::format("-Wl,--wrap={}", function));
  }
  words.insert(words.end(), {"-o", (folder / kObject).string(), (folder / kAssembly).string()});
  // The C++ library has many names, which take the linker more time than all else.
  if (own_names_only) words.insert(words.end(), {"-nodefaultlibs", "-lm", "-lgcc", "-lc"});
  const ProgramEnding ending = run_step(std::move(words), folder, name);
  return ending.is_good() && std::filesystem::exists(folder / kObject);
}

std::string SystemCompiler::messages(const WorkFolder& folder) {
  return first_errors(backslash_replace(program_messages(folder)));
}

}  // namespace gpy::rt
