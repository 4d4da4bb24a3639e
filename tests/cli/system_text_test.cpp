// Names and lines from the system that are not UTF-8: they enter as surrogates and leave as the
// bytes that they were.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/process.h"

namespace gpy::test {

static bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
}

TEST_CASE("arguments that are not UTF-8") {
  Result result = run_gpy({"-c", "import sys; print([(ascii(a), len(a)) for a in sys.argv[1:]])",
                           "a\xFF", "\xE2\x82", "\xED\xA0\x80", "\xF0"});
  CHECK(result.out ==
        "[(\"'a\\\\udcff'\", 2), (\"'\\\\udce2\\\\udc82'\", 2), "
        "(\"'\\\\udced\\\\udca0\\\\udc80'\", 3), (\"'\\\\udcf0'\", 1)]\n");
}

TEST_CASE("the environment goes in and out") {
  Run run;
  run.environment = {{"NAME", "a\xFF"}};
  Result result = run_gpy({"-c",
                           "import os\n"
                           "print(ascii(os.environ['NAME']), ascii(os.getenv('NAME')))\n"
                           "os.environ['OTHER'] = '\\udcfe'\n"
                           "try:\n"
                           "  os.environ['OTHER'] = '\\ud800'\n"
                           "except UnicodeEncodeError as e:\n"
                           "  print(e)\n"},
                          run);
  CHECK(result.out ==
        "'a\\udcff' 'a\\udcff'\n"
        "'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed\n");
}

TEST_CASE("names of files are found again under what they are called") {
  TemporaryFolder folder;
  for (const char* name : {"\xFF", "\xED\xA0\x80", "caf\xC3\xA9"}) folder.write(name, "text");
  Run run;
  run.folder = folder.path();
  Result result = run_gpy({"-c",
                           "import os, pathlib\n"
                           "for name in sorted(os.listdir('.')):\n"
                           "  same = os.fsdecode(os.fsencode(name)) == name\n"
                           "  print(ascii(name), os.stat(name).st_size, open(name).read(), same)\n"
                           "print([ascii(e.path) for e in os.scandir('.') if e.name > 'd'])\n"
                           "print(ascii(sorted(pathlib.Path('.').iterdir())[1].name))\n"
                           "os.mkdir('\\udcfe'); os.chdir('\\udcfe')\n"
                           "print(ascii(os.path.basename(os.getcwd())))\n"},
                          run);
  CHECK(result.err == "");
  CHECK(
      result.out.starts_with("'caf\\xe9' 4 text True\n'\\udced\\udca0\\udc80' 4 text True\n"
                             "'\\udcff' 4 text True\n"));
  CHECK(result.out.ends_with("'\\udced\\udca0\\udc80'\n'\\udcfe'\n"));
}

TEST_CASE("a script and a module whose names are not UTF-8") {
  TemporaryFolder folder;
  folder.write("m\xFE.gpy", "print(ascii(__name__))\n1 / 0\n");
  const std::string script =
      folder.write("s\xFF.gpy",
                   "import sys\nprint(ascii(__file__[-6:]), ascii(sys.argv[0][-6:]))\n"
                   "__import__('m\\udcfe')\n");
  for (const char* form : {"text", "json"}) {
    Result result = run_gpy({"--errors", form, script});
    CHECK(result.code == 1);
    CHECK(result.out == "'s\\udcff.gpy' 's\\udcff.gpy'\n'm\\udcfe'\n");
    CHECK(result.err.find("m\\udcfe.gpy") != std::string::npos);
    CHECK(is_ascii(result.err));
  }
}

TEST_CASE("standard input is read strictly, by input() too") {
  for (const char* code : {"input()", "import sys; sys.stdin.read()"}) {
    Run run;
    run.input = "a\xFF\n";
    Result result = run_gpy({"-c", code}, run);
    CHECK(result.code == 1);
    CHECK(
        result.err.ends_with("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in "
                             "position 1: invalid start byte\n"));
  }
}

TEST_CASE("a prompt that UTF-8 cannot hold is an error of input()") {
  Result result = run_gpy({"-c", "input('\\udcff')"});
  CHECK(result.out == "");
  CHECK(result.err.find("UnicodeEncodeError") != std::string::npos);
}

TEST_CASE("an error that tells of a surrogate is shown, and JSON holds it") {
  const char* code =
      "class A: pass\nsetattr(A, '\\udcff', 1)\nraise KeyError(getattr(A, '\\udcfe'))";
  for (const char* form : {"text", "json"}) {
    Result result = run_gpy({"--errors", form, "-c", code});
    CHECK(result.code == 1);
    CHECK(result.err.find("no attribute '\\udcfe'") != std::string::npos);
    CHECK(is_ascii(result.err));
  }
}

}  // namespace gpy::test
