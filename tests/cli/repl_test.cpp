// The prompt, in a pseudo-terminal.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

namespace gpy::test {

namespace {

// Keeps what tests type out of the history of the person who runs them.
std::vector<std::string> options() {
  setenv("XDG_STATE_HOME", "/proc/nowhere", 0);
  return {"--device", "cpu"};
}

struct Prompt : Terminal {
  Prompt() : Terminal(gpy_path(), options()) { ready = wait_for(">>> "); }
  bool ready = false;
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("values echo, statements do not, _ is the last value") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  CHECK(prompt.enter("1 + 1") == "2\n");
  CHECK(prompt.enter("_ * 21") == "42\n");
  CHECK(prompt.enter("x = 5") == "");
  CHECK(prompt.enter("'text'") == "'text'\n");
  CHECK(prompt.enter("None") == "");
  CHECK(prompt.enter("print(x)") == "5\n");
  CHECK(prompt.enter("gp.arange(3)") == "array([0, 1, 2])\n");
}

TEST_CASE("annotations stay text once the prompt was told so") {
  Prompt prompt;
  CHECK(prompt.enter("from __future__ import annotations") == "");
  CHECK(prompt.enter("x: missing = 1") == "");
  CHECK(prompt.enter("__annotations__") == "{'x': 'missing'}\n");
}

TEST_CASE("kernels are checked at the prompt") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  CHECK(prompt.enter("kernel raw f(float* x) { x[threadIdx.x] = 1; }") == "");
  CHECK(holds(prompt.enter("f[1, 8](gp.zeros(4, dtype=gp.float32))"),
              "CheckError: kernel 'f': x[4] is out of bounds"));
}

TEST_CASE("a block is read until a blank line") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.type("for i in range(2):\n");
  CHECK(prompt.wait_for("... "));
  prompt.type("    print('row', i)\n");
  CHECK(prompt.wait_for("... "));
  CHECK(holds(prompt.enter(""), "row 0\nrow 1\n"));
  prompt.type("total = (1 +\n");
  CHECK(prompt.wait_for("... "));
  CHECK(prompt.enter("2)") == "");
  CHECK(prompt.enter("total") == "3\n");
}

TEST_CASE("errors are shown and the names stay") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("x = 5");
  CHECK(holds(prompt.enter("1 / 0"), "ZeroDivisionError: division by zero"));
  CHECK(holds(prompt.enter("y = = 2"), "SyntaxError"));
  CHECK(prompt.enter("x") == "5\n");
}

TEST_CASE("Ctrl-C stops what runs, or clears the line, and keeps the names") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("x = 5");
  prompt.type("while True: x += 1\n\n");
  CHECK(!prompt.wait_for(">>> ", 0.5));
  prompt.type("\x03");
  CHECK(prompt.wait_for("KeyboardInterrupt"));
  CHECK(prompt.wait_for(">>> "));
  CHECK(prompt.enter("x > 5") == "True\n");
  prompt.type("half a li\x03");
  CHECK(prompt.wait_for(">>> "));
  CHECK(prompt.enter("'next'") == "'next'\n");
}

TEST_CASE("pasted prompts are stripped") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  CHECK(prompt.enter(">>> 6 * 7") == "42\n");
  prompt.type(">>> 2 + 3\n5\nprint('never')\n>>> 'la' + 'st'\n");
  CHECK(prompt.wait_for("'last'\n"));
  CHECK(prompt.wait_for(">>> "));
  CHECK(!holds(prompt.shown(), "\nnever"));
  CHECK(prompt.enter("'typed'") == "'typed'\n");
  // The history has the line alone: the arrow up twice, to the start, to the end.
  CHECK(prompt.enter("\x1b[A\x1b[A\x01len(\x05)") == "4\n");
}

TEST_CASE("help, ?, %time and %timeit") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  CHECK(holds(prompt.enter("help(len)"), "len("));
  CHECK(holds(prompt.enter("len?"), "len("));
  prompt.enter("def area(width, height=2, *, scale=1.5): return width * height * scale");
  prompt.enter("");
  CHECK(holds(prompt.enter("area?"), "area(width, height=2, *, scale=1.5)\n"));
  CHECK(holds(prompt.enter("help(area)"), "area(width, height=2, *, scale=1.5)\n"));
  CHECK(holds(prompt.enter("%time sum(range(10))"), "45"));
  CHECK(holds(prompt.enter("%time for i in range(3): print(i * 7)"), "14"));
  CHECK(holds(prompt.enter("help(int)"), "int(x=0, /, base=10)"));
  const std::string timed = prompt.enter("%timeit -n 1000 -r 3 1 + 1");
  CHECK(holds(timed, " ± "));
  CHECK(holds(timed, " per loop (mean ± std. dev. of 3 runs, 1,000 loops each)\n"));
}

TEST_CASE("what cannot be asked for is refused, and not run") {
  const Result result = run_gpy({"-i"}, {.input = "y = 3?\ny\n%timeit if\n"});
  CHECK(holds(result.err, "y = 3?"));
  CHECK(holds(result.err, "NameError: name 'y' is not defined"));
  CHECK(holds(result.err, "File \"<stdin>\", line 1\n    if\n"));
  CHECK(!holds(result.err, "<timeit>"));
}

TEST_CASE("help on a name") {
  const Result result = run_gpy({"-i"}, {.input = "help('math.sqrt')\nhelp('for')\nhelp('zzz')\n"
                                                  "import numpy\nhelp(numpy.ndarray.sort)\n"});
  CHECK(!holds(result.err, "Error"));
  CHECK(holds(result.out, "Help on built-in function sqrt in module math:"));
  CHECK(holds(result.out, "for is a keyword of the language.\n"));
  CHECK(holds(result.out, "No help found for 'zzz'"));
  CHECK(holds(result.out, "Help on method sort of numpy.ndarray:"));
}

TEST_CASE("%timeit of what takes nanoseconds ends") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  CHECK(holds(prompt.enter("%timeit pass"), " per loop "));
}

TEST_CASE("%timeit computes what is pending") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("def launched(): return gp.counters()['kernels_launched']");
  prompt.enter("");
  prompt.enter("x = gp.arange(10.0); before = launched()");
  prompt.enter("%timeit -n 50 -r 2 x + 1");
  CHECK(prompt.enter("launched() - before >= 100") == "True\n");
  prompt.enter("before = launched()");
  prompt.enter("%timeit -n 50 -r 2 y = x * 2");
  CHECK(prompt.enter("launched() - before >= 100") == "True\n");
}

TEST_CASE("help of a module and of a class tells what they hold") {
  TemporaryFolder folder;
  folder.write("pairs.gpy",
               "'Two of a kind.'\nSIZE = 2\n_hidden = 1\n"
               "def swap(a, b):\n    'The other way round.'\n    return b, a\n"
               "class Pair:\n    'Both.'\n    def first(self): 'The first.'\n");
  const Result result =
      run_gpy({"-c", "import pairs\nhelp(pairs)\nhelp(pairs.Pair)"}, {.folder = folder.path()});
  CHECK(result.err == "");
  CHECK(holds(result.out, "Help on module pairs:\n\nNAME\n    pairs\n"));
  CHECK(holds(result.out, "DESCRIPTION\n    Two of a kind.\n"));
  CHECK(holds(result.out, "CLASSES\n    Pair\n"));
  CHECK(holds(result.out, "    swap(a, b)\n        The other way round.\n"));
  CHECK(holds(result.out, "DATA\n    SIZE = 2\n"));
  CHECK(!holds(result.out, "_hidden"));
  CHECK(holds(result.out, "Help on class Pair in module pairs:"));
  CHECK(holds(result.out, " |  first(self)\n |      The first.\n"));
}

TEST_CASE("%timeit runs statements that store, and chooses its loops") {
  const Result result = run_gpy(
      {"-i"}, {.input = "class A: pass\na = A(); b = [0, 0]\n"
                        "%timeit -n 2 -r 1 a.x = 1; b[0] = 2; c, (d, *e) = 3, (4, 5); [f] = [6]\n"
                        "a.x, b[0]\n%timeit -r 2 b.copy()\n"});
  CHECK(!holds(result.err, "Error"));
  CHECK(holds(result.out, " of 1 run, 2 loops each)\n(1, 2)\n"));
  CHECK(holds(result.out, " of 2 runs, "));
  CHECK(holds(result.out, "0 loops each)\n"));
}

TEST_CASE("names and attributes are completed") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("remarkable = 3");
  prompt.type("remark\t");
  CHECK(prompt.wait_for("remarkable"));
  CHECK(holds(prompt.enter(""), "3\n"));
  prompt.type("gp.linsp\t");
  CHECK(prompt.wait_for("gp.linspace"));
  CHECK(holds(prompt.enter("(0, 1, 2)"), "array([0., 1.])\n"));
  prompt.type("gp.lin\t");
  CHECK(prompt.wait_for("linalg    linspace"));
}

TEST_CASE("lines are remembered between prompts; a home that cannot be written is fine") {
  TemporaryFolder folder;
  setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  {
    Prompt first;
    REQUIRE(first.ready);
    first.enter("'remember ' + 'me'");
  }
  {
    Prompt second;
    REQUIRE(second.ready);
    CHECK(second.enter("\x1b[A") == "'remember me'\n");  // the arrow up
  }
  unsetenv("XDG_STATE_HOME");
  Prompt third;
  CHECK(third.ready);
  CHECK(third.enter("1 + 1") == "2\n");
}

TEST_CASE("Ctrl-D and exit() leave with 0, sys.exit with its code") {
  Prompt first, second, third;
  REQUIRE(first.ready);
  first.type("\x04");
  CHECK(first.wait_for_end() == 0);
  second.type("exit()\n");
  CHECK(second.wait_for_end() == 0);
  third.type("import sys; sys.exit(3)\n");
  CHECK(third.wait_for_end() == 3);
}

}  // namespace gpy::test
