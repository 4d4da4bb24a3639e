#include "runtime/host_kernel/system_compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "runtime/core/environment.h"
#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/kernel/cache_settings.h"
#include "runtime/text/backslash_replace.h"

namespace gpy::rt {
namespace {

constexpr const char* kSource = "kernel.cpp";
constexpr const char* kAssembly = "kernel.s";
constexpr const char* kStackUsage = "kernel.su";
constexpr const char* kObject = "kernel.so";
constexpr const char* kOutput = "output";
constexpr const char* kMessages = "messages";
// Endless loops are kept. Compilers that do not know this option keep them anyway.
constexpr const char* kEndlessLoops = "-fno-finite-loops";

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

// This process's environment, but messages in plain ASCII whatever the user's locale, and the
// compiler's own files where ours are.
std::vector<std::string> compiler_environment(const WorkFolder& folder) {
  std::vector<std::string> entries = {"LC_ALL=C", "TMPDIR=" + folder.path().string()};
  for (std::string& entry : environment()) {
    const bool ours = entry.starts_with("LC_ALL=") || entry.starts_with("TMPDIR=");
    if (!ours) entries.push_back(std::move(entry));
  }
  return entries;
}

// The settings that a compiler is started with: a process group of its own, which Ctrl-C does not
// reach and which can be ended as a whole, and signals as a program expects them.
class SpawnSettings {
 public:
  explicit SpawnSettings(const WorkFolder& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions_, 1, (folder / kOutput).c_str(), kNew, 0600);
    posix_spawn_file_actions_addopen(&actions_, 2, (folder / kMessages).c_str(), kNew, 0600);
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int signal : {SIGCHLD, SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

void end_group(pid_t leader) {
  kill(-leader, SIGKILL);
  while (waitpid(leader, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// How a program ended: its status as waitpid gives it, or why it has none.
struct Ending {
  bool missing = false, timed_out = false;
  int status = 0;
  bool is_good() const { return !missing && !timed_out && status == 0; }
};

// The status is 0 in a host that ignores its children's ends, where there is none.
Ending wait_for(pid_t pid) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(compile_seconds());
  const std::atomic<bool>* interrupt = current_interrupt();
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return {.status = status};
    if (ended < 0 && errno != EINTR) return {};
    const bool interrupted = interrupt && interrupt->load(), timed_out = Clock::now() > end;
    if (interrupted || timed_out) end_group(pid);
    if (interrupted) poll_interrupt();
    if (timed_out) return {.timed_out = true};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool is_missing(int error) { return error == ENOENT || error == EACCES || error == ENOTDIR; }

// Runs a program found on PATH, with its output and messages in the folder.
Ending run_program(std::vector<std::string> words, const WorkFolder& folder) {
  const SpawnSettings settings(folder);
  std::vector<std::string> environment = compiler_environment(folder);
  pid_t pid = 0;
  const int error = [&] {
    const EnvironmentLock reads_path;
    return posix_spawnp(&pid, words[0].c_str(), settings.actions(), settings.attributes(),
                        pointers(words).data(), pointers(environment).data());
  }();
  if (is_missing(error)) return {.missing = true};
  if (error) throw OsError(error, words[0]);
  Ending ending = wait_for(pid);
  // A shell's way to say that there is no such program.
  ending.missing = WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 127;
  return ending;
}

// Runs a step of the compilation of the kernel `name`. Throws kCompile where it takes too long.
Ending run_step(std::vector<std::string> words, const WorkFolder& folder, const std::string& name) {
  const std::string program = words[0];
  const Ending ending = run_program(std::move(words), folder);
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

std::string how_it_ended(const Ending& ending) {
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
  const Ending ending = run_program(std::move(words), folder);
  if (ending.missing || ending.timed_out) return false;
  version_ = command + '\n' + read_file(folder / kOutput);
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
      // a stack that ends is seen
      "-fstack-clash-protection",
      // and a function that ends without its return
      "-fsanitize=return,unreachable"};
  // Two calls of abort are two lines, and a division by a constant 0 is a division.
  if (version_.find("clang") == version_.npos)
    words.insert(words.end(), {"-fsanitize-undefined-trap-on-error", "-fno-crossjumping",
                               "-fno-tree-tail-merge", "-fno-isolate-erroneous-paths-dereference"});
  else words.push_back("-fsanitize-trap=return,unreachable");
  return words;
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
  Ending ending = run_step(words, folder, name);
  if (!ending.is_good() && read_file(folder / kMessages).find(kEndlessLoops) != std::string::npos) {
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
                               const std::string& name) {
  write_file(folder / kAssembly, assembly);
  std::vector<std::string> words = command_;
  words.insert(words.end(), {"-shared", "-s"});
  for (std::string_view function : kWrappedFunctions)
    words.push_back(fmt::format("-Wl,--wrap={}", function));
  words.insert(words.end(), {"-o", (folder / kObject).string(), (folder / kAssembly).string()});
  const Ending ending = run_step(std::move(words), folder, name);
  return ending.is_good() && std::filesystem::exists(folder / kObject);
}

std::string SystemCompiler::messages(const WorkFolder& folder) {
  return first_errors(backslash_replace(read_file(folder / kMessages)));
}

}  // namespace gpy::rt
