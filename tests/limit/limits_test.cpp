// Errors at the limits give one clear message and the right exit code, never a crash.

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Result run_on_cpu(const std::string& source, Run run = {}) {
  run.environment.push_back({"GPY_DEVICE", "cpu"});
  TemporaryFolder folder;
  return run_gpy({folder.write("script.gpy", source)}, run);
}

std::string repeat(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("endless recursion of every kind is a RecursionError") {
  for (const char* source : {
           "def f(n):\n    return f(n + 1)\nf(0)\n",
           "f = lambda: f()\nf()\n",
           "def f(x):\n    return sorted([1, 2], key=f)\nf(0)\n",
           "def f(x):\n    return list(map(f, [x]))\nf(0)\n",
           "a = iter([])\nfor i in range(1000000):\n    a = zip(a)\nnext(a)\n",
           "a = []\nfor i in range(1000000):\n    a = [a]\nprint(len(repr(a)))\n",
           "a = []\nb = []\nfor i in range(1000000):\n    a, b = [a], [b]\na == b\n",
       }) {
    Result result = run_on_cpu(source);
    CAPTURE(source);
    CHECK(result.code == 1);
    CHECK(holds(result.err, "RecursionError"));
    CHECK(result.err.size() < 20000);
  }
}

TEST_CASE("a generator refused for want of stack goes on where there is more") {
  Result result = run_on_cpu(
      "def count(): return (n for n in range(10**9))\n"
      "def refused(numbers):\n"
      "    nested = numbers\n"
      "    while True:\n"
      "        for i in range(50): nested = zip(nested)\n"
      "        try:\n"
      "            next(nested)\n"
      "        except RecursionError:\n"
      "            return numbers\n"
      "numbers = refused(count())\n"
      "a, b = count(), count()\n"
      "print(next(a), next(b), next(a), next(b), next(numbers) > 0)\n");
  CHECK(result.err == "");
  CHECK(result.out == "0 0 1 1 True\n");
}

TEST_CASE("a small stack does not turn errors into crashes") {
  TemporaryFolder folder;
  std::string path = folder.write("script.gpy", "def f(n):\n    return sorted([1], key=f)\nf(0)\n");
  Result result = run_program("sh", {"-c", "ulimit -s 512; exec " + gpy_path() + " " + path});
  CHECK(result.code == 1);
  CHECK(holds(result.err, "RecursionError"));
}

TEST_CASE("a stack that holds nothing is told") {
  for (const char* kilobytes : {"24", "40", "63"}) {
    const Result result = run_program(
        "sh", {"-c", std::string("ulimit -s ") + kilobytes + "; exec " + gpy_path() + " -c 1"});
    CHECK(result.code == 1);
    CHECK(result.err == "gpy: the stack is too small: 64 KiB are needed (ulimit -s)\n");
  }
}

TEST_CASE("200 levels nest, 100,000 give one clean error") {
  for (auto [open, close] : {std::pair{"(", ")"}, std::pair{"[", "]"}, std::pair{"f(", ")"}}) {
    std::string start = "f = lambda x=0: x\nx = ";
    CHECK(run_on_cpu(start + repeat(open, 200) + "1" + repeat(close, 200) + "\n").code == 0);
    Result deep = run_on_cpu(start + repeat(open, 100000) + "1" + repeat(close, 100000) + "\n");
    CHECK(deep.code == 2);
    CHECK(deep.err.size() < 5000);
    Result open_only = run_on_cpu(start + repeat(open, 100000) + "\n");
    CHECK(open_only.code == 2);
  }
  CHECK(run_on_cpu("x = " + repeat("-", 100000) + "1\n").code == 2);
  CHECK(run_on_cpu("x = " + repeat("not ", 100000) + "1\n").code == 2);
}

TEST_CASE("long flat sources are not deep ones") {
  // A sum of 5,000 is more than CPython compiles.
  CHECK(run_on_cpu("x = 1" + repeat(" + 1", 5000) + "\nprint(x)\n").out == "5001\n");
  CHECK(run_on_cpu("x = [" + repeat("1, ", 100000) + "]\nprint(len(x))\n").out == "100000\n");
  CHECK(run_on_cpu(repeat("x = 1\n", 100000) + "print(x)\n").out == "1\n");
  CHECK(run_on_cpu("if 0:\n    pass\n" + repeat("elif 0:\n    pass\n", 5000) +
                   "else:\n    print('else')\n")
            .out == "else\n");
}

// "k0, k1, ...", with '#' for the number: so many that work by their square would take minutes.
static std::string row(std::string_view item) {
  std::string all;
  for (int i = 0; i < 60000; ++i) {
    for (const char c : item) c == '#' ? all += std::to_string(i) : all += c;
  }
  return all;
}

TEST_CASE("rows of 60,000 names take time by their number, not by its square") {
  const std::string keywords = "d = {f'k{i}': i for i in range(60000)}\n";
  for (const std::string& source :
       {"def f(*, " + row("k#=#, ") + "): return k7\n" + keywords + "print(f(**d))\n",
        "def f(" + row("k#, ") + "): return k7\n" + keywords + "print(f(**d))\n",
        "print({" + row("'k#': #, ") + "}['k7'])\n",
        "import functools\n" + keywords + "print(functools.partial(dict, **d)(**d)['k7'])\n",
        "import collections\n" + keywords +
            "print(collections.namedtuple('C', list(d))(**d)._replace(**d).k7)\n"}) {
    CAPTURE(source.substr(0, 80));
    const Result result = run_on_cpu(source, {.seconds = 30});
    CHECK(result.out == "7\n");
  }
}

TEST_CASE("a with statement of 100,000 managers is one clean error") {
  const Result result = run_on_cpu("with " + repeat("c, ", 100000) + "c: pass\n");
  CHECK(result.code == 2);
  CHECK(holds(result.err, "SyntaxError: too many statically nested blocks"));
}

TEST_CASE("an endless loop is interrupted and gives 130") {
  Result result = run_on_cpu("print('ready', flush=True)\nwhile True:\n    pass\n",
                             {.interrupt_at_output = true});
  CHECK(result.code == 130);
  CHECK(holds(result.err, "KeyboardInterrupt"));
}

TEST_CASE("an interrupt can be caught, and finally runs") {
  std::string source =
      "try:\n"
      "    print('ready', flush=True)\n"
      "    while True:\n"
      "        pass\n"
      "except KeyboardInterrupt:\n"
      "    print('caught')\n"
      "finally:\n"
      "    print('finally')\n";
  Result result = run_on_cpu(source, {.interrupt_at_output = true});
  CHECK(result.code == 0);
  CHECK(result.out == "ready\ncaught\nfinally\n");
}

TEST_CASE("opening a pipe that nobody else opens is interrupted") {
  TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Terminal gpy(gpy_path(), {"--device", "cpu", "-i", "-c", "print('ready')"});
  REQUIRE(gpy.wait_for(">>> "));
  gpy.type("open('" + pipe + "')\n");
  gpy.pause(0.3);
  gpy.send(SIGINT);
  CHECK(gpy.wait_for("\nKeyboardInterrupt"));
  CHECK(gpy.wait_for(">>> "));
  CHECK(gpy.enter("1 + 1") == "2\n");
}

TEST_CASE("what is asked for after an interrupted input() is read") {
  Terminal gpy(gpy_path(), {"--device", "cpu", "-i", "-c", "print('ready')"});
  REQUIRE(gpy.wait_for(">>> "));
  gpy.type("input('first? ')\n");
  REQUIRE(gpy.wait_for("\nfirst? "));
  gpy.pause(0.3);
  gpy.send(SIGINT);
  REQUIRE(gpy.wait_for("\nKeyboardInterrupt"));
  REQUIRE(gpy.wait_for(">>> "));
  gpy.type("input('second? ')\n");
  REQUIRE(gpy.wait_for("\nsecond? "));
  gpy.type("words\n");
  CHECK(gpy.wait_for("\n'words'"));
}

TEST_CASE("long library work is interrupted too") {
  for (const char* work : {"sum(range(10 ** 12))", "[i for i in range(10 ** 12)]",
                           "sorted(range(10 ** 9), key=lambda x: -x)", "10 ** 10 ** 9"}) {
    CAPTURE(work);
    Result result = run_on_cpu(std::string("print('ready', flush=True)\n") + work + "\n",
                               {.seconds = 30, .interrupt_at_output = true});
    CHECK(!result.timed_out);
    CHECK((result.code == 130 || result.code == 1));
  }
}

TEST_CASE("one long call of a builtin is interrupted inside it") {
  // Each takes far longer than the signal takes to come; a call that polls only at its end prints.
  for (const std::string call : {
           "set(distinct)",
           "dict.fromkeys(distinct)",
           "sorted(distinct, key=str)",
           "text.title()",
           "text[::-1]",
           "text.encode('utf-16')",
           "repr(distinct)",
           "(0,) * 60_000_000",
           "b'xy' * 1_000_000_000",
       }) {
    CAPTURE(call);
    Result result = run_on_cpu(
        "distinct = list(range(5_000_000))\n"
        "text = 'abcdefgh\u00e9' * 8_000_000\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    x = " +
            call +
            "\n"
            "    print('ended')\n"
            "except KeyboardInterrupt:\n"
            "    print('stopped')\n",
        {.interrupt_at_output = true});
    CHECK(result.out == "ready\nstopped\n");
    CHECK(result.code == 0);
  }
}

TEST_CASE("an interrupt stops a computation between its tiles, and the arrays are as they were") {
  std::string source =
      "import numpy as np\n"
      "x = np.arange(300_000.0)\n"
      "try:\n"
      "    print('ready', flush=True)\n"
      "    np.exp(x[:, None] * x * -1e-9).sum().item()\n"
      "except KeyboardInterrupt:\n"
      "    print('stopped', x.sum())\n";
  Result result = run_on_cpu(source, {.seconds = 30, .interrupt_at_output = true});
  CHECK(!result.timed_out);
  CHECK(result.code == 0);
  CHECK(result.out == "ready\nstopped 44999850000.0\n");
}

TEST_CASE("sizes that overflow are refused before memory is asked for") {
  for (const char* source :
       {"gp.zeros(2 ** 62)", "gp.zeros((2 ** 32, 2 ** 32))", "gp.zeros((2 ** 40, 2 ** 40, 0 + 1))",
        "gp.arange(2 ** 63)", "[0] * 2 ** 62", "'x' * 2 ** 62", "gp.ones(-1)",
        "gp.eval(gp.broadcast_to(gp.ones(1), (2 ** 40,)) + 1)"}) {
    CAPTURE(source);
    Result result = run_on_cpu(std::string(source) + "\n");
    CHECK(result.code == 1);
    CHECK(holds(result.err, "Error"));
    CHECK(holds(result.err, "script.gpy"));
  }
}

TEST_CASE("a full disk is an error, not silence") {
  if (!std::filesystem::exists("/dev/full")) return;
  Result result = run_program("sh", {"-c", gpy_path() + " -c 'print(1)' > /dev/full"});
  CHECK(result.code != 0);
  CHECK(!result.err.empty());
}

TEST_CASE("a home that cannot be written does not stop kernels") {
  std::string source =
      "kernel elementwise twice(T x) -> (T y) {\n    y = x + x;\n}\nprint(twice(gp.arange(3.0)))\n";
  Run run{.environment = {{"HOME", "/proc/nowhere"}, {"XDG_CACHE_HOME", "/proc/nowhere"}}};
  Result result = run_on_cpu(source, run);
  CHECK(result.code == 0);
  CHECK(result.out == "[0. 2. 4.]\n");
}

TEST_CASE("without a compiler a kernel block is one clear error, and the rest works") {
  std::string source =
      "kernel elementwise twice(T x) -> (T y) {\n    y = x + x;\n}\n"
      "print(gp.arange(3).sum())\n"
      "try:\n    twice(gp.arange(3.0))\nexcept RuntimeError as e:\n    print('refused')\n";
  TemporaryFolder folder;
  Run run{.environment = {{"PATH", folder.path()},
                          {"CXX", ""},
                          {"HOME", folder.path()},
                          {"XDG_CACHE_HOME", folder.path()}}};
  Result result = run_on_cpu(source, run);
  CHECK(result.code == 0);
  CHECK(result.out == "3\nrefused\n");
}

}  // namespace gpy::test
