#include "runtime/kernel/host_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/kernel/cuda_source.h"
#include "runtime/kernel/host_shim.h"

extern char** environ;

namespace gpy::rt {

namespace fs = std::filesystem;

namespace {

using Launcher = void (*)(void* const* arguments, const unsigned* shape, long long first,
                          long long last);

// A folder of this process's own, gone when the object is.
class WorkFolder {
 public:
  WorkFolder() {
    const char* tmp = std::getenv("TMPDIR");
    std::string name = fmt::format("{}/gpy-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(name.data()))
      fail(ErrorKind::kOs, "no folder to compile a kernel in: {} cannot be made", name);
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out)
    fail(ErrorKind::kOs, "a kernel's source cannot be written to {}: {}", path.string(),
         std::strerror(errno));
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// This process's environment, but messages in plain ASCII whatever the user's locale.
std::vector<char*> plain_environment() {
  static char locale[] = "LC_ALL=C";
  std::vector<char*> entries{locale};
  for (char** entry = environ; *entry; ++entry) {
    if (!std::string_view(*entry).starts_with("LC_ALL=")) entries.push_back(*entry);
  }
  entries.push_back(nullptr);
  return entries;
}

// Runs a program found on PATH; its standard error goes to `errors`. False if it was not found.
bool run_program(std::vector<std::string> words, const fs::path& errors, int& status) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = 0;
  std::vector<char*> environment = plain_environment();
  const int failed =
      posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return false;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // A shell's way to say that there is no such program.
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

// What waits for other threads of its block cannot run as a loop.
void refuse_barriers(std::string_view source, const std::string& name) {
  const std::string text = host_lines(without_comments(source));
  for (const char* word :
       {"__syncthreads", "__syncwarp", "__shfl", "cooperative_groups", "extern __shared__"}) {
    if (text.find(word) == std::string::npos) continue;
    fail(ErrorKind::kNotImplemented,
         "kernel '{}' uses {}: threads that wait for each other cannot run on the CPU yet; run it "
         "on a GPU",
         name, word);
  }
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

class HostFunction final : public UserFunction {
 public:
  HostFunction(std::shared_ptr<void> library, Launcher launcher, ThreadPool& threads)
      : library_(std::move(library)), launcher_(launcher), threads_(threads) {}

  void launch(Dim3 grid, Dim3 block, size_t, std::span<void* const> arguments) override {
    const unsigned shape[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    const int64_t blocks = int64_t{grid.x} * grid.y * grid.z;
    const int64_t threads = int64_t{block.x} * block.y * block.z;
    if (blocks == 0 || threads == 0 || threads > 1024) {
      fail(ErrorKind::kValue,
           "a launch needs 1 to 1024 threads a block and at least one block (got {} x {})", blocks,
           threads);
    }
    const int64_t grain = std::max<int64_t>(1, 256 / threads);
    threads_.run(blocks, grain, [&](int64_t first, int64_t last) {
      launcher_(arguments.data(), shape, first, last);
    });
  }

 private:
  std::shared_ptr<void> library_;
  Launcher launcher_;
  ThreadPool& threads_;
};

class HostModule final : public UserModule {
 public:
  HostModule(std::shared_ptr<void> library, ThreadPool& threads)
      : library_(std::move(library)), threads_(threads) {}

  std::shared_ptr<UserFunction> function(const std::string& name) override {
    void* symbol = dlsym(library_.get(), ("_gpy_launch_" + name).c_str());
    if (!symbol) fail(ErrorKind::kValue, "the module has no kernel named '{}'", name);
    return std::make_shared<HostFunction>(library_, reinterpret_cast<Launcher>(symbol), threads_);
  }

 private:
  std::shared_ptr<void> library_;
  ThreadPool& threads_;
};

std::string whole_text(const std::string& source) {
  std::string text(host_shim_before());
  text += "#line 1 \"<kernel>\"\n" + source + "\n#line 1 \"<generated>\"\n";
  text += host_shim_after();
  for (const KernelDeclaration& kernel : find_kernels(host_lines(source))) {
    if (kernel.is_template) continue;
    text += fmt::format(
        "extern \"C\" __attribute__((visibility(\"default\"))) void _gpy_launch_{0}("
        "void* const* arguments, const unsigned* shape, long long first, long long last) "
        "{{ _gpy_run(&{0}, arguments, shape, first, last); }}\n",
        kernel.name);
  }
  return text;
}

class HostCompiler final : public UserKernels {
 public:
  explicit HostCompiler(ThreadPool& threads) : threads_(threads) {}

  std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                      std::span<const std::string> options) override {
    refuse_barriers(source, name);
    const std::lock_guard lock(mutex_);
    std::string key = source;
    for (const std::string& option : options) key += '\0' + option;
    std::shared_ptr<UserModule>& known = modules_[key];
    if (!known)
      known = std::make_shared<HostModule>(build(whole_text(source), name, options), threads_);
    return known;
  }

 private:
  std::shared_ptr<void> build(const std::string& text, const std::string& name,
                              std::span<const std::string> options) {
    const WorkFolder folder;
    const fs::path source = folder / "kernel.cpp", object = folder / "kernel.so",
                   log = folder / "log";
    write_file(source, text);
    int status = 0;
    if (!run_compiler(source, object, log, options, status)) {
      fail(ErrorKind::kNotImplemented,
           "kernel '{}' needs a C++ compiler to run on the CPU, and none was found: install g++, "
           "or name one in CXX",
           name);
    }
    // A host that ignores its children's ends leaves no status to read: what was made tells then.
    const bool compiled = status == 0 && fs::exists(object);
    if (!compiled)
      fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", name,
           first_errors(read_file(log)));
    void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(ErrorKind::kOs, "kernel '{}' cannot be loaded: {}", name, dlerror());
    return {library, [](void* opened) { dlclose(opened); }};
  }

  static bool run_compiler(const fs::path& source, const fs::path& object, const fs::path& log,
                           std::span<const std::string> options, int& status) {
    const char* chosen = std::getenv("CXX");
    std::vector<std::string> compilers = {"c++", "g++", "clang++"};
    if (chosen && *chosen) compilers.insert(compilers.begin(), chosen);
    for (const std::string& compiler : compilers) {
      std::vector<std::string> words = {compiler,
                                        "-std=c++17",
                                        "-O3",
                                        "-march=native",
                                        "-fno-math-errno",
                                        "-fno-trapping-math",
                                        "-fPIC",
                                        "-shared",
                                        "-w",
                                        "-fvisibility=hidden",
                                        "-fdiagnostics-color=never",
                                        "-ftabstop=1",
                                        "-o",
                                        object.string(),
                                        source.string()};
      for (const std::string& option : options) {
        if (option.starts_with("-D") || option.starts_with("-I")) words.push_back(option);
      }
      if (run_program(std::move(words), log, status)) return true;
    }
    return false;
  }

  ThreadPool& threads_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserModule>> modules_;
};

}  // namespace

std::unique_ptr<UserKernels> make_host_compiler(ThreadPool& threads) {
  return std::make_unique<HostCompiler>(threads);
}

}  // namespace gpy::rt
