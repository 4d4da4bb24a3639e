// Runs script tests, each in an interpreter of its own, all in this process.
//
//   run_scripts [--device NAME] [--eager] [--shard I/N] [--hostile NAMES] [--seconds S] [--accept]
//               PREFIX...
//
// NAMES, joined by commas, are of runtime/core/hostile.h: block, tile, grid, fusion, pool, wide,
// narrow, delays, poison. Expectations about launches or the pool are not checked in such a run.
// Run from the root of the tree. A closing line says how many passed.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <execinfo.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <unistd.h>

#include "tests/runner/golden.h"
#include "tests/runner/run_script.h"

namespace gpy::test {

namespace {

struct Options {
  std::string device = "cpu";
  bool eager = false;
  bool accept = false;
  std::string hostile;
  double seconds = 30;  // a script test takes milliseconds; this is for endless loops
  size_t shard = 0, shards = 1;
  std::vector<std::string> prefixes;
};
Options options;
std::optional<ScriptRunner> runner;
struct {
  int passed = 0, failed = 0, skipped = 0;
} counts;

// The path of the script that runs now, for the line that a crash leaves behind.
char current_script[512];

void report_crash(int signal) {
  const char text[] = "\ncrashed in ";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  (void)!write(STDERR_FILENO, current_script, strlen(current_script));
  (void)!write(STDERR_FILENO, "\n", 1);
  void* calls[48];  // addresses, for addr2line
  backtrace_symbols_fd(calls, backtrace(calls, 48), STDERR_FILENO);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void watch_for_crashes() {
  static char stack[1 << 16];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = report_crash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    sigaction(signal, &action, nullptr);
  }
}

void count(bool passed, const std::string& findings) {
  ++(passed ? counts.passed : counts.failed);
  CHECK_MESSAGE(passed, findings);
}

void run_and_check(const Script& script, const char* arrays) {
  std::snprintf(current_script, sizeof current_script, "%s (%s)", script.path.c_str(), arrays);
  std::string findings;
  try {
    findings = compare(script, runner->run(script));
  } catch (const std::exception& error) {
    findings = script.path + ": left the interpreter: " + error.what();
  }
  if (!findings.empty() && *arrays) findings = std::string("with ") + arrays + ":\n" + findings;
  count(findings.empty(), findings);
}

void run_golden(const Script& script) {
  std::snprintf(current_script, sizeof current_script, "%s", script.path.c_str());
  std::string findings = check_golden(*runner, script, options.accept);
  count(findings.empty(), findings);
}

// Whether the script tests something that this hostile run switches off.
bool is_left_out(const Script& script) {
  std::istringstream names(script.not_under);
  const std::istream_iterator<std::string> first(names), end;
  return std::any_of(first, end, [](const std::string& name) {
    return options.hostile.find(name) != std::string::npos;
  });
}

void run_one(const std::string& path) {
  Script script = read_script(path);
  if (!script.skip.empty() || !script.runs_on(options.device) ||
      (options.eager && script.lazy_only) || is_left_out(script)) {
    ++counts.skipped;
    return;
  }
  if (!script.fake_gpus.empty() && !can_fake_gpus()) {
    ++counts.skipped;
    return;
  }
  if (path.starts_with("tests/diagnostics/")) return run_golden(script);
  run_and_check(script, "");
  if (script.also_cupy) run_and_check(with_cupy(script), "cupy");
}

TEST_CASE("scripts") {
  size_t number = 0;
  for (const std::string& prefix : options.prefixes) {
    std::vector<std::string> paths = find_scripts(prefix);
    CHECK_MESSAGE(!paths.empty(), "no script under ", prefix);
    for (const std::string& path : paths) {
      if (number++ % options.shards == options.shard) run_one(path);
    }
  }
}

bool read_options(int argc, char** argv) {
  if (const char* device = std::getenv("GPY_TEST_DEVICE")) options.device = device;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--eager") {
      options.eager = true;
    } else if (argument == "--accept") {
      options.accept = true;
    } else if (argument == "--device" && i + 1 < argc) {
      options.device = argv[++i];
    } else if (argument == "--hostile" && i + 1 < argc) {
      options.hostile = argv[++i];
    } else if (argument == "--seconds" && i + 1 < argc) {
      options.seconds = std::atof(argv[++i]);
    } else if (argument == "--shard" && i + 1 < argc) {
      if (std::sscanf(argv[++i], "%zu/%zu", &options.shard, &options.shards) != 2) return false;
    } else if (argument.starts_with("-")) {
      return false;
    } else {
      options.prefixes.emplace_back(argument);
    }
  }
  return !options.prefixes.empty() && options.shard < options.shards;
}

int run(int argc, char** argv) {
  if (!read_options(argc, argv)) {
    std::fputs(
        "usage: run_scripts [--device NAME] [--eager] [--shard I/N] [--hostile NAMES] "
        "[--seconds S] [--accept] PREFIX...\n",
        stderr);
    return 2;
  }
  watch_for_crashes();
  setenv("GPY_LAZY", options.eager ? "0" : "1", 1);
  runner.emplace(options.device, options.seconds, options.hostile);
  doctest::Context context;
  context.setOption("no-intro", true);
  context.setOption("no-version", true);
  context.setOption("minimal", true);
  int status = context.run();
  std::string complaint = runner->complaint();
  if (!complaint.empty()) {
    std::fprintf(stderr, "%s\n", complaint.c_str());
    ++counts.failed;
  }
  runner.reset();  // its devices need what belongs to this thread
  std::printf("%d passed, %d failed, %d skipped\n", counts.passed, counts.failed, counts.skipped);
  return status != 0 || counts.failed != 0;
}

}  // namespace

}  // namespace gpy::test

int main(int argc, char** argv) {
  try {
    return gpy::test::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_scripts: %s\n", error.what());
    return 1;
  }
}
