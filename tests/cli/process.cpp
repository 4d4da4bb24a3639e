#include "tests/cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace gpy::test {

namespace {

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

[[noreturn]] void become(const std::string& program, std::vector<std::string>& arguments,
                         const Run& run) {
  for (const auto& [name, value] : run.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!run.folder.empty() && chdir(run.folder.c_str()) != 0) _exit(126);
  signal(SIGPIPE, SIG_DFL);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execvp(program.c_str(), words.data());
  _exit(127);
}

// Appends what can be read; closes the end of a finished stream.
void drain(int& end, std::string& text) {
  char buffer[1 << 16];
  ssize_t count = read(end, buffer, sizeof buffer);
  if (count > 0) {
    text.append(buffer, static_cast<size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    Pipe::close_end(end);
  }
}

void feed(int& end, std::string_view& rest) {
  ssize_t count = write(end, rest.data(), rest.size());
  if (count > 0) rest.remove_prefix(static_cast<size_t>(count));
  if (count < 0 || rest.empty()) Pipe::close_end(end);
}

// Exchanges data until both streams have ended; false if time ran out first.
bool exchange(int& in, int& out, int& err, std::string_view input, Result& result, const Run& run,
              pid_t child) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(run.seconds);
  bool interrupted = !run.interrupt_at_output;
  if (input.empty()) Pipe::close_end(in);
  while (out >= 0 || err >= 0) {
    if (std::chrono::steady_clock::now() > end) return false;
    pollfd ends[3] = {{in, POLLOUT, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    poll(ends, 3, 100);
    if (in >= 0 && ends[0].revents) feed(in, input);
    if (out >= 0 && ends[1].revents) drain(out, result.out);
    if (err >= 0 && ends[2].revents) drain(err, result.err);
    if (!interrupted && !result.out.empty()) interrupted = kill(child, SIGINT) == 0;
  }
  return true;
}

}  // namespace

Result run_program(const std::string& program, std::vector<std::string> arguments, const Run& run) {
  Pipe in, out, err;
  signal(SIGPIPE, SIG_IGN);
  pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    dup2(in.read_end, STDIN_FILENO);
    dup2(out.write_end, STDOUT_FILENO);
    dup2(err.write_end, STDERR_FILENO);
    if (run.closed_output) Pipe::close_end(out.read_end);
    become(program, arguments, run);
  }
  Pipe::close_end(in.read_end);
  Pipe::close_end(out.write_end);
  Pipe::close_end(err.write_end);
  if (run.closed_output) Pipe::close_end(out.read_end);
  Result result;
  result.timed_out =
      !exchange(in.write_end, out.read_end, err.read_end, run.input, result, run, child);
  if (result.timed_out) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string gpy_path() { return GPY_BINARY; }
std::string source_root() { return GPY_SOURCE_ROOT; }

Result run_gpy(std::vector<std::string> arguments, const Run& run) {
  return run_program(gpy_path(), std::move(arguments), run);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gpy-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, std::string_view content) const {
  std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace gpy::test
