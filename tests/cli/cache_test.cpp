// `gpy cache`: what is kept of compiled kernels, and its end.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/process.h"
#include "tests/fake_cuda/environment.h"

namespace gpy::test {

namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A cache of its own, for kernels of the CPU.
struct Cache {
  Run how() const { return {.environment = {{"GPY_DEVICE", "cpu"}, {"GPY_CACHE_DIR", path}}}; }
  Result gpy(std::vector<std::string> words) const { return run_gpy(std::move(words), how()); }
  void add_kernels(int count) const {
    const std::string script =
        "for i in range(" + std::to_string(count) +
        "): print(gp.ElementwiseKernel('float32 x', 'float32 y', f'y = x + {i}', 'add')"
        "(gp.ones(1, dtype=gp.float32))[0])\n";
    CHECK(gpy({"-c", script}).err == "");
  }

  TemporaryFolder folder;
  std::string path = folder.path() + "/cache";
};

}  // namespace

TEST_CASE("gpy cache tells the folder, the kernels and the limit") {
  Cache cache;
  CHECK(cache.gpy({"cache"}).out ==
        "folder    " + cache.path + "\ncpu       none\ncuda      none\nlimit     256 MiB\n");
  cache.add_kernels(2);
  const Result result = cache.gpy({"cache"});
  CHECK(result.code == 0);
  CHECK(holds(result.out, "\ncpu       2 kernels, "));
  CHECK(holds(result.out, " KiB, 2 used in the last day\n"));
  CHECK(holds(result.out, "\ncuda      none\n"));
  Run small = cache.how();
  small.environment.push_back({"GPY_CACHE_BYTES", "1M"});
  CHECK(holds(run_gpy({"cache"}, small).out, "\nlimit     1.00 MiB\n"));
}

TEST_CASE("gpy cache clear removes the kernels, and a script makes them again") {
  Cache cache;
  cache.add_kernels(2);
  CHECK(holds(cache.gpy({"cache", "clear", "--older", "1h"}).out, "removed 0 kernels, 0 bytes\n"));
  CHECK(holds(cache.gpy({"cache"}).out, "2 kernels"));
  CHECK(cache.gpy({"cache", "clear"}).out.starts_with("removed 2 kernels, "));
  CHECK(fs::is_empty(cache.path));
  CHECK(holds(cache.gpy({"cache"}).out, "\ncpu       none\n"));
  cache.add_kernels(1);
  CHECK(cache.gpy({"cache", "clear", "--older=0m"}).out.starts_with("removed 1 kernel, "));
}

TEST_CASE("gpy cache clear leaves files that are not the cache's") {
  Cache cache;
  cache.add_kernels(1);
  fs::create_directory(cache.path + "/00");
  for (const char* name : {"notes.txt", "00/0123456789abcdef0123456789abcd.txt"})
    cache.folder.write(std::string("cache/") + name, "mine");
  CHECK(cache.gpy({"cache", "clear"}).out.starts_with("removed 1 kernel, "));
  CHECK(fs::exists(cache.path + "/notes.txt"));
  CHECK(fs::exists(cache.path + "/00/0123456789abcdef0123456789abcd.txt"));
}

TEST_CASE("gpy cache refuses words that it does not know, with usage's exit code") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"cache", "empty"}, "unexpected argument empty"},
      {{"cache", "--all"}, "unknown option --all"},
      {{"cache", "clear", "now"}, "unexpected argument now"},
      {{"cache", "clear", "-f"}, "unknown option -f"},
      {{"cache", "clear", "--older"}, "option --older needs a value"},
      {{"cache", "clear", "--older", "soon"}, "--older is a time such as 30d, 12h or 5m, not soon"},
      {{"cache", "clear", "--older=-1d"}, "--older is a time such as 30d, 12h or 5m, not -1d"},
      {{"cache", "clear", "--older", "99999999999d"}, "not 99999999999d"},
      {{"cache", "clear", "--older", "3"}, "--older is a time such as 30d, 12h or 5m, not 3"}};
  Cache cache;
  cache.add_kernels(1);
  for (const auto& [words, complaint] : cases) {
    const Result result = cache.gpy(words);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(holds(result.err, complaint));
    CHECK(holds(result.err, "; gpy --help lists the options\n"));
  }
  CHECK(holds(cache.gpy({"cache"}).out, "1 kernel,"));
}

TEST_CASE("gpy cache and gpy info say why a folder is not used") {
  Cache cache;
  fs::create_directory(cache.path);
  fs::permissions(cache.path, fs::perms::all);
  CHECK(cache.gpy({"cache"}).out.starts_with("folder    " + cache.path +
                                             ": not used, it can be written by other users\n"));
  CHECK(holds(cache.gpy({"info"}).out,
              "kernels   not kept: " + cache.path + " can be written by other users\n"));
  Run homeless;
  for (const char* name : {"GPY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"})
    homeless.environment.push_back({name, ""});
  CHECK(run_gpy({"cache"}, homeless).out ==
        "folder    none: GPY_CACHE_DIR, XDG_CACHE_HOME and HOME are not set\n");
}

TEST_CASE("a bound of no bytes keeps nothing") {
  Cache cache;
  Run none = cache.how();
  none.environment.push_back({"GPY_CACHE_BYTES", "0"});
  const std::string script =
      "print(gp.ElementwiseKernel('float32 x', 'float32 y', 'y = x', 'same')(gp.ones(1, 'f4')))";
  const Result result = run_gpy({"-c", script}, none);
  CHECK(result.out == "[1.]\n");
  CHECK(result.err == "");
  CHECK_FALSE(fs::exists(cache.path));
  CHECK(
      holds(run_gpy({"cache"}, none).out, "limit     0 bytes: nothing is kept (GPY_CACHE_BYTES)"));
}

#ifdef GPY_FAKE_CUDA
TEST_CASE("kernels for GPUs are counted by themselves") {
  Cache cache;
  Run run{.environment = fake_gpu_environment(cache.path)};
  const Result made = run_gpy({"--device", "cuda", "-c", "gp.eval(gp.ones(3) + 1)"}, run);
  REQUIRE(made.code == 0);
  const Result result = run_gpy({"cache"}, run);
  CHECK(holds(result.out, "\ncpu       none\n"));
  CHECK(holds(result.out, "\ncuda      1 kernel, "));
}

TEST_CASE("of processes that need the same kernel for a GPU at once, one compiles it") {
  Cache cache;
  const Run run{.environment = fake_gpu_environment(cache.path)};
  const std::string script =
      cache.folder.write("script.gpy",
                         "gp.eval(gp.ones(3) + 1)\n"
                         "counters = gp.counters()\n"
                         "print(counters['kernels_compiled'], counters['kernels_loaded'])\n");
  const Result all =
      run_program("sh",
                  {"-c", "for i in 1 2 3 4 5 6 7 8; do \"$0\" --device cuda \"$1\" & done; wait",
                   gpy_path(), script},
                  run);
  CHECK(all.err == "");
  CHECK(all.out.size() == 8 * 4);
  size_t compiled = 0;
  for (size_t at = 0; (at = all.out.find("1 0\n", at)) != std::string::npos; ++at) ++compiled;
  CHECK(compiled == 1);
}
#endif

}  // namespace gpy::test
