// Compilers that are missing, fail, hang or print nonsense, and the files that they leave behind.

#include <doctest/doctest.h>
#include <utime.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A machine of its own: a script with a kernel, a compiler, a cache and a temporary folder.
struct Bench {
  Bench() {
    folder.write("script.gpy", kScript);
    for (const char* name : {"cache", "tmp"}) fs::create_directory(folder.path() + "/" + name);
  }
  // A compiler made of shell statements; "$@" is what it was called with.
  void write_compiler(const std::string& statements) {
    const std::string path = folder.write("compiler", "#!/bin/sh\n" + statements + "\n");
    fs::permissions(path, fs::perms::owner_all);
    compiler = path;
  }
  Run how(Run run) const {
    run.environment = {
        {"GPY_DEVICE", "cpu"}, {"CXX", compiler}, {"TMPDIR", temporary}, {"GPY_CACHE_DIR", cache}};
    for (const auto& each : more) run.environment.push_back(each);
    run.folder = folder.path();
    return run;
  }
  Result run(Run run = {}) const { return run_gpy({"script.gpy"}, how(std::move(run))); }
  // The number of calls other than those for the compiler's version.
  int compilations() const {
    std::ifstream log(folder.path() + "/log");
    int count = 0;
    for (std::string line; std::getline(log, line);) count += !line.empty() && line != "--version";
    return count;
  }
  // The number of kernel texts that were compiled.
  int texts() const {
    std::ifstream log(folder.path() + "/log");
    int count = 0;
    for (std::string line; std::getline(log, line);) count += holds(line, " -S ");
    return count;
  }
  int left_behind() const {
    return static_cast<int>(std::distance(fs::directory_iterator(temporary), {}));
  }

  static constexpr const char* kScript =
      "kernel raw fill(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = n; }\n"
      "y = gp.zeros(4, dtype=gp.float32)\n"
      "print('ready', flush=True)\n"
      "fill[1, 32](y, 4)\n"
      "print(y)\n";
  static constexpr const char* kOutput = "ready\n[4. 4. 4. 4.]\n";
  static constexpr const char* kLogging = "echo \"$@\" >> log; exec g++ \"$@\"";

  TemporaryFolder folder;
  std::string compiler, cache = folder.path() + "/cache", temporary = folder.path() + "/tmp";
  std::vector<std::pair<std::string, std::string>> more = {};
};

int files_in(const std::string& folder) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    count += entry.is_regular_file();
  return count;
}

fs::path only_file(const std::string& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) return entry.path();
  }
  return {};
}

}  // namespace

TEST_CASE("a kernel is compiled once for all processes") {
  Bench bench;
  bench.write_compiler(Bench::kLogging);
  CHECK(bench.run().out == Bench::kOutput);
  const int first = bench.compilations();
  CHECK(first > 0);
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.compilations() == first);
  CHECK(bench.left_behind() == 0);
}

TEST_CASE("of processes that need the same kernel at once, one compiles it and all run it") {
  for (const char* meeting : {"", "__syncthreads(); "}) {
    Bench bench;
    bench.folder.write("script.gpy", "kernel raw fill(float* y, int n) { " + std::string(meeting) +
                                         "if (threadIdx.x < n) y[threadIdx.x] = n; }\n"
                                         "y = gp.zeros(4, dtype=gp.float32)\n"
                                         "fill[1, 32](y, 4)\n"
                                         "print(y)\n");
    bench.write_compiler("[ \"$1\" = --version ] || sleep 0.2\n" + std::string(Bench::kLogging));
    const Result all = run_program(
        "sh", {"-c", "for i in 1 2 3 4 5 6 7 8; do \"$0\" script.gpy & done; wait", gpy_path()},
        bench.how({}));
    std::string expected;
    for (int i = 0; i < 8; ++i) expected += "[4. 4. 4. 4.]\n";
    CHECK(all.out == expected);
    CHECK(all.err == "");
    CHECK(bench.texts() == 1);
    CHECK(bench.left_behind() == 0);
    CHECK(files_in(bench.cache) == 1);
  }
}

TEST_CASE("a process that is killed while others wait for its kernel does not stop them") {
  Bench bench;
  bench.write_compiler(
      "case \"$*\" in *-S*) mkdir first 2> /dev/null && sleep 1 && kill -9 $PPID;; esac\n" +
      std::string(Bench::kLogging));
  const Result both = run_program(
      "sh", {"-c", "for i in 1 2; do \"$0\" script.gpy & done; wait", gpy_path()}, bench.how({}));
  CHECK(both.out.find("[4. 4. 4. 4.]\n") != std::string::npos);
  CHECK(files_in(bench.cache) == 1);
}

TEST_CASE("an object that is worse for a passing failure is not kept") {
  Bench bench;
  bench.write_compiler(
      "case \"$*\" in *-shared*) [ -e failed ] || { touch failed; exit 1; };; esac\n" +
      std::string(Bench::kLogging));
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(only_file(bench.cache).empty());
  CHECK(bench.run().err == "");
  CHECK_FALSE(only_file(bench.cache).empty());
}

TEST_CASE("what is kept is made again when it is damaged, and where it cannot be kept") {
  Bench bench;
  bench.write_compiler(Bench::kLogging);
  CHECK(bench.run().out == Bench::kOutput);
  const int first = bench.compilations();
  const fs::path kept = only_file(bench.cache);
  fs::resize_file(kept, fs::file_size(kept) / 2);
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.compilations() == 2 * first);
  fs::remove(kept);
  fs::create_directories(kept / "inside");
  CHECK(bench.run().out == Bench::kOutput);
  bench.cache = "/proc/no/such/folder";
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.compilations() == 4 * first);
}

TEST_CASE("another compiler, another version and other options make other objects") {
  Bench bench;
  bench.write_compiler(Bench::kLogging);
  CHECK(bench.run().out == Bench::kOutput);
  const int first = bench.compilations();
  bench.write_compiler("[ \"$1\" = --version ] && echo 99.0 && exit\n" +
                       std::string(Bench::kLogging));
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.compilations() == 2 * first);
}

TEST_CASE("a compiler that does not know an option yet does without it") {
  Bench bench;
  bench.write_compiler(
      "for each; do case $each in -fno-finite-loops)\n"
      "  echo \"error: unrecognized option '$each'\" >&2; exit 1;;\nesac; done\n" +
      std::string(Bench::kLogging));
  CHECK(bench.run().out == Bench::kOutput);
}

TEST_CASE("no compiler at all, and one that fails without a word, are told of") {
  Bench bench;
  bench.more = {{"PATH", "/nowhere"}};
  Result result = bench.run();
  CHECK(result.code == 1);
  CHECK(holds(result.err, "NotImplementedError: kernel 'fill' needs a C++ compiler"));
  bench.more = {};
  bench.write_compiler("exit 3");
  result = bench.run();
  CHECK(holds(result.err, "CompileException: kernel 'fill' does not compile:"));
  CHECK(holds(result.err, "ended with status 3"));
  bench.write_compiler("kill -9 $$");
  CHECK(holds(bench.run().err, "was ended by signal 9"));
  CHECK(bench.left_behind() == 0);
}

TEST_CASE("a compiler may print any bytes") {
  Bench bench;
  bench.write_compiler(
      "printf 'script.gpy:1:1: error: no \\377 \\303\\251 \\300\\200\\n' >&2; exit 1");
  const Result result = bench.run();
  CHECK(result.code == 1);
  CHECK(holds(result.err, "error: no \\xff \xc3\xa9 \\xc0\\x80\n"));
}

TEST_CASE("a compiler that hangs is interrupted, and leaves neither process nor folder") {
  Bench bench;
  bench.write_compiler("echo $$ > pid; sleep 1000");
  const Result result = bench.run({.seconds = 30, .interrupt_at_output = true});
  CHECK(result.code == 130);
  CHECK(holds(result.err, "KeyboardInterrupt"));
  CHECK(bench.left_behind() == 0);
  std::ifstream file(bench.folder.path() + "/pid");
  std::string pid;
  if (file >> pid) CHECK_FALSE(fs::exists("/proc/" + pid));
}

TEST_CASE(
    "a compiler that hangs is ended at its time limit, and leaves neither process nor folder") {
  for (const char* step : {"-S", "-shared"}) {
    CAPTURE(step);
    Bench bench;
    bench.write_compiler("case \"$*\" in *" + std::string(step) +
                         "*) echo $$ > pid; sleep 1000;; esac\n" + Bench::kLogging);
    bench.more = {{"GPY_COMPILE_SECONDS", "1.5"}};
    const Result result = bench.run({.seconds = 30});
    CHECK(result.code == 1);
    CHECK(holds(result.err, "CompileException: kernel 'fill' does not compile:\n" + bench.compiler +
                                " did not end within 1.5 s (GPY_COMPILE_SECONDS sets the limit)"));
    CHECK(bench.left_behind() == 0);
    CHECK(files_in(bench.cache) == 0);
    std::ifstream file(bench.folder.path() + "/pid");
    std::string pid;
    std::getline(file, pid);
    REQUIRE(pid != "");
    CHECK_FALSE(fs::exists("/proc/" + pid));
  }
}

TEST_CASE("a compiler that does not tell its version in time is passed over") {
  Bench bench;
  bench.write_compiler("sleep 1000");
  bench.more = {{"GPY_COMPILE_SECONDS", "5"}};
  const Result result = bench.run();
  CHECK(result.out == Bench::kOutput);
  CHECK(
      holds(result.err, "CXX='" + bench.compiler + "' cannot be run, or does not answer: another"));
}

TEST_CASE("the session goes on after a compiler that crashes, and the next try succeeds") {
  Bench bench;
  bench.folder.write(
      "script.gpy",
      "kernel raw fill(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = n; }\n"
      "y = gp.zeros(4, dtype=gp.float32)\n"
      "try: fill[1, 32](y, 4)\n"
      "except Exception as e: print(type(e).__name__)\n"
      "fill[1, 32](y, 4)\n"
      "print(y)\n");
  bench.write_compiler(
      "case \"$*\" in *-S*) mkdir first 2> /dev/null && { echo half > \"$(echo \"$*\" |"
      " sed 's/.* -o //; s/ .*//')\"; kill -SEGV $$; };; esac\n" +
      std::string(Bench::kLogging));
  CHECK(bench.run().out == "CompileException\n[4. 4. 4. 4.]\n");
  CHECK(files_in(bench.cache) == 1);
  CHECK(bench.left_behind() == 0);
}

TEST_CASE("a cache that others may write is not used, with one note") {
  Bench bench;
  bench.write_compiler(Bench::kLogging);
  CHECK(bench.run().out == Bench::kOutput);
  fs::permissions(bench.cache, fs::perms::all);
  const Result result = bench.run();
  CHECK(result.out == Bench::kOutput);
  CHECK(result.err == "gpy: warning: compiled kernels are not kept: " + bench.cache +
                          " can be written by other users\n");
  CHECK(bench.texts() == 2);
}

TEST_CASE("folders that killed processes left go when another compiles, those in use do not") {
  Bench bench;
  bench.write_compiler("kill -9 $PPID; sleep 0.2");
  CHECK(bench.run().code == 128 + 9);
  CHECK(bench.left_behind() == 1);
  bench.write_compiler(Bench::kLogging);
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.left_behind() == 1);  // it may have been made just now
  for (const auto& entry : fs::directory_iterator(bench.temporary)) {
    const utimbuf long_ago = {1000, 1000};
    utime(entry.path().c_str(), &long_ago);
  }
  fs::remove_all(bench.cache);
  CHECK(bench.run().out == Bench::kOutput);
  CHECK(bench.left_behind() == 0);
}

TEST_CASE("a temporary folder that is not there is an OSError that names it") {
  Bench bench;
  bench.temporary = "/no/such/folder";
  const Result result = bench.run();
  CHECK(result.code == 1);
  CHECK(holds(result.err,
              "FileNotFoundError: [Errno 2] No such file or directory: '/no/such/folder/"));
}

TEST_CASE("an option that needs a value is refused without one, wherever it stands") {
  for (const char* options : {"('-I',)", "('-I', '', '-DX')", "('-D', '', '-I', 'folder')"}) {
    TemporaryFolder folder;
    const std::string script = folder.write(
        "script.gpy",
        "k = gp.RawKernel('extern \"C\" __global__ void f(float* x) { x[0] = 1; }', 'f', " +
            std::string(options) + ")\nk((1,), (1,), (gp.zeros(2, dtype=gp.float32),))\n");
    CAPTURE(std::string(options));
    CHECK(holds(run_gpy({"--device", "cpu", script}).err, "' needs a value"));
  }
}

}  // namespace gpy::test
