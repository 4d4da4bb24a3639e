// Nothing that is typed at a prompt ends it, except leaving it.

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/cli/process.h"
#include "tests/cli/terminal.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Run typing(const std::string& lines) {
  return {.input = lines + "'still ' + 'here'\n",
          .environment = {{"XDG_STATE_HOME", "/proc/nowhere"}}};
}

Result type_lines(const std::string& lines) {
  return run_gpy({"--device", "cpu", "-i"}, typing(lines));
}

struct Prompt : Terminal {
  Prompt() : Terminal(gpy_path(), {"--device", "cpu"}) { ready = wait_for(">>> "); }
  bool ready = false;
};

}  // namespace

TEST_CASE("a value that cannot be computed is an error of its entry") {
  const std::string huge = "import numpy as np\nhuge = lambda: np.ones(10**15)\n";
  for (const char* entry :
       {"huge()", "%time huge()", "[huge()]", "for i in range(1): huge()\n", "h = huge()\n%time 1",
        "%timeit h = huge()", "raise SystemError(huge())"}) {
    CAPTURE(entry);
    const Result result = type_lines(huge + entry + "\ndel h\n");
    CHECK(holds(result.out, "'still here'\n"));
    CHECK(holds(result.err, "Error: "));
    CHECK(result.code == 0);
  }
}

TEST_CASE("what shows itself badly is an error of its entry") {
  const char* entries[] = {
      "class A:\n  def __repr__(self): return 3\n\nA()\n",
      "class A:\n  def __repr__(self): return repr(self)\n\nA()\n",
      "class A:\n  def __repr__(self): return '\\ud800'\n\nA()\n",
      "class E(Exception):\n  def __str__(self): return str(self)\n\nraise E\n",
      "class E(Exception):\n  def __str__(self): raise SystemExit(3)\n\nraise E\n",
      "l = []\nfor i in range(10**5): l = [l]\n\nl\n%time 1\n%timeit -n1 -r1 l\n",
      "import sys\nsys.excepthook = lambda *all: sys.exit(3)\n1/0\n",
      "import sys\nsys.excepthook = 3\n1/0\n",
      "raise SyntaxError('m', ('f', 'a', [], {}))\n",
      "help('\\0')\nhelp('a.b.c')\n",
  };
  for (const char* entry : entries) {
    CAPTURE(entry);
    const Result result = type_lines(entry);
    CHECK(holds(result.out, "'still here'\n"));
    CHECK(result.code == 0);
  }
}

TEST_CASE("names that the prompt itself uses may be taken away") {
  const char* entries[] = {
      "import builtins\ndel builtins.help\n3?\n?\n",
      "import sys\nsys.modules['__main__'] = 3\n",
      "import sys\nsys.modules['sys'] = 3\nprint(1)\n1/0\n",
      "import sys\nsys.modules.clear()\n",
      "import builtins\nfor name in list(vars(builtins)): delattr(builtins, name)\n\n3?\n",
  };
  for (const char* entry : entries) {
    CAPTURE(entry);
    const Result result = type_lines(std::string("kept = 'kept ' + 'name'\n") + entry + "kept\n");
    CHECK(holds(result.out, "'still here'\n"));
    CHECK(holds(result.out, "'kept name'\n"));
    CHECK(result.code == 0);
  }
}

TEST_CASE("garbage is a syntax error") {
  const std::string deep(100000, '('), digits(5000, '9');
  const std::string entries[] = {std::string("x\0y\n", 4), "\xff\xfe\xed\xa0\x80\n",
                                 deep + "1" + deep + "\n", "x = " + digits + "\n",
                                 "\x1b[200~\x1b[201~\n"};
  for (const std::string& entry : entries) {
    const Result result = type_lines(entry);
    CHECK(holds(result.out, "'still here'\n"));
    CHECK(result.code == 0);
  }
}

TEST_CASE("a prompt after a script that failed") {
  TemporaryFolder folder;
  const std::string script = folder.write("script.gpy", "x = 'of the script'\n1 / 0\n");
  const Result result = run_gpy({"-i", script}, typing("x\n"));
  CHECK(holds(result.err, "ZeroDivisionError"));
  CHECK(holds(result.out, "'of the script'\n'still here'\n"));
}

TEST_CASE("Ctrl-C while a value is computed to be shown") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("import numpy as np");
  for (const char* entry : {"np.cumsum(np.ones(5*10**7))", "np.sort(np.arange(10**8) % 1001)"}) {
    prompt.type(std::string(entry) + "\n");
    prompt.wait_for("never", 0.05);
    prompt.type("\x03");
    CHECK(prompt.wait_for(">>> "));
    CHECK(prompt.enter("'still ' + 'here'") == "'still here'\n");
  }
}

TEST_CASE("completion of what raises, leaves or never ends") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.enter("class A:\n  def __getattr__(self, name): raise SystemExit(3)\n");
  prompt.wait_for(">>> ", 1);
  prompt.enter("class B:\n  def __dir__(self): return 1 / 0\n");
  prompt.wait_for(">>> ", 1);
  prompt.enter("class C:\n  def __dir__(self):\n    while True: pass\n");
  prompt.wait_for(">>> ", 1);
  prompt.enter("a, b, c = A(), B(), C()");
  for (const char* keys : {"a.x.y\t", "b.\t", "c.\t"}) {
    CAPTURE(keys);
    prompt.type(keys);
    prompt.wait_for("never", 0.2);
    prompt.type("\x03");  // ends the search, or the line
    prompt.wait_for("never", 0.1);
    prompt.type("\x03");
    CHECK(prompt.wait_for(">>> "));
    prompt.wait_for(">>> ", 0.2);
    CHECK(prompt.enter("'still ' + 'here'") == "'still here'\n");
  }
}

TEST_CASE("a terminal that has no columns") {
  Prompt prompt;
  REQUIRE(prompt.ready);
  prompt.resize(0, 0);
  CHECK(holds(prompt.enter("'still ' + 'here'"), "'still here'\n"));
  prompt.type("gp.lin\t");
  CHECK(prompt.wait_for("linspace"));
}

TEST_CASE("an output that nobody takes") {
  const Result unread = run_gpy({"-i"}, {.input = "1\n2\n", .closed_output = true});
  CHECK(unread.code == 1);
  CHECK(!unread.timed_out);
  const Result full = run_program(
      "sh", {"-c", "printf '1\\nprint(2)\\nimport sys\\nprint(3, file=sys.stderr)\\n' | " +
                       gpy_path() + " -i > /dev/full"});
  CHECK(full.code == 120);
  CHECK(holds(full.err, "OSError: [Errno 28] No space left on device\n"));
  CHECK(holds(full.err, "3\n"));
}

}  // namespace gpy::test
