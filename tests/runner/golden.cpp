#include "tests/runner/golden.h"

#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// The text that goes to the error stream: warnings, then the uncaught error.
std::string error_stream(const Outcome& outcome) {
  std::string text = outcome.warnings;
  if (outcome.error) text += outcome.error->rendered;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

// Runs with a driver that keeps arrays on the host and runs no kernel.
#ifdef GPY_FAKE_CUDA
Result run_on_fake_gpus(std::vector<std::string> arguments, const std::string& count) {
  TemporaryFolder cache;
  return run_gpy(std::move(arguments), {.environment = {{"LD_PRELOAD", GPY_FAKE_CUDA},
                                                        {"GPY_FAKE_CUDA_DEVICES", count},
                                                        {"GPY_CACHE_DIR", cache.path()},
                                                        {"GPY_DEVICE", "cuda"}}});
}
#else
Result run_on_fake_gpus(std::vector<std::string>, const std::string&) {
  return {.code = 1, .out = {}, .err = {}};
}
#endif

// The text on the error stream; nullopt when time ran out.
std::optional<std::string> error_of(ScriptRunner& runner, const Script& script) {
  if (!script.fake_gpus.empty()) return run_on_fake_gpus({script.path}, script.fake_gpus).err;
  Outcome outcome = runner.run(script);
  if (outcome.timed_out) return std::nullopt;
  return error_stream(outcome);
}

}  // namespace

bool can_fake_gpus() {
#ifdef GPY_FAKE_CUDA
  // A machine with real GPUs may have the runner alone.
  static const bool can = std::filesystem::exists(GPY_FAKE_CUDA) &&
                          run_on_fake_gpus({"-c", "import cupy\nx = cupy.zeros(1)"}, "1").code == 0;
  return can;
#else
  return false;
#endif
}

std::string check_golden(ScriptRunner& runner, const Script& script, bool accept) {
  const std::string& path = script.path;
  std::string golden = std::filesystem::path(path).replace_extension(".txt").string();
  const std::optional<std::string> error = error_of(runner, script);
  if (!error) return path + ": ran out of time\n";
  const std::string& text = *error;
  if (accept) {
    std::ofstream(golden, std::ios::binary) << text;
    return "";
  }
  if (!std::filesystem::exists(golden)) return path + ": has no " + golden + "\n";
  std::string expected = read_file(golden);
  if (expected == text) return "";
  return path + ": expected\n" + expected + "got\n" + text;
}

}  // namespace gpy::test
