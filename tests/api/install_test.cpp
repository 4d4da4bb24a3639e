// The files that `cmake --install` puts into a fresh folder are all that a host needs.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

constexpr const char* kHost =
    "#include <gpy.hpp>\n"
    "#include <cstdio>\n"
    "int main() {\n"
    "  gpy::host::Interpreter gpy;\n"
    "  std::printf(\"%s\\n\", gpy.evaluate(\"gp.arange(4).sum() + sum([1, "
    "2])\").to_text().c_str());\n"
    "  try {\n"
    "    gpy.run(\"missing\");\n"
    "  } catch (const gpy::host::Error& error) {\n"
    "    std::puts(error.type().c_str());\n"
    "  }\n"
    "}\n";

constexpr const char* kProject =
    "cmake_minimum_required(VERSION 3.25)\n"
    "project(host LANGUAGES CXX)\n"
    "find_package(gpy 0.1 REQUIRED)\n"
    "foreach(kind gpy static)\n"
    "  add_executable(with_${kind} main.cpp)\n"
    "  target_link_libraries(with_${kind} PRIVATE gpy::${kind})\n"
    "endforeach()\n";

void must_run(const std::string& program, std::vector<std::string> arguments) {
  const Result result = run_program(program, std::move(arguments), {.seconds = 300});
  REQUIRE_MESSAGE(result.code == 0, program, result.out, result.err);
}

// The installed tree, moved afterwards.
struct Installed : TemporaryFolder {
  Installed() {
    must_run(GPY_CMAKE, {"--install", GPY_BUILD, "--prefix", path() + "/first"});
    std::filesystem::rename(path() + "/first", prefix());
    write("main.cpp", kHost);
    write("CMakeLists.txt", kProject);
  }
  std::string prefix() const { return path() + "/prefix"; }
};

}  // namespace

TEST_CASE("an installed gpy: the program, find_package with both libraries, pkg-config") {
  const Installed tree;
  const Result program =
      run_program(tree.prefix() + "/bin/gpy", {"-c", "import json; print(6 * 7)"});
  CHECK(program.out == "42\n");

  must_run(GPY_CMAKE, {"-S", tree.path(), "-B", tree.path() + "/build",
                       "-DCMAKE_PREFIX_PATH=" + tree.prefix()});
  must_run(GPY_CMAKE, {"--build", tree.path() + "/build"});
  for (const char* host : {"/build/with_gpy", "/build/with_static"}) {
    CAPTURE(host);
    CHECK(run_program(tree.path() + host, {}).out == "9\nNameError\n");
  }

  if (run_program("pkg-config", {"--version"}).code != 0) return;
  const std::string by_hand =
      "cd '" + tree.path() +
      "' && export PKG_CONFIG_PATH=$(dirname $(find . -name gpy.pc)) && c++ main.cpp -o by_hand "
      "$(pkg-config --cflags --libs gpy) && LD_LIBRARY_PATH=$(dirname $(find . -name libgpy.so)) "
      "./by_hand";
  CHECK(run_program("sh", {"-c", by_hand}, {.seconds = 300}).out == "9\nNameError\n");
}

TEST_CASE("libgpy.a links with the system's libraries alone") {
  TemporaryFolder folder;
  const std::string source = folder.write("main.cpp", kHost), host = folder.path() + "/host";
  must_run("c++",
           {"-std=c++20", "-I" + source_root() + "/src/embed", source,
            std::string(GPY_BUILD) + "/libgpy.a", "-ldl", "-lm", "-lmvec", "-pthread", "-o", host});
  CHECK(run_program(host, {}).out == "9\nNameError\n");
}

TEST_CASE("libgpy.so shows the host's interface alone") {
  const Result names =
      run_program("sh", {"-c", std::string("nm -D --defined-only -C '") + GPY_BUILD +
                                   "/libgpy.so' | cut -d' ' -f3- | grep -v gpy::host"});
  CHECK(names.out == "");
}

}  // namespace gpy::test
