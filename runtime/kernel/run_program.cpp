#include "runtime/kernel/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "runtime/core/environment.h"
#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/kernel/cache_settings.h"

namespace gpy::rt {
namespace {

constexpr const char* kOutput = "output";
constexpr const char* kMessages = "messages";

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

// The status is 0 in a host that ignores its children's ends, where there is none.
ProgramEnding wait_for(pid_t pid) {
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

}  // namespace

ProgramEnding run_program(std::vector<std::string> words, const WorkFolder& folder) {
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
  ProgramEnding ending = wait_for(pid);
  // A shell's way to say that there is no such program.
  ending.missing = WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 127;
  return ending;
}

std::string program_output(const WorkFolder& folder) { return read_file(folder / kOutput); }
std::string program_messages(const WorkFolder& folder) { return read_file(folder / kMessages); }

}  // namespace gpy::rt
