// gpy doctest: the examples that it reads, those that pass, and the report of the rest.

#include <doctest/doctest.h>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Result try_text(const std::string& name, std::string_view text,
                std::vector<std::string> options = {}) {
  TemporaryFolder folder;
  folder.write(name, text);
  std::vector<std::string> words = {"--device", "cpu", "doctest"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(name);
  return run_gpy(words, {.folder = folder.path()});
}

std::string last_line(const std::string& text) {
  const size_t end = text.size() - 1;
  return text.substr(text.rfind('\n', end - 1) + 1);
}

// Checks a text whose every example should pass.
void all_pass(const std::string& name, std::string_view text, int count,
              std::vector<std::string> options = {}) {
  const Result result = try_text(name, text, std::move(options));
  CHECK(result.out == std::to_string(count) + " passed, 0 failed\n");
  CHECK(result.code == 0);
}

}  // namespace

TEST_CASE("examples of a text share a namespace") {
  all_pass(
      "t.txt",
      "Text.\n\n>>> x = [1,\n...      2]\n>>> x\n[1, 2]\n\n    >>> for i in x:\n    ...     i\n"
      "    1\n    2\n>>> _ + 1\n3\n>>> None\n>>> def f():\n...     return x\n>>> f()\n[1, 2]\n",
      7);
}

TEST_CASE("expected tracebacks: header, any stack, last line") {
  all_pass(
      "t.txt",
      ">>> 1 / 0\nTraceback (most recent call last):\n  File nowhere\n"
      "ZeroDivisionError: division by zero\n"
      ">>> [1, 2][5]\nTraceback (most recent call last):\nIndexError: list index out of range\n"
      ">>> raise ValueError('a\\nb')\nTraceback (most recent call last):\n    ...\n"
      "ValueError: a\nb\n"
      ">>> import numpy as np\n"
      ">>> np.zeros(2).sum(axis=3)  # doctest: +IGNORE_EXCEPTION_DETAIL\n"
      "Traceback (most recent call last):\nAxisError: other words\n",
      5);
}

TEST_CASE("a value that cannot be computed fails its example alone") {
  const Result result = try_text("t.txt",
                                 ">>> import numpy as np\n>>> np.ones(10**15)\n0\n"
                                 ">>> np.ones(10**15)\nTraceback (most recent call last):\n"
                                 "MemoryError: Unable to allocate 7.11 PiB for an array with shape "
                                 "(1000000000000000,) and data type float64\n>>> 1\n1\n");
  CHECK(last_line(result.out) == "3 passed, 1 failed\n");
  CHECK(result.code == 1);
}

TEST_CASE("output without a newline at its end is what is wanted") {
  all_pass("t.txt", ">>> print('x', end='')\nx\n>>> print('y', end='\\n\\n')\ny\n<BLANKLINE>\n", 2);
}

TEST_CASE("the closing line comes in any case") {
  TemporaryFolder folder;
  folder.write("good.txt", ">>> 1\n1\n");
  folder.write("stops.txt", ">>> raise KeyboardInterrupt\n");
  const Result unread = run_gpy({"doctest", "missing.txt", "good.txt"}, {.folder = folder.path()});
  CHECK(last_line(unread.out) == "1 passed, 1 failed\n");
  CHECK(holds(unread.err, "gpy: can't open file 'missing.txt': No such file or directory\n"));
  CHECK(unread.code == 1);
  const Result stopped = run_gpy({"doctest", "good.txt", "stops.txt"}, {.folder = folder.path()});
  CHECK(last_line(stopped.out) == "1 passed, 0 failed\n");
  CHECK(stopped.code == 130);
}

TEST_CASE("options, beside an example and for all") {
  all_pass("t.txt",
           ">>> list(range(9))  # doctest: +ELLIPSIS\n[0, 1, ..., 8]\n"
           ">>> print('a  b')  # doctest: +NORMALIZE_WHITESPACE\na\nb\n"
           ">>> never()  # doctest: +SKIP\n"
           ">>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n",
           3);
  all_pass("t.txt", ">>> list(range(9))\n[0, ...]\n>>> 1 < 2 # doctest: -ELLIPSIS\nTrue\n", 2,
           {"-o", "ELLIPSIS"});
  CHECK(try_text("t.txt", ">>> 1\n1\n", {"-o", "NO_SUCH"}).code == 2);
  const Result wrong = try_text("t.txt", ">>> 1 # doctest: +NO_SUCH\n1\n");
  CHECK(holds(wrong.out, "line 1 of the doctest for t.txt has an invalid option: '+NO_SUCH'"));
  CHECK(wrong.code == 1);
}

TEST_CASE("a failure is told as Python tells it") {
  const Result result = try_text("t.txt", "Text.\n>>> 1 + 1\n3\n>>> 5\n>>> x = 1\n2\n");
  CHECK(result.out ==
        std::string(70, '*') +
            "\nFile \"t.txt\", line 2, in t.txt\nFailed example:\n    1 + 1\nExpected:\n    3\n"
            "Got:\n    2\n" +
            std::string(70, '*') +
            "\nFile \"t.txt\", line 4, in t.txt\nFailed example:\n    5\nExpected nothing\nGot:\n"
            "    5\n" +
            std::string(70, '*') +
            "\nFile \"t.txt\", line 5, in t.txt\nFailed example:\n    x = 1\nExpected:\n    2\n"
            "Got nothing\n" +
            std::string(70, '*') +
            "\n1 item had failures:\n   3 of   3 in t.txt\n0 passed, 3 failed\n");
  CHECK(result.code == 1);
  CHECK(last_line(try_text("t.txt", ">>> 1\n2\n>>> 2\n3\n", {"-f"}).out) == "0 passed, 1 failed\n");
}

TEST_CASE("an error that nobody expects is shown with its place") {
  const Result result = try_text("t.txt", ">>> y = 0\n>>> 1 / y\n1\n");
  CHECK(holds(result.out,
              "Exception raised:\n    Traceback (most recent call last):\n"
              "      File \"<doctest t.txt[1]>\", line 1, in <module>\n"));
  CHECK(holds(result.out, "ZeroDivisionError: division by zero"));
  CHECK(last_line(result.out) == "1 passed, 1 failed\n");
}

TEST_CASE("docstrings of a module, its functions, classes and methods") {
  constexpr std::string_view kModule =
      "\"\"\"The module.\n\n>>> double(2)\n4\n\"\"\"\nlimit = 3\n\n\ndef double(x):\n"
      "    \"\"\"Twice.\n\n    >>> double(limit)\n    6\n    >>> only_here = 1\n    \"\"\"\n"
      "    return 2 * x\n\n\ndef other():\n    \"\"\"\n    >>> only_here\n"
      "    Traceback (most recent call last):\n    NameError: name 'only_here' is not defined\n"
      "    >>> __name__\n    'mod'\n    \"\"\"\n";
  all_pass("mod.gpy", kModule, 5);
  all_pass("mod.py", kModule, 5);
  const Result result =
      try_text("mod.gpy", "def f():\n    '''\n    >>> f()\n    2\n    '''\n    return 1\n");
  CHECK(holds(result.out, "File \"mod.gpy\", line 3, in mod.f\n"));
}

TEST_CASE("docstrings in blocks of a module; tabs") {
  all_pass("m.gpy",
           "if True:\n    def f():\n        '''\n        >>> 1 + 1\n        2\n        '''\n"
           "else:\n    def f(): pass\n"
           "try:\n    def g():\n        '>>> 2\\n2'\n"
           "except ValueError:\n    def g(): pass\n",
           2);
  all_pass("t.txt", "\t>>> if 1:\n\t...     1 + 1\n\t2\n", 1);
}

TEST_CASE("examples that are not laid out as such are told with their line") {
  struct {
    const char *text, *message;
  } const refused[] = {
      {"\n    >>> 1\n  1\n",
       "line 3 of the docstring for t.txt has inconsistent leading whitespace: '  1'"},
      {">>>1\n", "line 1 of the docstring for t.txt lacks blank after >>>: '>>>1'"},
      {">>> 1  # doctest: +NOTHING\n",
       "line 1 of the doctest for t.txt has an invalid option: '+NOTHING'"},
      {">>> # doctest: +SKIP\n",
       "line 1 of the doctest for t.txt has an option directive on a line with no example: "
       "'# doctest: +SKIP'"},
  };
  for (const auto& each : refused) {
    CAPTURE(each.text);
    const Result result = try_text("t.txt", each.text);
    CHECK(result.code == 1);
    CHECK(holds(result.out, each.message));
    CHECK(last_line(result.out) == "0 passed, 1 failed\n");
  }
  const std::string help = "; gpy --help lists the options\n";
  CHECK(run_gpy({"doctest", "-x", "t.txt"}).err == "gpy: unknown option -x" + help);
  CHECK(run_gpy({"doctest", "-o"}).err == "gpy: option -o needs a value" + help);
  CHECK(run_gpy({"doctest", "-o", "NO", "t.txt"}).err == "gpy: doctest has no option NO" + help);
  CHECK(run_gpy({"doctest"}).err == "gpy: doctest needs a FILE" + help);
}

TEST_CASE("a module that does not run has failed") {
  const Result result = try_text("mod.gpy", "'''\n>>> 1\n1\n'''\nmissing\n");
  CHECK(holds(result.err, "NameError: name 'missing' is not defined"));
  CHECK(result.out == "0 passed, 1 failed\n");
}

TEST_CASE("fences of Markdown") {
  all_pass("t.md",
           "# Title\n\n```pycon\n>>> x = 2\n>>> x\n2\n```\n\n```python\n>>> x + 1\n3\n```\n"
           "```text\n>>> not tried\n```\n\n    >>> x\n    2\n",
           4);
}

TEST_CASE("scripts in Markdown say what their lines print") {
  all_pass("t.md",
           "```python\nx = 3\nprint(x)  # -> 3\nfor i in range(2):\n    print(i)\n    # -> 0\n"
           "    # -> 1\n```\n\n```python\nprint(x + 1)  # -> 4\n1 / 0  # -> ZeroDivisionError: "
           "division by zero\n```\n",
           4);
  const Result wrong = try_text("t.md", "\n```python\nprint(1)  # -> 2\nprint(3)\n```\n");
  CHECK(holds(wrong.out,
              "File \"t.md\", line 3, in t.md\nFailed line:\n    print(1)  # -> 2\n"
              "Expected:\n    2\nGot:\n    1\n"));
  CHECK(holds(wrong.out, "line 4, in t.md\nFailed line:\n    print(3)\nExpected nothing\n"));
  CHECK(last_line(wrong.out) == "0 passed, 2 failed\n");
}

TEST_CASE("a script in Markdown may be passed over") {
  all_pass("t.md", "```python\n# doctest: +SKIP\nlaunch_rocket()\n```\n", 0);
  CHECK(try_text("t.md", "```python\nlaunch_rocket()\n```\n").code == 1);
}

TEST_CASE("-v tells what is tried") {
  const Result result = try_text("t.txt", ">>> 1\n1\n>>> x = 2\n", {"-v"});
  CHECK(result.out ==
        "Trying:\n    1\nExpecting:\n    1\nok\nTrying:\n    x = 2\nExpecting nothing\nok\n"
        "2 passed, 0 failed\n");
}

TEST_CASE("files that are not there, folders, and none at all") {
  CHECK(run_gpy({"doctest", "/nowhere.txt"}).code == 1);
  const TemporaryFolder folder;
  CHECK(holds(run_gpy({"doctest", folder.path()}).err, "is a directory"));
  CHECK(run_gpy({"doctest"}).code == 2);
}

TEST_CASE("a file that is not UTF-8 is not tried, and said to be none") {
  for (const char* name : {"t.txt", "t.md", "t.gpy"}) {
    const Result result = try_text(name, "# \xff\n>>> 1\n1\n");
    CHECK(result.code == 1);
    CHECK(result.err == std::string("gpy: can't read '") + name + "': not UTF-8\n");
    CHECK(last_line(result.out) == "0 passed, 1 failed\n");
  }
}

}  // namespace gpy::test
